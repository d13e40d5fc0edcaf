"""Edits of keys of several layers and actors at once."""

from __future__ import annotations

from typing import Any

import pytest

from engine.document import Actor, Document, Key, Layer, Lock, Track, validate
from engine.edits import edit
from engine.edits.several import Filling
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


FOOT = (("one", "foot", (("x", (0, SECOND)),)),)


def _held() -> Document:
    """The scene with a lock whose place is keyed."""
    lock = Lock(id="foot", name="Foot", joint="hip", tracks=(Track(coordinate="x", keys=KEYS),))
    return edit("add_lock", actor="one", lock=lock).apply(_scene())


def _lock_keys(document: Document, name: str = "x") -> list[tuple[int, float]]:
    track = document.actor("one").locks[0].track_of.get(name)
    return [] if track is None else [(key.time, key.value) for key in track.keys]


def test_keys_of_a_lock_are_changed_beside_those_of_layers() -> None:
    moved = edit("move_chosen", chosen=(*PARTS, *FOOT), ticks=7).apply(_held())
    validate(moved)
    assert _lock_keys(moved) == [(7, 0.0), (SECOND + 7, 1.0), (2 * SECOND, 0.5)]
    assert _times(moved, "one", 0, "knee") == [7, SECOND + 7, 2 * SECOND]
    assert len(moved.actor("one").layers) == 2
    gone = edit("remove_chosen", chosen=(("one", "foot", (("x", (0, SECOND, 2 * SECOND)),)),)).apply(_held())
    assert gone.actor("one").locks[0].tracks == ()


def test_keys_are_pasted_into_a_lock_and_only_what_it_has() -> None:
    pasted = edit("paste_keys", chosen=(("one", "foot", (("weight", Key(5, 0.5)), ("x", Key(0, 2.0)))),)).apply(_held())
    assert _lock_keys(pasted) == [(0, 2.0), (SECOND, 1.0), (2 * SECOND, 0.5)]
    assert _lock_keys(pasted, "weight") == [(5, 0.5)]
    with pytest.raises(EngineError, match=r"a number of a lock.*knee"):
        edit("paste_keys", chosen=(("one", "foot", (("knee", Key(5, 0.5)),)),)).apply(_held())


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("stepped", ("stepped", "auto")),
        ("linear", ("linear", "auto")),
        ("auto", ("cubic", "auto")),
        ("flat", ("cubic", "flat")),
        ("free", ("cubic", "free")),
        ("spline", ("cubic", "free")),
    ],
)
def test_spans_after_keys_are_filled_in_each_way(kind: Filling, wanted: tuple[str, str]) -> None:
    changed = _do("fill_chosen", chosen=PARTS, kind=kind)
    key = changed.actor("one").layers[0].track_of["knee"].keys[0]
    assert (key.interpolation, key.tangent) == wanted
    assert changed.actor("one").layers[0].track_of["knee"].keys[2] == KEYS[2]


def test_a_way_to_fill_spans_that_there_is_not_is_refused() -> None:
    with pytest.raises(EngineError, match=r"bouncy.*stepped, linear, auto"):
        _do("fill_chosen", chosen=PARTS, kind="bouncy")


def test_splines_are_as_steep_as_the_line_from_neighbour_to_neighbour() -> None:
    changed = _do("fill_chosen", chosen=(("one", "low", (("knee", (SECOND,)),)),), kind="spline")
    key = changed.actor("one").layers[0].track_of["knee"].keys[1]
    assert (key.slope_in, key.slope_out) == pytest.approx((0.25, 0.25))
