"""Running the application: the objects that it consists of, made in the order in which they are needed."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Self

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from app.session import Session
from app.shell.collecting import Collecting
from app.shell.instance import Instance
from app.shell.milestones import Milestones
from app.shell.preferences import PreferencesFile
from app.shell.problems import ExceptionCatcher
from app.shell.software import can_be_chosen, start_anew
from app.shell.startup import Startup
from app.shell.window import MainWindow
from app.style.apply import apply_theme
from app.style.resources import FOLDER
from app.style.theme import THEMES
from engine import __version__
from engine.document import Document
from engine.runtime.places import CONFIG, DATA
from engine.runtime.quick_dataclass import dataclass

_ANEW = -1  # in place of an exit code: start again, and draw with the processor


@dataclass(frozen=True, kw_only=True)
class CommandLineOptions:
    """The options of the command line."""

    file: Path | None = None
    separate: bool = False
    timing: bool = False
    quit_after_ready: bool = False


def run(options: CommandLineOptions) -> int:
    """Run until the window is closed; return the exit code of the process."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Sinew")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("sinew")
    instance = None if options.separate else Instance()
    if instance is not None and not instance.claim():
        if instance.hand_over(options.file):
            print(
                f"Sinew is already running; it has {f'been given {options.file}' if options.file else 'come forward'}."
            )
            return 0
        print("Sinew is already running but does not answer; starting another.", file=sys.stderr)
        instance = None
    try:
        code = _run_window(application, options, instance)
    finally:
        if instance is not None:
            instance.release()
    return start_anew() if code == _ANEW else code


def _run_window(application: QApplication, options: CommandLineOptions, instance: Instance | None) -> int:
    kept = PreferencesFile(CONFIG.folder())
    preferences, warning = kept.read()
    theme = THEMES[preferences.theme]
    apply_theme(application, theme, text_scale=preferences.text_scale)
    application.setWindowIcon(QIcon(str(FOLDER / "icons" / "program" / "sinew.svg")))
    with closing(Session(document=Document())) as session:
        Collecting(session, session)
        window = MainWindow(session, kept=kept, preferences=preferences)
        data = DATA.folder()
        milestones = Milestones(show=options.timing)
        session.logged.connect(milestones.report)
        startup = Startup(
            window,
            milestones,
            file=options.file,
            new=options.file is None,
            copies=None if data is None else data / "recovery",
        )
        if can_be_chosen() and not options.quit_after_ready:
            startup.when_no_picture = partial(_offer_software, window, startup)
        if options.quit_after_ready:
            startup.when_ready = window.close_for_good
            startup.when_unavailable = lambda: application.exit(1)
        if instance is not None:
            instance.asked.connect(window.open_or_come_forward)
            window.painted.connect(instance.listen)
        with ExceptionCatcher(session), Signals(window.close_for_good) as signals:
            if warning:
                session.note("warning", warning)
            window.show()
            code = application.exec()
    if startup.anew and not signals.exit_code:
        return _ANEW
    return signals.exit_code or code or int(options.quit_after_ready and startup.file_failed)


def _offer_software(window: MainWindow, startup: Startup, why: str) -> None:
    """Ask whether the processor shall draw, since the graphics driver does not."""

    def again() -> None:
        startup.anew = True
        window.close_for_good()

    window.questions.draw_with_processor(why, partial(window.files.when_kept, again))


class Signals(QObject):
    """SIGINT and SIGTERM close the window without asking; the exit code says so, as a shell expects."""

    def __init__(self, close: Callable[[], None]) -> None:
        super().__init__()
        self.exit_code = 0
        self._close = close
        self._read, self._write = socket.socketpair()
        for each in (self._read, self._write):
            each.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._wake)
        self._before = {number: signal.signal(number, self._take) for number in (signal.SIGINT, signal.SIGTERM)}
        self._wakeup = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Signals do again what they did before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._read.close()
        self._write.close()

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.exit_code = 128 + number

    def _wake(self) -> None:
        """Qt's loop runs no Python: the byte that Python wrote for the signal wakes it. The handler has run by now."""
        self._read.recv(64)
        if self.exit_code:
            self._close()
