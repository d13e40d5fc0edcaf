"""The status line: what the pointer is over, the running job, the engine, its last word, drawing, and the file.

Its live numbers change in the same pass as a picture, and lay out nothing: a pass of its own paints the whole window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStatusBar, QWidget

from app.session import EngineState, Session
from app.session.preparing import POSING
from app.shell.job_area import JobArea
from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel, cut
from app.style.live_label import LiveLabel

if TYPE_CHECKING:
    from engine.model import Snapshot

SHOW_EVERY = 250  # [ms] numbers that change with every picture are shown this often
AT_REST = 500  # [ms] where no pose brings them along
GAP = 14
NARROW = 760  # [px]
WIDEST = 340  # [px] of what the engine says: a longer line would make the whole window wider


class Lamp(QWidget):
    """A small round lamp in a colour of the theme."""

    def __init__(self) -> None:
        super().__init__()
        self._token = "text_faint"
        self.setFixedSize(8, 8)

    def show_token(self, token: str) -> None:
        """Light up in another colour."""
        self._token = token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().token(self._token)))
        painter.drawEllipse(self.rect().adjusted(1, 1, -1, -1))
        painter.end()


class StatusLine(QStatusBar):
    """One line of live facts about the session."""

    def __init__(self, session: Session, message: QWidget, *bars: QWidget) -> None:
        """`message` stands at its left while there is one, and before it those of `bars` that show themselves."""
        super().__init__()
        self.setSizeGripEnabled(False)
        ways = self.sizePolicy()
        ways.setHorizontalPolicy(QSizePolicy.Policy.Ignored)  # what it tells of does not keep a window wide
        self.setSizePolicy(ways)
        self.setContentsMargins(10, 0, 0, 0)
        self.pointer = ElidedLabel(colour="text_quiet")
        self.pointer.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.engine = QLabel()
        self.solved = LiveLabel("Time that the engine took for the last pose")
        self.drawn = LiveLabel("Time that drawing the last picture took")
        self.balance = LiveLabel("How far the centre of mass is inside what the actor stands on")
        self.saved = QLabel()
        self.job = JobArea()
        self._session = session
        self._lamp = Lamp()
        self._numbers: dict[LiveLabel, str] = {}
        self._since_shown = QElapsedTimer()
        self.show_later = QTimer(self, singleShot=True, interval=AT_REST)
        self.show_later.timeout.connect(self._show_numbers)
        for bar in bars:
            is_hidden = bar.isHidden()
            self.addWidget(bar)
            bar.setHidden(is_hidden)
        self.addWidget(message)
        message.hide()
        self.addWidget(self.pointer, 1)
        self.addPermanentWidget(self.job)
        engine = _row(self._lamp, self.engine, gap=2)
        self.addPermanentWidget(self.balance)
        self.addPermanentWidget(_row(engine, self.solved, self.drawn, self.saved, gap=GAP))
        self.job.cancelled.connect(session.cancel_job)
        session.engine_changed.connect(self.show_engine)
        session.engine.preparing.changed.connect(self._show_preparing)
        session.job_changed.connect(self.job.show_job)
        session.solved.connect(self.show_solved)
        session.saved_changed.connect(self._show_file)
        session.file.changed.connect(self._show_file)
        self.show_engine(session.engine_state)
        self._show_file()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out on a narrow screen how long things took."""
        super().resizeEvent(event)
        for label in (self.solved, self.drawn):
            label.setVisible(self.width() >= NARROW)

    def show_engine(self, state: EngineState) -> None:
        """Ready, or what can be done and what is being prepared or waited for."""
        waiting = f"waiting for: {state.waiting_for}" if state.waiting_for else ""
        preparing, missing = self._session.engine.preparing, self._session.engine.preparing.missing
        left = preparing.time_left(POSING)
        text = state.text if state.ready or not waiting else f"{state.text}, {left}" if left else f"{state.text}…"
        tip = "Poses are computed live" if state.ready else waiting or state.text
        if state.ready and missing:
            waited_for = self._session.engine.waited_for
            name, how = waited_for or missing[0], "waiting for" if waited_for else "preparing"
            left = preparing.time_left(name)
            text += f" · {how} {preparing.purpose(name)}{left and f', {left}'}" if preparing.running else ""
            tip += f"; {', '.join(map(preparing.purpose, missing))}: "
            tip += "being prepared" if preparing.running else "prepared when first used"
        self.engine.setText(cut(text, self.engine, WIDEST))
        self.engine.setToolTip(tip)
        all_ready = state.ready and not (preparing.running and missing)
        self._lamp.show_token("good" if all_ready else "warning" if state.ready or state.waiting_for else "danger")

    def _show_preparing(self, *_: object) -> None:
        self.show_engine(self._session.engine_state)

    def show_solved(self, seconds: float) -> None:
        """Show how long the last pose took, whose picture is about to be drawn."""
        self._note(self.solved, f"Pose {seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"Pose {seconds * 1e6:.0f} µs")
        if not self._since_shown.isValid() or self._since_shown.hasExpired(SHOW_EVERY):
            self._show_numbers()

    def show_drawn(self, milliseconds: float) -> None:
        """Show how long the last picture took."""
        self._note(self.drawn, f"Draw {milliseconds:.1f} ms")

    def show_balance(self, snapshot: Snapshot) -> None:
        """Show whether the chosen actor, or the first figure, stands on its feet; nothing where that is not asked
        for."""
        active, found = self._session.selection.active, snapshot.balances
        chosen = [each for each in found if active is not None and each.owner == active.actor]
        figures = [each for each in found if not snapshot.document.actor(each.owner).figure.is_prop]
        balance = next(iter((*chosen, *figures, *found)), None)
        name = "" if balance is None else snapshot.document.actor(balance.owner).name
        self.balance.setVisible(balance is not None)
        self._note(self.balance, "" if balance is None else f"{name}: {balance.text}")

    def _show_file(self, *_: object) -> None:
        """Show whether the document is in its file, as far as it was read back from there."""
        session, file = self._session, self._session.file
        is_there = "Read-only" if file.protected else "Saved" if session.path is not None else "No changes"
        self.saved.setText("Saving…" if session.exchange.saving else "Not saved" if session.dirty else is_there)
        self.saved.setToolTip(file.protected)

    def _note(self, label: LiveLabel, text: str) -> None:
        self._numbers[label] = text
        if not self.show_later.isActive():
            self.show_later.start()

    def _show_numbers(self) -> None:
        self.show_later.stop()
        self._since_shown.start()
        for label, text in self._numbers.items():
            label.show_text(text)
        self._numbers.clear()


def _row(*widgets: QWidget, gap: int) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(gap)
    for widget in widgets:
        layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    return row
