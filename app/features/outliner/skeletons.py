"""Skeletons: adds the skeleton with its muscles to the scene. Its file is read on the engine's thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session import Item, actors
from app.session.live_query import LiveQuery, Question
from engine.edits import edit

if TYPE_CHECKING:
    from app.session import Session
    from engine.document import Figure
    from engine.document.parts import Part

KEY = "skeleton"  # of the worker


class Skeletons(QObject):
    """Those of one session."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._reading: LiveQuery[tuple[Figure, tuple[Part, ...]]] = LiveQuery(
            self, session.engine, KEY, self._take, late=False
        )

    def add(self) -> None:
        """Add one beside what is there, once its file is read."""
        self._reading.ask(Question(work=actors.read_skeleton))

    def _take(self, found: tuple[Figure, tuple[Part, ...]] | None) -> None:
        if found is not None:
            actor = actors.skeleton(self._session.document, *found)
            self._session.do(edit("add_actor", actor=actor), choose=Item(actor.id))
