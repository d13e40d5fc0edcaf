"""LiveQuery: asks the engine's thread the same thing of each document that is shown, and hears the answers.

Whoever shows them says what is to be seen whenever something has changed, as a `Question`. The question before is not
asked anew; where nothing is to be seen, what is under way ends.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject

from app.session.engine_link import EngineLink
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.document import Document
    from engine.runtime.worker import PublishedFrame

AnswerT = TypeVar("AnswerT")
FoundT = TypeVar("FoundT", covariant=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Question(Generic[FoundT]):
    """A question to the engine: `of` objects that are the same or not, `about` values that are equal or not."""

    work: Callable[[], Generator[FoundT | None, None, None]]  # on the engine's thread
    of: tuple[object, ...] = ()
    about: object = None
    document: Document | None = None  # whose poses are worked out
    needs: Iterable[str] = ()  # purposes of kernels, beside those

    def is_like(self, other: Question[object] | None) -> bool:
        """True if both have the same answer."""
        if other is None or len(self.of) != len(other.of) or self.about != other.about:
            return False
        return all(mine is its for mine, its in zip(self.of, other.of, strict=True))


class LiveQuery(QObject, Generic[AnswerT]):
    """One key of the worker."""

    def __init__(
        self,
        parent: QObject,
        engine: EngineLink,
        key: Hashable,
        show: Callable[[AnswerT | None], None],
        *,
        refuse: Callable[[BaseException], None] | None = None,
        late: bool = True,
    ) -> None:
        """`show` gets each answer, and None where nothing is to be seen; `refuse` hears why the newest question has
        none. A question that another supersedes is answered, too, while that one waits (`late`), or never."""
        super().__init__(parent)
        self._engine, self._key, self._late = engine, key, late
        self._show, self._refuse = show, refuse
        self._ticket = 0
        self.question: Question[AnswerT] | None = None  # the newest
        engine.answered.connect(self._take)
        engine.failed.connect(self._take_failure)

    def follow(self, question: Question[AnswerT] | None) -> bool:
        """Ask, unless it is the question before; None: see nothing. True if it was asked."""
        if question is None:
            self.stop()
        elif not question.is_like(self.question):
            self.ask(question)
            return True
        return False

    def ask(self, question: Question[AnswerT]) -> None:
        """Ask, even if it is the question before."""
        self.question = question
        self._ticket = self._engine.submit(
            self._key, question.work, document=question.document, needs=question.needs, after_first_frame=self._late
        )

    def stop(self) -> None:
        """See nothing."""
        if self.question is not None:
            self.question = None
            self._engine.cancel(self._key)
        self._show(None)

    def forget(self) -> None:
        """Ask the next question, be it the last one again."""
        self.question = None

    def _take(self, key: Hashable, frame: PublishedFrame) -> None:
        is_meant = key == self._key and self.question is not None and (self._late or frame.ticket == self._ticket)
        if is_meant and frame.value is not None:
            self._show(frame.value)  # type: ignore[arg-type]

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if key == self._key and ticket == self._ticket and self._refuse is not None:
            self._refuse(problem)
