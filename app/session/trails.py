"""ShownTrails: the trails and onion skins that a session shows, worked out on the engine's thread as the rest allows.

Trails are of the handles of what is selected: of a joint its own, or the joint itself where it has none; of a whole
actor all of its handles, of one that has many those of its longest limbs. The question follows the document on screen,
the playhead and the selection; the answers bring what could be worked out so far, and are shown until the next one is
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.live_query import LiveQuery, Question
from engine.document import Actor, Document
from engine.document.extent import play_extent
from engine.document.motion import ticks_per_frame
from engine.ik.goals import Spot
from engine.queries.trails import OnionSkins, Trails, Wanted, main_handles
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.selection import Item
    from app.session.session import Session
    from engine.model.snapshot import SkinSurface
    from engine.model.trails import Onion, TrailPicture
    from engine.queries.trails import By

KEY = "trails"  # of the worker


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A person's choice of what to see of other times."""

    trails: bool = False
    onions: bool = False
    everyone: bool = False  # else of what is selected
    around: int | None = None  # frames of a trail on each side of the playhead; None: all that is played
    before: int = 3  # onion skins
    after: int = 3
    step: int = 1
    by: By = "frames"


class ShownTrails(QObject):
    """The trails and onion skins that a session shows."""

    changed = Signal()  # the trails and skins, or what is chosen

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.choice = Choice()
        self._pulled: tuple[str, int] | None = None
        self._found: TrailPicture | None = None
        self._beside: dict[str, tuple[Onion, ...]] = {}
        self._trails: Trails | None = None  # the engine thread's alone
        self._query = LiveQuery(self, session.engine, KEY, self._take)
        for signal in (session.document_changed, session.preview_changed, session.selection_changed):
            signal.connect(self._follow)
        for signal in (session.playhead_moved, session.editing_changed, session.engine_changed):
            signal.connect(self._follow)

    @property
    def picture(self) -> TrailPicture | None:
        """All that is to be seen of other times; None where nothing is."""
        beside = tuple(each for own in self._beside.values() for each in own)
        if not beside:
            return self._found
        from engine.model.trails import TrailPicture

        shown = self._found or TrailPicture(document=self._session.shown, time=self._session.playhead)
        return replace(shown, onions=(*shown.onions, *beside))

    def show_beside(self, of: str, surfaces: Sequence[tuple[int, SkinSurface]]) -> None:
        """Show shapes of a feature at other times [ticks] beside, whatever a person chose to see, in place of those
        that it showed before; faint, since they overlap, the last ones the least."""
        from engine.model.trails import Onion

        snapshot = self._session.snapshot
        seen = () if snapshot is None else snapshot.bodies
        bodies = {each.owner: replace(each, role="onion") for each in seen if each.role == "result"}
        last = 2 * len(surfaces)
        shown = tuple(
            Onion(time=time, number=last - place, bodies=bodies[each.owner], fresh=True, skins=(each,))
            for place, (time, each) in enumerate(surfaces)
            if each.owner in bodies
        )
        if shown or self._beside.get(of):
            self._beside[of] = shown
            self.changed.emit()

    def choose(self, choice: Choice) -> None:
        """See this from now on."""
        if choice != self.choice:
            self.choice = choice
            self._follow()
            self.changed.emit()

    def pull(self, actor: str | None, time: int = 0) -> None:
        """While an actor is pulled at a key, show it there, too; None: it is let go."""
        pulled = None if actor is None else (actor, time)
        if pulled != self._pulled:
            self._pulled = pulled
            self._follow()

    def _follow(self, *_: object) -> None:
        """Ask for what is to be seen now."""
        session, wanted, evaluator = self._session, self.wanted, self._session.engine.evaluator
        if wanted is None or evaluator is None:
            self._query.stop()
            return
        trails = self._trails = self._trails or Trails(evaluator)
        document, time = session.shown, session.playhead
        question = Question(
            work=lambda: trails.answer(document, time, wanted), of=(document,), about=(time, wanted), document=document
        )
        self._query.follow(question)

    @property
    def wanted(self) -> Wanted | None:
        """The question of what to show now; None where there is nothing, or while a figure is shown at rest."""
        return self.wanted_by(self.choice)

    def wanted_by(self, choice: Choice) -> Wanted | None:
        """Return the question of what another choice would show now."""
        session = self._session
        if not (choice.trails or choice.onions) or session.editing is not None or session.engine.evaluator is None:
            return None
        document = session.shown
        spots = self.spots(document, choice) if choice.trails else ()
        actors = tuple(dict.fromkeys(actor.id for actor, _ in self._meant(document, choice))) if choice.onions else ()
        if not spots and not actors:
            return None
        first, last = self.span(document, choice)
        skins = OnionSkins(actors=actors, before=choice.before, after=choice.after, step=choice.step, by=choice.by)
        return Wanted(spots=spots, first=first, last=last, onions=skins, pulled=self._pulled)

    def spots(self, document: Document, choice: Choice | None = None) -> tuple[Spot, ...]:
        """Return the points of a document whose ways are meant."""
        return tuple(dict.fromkeys(self._spots(document, choice or self.choice)))

    def span(self, document: Document, choice: Choice | None = None) -> tuple[int, int]:
        """From when to when their ways are meant [ticks]."""
        around, playhead = (choice or self.choice).around, self._session.playhead
        if around is None:
            return play_extent(document)
        length = round(around * ticks_per_frame(document.rate))
        return playhead - length, playhead + length

    def _meant(self, document: Document, choice: Choice) -> list[tuple[Actor, str | None]]:
        """Actors and joints, or None for all of an actor."""
        if choice.everyone:
            return [(actor, None) for actor in document.actors]
        items: tuple[Item, ...] = self._session.selection.within(document).items
        return [(document.actor(item.actor), item.part) for item in items]

    def _spots(self, document: Document, choice: Choice) -> list[Spot]:
        found = []
        for actor, joint in self._meant(document, choice):
            whole = joint is None
            handles = main_handles(actor.figure) if whole else [e for e in actor.figure.handles if e.joint == joint]
            spots = [Spot(actor=actor.id, joint=each.joint, point=each.point) for each in handles]
            found += spots or [Spot(actor=actor.id, joint=joint or actor.figure.joints[0].id)]
        return found

    def _take(self, picture: TrailPicture | None) -> None:
        if picture is not None or self._found is not None:
            self._found = picture
            self.changed.emit()
