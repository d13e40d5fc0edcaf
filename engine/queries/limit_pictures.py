"""limit_pictures: the live job behind the dock of joint limits: what a limit looks like in its Euler space.

A picture is the boundary of the region, its samples, slices through it and, if wanted, the patch of a sphere about
the joint that the bone can point to (`engine.queries.limit_reach`). It comes in steps, the patch last.
A stroke that is still being drawn is laid over the field of before, which is kept; nothing is worked out twice.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Document, Figure, Limit
from engine.document.limit import Grid, SampledRange, Stroke
from engine.queries.limit_reach import ReachPatch, reach_patch
from engine.runtime.progress import telling
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.limits.field import Field

    Array = NDArray[np.float64]

MOST_POINTS = 4000  # samples that are shown
FINE = 96  # places along each side of a slice
_SEAM = 1e-9  # [rad]
Place = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class LimitWanted:
    """The limit that is to be seen, and the slices and the plane to show of it."""

    actor: str
    limit: str
    cuts: tuple[tuple[int, float], ...] = ()  # slices: the axis that each stands across, and where [rad]
    plane: tuple[int, int] = (0, 1)  # the axes that are seen of four or five
    at: Place = ()  # [rad] where the others stand; nothing: at 0
    strokes: tuple[Stroke, ...] = ()  # not kept yet
    reach: bool = False


@dataclass(frozen=True, eq=False)
class Slice:
    """Signed distances over a rectangle: `values` [rad], shape [FINE, FINE], from the corner `lower` to `upper`."""

    axes: tuple[int, int]  # that it extends along, in the order of the rows and columns of `values`
    place: Place  # of all axes; along its own the middle
    lower: tuple[float, float]
    upper: tuple[float, float]
    values: Array


@dataclass(frozen=True, eq=False)
class LimitPicture:
    """A limit as it is drawn; arrays in radians, read-only."""

    wanted: LimitWanted
    limit: Limit
    hinges: tuple[str, ...]  # their names, in order
    lower: Place  # of the grid; along an axis that goes round, where the turn begins that shows the region whole
    upper: Place
    positions: Array  # of the boundary's vertices, shape [count, angles seen]
    normals: Array  # unit, of three angles; else of no rows
    faces: NDArray[np.int32]  # triangles, or lines
    samples: Array
    slices: tuple[Slice, ...]
    line: Array  # of one angle: the distances from `lower` to `upper`
    notes: tuple[str, ...] = ()
    reach: ReachPatch | None = None

    def seen(self, angles: Place, near: Place | None = None) -> Place:
        """Place angles in the picture: along axes that go round within the picture, or by the shorter way from
        `near`."""
        found = list(angles)
        for axis in (axis for axis, around in enumerate(self.limit.grid.periodic) if around):
            if near is not None:
                found[axis] = near[axis] + math.remainder(angles[axis] - near[axis], math.tau)
            else:
                found[axis] = _round(angles[axis], self.lower[axis])
        return tuple(found)


@dataclass(frozen=True, eq=False)
class LimitReading:
    """The position of a pose relative to a limit."""

    actor: str
    limit: str
    angles: Place  # [rad]
    value: float  # [rad], negative inside
    nearest: Place  # the allowed angles that it is projected to


class LimitPictures:
    """Answers what is wanted; keeps the field of the limit that was seen last. Used by the engine's thread alone."""

    def __init__(self) -> None:
        self._kept: tuple[str, Field] | None = None
        self._samples: tuple[tuple[str, Place], Array] | None = None
        self._reach: tuple[str, ReachPatch | None] | None = None

    def answer(self, document: Document, wanted: LimitWanted) -> Generator[LimitPicture | None, None, None]:
        """The picture, then with its patch if one is wanted, at once if that is known; None between steps."""
        limit = document.actor(wanted.actor).figure.limit(wanted.limit)
        field = self._field(document, wanted)
        yield None
        values = field.values
        if wanted.strokes:
            from engine.limits.brush import preview_strokes

            values = preview_strokes(limit.grid, values, wanted.strokes)
            yield None
        picture = yield from _picture(document, wanted, limit, field, values, self._samples_of)
        if not wanted.reach or wanted.strokes:
            yield picture
            return
        actor = document.actor(wanted.actor)
        key = f"{wanted.actor} {limit.digest} {actor.figure.digest} {actor.placement.rotation}"
        if self._reach is None or self._reach[0] != key:
            yield picture
            self._reach = key, reach_patch(actor, limit, field)
            yield None
        yield replace(picture, reach=self._reach[1])

    def standing(
        self, document: Document, wanted: LimitWanted, angles: Place
    ) -> Generator[LimitReading | None, None, None]:
        """Find the signed distance of a pose to the limit that is wanted, and its projection."""
        import numpy as np

        from engine.limits.packed import pack_limits
        from engine.limits.query import project_angles, value_at

        field = self._field(document, wanted)
        yield None
        packed = pack_limits([(field, range(len(angles)))])
        here, there = np.array(angles), np.empty(len(angles))
        value = value_at(packed.ints, packed.floats, 0, here)
        project_angles(packed.ints, packed.floats, 0, here, there)
        yield LimitReading(wanted.actor, wanted.limit, angles, float(value), tuple(there.tolist()))

    def _samples_of(self, limit: Limit, lower: Place) -> Array:
        """Collect the samples of a limit's clips; the same array while they are the same, so that nobody draws them
        anew."""
        if self._samples is None or self._samples[0] != (limit.digest, lower):
            self._samples = (limit.digest, lower), _samples(limit, lower)
        return self._samples[1]

    def _field(self, document: Document, wanted: LimitWanted) -> Field:
        from engine.limits.field import compile_field

        figure = document.actor(wanted.actor).figure
        limit = figure.limit(wanted.limit)
        key = f"{limit.digest} {[figure.coordinate_dof[each].axis for each in limit.dofs]} {figure.depends(limit)}"
        if self._kept is None or self._kept[0] != key:
            from engine.ik.regions import axes_of

            self._kept = key, compile_field(limit, axes_of(figure, limit))
        return self._kept[1]


