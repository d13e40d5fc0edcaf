"""The command log: what was done to a document, in order and complete, so that it can be done again in any process.

A command log begins with a document as it stood; after it come edits, and steps back and forward through them. The
lines that a person reads shorten long arguments; a command never does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine.document import Document
from engine.edits import Edit
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class Start:
    """A document that was begun or opened."""

    document: Document
    how: str  # what a person reads in the history


@dataclass(frozen=True)
class Step:
    """A step of so many changes back, or forward again."""

    way: Literal["undo", "redo"]
    count: int = 1

    @property
    def line(self) -> str:
        """The Python line that does the same."""
        return f"document = history.{self.way}({'' if self.count == 1 else self.count})"


LoggedCommand = Start | Edit | Step


class Replay:
    """Replays commands, one after the other."""

    def __init__(self) -> None:
        self._documents: list[Document] = []
        self._position = -1

    @property
    def document(self) -> Document:
        """The document that the commands so far have made."""
        if self._position < 0:
            raise InvalidArguments(what="the first command", value="none", allowed="the document that others change")
        return self._documents[self._position]

    def do(self, command: LoggedCommand) -> None:
        """Do one more command, or refuse it whole where it does not fit the document."""
        if isinstance(command, Start):
            self._documents, self._position = [command.document], 0
        elif isinstance(command, Step):
            self._step(command)
        else:
            changed = command.apply(self.document)
            if changed is not self.document:
                self._documents[self._position + 1 :] = [changed]
                self._position += 1

    def _step(self, step: Step) -> None:
        there = self._position + (step.count if step.way == "redo" else -step.count)
        if step.count < 1 or not 0 <= there < len(self._documents):
            allowed = f"1 to {self._position if step.way == 'undo' else len(self._documents) - 1 - self._position}"
            raise InvalidArguments(what=f"how many changes to {step.way}", value=step.count, allowed=allowed)
        self._position = there


def replay(commands: Iterable[LoggedCommand]) -> Document:
    """Replay commands from an empty session to a document."""
    again = Replay()
    for command in commands:
        again.do(command)
    return again.document
