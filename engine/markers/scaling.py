"""How much larger or smaller the bodies of a figure are than those of the person who wore the markers.

By pairs: a body's factor is how far two markers are apart, on average, by how far their handles are in the figure's
rest pose; bodies without a pair take the mean of the others.

By the trial: pose and factors in turn. With the rotations of the bodies held as they were fitted, the places of the
handles about their middle are linear in the factors,

    p_h - t = sum over the joints j on the way to h of s_parent(j) (x_j - x_parent(j)) + s_h (x_h - x_joint(h)),

so that a least-squares problem gives them. Mirror partners share one. Markers are misplaced by as much as they still
miss their handles, e, and people differ from the factor of the whole by about tau = 0.15: factors keep to it by the
weight (e / tau)^2 of each frame, so that a small body is not shrunk to where a marker was stuck on it. Then the scaled
figure is fitted anew.

s: factors [1]; x: places in the world as fitted [m]; t: where the root stands, free in each frame; e: RMS error [m].
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.document import Figure
from engine.document.values import Vector3
from engine.markers.captured_markers import CapturedMarkers, MarkerMatch, match_markers
from engine.markers.edits import LEAST, MOST
from engine.markers.fitting import MarkerFit, fitting_steps
from engine.markers.names import plain
from engine.markers.scaled import scaled_figure
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.inertia import masses_of
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import InvalidArguments, NothingThere, UnknownPart
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

Pair = tuple[str, str, str]  # joint, marker, marker

MOST_FRAMES = 40  # of a trial that are looked at, evenly over it
_ROUNDS, _SETTLED = 25, 2e-4
_DIFFER = 0.15  # tau


@dataclass(frozen=True, eq=False)
class Scaling:
    """Factors of bodies and masses, and what they come to."""

    factors: tuple[tuple[str, float], ...]  # by the ids of joints
    heavier: float  # all masses times this, beside what size does
    points: tuple[tuple[str, Vector3], ...]  # where handles are put [m], by their ids
    before: float | None  # RMS error of the figure as it was [m]; None where it was not fitted
    after: float | None
    mass: float  # [kg] of the scaled figure

    def lines(self, figure: Figure) -> list[str]:
        """The factors in words."""
        width = max(len(each.name) for each in figure.joints)
        out = [f"  {figure.joint(id).name:<{width}}  {factor:6.4f}" for id, factor in self.factors]
        out.append(f"{self.mass:.2f} kg")
        if self.before is not None and self.after is not None:
            out.append(f"RMS of the markers {100 * self.before:.2f} cm before, {100 * self.after:.2f} cm after")
        return out


@dataclass(frozen=True, kw_only=True)
class ScaleBy:
    """Choices of a scaling: pairs or the trial, the mass, where handles go."""

    pairs: tuple[Pair, ...] = ()  # none: by the trial
    mass: float | None = None  # [kg] of the whole figure; None: as its bodies grow
    place: bool = False  # put the handles where the markers were, on average

    def __post_init__(self) -> None:
        if self.mass is not None and not 0.0 < self.mass < math.inf:
            raise InvalidArguments(what="the mass", value=self.mass, allowed="more than 0 kg")


def scaling_steps(
    figure: Figure, markers: CapturedMarkers, by: ScaleBy, *, weights: Mapping[str, float] | None = None
) -> Generator[float, None, Scaling]:
    """Find the factors in slices; yields the share that is done."""
    match = match_markers(markers.labels, figure, weights)
    few = _thinned(markers)
    before: float | None = None
    after: float | None = None
    points: tuple[tuple[str, Vector3], ...] = ()
    if by.pairs:
        factors = pair_factors(figure, markers, by.pairs)
    else:
        factors = {each.id: 1.0 for each in figure.joints}
        for round in range(_ROUNDS):
            grown = scaled_figure(figure, factors)
            steps = fitting_steps(grown, few, weights=weights)
            fit = yield from within(steps, round / (_ROUNDS + 1), (round + 1) / (_ROUNDS + 1))
            before = fit.rms if before is None else before
            change = yield from _changes(grown, few, fit, factors, (round + 1) / (_ROUNDS + 1))
            factors = {id: min(max(factor * change[id], LEAST), MOST) for id, factor in factors.items()}
            if max(abs(math.log(each)) for each in change.values()) < _SETTLED:
                break
    grown = scaled_figure(figure, factors)
    if not by.pairs or by.place:
        fit = yield from within(fitting_steps(grown, few, weights=weights), 0.95, 1.0)
        after = fit.rms
        points = _placed(grown, few, fit, match) if by.place else ()
    mass = float(masses_of(grown)[:, 0].sum())
    if by.mass is not None and mass <= 0.0:
        remedy = "Give its bodies masses or shapes, or leave the mass out"
        raise NothingThere(f"the bodies of {figure.name} weigh nothing", remedy=remedy)
    heavier = 1.0 if by.mass is None else by.mass / mass
    return Scaling(tuple(factors.items()), heavier, points, before, after, mass * heavier)


def pair_factors(figure: Figure, markers: CapturedMarkers, pairs: Sequence[Pair]) -> dict[str, float]:
    """The factor of every body by pairs of markers; several of a body are averaged."""
    match = match_markers(markers.labels, figure)
    named = {plain(label): place for place, label in enumerate(match.labels)}
    model = compile_model(figure)
    places = _handles(figure, match, model.rest)
    found: dict[str, list[float]] = {}
    for joint, one, other in pairs:
        for label in (one, other):
            if plain(label) not in named:
                raise UnknownPart(kind="marker with a handle", id=label, known=match.labels)
        a, b = named[plain(one)], named[plain(other)]
        apart = float(np.linalg.norm(places[a] - places[b]))
        if apart < 1e-3:
            raise InvalidArguments(what=f"the handles of {one} and {other}", value="one place", allowed="two places")
        ways = markers.points[:, match.places[a]] - markers.points[:, match.places[b]]
        seen = np.isfinite(ways).all(axis=1)
        if not seen.any():
            raise NothingThere(f"{one} and {other} are never seen together", remedy="Choose another pair")
        measured = float(np.linalg.norm(ways[seen], axis=1).mean())
        found.setdefault(figure.joint(joint).id, []).append(measured / apart)
    mean = {joint: float(np.mean(each)) for joint, each in found.items()}
    whole = float(np.mean(list(mean.values())))
    return {each.id: min(max(mean.get(each.id, whole), LEAST), MOST) for each in figure.joints}


def _thinned(markers: CapturedMarkers) -> CapturedMarkers:
    """Some frames of the trial; their rate is not looked at."""
    count = len(markers.points)
    chosen = np.unique(np.linspace(0, count - 1, min(count, MOST_FRAMES)).round().astype(int))
    return replace(markers, points=markers.points[chosen])


def _transforms(figure: Figure, q: Array) -> Array:
    """World transforms of the joints, shape [joints, 12]."""
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(q), state)
    return model.transforms(state).copy()


def _handles(figure: Figure, match: MarkerMatch, q: Array) -> Array:
    """Where the matched handles are [m], shape [handles, 3]."""
    rows = _transforms(figure, q)
    joints = [figure.joint_index[each.joint] for each in match.handles]
    points = np.array([_own(figure, each.id) for each in match.handles])
    turned = np.einsum("hij,hj->hi", rows[joints, :9].reshape(-1, 3, 3), points)
    return np.asarray(turned + rows[joints, 9:], dtype=np.float64)


def _own(figure: Figure, handle: str) -> Vector3:
    return next(each.point for each in figure.handles if each.id == handle)


def _poses(figure: Figure, fit: MarkerFit) -> Array:
    """q of every frame of a fit."""
    q = np.tile(compile_model(figure).rest, (len(fit.values), 1))
    q[:, [figure.coordinate_index[name] for name in fit.coordinates]] = fit.values
    return q


def _changes(
    figure: Figure, markers: CapturedMarkers, fit: MarkerFit, factors: Mapping[str, float], share: float
) -> Generator[float, None, dict[str, float]]:
    """By how much the bodies of a fitted figure, which has grown by factors, should grow further."""
    match = fit.match
    shared = {each.id: min(each.id, each.mirror or each.id) for each in figure.joints}
    names = list(dict.fromkeys(shared.values()))
    column = {id: names.index(shared[id]) for id in shared}
    count, handles = len(names), len(match.handles)
    system, right = np.zeros((count, count)), np.zeros(count)
    targets = markers.points[:, list(match.places)]
    for frame, q in enumerate(_poses(figure, fit)):
        seen = np.isfinite(targets[frame]).all(axis=1)
        if seen.sum() < 2:
            continue
        rows = _transforms(figure, q)
        ways = np.zeros((handles, count, 3))
        places = _handles(figure, match, q)
        for number, handle in enumerate(match.handles):
            joint = figure.joint(handle.joint)
            ways[number, column[joint.id]] += places[number] - rows[figure.joint_index[joint.id], 9:]
            while joint.parent is not None:
                above = figure.joint(joint.parent)
                step = rows[figure.joint_index[joint.id], 9:] - rows[figure.joint_index[above.id], 9:]
                ways[number, column[above.id]] += step
                joint = above
        kept = ways[seen] - ways[seen].mean(axis=0)
        wanted = targets[frame][seen] - targets[frame][seen].mean(axis=0)
        flat = kept.transpose(0, 2, 1).reshape(-1, count)
        system += flat.T @ flat
        right += flat.T @ wanted.reshape(-1)
        yield share
    known = np.array([factors[name] for name in names])
    total = float(1.0 / known @ system @ (1.0 / known))
    if total <= 0.0:
        return dict.fromkeys(column, 1.0)
    whole = float(1.0 / known @ right) / total
    held = len(fit.values) * (fit.rms / _DIFFER) ** 2 * known**2 + 1e-9 * total
    found = np.linalg.solve(system + np.diag(held), right + held * whole / known)
    return {id: float(min(max(found[place], 0.5), 2.0)) for id, place in column.items()}


def _placed(
    figure: Figure, markers: CapturedMarkers, fit: MarkerFit, match: MarkerMatch
) -> tuple[tuple[str, Vector3], ...]:
    """Where the markers were on their bodies, on average."""
    sums, counts = np.zeros((len(match.handles), 3)), np.zeros(len(match.handles))
    targets = markers.points[:, list(match.places)]
    for frame, q in enumerate(_poses(figure, fit)):
        rows = _transforms(figure, q)
        for number, handle in enumerate(match.handles):
            if np.isfinite(targets[frame, number]).all():
                row = rows[figure.joint_index[handle.joint]]
                sums[number] += row[:9].reshape(3, 3).T @ (targets[frame, number] - row[9:])
                counts[number] += 1
    found = []
    for number, handle in enumerate(match.handles):
        if counts[number]:
            x, y, z = (sums[number] / counts[number]).tolist()
            found.append((handle.id, (x, y, z)))
    return tuple(found)
