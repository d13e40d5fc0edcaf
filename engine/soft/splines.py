"""Activation splines: curves in a soft body that contract or stretch it from within (Engell-Norregard 2012, part III).

A curve is sampled to points equidistant in its parameter (75), each carried by the cell that it lies in (76), with a
region of the body that it acts on (`regions.py`). Segments between the points are damped springs whose rest length is
alpha times the one drawn (77 to 79; `virtual_springs.py`); their forces reach the body by weights that keep sum and
torque (`conserving.py`), or by one of the source's printed forms (`transfers.py`).

Damping is critical. The source prints k = 1 / tau^2 and c = 2 / tau (80), which lacks the mass; with the reduced mass m
of a segment k = m / tau^2, c = 2 m / tau, and x'' + (2 / tau) x' + x / tau^2 = 0 has the double root -1 / tau. tau is a
property of the spline, never of the step.

Stiffness is given by its ratio to the body's, 2 in the source, below which a spline hardly moves the body; or tau is
given, and the ratio comes of it. The body's stiffness along a segment of rest length l0 is E A / l0 with A the
cross-section of the body about the spline: the volume of those points that are nearest to a sample that is none of the
curve's ends, along paths inside the body, over the length that the samples stand for. In a mass-spring body it is that
of its springs.
"""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft.conserving import conserving_weights
from engine.soft.curves import Curve, sample_curve
from engine.soft.embedding import Embedding, Weights, embed, join_weights
from engine.soft.mesh import VolumeMesh
from engine.soft.regions import Region, find_regions, nearest_places
from engine.soft.virtual_springs import VirtualSprings, damp, join_springs, reduced_masses

USUAL_RATIO = 2.0
_MEASURED = 12  # samples at least, by which a cross-section is measured


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnSpline:
    """A spline as a person draws it, and how it pulls."""

    controls: Array  # [m] in the body's rest pose, shape [control_count, 3]
    name: str = "the spline"
    curve: Curve = "catmull-rom"
    samples: int = 8
    ratio: float = USUAL_RATIO  # of its stiffness to the body's
    tau: float | None = None  # [s] characteristic time, which gives the stiffness in place of the ratio
    region: Region = "nearest"
    radius: float = 0.0  # [m] of each point's region
    painted: Array | None = None  # from 0 to 1, shape [point_count]


@dataclass(frozen=True, eq=False)
class BoundSplines:
    """Splines bound to a body: what a solver steps, what the printed transfers need, what a person should know."""

    springs: VirtualSprings
    regions: Weights  # memberships, a row for each spline point
    embedding: Weights  # of the same points in their cells (76)
    ratios: Array  # stiffness of each segment beside the body's
    taus: Array  # [s] of each segment
    widened: int  # regions that do not surround their spline points, and have the cells of these beside
    notes: tuple[str, ...]


def bind_splines(
    mesh: VolumeMesh,
    masses: Array,
    splines: list[DrawnSpline],
    *,
    young: float | None = None,
    spring: float | None = None,
) -> BoundSplines:
    """Bind splines to a body of Young's modulus `young` [Pa] ([N/m] where it is planar), or of springs [N/m]."""
    body = young if spring is None else spring
    if (young is None) == (spring is None) or body is None or not (math.isfinite(body) and body > 0.0):
        allowed = "Young's modulus or the stiffness of springs, above zero"
        raise InvalidArguments(what="the stiffness of a body", value=(young, spring), allowed=allowed)
    masses = np.ascontiguousarray(masses, dtype=np.float64)
    if masses.shape != (len(mesh.points),) or not (masses > 0.0).all():
        raise InvalidArguments(what="the masses of a body", value=masses, allowed="one above zero for each point")
    each = [_bound(mesh, masses, spline, body, spring is not None) for spline in splines]
    return BoundSplines(
        springs=join_springs([bound.springs for bound in each]),
        regions=join_weights([bound.regions for bound in each]),
        embedding=join_weights([bound.embedding for bound in each]),
        ratios=np.concatenate([np.zeros(0), *(bound.ratios for bound in each)]),
        taus=np.concatenate([np.zeros(0), *(bound.taus for bound in each)]),
        widened=sum(bound.widened for bound in each),
        notes=tuple(note for bound in each for note in bound.notes),
    )


