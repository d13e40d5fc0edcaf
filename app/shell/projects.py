"""Projects: questions and messages about project files, and the less usual ways to save them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session import FileOutcome, Session
from app.session.filing import SUFFIX, with_suffix
from app.session.project_file import Message, since
from app.session.project_steps import ProjectRead
from app.shell.file_kinds import PACKED

if TYPE_CHECKING:
    from app.shell.files import Files, Questions
    from engine.project.claim import Busy


class Projects(QObject):
    """The projects of one session."""

    def __init__(self, session: Session, questions: Questions, files: Files) -> None:
        super().__init__(files)
        self._session, self._questions, self._files = session, questions, files
        session.file.reported.connect(self._tell)
        session.filed.connect(self._take_outcome)

    def open(self, path: Path) -> None:
        """Open a project, or do what a log says; asks if somebody else has it open."""
        self._session.exchange.open(path, busy=self._ask_busy)

    def save_numbered(self) -> None:
        """Save under the next number, and go on there; asks for a name where there is none yet."""
        if self._files.waits_for_name(self.save_numbered):
            return
        if self._session.path is None:
            self._files.save_as()
        else:
            self._session.file.save(numbered=True)

    def pack(self) -> None:
        """Ask where, then write a copy for others."""
        suggested = self._files.beside(f"{self._files.name} to share{SUFFIX}")
        self._questions.where_to_save(PACKED, suggested, lambda path: self._session.file.pack(with_suffix(path)))

    def ask_to_replace(self, path: Path, then: Callable[[], None] | None) -> None:
        """Another program has changed the file that was to be saved."""
        session, history = self._session, self._session.history

        def answered(answer: Callable[[], None]) -> None:
            if session.history is history:
                answer()
            else:
                session.note("warning", f"{path.name} was not saved: something else is open by now.")

        self._questions.replace_changed(
            path.name,
            elsewhere=lambda: answered(lambda: self._files.save_as(then)),
            replace=lambda: answered(lambda: self._files.save_over(path, then)),
        )

    def _ask_busy(self, read: ProjectRead) -> None:
        file, busy = self._session.file, read.claim
        if TYPE_CHECKING:
            assert isinstance(busy, Busy)
        self._questions.open_twice(
            read.path.name,
            f"{busy.who}, since {since(busy)}",
            read_only=partial(file.take, read, read_only=True),
            anyway=partial(file.take, read),
            cancel=lambda: self._session.exchange.let_be(read.path, said="opened"),
        )

    def _take_outcome(self, outcome: FileOutcome) -> None:
        if outcome.kind == "open" and outcome.cause == "damaged":
            read = partial(self._session.file.open_sound, outcome.path)
            self._questions.open_sound(outcome.path.name, lambda: self._files.when_kept(read))

    def _tell(self, message: Message) -> None:
        self._questions.tell(message.title, message.text, message.lines)
