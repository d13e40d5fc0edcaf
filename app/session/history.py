"""History: the documents so far. Undo gives back the identical object.

Documents share all that did not change, so a commit costs what it added. The list is capped by the sum of those sizes:
the oldest documents go first, the present one and those after it never.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields, is_dataclass

from engine.document import Document
from engine.edits import Edit
from engine.edits.deeds import Deed, Start, Step

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

    @property
    def before(self) -> Document | None:
        """The document just before the present one; None where that is the oldest."""
        return self._documents[self._position - 1] if self._position > 0 else None

    @property
    def size(self) -> int:
        """Bytes that the kept documents added, by the count of `added_bytes`."""
        return sum(self._sizes)

    @property
    def deeds(self) -> list[Deed]:
        """What leads from the oldest document that is kept to the present one and those after it."""
        done = [each.edit for each in self._entries[1:] if each.edit is not None]
        undone = len(self._entries) - 1 - self._position
        back = [Step("undo", undone)] if undone else []
        return [Start(self._documents[0], self._entries[0].label), *done, *back]

    @property
    def undo_entry(self) -> Entry | None:
        """What undo would take back."""
        return self._entries[self._position] if self._position > 0 else None

    @property
    def redo_entry(self) -> Entry | None:
        """What redo would do again."""
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
            full = True
        return full

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
