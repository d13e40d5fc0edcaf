"""The job area: long work's progress, time left and Cancel, in the one place for them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from app.session import JobState
from app.style.elided_label import cut
from app.style.fonts import number_font
from app.style.icon_button import IconButton
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.time_left import TimeLeft

BAR_WIDTH, TEXT_WIDTH = 120, 260
COUNT_EVERY = 1000  # [ms] the time left runs down while nothing is reported


@dataclass
class _Running:
    job: JobState
    left: TimeLeft
    is_cancelled: bool = False


class JobArea(QWidget):
    """Hidden while nothing runs. Of jobs that run at once the one that began last is shown until it ends."""

    cancelled = Signal(str)  # name of the job that is shown

    def __init__(self) -> None:
        super().__init__()
        self.text = QLabel()
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.left = QLabel()
        self.left.setFont(number_font())
        self._offers: dict[str, tuple[str, Callable[[], None]]] = {}
        self.details = IconButton("ellipsis", "More about it")
        self.details.clicked.connect(self._show_details)
        self.cancel = IconButton("x", "Cancel")
        self.cancel.clicked.connect(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(8)
        for widget in (self.text, self.bar, self.left, self.details, self.cancel):
            row.addWidget(widget)
        self._running: dict[str, _Running] = {}
        self._shown: _Running | None = None
        self._count = QTimer(self, interval=COUNT_EVERY)
        self._count.timeout.connect(self._show_left)
        self.hide()

    def show_job(self, job: JobState) -> None:
        """Take how far a job is, or that it has ended. One that is less far than before is the next of its name.

        A name may tell by a second word which one of its kind it is: of a kind, the newest alone runs.
        """
        kind = job.name.partition(" ")[0]
        known = self._running.get(kind)
        if not job.running:
            self._running.pop(kind, None)
        elif known is None or job.name != known.job.name or job.fraction < known.job.fraction:
            self._running[kind] = _Running(job, job.left or TimeLeft(first=job.fraction))
        else:
            known.job = job
        shown = next(reversed(self._running.values()), None)
        if shown is not None and (shown is not self._shown or shown.job is job):
            self._show(shown)
        self._shown = shown
        self.setVisible(shown is not None)
        if shown is None:
            self._count.stop()
        elif not self._count.isActive():
            self._count.start()

    def _show(self, shown: _Running) -> None:
        job = shown.job
        if shown is not self._shown:
            self.details.setVisible(job.name in self._offers)
            self.details.set_tip(self._offers[job.name][0] if job.name in self._offers else "")
        self.text.setText(cut(job.text, self.text, TEXT_WIDTH))
        self.text.setToolTip(job.text)
        self.bar.setValue(round(1000 * job.fraction))
        self.left.setText(shown.left.text(job.fraction))
        self.cancel.setEnabled(not shown.is_cancelled)
        self.cancel.setVisible(job.can_cancel)

    def _show_left(self) -> None:
        if self._shown is not None:
            self.left.setText(self._shown.left.text(self._shown.job.fraction))

    def offer(self, name: str, tip: str, show: Callable[[], None]) -> None:
        """Let a button stand beside the job of that name that shows more about it."""
        self._offers[name] = tip, show

    def _show_details(self) -> None:
        if self._shown is not None and self._shown.job.name in self._offers:
            self._offers[self._shown.job.name][1]()

    def _cancel(self) -> None:
        if self._shown is None:
            return
        self._shown.is_cancelled = True
        self.cancel.setEnabled(False)
        self.text.setText("Cancelling")
        self.cancelled.emit(self._shown.job.name)
