"""Drags by constrained motion (Welman 1993, equation 5.7): what is held are constraints, what is pulled follows a
spring or a force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.commands.reach import FORCE_LENGTH, Reach, Reached
from engine.document import Document
from engine.evaluate.evaluator import Evaluator
from engine.ik.constrained import FORCE, STEPWISE, ConstrainedMotion
from engine.ik.goals import PositionGoal
from engine.ik.methods import MULTIPLIERS, Method, Terms
from engine.maths.arrays import Array
from engine.model.snapshot import Arrows
from engine.runtime.errors import InvalidArguments, UnknownPart
from tests.engine.commands.test_reach_locks import (
    FORWARD,
    HUMAN,
    KEPT,
    LEFT,
    RIGHT,
    alone,
    asked,
    here,
    layered,
    locked,
    planted,
    pose,
    pulled,
    spot,
    stands,
)

pytestmark = pytest.mark.usefixtures("unhurried")
MOTION = Method(solver=MULTIPLIERS)
FEET = (spot(LEFT), spot(RIGHT))
FREE = Document(actors=(alone(),))


def towards(document: Document, joint: str, by: tuple[float, float, float], answers: int, **fields: object) -> Reached:
    """The last answer to so many requests for one target."""
    reach = Reach(Evaluator())
    x, y, z = (stands(document, joint) + by).tolist()
    for _ in range(answers):
        found = asked((PositionGoal(spot=spot(joint), target=(x, y, z)),), reach, document, **fields)
    return found


def total(reached: Reached) -> Array:
    """The sum of the forces that hold [N]."""
    forces: Array = np.array([each.force.force for each in reached.outcome.holding])
    return np.asarray(forces.sum(axis=0))


@pytest.mark.parametrize(
    ("joint", "by"), [("pelvis", (0.05, -0.06, -0.05)), ("wrist_left", FORWARD), ("head", (0.0, -0.2, 0.3))]
)
def test_locks_hold_in_every_answer(joint: str, by: tuple[float, float, float]) -> None:
    for reached in pulled(planted(), joint, by, method=MOTION):
        assert all(mark.off < KEPT and mark.turned < KEPT for mark in reached.snapshot.locks)
        assert pose(reached) == layered(reached)
        assert reached.edit.apply(planted()) == reached.snapshot.document
    assert reached.outcome.report.state == "reached"


@pytest.mark.parametrize("pull", ["a spring", FORCE])
def test_what_is_pulled_comes_to_rest_at_its_target(pull: str) -> None:
    method = Method(solver=MULTIPLIERS, options=(("pull", pull),))
    report = towards(FREE, "wrist_left", (0.1, 0.1, 0.2), 4, method=method, held=FEET).outcome.report
    assert report.state == "reached"
    assert [each.by for each in report.missed] == pytest.approx([0.0, 0.0, 0.0], abs=2e-6)


@pytest.mark.parametrize(("stiffness", "height"), [(500.0, 0.3), (80.0, 0.5)])
def test_forces_of_what_holds_balance_the_spring_at_rest(stiffness: float, height: float) -> None:
    """A body at rest feels no force along the slides of its root, which nothing limits."""
    method = Method(solver=MULTIPLIERS, options=(("stiffness", stiffness),))
    reached = towards(FREE, "pelvis", (0.0, height, 0.0), 30, method=method, held=FEET)
    left = stands(FREE, "pelvis") - stands(reached.snapshot.document, "pelvis") + np.array((0.0, height, 0.0))
    assert left[1] > 0.1 * height
    assert reached.outcome.report.state == "nearest"
    assert total(reached) == pytest.approx(-stiffness * left, abs=2e-4 * stiffness * height)


def test_a_force_holds_back_as_strongly_however_far_its_target_is() -> None:
    method = Method(solver=MULTIPLIERS, options=(("pull", FORCE), ("force", 30.0)))
    for height in (0.3, 0.6):
        reached = towards(FREE, "pelvis", (0.0, height, 0.0), 12, method=method, held=FEET)
        assert np.linalg.norm(total(reached)) == pytest.approx(30.0, rel=5e-3)


def test_a_step_for_each_picture_moves_as_the_equation_of_motion_says() -> None:
    """The free pelvis alone: y' = s (target - y) / k, k the stiffness of its slides, a step at its end."""
    step, stiffness = 0.01, 30.0
    settings = (("pace", STEPWISE), ("time_step", step), ("stiffness", stiffness))
    method, (root, *_) = Method(solver=MULTIPLIERS, options=settings), HUMAN.joints
    slides = frozenset(dof.id for dof in root.dofs if dof.kind == "slide")
    (slide,) = {dof.stiffness for dof in root.dofs if dof.kind == "slide"}
    for answers in (1, 2, 7):
        found = towards(FREE, root.id, (0.0, 0.2, 0.0), answers, method=method, movable=slides)
        still = (1.0 + step * stiffness / slide) ** -answers
        assert found.outcome.report.missed[0].by == pytest.approx(0.2 * still, rel=1e-9)
        assert found.outcome.report.state == "out of time"
        assert found.outcome.report.iterations == 1


