"""MarkersFollows: what becomes of the gaps of a capture where general edits change the time or take markers away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.document import Actor, Figure
from engine.document.capture import MarkerGap, MarkerGaps
from engine.edits.follows import Follows
from engine.edits.stretches import Layout


class MarkersFollows(Follows):
    """A gap goes with its time and its marker."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with its gaps in new time."""
        old = actor.part(MarkerGaps)
        if old is None:
            return actor
        found = tuple(piece for each in old.gaps for piece in _pieces(each, layout))
        return actor if found == old.gaps else actor.with_part(MarkerGaps(gaps=found))

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without the gaps of markers that another figure lacks."""
        old = actor.part(MarkerGaps)
        if old is None:
            return actor
        kept = tuple(each for each in old.gaps if each.joint in content.joint_index)
        return actor if kept == old.gaps else actor.with_part(MarkerGaps(gaps=kept))


def _pieces(gap: MarkerGap, layout: Layout) -> Iterator[MarkerGap]:
    """The gap wherever its time is shown."""
    for each in layout.stretches:
        if each.origin != "layer":
            continue
        first, last = max(gap.start, each.source), min(gap.end, each.source_end)
        if first < last or (first == last and first < each.source_end):
            start, end = sorted((each.new_time(first), each.new_time(last)))
            yield replace(gap, start=start, end=end)
