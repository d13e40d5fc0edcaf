"""Problems and constraints made of what is seen: from a pose, between two, of a point, of the centre of mass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.session.actors import human
from engine.document import Document, Key, Placement, Track
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.runtime.errors import NothingThere
from engine.spacetime.commands.constrain_here import ConstrainCentre, ConstrainPoint, ConstrainPose, TakeAgain
from engine.spacetime.commands.plan_motion import PlanMotion, plane_of
from engine.spacetime.commands.stand_on import StandOn
from engine.spacetime.parts import Spacetime
from engine.spacetime.queries.drivable import drivable
from engine.spacetime.uses import spacetime_of
from tests.leaping_lamp import leaping_lamp

SECOND = 705_600_000


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator()


@pytest.fixture
def document(tmp_path: Path) -> Document:
    """A lamp that slides by a metre in a second."""
    lamp = leaping_lamp(tmp_path)
    track = Track(coordinate="base.move_x", keys=(Key(0, 0.0, interpolation="linear"), Key(SECOND, 1.0)))
    return Document(actors=(replace(lamp, layers=(replace(lamp.layers[0], tracks=(track,)),)),))


def plan_of(document: Document) -> Spacetime:
    found = spacetime_of(document.actor("lamp"))
    assert found is not None
    return found


def planned(evaluator: Evaluator, document: Document, until: int | None = None) -> Document:
    making = PlanMotion(actor="lamp", stage="s", begin="b", end="e", time=0, until=until)
    return making.work_out(evaluator, document).apply(document)


def test_a_problem_begins_at_rest_with_the_pose_and_muscles_in_all_joints(
    evaluator: Evaluator, document: Document
) -> None:
    plan = plan_of(planned(evaluator, document))
    assert [each.dof for each in plan.muscles] == ["lower_arm.lean", "upper_arm.bend", "head.nod"]
    (begin,) = plan.constraints
    assert (begin.name, begin.stage, begin.at, dict(begin.values)["base.move_x"]) == ("Begin", "s", 0.0, 0.0)
    assert set(dict(begin.rates).values()) == {0.0}
    assert plan.stages[0].nailed, "it stands on the ground"


def test_between_two_times_it_ends_with_the_pose_at_the_second(evaluator: Evaluator, document: Document) -> None:
    plan = plan_of(planned(evaluator, document, until=SECOND // 2))
    assert plan.seconds == pytest.approx(0.5)
    assert [(each.nailed, each.is_free, each.impact) for each in plan.stages] == [
        (True, True, False), (False, True, True), (True, True, False)
    ], "what stands elsewhere at the second leaps there"  # fmt: skip
    assert plan.whole == 0.5
    end = plan.constraint("e")
    assert end.at == 1.0
    assert dict(end.values)["base.move_x"] == pytest.approx(0.5)


def test_a_lifted_figure_is_not_nailed_and_one_without_joints_is_refused(
    evaluator: Evaluator, document: Document
) -> None:
    lamp = document.actor("lamp")
    lifted = document.with_actor(replace(lamp, placement=Placement(position=(0.0, 1.0, 0.0))))
    assert not plan_of(planned(evaluator, lifted)).stages[0].nailed
    alone = replace(lamp.figure, joints=(replace(lamp.figure.joints[0], dofs=()),))
    with pytest.raises(NothingThere, match="no joint that a muscle could turn"):
        planned(evaluator, Document(actors=(replace(lamp, figure=alone, layers=()),)))


def test_the_plane_is_that_in_which_most_joints_turn(document: Document) -> None:
    assert plane_of(document.actor("lamp").figure) == (0.0, 0.0, 1.0)


def test_the_pose_a_point_its_velocity_and_the_centre_are_read_where_they_are_seen(
    evaluator: Evaluator, document: Document
) -> None:
    document = planned(evaluator, document)
    common: dict[str, Any] = {"actor": "lamp", "stage": "s", "at": 1.0, "time": SECOND // 2}
    for command in (
        ConstrainPose(id="pose", name="Pose", **common),
        ConstrainPoint(id="point", name="Base", joint="base", point=(0.0, 0.0, 0.0), **common),
        ConstrainPoint(id="fast", name="Base", joint="base", point=(0.0, 0.0, 0.0), velocity=True, **common),
        ConstrainCentre(id="centre", name="Centre", **common),
    ):
        document = command.work_out(evaluator, document).apply(document)
    plan = plan_of(document)
    assert dict(plan.constraint("pose").values)["base.move_x"] == pytest.approx(0.5)
    assert plan.constraint("pose").rates == ()
    assert plan.constraint("point").position == pytest.approx((0.5, 0.0, 0.0))
    assert plan.constraint("fast").position == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)
    centre = evaluator.centre_of_mass(document, "lamp", SECOND // 2)
    assert plan.constraint("centre").position == pytest.approx(tuple(centre))
    for id, at in (("pose", 0.25), ("point", 0.25), ("centre", 0.25)):
        again = TakeAgain(actor="lamp", constraint=id, time=SECOND // 4).work_out(evaluator, document)
        new = plan_of(again.apply(document)).constraint(id)
        found = dict(new.values)["base.move_x"] if id == "pose" else (new.position or (9.0,))[0]
        shift = 0.0 if id != "centre" else centre[0] - 0.5
        assert found == pytest.approx(at + shift), id


def test_a_joint_stands_on_the_ends_of_what_is_lowest_of_its_body(evaluator: Evaluator, document: Document) -> None:
    document = planned(evaluator, document)
    stood = StandOn(actor="lamp", stage="s", joint="base", time=0).work_out(evaluator, document).apply(document)
    contacts = plan_of(stood).stages[0].contacts
    assert [each.joint for each in contacts] == ["base", "base"]
    assert sorted(each.point[0] for each in contacts) == pytest.approx([-0.1, 0.1], abs=0.006)
    assert all(abs(each.point[1]) < 1e-3 for each in contacts)
    assert not plan_of(stood).stages[0].nailed
    again = StandOn(actor="lamp", stage="s", joint="base", time=0).work_out(evaluator, stood).apply(stood)
    assert plan_of(again).stages[0].contacts == contacts, "and not twice"
    in_space = edit("set_spacetime_plane", actor="lamp", plane=None).apply(document)
    four = StandOn(actor="lamp", stage="s", joint="base", time=0).work_out(evaluator, in_space).apply(in_space)
    assert len(plan_of(four).stages[0].contacts) == 4


def test_a_person_moves_in_space_and_feet_that_stay_stand(evaluator: Evaluator) -> None:
    person = replace(human(Document()), id="lamp")
    step = Track(coordinate="hip_left.flexion", keys=(Key(0, 0.0), Key(SECOND, 0.6)))
    document = Document(actors=(replace(person, layers=(replace(person.layers[0], tracks=(step,)),)),))
    plan = plan_of(planned(evaluator, document))
    assert plan.plane is None, "its joints turn about all axes"
    assert {each.dof for each in plan.muscles} == set(drivable(person.figure, None))
    assert "knee_left.flexion" in {each.dof for each in plan.muscles}
    assert {each.joint for each in plan.stages[0].contacts} == {"ankle_left", "ankle_right"}
    between = plan_of(planned(evaluator, document, until=SECOND))
    assert {each.joint for each in between.stages[0].contacts} == {"ankle_left", "ankle_right"}
    assert {each.joint for each in between.stages[1].contacts} == {"ankle_right"}, "the other one is lifted"
    assert len(between.stages[1].contacts) == 2
    assert not between.stages[0].impact
    assert len(drivable(person.figure, None)) > 2 * len(drivable(person.figure, (1.0, 0.0, 0.0)))
