"""Nodal forces: a part of soft bodies that plays back by itself, and what plans choose within bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sinew as library
from engine.document import Blob, Document, Span
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.edits.everywhere import delete_everywhere
from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import Arrows
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import EngineError
from engine.soft.changes import first_change
from engine.soft.control import chosen
from engine.soft.control.planned import plan_of, said_of
from engine.soft.control.planning import MotionKey, MotionPlan, plan_motion
from engine.soft.control.problem import StepSetting
from engine.soft.goals import SoftKeyframe, SoftPlanChoices
from engine.soft.measured import measure
from engine.soft.nodal import NodalForces, first_nodal
from engine.soft.uses import soft_body
from tests.engine.soft.bodies import soft_actor, soft_cube
from tests.engine.soft.test_planning import END, SPAN, cube, points

GRAVITY = PhysicsWorld().gravity
ALL = np.arange(8, dtype=np.int32)
CLOSE = [MotionKey(actor="cube", time=END + each, centre=(0.1 * each, 0.1, 0.0)) for each in (-1, 0)]


def pushed(forces: NodalForces, **body: Any) -> Document:
    """The cube of plans, with forces on it."""
    document = cube()
    actor = document.actor("cube")
    return edit("put_nodal_forces", actor=actor.id, forces=forces).apply(document)


def lifting(id: str = "lift", **given: Any) -> NodalForces:
    """Forces on all points; without times."""
    return NodalForces(id=id, name="Lift", points=Blob(given.pop("points", ALL)), strongest=5.0, **given)


def over(times: tuple[int, ...], *newtons: float, count: int = 8) -> dict[str, Any]:
    """Forces upward at some times, alike on all points."""
    values = np.zeros((len(times), count, 3))
    values[:, :, 1] = np.array(newtons)[:, None]
    return {"times": times, "values": Blob(values)}


def planned(document: Document, height: float = 0.1, **choices: Any) -> MotionPlan:
    """A plan by which the cube is so high at the end of the span, by forces alone."""
    given: dict[str, Any] = {"spacing": 0.05, "tolerance": 1e-9, "iterations": 12, "reach": 1e5, **choices}
    key = MotionKey(actor="cube", time=END, centre=(0.05, height, 0.05), velocity=(0.0, 0.0, 0.0))
    return plan_motion(
        Evaluator(), document, splines={}, forces={"cube": ("lift",)}, keys=[key], span=SPAN,
        choices=SoftPlanChoices(**given),
    )  # fmt: skip


def test_forces_act_from_their_first_time_to_their_last() -> None:
    straight = lifting(**over((0, SECOND, 2 * SECOND), 2.0, 4.0, 0.0))
    held = replace(straight, form="held")
    for time, one, other in (
        (0, None, None), (SECOND // 2, 3.0, 2.0), (SECOND, 4.0, 2.0), (2 * SECOND, 0.0, 4.0),
        (2 * SECOND + 1, None, None),
    ):  # fmt: skip
        for forces, wanted in ((straight, one), (held, other)):
            found = forces.acting(time)
            assert (found is None) == (wanted is None)
            assert found is None or (found[:, 1] == wanted).all()
    assert held.at_knot(SECOND)[0, 1] == 4.0
    assert held.at_knot(3 * SECOND)[0, 1] == 0.0


def test_a_body_that_is_held_up_by_its_weight_stands_still_in_the_air() -> None:
    body = soft_cube(material="springs", mass_damping=0.0)
    document = Document(actors=(soft_actor("cube", body, at=(0.0, 1.0, 0.0)),))
    weight = GRAVITY * 1000.0 * 0.1**3
    masses = np.full(8, weight / 8)
    values = np.zeros((2, 8, 3))
    values[:, :, 1] = masses
    forces = replace(lifting(), times=(0, SECOND), values=Blob(values))
    document = edit("put_nodal_forces", actor="cube", forces=forces).apply(document)
    there, then, later = (points(document, time)[:, 1].mean() for time in (0, SECOND, 2 * SECOND))
    assert then == pytest.approx(there, abs=1e-3)
    assert later < then - 1.0
    snapshot = Evaluator().snapshot(document, SECOND // 2)
    (arrows,) = [each for each in snapshot.of(Arrows) if each.owner == "cube"]
    assert len(arrows.starts) == 8
    assert (arrows.vectors[:, 1] > 0.0).all()
    measured = measure(Evaluator(), document, "cube", "soft_nodal", "", [SECOND // 2, 2 * SECOND])
    np.testing.assert_allclose(measured, [(0.0, weight, 0.0), (0.0, 0.0, 0.0)], atol=1e-9)
    muted = edit("set_nodal_forces", actor="cube", forces="lift", mute=True).apply(document)
    assert points(muted, SECOND)[:, 1].mean() < then - 1.0


@pytest.mark.parametrize(("form", "iterations"), [("linear", 12), ("held", 28)])
def test_a_plan_is_found_within_bounds_and_plays_to_the_byte(form: str, iterations: int) -> None:
    document = pushed(lifting(form=form))
    plan = planned(document, iterations=iterations)
    first, *_, last = plan.search()
    assert last.run.missed[0].place < 0.2 * first.run.missed[0].place
    assert np.abs(last.values).max() <= 5.0
    kept = plan.edit(last.values).apply(document)
    body = soft_body(kept.actor("cube"))
    assert body is not None
    assert body.forces[0].times == plan.knots
    for step in (0, len(plan.ticks) // 2, len(plan.ticks) - 1):
        (wanted,) = plan.problem.points(last.run, [step])
        assert (points(kept, plan.ticks[step]) == wanted.astype(np.float32)).all()
    again = planned(kept)
    free = slice(None) if form == "linear" else slice(None, -1)
    np.testing.assert_array_equal(again.first[:, free], last.values[:, free])


def test_bounds_are_met_and_said_where_they_are_in_the_way() -> None:
    document = pushed(replace(lifting(), strongest=1.0))
    plan = planned(document, 0.4)
    *_, last = plan.search()
    assert np.abs(last.values).max() == 1.0
    assert any("Lift push as hard as they may" in line and "1 N" in line for line in said_of(plan, last.run))


@pytest.mark.parametrize("form", ["linear", "held"])
def test_the_gradient_agrees_with_differences(form: str) -> None:
    """Across the take-off from the ground, beside a spline and other forces, from a state of the document's own."""
    others = lifting("others", points=ALL[:3], **over((0, SECOND), 0.3, 0.6, count=3))
    document = edit("put_nodal_forces", actor="cube", forces=others).apply(pushed(lifting(form=form)))
    key = MotionKey(actor="cube", time=END, centre=(0.05, 0.2, 0.05), velocity=(0.0, 1.0, 0.0))
    plan = plan_motion(
        Evaluator(), document, splines={"cube": ("up",)}, forces={"cube": ("lift",)}, keys=[key], span=SPAN,
        choices=SoftPlanChoices(spacing=0.05, tolerance=1e-10, calm=0.1),
    )  # fmt: skip
    rng = np.random.default_rng(5)
    values = plan.first.copy()
    values[0] += 0.1 * rng.uniform(-1.0, 1.0, values.shape[1])
    values[1:] += rng.uniform(-1.0, 3.0, values[1:].shape)
    exact = {id(each.model): replace(each.model, floor=1e-12) for each in plan.problem.settings}
    steps = [StepSetting(exact[id(each.model)], each.given) for each in plan.problem.settings]
    problem = replace(plan.problem, settings=steps)
    way, ours = rng.standard_normal(values.shape), problem.gradient(problem.run(values))
    errors = []
    for size in (1e-5, 1e-6):
        ahead, behind = (problem.run(values + sign * size * way).value for sign in (1.0, -1.0))
        errors.append(abs((ahead - behind) / (2.0 * size) - np.sum(ours * way)) / abs(np.sum(ours * way)))
    assert min(errors) <= 1e-6


