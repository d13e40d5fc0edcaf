"""KeyedPart: a part of an actor that has tracks of keys, as its layers and locks have; keys are edited alike in all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any, Self, cast

from engine.document.motion import Track
from engine.document.parts import Part


class KeyedPart(Part):
    """A frozen dataclass with `id`, `name` and `tracks`; those stand in a figure's order of degrees of freedom."""

    id: str
    name: str
    tracks: tuple[Track, ...]

    @cached_property
    def track_of(self) -> dict[str, Track]:
        """The keyed tracks by what they key."""
        return {track.coordinate: track for track in self.tracks}

    def with_tracks(self, tracks: Iterable[Track]) -> Self:
        """The part with these tracks alone."""
        return cast(Self, replace(cast(Any, self), tracks=tuple(tracks)))
