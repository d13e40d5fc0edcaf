"""Turns of readers and writers agree with forward kinematics, near gimbal lock too."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.document.frames import inverse, product
from engine.document.values import IDENTITY
from engine.formats.turns import (
    AXES,
    euler_angles,
    main_axis,
    matrices,
    motion_of,
    plain_dofs,
    quaternions,
    turn_about,
    turned,
)
from tests.engine.figures import random_figure
from tests.engine.formats.worlds import transforms


def joint_of(order: tuple[int, ...]) -> Joint:
    dofs = tuple(Dof(id=f"d{place}", name="d", axis=AXES[axis]) for place, axis in enumerate(order))
    return Joint(id="j", name="j", dofs=dofs)


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("middle", [0.3, -1.5, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, 3.0])
def test_angles_give_their_rotation_again(order: tuple[int, int, int], middle: float) -> None:
    q = np.array([[0.7, middle, -2.9], [0.0, middle, 0.0], [3.1, middle, 0.2]])
    _, rotation = motion_of(joint_of(order), q, rest=False)
    found = euler_angles(rotation, order)
    np.testing.assert_allclose(motion_of(joint_of(order), found, rest=False)[1], rotation, rtol=0, atol=1e-14)
    if abs(middle) < 1.4:
        np.testing.assert_allclose(np.cos(found - q), 1.0, atol=1e-14)


def test_angles_do_not_jump_from_frame_to_frame() -> None:
    q = np.stack((np.linspace(0.0, 20.0, 200), np.full(200, 0.4), np.linspace(0.0, -15.0, 200)), axis=1)
    found = euler_angles(motion_of(joint_of((2, 0, 1)), q, rest=False)[1], (2, 0, 1))
    np.testing.assert_allclose(found, q, rtol=0, atol=1e-12)


def test_quaternions_do_not_jump_from_frame_to_frame() -> None:
    q = np.linspace(-8.0, 12.0, 200)[:, None]
    rotation = motion_of(joint_of((1,)), q, rest=False)[1]
    found = quaternions(rotation)
    np.testing.assert_allclose(matrices(found[:, 0], found[:, 1:]), rotation, rtol=0, atol=1e-14)
    assert (np.sum(found[1:] * found[:-1], axis=1) > 0.9).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_motion_of_a_joint_is_that_of_forward_kinematics(seed: int) -> None:
    figure = random_figure(seed, 6, ball_root=seed == 3)
    q = np.random.default_rng(seed).normal(size=(1, len(figure.coordinates)))
    for dof in figure.dofs:
        if dof.kind == "ball":
            at = figure.coordinate_index[dof.coordinates[0]]
            q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4])
    for joint in figure.joints:
        alone = Figure(
            name="F", joints=(Joint(id="j", name="j", offset=joint.offset, rest=joint.rest, dofs=joint.dofs),)
        )
        columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
        way, rotation = motion_of(joint, q[:, columns], rest=True)
        world = transforms(alone, q[0, columns])[0]
        np.testing.assert_allclose(rotation[0], world[:, :3], rtol=0, atol=1e-13)
        np.testing.assert_allclose(way[0] + joint.offset, world[:, 3], rtol=0, atol=1e-13)


def test_turns_multiply_and_invert() -> None:
    a, b = turn_about(0, 0.3), turn_about(2, -1.2)
    v = (0.1, -0.4, 2.0)
    np.testing.assert_allclose(turned(product(a, b), v), turned(a, turned(b, v)), atol=1e-15)
    assert product(a, inverse(a)) == IDENTITY
    assert turned(IDENTITY, v) is v
    np.testing.assert_allclose(turned(turn_about(1, math.pi / 2), (0.0, 0.0, 1.0)), (1.0, 0.0, 0.0), atol=1e-15)


def test_only_slides_before_hinges_along_main_axes_are_plain() -> None:
    x, y = AXES[0], AXES[1]
    slide, hinge = Dof(id="s", name="s", kind="slide", axis=y), Dof(id="h", name="h", axis=(-1.0, 0.0, 0.0))
    assert plain_dofs(Joint(id="j", name="j", dofs=(slide, hinge))) == [(slide, 1, 1.0), (hinge, 0, -1.0)]
    assert plain_dofs(Joint(id="j", name="j", dofs=(hinge, slide))) is None
    assert plain_dofs(Joint(id="j", name="j", dofs=(slide, Dof(id="t", name="t", kind="slide", axis=y)))) is None
    assert plain_dofs(Joint(id="j", name="j", dofs=(Dof(id="k", name="k", axis=(1.0, 1.0, 0.0)),))) is None
    assert plain_dofs(Joint(id="j", name="j", dofs=(Dof(id="b", name="b", kind="ball"),))) is None
    assert main_axis(x) == (0, 1.0)
    assert main_axis((0.6, 0.8, 0.0)) is None
