"""PictureCache: pictures of frames that were worked out already, kept until an edit touches their times.

A picture from here is the one that would be worked out anew, since a frame alone equals a frame in sequence. What
`changed_span` names is dropped and counts as stale; so does what is drawn and no pose depends on. The rest
goes on to the next document, nothing to a scene of other actors. The memory is bounded: what was not used the
longest goes first. What a bake holds (`engine.evaluate.baked`) counts as here, and its picture costs no lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from engine.document import Document
from engine.document.key_times import nearest_frame
from engine.evaluate.baked import Baked, State
from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import Bodies, Snapshot
from engine.motion.changed import changed_span, changes
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

LIMIT = 256 * 2**20  # [bytes]
BESIDE = 4096  # [bytes] of a picture beside its arrays, about


@dataclass(frozen=True)
class FrameStretch:
    """Frames that stand one after the other and are in one state."""

    first: int  # tick of the first frame
    last: int
    state: State


class PictureCache:
    """The cached pictures of a document, by time. Used by the engine's thread alone, like its evaluator."""

    def __init__(self, evaluator: Evaluator, *, limit: int = LIMIT) -> None:
        self._evaluator = evaluator
        self._limit = limit
        self.document = Document()  # that the pictures are of
        self.baked = Baked()
        self._with_skins = False
        self._kept: Bounded[int, Snapshot] = Bounded(size=limit, size_of=_size)
        self._stale: set[int] = set()

    def snapshot(self, document: Document, time: int, *, skins: bool) -> Snapshot:
        """The picture of a document at a time [ticks], from here if it is fresh."""
        self.follow(document, skins=skins)
        found = self._kept.get(time)
        if found is None:
            found = self._made(document, time, skins=skins)
            if nearest_frame(time, document.rate) == time:
                self._kept.keep(time, found)
                self._stale.discard(time)
        elif found.document is not document:
            found = self._kept.keep(time, _of(found, document))
        return found

    def follow(self, document: Document, *, skins: bool) -> None:
        """Take over a document: what an edit touched is stale from here on."""
        if skins != self._with_skins:
            self._with_skins = skins
            self._drop(list(self._kept.kept))
        old, self.document = self.document, document
        self.baked.follow(document)
        if old.actor_index.keys().isdisjoint(document.actor_index):  # of another scene, nothing was here before
            self._drop(list(self._kept.kept))
            self._stale.clear()
        if old is document or not len(self._kept):
            return
        if [actor.id for actor in old.actors] != [actor.id for actor in document.actors]:
            self._drop(list(self._kept.kept))
            return
        for start, end in _touched(old, document):
            inside = [time for time in self._kept.kept if start is None or start <= time]
            self._drop([time for time in inside if end is None or time <= end])

    def has(self, document: Document, time: int, *, skins: bool) -> bool:
        """Tell whether the picture of a document at a time is cached or baked."""
        self.follow(document, skins=skins)
        return self.is_fresh(time)

    def is_fresh(self, time: int) -> bool:
        """Tell whether the picture of a frame is cached or baked."""
        return time in self._kept.kept or self.baked.state(time) == "fresh"

    def is_stale(self, time: int) -> bool:
        """Tell whether the picture of a frame was cached before an edit."""
        return time in self._stale

    @property
    def is_full(self) -> bool:
        """True if one more picture would evict another."""
        taken = self._kept.bytes
        return taken + taken / max(len(self._kept), 1) > self._limit

    def stretches(self, times: Iterable[int]) -> tuple[FrameStretch, ...]:
        """The states of frames in their order, those of one state together."""
        return tuple(
            FrameStretch(alike[0], alike[-1], state)
            for state, together in groupby(times, self._state)
            for alike in (list(together),)
        )

    def _state(self, time: int) -> State:
        if time in self._kept.kept:
            return "fresh"
        found = self.baked.state(time)
        return "stale" if found == "missing" and time in self._stale else found

    def _drop(self, times: Iterable[int]) -> None:
        for time in times:
            self._kept.drop(time)
            self._stale.add(time)

    def _made(self, document: Document, time: int, *, skins: bool) -> Snapshot:
        rows = self.baked.rows(time)
        if rows is None:
            return self._evaluator.snapshot(document, time, skins=skins)
        return self._evaluator.snapshot_of(document, time, rows, skins=skins)


def _touched(old: Document, new: Document) -> Iterator[tuple[float | None, float | None]]:
    """Spans of time whose pictures may differ."""
    for _, start, end in changed_span(old, new):
        yield start, end
    for one, other in zip(old.actors, new.actors, strict=True):
        if one is not other:
            yield from (span for each in changes() for span in each.drawn(one, other))
    yield from (span for each in changes() for span in each.scenery(old, new))


def _of(snapshot: Snapshot, document: Document) -> Snapshot:
    """The picture as that of another document, in which only what no pose depends on is different."""
    frozen = {actor.id: actor.frozen for actor in document.actors}
    items = tuple(
        replace(each, frozen=frozen[each.owner])
        if isinstance(each, Bodies) and each.frozen != frozen[each.owner]
        else each
        for each in snapshot.items
    )
    return replace(snapshot, document=document, items=items)


def _size(snapshot: Snapshot) -> int:
    """About how much memory a picture takes [bytes]."""
    return BESIDE + sum(each.size for each in snapshot.items)
