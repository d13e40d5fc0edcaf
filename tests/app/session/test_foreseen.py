"""What an edit would make of a document, without doing it."""

from __future__ import annotations

from app.session.foreseen import foreseen
from engine.document import Document
from engine.edits import edit


def test_a_document_is_foreseen_and_what_would_be_refused_is_not() -> None:
    document = Document()
    changed = foreseen(document, edit("set_rate", frames=25))
    assert changed is not None
    assert changed.rate == (25, 1)
    assert document.rate != (25, 1)
    assert foreseen(document, edit("set_rate", frames=0)) is None
