"""Jacobians against finite differences, for every kind of degree of freedom."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.maths.arrays import Array
from engine.model.compile import Model, compile_model
from engine.model.jacobian import compute_jacobian, compute_jacobians, locate_handle
from engine.model.kinematics import compute_forward_kinematics
from tests.conformance.gradients import assert_gradient
from tests.engine.figures import random_figure

SLOWLY = [pytest.param(seed, marks=[pytest.mark.jit_off] if seed < 2 else []) for seed in range(8)]


def advance(model: Model, q: Array, rates: Array) -> Array:
    """q moved by `rates` for one second: balls turn by the rotation vector in their own frame."""
    moved, at, rate = q.copy(), 0, 0
    for dof in model.figure.dofs:
        if dof.kind == "ball":
            turned = Rotation.from_quat(q[at : at + 4], scalar_first=True) * Rotation.from_rotvec(
                rates[rate : rate + 3]
            )
            moved[at : at + 4] = turned.as_quat(scalar_first=True)
            at, rate = at + 4, rate + 3
        else:
            moved[at] += rates[rate]
            at, rate = at + 1, rate + 1
    return moved


def random_pose(model: Model, seed: int) -> Array:
    q = np.random.default_rng(seed).normal(size=len(model.rest))
    for dof in model.figure.dofs:
        if dof.kind == "ball":
            at = model.figure.coordinate_index[dof.coordinates[0]]
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    return q


def solved(model: Model, q: Array) -> Array:
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, q, state)
    return state


def point_of(model: Model, q: Array, joint: int, local: Array) -> Array:
    point = np.empty(3)
    locate_handle(solved(model, q), joint, local, 0, point)
    return point


def along(model: Model, q: Array, value: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """A value of the pose as a function of the rates, whose derivative at zero is the Jacobian."""
    return lambda rates: value(advance(model, q, rates))


@pytest.mark.parametrize("seed", SLOWLY)
def test_points_and_axes_follow_finite_differences(seed: int) -> None:
    model = compile_model(random_figure(seed, ball_root=seed % 2 == 0))
    q, local, zero = random_pose(model, seed), np.array([0.2, -0.4, 0.6]), np.zeros(model.rate_count)
    state, jacobian = solved(model, q), np.full((6, model.rate_count), 7.0)
    for joint in range(0, model.joint_count, 3):
        point = point_of(model, q, joint, local)
        compute_jacobian(model.ints, state, joint, point, jacobian)
        assert_gradient(along(model, q, lambda p, j=joint: point_of(model, p, j, local)), jacobian[:3], zero)  # type: ignore[misc]
        for axis in range(3):
            column = model.transforms(state)[joint, [axis, 3 + axis, 6 + axis]]
            turned = np.cross(jacobian[3:].T, column).T

            def axis_of(p: Array, joint: int = joint, axis: int = axis) -> Array:
                return model.transforms(solved(model, p))[joint, [axis, 3 + axis, 6 + axis]]

            assert_gradient(along(model, q, axis_of), turned, zero)


@pytest.mark.jit_off
def test_several_handles_at_once_are_the_single_ones() -> None:
    model = compile_model(random_figure(3, ball_root=True))
    q = random_pose(model, 3)
    state, joints = solved(model, q), np.array([2, 5, 11], dtype=np.int32)
    locals_ = np.random.default_rng(0).normal(size=(3, 3))
    points, jacobians = np.empty((3, 3)), np.empty((3, 6, model.rate_count))
    compute_jacobians(model.ints, state, joints, locals_, points, jacobians)
    single = np.empty((6, model.rate_count))
    for each, joint in enumerate(joints):
        np.testing.assert_array_equal(points[each], point_of(model, q, joint, locals_[each]))
        compute_jacobian(model.ints, state, joint, points[each], single)
        np.testing.assert_array_equal(jacobians[each], single)
