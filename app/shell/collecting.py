"""Garbage collection: on the window's thread alone, none until the engine is ready, and what was loaded by then is
never looked through again.

Python collects on whichever thread makes an object at that moment. On the engine's thread that would end objects of Qt
that only the window's thread may end, and the program with them. So Python's own collecting is off, and a timer of
this thread does it by the same counts.

Loading makes some 300,000 objects that stay. The collector would walk them a dozen times on the way (0.1 s of a start),
and for as long as the window is open with each of its full rounds, which stop a drag for tens of milliseconds.
pyqtgraph, which comes with the first chart, makes 58,000 more: 7 ms of each round.
"""

from __future__ import annotations

import gc
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer

from app.session import EngineState, Session
from app.style.chart import chart_library

EVERY = 100  # [ms]
REST = 200  # a full round takes at most one part in so many of the time


class Collecting(QObject):
    """Garbage is collected here as long as this lives."""

    def __init__(self, session: Session, parent: QObject | None = None, *, sets_aside: bool = True) -> None:
        """Begins when the engine is ready, or nothing more is done about it; `sets_aside` what is there by then."""
        super().__init__(parent)
        gc.disable()
        self._session, self._sets_aside = session, sets_aside
        self._full_after = 0.0
        self._timer = QTimer(self, interval=EVERY)
        self._timer.timeout.connect(self.collect)
        session.engine_changed.connect(self._take)
        chart_library().loaded.connect(self._set_aside, Qt.ConnectionType.QueuedConnection)

    def end(self) -> None:
        """Leave it to Python again."""
        self._sets_aside = False
        self._timer.stop()
        gc.enable()

    def collect(self) -> None:
        """Collect the oldest generation whose turn it is."""
        due = [count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if due[2] and perf_counter() >= self._full_after:
            begun = perf_counter()
            gc.collect()
            self._full_after = perf_counter() + REST * (perf_counter() - begun)
        elif due[0]:
            gc.collect(1 if due[1] else 0)

    def _take(self, state: EngineState) -> None:
        if state.ready or self._session.engine.idle:
            self._session.engine_changed.disconnect(self._take)
            self._set_aside()
            self._timer.start()

    def _set_aside(self) -> None:
        if self._sets_aside:
            gc.freeze()
