"""Keys of all lanes as packed arrays, and the curves of alpha between them. Brings numpy: not loaded before the first
paint.

Symbols: `time` [ticks] and `value` (alpha) of each key, shape [key_count]; `lane`, number of its lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.timeline.keys import Channel, Flags, Picked
from engine.document import Actor, Key, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.queries.outline import Outline
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import ALPHA, LEAST_ALPHA, MOST_ALPHA, ActivationSpline, SoftBody
from engine.soft.queries.expressed import ExpressedAlpha

LOWEST, HIGHEST = 0.7, 1.3  # of alpha, that a lane shows at least
PERIOD = 10.0 * TICKS_PER_SECOND  # over which the range of an expression is looked at
AROUND = 0.08  # of what it shows, above and below


@dataclass(frozen=True, eq=False, kw_only=True)
class Lane:
    """The activation of one spline."""

    actor: str
    label: str
    spline: ActivationSpline
    outline: Outline | None  # of its keys, where there are any
    formula: ExpressedAlpha | None = None  # its expression, if that is what tells it

    @property
    def channel(self) -> Channel:
        """The name of its keys."""
        return Channel(self.actor, self.spline.id, ALPHA)

    @property
    def keys(self) -> tuple[Key, ...]:
        """Its keys."""
        return () if self.spline.track is None else self.spline.track.keys

    @property
    def is_keyed(self) -> bool:
        """True if its alpha comes from its keys."""
        return self.spline.activation == "keys" and self.outline is not None

    @cached_property
    def span(self) -> tuple[float, float]:
        """Alpha at the lower and at the upper edge."""
        low, high = LOWEST, HIGHEST
        if self.outline is not None:
            low, high = min(low, float(self.outline.value.min())), max(high, float(self.outline.value.max()))
        if self.formula is not None:
            found = self.formula.alphas(np.linspace(0.0, PERIOD, 200), 0.5)
            low, high = min(low, float(found.min())), max(high, float(found.max()))
        if self.spline.activation == "constant":
            low, high = min(low, self.spline.alpha), max(high, self.spline.alpha)
        around = AROUND * (high - low)
        return low - around, high + around

    @property
    def marks(self) -> tuple[float, ...]:
        """Alphas that are named at the left edge."""
        low, high = self.span
        named = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
        return tuple(each for each in named if low < each < high and abs(each - 1.0) % 0.5 < 1e-9) or (1.0,)

    def expressed(self, start: float, end: float, count: int) -> list[Array]:
        """Return ticks and alphas by its expression: of the middle, and of both ends where these differ."""
        if self.formula is None:
            return []
        times = np.linspace(start, end, count)
        return [np.stack((times, self.formula.alphas(times, place)), axis=1) for place in self.formula.places]

    def alpha_at(self, time: float) -> float:
        """Return alpha at a tick, in the middle of the spline."""
        if self.is_keyed and self.outline is not None:
            return min(max(self.outline.value_at(time), LEAST_ALPHA), MOST_ALPHA)
        if self.spline.activation == "expression" and self.formula is not None:
            return float(self.formula.alphas(np.array([float(time)]), 0.5)[0])
        return self.spline.alpha

    def with_spline(self, spline: ActivationSpline) -> Lane:
        """The lane as it is while its spline is dragged: its scale stays."""
        outline = self.outline if spline.track is self.spline.track else _outline(spline)
        moved = replace(self, spline=spline, outline=outline)
        moved.__dict__["span"] = self.span
        return moved


@dataclass(frozen=True, eq=False, kw_only=True)
class LaneKeys:
    """All lanes and their keys."""

    lanes: tuple[Lane, ...]
    first: NDArray[np.int64]  # number of each lane's first key, and of the end, shape [lane_count + 1]
    time: NDArray[np.int64]
    value: Array
    lane: NDArray[np.int64]
    outlines: Mapping[int, Outline] = field(repr=False)  # by their tracks' `id`, kept for the next document

    @classmethod
    def of(cls, bodies: Iterable[tuple[Actor, SoftBody]], before: LaneKeys | None = None) -> LaneKeys:
        """Return the lanes of some bodies; curves of tracks that are those of `before` are not worked out again."""
        pairs, known = list(bodies), {} if before is None else before.outlines
        lanes: list[Lane] = []
        outlines: dict[int, Outline] = {}
        for actor, body in pairs:
            for spline in body.splines:
                outline = None
                if spline.track is not None:
                    outline = known.get(id(spline.track)) or _outline(spline)
                    assert outline is not None, "there are keys"
                    outlines[id(spline.track)] = outline
                label = spline.name if len(pairs) == 1 else f"{actor.name} · {spline.name}"
                formula = ExpressedAlpha.of(spline.expression) if spline.activation == "expression" else None
                lanes.append(Lane(actor=actor.id, label=label, spline=spline, outline=outline, formula=formula))
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


def moved_track(track: Track, times: frozenset[int], ticks: int, value: float) -> Track:
    """Return a track with keys moved in time and value, as the edit does it."""
    found = {key.time: key for key in track.keys if key.time not in times}
    for key in track.keys:
        if key.time in times:
            alpha = min(max(key.value + value, LEAST_ALPHA), MOST_ALPHA)
            found[key.time + ticks] = replace(key, time=key.time + ticks, value=alpha)
    return replace(track, keys=tuple(found[time] for time in sorted(found)))


def _outline(spline: ActivationSpline) -> Outline | None:
    return None if spline.track is None else Outline.of(spline.track)