def test_softer_springs_follow_more_slowly() -> None:
    left = []
    for stiffness in (2000.0, 200.0, 20.0):
        settings = (("pace", STEPWISE), ("stiffness", stiffness))
        method = Method(solver=MULTIPLIERS, options=settings)
        left.append(towards(FREE, "wrist_left", FORWARD, 3, method=method).outcome.report.missed[0].by)
    assert left[0] < 0.5 * left[1] < 0.5 * 0.7 * left[2]


def test_feedback_alone_lets_what_is_held_drift_and_come_back() -> None:
    """Without the return to the constraints, k of C' = - k C fades what a step has broken."""
    off = {}
    for feedback in (0.0, 60.0):
        settings = (("returns", False), ("feedback", feedback), ("pace", STEPWISE))
        method = Method(solver=MULTIPLIERS, options=settings)
        found = towards(FREE, "pelvis", (0.2, -0.1, 0.1), 40, method=method, held=FEET)
        off[feedback] = max(each.by for each in found.outcome.report.missed[1:])
    assert off[0.0] > 1e-3
    assert off[60.0] < 1e-4


def test_legs_that_stand_straight_bend_where_the_pelvis_is_pulled_down() -> None:
    reached = towards(locked(here(LEFT), here(RIGHT)), "pelvis", (0.0, -0.3, 0.0), 3, method=MOTION)
    assert reached.outcome.report.state == "reached"
    assert min(pose(reached)[f"knee_{side}.flexion"] for side in ("left", "right")) > 0.5


def test_far_out_of_reach_it_comes_about_as_near_as_a_solver() -> None:
    for by in ((0.0, -0.1, 8.0), (-3.0, 0.0, 1.0)):
        found = [
            towards(FREE, "wrist_right", by, 20, method=method, held=FEET).outcome.report.missed[0].by
            for method in (Method(), MOTION)
        ]
        assert found[1] < found[0] + 0.04


def test_arrows_show_the_forces() -> None:
    reached = towards(FREE, "pelvis", (0.0, 0.4, 0.0), 12, method=MOTION, held=FEET)
    (arrows,) = reached.snapshot.of(Arrows)
    assert arrows.starts == pytest.approx(np.array([stands(FREE, LEFT), stands(FREE, RIGHT)]), abs=1e-5)
    assert np.sum(arrows.vectors, axis=0) == pytest.approx(FORCE_LENGTH * total(reached), abs=1e-6)
    assert {each.joint for each in reached.outcome.holding} == {LEFT, RIGHT}
    assert not towards(FREE, "pelvis", (0.0, 0.1, 0.0), 2, method=MOTION).snapshot.of(Arrows)


def test_a_constraint_that_others_imply_is_named_so() -> None:
    reached = towards(FREE, "wrist_left", FORWARD, 2, method=MOTION, held=(*FEET, spot("toes_left")))
    left = {each.joint: each.force.redundant for each in reached.outcome.holding}
    assert left == {LEFT: False, RIGHT: False, "toes_left": False}
    twice = locked(here(LEFT), here(RIGHT, id="once"), here(RIGHT, id="again"))
    forces = towards(twice, "wrist_left", FORWARD, 2, method=MOTION).outcome.holding
    assert [each.force.redundant for each in forces] == [False, True, True]


def test_it_is_set_like_any_method() -> None:
    made = MOTION.with_option("stiffness", 10.0).make_motion()
    assert made == ConstrainedMotion(stiffness=10.0)
    with pytest.raises(UnknownPart):
        MOTION.with_option("guess", 1.0).make_motion()
    for name, value in (("stiffness", 0.0), ("force", math.nan), ("time_step", math.inf), ("pull", "a rope")):
        with pytest.raises(InvalidArguments):
            MOTION.with_option(name, value).make_motion()


def test_an_answer_takes_no_more_steps_than_it_may() -> None:
    found = towards(FREE, "wrist_left", FORWARD, 1, method=MOTION, terms=Terms(iterations=3))
    assert found.outcome.report.iterations == 3
    assert found.outcome.report.state == "out of time"
    assert len(found.outcome.report.curve) == 4
