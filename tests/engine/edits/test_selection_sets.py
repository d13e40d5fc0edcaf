"""Selection sets name what is there, whatever goes."""

from __future__ import annotations

import pytest

from engine.document import Document, SelectionSet, decode_document, encode_document, validate
from engine.edits import edit
from engine.edits.selection_sets import drop_missing
from engine.runtime.errors import InvalidDocument, UnknownPart
from tests.engine.figures import scene


def with_set(document: Document, *items: tuple[str, str | None], id: str = "both") -> Document:
    made = SelectionSet(id=id, name="Both", items=items)
    return edit("add_selection_set", selection_set=made).apply(document)


def test_a_set_loses_what_goes_with_an_actor_and_goes_with_the_last_of_it() -> None:
    document = scene()
    first, second = document.actors[0], document.actors[1]
    joint = first.figure.joints[0].id
    document = with_set(document, (first.id, joint), (second.id, None))
    document = with_set(document, (first.id, joint), id="one")
    after = edit("remove_actor", actor=first.id).apply(document)
    validate(after)
    assert [(each.id, each.items) for each in after.selection_sets] == [("both", ((second.id, None),))]
    assert drop_missing(after) is after


def test_a_set_of_nothing_and_of_what_is_not_there_is_refused() -> None:
    document = scene()
    with pytest.raises(InvalidDocument, match="one item or more"):
        SelectionSet(id="none", name="None", items=())
    with pytest.raises(InvalidDocument, match="an item of Both"):
        with_set(document, ("nobody", None))
    with pytest.raises(InvalidDocument, match="a joint of"):
        with_set(document, (document.actors[0].id, "no joint"))
    with pytest.raises(UnknownPart):
        edit("remove_selection_set", selection_set="nothing").apply(document)


def test_a_document_with_sets_comes_back_from_its_texts() -> None:
    document = with_set(scene(), ("one", None))
    encoded = encode_document(document)
    again = decode_document(document.digest, encoded.texts, lambda digest: encoded.blobs[digest])
    assert again.selection_sets == document.selection_sets
    assert again.digest == document.digest
