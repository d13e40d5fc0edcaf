"""What a hand does to chosen keys and to the ends of blocks, as edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from app.timeline.rows import Block
from engine.document import Document, Span
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from app.timeline.keys import Channel, Picked
    from engine.edits.several import NewKeys, Parts

BlockEnd = Literal["start", "end", "ease_in", "ease_out", "whole"]


@dataclass(frozen=True, kw_only=True)
class Change:
    """Keys moved or copied by `ticks`, or their times scaled by `factor` about `pivot`."""

    ticks: int = 0
    copies: bool = False
    pivot: int = 0
    factor: float = 1.0

    def new_time(self, time: int) -> int:
        """Where a key comes to stand."""
        return self.pivot + round((time - self.pivot) * self.factor) + self.ticks

    def picked(self, picked: Picked) -> dict[Channel, frozenset[int]]:
        """The same keys, where they come to stand."""
        return {channel: frozenset(map(self.new_time, times)) for channel, times in picked.items()}

    def edit(self, picked: Picked) -> Edit:
        """The edit that makes it so."""
        chosen = parts_of(picked)
        if self.factor != 1.0:
            return edit("scale_chosen", chosen=chosen, pivot=self.pivot, factor=self.factor)
        return edit("copy_chosen" if self.copies else "move_chosen", chosen=chosen, ticks=self.ticks)


def scaled_to(fixed: int, edge: int, wanted: int, least: int) -> Change:
    """The change that brings one end of a range to a tick while the other stays; never nearer to it than `least`."""
    if edge > fixed:
        wanted = max(wanted, fixed + least)
    else:
        wanted = min(wanted, fixed - least)
    return Change(pivot=fixed, factor=(wanted - fixed) / (edge - fixed))


def parts_of(picked: Picked) -> Parts:
    """Chosen keys as edits name them: by actor, layer and coordinate."""
    found: dict[tuple[str, str], list[tuple[str, tuple[int, ...]]]] = {}
    for channel, times in sorted(picked.items()):
        if times:
            found.setdefault((channel.actor, channel.layer), []).append((channel.coordinate, tuple(sorted(times))))
    return tuple((actor, layer, tuple(keys)) for (actor, layer), keys in found.items())


def copied(document: Document, picked: Picked) -> NewKeys:
    """Chosen keys themselves, so that the first stands at 0."""
    first = min((min(times) for times in picked.values() if times), default=0)
    found = []
    for actor, layer, parts in parts_of(picked):
        tracks = next(each for each in document.actor(actor).layers if each.id == layer).track_of
        keys = tuple(
            (name, replace(key, time=key.time - first))
            for name, times in parts
            for key in tracks[name].keys
            if key.time in set(times)
        )
        found.append((actor, layer, keys))
    return tuple(found)


def pasted(keys: NewKeys, time: int) -> Edit:
    """The edit that sets copied keys so that the first stands on a tick."""
    moved = tuple(
        (actor, layer, tuple((name, replace(key, time=key.time + time)) for name, key in each))
        for actor, layer, each in keys
    )
    return edit("paste_keys", chosen=moved)


def dragged_span(span: Span, what: BlockEnd, time: int, least: int) -> Span:
    """A span with one end, or the end of an ease, brought to a tick, as far as the span's other parts let it go.

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
    ease_in = min(ease_in, end - start)
    return Span(start=start, end=end, ease_in=ease_in, ease_out=min(ease_out, end - start - ease_in))


def span_edit(block: Block, span: Span) -> Edit:
    """The edit that gives a block another span."""
    named: Mapping[str, tuple[str, str]] = {
        "layer": ("set_layer_span", "layer"),
        "lock": ("set_lock_span", "lock"),
        "attachment": ("move_attachment", "attachment"),
    }
    name, argument = named[block.kind]
    times = {"start": span.start, "end": span.end, "ease_in": span.ease_in, "ease_out": span.ease_out}
    return edit(name, actor=block.actor, **{argument: block.id}, **times)
