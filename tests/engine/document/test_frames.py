"""Frames at rest are those that forward kinematics finds."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.document.frames import Frame, rest_frames
from engine.maths.quaternions import turn_about
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from tests.engine.figures import random_figure


@pytest.mark.parametrize("seed", range(4))
def test_rest_frames_agree_with_forward_kinematics(seed: int) -> None:
    figure = random_figure(seed, ball_root=seed % 2 == 0)
    bent = Joint(
        id="bent",
        name="Bent",
        parent=figure.joints[-1].id,
        dofs=(Dof(id="b", name="B", lower=0.4), Dof(id="s", name="S", kind="slide", axis=(0.0, 0.6, 0.8), upper=-0.2)),
    )
    figure = Figure(name="Bent", joints=(*figure.joints, bent))
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, model.rest, state)
    for row, frame in zip(model.transforms(state), rest_frames(figure).values(), strict=True):
        np.testing.assert_allclose(row[9:], frame.position, rtol=0, atol=1e-12)
        np.testing.assert_allclose(row[:9].reshape(3, 3), rotation_matrix(frame.rotation), rtol=0, atol=1e-12)


def test_frames_are_seen_from_each_other() -> None:
    one = Frame((1.0, 2.0, 3.0), (0.6, 0.0, 0.8, 0.0))
    two = Frame((-1.0, 0.5, 0.0), turn_about((1.0, 0.0, 0.0), 0.7))
    again = one.holding(one.seeing(two))
    np.testing.assert_allclose(again.position, two.position, rtol=0, atol=1e-14)
    np.testing.assert_allclose(again.rotation, two.rotation, rtol=0, atol=1e-14)
