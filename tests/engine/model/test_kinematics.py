"""Forward kinematics against an independent composition of rotations, and its closed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.document import Dof, Figure, Joint
from engine.maths.arrays import Array
from engine.model.compile import compile_model, place
from engine.model.kinematics import compute_forward_kinematics, write_transforms
from tests.engine.figures import random_figure

pytestmark = pytest.mark.jit_off


def reference(figure: Figure, q: dict[str, float]) -> Array:
    """World transforms with scipy's rotations as 4x4 products, one for each step of each joint."""
    worlds: dict[str, Array] = {}
    for joint in figure.joints:
        world = np.eye(4) if joint.parent is None else worlds[joint.parent].copy()
        world = world @ _step(np.eye(3), joint.offset) @ _step(_rotation(joint.rest), (0, 0, 0))
        for dof in joint.dofs:
            numbers = [q[name] for name in dof.coordinates]
            axis = np.array(dof.axis)
            if dof.kind == "ball":
                world = world @ _step(_rotation(numbers), (0, 0, 0))
            elif dof.kind == "hinge":
                world = world @ _step(Rotation.from_rotvec(axis * numbers[0]).as_matrix(), (0, 0, 0))
            else:
                world = world @ _step(np.eye(3), axis * numbers[0])
        worlds[joint.id] = world
    return np.array([worlds[joint.id][:3] for joint in figure.joints])


def _rotation(quaternion: Sequence[float]) -> Array:
    matrix: Array = Rotation.from_quat(np.array(quaternion), scalar_first=True).as_matrix()
    return matrix


def _step(rotation: Array, position: Sequence[float] | Array) -> Array:
    step = np.eye(4)
    step[:3, :3], step[:3, 3] = rotation, position
    return step


def solve(figure: Figure, q: Array) -> Array:
    """World transforms through the kernel, shape [joint_count, 3, 4]."""
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, q, state)
    rows = model.transforms(state)
    return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)


@pytest.mark.parametrize("seed", range(12))
def test_random_figures_agree_with_the_reference(seed: int) -> None:
    figure = random_figure(seed, ball_root=seed % 2 == 0)
    q = np.random.default_rng(seed).normal(size=len(figure.coordinates))
    for dof in figure.dofs:
        if dof.kind == "ball":
            at = figure.coordinate_index[dof.coordinates[0]]
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    expected = reference(figure, dict(zip(figure.coordinates, q.tolist(), strict=True)))
    np.testing.assert_allclose(solve(figure, q), expected, rtol=0, atol=1e-12)


def test_a_planar_chain_follows_the_closed_form() -> None:
    bend = [Dof(id=f"b{each}", name="Bend", axis=(0.0, 0.0, 1.0)) for each in range(5)]
    joints = [Joint(id="j0", name="J0", dofs=(bend[0],))]
    joints += [
        Joint(id=f"j{each}", name=f"J{each}", parent=f"j{each - 1}", offset=(0.3, 0.0, 0.0), dofs=(bend[each],))
        for each in range(1, 5)
    ]
    q = np.array([0.2, -0.5, 1.1, 0.7, -2.0])
    angles = np.cumsum(q)
    expected = np.array([[0.3 * np.cos(angles[:each]).sum(), 0.3 * np.sin(angles[:each]).sum()] for each in range(5)])
    found = solve(Figure(name="Chain", joints=tuple(joints)), q)
    np.testing.assert_allclose(found[:, :2, 3], expected, rtol=0, atol=1e-14)
    assert math.isclose(found[4, 1, 0], math.sin(angles[-1]), abs_tol=1e-14)


