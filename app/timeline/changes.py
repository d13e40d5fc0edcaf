"""Changes of chosen keys and of the ends of blocks, as edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from engine.document import Span
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.timeline.keys import Channel, Picked
    from engine.edits.several import Parts

BlockEnd = Literal["start", "end", "ease_in", "ease_out", "whole"]


@dataclass(frozen=True, kw_only=True)
class KeyChange:
    """Keys moved or copied by `ticks`, or their times scaled by `factor` about `pivot`."""

    ticks: int = 0
    copies: bool = False
    pivot: int = 0
    factor: float = 1.0

    def new_time(self, time: int) -> int:
        """Return the new tick of a key."""
        return self.pivot + round((time - self.pivot) * self.factor) + self.ticks

    def picked(self, picked: Picked) -> dict[Channel, frozenset[int]]:
        """Return the changed keys at their new times."""
        return {channel: frozenset(map(self.new_time, times)) for channel, times in picked.items()}

    def edit(self, picked: Picked) -> Edit:
        """Return the edit that makes the change."""
        chosen = parts_of(picked)
        if self.factor != 1.0:
            return edit("scale_chosen", chosen=chosen, pivot=self.pivot, factor=self.factor)
        return edit("copy_chosen" if self.copies else "move_chosen", chosen=chosen, ticks=self.ticks)


def scaled_to(fixed: int, edge: int, wanted: int) -> KeyChange | None:
    """Return the change that moves one end of a range to a tick while the other stays; None where nothing would be
    left."""
    factor = (wanted - fixed) / (edge - fixed)
    return KeyChange(pivot=fixed, factor=factor) if factor > 0.0 else None


def parts_of(picked: Picked) -> Parts:
    """Return chosen keys as edits name them: by actor, layer or other holder, and coordinate."""
    found: dict[tuple[str, str], list[tuple[str, tuple[int, ...]]]] = {}
    for channel, times in sorted(picked.items()):
        if times:
            found.setdefault((channel.actor, channel.layer), []).append((channel.coordinate, tuple(sorted(times))))
    return tuple((actor, holder, tuple(keys)) for (actor, holder), keys in found.items())


@dataclass(frozen=True, kw_only=True)
class TimeChange:
    """Time inserted at a tick, or (a length below 0) removed before it, for some actors."""

    actors: tuple[str, ...]
    time: int
    length: int
    play: bool = False  # the play range moves along

    def new_time(self, time: int) -> int:
        """Return the new time of a tick; a removed one goes to where the range began."""
        if time >= self.time:
            return time + self.length
        return min(time, self.time + self.length) if self.length < 0 else time

    def new_span(self, span: Span) -> Span:
        """Return the new place of a span."""
        start, end = self.new_time(span.start), self.new_time(span.end)  # as `engine.edits.retime.lay_out_span` has it
        return _eased(start, max(end, start + 1), span.ease_in, span.ease_out)

    @classmethod
    def of(cls, done: Edit) -> TimeChange | None:
        """Return the change that an edit made; None where it made another one."""
        given: dict[str, Any] = dict(done.arguments)
        if done.name == "insert_everywhere":
            return cls(**given)
        if done.name != "delete_everywhere":
            return None
        start, end = given.pop("start"), given.pop("end")
        return cls(time=end, length=start - end, **given)

    @property
    def edit(self) -> Edit:
        """The edit that makes the change; for a length of 0 one that changes nothing."""
        if self.length > 0:
            return edit(
                "insert_everywhere", actors=self.actors, time=self.time, length=self.length, play=self.play
            )  # fmt: skip
        if self.length < 0:
            start = self.time + self.length
            return edit("delete_everywhere", actors=self.actors, start=start, end=self.time, play=self.play)
        return edit("move_chosen", chosen=(), ticks=0)


def dragged_span(span: Span, what: BlockEnd, time: int, least: int) -> Span:
    """Return a span with one end, or the end of an ease, moved to a tick, as far as the span's other parts allow.

    `whole` brings the start there and the rest along. A span lasts `least` ticks or more; eases give way to ends.
    """
    start, end, ease_in, ease_out = span.start, span.end, span.ease_in, span.ease_out
    if what == "whole":
        start, end = time, time + end - start
    elif what == "start":
        start = min(time, end - least)
    elif what == "end":
        end = max(time, start + least)
    elif what == "ease_in":
        ease_in = min(max(time - start, 0), end - start - ease_out)
    else:
        ease_out = min(max(end - time, 0), end - start - ease_in)
    return _eased(start, end, ease_in, ease_out)


def _eased(start: int, end: int, ease_in: int, ease_out: int) -> Span:
    """Return a span whose eases give way to its length."""
    ease_in = min(ease_in, end - start)
    return Span(start=start, end=end, ease_in=ease_in, ease_out=min(ease_out, end - start - ease_in))
