"""Lane: one number over time, with its keys and the curve between them; LaneTable: all lanes that are listed, their
keys as packed arrays. Brings numpy: not loaded before the first paint.

Symbols: `time` [ticks] and `value` of each key, shape [key_count]; `lane`, number of its lane.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from operator import is_
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.lanes.kind import LaneKind, Named
from app.timeline.keys import Channel, Flags, Picked, flags_of
from engine.document import Key, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import Edit
from engine.edits.keyed_numbers import keys_of, move_keys, with_keys
from engine.maths.arrays import Array
from engine.queries.outline import Outline
from engine.runtime.quick_dataclass import dataclass

PERIOD = 10.0 * TICKS_PER_SECOND  # over which the range of an expression is looked at
AROUND = 0.08  # of what a lane shows, above and below


class Formula(Protocol):
    """An expression that tells a value."""

    @property
    def places(self) -> tuple[float, ...]:
        """Places along the part at which it differs, the middle first."""

    def alphas(self, times: Array, place: float) -> Array:
        """Compute values at times [ticks] and a place."""


@dataclass(frozen=True, kw_only=True)
class Lane:
    """A number of one part."""

    kind: LaneKind
    actor: str
    id: str
    name: str
    label: str
    value: float  # where it is constant
    track: Track | None
    told: str  # by what: "constant", "keys", "expression"
    formula: Formula | None = None
    mute: bool = False

    @property
    def of(self) -> Named:
        """Whose lane it is."""
        return self.actor, self.id

    @property
    def channel(self) -> Channel:
        """The name of its keys."""
        return Channel(self.actor, self.id, self.kind.coordinate)

    @property
    def keys(self) -> tuple[Key, ...]:
        """Its keys."""
        return keys_of(self.track)

    @property
    def is_keyed(self) -> bool:
        """True if its value comes from its keys."""
        return self.told == "keys" and self.track is not None

    @cached_property
    def outline(self) -> Outline | None:
        """The curve of its keys, where there are any."""
        return None if self.track is None else Outline.of(self.track)

    @cached_property
    def packed(self) -> tuple[NDArray[np.int64], Array]:
        """Times and values of its keys."""
        times = np.array([key.time for key in self.keys], dtype=np.int64)
        return times, np.array([key.value for key in self.keys], dtype=np.float64)

    @cached_property
    def span(self) -> tuple[float, float]:
        """The values at its lower and at its upper edge."""
        seen = [*self.kind.shown, *self.packed[1].tolist()]
        if self.formula is not None:
            found = self.formula.alphas(np.linspace(0.0, PERIOD, 200), 0.5)
            seen += [float(found.min()), float(found.max())]
        if self.told == "constant":
            seen.append(self.value)
        low, high = min(seen), max(seen)
        around = AROUND * (high - low)
        return low - around, high + around

    def expressed(self, start: float, end: float, count: int) -> list[Array]:
        """Return ticks and values by its expression: of the middle, and of both ends where these differ."""
        if self.formula is None:
            return []
        times = np.linspace(start, end, count)
        return [np.stack((times, self.formula.alphas(times, place)), axis=1) for place in self.formula.places]

    def value_at(self, time: float) -> float:
        """Return its value at a tick; by an expression that in the middle of the part."""
        if self.is_keyed and self.outline is not None:
            return self.kind.held(self.outline.value_at(time))
        if self.told == "expression" and self.formula is not None:
            return float(self.formula.alphas(np.array([float(time)]), 0.5)[0])
        return self.value

    # What changes it

    def edit(self, name: str, /, **arguments: object) -> Edit:
        """Make an edit of its part."""
        return self.kind.edit(name, self.of, **arguments)

    def value_edit(self, value: float, time: int) -> Edit:
        """Make the edit of its slider: a key at a time where it is keyed, else its constant."""
        if self.is_keyed:
            return self.keys_edit((self.key_at(time, value),))
        name, argument = self.kind.set_value
        return self.edit(name, **{argument: self.kind.held(value)})

    def key_at(self, time: int, value: float) -> Key:
        """Make the key that says this at a time, filled and bent as one that is there."""
        old = next((each for each in self.keys if each.time == time), None)
        value = self.kind.held(value)
        return Key(time, value) if old is None else replace(old, value=value)

    def keys_edit(self, keys: tuple[Key, ...]) -> Edit:
        """Make the edit that sets keys."""
        return self.edit(self.kind.set_keys, keys=keys)

    def drawn_edit(self, keys: tuple[Key, ...], start: int, end: int) -> Edit:
        """Make the edit that puts keys in place of all from one tick up to another."""
        return self.edit(self.kind.draw, start=start, end=end, keys=keys)

    def moved(self, times: frozenset[int], ticks: int, value: float) -> Lane:
        """The lane with keys moved in time and value, as the edit does it; its scale stays."""
        kind, track = self.kind, self.track
        keys = move_keys(self.keys, times, ticks=ticks, value=value, least=kind.least, most=kind.most)
        moved = replace(self, track=with_keys(track, kind.coordinate, keys))
        moved.__dict__["span"] = self.span
        return moved


@dataclass(frozen=True, eq=False, kw_only=True)
class LaneTable:
    """The lanes that are listed, and their keys."""

    lanes: tuple[Lane, ...]
    first: NDArray[np.int64]  # number of each lane's first key, and of the end, shape [lane_count + 1]
    time: NDArray[np.int64]
    value: Array
    lane: NDArray[np.int64]

    @classmethod
    def of(cls, lanes: Iterable[Lane], before: LaneTable | None = None) -> LaneTable:
        """Return the table of some lanes; what was worked out of those that are in `before` is kept."""
        made = tuple(lanes if before is None else map(before.kept, lanes))
        if before is not None and len(made) == len(before.lanes) and all(map(is_, made, before.lanes)):
            return before
        packed = [each.packed for each in made]
        counts = np.array([len(times) for times, _ in packed], dtype=np.int64)
        none = np.empty(0)
        return cls(
            lanes=made,
            first=np.concatenate((np.zeros(1, np.int64), np.cumsum(counts))),
            time=np.concatenate([none.astype(np.int64), *(times for times, _ in packed)]),
            value=np.concatenate([none, *(values for _, values in packed)]),
            lane=np.repeat(np.arange(len(made)), counts),
        )

    def kept(self, lane: Lane) -> Lane:
        """Return a lane with what is known of it: the identical one where nothing has changed."""
        old = self.lane_of(lane.of)
        if old is None or old.kind is not lane.kind:
            return lane
        if old == lane:
            return old
        if old.track is lane.track:
            lane.__dict__.update({name: old.__dict__[name] for name in ("outline", "packed") if name in old.__dict__})
        return lane

    def place_of(self, of: Named | None) -> int | None:
        """The number of a lane; None of one that is not listed."""
        return None if of is None else self._places.get(of)

    def lane_of(self, of: Named | None) -> Lane | None:
        """The lane of a part."""
        place = self.place_of(of)
        return None if place is None else self.lanes[place]

    @cached_property
    def _places(self) -> dict[Named, int]:
        return {lane.of: place for place, lane in enumerate(self.lanes)}

    def flags(self, picked: Picked) -> Flags:
        """Return flags of the chosen keys; chosen ones that are no longer there are left out."""
        return flags_of(self.time, self.first, lambda channel: self._places.get((channel.actor, channel.layer)), picked)

    def picked(self, chosen: Flags) -> dict[Channel, frozenset[int]]:
        """Return the chosen keys by channel."""
        found: dict[Channel, frozenset[int]] = {}
        for place in np.unique(self.lane[chosen]).tolist():
            part = slice(self.first[place], self.first[place + 1])
            found[self.lanes[place].channel] = frozenset(self.time[part][chosen[part]].tolist())
        return found

    def one(self, place: int) -> Flags:
        """Return flags of one key alone."""
        flags = np.zeros(len(self.time), dtype=np.bool_)
        flags[place] = True
        return flags
