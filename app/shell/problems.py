"""Problems that nobody caught: they are shown and logged, and the application goes on."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from types import TracebackType
from typing import Self

from PySide6.QtCore import QObject, Qt, Signal

from app.session import Session


class ExceptionCatcher(QObject):
    """While open, catches every exception that reaches the top of a slot or a thread, and the engine's log."""

    happened = Signal(str)  # one readable line
    _came = Signal(str, str, str)  # kind, text, details; from any thread

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._handler = _Bridge(self)
        self._before = (sys.excepthook, threading.excepthook)
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def __enter__(self) -> Self:
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._catch
        threading.excepthook = self._catch_in_thread
        for name in ("engine", "app"):
            logging.getLogger(name).addHandler(self._handler)
        return self

    def __exit__(self, *_: object) -> None:
        sys.excepthook, threading.excepthook = self._before
        for name in ("engine", "app"):
            logging.getLogger(name).removeHandler(self._handler)

    def log(self, kind: str, text: str) -> None:
        """Write a line into the session's log from any thread."""
        self._came.emit(kind, text, "")

    def _catch(self, kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt | SystemExit):
            self._before[0](kind, problem, trace)
            return
        details = "".join(traceback.format_exception(kind, problem, trace))
        print(details, file=sys.stderr, end="")
        self._came.emit("error", _line(problem), details)

    def _catch_in_thread(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            self._catch(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    def _take(self, kind: str, text: str, details: str) -> None:
        if kind == "error":
            self._session.note("error", text, details.rstrip())
            self.happened.emit(text)
        else:
            self._session.note("warning", text)


class _Bridge(logging.Handler):
    """Carries warnings of the engine into the session's log."""

    def __init__(self, problems: ExceptionCatcher) -> None:
        super().__init__(logging.WARNING)
        self._problems = problems

    def emit(self, record: logging.LogRecord) -> None:
        kind = "error" if record.levelno >= logging.ERROR else "warning"
        self._problems.log(kind, record.getMessage())


def _line(problem: BaseException) -> str:
    """Write a problem in a line, with its place, which matters to whoever reads the report."""
    frames = traceback.extract_tb(problem.__traceback__)
    place = f" ({frames[-1].name}, line {frames[-1].lineno})" if frames else ""
    return f"Something went wrong: {type(problem).__name__}: {problem}{place}"
