"""The job area: long work's progress, time left and Cancel, in the one place for them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from app.session import JobState
from app.style.fonts import number_font
from app.style.icon_button import IconButton

FIRST_GUESS = 1.0  # [s] of work before a guess of the time left means something
BAR_WIDTH = 120


class TimeLeft:
    """A guess from the share that is done and the time that it took."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()

    def text(self, fraction: float) -> str:
        """Time left in words; empty while there is nothing to go by."""
        passed = self._clock() - self._began
        if passed < FIRST_GUESS or not 0.0 < fraction < 1.0:
            return ""
        left = passed * (1.0 - fraction) / fraction
        return f"{math.ceil(left)} s left" if left < 90.0 else f"{math.ceil(left / 60.0)} min left"


class JobArea(QWidget):
    """Hidden while nothing runs."""

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = QLabel()
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.left = QLabel()
        self.left.setFont(number_font())
        self.cancel = IconButton("x", "Cancel")
        self.cancel.clicked.connect(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(8)
        for widget in (self.text, self.bar, self.left, self.cancel):
            row.addWidget(widget)
        self._name = ""
        self._time_left = TimeLeft()
        self.hide()

    def show_job(self, job: JobState) -> None:
        """Show how far a job is, or that none runs."""
        if job.running and (self.isHidden() or job.name != self._name):
            self._name, self._time_left = job.name, TimeLeft()
            self.cancel.setEnabled(True)
        self.setVisible(job.running)
        self.text.setText(job.text)
        self.bar.setValue(round(1000 * job.fraction))
        self.left.setText(self._time_left.text(job.fraction))
        self.cancel.setVisible(job.can_cancel)

    def _cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.text.setText("Cancelling")
        self.cancelled.emit()
