"""Binding: a mesh becomes a skin of a figure in a process of its own; the end of it is one edit.

The engine's thread writes the scene for that process and reads its answer, in a folder that is gone afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from app.session.engine_link import CHILD_ENDS_WITHIN, ChildLike, EngineLink
from app.session.states import JobState
from engine.document import Document, Skin
from engine.document.values import new_id

if TYPE_CHECKING:
    from engine.runtime.child import ChildJob, Json, Message
    from engine.runtime.worker import Frame

BIND = "bind"  # the key, and the name of the job area's line
SCENE, ANSWER = "scene.sinew", "bound.skin.npz"

StartChild = Callable[["dict[str, Json]", "Callable[[Message], None]"], ChildLike]


def _child(arguments: dict[str, Json], on_message: Callable[[Message], None]) -> ChildJob:
    from engine.runtime.child import ChildJob

    return ChildJob("bind_skin", arguments, on_message=on_message)


class Binding(QObject):
    """At most one mesh that is being bound."""

    job_changed = Signal(object)  # JobState
    bound = Signal(str, object)  # id of the actor, Skin
    failed = Signal(str)  # why
    _message_came = Signal(object)

    def __init__(self, link: EngineLink, *, start_child: StartChild = _child) -> None:
        super().__init__()
        self._link, self._start_child = link, start_child
        self._folder: TemporaryDirectory[str] | None = None
        self._child: ChildLike | None = None
        self._actor, self._mesh, self._time = "", Path(), 0
        self._error = ""
        link.answered.connect(self._take_answer)
        link.failed.connect(self._take_failure)
        self._message_came.connect(self._take_message, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """Whether a mesh is being bound."""
        return self._folder is not None

    def start(self, document: Document, actor: str, time: int, mesh: Path) -> None:
        """Bind a mesh file to an actor as it stands at a time [ticks]."""
        assert not self.running, "asked for one after the other"
        self._folder = TemporaryDirectory(prefix="sinew-bind-")
        self._actor, self._mesh, self._time, self._error = actor, mesh, time, ""
        scene = Path(self._folder.name, SCENE)
        self._show(0.0)
        self._link.submit(BIND, lambda: _write(scene, document), document=None)

    def cancel(self) -> bool:
        """End it; False if there is none."""
        if not self.running:
            return False
        if self._child is not None:
            self._child.cancel()
        else:
            self._link.cancel(BIND)
            self._end()
        return True

    def close(self) -> bool:
        """End the process; False if it did not end in time."""
        ended = True
        if self._child is not None:
            self._child.cancel()
            ended = self._child.wait(CHILD_ENDS_WITHIN)
        self._child = None
        self._end()
        return ended

    def _take_answer(self, key: Hashable, frame: Frame) -> None:
        if key != BIND or self._folder is None:
            return
        if isinstance(frame.value, Skin):
            actor = self._actor
            self._end()
            self.bound.emit(actor, frame.value)
        elif self._child is None:
            folder = Path(self._folder.name)
            arguments: dict[str, Json] = {
                "scene": str(folder / SCENE),
                "actor": self._actor,
                "time": self._time,
                "mesh": str(self._mesh.absolute()),
                "out": str(folder / ANSWER),
            }
            self._child = self._start_child(arguments, self._message_came.emit)

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if key == BIND and self.running:
            self._end()  # the session's log has said why

    def _take_message(self, message: Message) -> None:
        if self._folder is None:
            return
        fraction, error = message.get("progress"), message.get("error")
        if isinstance(fraction, int | float):
            self._show(float(fraction))
        elif isinstance(error, dict):
            self._error = str(error.get("text"))
        elif "ended" in message:
            self._take_end(str(message["ended"]), Path(self._folder.name))

    def _take_end(self, how: str, folder: Path) -> None:
        self._child = None
        if how == "done":
            name = self._mesh.name.split(".")[0]
            self._link.submit(BIND, lambda: _read(folder / ANSWER, name), document=None)
            return
        error = self._error or "the process that binds it ended without an answer"
        self._end()
        if how == "failed":
            self.failed.emit(error[:1].upper() + error[1:])

    def _show(self, fraction: float) -> None:
        self.job_changed.emit(JobState(name=BIND, text=f"Binding {self._mesh.name}", fraction=fraction))

    def _end(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
            self.job_changed.emit(JobState(name=BIND, text="", running=False))


def _write(scene: Path, document: Document) -> Generator[Path, None, None]:
    from engine.formats import sinew

    sinew.write(scene, document)
    yield scene


def _read(path: Path, name: str) -> Generator[Skin, None, None]:
    from engine.formats import skin_npz

    yield replace(skin_npz.read(path), id=new_id("skin"), name=name)
