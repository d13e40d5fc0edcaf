"""Recovery: what this window does with the copies of runs that ended without a word: offered at the start, listed by
File > Recover…, taken once nothing can be lost; and the small pictures of the copy of what is open.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from app.shell.recent_pictures import small_picture
from app.shell.recovery_words import line_of

if TYPE_CHECKING:
    from app.shell.window import MainWindow
    from engine.project.runs import LeftCopy

PAUSE = 1500  # [ms] without a change; a picture takes the time of a frame
PICTURES_EVERY = 15.0  # [s] at most


class Recovery(QObject):
    """One window's."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self.recovering = self._session.recovering
        self._pictured = float("-inf")
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._take_picture)

    def begin(self, folder: Path) -> None:
        """Keep copies of what is open from now on."""
        self._session.history_changed.connect(self._pause.start)
        self.recovering.begin(folder)

    def offer(self, *, page: bool) -> None:
        """Say what could be recovered as soon as it is found; on the start page, where that may be shown."""
        self.recovering.left_seen.connect(partial(self._offer, page), Qt.ConnectionType.SingleShotConnection)
        self.recovering.look()

    def recover(self, left: LeftCopy) -> None:
        """Go on with a copy once nothing can be lost."""
        self._window.message.dismiss()
        self._window.files.when_kept(partial(self._session.exchange.recover, left))

    def show_sheet(self) -> None:
        """Show all copies that are kept."""
        from app.shell.recovery_sheet import RecoverySheet

        RecoverySheet(self._window, self).open()

    def _offer(self, page: bool, copies: tuple[LeftCopy, ...]) -> None:
        offered = [each for each in copies if each.is_offered]
        if offered and page:
            self._window.show_start_page()
        elif offered:
            left = offered[0]
            said = f"Sinew ended before “{left.name}” was saved ({line_of(left)}). File > Recover… brings it back."
            self._session.note("warning", said)

    def _take_picture(self) -> None:
        session, viewport = self._session, self._window.viewport
        if not self.recovering.has_changes or viewport is None:
            return
        is_busy = not session.at_rest or session.player.playing or QGuiApplication.mouseButtons()
        wait = self._pictured + PICTURES_EVERY - monotonic()
        png = None if is_busy or wait > 0.0 else small_picture(session, viewport)
        if png is not None:
            self._pictured = monotonic()
            self.recovering.show(png)
        elif viewport.is_drawing:
            self._pause.start(max(PAUSE, round(1000.0 * wait)) if wait > 0.0 else PAUSE)
