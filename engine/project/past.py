"""Past: an undo list as a file keeps it."""

from __future__ import annotations

from engine.document import Document
from engine.edits import Edit
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True)
class PastEntry:
    """One line: what was done, and the document that came out."""

    label: str
    edit: Edit | None  # None: how the document began, or an edit that this Sinew does not know
    document: Document


@dataclass(frozen=True)
class Past:
    """The lines, oldest first, and the place of the present one."""

    entries: tuple[PastEntry, ...]
    position: int

    @property
    def document(self) -> Document:
        """The present document."""
        return self.entries[self.position].document
