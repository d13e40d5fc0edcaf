"""Digests and the text form of documents."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields, replace
from hashlib import blake2b
from typing import Any

import pytest

from engine.document import Document, Dof, Joint, decode_document, encode_document
from engine.document.part_reader import PartReader, decode
from engine.document.part_types import PART_TYPES
from engine.document.parts import Json, children, encode
from engine.runtime.errors import InvalidDocument
from tests.engine.figures import scene


def no_blob(digest: str) -> bytes:
    raise AssertionError(f"no array is stored here, {digest} neither")


def no_array(digest: str, type: str, shape: tuple[int, ...]) -> bytes:
    return no_blob(digest)


def test_equal_content_has_one_digest_and_changed_content_another() -> None:
    document = scene()
    assert document.digest == scene().digest
    change: dict[str, Any]
    for change in ({"name": "Other"}, {"visible": False}, {"layers": ()}):
        changed = document.with_actor(replace(document.actors[0], **change))
        assert changed.digest != document.digest


def test_integers_and_floats_give_one_digest() -> None:
    whole = Joint(id="j", name="J", offset=(1, 2, 3), dofs=(Dof(id="d", name="D", lower=-1, upper=1),))
    real = Joint(id="j", name="J", offset=(1.0, 2.0, 3.0), dofs=(Dof(id="d", name="D", lower=-1.0, upper=1.0),))
    assert whole.digest == real.digest


def test_digest_is_the_same_in_another_process() -> None:
    code = "from tests.engine.figures import scene; print(scene(5).digest)"
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert printed.strip() == scene(5).digest


def test_round_trip_through_texts_is_exact_and_shares_parts() -> None:
    document = scene(3)
    again = decode_document(document.digest, encode_document(document).texts, no_blob)
    assert again == document
    assert again.digest == document.digest
    assert again.actors[0].figure is again.actors[1].figure


def test_whole_encoding_needs_no_store() -> None:
    actor = scene().actors[0]
    assert decode(json.loads(json.dumps(encode(actor)))) == actor


def test_a_changed_part_is_refused() -> None:
    document = scene()
    texts = encode_document(document).texts
    figure = document.actors[0].figure.digest
    texts[figure] = texts[figure].replace("Random 0", "Random 9")
    with pytest.raises(InvalidDocument, match="its own digest"):
        decode_document(document.digest, texts, no_blob)


def test_a_missing_part_is_refused() -> None:
    document = scene()
    texts = encode_document(document).texts
    del texts[document.actors[2].digest]
    with pytest.raises(InvalidDocument, match="a part that the file holds"):
        decode_document(document.digest, texts, no_blob)


@pytest.mark.parametrize(
    ("actor", "lost", "kept"),
    [
        ({"wings": 2}, "wings of Actor A", ()),
        ({"locks": [{"type": "Chain"}]}, "locks of Actor A", ()),
        ({"layers": [{"part": "ab" * 32}, {"type": "Layer", "id": "b"}]}, "layers of Actor A", ("b",)),
        ({"layers": [{"type": "Layer", "id": "b", "weight": 7}]}, "layers of Actor A", ()),
        (
            {"layers": [{"type": "Layer", "id": "b", "samples": {"type": "?"}}]},
            "samples of Layer Pose of Actor A",
            ("b",),
        ),
        ({"layers": [{"type": "Layer", "id": "b", "speed": 3}]}, "speed of Layer Pose of Actor A", ("b",)),
        ({"figure": None}, "actors of Document", None),
        ({"name": []}, "actors of Document", None),
    ],
)
def test_what_cannot_be_read_is_left_out_and_named_where_the_rest_is_wanted(
    actor: dict[str, Json], lost: str, kept: tuple[str, ...] | None
) -> None:
    figure: Json = {
        "type": "Figure",
        "name": "F",
        "joints": [{"type": "Joint", "id": "j", "name": "J", "parent": None}],
    }
    whole: dict[str, Json] = {"type": "Actor", "id": "a", "name": "A", "figure": figure}
    plain: Json = {"type": "Document", "actors": [{**whole, "id": "other"}, whole | actor]}
    with pytest.raises(InvalidDocument):
        PartReader({}, no_array).read(plain)
    named: list[str] = []
    found = PartReader({}, no_array, named).read(plain)
    assert isinstance(found, Document)
    assert named == [lost]
    assert [each.id for each in found.actors] == (["other", "a"] if kept is not None else ["other"])
    assert kept is None or tuple(layer.id for layer in found.actors[1].layers) == kept


def test_parts_that_are_known_are_shared() -> None:
    document = scene()
    other = replace(document, rate=(24, 1))
    reader = PartReader(encode_document(other).texts, no_array)
    reader.know(document)
    again = reader.document(other.digest)
    assert again == other
    assert all(each is was for each, was in zip(again.actors, document.actors, strict=True))


def test_children_are_what_may_hold_parts() -> None:
    document = scene()
    assert list(children(document)) == [document.actors, (), (), None, ()]
    assert list(children((1, "a", document, (), document.actors[0].placement))) == [document, ()]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(number: str) -> None:
    text = f'{{"type":"Dof","id":"d","name":"D","lower":{number}}}'
    digest = blake2b(text.encode(), digest_size=32).hexdigest()
    with pytest.raises(InvalidDocument, match="finite numbers"):
        PartReader({digest: text}, no_array).part(digest)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"type": "os.system"}, "a part's type"),
        ({"type": "Document", "actors": 3}, "the actors of a Document"),
        ({"type": "Document", "actors": [1]}, "the actors of a Document"),
        ({"type": "Document", "actors": [], "colour": "red"}, "a field of Document"),
        ({"type": "Dof", "id": "d"}, "all of its fields"),
        ({"type": "Dof", "id": "d", "name": "D", "kind": "screw"}, "kind"),
        ({"type": "Dof", "id": "d", "name": "D", "lower": "low"}, "the lower of a Dof"),
        ({"type": "Dof", "id": "d", "name": "D", "axis": [0, 0, 0]}, "not zero"),
        ({"type": "Dof", "id": "d", "name": "D", "lower": 1, "upper": -1}, "lower at most upper"),
        ({"type": "Dof", "id": True, "name": "D"}, "the id of a Dof"),
    ],
)
def test_unsound_values_are_named(value: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        decode(value)  # type: ignore[arg-type]


def test_numbers_that_are_not_finite_are_refused() -> None:
    for bad in (float("nan"), float("inf")):
        with pytest.raises(InvalidDocument, match="finite"):
            Joint(id="j", name="J", offset=(bad, 0.0, 0.0))


def test_documents_hold_no_unknown_values() -> None:
    with pytest.raises(InvalidDocument, match="numbers, text, tuples"):
        _ = Document(actors=({1, 2},)).digest  # type: ignore[arg-type]


def test_no_field_hides_the_digest_or_the_text_of_its_part() -> None:
    for kind in PART_TYPES.values():
        assert not {"digest", "text"} & {each.name for each in fields(kind)}, kind
