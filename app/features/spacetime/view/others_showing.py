"""OthersShowing: the motions of those whom the figure meets, drawn beside them as its own is, each with what pushes
it."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.view.plan_showing import arrow_guide
from app.session.live_query import LiveQuery, Question
from engine.model import TrailPicture
from engine.spacetime.queries.draw_motion import MotionDrawn, draw_motion

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session
    from app.style.panel_dock import PanelDock
    from engine.document import Document
    from engine.evaluation import Evaluation
    from engine.spacetime.queries.seen_motion import SeenMotion

KEY = "planned motions of others"  # of the worker, and whose skins and guides they are


class OthersShowing(QObject):
    """Between the motions of one session and one viewport."""

    def __init__(self, session: Session, viewport: Viewport, dock: PanelDock) -> None:
        super().__init__(viewport)
        self._session, self._viewport, self._dock = session, viewport, dock
        self._current = session.of(CurrentSpacetime)
        self.drawn: tuple[MotionDrawn, ...] = ()
        self._query: LiveQuery[tuple[MotionDrawn, ...]] = LiveQuery(self, session.engine, KEY, self._take)
        for signal in (
            self._current.changed,
            self._current.iterated,
            session.playhead_moved,
            session.editing_changed,
            session.engine_changed,
            dock.visibilityChanged,
        ):
            signal.connect(self._follow)

    def _follow(self, *_: object) -> None:
        session, motion, evaluator = self._session, self._current.motion, self._session.engine.evaluator
        document = session.shown
        meant = tuple(
            each
            for each in (() if motion is None else motion.others)
            if each.actor in document.actor_index and document.actor(each.actor).visible
        )
        if evaluator is None or not self._dock.is_seen or session.editing is not None or not meant:
            self._query.stop()
            return
        time = session.playhead
        work = partial(draw_others, evaluator, document, meant, time, self.drawn)
        of = tuple(each for motion in meant for each in (motion, document.actor(motion.actor)))
        self._query.follow(Question(work=work, of=of, about=time, document=document))

    def _take(self, found: tuple[MotionDrawn, ...] | None) -> None:
        if found is None and not self.drawn:
            return
        self.drawn = found or ()
        onions = tuple(onion for each in self.drawn for onion in each.onions)
        trails = (
            TrailPicture(document=self.drawn[0].document, time=self.drawn[0].time, onions=onions) if onions else None
        )
        self._viewport.set_trails(trails, of=KEY)
        self._viewport.set_guides(tuple(arrow_guide(arrow) for each in self.drawn for arrow in each.arrows), of=KEY)


def draw_others(
    evaluator: Evaluation,
    document: Document,
    motions: tuple[SeenMotion, ...],
    time: int,
    before: tuple[MotionDrawn, ...],
) -> Generator[tuple[MotionDrawn, ...] | None, None, None]:
    """Draw motions one after the other; None between steps."""
    known, found = {each.actor.id: each for each in before}, list[MotionDrawn]()
    for motion in motions:
        drawing = draw_motion(evaluator, document, motion.actor, motion, time, before=known.get(motion.actor))
        for each in drawing:
            if each is None:
                yield None
            else:
                found.append(each)
    yield tuple(found)
