"""References keep a picture's bytes and refuse numbers that make no sense."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.edits import edit
from engine.formats import sinew
from engine.runtime.errors import InvalidDocument
from tests.engine.edits.scenery_examples import reference
from tests.engine.figures import scene


def test_the_bytes_of_a_picture_come_back_from_a_file(tmp_path: Path) -> None:
    picture = reference(Random(3))
    document = edit("add_reference", reference=picture).apply(scene())
    path = tmp_path / "with.sinew"
    sinew.write(path, document)
    again = sinew.read(path)
    assert again.references[0].image.data == picture.image.data
    assert again.digest == document.digest


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("size", 0.0, "0.001 to 1000"),
        ("opacity", 1.5, "0 to 1"),
        ("facing", "behind", "front"),
        ("centre", (float("nan"), 0.0), "finite"),
        ("in_front", "yes", "true or false"),
        ("image", b"", "name, facing"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused_by_name(field: str, value: object, said: str) -> None:
    document = edit("add_reference", reference=reference(Random(4))).apply(scene())
    change = edit("set_reference", reference=document.references[0].id, changes=((field, value),))
    with pytest.raises(InvalidDocument, match=said):
        change.apply(document)


def test_setting_what_is_set_gives_the_identical_document() -> None:
    document = edit("add_reference", reference=reference(Random(5))).apply(scene())
    change = edit("set_reference", reference=document.references[0].id, changes=(("opacity", 0.6),))
    assert change.apply(document) is document
