"""Field: a limit worked out, as signed distances [rad] at the nodes of a grid (Engell-Norregard 2012, section 14).

Feasible is where the multilinear value is at most 0. Beside the values a field has *anchors*: points that are feasible,
and for each node which of them is nearest; so a projection knows where to go. Those of a field of samples are the
samples; of others the places where its values cross zero along an edge of the grid.

A range thinner than the grid can tell, as samples with a margin of less than about a cell, would be lost between its
nodes. All values are then lowered until each sample is feasible, by `raised`.

Building may use all cores: the engine's thread alone may do it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.document.limit import ConeRange, Grid, GridRange, Limit, PolygonRange, SampledRange
from engine.limits.brush import apply_strokes
from engine.limits.distance import find_nearest, measure_nodes, wrap_samples, write_nearest
from engine.limits.packed_grids import PackedGrids, pack_grids
from engine.limits.ranges import FARTHEST, signed_distances
from engine.limits.sampling import Notes, sample_between
from engine.limits.signs import crossings_of, find_crossings, interpolate, sign_distances
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.bounded import Bounded
from engine.runtime.errors import InvalidDocument
from engine.runtime.once import once
from engine.runtime.quick_dataclass import dataclass

Axes = Array | None

_SLACK = 1e-9  # [rad] by which anchors are feasible at least, beyond rounding
_HAIR = 1e-11  # [rad] within which a node is on the boundary


@dataclass(frozen=True, eq=False)
class Field:
    """Read-only arrays."""

    grid: Grid
    values: Array  # [rad], shape grid.counts; negative inside
    anchors: Array  # [rad], feasible, shape [anchor_count, angle_count]
    nearest: IntArray  # which anchor is nearest to each node, shape grid.counts
    raised: float = 0.0  # [rad] by which the values were lowered, so that the anchors are feasible
    notes: Notes = ()  # what a person should know of the samples

    def __post_init__(self) -> None:
        for array in (self.values, self.anchors, self.nearest):
            array.flags.writeable = False

    @once
    def volume(self) -> float:
        """Volume of Euler space that is feasible [rad^angle_count], to a fraction of the cells along the border."""
        share = np.clip(0.5 - self.values / np.mean(self.grid.spacing), 0.0, 1.0)
        for axis, periodic in enumerate(self.grid.periodic):
            if not periodic:
                for end in (0, -1):
                    share[(slice(None),) * axis + (end,)] *= 0.5
        return float(share.sum() * np.prod(self.grid.spacing))

    @property
    def bytes(self) -> int:
        """Size of its arrays [bytes]."""
        return self.values.nbytes + self.anchors.nbytes + self.nearest.nbytes


def compile_field(limit: Limit, axes: Axes = None) -> Field:
    """The field of a limit; `axes` [k, 3] are those of its hinges in order, None where they are of several joints."""
    return compile_fields([limit], [axes], strict=True)[0]


def compile_fields(limits: Sequence[Limit], axes: Sequence[Axes], *, strict: bool = False) -> list[Field]:
    """The fields of several limits; what was worked out before is found again.

    What is wrong with a limit may only be seen here, as with a surface that is open: refused if `strict`, else that
    limit holds nothing, so that its figure is drawn all the same, and the table of limits tells why."""
    keys = [
        (each.field_digest, b"" if mine is None else mine.tobytes()) for each, mine in zip(limits, axes, strict=True)
    ]
    found = {key: field for key in keys if (field := _fields.get(key)) is not None}
    missing = {key: index for index, key in enumerate(keys) if key not in found}
    wanted, mine = [limits[each] for each in missing.values()], [axes[each] for each in missing.values()]
    try:
        made = _compile(wanted, mine)
    except InvalidDocument:
        if strict:
            raise
        return [_unless_unsound(limit, each) for limit, each in zip(limits, axes, strict=True)]
    found.update((key, _fields.keep(key, field)) for key, field in zip(missing, made, strict=True))
    return [found[key] for key in keys]


def _unless_unsound(limit: Limit, axes: Axes) -> Field:
    """The field of a limit; one that holds nothing where there is none."""
    try:
        return compile_field(limit, axes)
    except InvalidDocument:
        return make_field(limit.grid, np.full(limit.grid.counts, -FARTHEST))


def make_field(grid: Grid, values: Array, *, raised: float = 0.0, notes: Notes = ()) -> Field:
    """A field of signed distances [rad], with the anchors that its zero level has.

    Values are lowered until an anchor is feasible, if none is; `raised` [rad] tells by how much they were before.
    """
    values = _checked(grid, values)
    if values.min() > -_SLACK:
        lowered = float(values.min()) + _SLACK
        values, raised = values - lowered, raised + lowered
    anchors = _level_anchors(grid, values)
    if not len(anchors):
        anchors = _deepest(grid, values)
    _, nearest = find_nearest([grid], [anchors])[0]
    return Field(grid, values, anchors, nearest, raised, notes)


def _compile(limits: Sequence[Limit], axes: Sequence[Axes]) -> list[Field]:
    sampled = [index for index, limit in enumerate(limits) if isinstance(limit.range, SampledRange)]
    fields = dict(zip(sampled, _sampled_fields([limits[i] for i in sampled], [axes[i] for i in sampled]), strict=True))
    for index, (limit, mine) in enumerate(zip(limits, axes, strict=True)):
        if index not in fields:
            fields[index] = make_field(limit.grid, _settled(limit, _distances(limit, mine) - limit.margin))
        if limit.strokes:
            base = fields[index]
            values = apply_strokes(limit.grid, base.values, limit.strokes)
            fields[index] = make_field(limit.grid, values, raised=base.raised, notes=base.notes)
    return [fields[index] for index in range(len(limits))]


def _distances(limit: Limit, axes: Axes) -> Array:
    if axes is None:
        if isinstance(limit.range, ConeRange | PolygonRange):
            allowed = "the three hinges of one joint"
            raise InvalidDocument(what=f"the hinges of {limit.name}", value="of several joints", allowed=allowed)
        axes = np.zeros((len(limit.grid.counts), 3))
    return signed_distances(limit.range, limit.grid, axes)


def _sampled_fields(limits: Sequence[Limit], axes: Sequence[Axes]) -> list[Field]:
    """Fields of samples: distances of all in one call, then which nodes lie inside, then depths of all in one call."""
    if not limits:
        return []
    grids = [limit.grid for limit in limits]
    samples, notes, keeps = [], [], []
    for limit, mine in zip(limits, axes, strict=True):
        own = limit.range
        assert isinstance(own, SampledRange)
        between, said = sample_between(limit.grid, own.angles.array, own.clips, joins_clips=own.joins_clips, axes=mine)
        samples.append(wrap_samples(limit.grid, between))
        notes.append(said)
        keeps.append(own.keeps_holes)
    packed = pack_grids(grids)
    distances, nearest = measure_nodes(packed, samples)
    levels = [
        max(limit.margin, float(interpolate(limit.grid, mine, points).max()) + _SLACK)
        for limit, points, mine in zip(limits, samples, packed.split(distances), strict=True)
    ]
    outside, deep = sign_distances(packed, distances, np.array(levels), keeps)
    _deepen(packed, distances, outside, deep)
    parts = zip(limits, packed.split(distances), samples, packed.split(nearest), levels, notes, strict=True)
    return [
        Field(limit.grid, value, points, mine, level - limit.margin, said)
        for limit, value, points, mine, level, said in parts
    ]


def _deepen(packed: PackedGrids, values: Array, outside: BoolArray, deep: BoolArray) -> None:
    """Lower the values of deep nodes to their depths: minus the distance to where values cross zero."""
    crossings = crossings_of(packed, values, outside)
    for index, points in enumerate(crossings):
        if not len(points):  # the boundary is beyond the grid
            deep[packed.starts[index] : packed.starts[index + 1]] = False
            crossings[index] = np.zeros((1, points.shape[1]))
    depths, nearest = np.empty(len(values)), np.empty(len(values), dtype=np.int32)
    write_nearest(packed, crossings, deep, depths, nearest)
    nodes = np.flatnonzero(deep)
    values[nodes] = np.minimum(values[nodes], -depths[nodes])


def _checked(grid: Grid, values: Array) -> Array:
    if values.shape != grid.counts:
        raise InvalidDocument(what="the field of a limit", value=values.shape, allowed=f"the shape {grid.counts}")
    if not np.isfinite(values).all():
        value = f"{np.count_nonzero(~np.isfinite(values))} numbers that are not finite"
        raise InvalidDocument(what="the field of a limit", value=value, allowed="finite distances [rad]")
    return np.array(values, dtype=np.float64, order="C")


def _settled(limit: Limit, values: Array) -> Array:
    """Values with the nodes on the boundary, which rounding has on either side, just inside: anchors stand there."""
    return values if isinstance(limit.range, GridRange) else np.where(np.abs(values) <= _HAIR, -_HAIR, values)


def _level_anchors(grid: Grid, values: Array) -> Array:
    """Find where values cross zero, and feasible nodes of the border, beyond which the region ends as well.

    Half a hair inside, for a crossing at a node itself may be feasible or not.
    """
    border = np.zeros(grid.counts, dtype=np.bool_)
    for axis, periodic in enumerate(grid.periodic):
        if not periodic:
            for end in (0, -1):
                border[(slice(None),) * axis + (end,)] = True
    nodes = np.argwhere(border & (values <= -_SLACK))
    points = np.concatenate(
        [find_crossings(grid, values + 0.5 * _HAIR), np.array(grid.lower) + nodes * np.array(grid.spacing)]
    )
    return points[interpolate(grid, values, points) <= -1e-12]


def _deepest(grid: Grid, values: Array) -> Array:
    node = np.array(np.unravel_index(int(np.argmin(values)), values.shape))
    return np.array([np.array(grid.lower) + node * np.array(grid.spacing)])


_fields: Bounded[tuple[str, bytes], Field] = Bounded(size=256 << 20, size_of=lambda field: field.bytes)
