"""Motion: what an actor does in time, in layers.

A `Layer` gives coordinates their values: constant ones (a pose), samples that a camera took, and keyed tracks, each
later kind taking the place of the one before for the coordinates that it names. Times are ticks of 1/705,600,000 s,
so that every usual frame rate is a whole number of ticks; values are radians and metres.
"""

from __future__ import annotations

from dataclasses import MISSING, field
from functools import cached_property
from itertools import pairwise
from operator import ge
from typing import Literal, get_args

from engine.document.blobs import Blob
from engine.document.conformance import LARGEST, check_fields
from engine.document.correction import Correction
from engine.document.parts import Part
from engine.document.ticks import (
    TICKS_LIMIT,
    TICKS_PER_SECOND,
    Rate,
    check_rate,
    frame_count,
    frame_time,
    ticks,
    ticks_per_frame,
)
from engine.document.values import finite
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import about, option
from engine.runtime.quick_dataclass import dataclass

__all__ = [
    "TICKS_LIMIT",
    "TICKS_PER_SECOND",
    "Draft",
    "Extrapolation",
    "Interpolation",
    "Key",
    "Layer",
    "Rate",
    "Samples",
    "Span",
    "SpeedRange",
    "Tangent",
    "Track",
    "active_layers",
    "frame_count",
    "frame_time",
    "ticks",
    "ticks_per_frame",
]

Interpolation = Literal["stepped", "linear", "cubic"]
Tangent = Literal["auto", "flat", "free"]
Extrapolation = Literal["hold", "linear", "cycle", "cycle_offset"]

_INTERPOLATIONS, _TANGENTS = get_args(Interpolation), get_args(Tangent)

THIRD = 1.0 / 3.0


