"""SoftPull: a hand that pulled a point of a soft body for a while, as a part of the document.

The hand stands still from each of its times to the next, so that what was recorded while the body was simulated is what
is simulated again: a place that is added moves nothing before its time.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from engine.document.parts import Part
from engine.document.ticks import ticks
from engine.document.values import Vector3, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

MOST_PLACES = 20_000


@dataclass(frozen=True, kw_only=True)
class SoftPull(Part):
    """A point of a soft body that a spring draws to where a hand was, from its first time to its end."""

    id: str
    point: Vector3  # [m] that is held, in the shape at rest
    times: tuple[int, ...]  # [ticks] rising
    places: tuple[Vector3, ...]  # [m] of the hand in the world, from each of the times on
    end: int  # [ticks] when it lets go
    tension: float = option(
        2.0,
        label="Tension",
        unit="Hz",
        least=0.1,
        most=30.0,
        note="Natural frequency of the spring: k = m (2 pi f)^2 with m the mass of the whole body.",
    )
    ratio: float = option(
        1.0, label="Damping", least=0.0, most=10.0, note="Ratio of its damping to critical: c = 2 r m 2 pi f."
    )
    reach: float = option(
        0.25,
        label="Width",
        unit="share",
        least=0.02,
        most=1.0,
        note="Of the body's size: how far around the spot its force is shared out.",
    )

    def __post_init__(self) -> None:
        check_options(self)
        object.__setattr__(self, "point", vector3("the point of a pull", self.point))
        object.__setattr__(self, "places", tuple(vector3("a place of a pull", each) for each in self.places))
        for each in (*self.times, self.end):
            ticks("a time of a pull", each)
        if not 1 <= len(self.times) <= MOST_PLACES:
            raise InvalidDocument(what="the times of a pull", value=len(self.times), allowed=f"1 to {MOST_PLACES:,}")
        if len(self.places) != len(self.times):
            raise InvalidDocument(what="the places of a pull", value=len(self.places), allowed="one for each time")
        rising = (*self.times, self.end)
        if any(later <= earlier for earlier, later in pairwise(rising)):
            raise InvalidDocument(what="the times of a pull", value=rising[:8], allowed="rising ones, before its end")

    @property
    def start(self) -> int:
        """The tick from which it pulls."""
        return self.times[0]

    def place_at(self, time: float) -> Vector3 | None:
        """Give where the hand is at a time [ticks]; None before and after."""
        if not self.start <= time < self.end:
            return None
        return self.places[sum(each <= time for each in self.times) - 1]

    def moved_to(self, time: int, place: Vector3, end: int) -> SoftPull:
        """The pull with the hand at another place from a time on, to another end."""
        kept = sum(each < time for each in self.times)
        return replace(self, times=(*self.times[:kept], time), places=(*self.places[:kept], place), end=end)

    def let_go_at(self, end: int) -> SoftPull:
        """The pull that ends at a time; where the hand is held from then on is left out."""
        kept = max(sum(each < end for each in self.times), 1)
        return replace(self, times=self.times[:kept], places=self.places[:kept], end=max(end, self.start + 1))


def first_pulled(old: tuple[SoftPull, ...], new: tuple[SoftPull, ...]) -> int | None:
    """Find the first tick from which pulls draw otherwise than others; None: they are the same."""
    before, after = ({each.id: each for each in every} for every in (old, new))
    changed = [id for id in before | after if before.get(id) != after.get(id)]
    if not changed:
        return None
    return min(_first_change(before.get(id), after.get(id)) for id in changed)


def _first_change(old: SoftPull | None, new: SoftPull | None) -> int:
    if old is None or new is None or replace(old, times=new.times, places=new.places, end=new.end) != new:
        return min(each.start for each in (old, new) if each is not None)
    ends = [old.end, new.end] if old.end != new.end else []
    rows = [[*zip(each.times, each.places, strict=True)] for each in (old, new)]
    same = next((row for row, both in enumerate(zip(*rows, strict=False)) if both[0] != both[1]), min(map(len, rows)))
    return min([*ends, *(row[same][0] for row in rows if same < len(row))])
