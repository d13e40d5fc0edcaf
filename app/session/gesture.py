"""Gesture: one drag. Each preview goes to the engine and comes back with its picture; finishing commits the last one.

A gesture stays open until its last answer is in, so that what is committed is what was seen. A gesture that begins
while another is open waits for its turn and remembers only its newest preview.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from app.session.history import Entry
from engine.command import Command
from engine.document import Document
from engine.edits import Edit
from engine.runtime.quick_dataclass import dataclass

EditOrCommand = Edit | Command
GestureState = Literal["waiting", "open", "finishing", "ended"]
GIVEN_UP = "The drag was given up; nothing has changed."


@dataclass(frozen=True, eq=False)
class Preview:
    """A document that may be committed, and the edit that made it."""

    document: Document
    edit: Edit
    report: object = None  # the engine's report of it

    def entry(self, label: str) -> Entry:
        """Give the line of the history, with what the report says in words, where it does."""
        words = getattr(self.report, "words", ())
        return Entry(label, self.edit, "; ".join(words) if isinstance(words, tuple) else "")


class Gesture:
    """Made by `Session.begin_gesture`; a person's hand calls `preview`, then `finish` or `cancel`."""

    def __init__(
        self,
        label: str,
        *,
        ask: Callable[[EditOrCommand], int],
        ended: Callable[[Gesture, Preview | None], None],
        may: Callable[[EditOrCommand], bool] = lambda command: True,
    ) -> None:
        """`ask` submits a command and gives its ticket; `ended` is called once, with what is to be committed. What it
        may not do (`may`) ends it."""
        self.label = label
        self.goes_on = False  # whether it is a part of what was done last, and no entry of its own
        self.yields = False  # whether it stands until a person keeps it, and ends where anything else is done meanwhile
        self.state: GestureState = "waiting"
        self._ask = ask
        self._ended = ended
        self._may = may
        self._command: EditOrCommand | None = None
        self._first_ticket = 0
        self._ticket = 0
        self._again = 0  # the ticket of what was asked for again last
        self._answer: tuple[int, Preview] | None = None
        self._finish_wanted = False

    def preview(self, command: EditOrCommand) -> None:
        """Show the document as `wish` would make it. It applies to the document before the gesture."""
        if self.state not in ("waiting", "open") or self._finish_wanted:
            return
        if not self._may(command):
            self.cancel()
            return
        self._command = command
        if self.state == "open":
            self._submit(command)

    def finish(self) -> None:
        """Commit the last preview, once its answer is in."""
        self.yields = False
        if self.state == "waiting":
            self._finish_wanted = True
        elif self.state == "open":
            self.state = "finishing"
            self._settle()

    def cancel(self) -> None:
        """Leave the document as it was before the gesture."""
        if self.state == "waiting":
            self.state = "ended"
        elif not self.is_over:
            self._end(None)

    def begin(self) -> None:
        """Begin; the session says that it is this gesture's turn."""
        self.state = "open"
        if self._command is not None:
            self._submit(self._command)
        if self._finish_wanted:
            self.finish()

    @property
    def is_over(self) -> bool:
        """True if it has ended, kept or not: nothing that is asked of it does anything any more."""
        return self.state == "ended"

    @property
    def caught_up(self) -> bool:
        """True if the answer to the newest preview is in."""
        return self._answer is not None and self._answer[0] == self._ticket

    def asked(self, ticket: int) -> bool:
        """True if the ticket is one of this gesture's; an answer to the gesture before may come late."""
        return not self.is_over and 0 < self._first_ticket <= ticket

    def has_passed(self, ticket: int) -> bool:
        """True if the ticket is that of something asked for again before something newer was wanted: it was seen once,
        and what is newer need not wait for another picture of it."""
        return ticket == self._again != self._ticket

    def answered(self, ticket: int, preview: Preview, *, goes_on: bool = False) -> None:
        """Take the engine's answer to one preview. One that `goes_on` would come nearer with more time: if nothing
        newer is wanted, it is asked for again, and only the last such answer is committed."""
        self._answer = (ticket, preview)
        if goes_on and self.caught_up and self._command is not None:
            self._submit(self._command)
            self._again = self._ticket
        elif self.state == "finishing":
            self._settle()

    def failed(self) -> None:
        """End without a result: the engine could not answer."""
        self.cancel()

    def _submit(self, command: EditOrCommand) -> None:
        self._ticket = self._ask(command)
        self._first_ticket = self._first_ticket or self._ticket

    def _settle(self) -> None:
        if self._command is None:
            self._end(None)
        elif self._answer is not None and self._answer[0] == self._ticket:
            self._end(self._answer[1])

    def _end(self, preview: Preview | None) -> None:
        self.state = "ended"
        self._ended(self, preview)


NO_GESTURE = Gesture("", ask=lambda command: 0, ended=lambda gesture, preview: None)
"""For a hand that holds nothing: it is over."""
NO_GESTURE.cancel()
