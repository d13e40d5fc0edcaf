"""Many poses in one call give what each gives alone."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Figure
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.model.batch import LANES, compute_sines, new_lanes, solve_poses, solve_transforms
from engine.model.compile import Model, compile_model, place
from engine.model.jacobian import compute_jacobians
from engine.model.kinematics import compute_forward_kinematics
from tests.engine.figures import random_figure

HANDLES = np.array([2, 5, 11], dtype=np.int32)
LOCALS = np.random.default_rng(0).normal(size=(3, 3))
TOLERANCE = 2e-14  # [m, rad]


def random_poses(figure: Figure, count: int, seed: int) -> Array:
    poses = np.random.default_rng(seed).uniform(-4.0, 4.0, (count, len(figure.coordinates)))
    for dof in figure.dofs:
        if dof.kind == "ball":
            at = figure.coordinate_index[dof.coordinates[0]]
            poses[:, at : at + 4] /= np.linalg.norm(poses[:, at : at + 4], axis=1, keepdims=True)
    return poses


def placed(model: Model) -> Array:
    state = model.new_state()
    place(state, (1.0, 2.0, 3.0), (0.6, 0.0, 0.8, 0.0))
    return state


def batch(model: Model, poses: Array) -> tuple[Array, Array, Array]:
    count, handles = len(poses), len(HANDLES)
    transforms = np.full((count, model.joint_count, 12), np.nan)
    points, jacobians = np.full((count, handles, 3), np.nan), np.full((count, handles, 6, model.rate_count), np.nan)
    state, lanes = placed(model), new_lanes(model)
    solve_poses(model.ints, model.floats, poses, HANDLES, LOCALS, state, lanes, transforms, points, jacobians)
    return transforms, points, jacobians


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [1, LANES, 2 * LANES + 7])
def test_a_batch_gives_what_each_pose_gives_alone(seed: int, count: int) -> None:
    model = compile_model(random_figure(seed, ball_root=seed % 2 == 0))
    poses = random_poses(model.figure, count, seed)
    transforms, points, jacobians = batch(model, poses)
    state, point, jacobian = placed(model), np.empty((3, 3)), np.empty((3, 6, model.rate_count))
    for pose in range(0, count, 5):
        compute_forward_kinematics(model.ints, model.floats, poses[pose], state)
        compute_jacobians(model.ints, state, HANDLES, LOCALS, point, jacobian)
        np.testing.assert_allclose(transforms[pose], model.transforms(state), rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(points[pose], point, rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(jacobians[pose], jacobian, rtol=0, atol=TOLERANCE)


def test_a_pose_does_not_depend_on_its_neighbours() -> None:
    model = compile_model(random_figure(2, ball_root=True))
    poses = random_poses(model.figure, LANES + 9, 1)
    poses[4, 0], poses[LANES, :3] = 1e7, np.nan
    whole = batch(model, poses)
    for first, last in ((0, 1), (3, 12), (LANES - 1, LANES + 2)):
        part = batch(model, poses[first:last].copy())
        assert all(one[first:last].tobytes() == other.tobytes() for one, other in zip(whole, part, strict=True))


def test_the_transforms_of_the_human_stand_at_the_origin() -> None:
    model = compile_model(load_figure("human"))
    poses, state = random_poses(model.figure, 3, 4), model.new_state()
    for q, found in zip(poses, solve_transforms(model, poses), strict=True):
        compute_forward_kinematics(model.ints, model.floats, q, state)
        np.testing.assert_allclose(found, model.transforms(state), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("reach", [0.5, 10.0, 9e4, 1e7])
def test_sines_are_those_of_the_library(reach: float) -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        angles = rng.uniform(-reach, reach, LANES)
        angles[:6] = (0.0, np.pi / 4, -np.pi / 2, np.pi, 3 * np.pi / 2, -np.pi / 4)
        sine, cosine = np.empty(LANES), np.empty(LANES)
        compute_sines(angles, 0.5, sine, cosine)
        np.testing.assert_allclose(sine, np.sin(0.5 * angles), rtol=0, atol=2.3e-16)
        np.testing.assert_allclose(cosine, np.cos(0.5 * angles), rtol=0, atol=2.3e-16)


def test_what_is_not_finite_is_not_hidden() -> None:
    model = compile_model(load_figure("human"))
    poses = np.zeros((2, len(model.rest)))
    poses[1, -1] = np.nan
    found = solve_transforms(model, poses)
    assert np.isfinite(found[0]).all()
    assert not np.isfinite(found[1]).all()
