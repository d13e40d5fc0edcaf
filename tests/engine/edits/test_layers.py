"""Edits of layers do what they say, give back the identical document where nothing changes, and refuse by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.document import Actor, Blob, Document, Key, Layer, Samples, Span, SpeedRange, Track, validate
from engine.edits import edit
from engine.edits.poses import pose_edit, pose_layer
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


def test_keys_go_to_the_layer_that_is_chosen_until_it_has_gone() -> None:
    document = _do(_scene(), "choose_layer", **PLACE)
    change = pose_edit(document, "walker", 0, (("knee", 0.5),))
    assert dict(change.arguments)["layer"] == "walk"
    assert edit("choose_layer", **PLACE).apply(document) is document
    gone = _do(document, "remove_layer", **PLACE)
    assert gone.actors[0].receiver is None
    assert pose_layer(gone.actors[0]).id == "top"
    samples = Samples(coordinates=("knee",), values=Blob([[0.0], [1.0]]), rate=(1, 1))
    baked = _do(document, "bake_layers", actor="walker", layers=("pose", "walk"), id="baked", samples=samples)
    assert baked.actors[0].receiver == "baked"
    assert _do(document, "choose_layer", actor="walker").digest == _scene().digest


def test_without_a_choice_keys_go_to_the_uppermost_layer_that_counts_then() -> None:
    document = _do(_scene(), "set_layer_span", actor="walker", layer="top", start=10, end=20)
    actor = document.actors[0]
    assert [pose_layer(actor, time).id for time in (9, 10, 20, 21)] == ["walk", "top", "top", "walk"]
    muted = _do(document, "mute_layer", **PLACE, mute=True).actors[0]
    assert pose_layer(muted, 9).id == "pose"
    none = _do(document, "set_layer_weight", **PLACE, weight=0.0).actors[0]
    assert pose_layer(none, 9).id == "pose"
    alone = _do(document, "solo_layer", **PLACE, solo=True).actors[0]
    assert pose_layer(alone, 15).id == "walk"
    span = {"layer": "top", "start": 10, "end": 20, "ease_in": 2, "ease_out": 2}
    eased = _do(document, "set_layer_span", actor="walker", **span).actors[0]
    assert [pose_layer(eased, time).id for time in (10, 11, 19, 20)] == ["walk", "top", "top", "walk"]
    with pytest.raises(EngineError, match="add one in the Layers panel"):
        pose_layer(replace(actor, layers=()))


def test_keys_take_the_place_of_samples_and_the_layer_stays_what_it_was() -> None:
    samples = Samples(coordinates=("x", "knee"), values=Blob([[0.0, 2.0], [1.0, 3.0]]), rate=(1, 1))
    document = _do(_scene(), "set_samples", **PLACE, samples=samples)
    document = _do(document, "set_layer_mode", **PLACE, mode="add")
    tracks = tuple(Track(coordinate=name, keys=(Key(0, 9.0),)) for name in ("knee", "x"))
    keyed = _walk(_do(document, "key_layer", **PLACE, tracks=tracks))
    assert (keyed.samples, keyed.mode) == (None, "add")
    assert [track.coordinate for track in keyed.tracks] == ["x", "knee"]
    assert keyed.track_of["knee"] is _walk(document).track_of["knee"]
    muted = replace(_walk(document), tracks=(replace(_walk(document).tracks[0], mute=True),))
    actor = replace(document.actors[0], layers=(muted,))
    keyed = _walk(_do(replace(document, actors=(actor,)), "key_layer", **PLACE, tracks=tracks))
    assert keyed.track_of["knee"] == tracks[0]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("add_layer", {"actor": "walker", "layer": Layer(id="walk")}),
        ("choose_layer", {"actor": "walker", "layer": "nothing"}),
        ("key_layer", {**PLACE, "tracks": ()}),
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
