"""LongJob: work in a process of its own, as the window's thread sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message

CHILD_ENDS_WITHIN = 4.0  # [s] a cancelled child is killed after 2
NOT_STARTED = "not started"  # how a job ends whose process cannot be started


class ChildLike(Protocol):
    """The part of the engine's ChildJob that is used."""

    @property
    def error(self) -> Exception | None:
        """Why it failed."""

    def cancel(self) -> None:
        """Ask the child to end."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for its end."""

    def ask(self, message: Message) -> None:
        """Write a line to it."""


StartChild = Callable[[str, "dict[str, Json]", "Callable[[Message], None]"], ChildLike]


def start_child(name: str, arguments: dict[str, Json], on_message: Callable[[Message], None]) -> ChildLike:
    """Start a process of the engine, or take over the one that was begun early."""
    from engine.runtime import early
    from engine.runtime.child import ChildJob  # 20 ms of imports

    begun = early.take_over(on_message) if name == early.JOB else None
    if begun is not None:
        return begun
    return ChildJob(name, arguments, on_message=on_message)


class LongJob(QObject):
    """A kind of work, of which there is at most one process."""

    heard = Signal(object)  # Message, but for errors and the end
    ended = Signal(str, str)  # how ("done", "cancelled", "failed", NOT_STARTED), and why as far as the process said it
    _came = Signal(object)  # from the thread that reads

    def __init__(self, parent: QObject | None, name: str, start_child: StartChild = start_child) -> None:
        super().__init__(parent)
        self._name, self._start_child = name, start_child
        self._child: ChildLike | None = None
        self._error = ""
        self.failure: Exception | None = None  # of the last process
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """True if it is under way."""
        return self._child is not None

    def start(self, arguments: dict[str, Json]) -> None:
        """Start the process; raises OSError where that cannot be."""
        self._error, self.failure = "", None
        self._child = self._start_child(self._name, arguments, self._came.emit)

    def ask(self, message: Message) -> None:
        """Write a line to the process, if there is one."""
        if self._child is not None:
            self._child.ask(message)

    def cancel(self) -> None:
        """Ask it to end, of which `ended` tells."""
        if self._child is not None:
            self._child.cancel()

    def close(self) -> bool:
        """End it and hear no more; False if it did not end in time."""
        child, self._child = self._child, None
        if child is None:
            return True
        child.cancel()
        return child.wait(CHILD_ENDS_WITHIN)

    def _take(self, message: Message) -> None:
        if self._child is None:
            return
        error = message.get("error")
        if isinstance(error, dict):
            self._error = str(error.get("text"))
        elif "ended" not in message:
            self.heard.emit(message)
        else:
            how = str(message["ended"])
            self.failure, self._child = self._child.error if how == "failed" else None, None
            self.ended.emit(how, self._error)
