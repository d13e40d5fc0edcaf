"""LiveReport: hears what the engine says of the actor that a panel shows, at the playhead, while somebody sees it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from app.session.live_query import LiveQuery, Question
from app.session.session import Session
from engine.document import Actor

ReportT = TypeVar("ReportT")
Work = Callable[..., Generator[ReportT | None, None, None]]  # of an evaluator, a document, an actor, a time and more


class LiveReport(QObject, Generic[ReportT]):
    """One report, of whichever actor is meant."""

    changed = Signal()

    def __init__(
        self,
        session: Session,
        key: Hashable,
        needs: str,
        owner: Callable[[], Actor | None],
        work: Work[ReportT],
        *,
        chosen: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        """`work` makes the report of an actor at a time, with the kernels of the purpose `needs`, on the engine's
        thread; what is `chosen` as it is asked is given to it after the time."""
        super().__init__(session)
        self._session, self._needs, self._owner, self._work = session, needs, owner, work
        self._chosen = chosen
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
        document, work = self._session.shown, self._work
        about = (owner.id, self._session.playhead, *self._chosen())
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
