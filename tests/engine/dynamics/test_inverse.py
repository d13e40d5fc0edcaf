"""Inverse dynamics against Pinocchio, MuJoCo, Jacobians and closed forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Figure
from engine.dynamics.mechanics import compile_mechanics, placed, with_gravity
from engine.maths.rotations import rotate_vector
from engine.model.compile import compile_model
from engine.model.jacobian import compute_jacobian
from engine.model.kinematics import compute_forward_kinematics
from tests.benchmarks.peers import (
    mujoco_dynamics,
    mujoco_places,
    pinocchio_coordinates,
    pinocchio_dynamics,
)
from tests.engine.dynamics.examples import (
    FIGURES,
    double_pendulum,
    inverse,
    mechanics_of,
    near,
    random_state,
    rod,
    solid,
)


@pytest.mark.parametrize("name", FIGURES)
def test_pinocchio_agrees(name: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed; it has no wheels for Windows")
    figure = FIGURES[name]
    mechanics, peer = mechanics_of(figure), pinocchio_dynamics(figure)
    for seed in range(4):
        state = random_state(figure, mechanics, seed)
        q = pinocchio_coordinates(figure, state.q)
        wanted = pin.rnea(peer, peer.createData(), q, state.qd, state.qdd)
        near(inverse(mechanics, state, state.qdd), wanted)


@pytest.mark.parametrize("name", FIGURES)
def test_mujoco_agrees(name: str) -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    figure = solid(FIGURES[name])
    mechanics, peer = mechanics_of(figure), mujoco_dynamics(figure)
    _, coordinates, rates = mujoco_places(figure, peer)
    data = mujoco.MjData(peer)
    for seed in range(4):
        state = random_state(figure, mechanics, seed)
        data.qpos[coordinates], data.qvel[rates], data.qacc[rates] = state.q, state.qd, state.qdd
        mujoco.mj_inverse(peer, data)
        near(inverse(mechanics, state, state.qdd), data.qfrc_inverse[rates])


@pytest.mark.parametrize("name", ["ball 1", "hinges 2", "human"])
def test_forces_from_outside_count_by_the_jacobian_of_where_they_act(name: str) -> None:
    figure = FIGURES[name]
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics, 3)
    model, wanted = mechanics.model, np.zeros(mechanics.rate_count)
    kinematics, jacobian = model.new_state(), np.empty((6, mechanics.rate_count))
    compute_forward_kinematics(model.ints, model.floats, state.q, kinematics)
    for joint, acting in enumerate(state.outside):
        compute_jacobian(model.ints, kinematics, joint, model.transforms(kinematics)[joint, 9:], jacobian)
        wanted += jacobian.T @ acting
    found = inverse(mechanics, state, state.qdd) - inverse(mechanics, state, state.qdd, state.outside)
    near(found, wanted)


def test_a_rod_held_level_needs_half_its_weight_times_its_length() -> None:
    mechanics = mechanics_of(Figure(name="Rod", joints=(rod("a", None, 2.0),)))
    state = random_state(mechanics.model.figure, mechanics)
    level = replace(state, q=np.array([0.5 * math.pi]), qd=np.zeros(1))
    near(inverse(mechanics, level, np.zeros(1)), np.array([9.80665]), 1e-14)


def test_a_placement_turns_figure_against_gravity() -> None:
    """A figure that is placed elsewhere needs what it would need at the origin under gravity turned the other way."""
    figure, half = double_pendulum(), math.sqrt(0.5)
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics, 1)
    turned = placed(mechanics, (100.0, -7.0, 3.0), (half, 0.0, 0.0, half))
    back = np.empty(3)
    rotate_vector(np.array([half, 0.0, 0.0, -half]), np.array([0.0, -9.80665, 0.0]), back)
    x, y, z = back.tolist()
    near(inverse(turned, state, state.qdd), inverse(with_gravity(mechanics, (x, y, z)), state, state.qdd), 1e-12)


def test_a_body_that_feels_no_gravity_weighs_nothing() -> None:
    figure = FIGURES["human"]
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics)
    none = with_gravity(mechanics, shares=np.zeros(mechanics.joint_count))
    near(inverse(none, state, state.qdd), inverse(with_gravity(mechanics, (0.0, 0.0, 0.0)), state, state.qdd), 1e-14)
    shares = np.random.default_rng(2).uniform(0.0, 2.0, mechanics.joint_count)
    still = inverse(none, state, state.qdd)
    wanted = np.zeros(mechanics.rate_count)
    for share, alone in zip(shares, np.eye(mechanics.joint_count), strict=True):
        wanted += share * (inverse(with_gravity(mechanics, shares=alone), state, state.qdd) - still)
    near(inverse(with_gravity(mechanics, shares=shares), state, state.qdd) - still, wanted, 1e-12)


def test_far_from_the_origin_nothing_is_lost() -> None:
    """Moments are taken about the root: 100 km away the last digits of positions alone are lost."""
    figure = FIGURES["human"]
    here = mechanics_of(figure)
    state = random_state(figure, here, 2)
    there = placed(here, (1e5, 0.0, -1e5), (1.0, 0.0, 0.0, 0.0))
    near(inverse(there, state, state.qdd), inverse(here, state, state.qdd), 1e-9)


def test_the_same_input_gives_the_same_bytes_whatever_was_in_the_work_buffer() -> None:
    figure = FIGURES["ball 3"]
    mechanics = compile_mechanics(compile_model(figure))
    one, other = random_state(figure, mechanics, 1), random_state(figure, mechanics, 2)
    first = inverse(mechanics, one, one.qdd, one.outside)
    assert inverse(mechanics, other, other.qdd, other.outside).tobytes() != first.tobytes()
    assert inverse(mechanics, one, one.qdd, one.outside).tobytes() == first.tobytes()