def _picture(
    document: Document,
    wanted: LimitWanted,
    limit: Limit,
    field: Field,
    values: Array,
    samples_of: Callable[[Limit, Place], Array],
) -> Generator[None, None, LimitPicture]:
    import numpy as np

    figure, grid = document.actor(wanted.actor).figure, limit.grid
    size = len(grid.counts)
    positions, faces = np.empty((0, size)), np.empty((0, 2), dtype=np.int32)
    if size <= 3:
        from engine.limits.surface import level_steps, open_level

        if size == 2:
            positions, faces = open_level(grid, values)
        else:
            positions, faces = yield from telling(level_steps(grid, values), lambda _: None)
        yield None
    lower, upper = ends_of(_turned(grid, positions) if size == 3 else grid)
    normals = _normals(positions, faces) if size == 3 else np.empty((0, 3))
    yield None
    slices = []
    for axis, place in wanted.cuts if size == 3 else ():
        slices.append(_slice(grid, values, *_across(grid, axis, place, lower, upper), lower, upper))
        yield None
    if size == 2:
        slices = [_slice(grid, values, (0, 1), (0.0, 0.0), lower, upper)]
    elif size > 3:
        others = _held(grid, wanted.at or (0.0,) * size, lower, upper)
        slices = [_slice(grid, values, wanted.plane, others, lower, upper)]
        positions, faces = _lines(slices[0])
    return LimitPicture(
        wanted=wanted,
        limit=limit,
        hinges=names_of(figure, limit),
        lower=lower,
        upper=upper,
        positions=positions,
        normals=normals,
        faces=faces,
        samples=samples_of(limit, lower),
        slices=tuple(slices),
        line=np.append(values, values[:1] if grid.periodic[0] else ()) if size == 1 else np.empty(0),
        notes=field.notes,
    )


def names_of(figure: Figure, limit: Limit) -> tuple[str, ...]:
    """Name a limit's angles: by their hinges, and by their joints where it is of several."""
    names = [figure.coordinate_dof[each].name for each in limit.dofs]
    if figure.depends(limit):
        names = [f"{figure.dof_joint[dof].name}, {name}" for dof, name in zip(limit.dofs, names, strict=True)]
    return tuple(names)


