"""The mass matrix against Pinocchio, MuJoCo and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Body, Dof, Figure, Joint
from tests.benchmarks.peers import mujoco_dynamics, mujoco_places, pinocchio_coordinates, pinocchio_dynamics
from tests.engine.dynamics.examples import (
    FIGURES,
    double_pendulum,
    mass_matrix,
    mechanics_of,
    near,
    random_state,
    solid,
)


@pytest.mark.parametrize("name", FIGURES)
def test_pinocchio_agrees(name: str) -> None:
    """By its inverse dynamics, column by column: its `crba` takes figures in the order of their branches alone."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed; it has no wheels for Windows")
    figure = FIGURES[name]
    mechanics, peer = mechanics_of(figure), pinocchio_dynamics(figure)
    peer.gravity.linear = np.zeros(3)
    data, still = peer.createData(), np.zeros(mechanics.rate_count)
    state = random_state(figure, mechanics, 3)
    q = pinocchio_coordinates(figure, state.q)
    columns = [pin.rnea(peer, data, q, still, unit).copy() for unit in np.eye(mechanics.rate_count)]
    near(mass_matrix(mechanics, state.q), np.reshape(columns, (mechanics.rate_count, mechanics.rate_count)).T)


@pytest.mark.parametrize("name", ["human", "163"])
def test_pinocchios_composite_bodies_agree(name: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed; it has no wheels for Windows")
    figure = FIGURES[name]
    mechanics, peer = mechanics_of(figure), pinocchio_dynamics(figure)
    state = random_state(figure, mechanics, 4)
    upper = np.triu(pin.crba(peer, peer.createData(), pinocchio_coordinates(figure, state.q)))
    near(mass_matrix(mechanics, state.q), upper + np.triu(upper, 1).T)


@pytest.mark.parametrize("name", FIGURES)
def test_mujoco_agrees(name: str) -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    figure = solid(FIGURES[name])
    mechanics, peer = mechanics_of(figure), mujoco_dynamics(figure)
    _, coordinates, rates = mujoco_places(figure, peer)
    data, wanted = mujoco.MjData(peer), np.zeros((peer.nv, peer.nv))
    state = random_state(figure, mechanics, 5)
    data.qpos[coordinates] = state.q
    mujoco.mj_forward(peer, data)
    mujoco.mj_fullM(peer, data, wanted)
    near(mass_matrix(mechanics, state.q), wanted[np.ix_(rates, rates)])


def test_the_matrix_is_symmetric_to_the_last_bit_and_positive() -> None:
    figure = FIGURES["human"]
    mechanics = mechanics_of(figure)
    found = mass_matrix(mechanics, random_state(figure, mechanics, 6).q)
    assert (found == found.T).all()
    assert np.linalg.eigvalsh(found)[0] > 0.0


def test_a_double_pendulum_has_the_textbooks_matrix() -> None:
    """Uniform rods of mass 1 and length 1: 5/3 + cos b, 1/3 + cos b / 2, 1/3."""
    for angle in (0.0, 0.7, 2.0):
        cosine = math.cos(angle)
        cross = 1.0 / 3.0 + 0.5 * cosine
        wanted = np.array([[5.0 / 3.0 + cosine, cross], [cross, 1.0 / 3.0]])
        near(mass_matrix(mechanics_of(double_pendulum()), np.array([0.4, angle])), wanted, 1e-14)


def test_a_balls_block_is_the_inertia_of_the_body_whatever_its_turn() -> None:
    body = Body(mass=2.0, inertia=(0.3, 0.4, 0.5, 0.01, -0.02, 0.03))
    joint = Joint(id="a", name="A", dofs=(Dof(id="a.turn", name="Turn", kind="ball"),), body=body)
    mechanics = mechanics_of(Figure(name="Ball", joints=(joint,)))
    wanted = np.array([[0.3, 0.01, -0.02], [0.01, 0.4, 0.03], [-0.02, 0.03, 0.5]])
    near(mass_matrix(mechanics, np.array([0.5, -0.5, 0.1, 0.7])), wanted, 1e-13)
