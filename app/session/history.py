"""History: the documents so far. Undo gives back the identical object.

Documents share all that did not change, so a commit costs what it changed. The list is capped by the memory that it
takes beside the newest document: the oldest go first, the present one and those after it never.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Self

from app.session.history_size import NOTHING, StepSize, step_size, totals
from engine.document import Document
from engine.edits import Edit
from engine.edits.command_log import LoggedCommand, Start, Step
from engine.project.past import Past, PastEntry
from engine.runtime.quick_dataclass import dataclass

BYTES_KEPT = 256 * 1024 * 1024


@dataclass(frozen=True)
class Entry:
    """One line of the history: what was done."""

    label: str
    edit: Edit | None = None  # what was done; None: how the document began
    said: str = ""  # what the engine found on the way, for the log

    @property
    def told(self) -> str:
        """The line of the log."""
        return f"{self.label}: {self.said}" if self.said else self.label

    @property
    def line(self) -> str:
        """The Python that does the same."""
        return self.edit.line if self.edit is not None else ""


class History:
    """Documents and the entries that led to them; `entries[position]` describes the present document."""

    def __init__(self, document: Document, entry: Entry, *, bytes_kept: int = BYTES_KEPT) -> None:
        self._documents = [document]
        self._entries = [entry]
        self._steps = [NOTHING]  # to each document from the one before
        self._position = 0
        self._bytes_kept = bytes_kept
        self.dropped = 0  # how many of the oldest have gone

    @classmethod
    def of(cls, past: Past, *, bytes_kept: int = BYTES_KEPT) -> Self:
        """Make the undo list that a file keeps, of its documents as many as the cap allows. Not for the window's
        thread: each document is compared with the one before it."""
        documents = [each.document for each in past.entries]
        pairs = zip(pairwise(documents), past.entries[1:], strict=True)
        steps = [NOTHING, *(step_size(old, new, each.edit) for (old, new), each in pairs)]
        first = min(_first_kept(documents[-1], steps, bytes_kept), past.position)
        made = cls(documents[first], Entry("", None), bytes_kept=bytes_kept)
        made._documents = documents[first:]
        made._entries = [Entry(each.label, each.edit) for each in past.entries[first:]]
        made._steps = [NOTHING, *steps[first + 1 :]]
        made._position = past.position - first
        return made

    @property
    def past(self) -> Past:
        """The history in the form that a file keeps."""
        lines = zip(self._entries, self._documents, strict=True)
        return Past(tuple(PastEntry(each.label, each.edit, document) for each, document in lines), self._position)

    def past_to(self, was: Past) -> Past:
        """Return the past as it stood when it `was` that, with what was read since of what led to it, without what was
        done since."""
        past, at = self.past, self.position_of(was.document)
        if at is None:  # undone, and gone for something else
            before = past.entries[: self.position_of(was.entries[0].document) or 0]
            return Past((*before, *was.entries), len(before) + was.position)
        return past if at == self._position else Past(past.entries[: at + 1], at)

    @property
    def newest(self) -> Entry:
        """The entry that was added last."""
        return self._entries[-1]

    @property
    def oldest(self) -> Document:
        """The first document that is kept."""
        return self._documents[0]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first; the first one is how the document began, or the oldest that is still kept."""
        return tuple(self._entries)

    @property
    def position(self) -> int:
        """Place of the present document in `entries`."""
        return self._position

    @property
    def document(self) -> Document:
        """The present document."""
        return self._documents[self._position]

    def position_of(self, document: Document | None) -> int | None:
        """Find where that very document stands; the newest place, if it does."""
        places = range(len(self._documents) - 1, -1, -1)
        return next((each for each in places if self._documents[each] is document), None)

    @property
    def before(self) -> Document | None:
        """The document just before the present one; None where that is the oldest."""
        return self._documents[self._position - 1] if self._position > 0 else None

    @property
    def size(self) -> int:
        """Bytes that are held beside the newest document."""
        return max(totals(self._documents[-1], self._steps[:0:-1]), default=0)

    @property
    def command_log(self) -> list[LoggedCommand]:
        """The commands that lead to the present document and those after it: from the oldest, or behind a line that
        cannot be done again, as one of a file that another Sinew has written."""
        unknown = [place for place, each in enumerate(self._entries) if place and each.edit is None]
        start = max((place for place in unknown if place <= self._position), default=0)
        end = min((place for place in unknown if place > self._position), default=len(self._entries))
        done = [each.edit for each in self._entries[start + 1 : end] if each.edit is not None]
        undone = end - 1 - self._position
        back = [Step("undo", undone)] if undone else []
        return [Start(self._documents[start], self._entries[start].label), *done, *back]

    @property
    def undo_entry(self) -> Entry | None:
        """The entry that undo would take back."""
        return self._entries[self._position] if self._position > 0 else None

    @property
    def redo_entry(self) -> Entry | None:
        """The entry that redo would do again."""
        return self._entries[self._position + 1] if self._position + 1 < len(self._entries) else None

    def add(self, document: Document, entry: Entry) -> bool:
        """Make `document` the present one; what was undone before is gone. Whether the oldest had to go, too."""
        place = self._position + 1
        step = step_size(self.document, document, entry.edit)
        self._documents[place:], self._entries[place:], self._steps[place:] = [document], [entry], [step]
        self._position = place
        first = _first_kept(document, self._steps, self._bytes_kept)
        del self._documents[:first], self._entries[:first], self._steps[:first]
        self._steps[0] = NOTHING
        self._position -= first
        self.dropped += first
        return first > 0

    def put_instead(self, document: Document, entry: Entry) -> bool:
        """Make `document` the present one in the place of that, which is the newest: what was done went further.
        Whether the oldest had to go."""
        assert 0 < self._position == len(self._documents) - 1, "only the newest, and only what was done"
        self._position -= 1
        return self.add(document, entry)

    def put_before(self, past: Past, steps: Sequence[StepSize]) -> None:
        """Put what led to the first document before it, with what each line of it takes; it ends with that document, or
        goes on with what was undone then, which is lost if something was done since."""
        place, more = past.position, past.entries if len(self._entries) == 1 else past.entries[: past.position + 1]
        first = self._documents[0]
        self._entries[:1] = [Entry(each.label, each.edit) for each in more]
        self._documents[:1] = [first if number == place else each.document for number, each in enumerate(more)]
        self._steps[:1] = steps[: len(more)]
        self._position += place

    def go_to(self, position: int) -> Document:
        """Make the document of that entry the present one; outside the list the nearest end is meant."""
        self._position = max(0, min(position, len(self._entries) - 1))
        return self.document


def _first_kept(newest: Document, steps: Sequence[StepSize], most: int) -> int:
    """Find the place of the oldest document that may stay: no more bytes than `most` are kept of those before the
    newest."""
    return len(steps) - 1 - sum(total <= most for total in totals(newest, steps[:0:-1]))
