"""Size of the regions of a spline: Engell-Norregard 2012, figure 34.

Three cylinders of tetrahedra have the same spline, whose points act on all within 0.2, 0.4 and 0.6; the source gives no
size of the cylinder, ours is 2 long and 0.25 thick about its axis, with a spline of eight points, 0.2 apart. Each is
contracted to rest; measured are the strain along the line in its middle, and the overall contraction over the span of
the spline, of the spline itself and from end to end. The conserving transfer stands beside A^T b (93).
"""

from __future__ import annotations

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.contracting import moved_controls
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import cylinder
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.step import SoftOptions, SoftPiece, compile_soft, start, step
from engine.soft.transfers import average_rows
from engine.soft.virtual_springs import VirtualSprings

RADII = (0.2, 0.4, 0.6)  # [m]
ALPHA = 0.6
_THICK, _LONG, _LAYERS, _ENDS = 0.25, 2.0, 40, 0.7
_YOUNG = 1e5
_STILL = 1e-4  # [m/s]


@dataclass(frozen=True, kw_only=True)
class Contracted:
    """A cylinder at rest under its spline."""

    places: Array  # [m] along the axis at rest, of the middles of layers
    strains: Array  # of the axis, layer by layer
    spline: float  # contraction of the spline's own points
    span: float  # of the body between where the ends of the spline are
    whole: float  # from end to end


def run(settings: Settings) -> Result:
    """Each radius by both transfers."""
    radii = RADII[::2] if settings.quick else RADII
    transfers = ("conserving", "one-step")
    found = {(name, radius): contract(settings, radius, name) for name in transfers for radius in radii}
    rows = [(*case, each.spline, each.span, each.whole, roughness(each)) for case, each in found.items()]
    strains = [
        (*case, float(x), float(y))
        for case, each in found.items()
        for x, y in zip(each.places, each.strains, strict=True)
    ]
    pictures = [ResultPlot(name=name, svg=_drawn(found, name, radii)) for name in transfers]
    return Result(
        title="Size of the regions of a spline (Engell-Norregard 2012, figure 34)",
        tables=(
            Table(
                name="radii",
                columns=("transfer", "radius_m", "spline", "span", "end_to_end", "roughness"),
                rows=tuple(rows),
            ),
            Table(name="strains", columns=("transfer", "radius_m", "place_m", "strain"), rows=tuple(strains)),
        ),
        pictures=tuple(pictures),
        claims=_claims(found, radii),
    )


def contract(settings: Settings, radius: float, transfer: str) -> Contracted:
    """Contract a cylinder until it rests."""
    mesh = cylinder(_THICK, _LONG, rings=2, layers=_LAYERS // 2 if settings.quick else _LAYERS, axis=0)
    material = SoftMaterial(young=_YOUNG, poisson=0.4, mass_damping=2.0, stiffness_damping=0.02)
    masses = mesh.masses(material.density)
    controls = moved_controls(settings, np.array([(-_ENDS, 0.0, 0.0), (_ENDS, 0.0, 0.0)]), flat=False)
    spline = DrawnSpline(controls=controls, samples=8, region="radius", radius=radius)
    bound = bind_splines(mesh, masses, [spline], young=_YOUNG)
    springs = bound.springs
    if transfer == "one-step":  # the mean of a region in place of the weights that put it where the spline is
        rows = average_rows(bound.regions, masses)
        springs = springs._replace(weights=bound.regions._replace(values=rows.data))
        lengths = np.linalg.norm(np.diff(springs.places(mesh.points), axis=0), axis=1)
        springs = springs._replace(rest=lengths)
    piece = SoftPiece(mesh=mesh, material=material, springs=springs)
    model = compile_soft([piece], SoftOptions(gravity=(0.0, 0.0, 0.0), tolerance=1e-6))
    state = model.new_state()
    work = start(model, state)
    for frame in range(40 if settings.quick else 240):
        step(model, state, work, 1.0 / 60.0, alphas=np.full(springs.segment_count, ALPHA))
        if frame > 30 and np.abs(state.v).max() < _STILL:
            break
    return _measured(mesh, masses, springs, state.x)


def roughness(found: Contracted) -> float:
    """Measure how uneven the strain is in the middle half of the spline: its spread beside its mean."""
    inner = np.abs(found.places) < 0.5 * _ENDS
    return float(found.strains[inner].std() / abs(found.strains[inner].mean()))


def _measured(mesh: VolumeMesh, masses: Array, springs: VirtualSprings, points: Array) -> Contracted:
    _, levels = np.unique(np.round(mesh.points[:, 0], 9), return_inverse=True)
    totals = np.bincount(levels, weights=masses)
    before, after = (np.bincount(levels, weights=masses * each[:, 0]) / totals for each in (mesh.points, points))
    inner = np.flatnonzero(np.linalg.norm(mesh.points[:, 1:], axis=1) < 1e-9)
    inner = inner[np.argsort(mesh.points[inner, 0])]
    strains = np.diff(points[inner, 0]) / np.diff(mesh.points[inner, 0]) - 1.0
    ends = np.interp((-_ENDS, _ENDS), before, after)
    return Contracted(
        places=0.5 * (before[1:] + before[:-1]),
        strains=strains,
        spline=1.0 - float(np.sum(springs.contractions(points) * springs.rest) / np.sum(springs.rest)),
        span=1.0 - float(ends[1] - ends[0]) / (2.0 * _ENDS),
        whole=1.0 - float((after[-1] - after[0]) / (before[-1] - before[0])),
    )


def _drawn(found: dict[tuple[str, float], Contracted], name: str, radii: tuple[float, ...]) -> str:
    lines = [
        Line(
            name=f"{radius:g} m",
            x=found[name, radius].places.tolist(),
            y=(100.0 * found[name, radius].strains).tolist(),
        )
        for radius in radii
    ]
    return line_chart(f"Strain along the cylinder, {name}", "place along the axis [m]", "strain [%]", lines)


def _claims(found: dict[tuple[str, float], Contracted], radii: tuple[float, ...]) -> tuple[Claim, ...]:
    ours = [found["conserving", radius] for radius in radii]
    printed = [found["one-step", radius] for radius in radii]

    def told(cases: list[Contracted], what: str) -> str:
        return " / ".join(f"{getattr(each, what):.1%}" for each in cases)

    span = [each.span for each in ours]
    rough = [roughness(each) for each in ours]
    return (
        Claim(
            source="the overall contraction is the same for all three",
            ours=f"over the spline's span {told(ours, 'span')} (as printed, A^T b: {told(printed, 'span')}); from "
            f"end to end {told(ours, 'whole')}, since larger regions reach beyond the ends of the spline",
            agrees=max(span) < 1.05 * min(span),
        ),
        Claim(
            source="a larger region smooths the contraction out",
            ours="the strain's spread beside its mean: " + " / ".join(f"{each:.0%}" for each in rough),
            agrees=bool(np.all(np.diff(rough) < 0.0)),
        ),
        Claim(
            source="overlapping regions of the points of a spline are no problem",
            ours="all came to rest with finite places",
            agrees=all(np.isfinite(each.strains).all() for each in found.values()),
        ),
    )
