"""What a document has that another has not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Document, Figure, Key, Layer, Part, Samples, Track
from engine.edits import edit
from engine.project.changes import changes
from tests.engine.figures import scene


def nothing(_: Part | Blob) -> bool:
    return False


def test_everything_of_a_new_document_comes_behind_what_it_refers_to() -> None:
    document = scene()
    found = [each.new for each in changes(document, None, nothing)]
    assert found[-1] is document
    assert len({each.digest for each in found}) == len(found)
    place = {each.digest: number for number, each in enumerate(found)}
    for actor in document.actors:
        assert place[actor.figure.digest] < place[actor.digest] < len(found) - 1


def test_a_change_is_what_changed_with_what_stood_there() -> None:
    before = scene()
    after = edit("rename_actor", actor="two", name="Other").apply(before)
    found = changes(after, before, nothing)
    assert [type(each.new) for each in found] == [Actor, Document]
    assert found[0].old is before.actor("two")
    assert found[1].old is before


def tracks(*names: str) -> tuple[Track, ...]:
    return tuple(Track(coordinate=each, keys=(Key(time=0, value=1.0),)) for each in names)


def test_tracks_are_paired_in_their_order_where_one_is_put_between() -> None:
    old = Layer(id="a", tracks=tracks("x", "y", "z"))
    more, other = tracks("between", "other")
    new = replace(old, tracks=(old.tracks[0], more, other, old.tracks[2]))
    found = {each.new: each.old for each in changes(new, old, nothing)}
    assert found == {more: old.tracks[1], other: None, new: old}


def test_a_part_of_another_type_is_no_predecessor() -> None:
    document = scene()
    found = changes(document.actors[0].figure, document, nothing)
    assert {each.old for each in found} == {None}
    assert isinstance(found[-1].new, Figure)


def test_what_is_known_is_left_out_with_all_that_stands_in_it() -> None:
    document = scene()
    known = document.actor("one").digest
    found = changes(document, None, lambda each: each.digest == known)
    assert document.actor("one") not in [each.new for each in found]


def test_arrays_come_once() -> None:
    numbers = Blob(np.zeros((2, 1)))
    layers = tuple(Layer(id=id, samples=Samples(coordinates=("x",), values=numbers, rate=(30, 1))) for id in "ab")
    found = [each.new for each in changes(layers, None, nothing)]
    assert sum(isinstance(each, Blob) for each in found) == 1
