"""Markers of a motion capture in a document: an actor whose figure has one joint a marker, each with three slides.

A camera system loses sight of markers. What it did not see is filled in between as samples, so that a picture can be
drawn at any time, and stands here, so that nothing is fitted to what nobody saw.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.document.parts import Part
from engine.document.ticks import ticks
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class MarkerGap:
    """A stretch of time in which a marker was not seen, both ends with it."""

    joint: str  # of the capture's figure
    start: int  # [ticks]
    end: int

    def __post_init__(self) -> None:
        ticks("the start of a gap", self.start)
        ticks("the end of a gap", self.end)
        if self.start > self.end:
            value = (self.start, self.end)
            raise InvalidDocument(what=f"the gap of {self.joint}", value=value, allowed="a start at most its end")


@dataclass(frozen=True, kw_only=True)
class MarkerGaps(Part):
    """All gaps of a capture. An actor with this part is a capture of markers, also where there are none."""

    gaps: tuple[MarkerGap, ...] = ()

    def of(self, joint: str) -> Iterable[MarkerGap]:
        """The gaps of one marker."""
        return (each for each in self.gaps if each.joint == joint)
