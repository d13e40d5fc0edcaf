"""Edits of keys of several layers and actors at once."""

from __future__ import annotations

from typing import Any

import pytest

from engine.document import Actor, Document, Key, Layer, Track, validate
from engine.edits import edit
from engine.runtime.errors import EngineError
from tests.engine.motion.motions import SECOND, walker

FREE = Key(SECOND, 1.0, tangent="free", slope_in=0.5, slope_out=-2.0)
KEYS = (Key(0, 0.0), FREE, Key(2 * SECOND, 0.5))
PARTS = (("one", "low", (("knee", (0, SECOND)),)), ("two", "high", (("x", (SECOND,)),)))


def _scene() -> Document:
    tracks = (Track(coordinate="x", keys=KEYS), Track(coordinate="knee", keys=KEYS))
    layers = (Layer(id="low", tracks=tracks), Layer(id="high", tracks=tracks))
    return Document(actors=tuple(Actor(id=id, name=id, figure=walker(), layers=layers) for id in ("one", "two")))


def _do(name: str, **arguments: Any) -> Document:
    changed = edit(name, **arguments).apply(_scene())
    validate(changed)
    return changed


def _times(document: Document, actor: str, layer: int, name: str) -> list[int]:
    track = document.actor(actor).layers[layer].track_of.get(name)
    return [] if track is None else [key.time for key in track.keys]


def test_keys_of_two_actors_move_together_and_no_others() -> None:
    moved = _do("move_chosen", chosen=PARTS, ticks=7)
    assert _times(moved, "one", 0, "knee") == [7, SECOND + 7, 2 * SECOND]
    assert _times(moved, "two", 1, "x") == [0, SECOND + 7, 2 * SECOND]
    assert moved.actor("one").layers[1] is not moved.actor("one").layers[0]
    assert _times(moved, "one", 1, "knee") == _times(moved, "two", 0, "x") == [0, SECOND, 2 * SECOND]


def test_a_moved_key_takes_the_place_of_the_key_that_it_is_dropped_on() -> None:
    moved = _do("move_chosen", chosen=(("one", "low", (("knee", (SECOND,)),)),), ticks=SECOND)
    keys = moved.actor("one").layers[0].track_of["knee"].keys
    assert [(key.time, key.value) for key in keys] == [(0, 0.0), (2 * SECOND, 1.0)]


def test_copies_keep_value_and_tangents_and_replace_what_they_land_on() -> None:
    copied = _do("copy_chosen", chosen=PARTS, ticks=SECOND)
    keys = copied.actor("one").layers[0].track_of["knee"].keys
    assert [(key.time, key.value) for key in keys] == [(0, 0.0), (SECOND, 0.0), (2 * SECOND, 1.0)]
    assert (keys[2].slope_in, keys[2].slope_out) == (0.5, -2.0)


def test_scaling_keeps_the_pivot_and_of_keys_on_one_tick_the_last() -> None:
    chosen = (("one", "low", (("knee", (0, SECOND, 2 * SECOND)),)),)
    scaled = _do("scale_chosen", chosen=chosen, pivot=0, factor=0.5)
    assert _times(scaled, "one", 0, "knee") == [0, SECOND // 2, SECOND]
    tiny = _do("scale_chosen", chosen=chosen, pivot=0, factor=1e-12)
    keys = tiny.actor("one").layers[0].track_of["knee"].keys
    assert [(key.time, key.value) for key in keys] == [(0, 0.5)]


def test_scaling_over_keys_that_stay_replaces_those_that_it_lands_on_only() -> None:
    scaled = _do("scale_chosen", chosen=(("one", "low", (("knee", (0, SECOND)),)),), pivot=0, factor=3.0)
    assert _times(scaled, "one", 0, "knee") == [0, 2 * SECOND, 3 * SECOND]


def test_removed_keys_go_from_every_layer_named() -> None:
    removed = _do("remove_chosen", chosen=PARTS)
    assert _times(removed, "one", 0, "knee") == [2 * SECOND]
    assert _times(removed, "two", 1, "x") == [0, 2 * SECOND]


def test_pasted_keys_are_set_in_each_layer() -> None:
    keys = (("knee", Key(5, 0.25)), ("x", Key(9, 0.5)))
    pasted = _do("paste_keys", chosen=(("one", "low", keys), ("two", "high", keys)))
    assert _times(pasted, "one", 0, "knee") == _times(pasted, "two", 1, "knee") == [0, 5, SECOND, 2 * SECOND]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("scale_chosen", {"chosen": PARTS, "pivot": 0, "factor": 0.0}, "above 0"),
        ("move_chosen", {"chosen": (*PARTS, PARTS[0]), "ticks": 1}, "at most once"),
        ("move_chosen", {"chosen": (("one", "low", (("knee", (3,)),)),), "ticks": 1}, "the tick of a key"),
        ("copy_chosen", {"chosen": PARTS, "ticks": 2**60}, "within 73 days"),
        ("remove_chosen", {"chosen": (("nobody", "low", ()),)}, "nobody"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_is_allowed(name: str, arguments: Any, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        _do(name, **arguments)
