"""History: the documents so far. Undo gives back the identical object.

Documents share all that did not change, so a commit costs what it added. The list is capped by the sum of those sizes:
the oldest documents go first, the present one and those after it never.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import accumulate, pairwise
from typing import Self

from engine.document import Document
from engine.edits import Edit
from engine.edits.command_log import LoggedCommand, Start, Step
from engine.project.past import Past, PastEntry

BYTES_KEPT = 256 * 1024 * 1024


@dataclass(frozen=True)
class Entry:
    """One line of the history: what was done."""

    label: str
    edit: Edit | None = None  # what was done; None: how the document began

    @property
    def line(self) -> str:
        """The Python that does the same."""
        return self.edit.line if self.edit is not None else ""


class History:
    """Documents and the entries that led to them; `entries[position]` describes the present document."""

    def __init__(self, document: Document, entry: Entry, *, bytes_kept: int = BYTES_KEPT) -> None:
        self._documents = [document]
        self._entries = [entry]
        self._sizes = [0]  # the first document is there anyway
        self._position = 0
        self._bytes_kept = bytes_kept
        self.dropped = 0  # how many of the oldest have gone

    @classmethod
    def of(cls, past: Past, *, bytes_kept: int = BYTES_KEPT) -> Self:
        """Make the undo list that a file keeps, of its documents as many as the cap allows. Not for the window's
        thread: each document is compared with the one before it."""
        documents = [each.document for each in past.entries]
        sizes = [added_bytes(old, new) for old, new in pairwise(documents)]
        newest_first = accumulate(reversed(sizes), initial=0)
        kept = max(sum(size <= bytes_kept for size in newest_first), len(documents) - past.position)
        first = len(documents) - kept
        made = cls(documents[first], Entry("", None), bytes_kept=bytes_kept)
        made._documents = documents[first:]
        made._entries = [Entry(each.label, each.edit) for each in past.entries[first:]]
        made._sizes = [0, *sizes[first:]]
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
        """Bytes that the kept documents added, by the count of `added_bytes`."""
        return sum(self._sizes)

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
        del (
            self._documents[self._position + 1 :],
            self._entries[self._position + 1 :],
            self._sizes[self._position + 1 :],
        )
        self._sizes.append(added_bytes(self.document, document))
        self._documents.append(document)
        self._entries.append(entry)
        self._position += 1
        full = False
        while self._position > 0 and self.size > self._bytes_kept:
            del self._documents[0], self._entries[0], self._sizes[0]
            self._sizes[0] = 0
            self._position -= 1
            self.dropped += 1
            full = True
        return full

    def put_instead(self, document: Document, entry: Entry) -> bool:
        """Make `document` the present one in the place of that, which is the newest: what was done went further.
        Whether the oldest had to go."""
        assert 0 < self._position == len(self._documents) - 1, "only the newest, and only what was done"
        self._position -= 1
        return self.add(document, entry)

    def put_before(self, past: Past, sizes: Sequence[int]) -> None:
        """Put what led to the first document before it, with what each line of it added; it ends with that document, or
        goes on with what was undone then, which is lost if something was done since."""
        place, more = past.position, past.entries if len(self._entries) == 1 else past.entries[: past.position + 1]
        first = self._documents[0]
        self._entries[:1] = [Entry(each.label, each.edit) for each in more]
        self._documents[:1] = [first if number == place else each.document for number, each in enumerate(more)]
        self._sizes[:1] = sizes[: len(more)]
        self._position += place

    def go_to(self, position: int) -> Document:
        """Make the document of that entry the present one; outside the list the nearest end is meant."""
        self._position = max(0, min(position, len(self._entries) - 1))
        return self.document


def added_bytes(old: object, new: object) -> int:
    """Bytes that `new` holds and `old` does not: a walk over both that stops wherever they share an object."""
    if new is old or new is None or isinstance(new, bool):
        return 0
    size = sys.getsizeof(new)
    if isinstance(new, tuple):
        before = old if isinstance(old, tuple) else ()
        shared = {id(each) for each in before}
        padded = before + (None,) * (len(new) - len(before))
        pairs = zip(padded, new, strict=False)
        return size + sum(added_bytes(was, each) for was, each in pairs if id(each) not in shared)
    if is_dataclass(new) and not isinstance(new, type):
        same = old if type(old) is type(new) else None
        names = [each.name for each in fields(new)]
        return size + sum(added_bytes(getattr(same, name, None), getattr(new, name)) for name in names)
    return size
