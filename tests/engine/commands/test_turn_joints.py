"""Joints turned about axes and moved along their slides: exactly, past half a turn, and never beyond a limit."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.commands.turn_joints import SlideJoint, TurnJoints
from engine.document import Actor, Document, Dof, Figure, Joint, Layer, Placement
from engine.document.props import JOINT, prop
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_vectors, turn
from engine.runtime.errors import InvalidArguments, UnknownPart

SHOULDER, ELBOW, KNEE = "shoulder_left", "elbow_left", "knee_left"
ASIDE = Placement(position=(0.9, 0.1, 0.3), rotation=(math.cos(0.4), 0.0, math.sin(0.4), 0.0))
XYZ = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def standing(figure: Figure | None = None) -> Document:
    figure = figure or load_figure("human")
    return Document(actors=(Actor(id="me", name="me", figure=figure, placement=ASIDE, layers=(Layer(id="pose"),)),))


def free(joint: str, document: Document) -> Document:
    """Without limits at one joint."""
    actor = document.actors[0]
    joints = tuple(
        replace(each, dofs=tuple(replace(dof, lower=None, upper=None) for dof in each.dofs))
        if each.id == joint
        else each
        for each in actor.figure.joints
    )
    return replace(document, actors=(replace(actor, figure=replace(actor.figure, joints=joints)),))


def rotation(document: Document, joint: str) -> Array:
    figure = document.actors[0].figure
    return np.asarray(Evaluator().joint_transforms(document, "me")[figure.joint_index[joint]][:, :3])


def turned(document: Document, joint: str, axis: tuple[float, float, float], of: str, degrees: float) -> Document:
    wish = TurnJoints(actor="me", joints=(joint,), axis=axis, of=of, angle=math.radians(degrees), time=0)  # type: ignore[arg-type]
    return wish.work_out(Evaluator(), document).apply(document)


@pytest.mark.parametrize("degrees", [-12.5, 30.0, 170.0, 250.0, -400.0])
@pytest.mark.parametrize("of", ["joint", "parent", "world"])
@pytest.mark.parametrize("axis", [*XYZ, (0.6, 0.0, 0.8)])
def test_a_joint_of_three_hinges_is_turned_exactly_about_any_axis(
    axis: tuple[float, float, float], of: str, degrees: float
) -> None:
    document = free(SHOULDER, standing())
    before, parent = rotation(document, SHOULDER), document.actors[0].figure.joint(SHOULDER).parent
    assert parent is not None
    by = turn(np.array(axis), np.array([math.radians(degrees)]))[0]
    above = rotation(document, parent)
    wanted = {"joint": before @ by, "parent": above @ by @ above.T @ before, "world": by @ before}[of]
    after = rotation(turned(document, SHOULDER, axis, of, degrees), SHOULDER)
    assert np.abs(after - wanted).max() < 1e-9


def test_a_hinge_turns_by_the_number_that_was_asked_for() -> None:
    document = standing()
    (dof,) = document.actors[0].figure.joint(ELBOW).dofs
    sign = 1.0 if dof.clamp(1.0) == 1.0 else -1.0
    after = turned(document, ELBOW, dof.axis, "joint", sign * 30.0)
    assert after.actors[0].layers[0].by_coordinate[dof.id] == pytest.approx(sign * math.radians(30.0), abs=1e-12)


def test_a_turn_ends_at_the_limit_that_it_meets() -> None:
    document = standing()
    for axis in XYZ:
        for way in (-300.0, 300.0):
            after = turned(document, SHOULDER, axis, "world", way)
            values = after.actors[0].layers[0].by_coordinate
            dofs = document.actors[0].figure.joint(SHOULDER).dofs
            for dof in dofs:
                assert dof.clamp(values.get(dof.id, 0.0)) == values.get(dof.id, 0.0)
            ends = [
                abs(values.get(dof.id, 0.0) - end) for dof in dofs for end in (dof.lower, dof.upper) if end is not None
            ]
            assert min(ends) < 1e-6, "it stands at a limit"
            difference = rotation(document, SHOULDER).T @ rotation(after, SHOULDER)
            off = np.cross(rotation_vectors(difference[None])[0], rotation(document, SHOULDER).T @ axis)
            assert np.linalg.norm(off) < 1e-6, "and has turned about that axis alone"


def test_a_hinge_beyond_its_limit_stands_at_it_and_other_axes_leave_it_alone() -> None:
    document = standing()
    (dof,) = document.actors[0].figure.joint(KNEE).dofs
    assert dof.upper is not None
    after = turned(document, KNEE, dof.axis, "joint", 400.0)
    assert after.actors[0].layers[0].by_coordinate[dof.id] == dof.upper
    across = tuple(np.roll(dof.axis, 1).tolist())
    assert turned(document, KNEE, across, "joint", 40.0) is document


def test_several_joints_turn_by_the_same_angle() -> None:
    document = standing()
    figure = document.actors[0].figure
    wish = TurnJoints(
        actor="me", joints=("elbow_left", "elbow_right"), axis=figure.joint("elbow_left").dofs[0].axis, of="joint",
        angle=0.3 if figure.joint("elbow_left").dofs[0].clamp(1.0) == 1.0 else -0.3, time=0,
    )  # fmt: skip
    values = wish.work_out(Evaluator(), document).apply(document).actors[0].layers[0].by_coordinate
    assert {round(abs(value), 9) for value in values.values()} == {0.3}
    assert len(values) == 2


def test_a_prop_turns_as_a_whole_and_slides_exactly() -> None:
    document = standing(prop("Box", ()))
    after = turned(document, JOINT, XYZ[1], "world", 200.0)
    by = turn(np.array(XYZ[1]), np.array([math.radians(200.0)]))[0]
    assert np.abs(rotation(after, JOINT) - by @ rotation(document, JOINT)).max() < 1e-9
    evaluator = Evaluator()
    wish = SlideJoint(actor="me", joint=JOINT, shift=(0.5, -0.2, 0.1), time=0)
    moved = wish.work_out(evaluator, after).apply(after)
    places = [evaluator.joint_transforms(each, "me")[0] for each in (after, moved)]
    assert np.abs(places[1][:, 3] - places[0][:, 3] - wish.shift).max() < 1e-12
    assert np.abs(places[1][:, :3] - places[0][:, :3]).max() < 1e-12
    assert wish.label(document) == "Move Box"


def test_what_makes_no_sense_is_refused_by_name() -> None:
    document, evaluator = standing(), Evaluator()
    sound = TurnJoints(actor="me", joints=(ELBOW,), axis=XYZ[0], of="joint", angle=0.1, time=0)
    wrong: dict[str, Any]
    for wrong, words in (
        ({"axis": (0.0, 0.0, 0.0)}, "not zero"),
        ({"angle": 1e6}, "20 whole turns"),
        ({"angle": math.nan}, "angle to turn by"),
    ):
        with pytest.raises(Exception, match=words):
            replace(sound, **wrong).work_out(evaluator, document)
    with pytest.raises(UnknownPart):
        replace(sound, joints=("gone",)).work_out(evaluator, document)
    with pytest.raises(InvalidArguments, match="that slides"):
        SlideJoint(actor="me", joint=ELBOW, shift=(1.0, 0.0, 0.0), time=0).work_out(evaluator, document)


def test_near_a_gimbal_lock_the_turn_goes_on() -> None:
    dofs = tuple(Dof(id=f"j.{n}", name=f"{n}", axis=axis) for n, axis in enumerate(XYZ))
    figure = Figure(name="top", joints=(Joint(id="j", name="Top", dofs=dofs),))
    document = replace(standing(figure))
    document = turned(document, "j", XYZ[1], "joint", 90.0)
    for axis in XYZ:
        after = turned(document, "j", axis, "joint", 35.0)
        by = turn(np.array(axis), np.array([math.radians(35.0)]))[0]
        assert np.abs(rotation(after, "j") - rotation(document, "j") @ by).max() < 1e-6
        assert all(map(math.isfinite, after.actors[0].layers[0].by_coordinate.values()))
