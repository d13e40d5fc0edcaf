"""The examples of secondary motion: letters are hit, the hand is still at the cup and takes it, windows differ; feet,
limits and tables are kept, and nothing leaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.document import Document, Secondary
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.validation import validate
from engine.evaluate.evaluator import Evaluator
from engine.experiments.kinodynamic_grasp import CUP_AT, GRIP, HAND, PERSON, TOUCH
from engine.experiments.kinodynamic_letters import DANCER, LETTERS
from engine.experiments.meeting import EvaluatedActor, as_keyed
from engine.kinodynamics.secondary import secondaries_of
from engine.maths.arrays import Array
from engine.queries.examples import example

WITHIN, STILL = 1e-6, 1e-4  # [rad] or [m], [m/s]
WRISTS = ("wrist_left", "wrist_right")
CUP = "cup"
FRAMES = {"Short window": 5, "Middling window": 15, "Long window": 45}
letters, grasp, hanging_ball = (example(id).build for id in ("letters", "grasp", "hanging_ball"))
SWINGING: tuple[tuple[Callable[[], Document], str], ...] = ((letters, DANCER), (grasp, PERSON))
both = pytest.mark.parametrize(("build", "who"), SWINGING, ids=[who for _, who in SWINGING])


@cache
def evaluator() -> Evaluator:
    return Evaluator()


def seen(document: Document, who: str) -> EvaluatedActor:
    return EvaluatedActor(document, who, evaluator())


def uncorrected(document: Document, who: str) -> Document:
    owner = document.actor(who)
    return document.with_actor(replace(owner, layers=tuple(each for each in owner.layers if each.correction is None)))


def tick(seconds: float) -> int:
    return round(seconds * SECOND)


def keys(document: Document, who: str) -> EvaluatedActor:
    return as_keyed(uncorrected(document, who), who, evaluator())


def times(document: Document, rate: int) -> list[int]:
    assert document.play is not None
    return list(range(0, document.play.end + 1, SECOND // rate))


@cache
def places(build: Callable[[], Document], who: str, rate: int) -> Array:
    """Of all joints, shape [times, joints, 3]."""
    document = build()
    frames = (evaluator().joint_transforms(document, who, time)[:, :, 3] for time in times(document, rate))
    return np.array(list(frames))


@pytest.mark.parametrize("build", [letters, grasp, hanging_ball], ids=["letters", "grasp", "hanging_ball"])
def test_documents_are_sound_and_their_names_are_for_people(build: Callable[[], Document]) -> None:
    document = build()
    validate(document)
    assert document.digest == build().digest
    names = [actor.name for actor in document.actors]
    names += [layer.name for actor in document.actors for layer in actor.layers]
    names += [lock.name for actor in document.actors for lock in actor.locks]
    assert all(name[0].isupper() and "_" not in name for name in names), names
    assert document.play is not None


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_is_hit_with_the_correction_that_ships_and_missed_without(letter: str) -> None:
    document, at = letters(), tick(LETTERS[letter])
    wanted = keys(document, DANCER).coordinates([at])
    assert np.abs(seen(document, DANCER).coordinates([at]) - wanted).max() <= WITHIN
    loose = seen(uncorrected(document, DANCER), DANCER)
    assert np.abs(loose.coordinates([at]) - wanted).max() > 0.1
    here, there = loose.joints(at), keys(document, DANCER).joints(at)
    assert max(np.linalg.norm(here[wrist] - there[wrist]) for wrist in WRISTS) > 0.045


def test_letters_look_like_letters() -> None:
    document = letters()
    at = {letter: seen(document, DANCER).joints(tick(seconds)) for letter, seconds in LETTERS.items()}
    hands = {each: np.array([joints[wrist] for wrist in WRISTS]) for each, joints in at.items()}
    feet = {each: np.array([joints["ankle_left"], joints["ankle_right"]]) for each, joints in at.items()}
    span = {each: float(np.ptp(points[:, 0])) for each, points in hands.items()}
    stride = {each: float(np.ptp(points[:, 0])) for each, points in feet.items()}
    over = {each: float(points[:, 1].min() - at[each]["head"][1]) for each, points in hands.items()}
    assert span["T"] > 1.3
    assert abs(hands["T"][:, 1] - at["T"]["shoulder_left"][1]).max() < 0.1, "the bar is level"
    assert span["A"] < 0.2 < over["A"], "wrists, at whose hands fingertips meet"
    assert span["X"] > 0.9
    assert over["X"] > 0.05
    assert span["I"] < 0.45
    assert over["I"] > 0.25
    assert min(stride["A"], stride["X"]) > 0.6
    assert max(stride["T"], stride["I"]) < 0.25
    for points in hands.values():
        assert abs(points[0, 1] - points[1, 1]) < 0.05, "all four are symmetric"


def test_the_dancer_steps_once_with_each_foot_and_stands_otherwise() -> None:
    document, rate = letters(), 120
    found_places = places(letters, DANCER, rate)
    figure = document.actor(DANCER).figure
    for joint, first, last in (("ankle_right", 2.25, 2.72), ("ankle_left", 4.95, 5.42)):
        way = found_places[:, figure.joint_index[joint]]
        before, after = way[: round(first * rate) + 1], way[round(last * rate) + 1 :]
        for standing in (before, after):
            assert np.linalg.norm(standing - standing[0], axis=1).max() < 1e-3
        assert before[0][0] - after[0][0] == pytest.approx(0.55, abs=1e-3)
        assert before[0][1] == pytest.approx(after[0][1], abs=1e-3)
        assert way[:, 1].max() > before[0][1] + 0.03, "the foot is lifted"


def test_the_feet_of_who_reaches_stay() -> None:
    figure = grasp().actor(PERSON).figure
    for joint in ("ankle_left", "ankle_right"):
        way = places(grasp, PERSON, 120)[:, figure.joint_index[joint]]
        assert np.linalg.norm(way - way[0], axis=1).max() < 1e-3


@both
def test_no_limit_is_passed(build: Callable[[], Document], who: str) -> None:
    document = build()
    figure = document.actor(who).figure
    values = seen(document, who).coordinates(times(document, 60))
    for dof in figure.dofs:
        column = values[:, figure.coordinate_index[dof.id]]
        if dof.lower is not None and dof.upper is not None:
            assert column.min() >= dof.lower - 1e-9, dof.id
            assert column.max() <= dof.upper + 1e-9, dof.id


@both
def test_nothing_leaps_and_all_is_alive(build: Callable[[], Document], who: str) -> None:
    found_places = places(build, who, 120)
    steps = np.linalg.norm(np.diff(found_places, axis=0), axis=2) * 120.0
    assert steps.max() < 12.0, "[m/s] of a fingertip that is flung up"
    jolts = np.linalg.norm(np.diff(found_places, 2, axis=0), axis=2) * 120.0**2
    assert jolts.max() < 400.0, "[m/s2]"
    figure = build().actor(who).figure
    still = np.linalg.norm(np.ptp(found_places, axis=0), axis=1) < 0.01
    assert {joint.id for joint, rests in zip(figure.joints, still, strict=True) if rests} <= {
        f"{part}_{side}" for part in ("ankle", "toes") for side in ("left", "right")
    }


def test_the_hand_is_at_the_cup_and_at_rest() -> None:
    document, at = grasp(), tick(TOUCH)
    hand = seen(document, PERSON)
    assert np.linalg.norm(hand.point(HAND, GRIP, at) - np.array(CUP_AT)) <= WITHIN
    assert hand.speed(HAND, GRIP, at) <= STILL
    loose = seen(uncorrected(document, PERSON), PERSON)
    assert np.linalg.norm(loose.point(HAND, GRIP, at) - np.array(CUP_AT)) > 0.01
    assert loose.speed(HAND, GRIP, at) > 0.1


def test_the_cup_stands_until_it_is_touched_and_is_carried_from_then_on() -> None:
    document, at = grasp(), tick(TOUCH)
    cup, hand = seen(document, CUP), document.actor(PERSON).figure.joint_index[HAND]
    for time in range(0, at + 1, SECOND // 30):
        assert np.abs(cup.joints(time)["body"] - np.array(CUP_AT)).max() < 1e-6
    after = cup.joints(at + SECOND // 10_000)["body"]
    assert np.linalg.norm(after - np.array(CUP_AT)) < 1e-5, "taken without a jump"
    rest = None
    for time in range(at + 1, times(document, 30)[-1], SECOND // 30):
        turn = evaluator().joint_transforms(document, PERSON, time)[hand]
        body = evaluator().joint_transforms(document, CUP, time)[0]
        inside = turn[:, :3].T @ (body[:, 3] - turn[:, 3])
        rest = inside if rest is None else rest
        assert np.abs(inside - rest).max() < 1e-9
        assert body[1, 1] > np.cos(np.radians(30.0)), "nothing is spilled"
    assert cup.joints(tick(3.1))["body"][1] > CUP_AT[1] + 0.25, "it is raised"


def test_the_cup_never_dips_into_the_table() -> None:
    document = grasp()
    for time in range(tick(TOUCH), tick(2.4), SECOND // 120):
        body = evaluator().joint_transforms(document, CUP, time)[0]
        foot = body[:, 3] - 0.055 * body[:, 1]
        assert foot[1] - (CUP_AT[1] - 0.055) > -1.5e-3, time / SECOND


def test_the_longer_the_window_the_nearer_a_hanging_ball_is_to_full_dynamics() -> None:
    document, apart = hanging_ball(), []
    assert [actor.name for actor in document.actors] == list(FRAMES)
    longest = document.actors[-1]
    group = next(each for each in document.groups if longest in each)
    secondaries = secondaries_of(evaluator())
    kino = secondaries.model(longest)
    full_times, full = kino.path(0.0, 300, secondaries.keyed(document, group, longest, kino))
    for actor in document.actors:
        assert actor.secondary is not None
        assert actor.secondary.window == FRAMES[actor.name] * SECOND // 30
        q = np.array([evaluator().coordinates(document, actor.id, [time])[0] for time in full_times])
        apart.append(float(np.sqrt(np.mean((q - full)[:, 1:] ** 2))))
    swing = float(np.sqrt(np.mean(full[:, 1:] ** 2)))
    assert apart[0] > apart[1] > apart[2], apart
    assert apart[2] < 0.4 * swing < 0.8 * swing < apart[0]


def test_a_hanging_ball_swings_past_after_a_stop_only_as_far_back_as_its_window_reaches() -> None:
    document, stop = hanging_ball(), tick(1.0)
    for actor, moves in zip(document.actors, (False, False, True), strict=True):
        assert isinstance(actor.secondary, Secondary)
        later = stop + SECOND * 3 // 4
        swing = evaluator().coordinates(document, actor.id, [later])[0][1:]
        assert bool(np.abs(swing).max() > 1e-3) == moves, actor.name
