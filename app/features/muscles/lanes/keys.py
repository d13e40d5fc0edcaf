"""Keys of all lanes of muscles as packed arrays, and the curves between them. Brings numpy: not loaded before the first
paint.

Symbols: `time` [ticks] and `value` (activation) of each key, shape [key_count]; `lane`, number of its lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.timeline.keys import Channel, Flags, Picked
from engine.document import Key, Track
from engine.edits.keyed_numbers import move_keys, with_keys
from engine.maths.arrays import Array
from engine.muscles.parts import ACTIVATION, Muscle, MuscleActivation, MuscleActivations
from engine.queries.outline import Outline
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False, kw_only=True)
class MuscleLane:
    """The activation of one muscle."""

    actor: str
    muscle: Muscle
    activation: MuscleActivation
    outline: Outline | None  # of its keys, where there are any

    @property
    def channel(self) -> Channel:
        """The name of its keys."""
        return Channel(self.actor, self.muscle.id, ACTIVATION)

    @property
    def keys(self) -> tuple[Key, ...]:
        """Its keys."""
        return () if self.activation.track is None else self.activation.track.keys

    def value_at(self, time: float) -> float:
        """Return the activation at a tick."""
        if self.outline is None:
            return self.activation.value
        return min(max(self.outline.value_at(time), 0.0), 1.0)

    def with_track(self, track: Track) -> MuscleLane:
        """The lane as it is while its keys are dragged."""
        return replace(self, activation=replace(self.activation, track=track), outline=Outline.of(track))


@dataclass(frozen=True, eq=False, kw_only=True)
class MuscleLanesTable:
    """All lanes and their keys."""

    lanes: tuple[MuscleLane, ...]
    first: NDArray[np.int64]  # number of each lane's first key, and of the end, shape [lane_count + 1]
    time: NDArray[np.int64]
    value: Array
    lane: NDArray[np.int64]
    outlines: Mapping[int, tuple[Track, Outline]] = field(repr=False)  # by their tracks' `id`

    @classmethod
    def of(
        cls,
        actor: str,
        muscles: Iterable[Muscle],
        activations: MuscleActivations,
        before: MuscleLanesTable | None = None,
    ) -> MuscleLanesTable:
        """Return the lanes of some muscles; curves of tracks that are those of `before` are not worked out again."""
        known = {} if before is None else before.outlines
        named = {each.muscle: each for each in activations.activations}
        lanes: list[MuscleLane] = []
        outlines: dict[int, tuple[Track, Outline]] = {}
        for muscle in muscles:
            active = named.get(muscle.id) or MuscleActivation(muscle=muscle.id)
            outline = None
            if active.track is not None:
                pair = known.get(id(active.track)) or (active.track, Outline.of(active.track))
                outlines[id(active.track)] = pair
                outline = pair[1]
            lanes.append(MuscleLane(actor=actor, muscle=muscle, activation=active, outline=outline))
        counts = np.array([len(each.keys) for each in lanes], dtype=np.int64)
        keys = [key for each in lanes for key in each.keys]
        return cls(
            lanes=tuple(lanes),
            first=np.concatenate((np.zeros(1, np.int64), np.cumsum(counts))),
            time=np.array([key.time for key in keys], dtype=np.int64),
            value=np.array([key.value for key in keys], dtype=np.float64),
            lane=np.repeat(np.arange(len(lanes)), counts),
            outlines=outlines,
        )

    @cached_property
    def channel_index(self) -> dict[Channel, int]:
        """Place of each lane's channel."""
        return {lane.channel: place for place, lane in enumerate(self.lanes)}

    def flags(self, picked: Picked) -> Flags:
        """Return flags of the chosen keys; chosen ones that are no longer there are left out."""
        chosen = np.zeros(len(self.time), dtype=np.bool_)
        for channel, times in picked.items():
            place = self.channel_index.get(channel)
            if place is not None:
                part = slice(self.first[place], self.first[place + 1])
                chosen[part] = np.isin(self.time[part], np.fromiter(times, dtype=np.int64, count=len(times)))
        return chosen

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


def moved_keys(track: Track, times: frozenset[int], ticks: int, value: float) -> Track:
    """Return a track with keys moved in time and value, as the edit does it."""
    moved = move_keys(track.keys, times, ticks=ticks, value=value, least=0.0, most=1.0)
    found = with_keys(track, track.coordinate, moved)
    assert found is not None, "no key is taken away"
    return found
