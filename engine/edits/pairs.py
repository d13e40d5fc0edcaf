"""Two changes as one: an edit, and what was worked out because of it, such as the correction that meets targets again.

Each is a record: the name of an edit and its arguments. Where the second is refused, neither is made.
"""

from __future__ import annotations

from engine.document import Document
from engine.edits import Edit, edit

Record = tuple[str, tuple[tuple[str, object], ...]]


def do_both(document: Document, *, first: Record, then: Record) -> Document:
    """Make one change, then another in what comes of it."""
    return _made(then).apply(_made(first).apply(document))


def _made(record: Record) -> Edit:
    name, arguments = record
    return edit(name, **dict(arguments))
