"""Plans of documents: splines that take soft bodies somewhere, and play as they were planned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Document, Span
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.runtime.amounts import amount_text
from engine.runtime.errors import EngineError
from engine.soft.control.planning import MotionKey, MotionPlan, plan_motion
from engine.soft.goals import SoftPlanChoices
from engine.soft.parts import ActivationSpline, SoftWorld
from engine.soft.stage import SoftStage
from tests.engine.soft.bodies import soft_actor, soft_cube

HZ = 120
SPAN = Span(start=SECOND // 10, end=SECOND // 4)
END = SPAN.end


def cube(id: str = "cube", x: float = 0.0, **spline: Any) -> Document:
    """A cube on the ground, with a spline from its bottom to its top."""
    legs = ActivationSpline(
        id="up", name="Up", points=((0.05, 0.01, 0.05), (0.05, 0.09, 0.05)), samples=3, stiffness=10.0, **spline
    )
    body = soft_cube(legs, material="neo_hookean", young=2e4, stiffness_damping=0.005)
    return Document(actors=(soft_actor(id, body, at=(x, 0.0, 0.0)),), parts=(SoftWorld(step=1.0 / HZ, tolerance=1e-6),))


def points(document: Document, time: int, evaluator: Evaluator | None = None) -> Array:
    """All points as the document plays."""
    stage = (evaluator or Evaluator()).stage("soft")
    assert isinstance(stage, SoftStage)
    simulation = stage.simulation(document)
    assert simulation is not None
    return simulation.points(time)


def planned(document: Document, height: float = 0.1, **choices: Any) -> MotionPlan:
    """A plan by which the cube is so high at the end of the span."""
    given: dict[str, Any] = {"spacing": 0.05, "tolerance": 1e-6, "iterations": 6, "reach": 1e5, **choices}
    key = MotionKey(actor="cube", time=END, centre=(0.05, height, 0.05))
    return plan_motion(
        Evaluator(), document, splines={"cube": ("up",)}, keys=[key], span=SPAN, choices=SoftPlanChoices(**given)
    )


def applied(document: Document, plan: MotionPlan, values: Array) -> Document:
    """The document with what was found."""
    return plan.edit(values).apply(document)


def test_a_cube_jumps_to_a_height_and_plays_as_planned() -> None:
    document = cube()
    plan = planned(document)
    iterates = list(plan.search())
    first, last = iterates[0], iterates[-1]
    (before,), (after,) = first.run.missed, last.run.missed
    assert before.place > 0.04
    assert after.place < 0.25 * before.place
    (said,) = plan.said(last.run)
    assert said == f"Cube at 0.25 s: centre missed by {amount_text(after.place, 'm')}"
    played = applied(document, plan, last.values)
    for time in (SPAN.start + SECOND // HZ, END):
        (ours,) = plan.shapes(last.run, "cube", [time])
        np.testing.assert_array_equal(points(played, time), ours.astype(np.float32))
    np.testing.assert_array_equal(points(played, SPAN.start), points(document, SPAN.start))
    assert last.values.min() >= plan.choices.least
    assert last.values.max() <= plan.choices.most


def test_a_formula_goes_on_before_the_span() -> None:
    document = cube(activation="expression", expression="1 - 0.3 * pulse(t, 0.03, 0.04)")
    plan = planned(document, tolerance=1e-7, iterations=1)
    values = [each.values for each in plan.search()][-1]
    played = applied(document, plan, values)
    finer = document.with_part(SoftWorld(step=1.0 / HZ, tolerance=1e-7))
    assert played.part(SoftWorld) == finer.part(SoftWorld)
    for time in (SECOND // 20, SPAN.start):
        np.testing.assert_allclose(points(played, time), points(finer, time), atol=1e-6)


def test_two_bodies_are_planned_together() -> None:
    one, other = cube(), cube("other", 0.5)
    document = replace(one, actors=(*one.actors, *other.actors))
    keys = [
        MotionKey(actor=id, time=END, centre=(0.05 + x, height, 0.05))
        for id, x, height in (("cube", 0.0, 0.1), ("other", 0.5, 0.04))
    ]
    plan = plan_motion(
        Evaluator(), document, splines={"cube": ("up",), "other": ("up",)}, keys=keys, span=SPAN,
        choices=SoftPlanChoices(spacing=0.05, iterations=5, reach=1e5),
    )  # fmt: skip
    iterates = list(plan.search())
    for before, after in zip(iterates[0].run.missed, iterates[-1].run.missed, strict=True):
        assert after.place < 0.7 * before.place
    kept = dict(plan.edit(iterates[-1].values).arguments)["parts"]
    assert [actor for actor, _, _ in kept] == ["cube", "other"]  # type: ignore[attr-defined]


def test_a_pose_is_a_keyframe_too() -> None:
    document = cube()
    goal = points(document, SPAN.start) + np.array((0.0, 0.03, 0.0))
    key = MotionKey(actor="cube", time=END, points=goal, velocity=(0.0, 0.0, 0.0))
    plan = plan_motion(Evaluator(), document, splines={"cube": ("up",)}, keys=[key], span=SPAN)
    first, *_, last = plan.search(plan.problem.controls.passive())
    assert first.run.missed[0].place == pytest.approx(0.03, rel=0.05)
    assert first.run.missed[0].velocity < 1e-2
    assert last.run.missed[0].place < first.run.missed[0].place
    assert "pose missed by" in plan.said(last.run)[0]


def test_later_keyframes_count_once_earlier_ones_are_searched_for() -> None:
    document = cube()
    middle = (SPAN.start + END) // 2
    keys = [
        MotionKey(actor="cube", time=END, centre=(0.05, 0.1, 0.05)),
        MotionKey(actor="cube", time=middle, centre=(0.05, 0.06, 0.05)),
    ]
    choices = SoftPlanChoices(spacing=0.05, iterations=2, reach=1e5)
    plan = plan_motion(Evaluator(), document, splines={"cube": ("up",)}, keys=keys, span=SPAN, choices=choices)
    found = list(plan.search_in_stages())
    assert [until for until, _ in found] == sorted(until for until, _ in found)
    early = [each.run for until, each in found if until == middle]
    late = [each.run for until, each in found if until == END]
    assert all(run.parts.keys[0] == 0.0 and run.missed[0].place > 0.0 for run in early)
    assert late[0].parts.keys[0] > 0.0
    np.testing.assert_array_equal(late[0].values, early[-1].values)
    assert [line.split(":")[0] for line in plan.said(late[-1])] == ["Cube at 0.17 s", "Cube at 0.25 s"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"splines": {"cube": ()}}, "no spline"),
        ({"splines": {"cube": ("down",)}}, "one of up"),
        ({"splines": {"nobody": ("up",)}}, "nobody"),
        ({"keys": []}, "no keyframe"),
        ({"keys": [MotionKey(actor="cube", time=SPAN.start, centre=(0, 0, 0))]}, "within the span"),
        ({"keys": [MotionKey(actor="cube", time=END)]}, "a centre, or points"),
        ({"keys": [MotionKey(actor="cube", time=END, points=np.zeros((3, 3)))]}, "8 points"),
        ({"span": Span(start=END - 1, end=END)}, "one step"),
    ],
)
def test_bad_plans_are_refused(change: dict[str, Any], said: str) -> None:
    key = MotionKey(actor="cube", time=END, centre=(0.0, 0.1, 0.0))
    given: dict[str, Any] = {"splines": {"cube": ("up",)}, "keys": [key], "span": SPAN, **change}
    with pytest.raises(EngineError, match=said):
        plan_motion(Evaluator(), cube(), **given)


def test_what_gradients_do_not_go_through_is_refused() -> None:
    document = cube(transfer="iterated")
    with pytest.raises(EngineError, match="conserving"):
        planned(document)