def segment_stiffness(mesh: VolumeMesh, places: Array, controls: Array, curve: Curve, young: float) -> Array:
    """Compute the stiffness [N/m] of the body along each segment of a spline, E A / l0."""
    rest = np.linalg.norm(np.diff(places, axis=0), axis=1)
    return np.asarray(young * cross_section(mesh, sample_curve(controls, curve, max(len(places), _MEASURED))) / rest)


def cross_section(mesh: VolumeMesh, places: Array) -> float:
    """Measure the mean cross-section [m2] of a body about a line of three points and more; in a planar body its
    width [m]."""
    owner = nearest_places(mesh, places, embed(mesh, places))
    volumes = np.bincount(owner[owner >= 0], weights=mesh.point_volumes[owner >= 0], minlength=len(places))
    lengths = np.linalg.norm(np.diff(places, axis=0), axis=1)
    inner = float(volumes[1:-1].sum()) / float(0.5 * (lengths[:-1] + lengths[1:]).sum())
    return inner if inner > 0.0 else float(volumes.sum() / lengths.sum())


def _bound(mesh: VolumeMesh, masses: Array, spline: DrawnSpline, body: float, of_springs: bool) -> BoundSplines:
    places = sample_curve(spline.controls, spline.curve, spline.samples)
    rest = np.linalg.norm(np.diff(places, axis=0), axis=1)
    size = float(np.ptp(mesh.points, axis=0).max())
    if rest.min() < 1e-9 * size:
        number = int(np.argmin(rest))
        raise InvalidArguments(
            what=f"the distance of points {number} and {number + 1} of {spline.name}",
            value=float(rest[number]),
            allowed="a length above zero: move its control points apart, or use fewer points",
        )
    held = embed(mesh, places)
    notes = _said_outside(spline.name, held, size)
    regions = find_regions(mesh, places, held, spline.region, radius=spline.radius, painted=spline.painted)
    weights, widened = conserving_weights(mesh.points, masses, places, held, regions)
    segments = np.column_stack((np.arange(len(rest)), np.arange(1, len(places)))).astype(np.int32)
    reduced = reduced_masses(weights, segments, masses)
    passive = (
        np.full(len(rest), body) if of_springs else segment_stiffness(mesh, places, spline.controls, spline.curve, body)
    )
    stiffness = _stiffness(spline, passive, reduced)
    ratios = stiffness / passive
    if ratios.min() < USUAL_RATIO * (1.0 - 1e-9):
        notes.append(
            f"{spline.name} is {ratios.min():.3g} times as stiff as the body: below {USUAL_RATIO:g} it moves it little"
        )
    springs = VirtualSprings(
        weights,
        segments,
        rest,
        stiffness,
        damp(stiffness, reduced),
        np.zeros(len(rest), np.int32),
        (np.arange(len(rest)) + 0.5) / len(rest),
    )
    return BoundSplines(
        springs, regions, held.weights, ratios, np.sqrt(reduced / stiffness), len(widened), tuple(notes)
    )


def _stiffness(spline: DrawnSpline, passive: Array, reduced: Array) -> Array:
    for what, value in (("stiffness ratio", spline.ratio), ("tau", 1.0 if spline.tau is None else spline.tau)):
        if not (math.isfinite(value) and value > 0.0):
            raise InvalidArguments(what=f"the {what} of {spline.name}", value=value, allowed="a number above zero")
    return spline.ratio * passive if spline.tau is None else reduced / spline.tau**2


def _said_outside(name: str, held: Embedding, size: float) -> list[str]:
    """Refuse a spline that has no point inside the body, and say how many of another's are outside."""
    out = held.outside > 1e-9 * size
    if out.all():
        raise InvalidArguments(
            what=f"the distance of {name} from the body [m]",
            value=float(held.outside.min()),
            allowed="a curve with a point inside the body",
        )
    if not out.any():
        return []
    count, far = int(out.sum()), float(held.outside.max())
    return [
        f"{count} of {len(out)} points of {name} are outside the body, by up to {far:.3g} m: the nearest cell has them"
    ]
