"""Keyframes of soft bodies: as parts and edits, searched for by a process of its own, a command and the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sinew as library
from app.__main__ import main
from engine.document import Blob, Document
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.edits.everywhere import delete_everywhere
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.long import JOBS
from engine.motion.changed import changed_span
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish
from engine.soft.commands.keyframe_here import KeyframeHere
from engine.soft.control.planned import plan_of
from engine.soft.goals import SoftKeyframe, SoftPlan, SoftPlanChoices
from engine.soft.queries.plan_told import (
    PlanAbout,
    PlanIterate,
    kept_arguments,
    planned_surfaces,
    read_about,
    read_iterate,
)
from engine.soft.stage import SoftStage
from tests.engine.soft.test_planning import END, SPAN, cube, points

HIGH: Vector3 = (0.05, 0.1, 0.05)


def wanting(height: float = 0.1, **choices: Any) -> Document:
    """A cube that is to be so high at the end of a span."""
    given = {"spacing": 0.05, "tolerance": 1e-6, "iterations": 4, "reach": 1e5, **choices}
    document = edit("set_plan_choices", **given).apply(cube())
    keyframe = SoftKeyframe(id="high", time=END, position=(0.05, height, 0.05))
    document = edit("put_soft_keyframe", actor="cube", keyframe=keyframe).apply(document)
    return edit("set_plan_start", actor="cube", start=SPAN.start).apply(document)


def plan(document: Document) -> SoftPlan:
    found = document.actor("cube").part(SoftPlan)
    assert found is not None
    return found


def searched(document: Document, folder: Path) -> tuple[PlanAbout, list[PlanIterate]]:
    """What a search tells, as it comes through a pipe."""
    sinew.write(folder / "scene.sinew", document)
    work = JOBS["search_stage"]({"scene": str(folder / "scene.sinew"), "system": "soft"})
    told = [json.loads(json.dumps(each)) for each in work]
    about = read_about(next(each["plan"] for each in told if "plan" in each))
    return about, [read_iterate(each["iterate"]) for each in told if "iterate" in each]


def kept_as(about: PlanAbout, iterate: PlanIterate) -> Edit:
    """What the window does to keep an iterate."""
    return edit("keep_soft_plan", **kept_arguments(about, iterate))


def test_a_search_tells_iterates_that_can_be_kept_and_drawn(tmp_path: Path) -> None:
    document = wanting()
    about, found = searched(document, tmp_path)
    first, last = found[0], found[-1]
    assert [each.objective for each in found] == sorted((each.objective for each in found), reverse=True)
    assert first.missed[0][0] > 4.0 * last.missed[0][0]
    assert last.said[0].startswith("Cube at 0.25 s: centre missed by")
    assert about.keyframes == (("cube", END),)
    kept = kept_as(about, last).apply(document)
    assert kept_as(about, first).apply(document) != kept
    shapes = last.shapes["cube"]
    assert shapes.times[-1] == END
    planned = np.frombuffer(shapes.points, "<f4").reshape(len(shapes.times), -1, 3)
    np.testing.assert_array_equal(planned[-1], points(kept, END).astype(np.float32))
    assert shapes.way[-1][1] == pytest.approx(0.1, abs=last.missed[0][0] + 1e-6)
    *_, drawn = planned_surfaces(Evaluator(), kept, last.shapes)
    assert drawn is not None
    assert [each.role for each in drawn] == ["onion"] * len(shapes.times)
    assert drawn[-1].positions[:, 1].mean() > drawn[0].positions[:, 1].mean()


def test_a_place_out_of_reach_is_missed_in_words(tmp_path: Path) -> None:
    _, found = searched(wanting(2.0, reach=1e3), tmp_path)
    said = found[-1].said
    assert " m" in said[0].rpartition("missed by")[2]
    assert any(each.startswith("Up extends as far as it may for") for each in said[1:])


def test_the_command_and_the_library_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project, out = tmp_path / "in.sinew", tmp_path / "out.sinew"
    sinew.write(project, wanting())
    assert main(["plan", str(project), "--out", str(out), "--iterations", "1"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Cube at 0.25 s: centre missed by")
    moved, planned = library.plan(wanting(), iterations=1)
    assert moved.digest == sinew.read(out).digest
    assert planned.said[0] == said.splitlines()[0]
    assert planned.missed[0] > 0.0
    bare = library.keyframe(cube(), "cube", 0.25, HIGH, velocity=(0.0, 0.0, 0.0))
    assert plan(bare).keyframes[0].velocity == (0.0, 0.0, 0.0)
    assert plan(bare).keyframes[0].position == HIGH


def test_a_keyframe_begins_where_the_body_is() -> None:
    document = cube()
    for whole in (False, True):
        change = KeyframeHere(id="here", actor="cube", time=END, whole=whole)
        (found,) = plan(finish(change.work_through(Evaluator(), document)).apply(document)).keyframes
        there = points(document, END)
        np.testing.assert_allclose(found.position, there.mean(axis=0), atol=1e-7)
        assert (found.shape is not None, found.velocity is not None) == (whole, whole)
        if found.shape is not None:
            np.testing.assert_allclose(found.shape.array + np.array(found.position), there, atol=1e-7)


def test_keyframes_go_with_their_time_and_touch_no_motion() -> None:
    document = wanting()
    keyframe = SoftKeyframe(id="late", time=SECOND, position=HIGH)
    document = edit("put_soft_keyframe", actor="cube", keyframe=keyframe).apply(document)
    assert changed_span(wanting(), document) == ()
    before = Evaluator()
    stage = before.stage("soft")
    assert isinstance(stage, SoftStage)
    points(document, END, before)
    moved = edit("move_soft_keyframe", actor="cube", keyframe="late", position=(1.0, 1.0, 1.0)).apply(document)
    again = stage.simulation(moved)
    assert again is not None
    assert again.known > 1, "nothing is stepped anew"
    cut = delete_everywhere(document, actors=("cube",), start=SECOND // 5, end=SECOND // 2)
    assert [(each.id, each.time) for each in plan(cut).keyframes] == [("late", SECOND - (SECOND // 2 - SECOND // 5))]


def test_keyframes_stand_in_the_order_of_time_one_at_a_time() -> None:
    document = wanting()
    early = SoftKeyframe(id="early", time=END // 2, position=HIGH)
    document = edit("put_soft_keyframe", actor="cube", keyframe=early).apply(document)
    assert [each.id for each in plan(document).keyframes] == ["early", "high"]
    document = edit("move_soft_keyframe", actor="cube", keyframe="early", time=END).apply(document)
    assert [each.id for each in plan(document).keyframes] == ["early"]
    document = edit("remove_soft_keyframes", actor="cube").apply(document)
    assert edit("set_plan_start", actor="cube", start=None).apply(document).actor("cube").part(SoftPlan) is None
    assert document.part(SoftPlanChoices) is not None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "freeze_actor", "frozen": True}, "no soft body has a keyframe"),
        ({"name": "remove_soft_keyframes"}, "no soft body has a keyframe"),
        (
            {"name": "set_activation_spline", "spline": "up", "mute": True},
            "no nodal forces that may be used",
        ),
        (
            {"name": "remove_activation_spline", "spline": "up"},
            "Cube has no spline and no nodal forces, so nothing",
        ),
        ({"name": "set_planned_splines", "splines": ()}, "no nodal forces that may be used"),
        ({"name": "set_plan_start", "start": END}, "the keyframe of Cube at 0.25 s"),
    ],
)
def test_plans_that_cannot_be_are_refused_in_words(change: dict[str, Any], said: str) -> None:
    document = edit(change.pop("name"), actor="cube", **change).apply(wanting())
    with pytest.raises(EngineError, match=said):
        plan_of(Evaluator(), document)


def test_shapes_of_other_points_are_refused() -> None:
    shape = Blob(np.zeros((3, 3)))
    odd = edit("put_soft_keyframe", actor="cube", keyframe=SoftKeyframe(id="odd", time=END, position=HIGH, shape=shape))
    with pytest.raises(EngineError, match="8 points of Cube"):
        odd.apply(cube())


@pytest.mark.parametrize(
    ("given", "said"), [({"system": "locks"}, "one that searches"), ({}, "arguments of search_stage")]
)
def test_only_systems_that_search_are_asked_to(tmp_path: Path, given: dict[str, str], said: str) -> None:
    sinew.write(tmp_path / "scene.sinew", cube())
    with pytest.raises(EngineError, match=said):
        list(JOBS["search_stage"]({"scene": str(tmp_path / "scene.sinew"), **given}))