def test_a_plan_from_later_on_leaves_what_was_before_and_goes_on_from_it() -> None:
    before = over((0, SPAN.start, 2 * SPAN.start, SECOND), 0.5, 1.0, 0.5, 0.25)
    document = pushed(lifting(**before))
    plan = planned(document, iterations=2)
    *_, last = plan.search()
    (row,) = np.unique(plan.first[1, 0])
    assert row == last.values[1, 0] == 1.0
    kept = soft_body(plan.edit(last.values).apply(document).actor("cube"))
    assert kept is not None
    (forces,) = kept.forces
    assert forces.times == (0, *plan.knots, SECOND)
    assert forces.values is not None
    assert forces.values.array[0, 0, 1] == 0.5
    assert forces.values.array[-1, 0, 1] == 0.25


@pytest.mark.parametrize("form", ["linear", "held"])
def test_nothing_acts_between_forces_that_ended_and_a_plan(form: str) -> None:
    document = pushed(lifting(form=form, **over((0, SPAN.start // 2), 0.5, 1.0)))
    plan = planned(document, iterations=1)
    values = plan.first.copy()
    values[1:, 1:] = 2.0
    kept = soft_body(plan.edit(values).apply(document).actor("cube"))
    assert kept is not None
    for time in (SPAN.start // 2 + 2, 3 * SPAN.start // 4, SPAN.start):
        found = kept.forces[0].acting(time)
        assert found is not None
        assert not found.any()
    assert kept.forces[0].acting(SPAN.start // 2) is not None
    later = pushed(lifting(form=form, **over((2 * SPAN.end, 3 * SPAN.end), 0.5, 1.0)))
    kept = soft_body(planned(later, iterations=1).edit(values).apply(later).actor("cube"))
    assert kept is not None
    found = kept.forces[0].acting(3 * SPAN.end // 2)
    assert found is not None
    assert not found.any()


def test_a_change_is_felt_from_its_time_on() -> None:
    old = lifting(**over((0, SECOND, 2 * SECOND), 1.0, 2.0, 3.0))
    assert first_nodal((old,), (replace(old, name="Other", strongest=9.0),)) == float("inf")
    later = replace(old, **over((0, SECOND, 2 * SECOND), 1.0, 2.0, 4.0))
    assert first_nodal((old,), (later,)) == SECOND
    assert first_nodal((old,), ()) == 0
    one, other = pushed(old), pushed(later)
    assert first_change(one, other) == SECOND + 1
    evaluator = Evaluator()
    points(one, 2 * SECOND, evaluator)
    np.testing.assert_array_equal(points(other, 2 * SECOND, evaluator), points(other, 2 * SECOND))


def test_forces_go_with_their_time() -> None:
    document = pushed(lifting(**over((0, SECOND, 2 * SECOND, 3 * SECOND), 1.0, 2.0, 3.0, 4.0)))
    shorter = soft_body(
        delete_everywhere(document, actors=("cube",), start=SECOND // 2, end=3 * SECOND // 2).actor("cube")
    )
    assert shorter is not None
    (forces,) = shorter.forces
    assert forces.times[-1] == 2 * SECOND
    assert forces.values is not None
    assert forces.values.array[-1, 0, 1] == 4.0


def test_nodal_forces_are_changed_cleared_and_taken_off() -> None:
    document = pushed(lifting())
    named = edit("set_nodal_forces", actor="cube", forces="lift", name="Up", form="held").apply(document)
    told = edit("set_nodal_values", actor="cube", forces="lift", **over((0, SECOND), 1.0, 1.0)).apply(named)
    cleared = edit("set_nodal_values", actor="cube", forces="lift").apply(told)
    assert cleared == named
    bare = edit("remove_nodal_forces", actor="cube").apply(told)
    assert bare == cube()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"points": np.zeros(0, np.int32)}, "the points of Lift is 'none'; allowed: one or more"),
        ({"points": np.array([1, 1], np.int32)}, "each once"),
        ({"points": np.array([3, 8], np.int32)}, "chosen anew where a body has another mesh.*0 to 7"),
        ({"strongest": 0.0}, "more than 0 N.*mute them"),
        ({"times": (0,), "values": Blob(np.zeros((1, 8, 3)))}, "two times or more"),
        ({"times": (SECOND, 0), "values": Blob(np.zeros((2, 8, 3)))}, "rising"),
        ({"times": (0, SECOND), "values": Blob(np.zeros((2, 7, 3)))}, "what Lift do"),
    ],
)
def test_bad_forces_are_refused_in_words(given: dict[str, Any], said: str) -> None:
    asked: dict[str, Any] = {"id": "lift", "name": "Lift", **given, "points": Blob(given.get("points", ALL))}
    with pytest.raises(EngineError, match=said):
        pushed(NodalForces(**asked))


def test_a_body_of_another_mesh_wants_its_points_chosen_anew() -> None:
    document = pushed(lifting())
    body = soft_body(document.actor("cube"))
    assert body is not None
    fewer = np.arange(4, dtype=np.int32)[None]
    with pytest.raises(EngineError, match="Lift, which are chosen anew"):
        edit(
            "put_soft_body", actor="cube",
            body=replace(body, points=Blob(body.points.array[[0, 1, 2, 4]]), cells=Blob(fewer), shape="tetrahedra"),
        ).apply(document)  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"forces": {"cube": ("down",)}}, "nodal forces of cube is 'down'; allowed: one of lift"),
        ({"forces": {"cube": ("lift", "lift")}}, "each once"),
        ({"forces": {}}, "no spline and no nodal forces"),
        ({"keys": CLOSE}, "at one step"),
    ],
)
def test_plans_that_cannot_be_are_refused(change: dict[str, Any], said: str) -> None:
    key = MotionKey(actor="cube", time=END, centre=(0.0, 0.1, 0.0))
    asked: dict[str, Any] = {"splines": {}, "forces": {"cube": ("lift",)}, "keys": [key], "span": SPAN, **change}
    with pytest.raises(EngineError, match=said):
        plan_motion(Evaluator(), pushed(lifting()), **asked)


