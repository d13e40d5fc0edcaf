"""W, and what impulses do to rates, against Jacobians and the mass matrix."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, POINT, PUSH
from engine.dynamics.contact_shapes import Ground, compile_shapes
from engine.dynamics.couplings import add_impulses, write_couplings
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.dynamics.step_layout import CONTACT_BODIES, CONTACTS, DELASSUS, JOINT_ROWS, WORK_SIZE, lay_out
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array, IntArray
from engine.model.compile import compile_model
from engine.model.jacobian import compute_jacobian
from engine.model.kinematics import compute_forward_kinematics
from tests.engine.dynamics.examples import idle, mass_matrix, near, random_state

FIGURE = load_figure("human")
MECHANICS = compile_mechanics(compile_model(FIGURE))
TOUCHING = (("ankle_left", None), ("toes_left", None), ("wrist_left", "knee_left"), ("head", "wrist_right"))
TURNING = ("knee_left.flexion", "elbow_right.flexion")


def drawn(exact: bool) -> tuple[Array, Array, IntArray, Array, Array]:
    """J of all rows, A^-1, and the places, work and dynamics that the kernels read and write, with touches at random
    places. `exact`: the root and a shoulder have given accelerations."""
    mechanics, rng = MECHANICS, np.random.default_rng(5)
    model, state = mechanics.model, random_state(FIGURE, mechanics, 3)
    diagonal = rng.uniform(0.0, 0.3, mechanics.rate_count)
    if exact:
        diagonal[:6] = np.inf
        diagonal[_rate(mechanics, "shoulder_left.flexion")] = np.inf
    dynamics = mechanics.new_work()
    still, out = np.zeros(mechanics.rate_count), np.empty(mechanics.rate_count)
    none = idle(mechanics)
    compute_forward_dynamics(mechanics.ints, mechanics.floats, state.q, still, still, diagonal, none, dynamics, out)
    places = lay_out(mechanics, compile_shapes(model, ground=Ground(), bodies=True, friction=0.5), len(TURNING))
    work, kinematics = np.zeros(places[WORK_SIZE]), model.new_state()
    compute_forward_kinematics(model.ints, model.floats, state.q, kinematics)
    rows = []
    for each, pair in enumerate(TOUCHING):
        point, frame = rng.normal(size=3), np.linalg.qr(rng.normal(size=(3, 3)))[0]
        at = places[CONTACTS] + each * CONTACT
        work[at + POINT : at + POINT + 3], work[at + PUSH : at + PUSH + 9] = point, frame.ravel()
        bodies = [-1 if joint is None else FIGURE.joint_index[joint] for joint in pair]
        places[CONTACT_BODIES + each * CONTACT_INTS :][:CONTACT_INTS] = (each, *bodies)
        jacobians = np.zeros((2, 6, mechanics.rate_count))
        for body, jacobian in zip(bodies, jacobians, strict=True):
            if body >= 0:
                compute_jacobian(model.ints, kinematics, body, point, jacobian)
        rows.append(frame @ (jacobians[0] - jacobians[1])[:3])
    for each, name in enumerate(TURNING):
        rate = _rate(mechanics, name)
        places[places[JOINT_ROWS] + each] = mechanics.rate_count + rate
        rows.append(np.eye(mechanics.rate_count)[rate : rate + 1])
    free, inverse = np.isfinite(diagonal), np.zeros((mechanics.rate_count, mechanics.rate_count))
    mass = mass_matrix(mechanics, state.q) + np.diag(np.where(free, diagonal, 0.0))
    inverse[np.ix_(free, free)] = np.linalg.inv(mass[np.ix_(free, free)])
    return np.concatenate(rows), inverse, places, work, dynamics


def _rate(mechanics: Mechanics, name: str) -> int:
    """The rate of a hinge of the human, all of whose freedoms are hinges and slides."""
    return FIGURE.coordinate_index[name]


@pytest.mark.parametrize("exact", [False, True])
def test_w_is_that_of_jacobians_and_of_the_mass_matrix(exact: bool) -> None:
    jacobian, inverse, places, work, dynamics = drawn(exact)
    rows = len(jacobian)
    work[:] = np.where(work == 0.0, 7.0, work)  # what was there before does not count
    write_couplings(MECHANICS.ints, len(TOUCHING), rows, places, work, dynamics)
    found = work[places[DELASSUS] :][: rows * rows].reshape(rows, rows)
    near(found, jacobian @ inverse @ jacobian.T)
    assert (found == found.T).all()


@pytest.mark.parametrize("exact", [False, True])
def test_impulses_change_rates_by_the_inverse_of_the_mass_matrix(exact: bool) -> None:
    jacobian, inverse, places, work, dynamics = drawn(exact)
    impulse = np.random.default_rng(8).normal(size=len(jacobian))
    write_couplings(MECHANICS.ints, len(TOUCHING), len(jacobian), places, work, dynamics)
    rates = np.ones(MECHANICS.rate_count)
    add_impulses(MECHANICS.ints, len(jacobian), impulse, places, work, dynamics, rates)
    near(rates - 1.0, inverse @ jacobian.T @ impulse)
