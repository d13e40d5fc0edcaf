"""Turns of readers and writers agree with forward kinematics, near gimbal lock too."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.formats.turns import main_axis, motion_of, plain_dofs
from engine.maths.quaternions import AXES
from tests.engine.figures import random_figure
from tests.engine.formats.worlds import transforms


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
