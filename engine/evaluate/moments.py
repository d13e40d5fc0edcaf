"""Moments: how actors stand at many times, kept until an edit touches those times.

For what shows more than the present: trails and onion skins. A picture for each time would be too much; the bodies of
the actors that are asked for are all that is kept. `engine.evaluate.changed` says what an edit makes stale: that may
still be shown until it is made again. Drafts are poses without motion and left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.evaluate.changed import changed_span
from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import Bodies

KEPT = 20_000  # bodies, about 3 kB each


class Moments:
    """Used by the engine's thread alone, like its evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._document = Document()
        self._fresh: dict[str, dict[int, Bodies]] = {}
        self._stale: dict[str, dict[int, Bodies]] = {}
        self._alone: tuple[frozenset[str], Document] = (frozenset(), self._document)

    def follow(self, document: Document) -> None:
        """Take over a document: what differs from the last one is stale from here on."""
        document = without_drafts(document)
        if document is self._document:
            return
        for actor, start, end in changed_span(self._document, document):
            fresh, stale = self._fresh.get(actor, {}), self._stale.setdefault(actor, {})
            for time in list(fresh):
                if (start is None or start <= time) and (end is None or time <= end):
                    stale[time] = fresh.pop(time)
        for gone in (self._fresh.keys() | self._stale.keys()) - document.actor_index.keys():
            self._fresh.pop(gone, None)
            self._stale.pop(gone, None)
        self._document = document
        self._alone = (frozenset(), document)

    def find(self, actor: str, time: int) -> tuple[Bodies | None, bool]:
        """How an actor stands at a time [ticks], as far as that is known, and whether it is fresh."""
        found = self._fresh.get(actor, {}).get(time)
        return (found, True) if found is not None else (self._stale.get(actor, {}).get(time), False)

    def missing(self, actors: Iterable[str], time: int) -> frozenset[str]:
        """Those of some actors of which no fresh answer is kept."""
        return frozenset(id for id in actors if time not in self._fresh.get(id, {}))

    def make(self, actors: Collection[str], time: int) -> None:
        """Work out how some actors stand at a time."""
        wanted = frozenset(actors)
        for item in self._evaluator.snapshot(self._only(wanted), time, skins=False).items:
            if item.owner in wanted:
                self._fresh.setdefault(item.owner, {})[time] = replace(item, role="onion", pose=None)
                self._stale.get(item.owner, {}).pop(time, None)

    def forget_but(self, wanted: Collection[tuple[str, int]]) -> None:
        """Where too much is kept, keep only some actors' times."""
        kept = (self._fresh, self._stale)
        if sum(len(times) for each in kept for times in each.values()) <= KEPT:
            return
        for each in kept:
            for actor, times in each.items():
                each[actor] = {time: bodies for time, bodies in times.items() if (actor, time) in wanted}

    def _only(self, actors: frozenset[str]) -> Document:
        """The document with these actors and all that they hang on or move with."""
        if self._alone[0] != actors:
            kept = {each.id for id in actors for each in self._document.with_all_that_hold(id).actors}
            left = tuple(actor for actor in self._document.actors if actor.id in kept)
            self._alone = (actors, replace(self._document, actors=left))
        return self._alone[1]
