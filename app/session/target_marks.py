"""TargetMarks: the targets of the figure that is meant as marks in the world, worked out on the engine's thread.

They follow the document on screen, so that a mark stands where a target is dragged to and tells how near the body comes
meanwhile. A pose is marked at the joint that was selected last.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from engine.jobs.mark_targets import TargetMark, TargetsMarked, mark_targets

if TYPE_CHECKING:
    from app.session.aiming import Aiming
    from app.session.session import Session
    from engine.runtime.worker import Frame

KEY = "marks of targets"  # of the worker
Asked = tuple[Document, str, str | None, int | None]


class TargetMarks(QObject):
    """The marks that are to be seen."""

    changed = Signal()  # the marks, or whether they are to be seen

    def __init__(self, session: Session, aiming: Aiming) -> None:
        super().__init__(aiming)
        self._session, self._aiming = session, aiming
        self.wanted = True
        self.marks: tuple[TargetMark, ...] = ()
        self._whole = True
        self._asked: Asked | None = None
        aiming.changed.connect(self._follow)
        for news in (session.playhead_moved, session.editing_changed, session.engine_changed):
            news.connect(self._follow)
        session.engine.answered.connect(self._take)

    def want(self, wanted: bool) -> None:
        """Whether they are to be seen."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._follow()

    def of(self, target: str, time: int | None = None) -> TargetMark | None:
        """The mark of a target, at one of its times."""
        found = (each for each in self.marks if each.target == target and time in (None, each.time))
        return next(found, None)

    def _follow(self, *_: object) -> None:
        session, owner = self._session, self._aiming.owner
        shows = self.wanted and session.editing is None and session.engine.evaluator is not None
        if owner is None or not shows or not (owner.swings and owner.visible and self._aiming.targets):
            self._stop()
            return
        active = session.selection.active
        joint = active.part if active is not None and active.actor == owner.id else None
        asked = (session.shown, owner.id, joint, None if self._whole else session.playhead)
        before = self._asked
        if before is None or before[0] is not asked[0] or before[1:] != asked[1:]:
            self._asked = asked
            time = session.playhead
            session.engine.submit(
                KEY, lambda: self._work(*asked[:3], time), after_first_frame=True, document=session.shown
            )

    def _stop(self) -> None:
        if self._asked is not None:
            self._asked, self._whole = None, True
            self._session.engine.cancel(KEY)
        if self.marks:
            self.marks = ()
            self.changed.emit()

    def _work(
        self, document: Document, actor: str, joint: str | None, time: int
    ) -> Generator[TargetsMarked | None, None, None]:
        """On the engine's thread."""
        evaluator = self._session.engine.evaluator
        assert evaluator is not None, "asked for only when the engine is ready"
        return mark_targets(evaluator, document, actor, time, joint=joint)

    def _take(self, key: Hashable, frame: Frame) -> None:
        value = frame.value
        if key != KEY or self._asked is None or not isinstance(value, TargetsMarked) or value.actor != self._asked[1]:
            return
        self._whole = value.whole
        if value.marks != self.marks:
            self.marks = value.marks
            self.changed.emit()
