"""TargetMarks: the targets of the figure that is meant as marks in the world, worked out on the engine's thread.

They follow the document on screen, so that a mark stands where a target is dragged to and tells how near the body comes
meanwhile. A pose is marked at the joint that was selected last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.live_query import LiveQuery, Question
from engine.targets.queries.mark_targets import TargetMark, TargetsMarked, mark_targets

if TYPE_CHECKING:
    from app.features.secondary.current_targets import CurrentTargets
    from app.session.session import Session

KEY = "marks of targets"  # of the worker


class TargetMarks(QObject):
    """The marks that are to be seen."""

    changed = Signal()  # the marks, or whether they are to be seen

    def __init__(self, session: Session, current_targets: CurrentTargets) -> None:
        super().__init__(current_targets)
        self._session, self._current_targets = session, current_targets
        self.wanted = True
        self.marks: tuple[TargetMark, ...] = ()
        self._whole = True
        self._query = LiveQuery(self, session.engine, KEY, self._take)
        current_targets.changed.connect(self._follow)
        for signal in (session.playhead_moved, session.editing_changed, session.engine_changed):
            signal.connect(self._follow)

    def want(self, wanted: bool) -> None:
        """Show the symbols, or hide them."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._follow()

    def of(self, target: str, time: int | None = None) -> TargetMark | None:
        """Return the mark of a target, at one of its times."""
        found = (each for each in self.marks if each.target == target and time in (None, each.time))
        return next(found, None)

    def _follow(self, *_: object) -> None:
        session, owner, evaluator = self._session, self._current_targets.owner, self._session.engine.evaluator
        shows = self.wanted and session.editing is None and owner is not None and owner.swings and owner.visible
        if owner is None or evaluator is None or not (shows and self._current_targets.targets):
            self._query.stop()
            return
        document, actor, time, active = session.shown, owner.id, session.playhead, session.selection.active
        joint = active.part if active is not None and active.actor == actor else None
        question = Question(
            work=lambda: mark_targets(evaluator, document, actor, time, joint=joint),
            of=(document,),
            about=(actor, joint, None if self._whole else time),
            document=document,
        )
        self._query.follow(question)

    def _take(self, found: TargetsMarked | None) -> None:
        if found is not None and (self._current_targets.owner is None or found.actor != self._current_targets.owner.id):
            return  # of another that was meant before
        self._whole, marks = found is None or found.whole, () if found is None else found.marks
        if marks != self.marks:
            self.marks = marks
            self.changed.emit()
