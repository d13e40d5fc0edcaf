"""Time inserted and taken out over all that actors do, as one change."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.document import Actor, Attachment, Document, Key, Layer, Lock, Span, Track, validate
from engine.document.references import Video
from engine.edits import edit
from engine.runtime.errors import EngineError
from tests.beeps import beeping
from tests.engine.edits.scenery_examples import reference
from tests.engine.motion.motions import SECOND, walker

KEYS = (Key(0, 0.0), Key(2 * SECOND, 1.0), Key(4 * SECOND, 0.5))
HELD = Span(start=SECOND, end=3 * SECOND, ease_in=SECOND // 4, ease_out=SECOND // 4)


@pytest.fixture
def document() -> Document:
    """Two walkers of two layers, the first with a keyed lock; a third hangs on it, all for two seconds."""
    tracks = (Track(coordinate="x", keys=KEYS), Track(coordinate="knee", keys=KEYS))
    layers = (Layer(id="low", tracks=tracks), Layer(id="high", tracks=tracks, span=HELD))
    lock = Lock(id="foot", name="Foot", joint="knee", span=HELD, tracks=(Track(coordinate="y", keys=KEYS),))
    hangs = Attachment(id="grip", joint="root", target="one", target_joint="knee", span=HELD)
    actors = (
        Actor(id="one", name="One", figure=walker(), layers=layers, locks=(lock,)),
        Actor(id="two", name="Two", figure=walker(), layers=layers),
        Actor(id="three", name="Three", figure=walker(), layers=(Layer(id="low"),), attachments=(hangs,)),
    )
    return Document(actors=actors, play=Span(start=0, end=4 * SECOND))


def _times(keys: tuple[Key, ...]) -> list[float]:
    return [key.time / SECOND for key in keys]


def _ends(span: Span | None) -> tuple[float, float] | None:
    return None if span is None else (span.start / SECOND, span.end / SECOND)


def test_what_comes_after_inserted_time_moves_along_in_layers_locks_and_attachments(document: Document) -> None:
    actors = ("one", "three")
    made = edit("insert_everywhere", actors=actors, time=2 * SECOND, length=SECOND, play=True).apply(document)
    validate(made)
    one, three = made.actor("one"), made.actor("three")
    assert _times(one.layers[0].track_of["knee"].keys) == [0, 2, 3, 5]
    assert _times(one.locks[0].track_of["y"].keys) == [0, 2, 3, 5]
    spans = (one.layers[1].span, one.locks[0].span, three.attachments[0].span)
    assert [_ends(span) for span in spans] == [(1, 4)] * 3
    assert _ends(made.play) == (0, 5)
    assert made.actor("two") is document.actor("two")


def test_time_inserted_where_spans_end_leaves_their_eases_where_they_are(document: Document) -> None:
    place = {"actors": ("one", "three"), "time": 3 * SECOND, "length": SECOND}
    made = edit("insert_everywhere", **place).apply(document)
    one, three = made.actor("one"), made.actor("three")
    assert [one.layers[1].span, one.locks[0].span, three.attachments[0].span] == [HELD] * 3
    sudden = replace(document.actor("one").locks[0], span=Span(start=SECOND, end=3 * SECOND))
    made = edit("insert_everywhere", **place).apply(
        document.with_actor(replace(document.actor("one"), locks=(sudden,)))
    )
    assert _ends(made.actor("one").locks[0].span) == (1, 4), "it still holds on the tick that is held"


def test_what_is_taken_out_is_gone_and_what_comes_after_moves_up(document: Document) -> None:
    made = edit("delete_everywhere", actors=("one", "two"), start=SECOND, end=2 * SECOND).apply(document)
    validate(made)
    one = made.actor("one")
    assert _times(one.layers[0].track_of["knee"].keys)[-1] == 3
    assert _ends(one.locks[0].span) == (1, 2)
    assert _ends(made.play) == (0, 4), "only where it is asked for"
    assert made.actor("three").attachments == document.actor("three").attachments


def test_inserting_time_and_taking_it_out_again_gives_the_same_motion(document: Document) -> None:
    place = {"actors": ("one", "two", "three"), "play": True}
    longer = edit("insert_everywhere", **place, time=2 * SECOND, length=SECOND).apply(document)
    again = edit("delete_everywhere", **place, start=2 * SECOND, end=3 * SECOND).apply(longer)
    for id in ("one", "two", "three"):
        old, new = document.actor(id), again.actor(id)
        assert [lock.span for lock in new.locks] == [lock.span for lock in old.locks]
        assert [each.span for each in new.attachments] == [each.span for each in old.attachments]
        for before, after in zip(old.layers, new.layers, strict=True):
            assert after.span == before.span
            assert [_times(track.keys) for track in after.tracks] == [_times(track.keys) for track in before.tracks]
    assert again.play == document.play


def test_a_lock_and_an_attachment_that_lie_wholly_in_what_is_taken_out_go_with_it(document: Document) -> None:
    made = edit("delete_everywhere", actors=("one", "three"), start=SECOND, end=3 * SECOND).apply(document)
    assert made.actor("one").locks == ()
    assert made.actor("three").attachments == ()


def test_locks_that_hold_always_go_on_doing_so(document: Document) -> None:
    one = document.actor("one")
    always = document.with_actor(replace(one, locks=(replace(one.locks[0], span=None),)))
    made = edit("delete_everywhere", actors=("one",), start=SECOND, end=3 * SECOND).apply(always)
    assert made.actor("one").locks[0].span is None


@pytest.mark.parametrize(("start", "end"), [(SECOND, SECOND), (2 * SECOND, SECOND)])
def test_a_range_without_length_is_refused_and_nothing_changes(document: Document, start: int, end: int) -> None:
    with pytest.raises(EngineError, match="an end after its start"):
        edit("delete_everywhere", actors=("one",), start=start, end=end).apply(document)
    with pytest.raises(EngineError, match="an end after its start"):
        edit("insert_everywhere", actors=("one",), time=start, length=end - start).apply(document)


@pytest.mark.parametrize("actors", [(), ("one", "one")])
def test_no_actors_or_one_twice_are_refused(document: Document, actors: tuple[str, ...]) -> None:
    with pytest.raises(EngineError, match=r"the actors.*one or more, each once"):
        edit("insert_everywhere", actors=actors, time=0, length=SECOND).apply(document)


def _recorded(document: Document, sound: float, video: float) -> Document:
    """With a sound and a video that begin at so many seconds, and a picture that lasts always."""
    made = Video(path="walk.mp4", file_digest="0" * 64, rate=(30, 1), count=90, start=round(video * SECOND))
    filmed, still = replace(reference(Random(1)), video=made), reference(Random(2))
    return replace(document, sound=beeping(start=round(sound * SECOND)), references=(filmed, still))


def _starts(document: Document) -> tuple[float, float]:
    assert document.sound is not None
    assert document.references[0].video is not None
    return document.sound.start / SECOND, document.references[0].video.start / SECOND


@pytest.mark.parametrize(
    ("before", "inserted", "removed"),
    [
        ((3, 4), (4, 5), (1.5, 2.5)),
        ((2, 1), (3, 1), (1, 1)),
        ((0.5, -1), (0.5, -1), (0.5, -1)),
        ((2.5, 2.4), (3.5, 3.4), (1, 1)),
    ],
)
def test_sound_and_videos_that_begin_after_it_move_along_with_the_scene(
    document: Document, before: tuple[float, float], inserted: tuple[float, float], removed: tuple[float, float]
) -> None:
    scene, actors = _recorded(document, *before), ("one", "two", "three")
    longer = edit("insert_everywhere", actors=actors, time=2 * SECOND, length=SECOND, play=True).apply(scene)
    assert _starts(longer) == inserted
    shorter = edit("delete_everywhere", actors=actors, start=SECOND, end=5 * SECOND // 2, play=True).apply(scene)
    assert _starts(shorter) == removed
    validate(longer)
    validate(shorter)
    alone = edit("insert_everywhere", actors=("one",), time=0, length=SECOND).apply(scene)
    assert (alone.sound, alone.references) == (scene.sound, scene.references), "one actor's time is not the scene's"
