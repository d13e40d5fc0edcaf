"""Momenta, and energies against Pinocchio, finite differences and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Body, Figure, Joint
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.mechanics import placed, with_gravity
from engine.dynamics.momenta import (
    ANGULAR,
    CENTRE,
    KINETIC,
    LINEAR,
    MASS,
    POTENTIAL,
)
from tests.benchmarks.peers import pinocchio_coordinates, pinocchio_dynamics
from tests.engine.dynamics.examples import (
    FIGURES,
    inverse,
    mass_matrix,
    mechanics_of,
    momenta,
    near,
    random_state,
    root_dofs,
)

MOVING = tuple(name for name in FIGURES if name.split()[0] in ("hinges", "ball", "planar", "human"))


@pytest.mark.parametrize("name", MOVING)
def test_pinocchio_agrees(name: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed; it has no wheels for Windows")
    figure = FIGURES[name]
    mechanics, peer = mechanics_of(figure), pinocchio_dynamics(figure)
    data, state = peer.createData(), random_state(figure, mechanics, 1)
    q = pinocchio_coordinates(figure, state.q)
    found = momenta(mechanics, state.q, state.qd)
    pin.computeCentroidalMomentum(peer, data, q, state.qd)
    near(found[LINEAR : LINEAR + 3], data.hg.linear)
    near(found[ANGULAR : ANGULAR + 3], data.hg.angular)
    near(found[CENTRE : CENTRE + 3], pin.centerOfMass(peer, data, q))
    near(found[[MASS]], np.array([pin.computeTotalMass(peer)]))
    near(found[[KINETIC]], np.array([pin.computeKineticEnergy(peer, data, q, state.qd)]))
    near(found[[POTENTIAL]], np.array([pin.computePotentialEnergy(peer, data, q)]))


@pytest.mark.parametrize("name", FIGURES)
def test_kinetic_energy_is_that_of_the_mass_matrix(name: str) -> None:
    figure = FIGURES[name]
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics, 3)
    wanted = 0.5 * state.qd @ mass_matrix(mechanics, state.q) @ state.qd
    near(momenta(mechanics, state.q, state.qd)[[KINETIC]], np.array([wanted]), 1e-12)


@pytest.mark.parametrize("name", ["ball 1", "hinges 2", "planar 0", "human"])
def test_potential_energy_changes_by_what_the_weight_needs(name: str) -> None:
    """At rest the forces of inverse dynamics are the slope of the potential, of which each body has its share."""
    figure = FIGURES[name]
    mechanics = mechanics_of(figure)
    shares = np.random.default_rng(1).uniform(0.0, 1.5, mechanics.joint_count)
    turned = placed(with_gravity(mechanics, (1.0, -9.0, 2.0), shares), (3.0, 1.0, -2.0), (0.6, 0.0, 0.8, 0.0))
    state = random_state(figure, mechanics, 4)
    still, step = np.zeros(mechanics.rate_count), 1e-5
    slope = np.empty(mechanics.rate_count)
    for rate, unit in enumerate(np.eye(mechanics.rate_count)):
        energies = []
        for way in (step, -step):
            q = np.empty(mechanics.coordinate_count)
            integrate_coordinates(mechanics.ints, state.q, unit, way, q)
            energies.append(momenta(turned, q, still)[POTENTIAL])
        slope[rate] = (energies[0] - energies[1]) / (2.0 * step)
    still_state = type(state)(state.q, still, still, still, state.outside)
    near(inverse(turned, still_state, still), slope, 1e-6)


def test_a_body_that_flies_has_its_closed_forms() -> None:
    body = Body(mass=2.0, inertia=(0.3, 0.4, 0.5, 0.0, 0.0, 0.0))
    joint = Joint(id="a", name="A", dofs=root_dofs("ball"), body=body)
    mechanics = mechanics_of(Figure(name="Ball", joints=(joint,)))
    q = np.array([1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0])
    found = momenta(mechanics, q, np.array([0.5, 0.0, -1.0, 1.0, 2.0, 3.0]))
    wanted = [2.0, 1.0, 2.0, 3.0, 1.0, 0.0, -2.0, 0.3, 0.8, 1.5, 1.25 + 0.5 * (0.3 + 1.6 + 4.5), 2.0 * 9.80665 * 2.0]
    near(found, np.array(wanted), 1e-14)


def test_the_centre_of_nothing_is_not_a_number() -> None:
    joint = Joint(id="a", name="A", body=Body(mass=0.0))
    found = momenta(mechanics_of(Figure(name="Empty", joints=(joint,))), np.empty(0), np.empty(0))
    assert found[MASS] == 0.0
    assert np.isnan(found[CENTRE : CENTRE + 3]).all()


def test_dofs_between_two_bodies_change_no_momentum_of_a_whole_that_moves_as_one() -> None:
    """Rates of the root alone: the angular momentum about the centre is that of the whole as a rigid body."""
    figure = FIGURES["human"]
    mechanics = mechanics_of(figure)
    qd = np.zeros(mechanics.rate_count)
    slides = [place for place, dof in enumerate(figure.dofs) if dof.kind == "slide"]
    qd[slides] = 0.3, -0.2, 0.7
    found = momenta(mechanics, random_state(figure, mechanics, 5).q, qd)
    near(found[LINEAR : LINEAR + 3], found[MASS] * np.array([0.3, -0.2, 0.7]), 1e-13)
    np.testing.assert_allclose(found[ANGULAR : ANGULAR + 3], 0.0, atol=1e-12)
