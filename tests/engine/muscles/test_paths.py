"""Lengths and moment arms of muscles: finite differences, closed forms, MuJoCo."""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import compile_model
from engine.muscles.compile import compile_paths
from engine.muscles.parts import WRAP_SHAPES, Muscles, MuscleWrap, PathPoint, PathWrap, PointCurve, WrapShape
from engine.runtime.errors import InvalidDocument, UnknownPart
from tests.benchmarks.peers import mujoco_tendons
from tests.engine.muscles.muscled import Measured, muscle, tree, turn, vector

RADII: dict[WrapShape, tuple[float, ...]] = {
    "sphere": (0.05,),
    "cylinder": (0.05,),
    "ellipsoid": (0.05, 0.03, 0.06),
    "torus": (0.08, 0.02),
}
KNOTS = ((-1.0, 0.1), (-0.2, 0.0), (0.3, 0.1), (1.0, 0.05))


def test_gradients_of_paths_are_their_differences() -> None:
    """Fixed, moving and ranged points, on the ground too, on any two branches."""
    random = np.random.default_rng(1)
    figure, muscles = tree(random), []
    for number in range(60):
        points = []
        for place in range(int(random.integers(2, 6))):
            curves = (PointCurve(axis=number % 3, dof="1.1", knots=KNOTS),) if random.random() < 0.3 else ()
            dof, upper = ("2.0", 0.5 - (place % 2)) if 0 < place < 3 else (None, None)
            joint = None if random.random() < 0.1 else str(random.integers(7))
            points.append(
                PathPoint(joint=joint, point=vector(random, 0.2), curves=curves, dof=dof, lower=-0.5, upper=upper)
            )
        muscles.append(muscle(str(number), (*points, PathPoint(joint="6", point=vector(random, 0.2)))))
    measured = Measured(figure, tuple(muscles))
    q = random.uniform(-0.4, 0.4, len(figure.dofs))
    assert measured(q)[1] == pytest.approx(measured.differences(q), abs=1e-8)


@pytest.mark.parametrize("shape", WRAP_SHAPES)
def test_gradients_of_paths_around_wraps_are_their_differences(shape: WrapShape) -> None:
    random = np.random.default_rng(WRAP_SHAPES.index(shape))
    figure, muscles, wraps = tree(random), [], []
    for number in range(40):
        joint, centre, way = str(random.integers(7)), vector(random, 0.03), np.array(vector(random, 0.1))
        side = vector(random, 1.0) if number % 2 and shape != "torus" else None
        wraps.append(
            MuscleWrap(
                id=str(number), name="Wrap", joint=joint, shape=shape, radii=RADII[shape], centre=centre,
                rotation=turn(random), side=side,
            )
        )  # fmt: skip
        if shape == "torus":  # through the hole, off its middle
            axis = rotation_matrix(wraps[-1].rotation) @ np.array([0.0, 0.0, 1.0])
            way = 0.15 * axis + np.array(vector(random, 0.03))
        ends = [tuple(np.array(centre) + sign * way + np.array(vector(random, 0.02))) for sign in (-1.0, 1.0)]
        other = str((int(joint) + number) % 7) if number % 3 else joint
        points = PathPoint(joint=joint, point=ends[0]), PathPoint(joint=other, point=ends[1])
        muscles.append(muscle(str(number), points, (str(number),)))
    measured = Measured(figure, tuple(muscles), tuple(wraps))
    q = random.uniform(-0.2, 0.2, len(figure.dofs))
    straight = Measured(figure, tuple(muscle(each.id, each.points) for each in muscles))
    bent = measured(q)[0] > straight(q)[0] + 1e-6
    assert bent.sum() >= 10
    assert (measured(q)[0] >= straight(q)[0] - 1e-12).all()
    assert measured(q)[1] == pytest.approx(measured.differences(q), abs=2e-6)


def test_two_wraps_between_two_points_are_bent_around_in_turn() -> None:
    """The second wrap is reached from where the first is left, as a belt goes over two pulleys."""
    hinge = Dof(id="turn", name="Turn", axis=(0.0, 0.0, 1.0))
    figure = Figure(name="Arm", joints=(Joint(id="arm", name="Arm", dofs=(hinge,)),))
    ends = PathPoint(joint=None, point=(-2.0, 0.0, 0.0)), PathPoint(joint="arm", point=(2.0, 0.0, 0.0))
    wraps = tuple(
        MuscleWrap(
            id=id, name=id, joint=None, shape="cylinder", radii=(0.5,), centre=(x, 0.0, 0.0), side=(0.0, 1.0, 0.0)
        )
        for id, x in (("one", -0.7), ("two", 0.7))
    )
    measured = Measured(figure, (muscle("belt", ends, ("one", "two")),), wraps)
    out = math.sqrt(1.3**2 - 0.25)
    expected = 2.0 * (out + 0.5 * math.asin(0.5 / 1.3)) + 1.4
    assert measured(np.zeros(1))[0][0] == pytest.approx(expected, abs=1e-10)
    assert measured(np.array([0.2]))[1] == pytest.approx(measured.differences(np.array([0.2])), abs=1e-7)


