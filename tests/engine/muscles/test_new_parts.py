"""What is proposed where a person adds a muscle, a point of a path or a wrap."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.document import Document
from engine.document.frames import rest_frames
from engine.edits import edit
from engine.muscles.crossing import dofs_crossed
from engine.muscles.parts import MuscleWrap, PathPoint, PathWrap
from engine.muscles.queries.new_parts import (
    muscle_between,
    on_joint,
    point_after,
    range_around,
    reshaped,
    wrap_beside,
)
from tests.engine.muscles.arms import BEND, arm_figure, arm_muscles, bent_arm


def at_rest(point: PathPoint) -> tuple[float, float, float]:
    return point.point if point.joint is None else rest_frames(arm_figure())[point.joint].at(point.point)


def test_a_muscle_goes_from_the_middle_of_a_segment_past_the_next_joint_and_is_as_long_as_its_path() -> None:
    made = muscle_between(arm_figure(), "shoulder", "elbow", id="new", name="New")
    assert [each.joint for each in made.points] == ["shoulder", "elbow"]
    assert at_rest(made.points[0]) == pytest.approx((0.0, -0.15, 0.03))
    assert made.fibre + made.tendon == pytest.approx(math.dist(*map(at_rest, made.points)))
    assert made.fibre > made.tendon > 0.0


def test_a_point_is_added_halfway_or_further_on_and_stays_where_it_is_on_another_joint() -> None:
    muscle = arm_muscles().muscles[0]
    first, last = (at_rest(each) for each in muscle.points)
    halfway = point_after(arm_figure(), muscle, 0)
    assert halfway.joint == "trunk"
    assert at_rest(halfway) == pytest.approx([0.5 * (a + b) for a, b in zip(first, last, strict=True)])
    behind = point_after(arm_figure(), muscle, 1)
    assert math.dist(at_rest(behind), last) == pytest.approx(0.02)
    assert math.dist(at_rest(behind), first) == pytest.approx(math.dist(first, last) + 0.02)
    for joint in ("elbow", None):
        moved = on_joint(arm_figure(), halfway, joint)
        assert moved.joint == joint
        assert at_rest(moved) == pytest.approx(at_rest(halfway))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_wrap_that_is_proposed_can_be_gone_round(place: int) -> None:
    muscle = arm_muscles().muscles[place]
    wrap = wrap_beside(arm_figure(), muscle, id="new", name="New")
    document = edit("add_muscle_wrap", actor="arm", wrap=wrap).apply(Document(actors=(bent_arm(),)))
    minded = range_around(muscle, wrap)
    assert minded == PathWrap(wrap="new")
    edit("set_path_wraps", actor="arm", muscle=muscle.id, wraps=(minded,)).apply(document)


def test_a_hinge_that_its_limits_hold_is_not_measured() -> None:
    figure, biceps = arm_figure(), arm_muscles().muscles[0]
    assert [each.id for each in dofs_crossed(figure, biceps)] == ["shoulder.lift", BEND]
    held = replace(figure.joint("elbow"), dofs=tuple(replace(each, upper=0.0) for each in figure.joint("elbow").dofs))
    figure = replace(figure, joints=tuple(held if each.id == "elbow" else each for each in figure.joints))
    assert [each.id for each in dofs_crossed(figure, biceps)] == ["shoulder.lift"]


def test_a_wrap_around_a_point_is_minded_beyond_it_and_around_all_nowhere() -> None:
    muscle = arm_muscles().muscles[1]
    around = MuscleWrap(
        id="ball", name="Ball", joint="shoulder", shape="sphere", radii=(0.02,), centre=muscle.points[0].point
    )
    assert range_around(muscle, around) == PathWrap(wrap="ball", first=1)
    assert range_around(muscle, replace(around, centre=(0.0, -0.125, -0.03), radii=(0.1,))) is None


def test_a_wrap_in_another_shape_is_as_wide() -> None:
    bone = arm_muscles().wraps[0]
    for shape, radii in (("torus", (0.02, 0.02 / 3)), ("ellipsoid", (0.02, 0.04 / 3, 0.04 / 3)), ("sphere", (0.02,))):
        new = replace(bone, **reshaped(bone, shape))  # type: ignore[arg-type]
        assert new.radii == pytest.approx(radii)
        assert new.length is None