def ends_of(grid: Grid) -> tuple[Place, Place]:
    """The angles between which a grid lies; a whole turn round a periodic axis."""
    counts = [count if around else count - 1 for count, around in zip(grid.counts, grid.periodic, strict=True)]
    return grid.lower, tuple(
        low + count * step for low, count, step in zip(grid.lower, counts, grid.spacing, strict=True)
    )


def _turned(grid: Grid, positions: Array) -> Grid:
    """A grid whose axes that go round begin where the boundary lies within one turn, by quarters of it if they can."""
    lower = list(grid.lower)
    for axis in (axis for axis, around in enumerate(grid.periodic) if around and len(positions)):
        least, most = float(positions[:, axis].min()), float(positions[:, axis].max())
        starts = [grid.lower[axis] + 0.5 * math.pi * quarter for quarter in range(-8, 9)]
        fitting = [each for each in starts if each - _SEAM <= least and most <= each + math.tau + _SEAM]
        if grid.lower[axis] not in fitting:
            middle = 0.5 * (least + most) - math.pi
            lower[axis] = min(fitting, key=lambda each: abs(each - middle)) if fitting else least
    return replace(grid, lower=tuple(lower))


def _round(angle: float, lower: float) -> float:
    """An angle within the turn from `lower`."""
    return angle if lower <= angle <= lower + math.tau else lower + (angle - lower) % math.tau


def _held(grid: Grid, place: Place, lower: Place, upper: Place) -> Place:
    """A place within the picture: clipped, or brought round."""
    return tuple(
        _round(each, low) if around else min(max(each, low), high)
        for each, low, high, around in zip(place, lower, upper, grid.periodic, strict=True)
    )


def _across(grid: Grid, axis: int, place: float, lower: Place, upper: Place) -> tuple[tuple[int, int], Place]:
    first, second = (each for each in range(len(lower)) if each != axis)
    middle = [0.5 * (low + high) for low, high in zip(lower, upper, strict=True)]
    middle[axis] = place
    return (first, second), _held(grid, tuple(middle), lower, upper)


def _slice(grid: Grid, values: Array, axes: tuple[int, int], place: Place, lower: Place, upper: Place) -> Slice:
    import numpy as np

    from engine.limits.signs import interpolate

    sides = [np.linspace(lower[axis], upper[axis], FINE) for axis in axes]
    points = np.empty((FINE, FINE, len(place)))
    points[...] = place
    points[..., axes[0]], points[..., axes[1]] = sides[0][:, None], sides[1][None, :]
    found = interpolate(grid, values, points.reshape(-1, len(place))).reshape(FINE, FINE)
    ends = [(low[axes[0]], low[axes[1]]) for low in (lower, upper)]
    return Slice(axes, tuple(points[FINE // 2, FINE // 2].tolist()), ends[0], ends[1], found)


def _lines(cut: Slice) -> tuple[Array, NDArray[np.int32]]:
    """The boundary within a slice."""
    from engine.limits.surface import open_level

    steps = tuple((high - low) / (FINE - 1) for low, high in zip(cut.lower, cut.upper, strict=True))
    grid = Grid(counts=(FINE, FINE), lower=cut.lower, spacing=steps, periodic=(False, False))
    return open_level(grid, cut.values)


def _normals(positions: Array, faces: NDArray[np.int32]) -> Array:
    """Compute the normals of vertices: the mean of those of their triangles, by area."""
    import numpy as np

    a, b, c = (positions[faces[:, corner]] for corner in range(3))
    flat = np.cross(b - a, c - a)
    found = np.empty_like(positions)
    for axis in range(3):
        weights = np.repeat(flat[:, axis], 3)
        found[:, axis] = np.bincount(faces.ravel(), weights, minlength=len(positions))
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1), 1e-30)[:, None])


def _samples(limit: Limit, lower: Place) -> Array:
    """Select the samples of clips, within the picture; of very many each second, third, …"""
    import numpy as np

    if not isinstance(limit.range, SampledRange):
        return np.empty((0, len(limit.dofs)))
    from engine.limits.distance import wrap_samples

    angles = limit.range.angles.array
    return wrap_samples(replace(limit.grid, lower=lower), np.array(angles[:: -(-len(angles) // MOST_POINTS)]))
