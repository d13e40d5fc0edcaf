"""One window for all tests of a process that need no window of their own: opened when the first one asks for it, made
fresh for each, and closed at the end. One in which a test failed is not trusted: the next test gets a new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from app.session.actors import new_document
from app.shell.files import Questions
from engine.document import Document
from tests.face import Face, differences, face
from tests.stage import Stage, stage

SIZE = (1280, 800)


@dataclass(frozen=True)
class Arranged:
    """The window as the tests of a file want it."""

    shared: OneWindow
    size: tuple[int, int] = SIZE
    questions: Questions | None = None

    def anew(self, document: Document | None = None) -> AbstractContextManager[Stage]:
        """For one test, as new."""
        return self.shared.begun(document, size=self.size, questions=self.questions)


class OneWindow:
    """The window, while there is one."""

    def __init__(self) -> None:
        self._closing = ExitStack()
        self._opened: Stage | None = None
        self._blank = new_document()
        self._first: Face = {}
        self._used = self._is_spoilt = False

    @contextmanager
    def begun(
        self,
        document: Document | None = None,
        *,
        size: tuple[int, int] = SIZE,
        questions: Questions | None = None,
    ) -> Iterator[Stage]:
        """For one test, as new."""
        opened, self._used = self.open(), True
        with opened.anew(document, size=size, questions=questions) as begun:
            yield begun

    def arranged(self, *, size: tuple[int, int] = SIZE, questions: Questions | None = None) -> Arranged:
        """For the tests of a file."""
        return Arranged(self, size, questions)

    def open(self) -> Stage:
        """Opened unless it is; anew after a test that failed."""
        if self._is_spoilt:
            self.close()
        if self._opened is None:
            self._opened = self._closing.enter_context(stage(self._blank, size=SIZE, seen=False))
            self._first = self._seen()
        return self._opened

    @property
    def windows(self) -> list[QWidget]:
        """It, if it is open."""
        return [] if self._opened is None else [self._opened.window]

    def close(self) -> None:
        """For good, or until it is opened again."""
        self._opened, self._used, self._is_spoilt = None, False, False
        self._closing.close()

    def spoil(self) -> None:
        """The next one that asks gets a new one."""
        self._is_spoilt = True

    def what_is_left(self) -> list[str]:
        """In what it differs from a new one since it was looked at last, if it was used."""
        if self._opened is None or not self._used:
            return []
        self._used = False
        return differences(self._first, self._seen())

    def _seen(self) -> Face:
        with self.open().anew(self._blank, size=SIZE):
            return face(self.open())
