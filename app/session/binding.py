"""Binding: a mesh becomes a skin of a figure in a process of its own; the end of it is one edit.

The engine's thread reads its answer, in the folder of the job.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal

from app.session.engine_link import EngineLink
from app.session.live_query import LiveQuery, Question
from app.session.long_job import NOT_STARTED
from app.session.scene_job import SceneJob
from engine.document import Document, Skin
from engine.document.values import new_id

BIND = "bind"  # the key, and the name of the job area's line
ANSWER = "bound.skin.npz"


class Binding(SceneJob):
    """At most one mesh that is being bound."""

    bound = Signal(str, object)  # id of the actor, Skin
    failed = Signal(str)  # why

    def __init__(self, link: EngineLink) -> None:
        super().__init__(None, link, "bind_skin", BIND)
        self._actor, self._mesh = "", Path()
        self._reading = LiveQuery(self, link, BIND, self._take_skin, refuse=lambda problem: self.leave(), late=False)
        self.ended.connect(self._take_end)

    def bind(self, document: Document, actor: str, time: int, mesh: Path) -> None:
        """Bind a mesh file to an actor as it stands at a time [ticks]."""
        assert not self.running, "asked for one after the other"
        self._actor, self._mesh = actor, mesh
        self.begin(
            f"Binding {mesh.name}",
            document,
            lambda folder: {
                "actor": actor,
                "time": time,
                "mesh": str(mesh.absolute()),
                "out": str(folder / ANSWER),
            },
        )

    def _take_end(self, how: str, error: str) -> None:
        if how == "done":
            answer, name = Path(str(self._arguments["out"])), self._mesh.name.split(".")[0]
            self._reading.ask(Question(work=lambda: _read(answer, name)))
            return
        self.leave()
        if how in ("failed", NOT_STARTED):
            error = error or "the process that binds it ended without an answer"
            self.failed.emit(error[:1].upper() + error[1:])

    def _take_skin(self, skin: Skin | None) -> None:
        if skin is not None and self.running:
            self.leave()
            self.bound.emit(self._actor, skin)


def _read(path: Path, name: str) -> Generator[Skin, None, None]:
    from engine.formats import skin_npz

    yield replace(skin_npz.read(path), id=new_id("skin"), name=name)
