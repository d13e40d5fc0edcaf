"""SceneJob: work in a process of its own on what is open.

The engine's thread writes the scene for that process, in a folder that is gone afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.engine_link import EngineLink
from app.session.live_query import LiveQuery, Question
from app.session.long_job import NOT_STARTED, LongJob, StartChild, start_child
from app.session.states import JobState
from engine.document import Document
from engine.runtime.time_left import ToldTimeLeft

if TYPE_CHECKING:
    from engine.runtime.child import Json, Message

SCENE = "scene.sinew"


class SceneJob(LongJob):
    """Work on a document, shown in the job area under a name that is its key of the worker, too."""

    job_changed = Signal(object)  # JobState

    def __init__(
        self, parent: QObject | None, link: EngineLink, name: str, key: str, start_child: StartChild = start_child
    ) -> None:
        super().__init__(parent, name, start_child)
        self._key, self._text = key, ""
        self.left: ToldTimeLeft | None = None  # of one that tells how long it still takes
        self._folder: TemporaryDirectory[str] | None = None
        self._arguments: dict[str, Json] = {}
        self._writing = LiveQuery(self, link, key, self._go_on, refuse=lambda problem: self.leave(), late=False)
        self.heard.connect(self._hear)

    @property
    def running(self) -> bool:
        """True if it is under way, from the writing of the scene on."""
        return self._folder is not None

    def begin(self, text: str, document: Document, arguments: Callable[[Path], dict[str, Json]]) -> None:
        """Write the scene, then start the process with these arguments of the folder, and that of the scene's file."""
        try:
            self._folder = TemporaryDirectory(prefix=f"sinew-{self._key}-", ignore_cleanup_errors=True)
        except OSError as problem:
            self.ended.emit(NOT_STARTED, str(problem))
            return
        folder = Path(self._folder.name)
        scene = folder / SCENE
        self._text, self._arguments = text, {"scene": str(scene), **arguments(folder)}
        self._show(0.0)
        self._writing.ask(Question(work=lambda: _write(scene, document)))

    def cancel(self) -> None:
        """End it."""
        if self._child is not None:
            self._child.cancel()
        elif self.running:
            self._writing.stop()
            self.leave()

    def close(self) -> bool:
        """End it and hear no more; False if it did not end in time."""
        ended = super().close()
        self.leave()
        return ended

    def leave(self) -> None:
        """Be done with it, once the process has ended: the folder goes."""
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()
            self.job_changed.emit(JobState(name=self._key, text="", running=False))

    def _go_on(self, scene: Path | None) -> None:
        if scene is None or not self.running:
            return
        try:
            self.start(self._arguments)
        except OSError as problem:
            self.leave()
            self.ended.emit(NOT_STARTED, str(problem))

    def _hear(self, message: Message) -> None:
        fraction, left = message.get("progress"), message.get("left")
        if self.left is not None:
            self.left.tell(float(left) if isinstance(left, int | float) else None)
        if isinstance(fraction, int | float):
            self._show(float(fraction))

    def _show(self, fraction: float) -> None:
        self.job_changed.emit(JobState(name=self._key, text=self._text, fraction=fraction, left=self.left))


def _write(scene: Path, document: Document) -> Generator[Path, None, None]:
    from engine.formats import sinew

    sinew.write(scene, document)
    yield scene