def test_too_many_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chosen, "MOST_FORCES", 50)
    with pytest.raises(EngineError, match="fewer points, or knots farther apart"):
        planned(pushed(lifting()))


def test_a_keyframe_after_the_end_is_said() -> None:
    document = edit("set_play_range", start=0, end=END - SECOND // 30).apply(pushed(lifting()))
    keyframe = SoftKeyframe(id="high", time=END, position=(0.05, 0.1, 0.05))
    document = edit("put_soft_keyframe", actor="cube", keyframe=keyframe).apply(document)
    document = edit("set_planned_splines", actor="cube", splines=()).apply(document)
    plan = plan_of(Evaluator(), document)
    assert not plan.splines
    (line,) = [each for each in said_of(plan, plan.problem.run(plan.first)) if "after the end" in each]
    assert "Cube at 0.25 s" in line
    none = edit("set_planned_forces", actor="cube", forces=()).apply(document)
    with pytest.raises(EngineError, match="no nodal forces that may be used"):
        plan_of(Evaluator(), none)


def test_a_search_over_two_bodies_has_forces_on_each() -> None:
    one, other = pushed(lifting()), cube("other", 0.5)
    document = replace(one, actors=(*one.actors, *other.actors))
    document = edit("put_nodal_forces", actor="other", forces=lifting("raise")).apply(document)
    keys = [MotionKey(actor=id, time=END, centre=(0.05 + x, 0.08, 0.05)) for id, x in (("cube", 0.0), ("other", 0.5))]
    plan = plan_motion(
        Evaluator(), document, splines={}, forces={"cube": ("lift",), "other": ("raise",)}, keys=keys,
        span=Span(start=SPAN.start, end=END), choices=SoftPlanChoices(spacing=0.1, iterations=12, reach=1e5),
    )  # fmt: skip
    *_, last = plan.search()
    assert all(each.place < 0.01 for each in last.run.missed)
    assert [each[:2] for each in dict(plan.edit(last.values).arguments)["forces"]] == [  # type: ignore[attr-defined]
        ("cube", "lift"), ("other", "raise"),
    ]  # fmt: skip


def test_the_library_lets_plans_push() -> None:
    document = library.push(cube(), "cube")
    document = library.push(document, "cube", [0, 7], strongest=3.0, form="held")
    body = soft_body(document.actor("cube"))
    assert body is not None
    every, two = body.forces
    assert (every.count, every.form) == (8, "linear")
    assert (two.points.array.tolist(), two.strongest, two.form) == ([0, 7], 3.0, "held")
    with pytest.raises(EngineError, match="the points of Forces"):
        library.push(document, "cube", [])
