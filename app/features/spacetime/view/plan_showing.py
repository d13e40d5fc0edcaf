"""PlanShowing: the motion that a search has come to, drawn beside the figure while its panel is shown: skins along the
motion and at the present, what is demanded of it, what pushes it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.features.spacetime.plan_rows import LaneChanges
from app.features.spacetime.view.motion_drawing import MotionDrawing
from app.scene.guides import Guide
from app.session.live_query import Question
from engine.spacetime.queries.draw_motion import SPEED, DemandMark, MotionDrawn, PushArrow, draw_motion

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.scene.camera import Vector
    from app.session import Session
    from app.style.panel_dock import PanelDock
    from engine.evaluation import Evaluation

FORCE, BLOW = 1.2, 1.7  # width of their arrows


class PlanShowing(MotionDrawing[MotionDrawn]):
    """Between the motion of one session and one viewport."""

    changed = Signal()  # what is drawn

    def __init__(self, session: Session, viewport: Viewport, dock: PanelDock) -> None:
        super().__init__(session, viewport, dock, "planned motion")
        self.drawn: MotionDrawn | None = None
        self._follow()

    @property
    def marks(self) -> tuple[DemandMark, ...]:
        """The demands that are drawn."""
        return () if self.drawn is None else self.drawn.marks

    @property
    def blows(self) -> tuple[PushArrow, ...]:
        """Where the figure is struck."""
        return () if self.drawn is None else tuple(each for each in self.drawn.arrows if each.blow)

    def _question(self, evaluator: Evaluation) -> Question[MotionDrawn] | None:
        session, owner, motion = self._session, self._current.actor, self._current.motion
        if owner is None or self._current.part is None or not owner.visible:
            return None
        document, time = session.shown, session.playhead
        chosen, rests = self._current.chosen, not self._current.running
        minima = self._current.minima
        ways = minima if len(minima) > 1 and motion in minima else ()
        work = partial(
            draw_motion, evaluator, document, owner.id, motion, time, ways=ways, chosen=chosen, torques=rests,
            before=self.drawn,
        )  # fmt: skip
        return Question(work=work, of=(owner, motion, *ways), about=(time, chosen, rests), document=document)

    def _take(self, found: MotionDrawn | None) -> None:
        owner = self._current.actor
        if found is not None and (owner is None or found.actor.id != owner.id):
            return  # of another that was meant before
        if found is None and self.drawn is None:
            return
        before, self.drawn = None if self.drawn is None else self.drawn.motion, found
        self._show(() if found is None else (found,), () if found is None else _guides(found))
        self.changed.emit()
        if found is not None and found.motion is not before and found.motion is not None:
            self._session.of(LaneChanges).changed.emit()  # torques may be known by now


def _guides(drawn: MotionDrawn) -> Iterator[Guide]:
    """Yield edges of cones of friction, arrows of pushes, and of velocities that are demanded, as far as they lead in a
    tenth of a second."""
    for stand in drawn.stands:
        for edge in stand.edges:
            yield Guide(points=(stand.place, edge), colour="faint")
    yield from map(arrow_guide, drawn.arrows)
    for force in drawn.forces:
        yield Guide(points=(force.place, force.tip), colour="z", head=True, width=BLOW if force.force.blow else FORCE)
    for each in drawn.marks:
        if each.velocity is not None and any(each.velocity):
            yield Guide(points=(each.place, _plus(each.place, each.velocity, SPEED)), colour="quiet", head=True)


def arrow_guide(arrow: PushArrow) -> Guide:
    """Make the arrow of a push: it begins at the point that is pushed."""
    end = _plus(arrow.place, arrow.push, arrow.length / max(math.hypot(*arrow.push), 1e-12))
    width = BLOW if arrow.blow else FORCE
    return Guide(points=(arrow.place, end), colour="accent" if arrow.blow else "quiet", head=True, width=width)


def _plus(place: Vector, way: Vector, share: float) -> Vector:
    x, y, z = (here + share * there for here, there in zip(place, way, strict=True))
    return (x, y, z)
