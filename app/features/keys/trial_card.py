"""TrialCard: a change of what is selected that is shown before it is kept, with Apply and Cancel below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from app.session import Session, keying
from app.session.gesture import EditOrCommand
from app.session.trial import Trial
from app.style.units import Unit
from app.style.value_slider import ValueSlider

SHOWN = "A preview: Apply keeps it, Cancel drops it."
WORKED_OUT = "Being worked out, then kept: Cancel takes it away."
UNCHANGED = "Nothing is changed until you press Apply."
NOTHING = "There are no keys to work on: key a pose, or select what moves."


class Keeping(QWidget):
    """Apply and Cancel, and what is said of the change above them."""

    kept = Signal()
    dropped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.said = QLabel(wordWrap=True)
        self.said.setProperty("quiet", True)
        self.apply, self.cancel = QPushButton("Apply"), QPushButton("Cancel")
        self.apply.clicked.connect(self.kept)
        self.cancel.clicked.connect(self.dropped)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.apply, 1)
        row.addWidget(self.cancel, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(6)
        column.addWidget(self.said)
        column.addLayout(row)

    def show_state(self, *, shown: str, problem: str, idle: str) -> None:
        """Show the text of a change that is shown, else the problem against it, else the idle text."""
        self.cancel.setEnabled(bool(shown))
        self.apply.setEnabled(not problem)
        self.said.setText(problem or shown or idle)
        self.said.setProperty("wrong", bool(problem))
        self.said.style().polish(self.said)


class TrialCard(QWidget):
    """The common part of the cards of such changes; a subclass gives the command in `wish`."""

    hints: tuple[str, ...] = ()  # what stands against a change that nobody has asked for yet: no mistake

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.trial = Trial(session, self)
        self._was_shown = False  # as a slider was taken hold of
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self.keeping = Keeping()
        self.keeping.kept.connect(self._keep)
        self.keeping.dropped.connect(self.drop)
        self.trial.changed.connect(self._show_state)

    def command(self) -> tuple[str, EditOrCommand] | str:
        """Return the history's label and the command, or the problem against it."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Say of what; a change that is shown is shown of what is selected now."""
        self.about.setText(f"Of {keying.meant(self._session)}")
        self._follow()

    def drop(self) -> bool:
        """Take what is shown away; whether there was something."""
        was = self.trial.open
        self.trial.drop()
        return was

    def _slider(
        self,
        label: str,
        unit: Unit,
        limits: tuple[float, float] | None,
        rest: float,
        tip: str,
        moved: Callable[[], None] | None = None,
    ) -> ValueSlider:
        """Make the slider of a number of the change; without limits it can be typed as far as one likes. `moved`: else
        it is tried out."""
        slider = ValueSlider(label, unit=unit)
        slider.set_limits(*(limits or (None, None)))
        slider.set_rest(rest)
        slider.set_value(rest)
        slider.setToolTip(tip)
        follow = moved or self._try_out
        slider.moved.connect(lambda value: follow())
        slider.started.connect(self._take_hold)
        slider.cancelled.connect(lambda: self._give_back(follow))
        return slider

    def _take_hold(self) -> None:
        self._was_shown = self.trial.open

    def _give_back(self, follow: Callable[[], None]) -> None:
        """Give a slider its old value again: what it began to show goes, what was shown before is shown."""
        if self._was_shown and self.trial.open:
            follow()
        elif not self.trial.keeping:
            self.drop()
            self._show_state()

    def _lay_out(self, *rows: QWidget | QLayout) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(4)
        for row in (self.about, *rows, self.keeping):
            column.addWidget(row) if isinstance(row, QWidget) else column.addLayout(row)

    def _try_out(self) -> None:
        if self.trial.keeping:
            return
        command = self.command()
        if isinstance(command, str):
            self.trial.drop()
            self._show_state()
        else:
            self.trial.show(*command)

    def _follow(self) -> None:
        """Something else is meant now."""
        if self.trial.open:
            self._try_out()
        else:
            self._show_state()

    def _keep(self) -> None:
        if self.trial.keeping:
            return
        if not self.trial.open:
            self._try_out()
        self.trial.keep()

    def _show_state(self) -> None:
        if self.trial.keeping:
            self.keeping.show_state(shown=WORKED_OUT, problem="", idle="")
            self.keeping.apply.setEnabled(False)
            return
        command = self.command()
        against = command if isinstance(command, str) else ""
        problem = "" if against in self.hints else against
        self.keeping.show_state(shown=SHOWN if self.trial.open else "", problem=problem, idle=against or UNCHANGED)
        self.keeping.apply.setEnabled(not against)
