"""LiveReport: hears what the engine says of the actor that a panel shows, at the playhead, while somebody sees it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from app.session.live_query import LiveQuery, Question
from app.session.session import Session
from engine.document import Actor, Document

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator

ReportT = TypeVar("ReportT")
Work = Callable[["Evaluator", Document, str, int], Generator[ReportT | None, None, None]]


class LiveReport(QObject, Generic[ReportT]):
    """One report, of whichever actor is meant."""

    changed = Signal()

    def __init__(
        self, session: Session, key: Hashable, needs: str, owner: Callable[[], Actor | None], work: Work[ReportT]
    ) -> None:
        """`work` makes the report of an actor at a time, with the kernels of the purpose `needs`."""
        super().__init__(session)
        self._session, self._needs, self._owner, self._work = session, needs, owner, work
        self.value: ReportT | None = None
        self._watched = False
        self._query: LiveQuery[ReportT] = LiveQuery(self, session.engine, key, self._take)

    def watch(self, watched: bool) -> None:
        """Ask the engine while somebody sees the answer."""
        self._watched = watched
        self.ask()

    def ask(self, *, again: bool = False) -> None:
        """Ask of what is shown now; `again`, though it is the question before."""
        owner, evaluator = self._owner() if self._watched else None, self._session.engine.evaluator
        if owner is None or evaluator is None:
            self._query.stop()
            return
        document, about, work = self._session.shown, (owner.id, self._session.playhead), self._work
        question = Question(
            work=lambda: work(evaluator, document, *about),
            of=(document,),
            about=about,
            document=document,
            needs=(self._needs,),
        )
        if again:
            self._query.ask(question)
        else:
            self._query.follow(question)

    def _take(self, value: ReportT | None) -> None:
        if value != self.value:
            self.value = value
            self.changed.emit()
