"""Regions: the limits over several angles that hold in a problem, packed for `engine.ik.region_kernels`.

Limits of which some hinge may move are taken in; a joint that such a limit needs and no goal depends on is kept with
the pose that it has. Of each of their hinges the lower and upper limit are the ends of the region along that angle:
no other bound than the region's own, but one that every solver knows how to stay in, look for starts in and be drawn to
the middle of.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from engine.document import Figure, Limit
from engine.ik.region_kernels import AT_BOUNDARY, measure_field
from engine.limits.field import Field, compile_fields
from engine.limits.interpolation import MOST_ANGLES
from engine.limits.packed import EMPTY, PackedLimits, pack_limits
from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.ik.problem import Participant

Movable = Collection[str] | None
Hinge = tuple[int, str]  # participant and degree of freedom
_WIDER = 1e-9  # [rad] than a region its ends are, so that what lies on its boundary is not beyond them


class Region(NamedTuple):
    """A limit of a participant that holds in a problem."""

    participant: int
    limit: Limit
    field: Field


@dataclass(frozen=True, eq=False)
class Regions:
    """The packs of a problem; regions of which every angle may move come first."""

    listed: tuple[Region, ...]
    whole: PackedLimits
    partial: PackedLimits
    columns: IntArray  # of each angle of each region, -1 where it may not move, shape [count, 5]

    @cached_property
    def buffers(self) -> tuple[IntArray, Array, IntArray, Array]:
        """Index and number arrays of both packs, for kernels."""
        return self.whole.ints, self.whole.floats, self.partial.ints, self.partial.floats

    def values(self, q: Array) -> Array:
        """Measure how far outside of each region a pose of the problem is [rad], negative inside."""
        first = self.whole.field_count
        packs = [
            (self.whole, each) if each < first else (self.partial, each - first) for each in range(len(self.listed))
        ]
        return np.array([measure_field(pack.ints, pack.floats, field, q) for pack, field in packs])

    def active(self, q: Array) -> tuple[Region, ...]:
        """The regions at whose boundary a pose stands."""
        if not self.listed:
            return ()
        return tuple(each for each, value in zip(self.listed, self.values(q), strict=True) if value > -AT_BOUNDARY)


NO_REGIONS = Regions((), EMPTY, EMPTY, np.zeros((0, MOST_ANGLES), dtype=np.int32))


def regions_of(participants: Sequence[Participant], kept: Sequence[Collection[str]]) -> tuple[Region, ...]:
    """The regions that hold for what may move of the joints that are kept of each participant."""
    found: list[Region] = []
    for index, (each, joints) in enumerate(zip(participants, kept, strict=True)):
        if each.figure.limits_on:
            figure = each.figure
            limits = [limit for limit in figure.limits_on if any(_moves(each, dof, joints) for dof in limit.dofs)]
            fields = compile_fields(limits, [axes_of(figure, limit) for limit in limits])
            found += [Region(index, limit, field) for limit, field in zip(limits, fields, strict=True)]
    return tuple(found)


def _moves(participant: Participant, dof: str, joints: Collection[str]) -> bool:
    kept = participant.figure.dof_joint[dof].id in joints
    return kept and (participant.movable is None or dof in participant.movable)


def axes_of(figure: Figure, limit: Limit) -> Array | None:
    """The axes of a limit's hinges, shape [count, 3]; None where these are not of one joint and in its order."""
    if tuple(dof for dof in figure.hinges_beside(limit.dofs[0]) if dof in limit.dofs) != limit.dofs:
        return None
    return np.array([figure.coordinate_dof[dof].axis for dof in limit.dofs])


def pack_over(figure: Figure, limits: Sequence[Limit], names: Sequence[str]) -> PackedLimits:
    """Limits of a figure packed over these coordinates."""
    fields = compile_fields(limits, [axes_of(figure, limit) for limit in limits])
    place = {name: index for index, name in enumerate(names)}
    pairs = zip(fields, limits, strict=True)
    return pack_limits([(field, [place[dof] for dof in limit.dofs]) for field, limit in pairs])


def pack_regions(regions: Sequence[Region], places: Mapping[Hinge, int], columns: Mapping[Hinge, int]) -> Regions:
    """Pack regions; hinges of participants stand in these places of q, and those that may move have a column."""
    if not regions:
        return NO_REGIONS
    hinges = [[(each.participant, dof) for dof in each.limit.dofs] for each in regions]
    order = sorted(range(len(regions)), key=lambda at: any(each not in columns for each in hinges[at]))
    entries = [(regions[at].field, [places[each] for each in hinges[at]]) for at in order]
    whole = sum(all(each in columns for each in mine) for mine in hinges)
    table = np.full((len(regions), MOST_ANGLES), -1, dtype=np.int32)
    for line, at in enumerate(order):
        table[line, : len(hinges[at])] = [columns.get(each, -1) for each in hinges[at]]
    packs = pack_limits(entries[:whole]), pack_limits(entries[whole:])
    return Regions(tuple(regions[at] for at in order), *packs, table)


def ends_of(regions: Sequence[Region]) -> dict[Hinge, tuple[float, float]]:
    """The ends of the regions along each of their hinges; where several hold, what lies between the ends of all."""
    found: dict[Hinge, tuple[float, float]] = {}
    for each in regions:
        for dof, (lower, upper) in zip(each.limit.dofs, _ends(each.field), strict=True):
            old = found.get((each.participant, dof), (-math.inf, math.inf))
            both = max(lower, old[0]), min(upper, old[1])
            found[each.participant, dof] = both if both[0] <= both[1] else old
    return found


def ends_over(figure: Figure, limits: Sequence[Limit]) -> dict[str, tuple[float, float]]:
    """Compute the ends of these limits of a figure along each of their hinges."""
    fields = compile_fields(limits, [axes_of(figure, limit) for limit in limits])
    regions = [Region(0, limit, field) for limit, field in zip(limits, fields, strict=True)]
    return {dof: ends for (_, dof), ends in ends_of(regions).items()}


def _ends(field: Field) -> tuple[tuple[float, float], ...]:
    """Find the ends, along each angle, of where some value is 0 or less; none along one that is periodic."""
    found = _ends_known.get(field)
    if found is None:
        axes = enumerate(zip(field.grid.lower, field.grid.spacing, field.grid.periodic, strict=True))
        found = _ends_known[field] = tuple(
            (-math.inf, math.inf) if periodic else _ends_along(np.moveaxis(field.values, axis, 0), lower, spacing)
            for axis, (lower, spacing, periodic) in axes
        )
    return found


def _ends_along(values: Array, lower: float, spacing: float) -> tuple[float, float]:
    rows = values.reshape(len(values), -1)
    inside = np.nonzero(rows.min(axis=1) <= 0.0)[0]
    first, last = int(inside[0]), int(inside[-1])
    upper = lower + (len(rows) - 1) * spacing
    low = lower + spacing * (first - _beyond(rows[first], rows[first - 1])) if first else lower + float(rows[0].min())
    if last == len(rows) - 1:
        return low - _WIDER, upper - float(rows[-1].min()) + _WIDER
    return low - _WIDER, lower + spacing * (last + _beyond(rows[last], rows[last + 1])) + _WIDER


def _beyond(inside: Array, outside: Array) -> float:
    """The share of a cell by which the region reaches beyond a row of nodes."""
    crossing = inside <= 0.0
    return float((inside[crossing] / (inside[crossing] - outside[crossing])).max())


_ends_known: WeakKeyDictionary[Field, tuple[tuple[float, float], ...]] = WeakKeyDictionary()
