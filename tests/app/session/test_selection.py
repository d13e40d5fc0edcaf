"""Selection: order, toggling, and what the document no longer holds."""

from __future__ import annotations

from app.session import Item, Selection
from engine.document import Document

UPPER, LOWER, BOX = Item("arm", "upper"), Item("arm", "lower"), Item("box")


def test_the_active_item_is_the_last_one() -> None:
    assert Selection.of([UPPER, BOX]).active == BOX
    assert Selection().active is None


def test_repeated_items_stand_once() -> None:
    assert Selection.of([UPPER, BOX, UPPER]).items == (UPPER, BOX)


def test_toggling_adds_at_the_end_and_takes_out() -> None:
    both = Selection.of([UPPER]).toggled(LOWER)
    assert both.items == (UPPER, LOWER)
    assert both.toggled(UPPER).items == (LOWER,)


def test_items_that_the_document_does_not_hold_fall_out(document: Document) -> None:
    known = Selection.of([UPPER, BOX])
    assert known.within(document) is known
    odd = Selection.of([UPPER, Item("arm", "wing"), Item("box", "upper"), Item("gone")])
    assert odd.within(document).items == (UPPER,)