@dataclass(frozen=True, slots=True)
class Key:
    """A value at a time, how the span after it is filled, and its tangents.

    `auto` tangents come from the neighbours without overshoot, `flat` ones are zero, `free` ones are the slopes given
    here [unit/s]. A weight is the length of its tangent as a share of the span; 1/3 is the plain cubic. A mark moves
    nothing.
    """

    time: int
    value: float
    interpolation: Interpolation = "cubic"
    tangent: Tangent = "auto"
    slope_in: float = 0.0
    slope_out: float = 0.0
    weight_in: float = THIRD
    weight_out: float = THIRD
    mark: bool = False  # chosen by a person, to be a target of the secondary motion

    def __post_init__(self) -> None:
        ticks("the time of a key", self.time)
        value, slope_in, slope_out = self.value, self.slope_in, self.slope_out
        weight_in, weight_out = self.weight_in, self.weight_out
        floats = type(value) is type(slope_in) is type(slope_out) is type(weight_in) is type(weight_out) is float
        if not (floats and 0.0 <= weight_in <= 1.0 and 0.0 <= weight_out <= 1.0) or not (
            -LARGEST <= value <= LARGEST and -LARGEST <= slope_in <= LARGEST and -LARGEST <= slope_out <= LARGEST
        ):
            self._check_numbers()
        if not (self.interpolation in _INTERPOLATIONS and self.tangent in _TANGENTS and type(self.mark) is bool):
            check_fields(
                Key, ((name, getattr(self, name)) for name in ("interpolation", "tangent", "mark")), of="a key"
            )

    def _check_numbers(self) -> None:
        """Make its numbers floats, one by one; refuse the first that may not be."""
        for name in ("value", "slope_in", "slope_out", "weight_in", "weight_out"):
            object.__setattr__(self, name, finite(f"the {name} of a key", getattr(self, name)))
            check_fields(Key, ((name, getattr(self, name)),), of="a key")
        for name in ("weight_in", "weight_out"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise InvalidDocument(what=f"the {name} of a key", value=getattr(self, name), allowed="0 to 1")


@dataclass(frozen=True, kw_only=True)
class Track(Part):
    """The keys of one coordinate, in rising order of time; a layer with a muted track is as one without it."""

    coordinate: str
    keys: tuple[Key, ...]
    before: Extrapolation = "hold"
    after: Extrapolation = "hold"
    mute: bool = False

    def __post_init__(self) -> None:
        if not self.keys:
            raise InvalidDocument(what=f"the keys of {self.coordinate}", value=(), allowed="one or more")
        times = [key.time for key in self.keys]
        if any(map(ge, times, times[1:])):
            raise InvalidDocument(what=f"the times of {self.coordinate}'s keys", value="not rising", allowed="rising")

    @cached_property
    def ticks(self) -> frozenset[int]:
        """The ticks of its keys."""
        return frozenset(key.time for key in self.keys)

    @cached_property
    def jumps(self) -> tuple[int, ...]:
        """The ticks at which a stepped key gives way to another value."""
        pairs = pairwise(self.keys)
        return tuple(after.time for key, after in pairs if key.interpolation == "stepped" and key.value != after.value)


@dataclass(frozen=True, kw_only=True)
class Samples(Part):
    """Values of several coordinates at a steady rate, as a camera took them or a simulation gave them."""

    coordinates: tuple[str, ...]
    values: Blob  # [rad or m], shape [frame_count, len(coordinates)]
    rate: Rate  # frames in so many seconds
    start: int = 0  # tick of the first frame
    before: Extrapolation = "hold"
    after: Extrapolation = "hold"

    def __post_init__(self) -> None:
        ticks("the start of samples", self.start)
        shape = self.values.shape
        if len(shape) != 2 or shape[0] < 1 or shape[1] != len(self.coordinates):
            allowed = f"(frames, {len(self.coordinates)}), one frame or more"
            raise InvalidDocument(what="the shape of samples", value=shape, allowed=allowed)
        check_rate("the rate of samples", self.rate)
        ticks("the end of samples", self.time(self.frame_count - 1))

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self.values.shape[0]

    def time(self, frame: int) -> int:
        """The tick on which a frame stands."""
        return self.start + frame_time(frame, self.rate)


@dataclass(frozen=True, kw_only=True)
class Span:
    """A time from one tick to another, eased in and out over so many ticks inside it."""

    start: int = option(MISSING, label="Start", note="Of its time", unit="ticks")
    end: int = option(MISSING, label="End", note="Of its time", unit="ticks")
    ease_in: int = option(0, label="Ease in", note="Within this time it comes in", unit="ticks", least=0)
    ease_out: int = option(0, label="Ease out", note="Within this time it goes", unit="ticks", least=0)

    def __post_init__(self) -> None:
        for name in about(Span):
            ticks(f"the {name} of a span", getattr(self, name))
        if self.end <= self.start or min(self.ease_in, self.ease_out) < 0:
            value = (self.start, self.end, self.ease_in, self.ease_out)
            raise InvalidDocument(what="a span", value=value, allowed="an end after its start, eases of 0 or more")
        if self.ease_in + self.ease_out > self.end - self.start:
            raise InvalidDocument(what="a span's eases", value=(self.ease_in, self.ease_out), allowed="within the span")

    @classmethod
    def between(cls, start: int | None, end: int | None, ease_in: int = 0, ease_out: int = 0) -> Span | None:
        """A span, or None (always) where neither a start nor an end is given."""
        if start is None and end is None:
            return None
        if start is None or end is None:
            raise InvalidDocument(what="a span", value=(start, end), allowed="a start and an end, or neither")
        return cls(start=start, end=end, ease_in=ease_in, ease_out=ease_out)


def weight(span: Span | None, time: float) -> float:
    """Compute the weight of a span at a time [ticks]: eased as layers are, by 10 s^3 - 15 s^4 + 6 s^5."""
    if span is None:
        return 1.0
    if not span.start <= time <= span.end:
        return 0.0
    for passed, length in ((time - span.start, span.ease_in), (span.end - time, span.ease_out)):
        if passed < length:
            s = passed / length
            return s * s * s * (10.0 + s * (6.0 * s - 15.0))
    return 1.0


@dataclass(frozen=True, kw_only=True)
class SpeedRange:
    """Timing apart from path: between two ticks the layer is read at another time, so that the distance travelled
    along the path of `coordinates` follows `keys`, whose values run from 0 to 1 and never fall."""

    start: int
    end: int
    coordinates: tuple[str, ...]
    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        Span(start=self.start, end=self.end)
        if len(self.keys) < 2 or self.keys[0].time != self.start or self.keys[-1].time != self.end:
            raise InvalidDocument(what="a speed curve", value=len(self.keys), allowed="keys from its start to its end")
        values = [key.value for key in self.keys]
        rising = all(first.time < second.time and first.value <= second.value for first, second in pairwise(self.keys))
        if not rising or values[0] != 0.0 or values[-1] != 1.0:
            raise InvalidDocument(what="a speed curve", value=values, allowed="values from 0 to 1 that never fall")


@dataclass(frozen=True, kw_only=True)
class Draft(Part):
    """A pose that is not keyed: what a layer gives at exactly one tick, until it is keyed or thrown away."""

    time: int
    values: tuple[tuple[str, float], ...]  # [rad or m], in the order of the figure; of a ball all four numbers

    def __post_init__(self) -> None:
        ticks("the time of a draft", self.time)
        if not self.values:
            raise InvalidDocument(what="the values of a draft", value=(), allowed="one or more")


@dataclass(frozen=True, kw_only=True)
class Layer(Part):
    """One step of an actor's motion."""

    id: str
    name: str = "Pose"
    values: tuple[tuple[str, float], ...] = ()  # constant coordinates, in the order of the figure
    samples: Samples | None = None
    tracks: tuple[Track, ...] = ()
    quaternions: tuple[str, ...] = ()  # joints of three hinges whose keys are joined as rotations
    quaternion_mode: Literal["slerp", "spline"] = "spline"
    mode: Literal["replace", "add"] = "replace"
    weight: float = 1.0
    span: Span | None = None
    mask: tuple[str, ...] | None = None  # coordinates that the layer may touch; None: all
    mute: bool = False
    solo: bool = False
    speed: tuple[SpeedRange, ...] = field(default=())
    drafts: tuple[Draft, ...] = ()  # in rising order of time
    correction: Correction | None = None  # added to what the layer and those below it give, whatever the mode

    def __post_init__(self) -> None:
        if type(self.weight) is not float or not 0.0 <= self.weight <= 1.0:
            weight = finite(f"the weight of layer {self.name}", self.weight)
            if not 0.0 <= weight <= 1.0:
                raise InvalidDocument(what=f"the weight of layer {self.name}", value=weight, allowed="0 to 1")
            object.__setattr__(self, "weight", weight)
        times = [draft.time for draft in self.drafts] if self.drafts else []
        if times and any(second <= first for first, second in pairwise(times)):
            raise InvalidDocument(what=f"the times of {self.name}'s drafts", value=times, allowed="rising")

    def draft_at(self, time: float) -> Draft | None:
        """The draft on exactly that tick."""
        return next((draft for draft in self.drafts if draft.time == time), None)

    @cached_property
    def by_coordinate(self) -> dict[str, float]:
        """The constant values by coordinate."""
        return dict(self.values)

    @cached_property
    def track_of(self) -> dict[str, Track]:
        """The keyed tracks by coordinate."""
        return {track.coordinate: track for track in self.tracks}

    @cached_property
    def heard(self) -> dict[str, Track]:
        """The tracks that are not muted, by coordinate."""
        return {track.coordinate: track for track in self.tracks if not track.mute}


def active_layers(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The layers that count, in listed order."""
    alone = any(layer.solo for layer in layers)
    return tuple(layer for layer in layers if not layer.mute and layer.weight > 0.0 and (layer.solo or not alone))