def test_a_pulley_has_its_radius_as_moment_arm() -> None:
    hinge = Dof(id="turn", name="Turn", axis=(0.0, 0.0, 1.0))
    figure = Figure(name="Arm", joints=(Joint(id="arm", name="Arm", dofs=(hinge,)),))
    points = PathPoint(joint=None, point=(-0.3, 0.01, 0.0)), PathPoint(joint="arm", point=(0.3, 0.01, 0.0))
    wrap = MuscleWrap(id="pulley", name="Pulley", joint=None, shape="cylinder", radii=(0.04,), side=(0.0, 1.0, 0.0))
    measured = Measured(figure, (muscle("extensor", points, ("pulley",)),), (wrap,))
    for angle in (-0.5, 0.0, 0.1):
        assert measured(np.array([angle]))[1][0, 0] == pytest.approx(-0.04, abs=1e-12)


def test_lengths_and_moment_arms_are_those_of_mujoco() -> None:
    random = np.random.default_rng(5)
    figure, muscles, wraps = tree(random, 9), [], []
    for number in range(120):
        joints = [str(random.integers(9)) for _ in range(int(random.integers(2, 5)))]
        points = tuple(PathPoint(joint=joint, point=vector(random, 0.15)) for joint in joints)
        if number % 2:
            muscles.append(muscle(str(number), points))
            continue
        first, last = (np.array(each.point) for each in points[:2])
        off = np.array(vector(random, 0.02))
        turned, side = turn(random), None
        if number % 3:  # plainly on one side: where it is abeam, MuJoCo has a rule of its own
            away = (last - first) / np.linalg.norm(last - first)
            side = rotation_matrix(turned).T @ np.cross(away, vector(random, 1.0))
            side *= 1.0 if random.random() < 0.7 else -1.0
            off = -0.01 * rotation_matrix(turned) @ side / np.linalg.norm(side)
        wraps.append(
            MuscleWrap(
                id=f"wrap {number}", name="Wrap", joint=joints[0], shape="sphere" if number % 4 else "cylinder",
                radii=(0.04,), centre=tuple(0.5 * (first + last) + off), rotation=turned,
                side=None if side is None else tuple(side),
            )
        )  # fmt: skip
        same = (points[0], PathPoint(joint=joints[0], point=points[1].point), *points[2:])
        used = (PathWrap(wrap=f"wrap {number}", first=0, last=1),)
        muscles.append(replace(muscle(str(number), same), wraps=used))
    every = Muscles(muscles=tuple(muscles), wraps=tuple(wraps))
    measured, peer = Measured(figure, every.muscles, every.wraps), mujoco_tendons(figure, every)
    data = mujoco.MjData(peer)
    for _ in range(5):
        q = random.uniform(-0.3, 0.3, len(figure.dofs))
        lengths, gradient = measured(q)
        data.qpos[:] = q
        mujoco.mj_fwdPosition(peer, data)
        arms = np.zeros((peer.ntendon, peer.nv))
        mujoco.mju_sparse2dense(arms, data.ten_J, peer.ten_J_rownnz, peer.ten_J_rowadr, peer.ten_J_colind)
        assert lengths == pytest.approx(data.ten_length, abs=1e-6)
        assert gradient == pytest.approx(arms, abs=1e-5)


def test_a_moving_point_goes_through_its_knots_and_on_straight() -> None:
    """A cubic is reproduced, since the ends take its third derivative."""
    hinge = Dof(id="knee", name="Knee", axis=(0.0, 0.0, 1.0))
    figure = Figure(
        name="Leg",
        joints=(Joint(id="thigh", name="Thigh"), Joint(id="shank", name="Shank", parent="thigh", dofs=(hinge,))),
    )
    cubic = tuple((x, 0.1 + x - 0.5 * x**2 + 0.3 * x**3) for x in (0.0, 0.3, 0.7, 1.0, 1.4))
    curve = PointCurve(axis=0, dof="knee", knots=cubic)
    points = (
        PathPoint(joint="thigh", point=(0.0, 0.0, 0.0)),
        PathPoint(joint="thigh", point=(9.0, 0.0, 0.0), curves=(curve,)),
    )
    measured = Measured(figure, (muscle("slider", points),))
    for x in (0.1, 0.5, 0.9, 1.3):
        length, gradient = measured(np.array([x]))
        assert length[0] == pytest.approx(0.1 + x - 0.5 * x**2 + 0.3 * x**3, abs=1e-12)
        assert gradient[0, 0] == pytest.approx(1.0 - x + 0.9 * x**2, abs=1e-12)
    assert measured(np.array([2.4]))[0][0] - measured(np.array([1.4]))[0][0] == pytest.approx(
        1.0 - 1.4 + 0.9 * 1.96, abs=1e-12
    )


def test_what_a_figure_does_not_have_is_refused_by_name() -> None:
    figure = tree(np.random.default_rng(0))
    good = PathPoint(joint="0", point=(0.0, 0.0, 0.0))
    with pytest.raises(UnknownPart, match="joint of muscle biceps"):
        compile_paths(
            compile_model(figure),
            Muscles(muscles=(muscle("biceps", (good, PathPoint(joint="ulna", point=(0, 0, 0)))),)),
        )
    ranged = PathPoint(joint="1", point=(0.0, 0.0, 0.0), dof="elbow")
    with pytest.raises(UnknownPart, match="degree of freedom of muscle biceps"):
        compile_paths(compile_model(figure), Muscles(muscles=(muscle("biceps", (good, ranged)),)))
    with pytest.raises(InvalidDocument, match="points of muscle biceps"):
        muscle("biceps", (good,))
    with pytest.raises(InvalidDocument, match="a wrap of muscle biceps"):
        Muscles(muscles=(muscle("biceps", (good, good), ("ball",)),))
