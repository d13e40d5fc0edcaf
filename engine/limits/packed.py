"""The fields of a figure in two buffers that kernels read (layout: interpolation.py).

Fields that share no angle are projected on their own. Those that do, as a hip's and one over hip and knee, form a
group: it is packed with one pose that keeps them all, to which a projection can always fall back. Where there is none,
they are projected one after the other, those of fewer angles first. Packing the same fields again gives the same
buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.limits.interpolation import (
    ALONE_COUNT,
    ANCHORS,
    ANGLE_COUNT,
    AXIS_FLOATS,
    COUNTS,
    FIELD_COUNT,
    GEOMETRY,
    GROUP_COUNT,
    GROUPS,
    HEADER,
    INVERSE,
    LEAST_ANCHOR,
    LOWER,
    MOST_ANGLES,
    NEAREST,
    PERIODIC,
    PLACES,
    RECORD,
    SPACING,
    STRIDES,
    TURNS,
    VALUES,
)
from engine.limits.query import measure_pose, project_pose
from engine.maths.arrays import Array, IntArray
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.limits.field import Field

Entry = tuple["Field", Sequence[int]]
_Kept = tuple["PackedLimits", tuple["Field", ...]]

_TRIED = 200  # poses of a group from which one that keeps all its fields is sought


@dataclass(frozen=True, eq=False)
class PackedLimits:
    """Read-only buffers; field i of them is entry i of what was packed."""

    ints: IntArray
    floats: Array

    @property
    def field_count(self) -> int:
        """Number of fields."""
        return int(self.ints[FIELD_COUNT])

    @property
    def bytes(self) -> int:
        """Size of the buffers [bytes]."""
        return self.ints.nbytes + self.floats.nbytes


def pack_limits(entries: Sequence[Entry]) -> PackedLimits:
    """Fields with the places of their angles in q."""
    if not entries:
        return EMPTY
    key = tuple((id(field), tuple(places)) for field, places in entries)
    return _packed.find(key, lambda: (_pack(entries), tuple(field for field, _ in entries)))[0]


def _bytes_of(kept: _Kept) -> int:
    """Return the size of a pack [bytes], with the fields that are kept by it."""
    packed, fields = kept
    return packed.bytes + sum(field.bytes for field in fields)


def _pack(entries: Sequence[Entry]) -> PackedLimits:
    groups, common, grouped = list[list[int]](), list[dict[int, float]](), set[int]()
    for group in _groups([tuple(places) for _, places in entries]):
        pose = _common_pose([entries[each] for each in group])
        if pose is not None:
            groups.append(group)
            common.append(pose)
            grouped.update(group)
    alone = [each for each in range(len(entries)) if each not in grouped]
    return _joined(entries, sorted(alone, key=lambda each: len(entries[each][1])), groups, common)


def _joined(
    entries: Sequence[Entry], alone: Sequence[int], groups: Sequence[Sequence[int]], common: Sequence[dict[int, float]]
) -> PackedLimits:
    """The two buffers."""
    ints = [np.zeros(HEADER + RECORD * len(entries), dtype=np.int32), np.array(alone, dtype=np.int32)]
    floats: list[Array] = []
    head = ints[0]
    head[[FIELD_COUNT, ALONE_COUNT, GROUP_COUNT]] = len(entries), len(alone), len(groups)
    int_end, float_end = len(head) + len(alone), 0
    for index, (field, places) in enumerate(entries):
        record = head[HEADER + index * RECORD : HEADER + (index + 1) * RECORD]
        size = len(field.grid.counts)
        geometry = np.zeros((MOST_ANGLES, AXIS_FLOATS))
        geometry[:size, LOWER], geometry[:size, SPACING] = field.grid.lower, field.grid.spacing
        geometry[:size, INVERSE] = 1.0 / geometry[:size, SPACING]
        geometry[:size, TURNS] = np.where(field.grid.periodic, 0.5 / np.pi, 0.0)
        record[ANGLE_COUNT], record[NEAREST], record[GEOMETRY] = size, int_end, float_end
        record[ANCHORS] = float_end + geometry.size
        anchors = np.zeros((len(field.anchors), max(size, LEAST_ANCHOR)))
        anchors[:, :size] = field.anchors
        record[VALUES] = record[ANCHORS] + anchors.size
        record[COUNTS : COUNTS + MOST_ANGLES] = (*field.grid.counts, *(1,) * (MOST_ANGLES - size))
        record[STRIDES : STRIDES + size] = [stride // 8 for stride in field.values.strides]
        record[PERIODIC : PERIODIC + MOST_ANGLES] = (*field.grid.periodic, *(True,) * (MOST_ANGLES - size))
        record[PLACES : PLACES + size] = places
        ints.append(field.nearest.ravel())
        floats += [geometry.ravel(), anchors.ravel(), field.values.ravel()]
        int_end += field.nearest.size
        float_end += geometry.size + anchors.size + field.values.size
    head[GROUPS] = int_end
    for group, pose in zip(groups, common, strict=True):
        ints.append(np.array([len(group), *group, len(pose), *pose, float_end], dtype=np.int32))
        floats.append(np.array(list(pose.values())))
        float_end += len(pose)
    packed = PackedLimits(np.concatenate(ints), np.concatenate(floats))
    packed.ints.flags.writeable = packed.floats.flags.writeable = False
    return packed


def _groups(places: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Entries that share angles, directly or by others: those of fewer angles first."""
    groups: list[tuple[set[int], list[int]]] = []
    for index, mine in enumerate(places):
        touched = [group for group in groups if group[0] & set(mine)]
        groups = [group for group in groups if group not in touched]
        angles = set(mine).union(*(group[0] for group in touched))
        groups.append((angles, sorted([index, *(each for group in touched for each in group[1])])))
    return [sorted(members, key=lambda each: (len(places[each]), each)) for _, members in groups if len(members) > 1]


def _common_pose(entries: Sequence[Entry]) -> dict[int, float] | None:
    """Place and value of the angles of a pose that keeps all of these fields; None where none is found."""
    places = sorted({place for _, mine in entries for place in mine})
    local = [(field, [places.index(place) for place in mine]) for field, mine in entries]
    group = list(range(len(entries)))
    start = np.zeros(len(places))
    for field, mine in local:
        start[mine] = field.anchors[0]
    trial = _joined(local, [], [group], [dict(enumerate(start.tolist()))])
    field, mine = max(local, key=lambda entry: len(entry[1]))
    pose = np.empty(len(places))
    for anchor in field.anchors[:: max(1, len(field.anchors) // _TRIED)]:
        start[mine] = anchor
        project_pose(trial.ints, trial.floats, start, pose)
        if measure_pose(trial.ints, trial.floats, pose) <= 0.0:
            return dict(zip(places, pose.tolist(), strict=True))
    return None


def _empty() -> PackedLimits:
    packed = PackedLimits(np.zeros(HEADER, dtype=np.int32), np.zeros(0))
    packed.ints.flags.writeable = packed.floats.flags.writeable = False
    return packed


EMPTY = _empty()
"""No field."""
_packed: Bounded[tuple[tuple[int, tuple[int, ...]], ...], _Kept] = Bounded(size=256 << 20, size_of=_bytes_of)
