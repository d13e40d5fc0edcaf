"""Edits of the document as a whole: the rate under existing keys, and from when to when the scene lasts."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Document, Key, Layer, Span, Track, validate
from engine.document.extent import keyed_extent, motion_extent, play_extent, scene_extent, stated_extent, whole_extent
from engine.document.key_times import between_frames
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from tests.engine.motion.motions import walker

RATE = (24, 1)


def scene(*keys: Key, frozen: bool = False) -> Document:
    """One figure whose knee has these keys, counted at 24 frames a second."""
    layer = Layer(id="keys", tracks=(Track(coordinate="knee", keys=keys),))
    return Document(actors=(Actor(id="one", name="One", figure=walker(), layers=(layer,), frozen=frozen),), rate=RATE)


def keys_of(document: Document) -> list[tuple[int, float]]:
    return [(key.time, key.value) for key in document.actors[0].layers[0].tracks[0].keys]


def test_another_rate_moves_no_key() -> None:
    before = scene(Key(0, 0.1), Key(SECOND, 0.2))
    after = edit("set_rate", frames=7, seconds=3).apply(before)
    assert after.actors is before.actors
    assert between_frames(before) == 0
    assert between_frames(after) == 1


def test_keys_between_frames_go_to_the_nearest_one_and_keep_all_else() -> None:
    second, third = frame_time(2, RATE), frame_time(3, RATE)
    free = Key(second + 7, 0.2, tangent="free", slope_in=1.0, slope_out=-1.0, interpolation="linear")
    document = edit("snap_keys").apply(scene(Key(0, 0.1), free, Key(third - 5, 0.3)))
    validate(document)
    assert keys_of(document) == [(0, 0.1), (second, 0.2), (third, 0.3)]
    assert document.actors[0].layers[0].tracks[0].keys[1] == replace(free, time=second)
    assert between_frames(document) == 0


def test_of_keys_that_come_to_one_frame_the_nearest_stays() -> None:
    second = frame_time(2, RATE)
    document = edit("snap_keys").apply(scene(Key(second - 9, 0.1), Key(second + 3, 0.2), Key(second + 8, 0.3)))
    assert keys_of(document) == [(second, 0.2)]
    even = edit("snap_keys").apply(scene(Key(second - 9, 0.1), Key(second + 9, 0.2)))
    assert keys_of(even) == [(second, 0.1)], "of two as near the earlier"


def test_what_stands_on_frames_or_is_frozen_stays_the_same_object() -> None:
    fine, frozen = scene(Key(0, 0.1), Key(SECOND, 0.2)), scene(Key(7, 0.1), frozen=True)
    assert edit("snap_keys").apply(fine) is fine
    assert edit("snap_keys").apply(frozen) is frozen
    assert between_frames(frozen) == 0, "what would not be moved is not counted"


def test_a_scene_lasts_as_its_range_says_whatever_moves() -> None:
    document = scene(Key(0, 0.1), Key(SECOND // 2, 0.2))
    assert (stated_extent(document), play_extent(document)) == (None, (0, SECOND // 2)), "as its motion, where none is"
    lasting = edit("set_scene_range", start=0, end=5 * SECOND).apply(document)
    assert (scene_extent(lasting), play_extent(lasting)) == ((0, 5 * SECOND), (0, 5 * SECOND))
    assert (motion_extent(lasting), keyed_extent(lasting)) == ((0, SECOND // 2), (0, SECOND // 2))
    played = edit("set_play_range", start=SECOND, end=6 * SECOND).apply(lasting)
    assert (stated_extent(played), scene_extent(played)) == ((SECOND, 6 * SECOND), (0, 5 * SECOND))
    assert whole_extent(played) == (0, 6 * SECOND)
    assert edit("set_scene_range").apply(edit("set_play_range").apply(played)) == document
    assert edit("set_scene_range").apply(document) is document


def test_a_document_without_a_range_is_written_as_before() -> None:
    document = scene(Key(0, 0.1))
    assert "scene_range" not in document.text
    assert "scene_range" in replace(document, scene_range=Span(start=0, end=1)).text


def test_time_that_is_put_in_or_taken_out_of_everything_changes_the_range_and_never_takes_all_of_it() -> None:
    document = replace(scene(Key(0, 0.1)), scene_range=Span(start=0, end=5 * SECOND))
    longer = edit("insert_everywhere", actors=("one",), time=SECOND, length=SECOND, play=True).apply(document)
    assert scene_extent(longer) == (0, 6 * SECOND)
    shorter = edit("delete_everywhere", actors=("one",), start=SECOND, end=3 * SECOND, play=True).apply(longer)
    assert scene_extent(shorter) == (0, 4 * SECOND)
    alone = edit("delete_everywhere", actors=("one",), start=SECOND, end=3 * SECOND).apply(longer)
    assert scene_extent(alone) == (0, 6 * SECOND), "not where only some actors change"
    gone = edit("delete_everywhere", actors=("one",), start=-SECOND, end=9 * SECOND, play=True).apply(longer)
    assert scene_extent(gone) == (0, 6 * SECOND)
