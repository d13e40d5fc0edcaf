"""Steps of a start: the window without 3D; on its first paint OpenGL and the rest pose; then the engine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QTimer

from app.session import EngineState, FileOutcome
from app.shell.late_import import import_late
from app.shell.milestones import Milestones
from app.shell.window import MainWindow
from app.style.chart import chart_library

if TYPE_CHECKING:
    from engine.model import Snapshot

PATIENCE = 3000  # [ms] the engine is prepared at the latest then, picture or not


class Startup(QObject):
    """One start of one window."""

    def __init__(
        self,
        window: MainWindow,
        milestones: Milestones,
        *,
        file: Path | None = None,
        new: bool = False,
        copies: Path | None = None,
    ) -> None:
        """`file` is opened, or a new document begun, once the window is painted; else it shows what it has. What is
        open is copied to the folder `copies`, and what was left there offered."""
        super().__init__(window)
        self._new = new
        self._window = window
        self._milestones = milestones
        self._file, self._copies = file, copies
        self._has_snapshot = False
        self._preparing = False
        self.file_failed = False
        self.anew = False  # as the window has closed, the application is to be started again
        self.when_ready: Callable[[], None] | None = None
        self.when_unavailable: Callable[[], None] | None = None
        self.when_no_picture: Callable[[str], None] | None = None  # called with the reason
        self._late = QTimer(self, singleShot=True, interval=PATIENCE)
        self._late.timeout.connect(self._prepare)
        chart_library().hold()  # until all that a start needs is there
        window.painted.connect(self._begin)
        window.session.snapshot_ready.connect(self._take_snapshot)
        window.session.engine_changed.connect(self._take_state)

    def _begin(self) -> None:
        self._milestones.mark("window")
        viewport, session = self._window.add_viewport(), self._window.session
        viewport.drawn.connect(self._take_picture)
        viewport.failed.connect(self._prepare)
        if self.when_no_picture is not None:
            viewport.failed.connect(self.when_no_picture)
        if self._new:
            session.new()  # only now: the figure's text need not be read before the first paint
        elif self._file is None:
            session.request_picture()
        else:
            session.filed.connect(self._take_outcome)
            # Where the window closes by itself, as in checks of an installation, nobody is there to be asked.
            (session.exchange.open if self.when_ready is not None else self._window.files.open)(self._file)
        self._late.start()
        _load_drawing()  # while the engine's thread works out what is to be drawn first
        QTimer.singleShot(0, viewport, viewport.start)  # once that has come: the first picture shows it

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        if not self._has_snapshot:
            self._has_snapshot = True
            self._window.view.frame()
        if snapshot.state == "fresh":
            if "engine" not in self._milestones.seconds:
                self._milestones.mark("engine")
                QTimer.singleShot(0, self, self._pick_once)
            if self.when_ready is not None:
                QTimer.singleShot(0, self.when_ready)
                self.when_ready = None
            chart_library().release()

    def _pick_once(self) -> None:
        """Look for a body in the middle of the picture: the first time takes 10 ms more, and is not to be a drag's."""
        view = self._window.view
        pane = view.panes()[view.active]
        view.pick(QPointF(pane.x + pane.width / 2, pane.y + pane.height / 2))

    def _take_picture(self) -> None:
        if self._has_snapshot:
            self._milestones.mark("picture")
            QTimer.singleShot(0, self, self._prepare)  # once it is on the screen

    def _prepare(self) -> None:
        if not self._preparing and self._window.isVisible():  # it may have been closed meanwhile
            self._preparing = True
            self._late.stop()
            self._window.session.engine.prepare()
            if self._new and self._window.preferences.start_page:
                self._window.show_start_page()
            if self._copies is not None:
                self._window.recovery.begin(self._copies)
                self._window.recovery.offer(page=self._new)

    def _take_state(self, state: EngineState) -> None:
        if self._preparing and not state.ready and self._window.session.engine.idle:
            self._milestones.mark("engine unavailable")
            chart_library().release()
            if self.when_unavailable is not None:
                QTimer.singleShot(0, self.when_unavailable)

    def _take_outcome(self, outcome: FileOutcome) -> None:
        self._window.session.filed.disconnect(self._take_outcome)
        if not outcome.went_well:
            self.file_failed = True
            print(f"Sinew: {outcome.problem}", file=sys.stderr, flush=True)
            self._window.session.new()


def _load_drawing() -> None:
    """Import what draws; where that cannot be, the viewport says why as it starts."""
    import_late("urllib.request")  # vispy imports it, for data that nobody fetches
    with suppress(ImportError, OSError, RuntimeError):
        import app.scene.canvas  # noqa: F401
