"""Examples that were made by hand in the window: what is locked stays where it is, and nothing leaps."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.jobs.examples import example

LONG = 10  # [s]


def test_the_feet_of_the_animation_made_by_hand_stay_where_they_are_planted() -> None:
    document, evaluator = example("ball").build(), Evaluator()
    person = next(actor for actor in document.actors if actor.locks)
    looked, half = 0, frame_time(1, document.rate) // 2
    for time in range(0, LONG * SECOND + 1, half):
        joints = evaluator.joint_transforms(document, person.id, time)
        for lock in person.locks:
            span = lock.span
            assert span is not None
            if span.start + span.ease_in <= time <= span.end - span.ease_out:
                off = np.linalg.norm(joints[person.figure.joint_index[lock.joint]][:, 3] - lock.position)
                assert off < 1e-3, (lock.name, time / SECOND)
                looked += 1
    assert {lock.joint for lock in person.locks} == {"ankle_left", "ankle_right", "toes_right"}
    assert looked > 2 * LONG * 30, "two feet for most of ten seconds"


def test_both_heels_of_the_animation_made_by_hand_are_down_but_for_the_step_and_the_crouch() -> None:
    document, evaluator = example("ball").build(), Evaluator()
    person = next(actor for actor in document.actors if actor.locks)
    standing = {"ankle_left": ((0.0, 3.0), (3.6, 10.0)), "ankle_right": ((0.0, 3.6), (6.1, 10.0))}
    for joint, spans in standing.items():
        number = person.figure.joint_index[joint]
        at_rest = next(lock.position[1] for lock in person.locks if lock.joint == joint)
        for start, end in spans:
            for time in range(round(start * SECOND), round(end * SECOND), frame_time(1, document.rate)):
                height = evaluator.joint_transforms(document, person.id, time)[number][1, 3]
                assert height == pytest.approx(at_rest, abs=1e-3), (joint, time / SECOND)


def test_no_joint_of_the_animation_made_by_hand_leaps() -> None:
    document, evaluator = example("ball").build(), Evaluator()
    person = next(actor for actor in document.actors if actor.locks)
    times = range(0, LONG * SECOND + 1, SECOND // 120)
    places = np.array([evaluator.joint_transforms(document, person.id, time)[:, :, 3] for time in times])
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=2) * 120.0
    assert speeds.max() < 6.0, "a hand that is raised to wave"
    ways = np.linalg.norm(np.ptp(places, axis=0), axis=1)
    still = {joint.id for joint, way in zip(person.figure.joints, ways, strict=True) if way < 0.02}
    assert still == {"toes_right"}, "all else is alive"
