"""Clip: a range of a layer, taken out of it to be put somewhere else."""

from __future__ import annotations

from engine.document.motion import Samples, SpeedRange, Track, ticks
from engine.document.parts import Part
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class Clip(Part):
    """Tracks, samples and speed curves from tick 0 to `length`; tracks have keys at both ends."""

    length: int
    names: tuple[tuple[str, str, str], ...]  # coordinate; names of its joint and degree of freedom in its figure
    tracks: tuple[Track, ...] = ()
    samples: Samples | None = None
    speed: tuple[SpeedRange, ...] = ()

    def __post_init__(self) -> None:
        if ticks("the length of a clip", self.length) < 1:
            raise InvalidDocument(what="the length of a clip", value=self.length, allowed="1 tick and above")
        known = {coordinate for coordinate, _, _ in self.names}
        for name in self.coordinates:
            if name not in known:
                allowed = "one whose joint and degree of freedom are named"
                raise InvalidDocument(what="a coordinate of a clip", value=name, allowed=allowed)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates that the clip gives values to, each once."""
        sampled = () if self.samples is None else self.samples.coordinates
        return tuple(dict.fromkeys((*(track.coordinate for track in self.tracks), *sampled)))
