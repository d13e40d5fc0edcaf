"""Kept pictures are those that would be worked out anew, whatever was edited meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.document import Actor, Document, Key, Layer, Lock, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import Edit, edit
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.picture_cache import FrameStretch, PictureCache
from engine.model.snapshot import Snapshot
from tests.engine.motion.motions import walker

RATE = (30, 1)
FRAMES = [frame_time(frame, RATE) for frame in range(0, 91, 5)]


class Counting(Evaluator):
    """Says how many pictures it worked out."""

    made = 0

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True, bare: bool = True) -> Snapshot:
        self.made += 1
        return super().snapshot(document, time, skins=skins, bare=bare)


def scene() -> Document:
    """A walker that is keyed over three seconds, locked in the last, and one that stands still."""
    keys = tuple(Key(each * SECOND, 0.1 * each, interpolation="linear") for each in range(4))
    layer = Layer(id="keys", tracks=(Track(coordinate="knee", keys=keys),))
    span = Span(start=2 * SECOND, end=3 * SECOND)
    lock = Lock(id="hold", name="Hold", joint="knee", position=(0.1, 0.0, 0.0), span=span)
    first = Actor(id="one", name="One", figure=walker(), layers=(layer,), locks=(lock,))
    return Document(actors=(first, Actor(id="two", name="Two", figure=walker(), layers=(Layer(id="pose"),))))


@pytest.fixture
def evaluator() -> Counting:
    return Counting()


@pytest.fixture
def filled(evaluator: Counting) -> PictureCache:
    pictures = PictureCache(evaluator)
    for time in FRAMES:
        pictures.snapshot(scene(), time, skins=True)
    evaluator.made = 0
    return pictures


def assert_same(one: Snapshot, other: Snapshot) -> None:
    assert (one.document, one.time, one.locks) == (other.document, other.time, other.locks)
    for mine, yours in zip(one.bodies, other.bodies, strict=True):
        assert (mine.owner, mine.visible, mine.frozen) == (yours.owner, yours.visible, yours.frozen)
        assert mine.transforms.tobytes() == yours.transforms.tobytes()
        assert mine.pose is not None
        assert yours.pose is not None
        assert mine.pose.tobytes() == yours.pose.tobytes()


def new_actor() -> Actor:
    return Actor(id="three", name="Three", figure=walker(), layers=(Layer(id="pose"),))


EDITS = (
    edit("set_keys", actor="one", layer="keys", keys=(("knee", Key(SECOND, 0.7, interpolation="linear")),)),
    edit("set_value", actor="two", layer="pose", coordinate="knee", value=0.4),
    edit("place_actor", actor="one", position=(1.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)),
    edit("show_actor", actor="two", visible=False),
    edit("freeze_actor", actor="two", frozen=True),
    edit("rename_lock", actor="one", lock="hold", name="Grip"),
    edit("mute_lock", actor="one", lock="hold", mute=True),
    edit("set_lock_weight", actor="one", lock="hold", weight=0.5),
    edit("set_rate", frames=24),
    edit("add_actor", actor=new_actor()),
    edit("remove_actor", actor="one"),
    edit("remove_layer", actor="one", layer="keys"),
)


@pytest.mark.parametrize("change", EDITS, ids=lambda change: change.name)
def test_after_any_edit_pictures_are_those_of_the_new_document(
    filled: PictureCache, evaluator: Counting, change: Edit
) -> None:
    document = change.apply(scene())
    for time in (*FRAMES, 7):
        found = filled.snapshot(document, time, skins=True)
        assert found.document is document
        assert_same(found, Evaluator().snapshot(document, time))


def test_what_an_edit_does_not_touch_is_not_worked_out_again(filled: PictureCache, evaluator: Counting) -> None:
    document = EDITS[0].apply(scene())
    for time in FRAMES:
        filled.snapshot(document, time, skins=True)
    touched = [time for time in FRAMES if 0 <= time <= 2 * SECOND]
    assert evaluator.made == len(touched)
    frozen = edit("freeze_actor", actor="one", frozen=True).apply(document)
    for time in FRAMES:
        assert filled.snapshot(frozen, time, skins=True).bodies[0].frozen
    assert evaluator.made == len(touched)


def test_it_tells_what_is_fresh_stale_and_missing(filled: PictureCache) -> None:
    second, after = frame_time(30, RATE), frame_time(60, RATE)
    assert filled.stretches(FRAMES) == (FrameStretch(0, FRAMES[-1], "fresh"),)
    filled.follow(EDITS[0].apply(scene()), skins=True)
    assert filled.stretches([*FRAMES, 100 * SECOND]) == (
        FrameStretch(0, after, "stale"),
        FrameStretch(frame_time(65, RATE), FRAMES[-1], "fresh"),
        FrameStretch(100 * SECOND, 100 * SECOND, "missing"),
    )
    filled.snapshot(filled.document, second, skins=True)
    assert [each.state for each in filled.stretches(FRAMES)] == ["stale", "fresh", "stale", "fresh"]
    filled.follow(filled.document, skins=False)
    assert [each.state for each in filled.stretches(FRAMES)] == ["stale"], "without skins they are other pictures"


def test_in_a_scene_of_other_actors_nothing_was_there_before(filled: PictureCache) -> None:
    filled.follow(EDITS[0].apply(scene()), skins=True)
    with_a_third = edit("add_actor", actor=new_actor()).apply(scene())
    filled.follow(with_a_third, skins=True)
    assert [each.state for each in filled.stretches(FRAMES)] == ["stale"]
    filled.follow(scene(), skins=True)
    filled.follow(replace(scene(), actors=(new_actor(),)), skins=True)
    assert [each.state for each in filled.stretches(FRAMES)] == ["missing"]


def test_times_between_frames_are_not_kept(filled: PictureCache, evaluator: Counting) -> None:
    for _ in range(2):
        filled.snapshot(scene(), 7, skins=True)
    assert evaluator.made == 2


def test_its_memory_is_bounded_and_what_was_not_asked_for_goes_first(evaluator: Counting) -> None:
    document = scene()
    one = PictureCache(evaluator)
    one.snapshot(document, 0, skins=True)
    pictures = PictureCache(evaluator, limit=3 * one._kept.bytes + 100)
    for frame in (0, 1, 2):
        pictures.snapshot(document, frame_time(frame, RATE), skins=True)
    assert pictures.is_full
    pictures.snapshot(document, 0, skins=True)
    pictures.snapshot(document, frame_time(3, RATE), skins=True)
    fresh = [frame for frame in range(4) if pictures.is_fresh(frame_time(frame, RATE))]
    assert fresh == [0, 2, 3]


def test_a_moved_actor_of_the_list_keeps_its_own_picture(filled: PictureCache) -> None:
    document = scene()
    turned = replace(document, actors=document.actors[::-1])
    assert [each.owner for each in filled.snapshot(turned, 0, skins=True).bodies] == ["two", "one"]
