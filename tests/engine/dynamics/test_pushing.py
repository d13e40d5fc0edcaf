"""Forces from outside at points of bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.dynamics.articulation import compile_articulation
from engine.formats.figure_toml import load_figure
from engine.model.jacobian import compute_jacobian
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import InvalidDocument, UnknownPart
from tests.engine.dynamics.contacts import pendulum
from tests.engine.dynamics.examples import State, inverse, near, random_state


def test_a_force_at_a_point_counts_by_the_jacobian_of_the_point() -> None:
    figure = load_figure("human")
    made = compile_articulation(figure, ground=None, bodies=False)
    mechanics, model = made.mechanics, made.mechanics.model
    drawn = random_state(figure, mechanics, 3)
    state = made.new_state(drawn.q)
    pushes = (("wrist_left", (3.0, -20.0, 7.0), (0.4, 1.0, 0.2)), ("head", (1.0, 2.0, 3.0), (0.0, 1.7, -0.3)))
    wanted, kinematics, jacobian = (
        np.zeros(mechanics.rate_count),
        model.new_state(),
        np.empty((6, mechanics.rate_count)),
    )
    compute_forward_kinematics(model.ints, model.floats, drawn.q, kinematics)
    for joint, force, point in pushes:
        state.push(joint, force, point)
        compute_jacobian(model.ints, kinematics, figure.joint_index[joint], np.array(point), jacobian)
        wanted += jacobian[:3].T @ np.array(force)
    still = State(drawn.q, np.zeros(mechanics.rate_count), drawn.qdd, drawn.tau, state.outside)
    near(inverse(mechanics, still, still.qdd) - inverse(mechanics, still, still.qdd, state.outside), wanted)


def test_forces_on_one_body_add_up() -> None:
    """Two opposite forces, half a metre to each side of a rod that stands still: a torque of 5 N m."""
    state = compile_articulation(pendulum(), ground=None).new_state()
    state.push("rod", (0.0, 5.0, 0.0), (0.5, 0.0, 0.0))
    state.push("rod", (0.0, -5.0, 0.0), (-0.5, 0.0, 0.0))
    near(state.outside[1], np.array([0.0, 0.0, 0.0, 0.0, 0.0, 5.0]), 1e-14)


def test_a_push_that_makes_no_sense_is_refused_by_name() -> None:
    state = compile_articulation(pendulum(), ground=None).new_state()
    with pytest.raises(UnknownPart, match="no joint 'rud'"):
        state.push("rud", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    with pytest.raises(InvalidDocument, match="force from outside"):
        state.push("rod", (math.nan, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert not state.outside.any()