def test_the_placement_moves_everything_rigidly() -> None:
    figure = random_figure(3)
    model = compile_model(figure)
    q = np.random.default_rng(3).normal(size=len(figure.coordinates))
    state = model.new_state()
    place(state, (1.0, 2.0, 3.0), (0.6, 0.0, 0.8, 0.0))
    compute_forward_kinematics(model.ints, model.floats, q, state)
    turn = _rotation((0.6, 0.0, 0.8, 0.0))
    still = solve(figure, q)
    rows = model.transforms(state)
    np.testing.assert_allclose(rows[:, 9:], still[:, :, 3] @ turn.T + (1.0, 2.0, 3.0), atol=1e-12)
    np.testing.assert_allclose(rows[:, :9].reshape(-1, 3, 3), turn @ still[:, :, :3], atol=1e-12)


def test_a_chain_of_three_thousand_joints_is_solved() -> None:
    dofs = tuple(Dof(id=f"d{each}", name="D", axis=(1.0, 2.0, 3.0)) for each in range(3000))
    joints = [Joint(id="0", name="0", dofs=(dofs[0],))]
    joints += [
        Joint(id=str(each), name=str(each), parent=str(each - 1), offset=(0.0, 0.01, 0.0), dofs=(dofs[each],))
        for each in range(1, 3000)
    ]
    found = solve(Figure(name="Long", joints=tuple(joints)), np.zeros(3000))
    assert math.isclose(found[-1, 1, 3], 29.99, abs_tol=1e-9)


def test_rest_values_lie_within_the_limits() -> None:
    dof = Dof(id="d", name="D", lower=0.5, upper=1.0)
    model = compile_model(Figure(name="F", joints=(Joint(id="j", name="J", dofs=(dof,)),)))
    assert model.rest.tolist() == [0.5]
    assert (model.lower.tolist(), model.upper.tolist()) == ([0.5], [1.0])


def test_models_are_read_only() -> None:
    model = compile_model(random_figure(0))
    for array in (model.ints, model.floats, model.rest, model.lower, model.upper):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_numbers_that_are_not_finite_are_reported() -> None:
    figure = random_figure(1)
    model = compile_model(figure)
    state, transforms = model.new_state(), np.empty((model.joint_count, 3, 4), dtype=np.float32)
    compute_forward_kinematics(model.ints, model.floats, model.rest.copy(), state)
    assert write_transforms(state, transforms)
    model.transforms(state)[-1, -1] = np.nan
    assert not write_transforms(state, transforms)


def _root(*dofs: Dof) -> Figure:
    hand = Joint(id="hand", name="Hand", parent="root", offset=(0.0, 0.5, 0.0))
    return Figure(name="Root", joints=(Joint(id="root", name="Root", dofs=dofs), hand))


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("figure", "q", "hand"),
    [
        (_root(), [], (0.0, 0.5, 0.0)),
        (
            _root(
                Dof(id="x", name="X", kind="slide", axis=X),
                Dof(id="y", name="Y", kind="slide", axis=Y),
                Dof(id="turn", name="Turn", axis=Z),
            ),
            [1.0, 2.0, math.pi / 2],
            (0.5, 2.0, 0.0),
        ),
        (
            _root(
                *(Dof(id=f"s{each}", name="S", kind="slide", axis=axis) for each, axis in enumerate((X, Y, Z))),
                *(Dof(id=f"h{each}", name="H", axis=axis) for each, axis in enumerate((Z, Y, X))),
            ),
            [1.0, 2.0, 3.0, 0.0, 0.0, math.pi / 2],
            (1.0, 2.0, 3.5),
        ),
        (
            _root(
                *(Dof(id=f"s{each}", name="S", kind="slide", axis=axis) for each, axis in enumerate((X, Y, Z))),
                Dof(id="ball", name="Ball", kind="ball"),
            ),
            [1.0, 2.0, 3.0, math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0],
            (1.0, 2.0, 3.5),
        ),
    ],
    ids=["fixed", "planar", "slides and hinges", "slides and quaternion"],
)
def test_every_kind_of_root_carries_its_figure(
    figure: Figure, q: list[float], hand: tuple[float, float, float]
) -> None:
    found = solve(figure, np.array(q))[1, :, 3]
    np.testing.assert_allclose(found, hand, rtol=0, atol=1e-15)
