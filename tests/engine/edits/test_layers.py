"""Edits of layers do what they say, give back the identical document where nothing changes, and refuse by name."""

from __future__ import annotations

from typing import Any

import pytest

from engine.document import Actor, Blob, Document, Key, Layer, Samples, Span, SpeedRange, Track, validate
from engine.edits import edit
from engine.runtime.errors import EngineError
from tests.engine.motion.motions import SECOND, walker

PLACE = {"actor": "walker", "layer": "walk"}


def _scene() -> Document:
    track = Track(coordinate="knee", keys=(Key(0, 0.0), Key(SECOND, 1.0)))
    layers = (Layer(id="pose"), Layer(id="walk", name="Walk", tracks=(track,)), Layer(id="top", mode="add"))
    return Document(actors=(Actor(id="walker", name="Walker", figure=walker(), layers=layers),))


def _do(document: Document, name: str, /, **arguments: Any) -> Document:
    changed = edit(name, **arguments).apply(document)
    validate(changed)
    return changed


def _ids(document: Document) -> list[str]:
    return [layer.id for layer in document.actors[0].layers]


def _walk(document: Document) -> Layer:
    return next(layer for layer in document.actors[0].layers if layer.id == "walk")


def test_a_layer_is_added_on_top_or_at_a_place() -> None:
    document = _scene()
    assert _ids(_do(document, "add_layer", actor="walker", layer=Layer(id="new"))) == ["pose", "walk", "top", "new"]
    low = _do(document, "add_layer", actor="walker", layer=Layer(id="new"), index=0)
    assert _ids(low) == ["new", "pose", "walk", "top"]
    assert low.actors[0].layers[2] is document.actors[0].layers[1]


def test_a_copy_stands_above_its_layer_and_shares_its_tracks() -> None:
    document = _do(_scene(), "duplicate_layer", **PLACE, id="again", name="Walk 2")
    assert _ids(document) == ["pose", "walk", "again", "top"]
    assert document.actors[0].layers[2].tracks is document.actors[0].layers[1].tracks
    assert document.actors[0].layers[2].name == "Walk 2"


def test_layers_are_moved_and_removed() -> None:
    document = _scene()
    assert _ids(_do(document, "move_layer", **PLACE, index=0)) == ["walk", "pose", "top"]
    assert _ids(_do(document, "move_layer", **PLACE, index=2)) == ["pose", "top", "walk"]
    assert _ids(_do(document, "remove_layer", **PLACE)) == ["pose", "top"]


@pytest.mark.parametrize(
    ("name", "arguments", "field", "value"),
    [
        ("rename_layer", {"name": "Stride"}, "name", "Stride"),
        ("set_layer_mode", {"mode": "add"}, "mode", "add"),
        ("set_layer_weight", {"weight": 0.25}, "weight", 0.25),
        ("set_layer_span", {"start": 0, "end": 9, "ease_in": 2}, "span", Span(start=0, end=9, ease_in=2)),
        ("set_layer_mask", {"mask": ("knee", "x")}, "mask", ("x", "knee")),
        ("mute_layer", {"mute": True}, "mute", True),
        ("solo_layer", {"solo": True}, "solo", True),
        ("set_quaternions", {"joints": ("hip",), "mode": "slerp"}, "quaternions", ("hip",)),
    ],
)
def test_a_setting_is_set_once(name: str, arguments: dict[str, Any], field: str, value: object) -> None:
    document = _scene()
    changed = _do(document, name, **PLACE, **arguments)
    assert getattr(_walk(changed), field) == value
    assert changed.actors[0].layers[0] is document.actors[0].layers[0]
    assert _walk(changed).tracks is _walk(document).tracks
    assert edit(name, **PLACE, **arguments).apply(changed) is changed


def test_without_a_span_or_mask_a_layer_is_whole_again() -> None:
    document = _do(_scene(), "set_layer_span", **PLACE, start=0, end=5)
    document = _do(_do(document, "set_layer_mask", **PLACE, mask=()), "set_layer_span", **PLACE)
    assert _walk(document).span is None
    assert _walk(document).mask == ()
    assert _walk(_do(document, "set_layer_mask", **PLACE, mask=None)) == _walk(_scene())


def test_a_speed_curve_takes_the_place_of_those_it_overlaps() -> None:
    def speed(start: int, end: int) -> SpeedRange:
        return SpeedRange(start=start, end=end, coordinates=("knee",), keys=(Key(start, 0.0), Key(end, 1.0)))

    document = _scene()
    for start, end in ((20, 30), (0, 10), (10, 20)):
        document = _do(document, "set_speed", **PLACE, speed=speed(start, end))
    assert [each.start for each in _walk(document).speed] == [0, 10, 20]
    assert edit("set_speed", **PLACE, speed=speed(0, 10)).apply(document) is document
    wide = _do(document, "set_speed", **PLACE, speed=speed(5, 15))
    assert [(each.start, each.end) for each in _walk(wide).speed] == [(5, 15), (20, 30)]
    assert [each.start for each in _walk(_do(document, "remove_speed", **PLACE, start=10)).speed] == [0, 20]


def test_a_bake_takes_the_place_of_its_layers() -> None:
    samples = Samples(coordinates=("knee",), values=Blob([[0.0], [1.0]]), rate=(1, 1))
    baked = _do(_scene(), "bake_layers", actor="walker", layers=("pose", "top"), id="baked", samples=samples)
    assert _ids(baked) == ["walk", "baked"]
    assert baked.actors[0].layers[1].samples is samples


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("add_layer", {"actor": "walker", "layer": Layer(id="walk")}),
        ("add_layer", {"actor": "walker", "layer": Layer(id="new"), "index": 4}),
        ("add_layer", {"actor": "walker", "layer": Layer(id="new", values=(("wing", 1.0),))}),
        ("duplicate_layer", {**PLACE, "id": "pose"}),
        ("remove_layer", {"actor": "walker", "layer": "nothing"}),
        ("move_layer", {**PLACE, "index": -1}),
        ("rename_layer", {**PLACE, "name": " "}),
        ("set_layer_mode", {**PLACE, "mode": "multiply"}),
        ("set_layer_weight", {**PLACE, "weight": 1.5}),
        ("set_layer_span", {**PLACE, "start": 3}),
        ("set_layer_span", {**PLACE, "start": 3, "end": 3}),
        ("set_layer_mask", {**PLACE, "mask": ("wing",)}),
        ("set_quaternions", {**PLACE, "joints": ("knee",)}),
        ("set_quaternions", {**PLACE, "joints": ("hip",), "mode": "lerp"}),
        ("remove_speed", {**PLACE, "start": 0}),
        ("bake_layers", {"actor": "walker", "layers": ("walk",), "id": "baked"}),
        ("bake_layers", {"actor": "walker", "layers": (), "id": "baked"}),
    ],
)
def test_bad_arguments_are_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        edit(name, **arguments).apply(_scene())
