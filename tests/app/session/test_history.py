"""History: identical documents, a cap by bytes, jumps."""

from __future__ import annotations

from app.session import Entry, History
from app.session.history import added_bytes
from engine.document import Document
from engine.edits import edit


def turned(document: Document, value: float) -> Document:
    return edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value).apply(document)


def test_undo_and_redo_give_identical_objects(document: Document) -> None:
    history = History(document, Entry("New"))
    second = turned(document, 0.5)
    history.add(second, Entry("Turn"))
    assert history.go_to(0) is document
    assert history.go_to(1) is second


def test_a_change_after_undo_drops_what_was_undone(document: Document) -> None:
    history = History(document, Entry("New"))
    for value in (0.1, 0.2, 0.3):
        history.add(turned(history.document, value), Entry(f"Turn {value}"))
    history.go_to(1)
    history.add(turned(history.document, 0.9), Entry("Other"))
    assert [entry.label for entry in history.entries] == ["New", "Turn 0.1", "Other"]
    assert history.position == 2
    assert history.redo_entry is None


def test_jumps_stay_within_the_list(document: Document) -> None:
    history = History(document, Entry("New"))
    history.add(turned(document, 0.4), Entry("Turn"))
    assert history.go_to(99) is history.document
    assert history.position == 1
    assert history.go_to(-5) is document
    assert history.position == 0


def test_a_commit_costs_what_it_added_not_the_document(document: Document) -> None:
    whole = added_bytes(None, document)
    one_value = added_bytes(document, turned(document, 0.5))
    assert added_bytes(document, document) == 0
    assert 0 < one_value < whole / 3


def test_only_what_is_new_in_a_longer_tuple_is_counted() -> None:
    """A row of tuples: 40 bytes and 8 for each element."""
    first, second = (1.5,), (2.5, 3.5)
    assert added_bytes((first,), (first, second)) == (40 + 2 * 8) + (40 + 2 * 8) + 2 * 24


def test_the_oldest_documents_go_when_the_cap_is_reached(document: Document) -> None:
    step = added_bytes(document, turned(document, 0.5))
    history = History(document, Entry("New"), bytes_kept=5 * step)
    for number in range(40):
        history.add(turned(history.document, number / 100 + 0.01), Entry(f"Turn {number}"))
    assert history.size <= 5 * step
    assert 3 <= len(history.entries) <= 7
    assert history.entries[-1].label == "Turn 39"
    assert history.position == len(history.entries) - 1
    assert dict(history.go_to(0).actor("arm").layers[0].values)["upper.turn"] > 0.3


def test_the_present_document_stays_however_large_it_is(document: Document) -> None:
    history = History(document, Entry("New"), bytes_kept=1)
    second = turned(document, 0.5)
    history.add(second, Entry("Turn"))
    assert history.document is second
    assert history.entries == (Entry("Turn"),)
