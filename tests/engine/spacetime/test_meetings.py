"""Actors of a document that meet: their plans as one problem, what edits do to it, faults in words, what is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sinew
from engine.cli.spacetime import find_motions
from engine.document import Document, Placement
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew as sinew_files
from engine.optimise.options import SolverEffort
from engine.runtime.errors import InvalidDocument, NothingThere, UnknownPart
from engine.runtime.progress import finish
from engine.spacetime.commands.keep_motion import KeepMotion
from engine.spacetime.coupled import CoupledMotions, coupled_motions
from engine.spacetime.coupled_faults import check_coupled, worst_coupled
from engine.spacetime.follows import SpacetimeFollows
from engine.spacetime.meetings import moment_of
from engine.spacetime.mirrored import mirror_plan
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeForce, SpacetimeMeeting
from engine.spacetime.queries.coupled_plans import coupled
from engine.spacetime.queries.draw_motion import draw_motion
from engine.spacetime.queries.find_motion import MotionFound, MotionWanted, find_motion
from engine.spacetime.uses import spacetime_of
from tests.engine.spacetime.meeting_actors import balls, flight, strike

UP = (0.0, 1.0, 0.0)
END = {"light": (0.05, 0.0, 0.0), "heavy": (-0.05, 0.0, 0.0)}  # points that meet


def plan_of(document: Document, actor: str) -> Spacetime:
    found = spacetime_of(document.actor(actor))
    assert found is not None
    return found


def with_plan(document: Document, actor: str, **given: Any) -> Document:
    plan = replace(plan_of(document, actor), **given)
    return document.with_actor(document.actor(actor).with_part(plan))


def found(document: Document, actor: str = "light") -> tuple[CoupledMotions, Any]:
    made = coupled_motions(document, actor)
    best = finish(made.steps())[0]
    assert best.report.solved, best.report
    return made, best


def place(made: CoupledMotions, best: Any, actor: str, seconds: float) -> Vector3:
    """Where a ball is in the world."""
    return made.members[actor].point(made.motions(best.motion)[actor], seconds, actor, (0.0, 0.0, 0.0))


def answer(document: Document, **given: Any) -> MotionFound:
    last = [each for each in find_motion(document, MotionWanted(actor="light", **given)) if each is not None][-1]
    assert isinstance(last, MotionFound)
    return last


@pytest.fixture(scope="module")
def struck() -> tuple[CoupledMotions, Any]:
    return found(balls())


def test_balls_of_a_document_exchange_momentum(struck: tuple[CoupledMotions, Any]) -> None:
    made, best = struck
    assert place(made, best, "light", 1.8)[0] == pytest.approx(1.0, abs=1e-9)
    assert place(made, best, "heavy", 1.8)[0] == pytest.approx(1.1 + 0.8 * 0.25, abs=1e-9)
    sums = {
        id: np.sum([push.vector for push in made.members[id].blows(motion)], axis=0)
        for id, motion in made.motions(best.motion).items()
    }
    assert sums["light"] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-9)
    assert sums["heavy"] == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)


def test_lengths_that_are_free_are_found_so_that_the_moment_comes_for_both_at_once() -> None:
    made, best = found(balls(off=1.7, longest=3.0))
    for motion in made.motions(best.motion).values():
        assert float(motion.lengths[0]) == pytest.approx(1.6, abs=1e-9)


def test_plans_that_begin_at_other_times_meet_by_one_clock() -> None:
    document = balls(off=1.7, longest=3.0)
    document = with_plan(document, "heavy", start=TICKS_PER_SECOND // 2, stages=(
        replace(plan_of(document, "heavy").stages[0], length=0.5), plan_of(document, "heavy").stages[1],
    ))  # fmt: skip
    made, best = found(document)
    lengths = {id: float(motion.lengths[0]) for id, motion in made.motions(best.motion).items()}
    assert lengths == pytest.approx({"light": 1.6, "heavy": 1.1}, abs=1e-9)


def driven(meeting: SpacetimeMeeting) -> Document:
    """The light ball is pushed along x and y as it takes."""
    document = balls(meeting)
    forces = tuple(
        SpacetimeForce(id=id, name=f"Push along {id}", joint="light", direction=direction)
        for id, direction in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)))
    )
    constraints = plan_of(document, "light").constraints[:1]
    return with_plan(document, "light", forces=forces, constraints=constraints)


def test_a_point_keeps_its_way_from_the_other_over_a_range() -> None:
    meeting = strike(stage="light after", at=0.0, until=1.0, blow=False, offset=(-0.2, 0.1, 0.0))
    made, best = found(driven(meeting))
    for seconds in (1.0, 1.5, 2.0):
        apart = np.subtract(place(made, best, "light", seconds), place(made, best, "heavy", seconds))
        assert apart == pytest.approx([-0.3, 0.1, 0.0], abs=1e-7)


def test_a_point_keeps_within_bounds_along_a_direction_and_as_fast_as_the_other() -> None:
    least = strike(blow=False, offset=None, direction=(0.0, 1.0, 0.0), least=0.4, most=0.5)
    alike = strike(id="alike", name="As fast", blow=False, quantity="velocity", stage="light before")
    made, best = found(with_plan(driven(least), "light", meetings=(least, alike)))
    assert 0.4 - 1e-7 <= place(made, best, "light", 1.0)[1] <= 0.5 + 1e-7
    rates = made.motions(best.motion)["light"].coordinates(1.0, order=1, before=True)
    assert rates[:2] == pytest.approx([0.0, 0.0], abs=1e-7)


def apart(made: CoupledMotions, best: Any, seconds: float) -> float:
    return math.dist(*(made.members[each].point(motion, seconds, each, END[each]) for each, motion in both(made, best)))


def both(made: CoupledMotions, best: Any) -> list[tuple[str, Any]]:
    return list(made.motions(best.motion).items())


@pytest.mark.parametrize("plane", [(0.0, 0.0, 1.0), None])
def test_points_keep_at_a_distance_over_a_range_whichever_way(plane: Vector3 | None) -> None:
    around = strike(
        name="They circle", stage="light after", at=0.0, until=1.0, blow=False, quantity="distance", least=0.3, most=0.3
    )
    document = driven(around)
    above = SpacetimeConstraint(
        id="above", name="Above", stage="light after", at=1.0, quantity="point", joint="light", direction=UP, least=0.25
    )
    document = with_plan(document, "light", constraints=(*plan_of(document, "light").constraints, above))
    for actor in ("light", "heavy"):
        document = with_plan(document, actor, plane=plane)
    made, best = found(document)
    assert [apart(made, best, seconds) for seconds in (1.0, 1.5, 2.0)] == pytest.approx([0.3] * 3, abs=1e-7)
    assert place(made, best, "light", 2.0)[1] > 0.25 - 1e-7


def test_points_are_no_nearer_or_farther_than_said_and_what_is_missed_is_said_in_metres() -> None:
    near = strike(blow=False, quantity="distance", most=0.2)
    far = replace(near, id="far", name="They keep off", stage="light after", at=1.0, least=1.5, most=None)
    made, best = found(with_plan(driven(near), "light", meetings=(near, far)))
    assert apart(made, best, 1.0) <= 0.2 + 1e-7
    assert apart(made, best, 2.0) >= 1.5 - 1e-7
    x = made.search.straight_line()
    still = SimpleNamespace(problem=None, motion=made.search.motion(x))
    words = [str(each) for each in worst_coupled(made, still, x)]
    assert f"They keep off at 2.000 s: missed by {1.5 - apart(made, still, 2.0):.3g} m" in words


@pytest.mark.parametrize("given", [{"least": -0.1}, {"most": 0.0}, {"least": 0.3, "most": 0.2}, {"blow": True}])
def test_distances_that_cannot_be_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidDocument):
        strike(**{"blow": False, "quantity": "distance", **given})


def test_a_distance_that_planes_are_farther_apart_than_is_said_before_a_search() -> None:
    document = balls(strike(blow=False, quantity="distance", most=0.2))
    aside = replace(document.actor("heavy"), placement=Placement(position=(1.1, 0.0, 0.3)))
    fault = check_coupled(coupled_motions(document.with_actor(aside), "light"))[0]
    assert str(fault).startswith("They strike asks for 0.2 m at most, but the two points stay 0.3 m apart")
    assert fault.fatal


def test_actors_meet_in_space_too() -> None:
    document = balls()
    for actor in ("light", "heavy"):
        document = with_plan(document, actor, plane=None)
    made, best = found(document)
    assert place(made, best, "heavy", 1.8)[0] == pytest.approx(1.3, abs=1e-6)


def test_the_same_moment_is_found_in_the_other_plan() -> None:
    plan = flight("heavy", x=0.0, rate=0.0)
    second = TICKS_PER_SECOND
    assert moment_of(plan, second // 4) == ("heavy before", 0.25)
    assert moment_of(plan, second + 2) == ("heavy before", 1.0)
    assert moment_of(plan, second - 2, later=True) == ("heavy after", 0.0)
    assert moment_of(plan, 2 * second) == ("heavy after", 1.0)
    assert moment_of(plan, 3 * second) is None


def test_who_meets_whom_is_one_problem_with_those_that_they_meet() -> None:
    document = balls()
    assert coupled(document, "heavy") == coupled(document, "light") == ("light", "heavy")
    off = with_plan(document, "light", meetings=(strike(on=False),))
    assert coupled(off, "heavy") == ("heavy",)
    assert coupled_motions(off, "light").alone is not None


def test_meetings_go_with_what_they_are_of() -> None:
    document = balls()
    handless = SpacetimeFollows().let_go(document.actor("light"), lambda actor, joint: joint != "heavy")
    assert spacetime_of(handless) == replace(plan_of(document, "light"), meetings=())
    assert SpacetimeFollows().let_go(document.actor("light"), lambda *_: True) is document.actor("light")
    assert plan_of(edit("rename_actor", actor="heavy", name="Big").apply(document), "light").meetings
    assert not plan_of(edit("remove_actor", actor="heavy").apply(document), "light").meetings
    gone = edit("remove_spacetime_stage", actor="light", stage="light before").apply(document)
    assert not plan_of(gone, "light").meetings
    planless = edit("remove_spacetime", actor="heavy").apply(document)
    assert plan_of(planless, "light").meetings
    assert any("does not count" in str(each) for each in check_coupled(coupled_motions(planless, "light")))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"other": "light"}, InvalidDocument),
        ({"other": "third"}, UnknownPart),
        ({"other_joint": "hand"}, UnknownPart),
        ({"joint": "hand"}, UnknownPart),
        ({"stage": "heavy before"}, UnknownPart),
    ],
)
def test_meetings_with_what_is_not_there_are_refused(given: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        edit("put_spacetime_meeting", actor="light", meeting=strike(**given)).apply(balls())


@pytest.mark.parametrize(
    "given", [{"at": 0.5}, {"quantity": "velocity"}, {"until": 1.0, "at": 0.0}, {"hardest": -1.0}, {"at": 1.5}]
)
def test_blows_are_where_stages_end(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidDocument):
        strike(**given)


def shifted(document: Document) -> Document:
    return with_plan(document, "heavy", start=TICKS_PER_SECOND // 2)


def turned(document: Document) -> Document:
    return with_plan(document, "heavy", plane=(0.0, 1.0, 0.0), constraints=())


def late(document: Document) -> Document:
    return with_plan(document, "heavy", start=9 * TICKS_PER_SECOND)


def at_end(document: Document) -> Document:
    return with_plan(document, "light", meetings=(strike(stage="light after"),))


def in_space(document: Document) -> Document:
    return with_plan(document, "heavy", plane=None)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (shifted, "They strike strikes Heavy at 1.000 s, within a stage"),
        (turned, "Light and Heavy meet, but the planes in which they move are not parallel"),
        (late, "They strike is at 1.000 s, when no motion of Heavy is planned"),
        (at_end, "They strike strikes Light where its plan begins or ends"),
        (in_space, "Light and Heavy meet, but one moves in a plane and the other in space"),
    ],
)
def test_meetings_that_cannot_be_are_said_with_what_to_do(changed: Callable[[Document], Document], words: str) -> None:
    with pytest.raises(NothingThere, match=words):
        coupled_motions(changed(balls()), "light")


def test_points_that_stay_apart_across_their_planes_are_told_of() -> None:
    document = balls()
    aside = replace(document.actor("heavy"), placement=Placement(position=(1.1, 0.0, 0.3)))
    (fault,) = check_coupled(coupled_motions(document.with_actor(aside), "light"))
    assert "0.3 m apart" in str(fault)
    assert not fault.fatal


def test_a_meeting_against_what_poses_demand_is_found_before_and_after_a_search() -> None:
    document = balls()
    for actor, x in (("light", 0.5), ("heavy", 0.0)):
        there = SpacetimeConstraint(
            id=f"{actor} there", name="Be there", stage=f"{actor} before", at=1.0,
            values=((f"{actor}.x", x), (f"{actor}.y", 0.0), (f"{actor}.turn", 0.0)),
        )  # fmt: skip
        document = with_plan(document, actor, constraints=(there,))
    made = coupled_motions(document, "light")
    assert "They strike (1.000 s) cannot be" in str(check_coupled(made)[0])
    last = finish(made.steps(effort=SolverEffort(iterations=15)))[0]
    worst = worst_coupled(made, last.motion, last.report.last.x)
    assert worst
    assert {each.actor for each in worst} <= {"light", "heavy"}
    assert any(str(each).startswith(("They strike", "Light: Be there", "Heavy: Be there")) for each in worst)


def test_motions_of_all_are_kept_in_one_step_and_found_again_from_there() -> None:
    document = balls()
    best = answer(document).minima[0]
    assert [each.actor for each in best.others] == ["heavy"]
    assert best.together["heavy"].others == (best,)
    change = KeepMotion(actor="light", id="kept", curves="torques", motion=best).work_out(None, document)  # type: ignore[arg-type]
    after = change.apply(document)
    assert [plan_of(after, actor).layer for actor in ("light", "heavy")] == ["kept", "kept_2"]
    assert {layer.id for actor in after.actors for layer in actor.layers} >= {"kept", "kept_2"}
    again = answer(after, earlier=best)
    assert again.minima[0].state == "solved"
    assert again.minima[0].iteration <= best.iteration + 3


def test_a_meeting_is_drawn_where_it_is_with_one_arrow_for_its_blow() -> None:
    document = balls()
    motion, second = answer(document).minima[0], TICKS_PER_SECOND
    for actor, way in (("light", -1.0), ("heavy", 1.0)):
        steps = draw_motion(Evaluator(), document, actor, motion.together[actor], second // 2)
        drawn = [each for each in steps if each is not None][-1]
        (arrow,) = drawn.arrows
        assert (arrow.name, arrow.time, arrow.blow) == ("They strike", second, True)
        assert arrow.push == pytest.approx((way, 0.0, 0.0), abs=1e-9)
        marks = [each for each in drawn.marks if each.constraint == "strike"]
        assert [each.place for each in marks] == ([pytest.approx((1.05, 0.0, 0.0), abs=1e-6)] if way < 0.0 else [])


def test_minima_of_several_actors_are_compared() -> None:
    last = answer(with_plan(balls(), "heavy", guesses=1))
    assert last.minima[0].state == "solved"
    assert [each.actor for each in last.minima[0].others] == ["heavy"]


def test_the_command_line_and_the_library_find_and_keep_the_motions_of_all(tmp_path: Path) -> None:
    apart = strike(id="off", name="They keep off", at=0.5, blow=False, quantity="distance", least=0.3, offset=None)
    sinew_files.write(tmp_path / "balls.sinew", balls(strike(), apart))
    lines, met = find_motions(tmp_path / "balls.sinew", out=tmp_path / "found.sinew")
    assert met
    assert lines[0].startswith("Light and Heavy: solved")
    assert [line.strip() for line in lines[1:3]] == [
        "Light: Before 1.0000 s, After 1.0000 s", "Heavy: Before 1.0000 s, After 1.0000 s"
    ]  # fmt: skip
    kept = sinew_files.read(tmp_path / "found.sinew")
    assert all(plan_of(kept, actor).layer is not None for actor in ("light", "heavy"))
    assert plan_of(kept, "light").meetings == (strike(), apart)
    document, report = sinew.find_motion(balls(), actor="heavy")
    assert report.solved
    assert [plan_of(document, actor).layer for actor in ("light", "heavy")] == ["planned", "planned"]


def test_a_meeting_seen_in_a_mirror_is_on_the_other_side() -> None:
    document = balls(strike(offset=(0.1, 0.2, 0.3)))
    (seen,) = mirror_plan(document.actor("light"), plan_of(document, "light")).meetings
    assert (seen.point, seen.offset) == ((-0.05, 0.0, 0.0), (-0.1, 0.2, 0.3))
