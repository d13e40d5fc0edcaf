"""Trails and onion skins: they show what the evaluator shows, and only what an edit touched is worked out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from engine.document import Actor, Document, Draft, Figure, Handle, Joint, Key, Layer, Lock, Samples, Span, Track
from engine.document.blobs import Blob
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.shipped import load_skin
from engine.edits import edit
from engine.evaluate import moments
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.ik.goals import Spot
from engine.model.snapshot import Bodies, Snapshot
from engine.model.trails import Trail, TrailPicture
from engine.queries import trails
from engine.queries.tangents import velocities
from engine.queries.trails import OnionSkins, Trails, Wanted, key_times, main_handles
from engine.runtime.errors import InvalidArguments
from tests.engine.motion.motions import walker

NEAR = 1e-6  # [m] float32
RATE = (10, 1)
KNEE = Spot(actor="one", joint="knee", point=(0.0, -0.4, 0.1))
WHOLE = Wanted(spots=(KNEE,), first=0, last=2 * SECOND)


class Counting(Evaluator):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[int, tuple[str, ...]]] = []

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True, bare: bool = True) -> Snapshot:
        """The picture, and a note of it."""
        self.asked.append((time, tuple(actor.id for actor in document.actors)))
        return super().snapshot(document, time, skins=skins, bare=bare)


def ticking(step: float) -> Iterator[float]:
    return (step * each for each in count())


def track(name: str, *keys: tuple[float, float]) -> Track:
    return Track(coordinate=name, keys=tuple(Key(round(time * SECOND), value) for time, value in keys))


def scene(*tracks: Track, locks: tuple[Lock, ...] = ()) -> Document:
    """A walker that slides and bends its knee, a second one that stands still."""
    layer = Layer(id="pose", tracks=tracks or (track("x", (0.0, 0.0), (2.0, 1.0)), track("knee", (0.52, 0.4))))
    one = Actor(id="one", name="One", figure=walker(), layers=(layer,), locks=locks)
    two = Actor(id="two", name="Two", figure=walker(), layers=(Layer(id="pose"),))
    return Document(actors=(one, two), rate=RATE)


def last(found: Iterator[TrailPicture | None]) -> TrailPicture:
    picture = list(found)[-1]
    assert picture is not None
    assert picture.whole
    return picture


def seen(document: Document, spot: Spot, time: int) -> np.ndarray:
    frame = Evaluator().joint_transforms(document, spot.actor, time)[
        document.actor(spot.actor).figure.joint_index[spot.joint]
    ]
    return np.asarray(frame[:, :3] @ spot.point + frame[:, 3])


def only(picture: TrailPicture) -> Trail:
    (trail,) = picture.trails
    return trail


def assert_shows(trail: Trail, document: Document) -> None:
    spot = Spot(actor=trail.owner, joint=trail.part, point=trail.point)
    for time, point in zip(trail.times.tolist(), trail.points, strict=True):
        np.testing.assert_allclose(point, seen(document, spot, time), atol=NEAR)


def test_a_trail_has_a_place_for_each_frame_and_for_keys_between_frames() -> None:
    document = scene()
    trail = only(last(Trails(Evaluator()).answer(document, 0, WHOLE)))
    frames = {frame_time(frame, RATE) for frame in range(21)}
    assert trail.times.tolist() == sorted(frames | {round(0.52 * SECOND)})
    assert trail.times[trail.keyed].tolist() == [0, round(0.52 * SECOND), 2 * SECOND]
    assert trail.fresh.all()
    assert_shows(trail, document)


def test_a_trail_follows_what_locks_do() -> None:
    held = Lock(
        id="held", name="Held", joint="knee", span=Span(start=SECOND // 2, end=SECOND), position=(0.3, 0.0, 0.0)
    )
    document, free = scene(locks=(held,)), scene()
    found = only(last(Trails(Evaluator()).answer(document, 0, WHOLE)))
    assert_shows(found, document)
    without = only(last(Trails(Evaluator()).answer(free, 0, WHOLE)))
    moved = np.linalg.norm(found.points - without.points, axis=1) > 1e-3
    assert moved[found.times.tolist().index(frame_time(7, RATE))]
    assert not moved[found.times > SECOND].any()


def test_keys_of_joints_below_are_no_keys_of_a_trail() -> None:
    actor = scene().actor("one")
    assert key_times(actor, "root") == (0, 2 * SECOND)
    assert key_times(actor, "knee") == key_times(actor) == (0, round(0.52 * SECOND), 2 * SECOND)
    muted = replace(actor, layers=(replace(actor.layers[0], mute=True),))
    masked = replace(actor, layers=(replace(actor.layers[0], mask=("knee",)),))
    assert key_times(muted) == ()
    silent = tuple(replace(each, mute=each.coordinate == "x") for each in actor.layers[0].tracks)
    part = replace(actor, layers=(replace(actor.layers[0], tracks=silent),))
    assert key_times(part, "root") == ()
    assert key_times(masked) == (round(0.52 * SECOND),)


def test_only_what_an_edit_touched_is_worked_out_again() -> None:
    document = scene(track("x", (0.0, 0.0), (1.0, 1.0), (2.0, 0.0)))
    evaluator = Counting()
    job = Trails(evaluator)
    before = only(last(job.answer(document, 0, WHOLE)))
    assert len(evaluator.asked) == len(before.times)
    assert {ids for _, ids in evaluator.asked} == {("one",)}
    evaluator.asked.clear()
    last(job.answer(document, SECOND, WHOLE))
    assert evaluator.asked == []
    change = edit("set_key", actor="one", layer="pose", coordinate="x", time=2 * SECOND, value=0.5)
    edited = change.apply(document)
    after = only(last(job.answer(edited, SECOND, WHOLE)))
    assert 0 < len(evaluator.asked) < len(before.times)
    assert min(time for time, _ in evaluator.asked) > 0
    assert_shows(after, edited)


def test_until_it_is_whole_a_trail_shows_what_was_there_and_says_so() -> None:
    document, times = scene(), ticking(trails.SHOWN_EVERY)
    job = Trails(Evaluator(), clock=lambda: next(times))
    old = only(last(job.answer(document, 0, WHOLE)))
    edited = edit("set_key", actor="one", layer="pose", coordinate="x", time=0, value=0.3).apply(document)
    shown = [each for each in job.answer(edited, SECOND, WHOLE) if each is not None]
    first = only(shown[0])
    assert not shown[0].whole
    assert shown[-1].whole
    assert 0 < first.fresh.sum() < len(first.times)
    assert abs(first.times[first.fresh] - SECOND).max() <= abs(first.times[~first.fresh] - SECOND).min()
    stale = ~first.fresh
    np.testing.assert_array_equal(first.points[stale], old.points[stale])
    assert_shows(only(shown[-1]), edited)


def test_a_step_ends_when_its_time_is_up() -> None:
    times = ticking(1.1 * trails.SLICE)
    steps = list(Trails(Evaluator(), clock=lambda: next(times)).answer(scene(), 0, WHOLE))
    assert len(steps) == 1 + 22
    assert sum(each is None for each in steps) > len(steps) // 2


def test_onion_skins_by_frames_are_the_bodies_of_those_frames() -> None:
    document, now = scene(), frame_time(10, RATE)
    skins = OnionSkins(actors=("one",), before=2, after=1, step=3)
    found = last(Trails(Evaluator()).answer(document, now, Wanted(onions=skins))).onions
    assert [(each.number, each.time) for each in found] == [
        (-2, frame_time(4, RATE)),
        (-1, frame_time(7, RATE)),
        (1, frame_time(13, RATE)),
    ]
    for each in found:
        item = next(
            each for each in Evaluator().snapshot(document, each.time, skins=False).bodies if each.owner == "one"
        )
        assert (each.bodies.owner, each.bodies.role) == ("one", "onion")
        np.testing.assert_array_equal(each.bodies.transforms, item.transforms)


def test_onion_skins_by_keys_leave_the_present_key_out() -> None:
    document = scene(track("knee", *((0.5 * each, 0.1 * each) for each in range(7))))
    skins = OnionSkins(actors=("one",), before=2, after=2, by="keys")
    found = last(Trails(Evaluator()).answer(document, SECOND, Wanted(onions=skins))).onions
    assert sorted((each.number, each.time / SECOND) for each in found) == [(-2, 0.0), (-1, 0.5), (1, 1.5), (2, 2.0)]
    second = replace(skins, step=2)
    found = last(Trails(Evaluator()).answer(document, SECOND, Wanted(onions=second))).onions
    assert sorted((each.number, each.time / SECOND) for each in found) == [(-1, 0.0), (1, 2.0), (2, 3.0)]


def test_onion_skins_stay_within_what_is_played() -> None:
    document = replace(scene(), play=Span(start=0, end=SECOND))
    skins = OnionSkins(actors=("one", "two"), before=20, after=20, step=4)
    found = last(Trails(Evaluator()).answer(document, SECOND // 2, Wanted(onions=skins))).onions
    assert {each.time for each in found} == {frame_time(1, RATE), frame_time(9, RATE)}
    assert {each.bodies.owner for each in found} == {"one", "two"}


def test_what_is_gone_or_hidden_has_no_trail() -> None:
    document, job = scene(), Trails(Evaluator())
    last(job.answer(document, 0, WHOLE))
    hidden = document.with_actor(replace(document.actor("one"), visible=False))
    gone = replace(document, actors=document.actors[1:])
    skins = OnionSkins(actors=("one", "nobody"))
    for each in (hidden, gone):
        found = last(job.answer(each, 0, replace(WHOLE, onions=skins)))
        assert (found.trails, found.onions) == ((), ())
    other = replace(WHOLE, spots=(replace(KNEE, joint="tail"),))
    assert last(job.answer(document, 0, other)).trails == ()


def test_while_something_is_pulled_at_another_time_it_is_shown_there_and_worked_out_first() -> None:
    document, evaluator = scene(), Counting()
    pulled = replace(WHOLE, pulled=("one", 2 * SECOND))
    picture = last(Trails(evaluator).answer(document, 0, pulled))
    assert [(each.time, each.number, each.bodies.owner) for each in picture.onions] == [(2 * SECOND, 1, "one")]
    times = [time for time, _ in evaluator.asked]
    assert times == sorted(times, reverse=True)
    behind = last(Trails(Evaluator()).answer(document, 2 * SECOND, replace(WHOLE, pulled=("one", 0))))
    assert [(each.time, each.number) for each in behind.onions] == [(0, -1)]
    for gone in (("one", 0), ("nobody", SECOND)):
        assert last(Trails(Evaluator()).answer(document, 0, replace(WHOLE, pulled=gone))).onions == ()


def test_one_that_is_an_onion_skin_already_is_not_shown_twice() -> None:
    skins = OnionSkins(actors=("one",), before=0, after=2)
    wanted = Wanted(onions=skins, pulled=("one", frame_time(1, RATE)))
    found = last(Trails(Evaluator()).answer(scene(), 0, wanted)).onions
    assert sorted(each.number for each in found) == [1, 2]


def test_a_trail_that_has_not_changed_is_the_same_object_whatever_the_present_is() -> None:
    document, job = scene(), Trails(Evaluator())
    before = only(last(job.answer(document, SECOND, WHOLE)))
    assert only(last(job.answer(document, SECOND + 5, WHOLE))) is before
    edited = edit("set_key", actor="one", layer="pose", coordinate="x", time=0, value=0.3).apply(document)
    after = only(last(job.answer(edited, SECOND, WHOLE)))
    assert after is not before
    assert_shows(after, edited)


def test_where_the_present_is_on_a_key_the_trail_tells_its_tangents() -> None:
    document, job = scene(track("x", (0.0, 0.0), (1.0, 1.0), (2.0, 1.5))), Trails(Evaluator())
    tangents = only(last(job.answer(document, SECOND, WHOLE))).tangents
    assert tangents is not None
    assert tangents.time == SECOND
    assert tangents.reach == pytest.approx((1 / 3, 1 / 3))
    np.testing.assert_allclose(tangents.velocities, velocities(Evaluator(), document, KNEE, SECOND))
    assert only(last(job.answer(document, frame_time(3, RATE), WHOLE))).tangents is None
    first = only(last(job.answer(document, 0, WHOLE))).tangents
    assert first is not None
    assert first.reach == pytest.approx((0.0, 1 / 3))


def test_onion_skins_of_a_figure_that_has_a_skin_alone_are_drawn_in_it() -> None:
    human = load_figure("human")
    bare = replace(human, skins=(load_skin("human"),), joints=tuple(replace(each, shapes=()) for each in human.joints))
    keys = Track(coordinate="pelvis.move_x", keys=(Key(0, 0.0), Key(SECOND, 1.0)))
    actor = Actor(id="one", name="One", figure=bare, layers=(Layer(id="pose", tracks=(keys,)),))
    document, job = Document(actors=(actor,), rate=RATE), Trails(Evaluator())
    spot = Spot(actor="one", joint="pelvis")
    trail = Wanted(spots=(spot,), first=0, last=SECOND)
    assert last(job.answer(document, 0, trail)).onions == ()
    skins = replace(trail, onions=OnionSkins(actors=("one",), before=0, after=2))
    found = last(job.answer(document, 0, skins)).onions
    assert [(each.number, len(each.skins)) for each in found] == [(2, 1), (1, 1)]
    for each in found:
        (skin,) = each.skins
        (now,) = Evaluator().snapshot(document, each.time).skins
        assert skin.role == "onion"
        np.testing.assert_array_equal(skin.positions, now.positions)
    counted = Counting()
    again = Trails(counted)
    last(again.answer(document, 0, skins))
    counted.asked.clear()
    last(again.answer(document, 0, skins))
    assert counted.asked == []


def test_a_draft_is_no_motion() -> None:
    document = scene()
    layer = document.actor("one").layers[0]
    drafted = replace(layer, drafts=(Draft(time=frame_time(5, RATE), values=(("x", 9.0),)),))
    found = only(
        last(
            Trails(Evaluator()).answer(document.with_actor(replace(document.actor("one"), layers=(drafted,))), 0, WHOLE)
        )
    )
    assert_shows(found, document)


def test_a_long_trail_keeps_what_is_nearest_to_the_present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trails, "MOST_PLACES", 20)
    values = Blob(np.linspace(0.0, 1.0, 1001)[:, None])
    layer = Layer(id="pose", samples=Samples(coordinates=("x",), values=values, rate=RATE))
    document = Document(actors=(Actor(id="one", name="One", figure=walker(), layers=(layer,)),), rate=RATE)
    wanted = Wanted(spots=(KNEE,), first=0, last=frame_time(1000, RATE))
    for frame in (0, 500, 1000):
        now = frame_time(frame, RATE)
        trail = only(last(Trails(Evaluator()).answer(document, now, wanted)))
        assert len(trail.times) == 20
        assert now in trail.times
        assert abs(trail.times - now).max() <= frame_time(20, RATE)


def test_what_is_kept_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "KEPT", 30)
    evaluator = Counting()
    job, document = Trails(evaluator), scene()
    last(job.answer(document, 0, WHOLE))
    last(job.answer(document, 0, Wanted(spots=(replace(KNEE, actor="two"),), first=0, last=2 * SECOND)))
    evaluator.asked.clear()
    last(job.answer(document, 0, Wanted(spots=(replace(KNEE, actor="two"),), first=0, last=2 * SECOND)))
    assert evaluator.asked == []
    last(job.answer(document, 0, WHOLE))
    assert len(evaluator.asked) == 22


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"before": -1}, "before of onion skins is -1; allowed: a whole number of 0 to 64"),
        ({"after": 65}, "after of onion skins is 65"),
        ({"step": 0}, "step of onion skins is 0; allowed: a whole number of 1 to 1000"),
        ({"before": 1.5}, "before of onion skins is 1.5"),
        ({"by": "beats"}, "allowed: keys or frames"),
    ],
)
def test_impossible_skins_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidArguments, match=said):
        OnionSkins(actors=("one",), **changes)  # type: ignore[arg-type]


def test_a_trail_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="allowed: at or after its start, 5"):
        Wanted(first=5, last=4)


def test_a_passage_that_is_not_whole_looks_at_what_is_new_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    find = moments.Moments.find

    def counted(self: moments.Moments, actor: str, time: int) -> tuple[Bodies | None, bool]:
        looked.append(time)
        return find(self, actor, time)

    monkeypatch.setattr(moments.Moments, "find", counted)
    document, times = scene(), ticking(trails.SHOWN_EVERY)
    job = Trails(Evaluator(), clock=lambda: next(times))
    shown = [each for each in job.answer(document, 0, WHOLE) if each is not None]
    count = len(only(shown[-1]).times)
    assert len(shown) > count // 2
    assert len(looked) == 2 * count
    for picture in shown:
        for trail in picture.trails:
            assert_shows(trail, document)


def test_a_trail_whose_keys_alone_are_others_tells_them() -> None:
    document, job = scene(), Trails(Evaluator())
    before = only(last(job.answer(document, 0, WHOLE)))
    key = edit("insert_keys", actor="one", layer="pose", time=frame_time(4, RATE), coordinates=("x",))
    edited = key.apply(document)
    after = only(last(job.answer(edited, 0, WHOLE)))
    assert after.times.tolist() == before.times.tolist()
    assert after.keyed.sum() == before.keyed.sum() + 1
    assert after.points is not before.points


def test_of_a_figure_with_many_handles_those_of_its_longest_limbs_are_chosen() -> None:
    def chain(name: str, bones: int, above: str = "root") -> tuple[list[Joint], Handle]:
        ids = [f"{name}{number}" for number in range(bones)]
        parents = [above, *ids]
        made = [
            Joint(id=id, name=id, parent=parent, offset=(0.0, 0.1, 0.0))
            for id, parent in zip(ids, parents[:bones], strict=True)
        ]
        return made, Handle(id=name, name=name, joint=ids[-1], point=(0.0, 0.02, 0.0))

    arms = [chain("left arm", 5), chain("right arm", 5), chain("left leg", 6), chain("right leg", 6), chain("neck", 3)]
    fingers = [chain(f"{side} finger {number}", 2, f"{side} arm4") for side in ("left", "right") for number in range(5)]
    all_of_it = [*arms, *fingers]
    joints = (Joint(id="root", name="Root"), *(joint for chained, _ in all_of_it for joint in chained))
    figure = Figure(name="Capture", joints=joints, handles=tuple(handle for _, handle in all_of_it))
    chosen = [each.id for each in main_handles(figure)]
    assert len(chosen) == 5
    assert {"left leg", "right leg", "neck"} <= set(chosen)
    assert sum(name.startswith("left") for name in chosen) == sum(name.startswith("right") for name in chosen) == 2
    few = replace(figure, handles=figure.handles[:8])
    assert main_handles(few) == few.handles
