"""The examples of planned motions: each holds its plan and the motion that was found for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.queries.examples import example
from engine.runtime.progress import finish
from engine.spacetime.coupled import coupled_motions
from engine.spacetime.coupled_faults import check_coupled
from engine.spacetime.parts import SpacetimeConstraint
from engine.spacetime.planned import compiled
from engine.spacetime.search import FROM_EARLIER
from engine.spacetime.spatial.playback import played_off
from engine.spacetime.uses import spacetime_of
from tests.spacetime_examples import LEAPS
from tests.thrown_examples import BALL, FALLS, FROM, PALM, RELEASE, STRONGEST, SWINGS, THROWN, THROWN_EXAMPLES


@pytest.mark.parametrize("name", [*LEAPS, *THROWN_EXAMPLES])
def test_what_an_example_plays_is_what_its_plan_asks_for(name: str) -> None:
    document = example(name).build()
    actor = document.actors[0]
    plan = spacetime_of(actor)
    assert plan is not None
    assert plan.layer == actor.layers[0].id
    made = compiled(document, actor.id)
    assert made.checked() == ()
    assert not [each for each in made.worst(made.present()) if each.constraint is not None and each.amount > 1e-5]
    near = 1e-3 if plan.plane is not None else 4e-3  # in space the least effort is flat
    again = made.search.find(made.present(), FROM_EARLIER)
    assert again.report.solved
    for seconds in (0.2, 0.45):
        tick = plan.start + round(seconds * TICKS_PER_SECOND)
        pose = made.pose(again.motion, seconds)
        seen = Evaluator().coordinates(document, actor.id, [tick])[0]
        assert seen == pytest.approx([pose[each] for each in actor.figure.coordinates], abs=near)


def test_the_falling_ball_flies_a_parabola_to_twelve_digits() -> None:
    """In the plan as it is found, with an end that is free; and with one that is demanded, which its velocity meets."""
    document = example("fall").build()
    made = compiled(document, "ball")
    free = made.search.find().motion
    begin = made.plan.constraints[0]
    there = made.pose(free, FALLS)
    end = SpacetimeConstraint(
        id="end",
        name="End",
        stage="fall",
        at=1.0,
        values=tuple((f"body.move_{each}", there[f"body.move_{each}"]) for each in "xyz"),
    )
    plan = spacetime_of(document.actors[0])
    assert plan is not None
    loose = replace(plan.constraints[0], rates=())
    asked = edit("put_spacetime_constraint", actor="ball", constraint=loose).apply(document)
    asked = edit("put_spacetime_constraint", actor="ball", constraint=end).apply(asked)
    caught = compiled(asked, "ball").search.find().motion
    assert begin.rates
    for motion in (free, caught):
        for time in np.linspace(0.0, FALLS, 33):
            fallen = np.array(FROM) + np.array(THROWN) * time - [0.0, 0.5 * 9.80665 * time**2, 0.0]
            assert motion.coordinates(time)[:3] == pytest.approx(fallen, abs=4e-12)
            assert motion.coordinates(time, order=1)[:3] == pytest.approx(
                [THROWN[0], THROWN[1] - 9.80665 * time, THROWN[2]], abs=4e-11
            )
    row = Evaluator().coordinates(document, "ball", [round(0.5 * TICKS_PER_SECOND)])[0]
    assert row[:3] == pytest.approx(free.coordinates(0.5)[:3], abs=1e-9), "as it is played"


def test_the_arm_throws_as_fast_as_it_is_asked_and_physics_brings_the_ball_to_the_mark() -> None:
    document, evaluator = example("throw").build(), Evaluator()
    made = compiled(document, "arm")
    motion = made.search.find(made.present(), FROM_EARLIER).motion
    small = 1e-5
    less, more = (made.point(motion, SWINGS - each, "hand", PALM) for each in (small, 0.0))
    assert (np.array(more) - less) / small == pytest.approx(RELEASE, abs=1e-2)
    lower, upper = motion.problem.figure.bounds
    times = np.linspace(0.0, motion.duration, 201)
    path = np.array([motion.coordinates(each) for each in times])
    assert (path >= lower - 1e-6).all()
    assert (path <= upper + 1e-6).all()
    torques = made.torque_samples(motion, times.tolist())["swing"]
    assert np.abs(torques).max() < 1.02 * STRONGEST
    assert max(played_off(motion, stage) for stage in range(2)) < 0.01
    released = evaluator.joint_transforms(document, "ball", round(SWINGS * TICKS_PER_SECOND))[0][:, 3]
    assert released == pytest.approx(made.point(motion, SWINGS, "hand", PALM), abs=1e-3)
    mark = document.actor("mark").placement.position
    lands = [
        evaluator.joint_transforms(document, "ball", round(each * TICKS_PER_SECOND))[0][:, 3] for each in (1.65, 1.75)
    ]
    assert min(each[1] for each in lands) == pytest.approx(BALL + 0.01, abs=5e-3)
    assert all(np.abs(each - mark)[[0, 2]].max() < 0.25 for each in lands)


def test_two_lamps_play_a_ball_as_their_plans_ask_for() -> None:
    document = example("ball_play").build()
    made = coupled_motions(document, "ball")
    assert check_coupled(made) == ()
    again = finish(made.search.iterate(made.present(), FROM_EARLIER))
    assert again.report.solved
    motions, strike = made.motions(again.motion), made.plans["ball"].borders[1]
    seen = Evaluator().coordinates(document, "ball", [strike])[0]
    pose = made.members["ball"].pose(motions["ball"], 0.35)
    assert seen == pytest.approx([pose[each] for each in document.actor("ball").figure.coordinates], abs=1e-3)
    cup = made.members["left"].point(motions["left"], 0.35, "head", made.plans["left"].meetings[0].point)
    assert cup == pytest.approx((0.0, pose["ball.y"], pose["ball.z"]), abs=1e-6)
    before, after = (made.members["ball"].pose(motions["ball"], each)["ball.y"] for each in (0.3, 0.4))
    assert pose["ball.y"] < min(before, after)
