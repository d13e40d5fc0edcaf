"""Edits tried on a document, for a view that shows the result before the engine answers."""

from __future__ import annotations

from collections.abc import Callable

from engine.document import Document
from engine.edits import Edit
from engine.runtime.errors import EngineError


def foreseen(document: Document, wanted: Edit) -> Document | None:
    """Return the document as the edit would make it; None where it is refused, as at the ends of time."""
    try:
        return wanted.apply(document)
    except EngineError:
        return None


def attempted(make: Callable[[], Edit]) -> Edit | str:
    """Return the edit that is made; in words why there is none, as beyond the ends of time."""
    try:
        return make()
    except EngineError as error:
        return str(error)
