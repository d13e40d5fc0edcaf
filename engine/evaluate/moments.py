"""Moments: how actors stand at many times, kept until an edit touches those times.

For what shows more than the present: trails and onion skins. A picture for each time would be too much; the bodies of
the actors that are wanted are all that is kept, and the last few skins of figures that have no other form.
`engine.motion.changed` says what an edit makes stale: that may still be shown until it is made again. Drafts are
poses without motion and left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import Bodies, SkinSurface
from engine.motion.changed import changed_span
from engine.runtime.bounded import Bounded

KEPT, SKINS_KEPT = 20_000, 512  # bodies, about 3 kB each; actors' skins, about 0.3 MB each


class Moments:
    """The bodies of actors at some times, kept. Used by the engine's thread alone, like its evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.document = Document()  # without drafts
        self._fresh: dict[str, dict[int, Bodies]] = {}
        self._stale: dict[str, dict[int, Bodies]] = {}
        self._skins: Bounded[tuple[str, int], tuple[Bodies, tuple[SkinSurface, ...]]] = Bounded(SKINS_KEPT)
        self._alone: tuple[frozenset[str], Document] = (frozenset(), self.document)

    def follow(self, document: Document) -> None:
        """Take over a document: what differs from the last one is stale from here on."""
        document = without_drafts(document)
        if document is self.document:
            return
        for actor, start, end in changed_span(self.document, document):
            fresh, stale = self._fresh.get(actor, {}), self._stale.setdefault(actor, {})
            for time in list(fresh):
                if (start is None or start <= time) and (end is None or time <= end):
                    stale[time] = fresh.pop(time)
        for gone in (self._fresh.keys() | self._stale.keys()) - document.actor_index.keys():
            self._fresh.pop(gone, None)
            self._stale.pop(gone, None)
        self.document = document
        self._alone = (frozenset(), document)

    def find(self, actor: str, time: int) -> tuple[Bodies | None, bool]:
        """Look up the bodies of an actor at a time [ticks], and tell whether they are fresh; None where there are
        none."""
        found = self._fresh.get(actor, {}).get(time)
        return (found, True) if found is not None else (self._stale.get(actor, {}).get(time), False)

    def skins(self, actor: str, bodies: Bodies, time: int) -> tuple[SkinSurface, ...]:
        """The skins that were made with bodies that have no other form."""
        made, skins = self._skins.get((actor, time)) or (None, ())
        return skins if made is bodies else ()

    def missing(self, actors: Iterable[str], time: int, *, skins: bool = False) -> frozenset[str]:
        """Select the actors of which no fresh answer is kept, with its skins where these are wanted."""
        return frozenset(id for id in actors if not self._has(id, time, skins=skins))

    def make(self, actors: Collection[str], time: int, *, skins: bool = False) -> None:
        """Work out how some actors stand at a time; with `skins` those of figures that have no other form."""
        wanted = frozenset(actors)
        found = self._evaluator.snapshot(self._only(wanted), time, skins=False, bare=skins)
        for item in found.bodies:
            if item.owner in wanted:
                bodies = replace(item, role="onion", pose=None)
                self._fresh.setdefault(item.owner, {})[time] = bodies
                self._stale.get(item.owner, {}).pop(time, None)
                bent = tuple(replace(each, role="onion") for each in found.skins if each.owner == item.owner)
                if bent:
                    self._skins.keep((item.owner, time), (bodies, bent))

    def forget_but(self, wanted: Mapping[int, Collection[str]]) -> None:
        """Drop all but the wanted times of the wanted actors, where too much is kept."""
        kept = (self._fresh, self._stale)
        if sum(len(times) for each in kept for times in each.values()) <= KEPT:
            return
        for each in kept:
            for actor, times in each.items():
                each[actor] = {time: bodies for time, bodies in times.items() if actor in wanted.get(time, ())}

    def _has(self, actor: str, time: int, *, skins: bool) -> bool:
        bodies = self._fresh.get(actor, {}).get(time)
        if bodies is None or not skins or len(bodies.mesh.triangles) or not self.document.actor(actor).figure.skins:
            return bodies is not None
        return bool(self.skins(actor, bodies, time))

    def _only(self, actors: frozenset[str]) -> Document:
        """The document with these actors and all that they hang on or move with."""
        if self._alone[0] != actors:
            kept = {each.id for id in actors for each in self.document.with_all_that_hold(id).actors}
            left = tuple(actor for actor in self.document.actors if actor.id in kept)
            self._alone = (actors, replace(self.document, actors=left))
        return self._alone[1]
