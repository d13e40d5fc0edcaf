"""MissList: the demands that a motion misses most, in words; a click goes there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.features.spacetime.choosing import choose_of
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.session import Session
from engine.spacetime.queries.seen_motion import MotionMiss

MOST = 3
TIP = "Click to go there: the playhead moves to its time, and the constraint is chosen"


class MissLabel(QLabel):
    """A sentence that can be clicked."""

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__(wordWrap=True)
        self.setProperty("warned", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(TIP)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class MissList(QWidget):
    """The three worst."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self._misses: tuple[MotionMiss, ...] = ()
        self.labels = tuple(MissLabel() for _ in range(MOST))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for at, label in enumerate(self.labels):
            label.clicked.connect(lambda at=at: self._go(at))
            column.addWidget(label)
        self.hide()

    def show_misses(self, misses: Sequence[MotionMiss]) -> None:
        """Show the worst of them."""
        self._misses = tuple(misses[:MOST])
        for at, label in enumerate(self.labels):
            label.setText(self._misses[at].words if at < len(self._misses) else "")
            label.setVisible(at < len(self._misses))
        self.setVisible(bool(self._misses))

    def _go(self, at: int) -> None:
        motion = self._current.motion
        if motion is None or at >= len(self._misses):
            return
        miss = self._misses[at]
        motion = motion.together.get(miss.actor, motion)
        if miss.constraint:
            choose_of(self._session, motion.actor, miss.constraint)
        else:
            self._current.choose(None)
        self._session.set_playhead(motion.tick(miss.seconds))
