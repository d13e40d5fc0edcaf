"""OthersShowing: the motions of those whom the figure meets, drawn beside them as its own is, each with what pushes
it."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import TYPE_CHECKING

from app.features.spacetime.view.motion_drawing import MotionDrawing
from app.features.spacetime.view.plan_showing import arrow_guide
from app.session.live_query import Question
from engine.spacetime.queries.draw_motion import MotionDrawn, draw_motion

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session
    from app.style.panel_dock import PanelDock
    from engine.document import Document
    from engine.evaluation import Evaluation
    from engine.spacetime.queries.seen_motion import SeenMotion


class OthersShowing(MotionDrawing[tuple[MotionDrawn, ...]]):
    """Between the motions of one session and one viewport."""

    def __init__(self, session: Session, viewport: Viewport, dock: PanelDock) -> None:
        super().__init__(session, viewport, dock, "planned motions of others")
        self.drawn: tuple[MotionDrawn, ...] = ()

    def _question(self, evaluator: Evaluation) -> Question[tuple[MotionDrawn, ...]] | None:
        motion, document, time = self._current.motion, self._session.shown, self._session.playhead
        meant = tuple(
            each
            for each in (() if motion is None else motion.others)
            if each.actor in document.actor_index and document.actor(each.actor).visible
        )
        if not meant:
            return None
        work = partial(draw_others, evaluator, document, meant, time, self.drawn)
        of = tuple(each for motion in meant for each in (motion, document.actor(motion.actor)))
        return Question(work=work, of=of, about=time, document=document)

    def _take(self, found: tuple[MotionDrawn, ...] | None) -> None:
        if found is not None or self.drawn:
            self.drawn = found or ()
            self._show(self.drawn, (arrow_guide(arrow) for each in self.drawn for arrow in each.arrows))


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
