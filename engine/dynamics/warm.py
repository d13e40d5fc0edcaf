"""Compiles the kernels of dynamics by calling each with the types that the application uses, on small figures."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Body, Box, Capsule, Dof, Figure, Joint
from engine.document.freedoms import freedoms
from engine.dynamics.articulation import compile_articulation, stand
from engine.dynamics.ball_roots import with_ball_roots
from engine.dynamics.batch import invert_states
from engine.dynamics.coordinates import compute_difference, integrate_coordinates, nudge_coordinates, read_rates
from engine.dynamics.driven import follow_splines, write_coupled
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.dynamics.momenta import MOMENTA, compute_momenta
from engine.dynamics.stepping import STEPPERS
from engine.model.compile import compile_model
from engine.runtime.jit import compile_now

OF_DRIVEN = (write_coupled, follow_splines)


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each when it is ready."""
    mechanics = _mechanics()  # asks for the mass matrix
    yield "compute_mass_matrix"
    ints, floats, work = mechanics.ints, mechanics.floats, mechanics.new_work()
    q, rates = mechanics.model.rest.copy(), np.zeros((3, mechanics.rate_count))
    outside = np.zeros((mechanics.joint_count, 6))
    compute_inverse_dynamics(ints, floats, q, rates[0], rates[1], outside, work, rates[2])
    yield "compute_inverse_dynamics"
    compute_forward_dynamics(ints, floats, q, rates[0], rates[1], np.zeros(len(rates[0])), outside, work, rates[2])
    yield "compute_forward_dynamics"
    compute_momenta(ints, floats, q, rates[0], work, np.empty(MOMENTA))
    yield "compute_momenta"
    integrate_coordinates(ints, q, rates[0], 0.1, q.copy())
    yield "integrate_coordinates"
    nudge_coordinates(ints, q, 0.1, rates[0].copy(), np.empty((len(rates[0]), len(q))))
    yield "nudge_coordinates"
    read_rates(ints, q, q, rates[2])
    yield "read_rates"
    compute_difference(ints, q, q, rates[2])
    yield "compute_difference"
    yield from _warm_steppers()
    compile_now(OF_DRIVEN)
    _warm_ball_roots()
    yield "ball_roots"
    invert_states(mechanics, q[None], rates[:1], rates[:1])
    yield "invert_groups"


def _warm_steppers() -> Iterator[str]:
    """A box that falls on the ground."""
    root = Joint(id="root", name="Root", dofs=freedoms("free", "root"), shapes=(Box(half=(0.1, 0.1, 0.1)),))
    articulation = compile_articulation(Figure(name="Box", joints=(root,)))
    articulation = stand(articulation, articulation.mechanics.model.rest)
    articulation.shapes.off_ground({0})
    yield "measure_gap"
    for kind in STEPPERS:
        state = articulation.new_state()
        stepper = kind()
        stepper.step(articulation, state, stepper.start(articulation, state), 0.01)
    yield "advance"


def _warm_ball_roots() -> None:
    """Three capsules of which two are no neighbours, on a root that may turn everywhere: as a ball, and back."""
    limb = Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.1, 0.0), radius=0.02)
    root = Joint(id="root", name="Root", dofs=freedoms("free", "root"), shapes=(limb,))
    middle = Joint(id="middle", name="Middle", parent="root", offset=(0.0, 0.2, 0.0), shapes=(limb,))
    tip = Joint(id="tip", name="Tip", parent="middle", offset=(0.0, 0.2, 0.0), shapes=(limb,))
    roots = with_ball_roots(Figure(name="Limbs", joints=(root, middle, tip)))
    compile_articulation(roots.figure)
    still = np.zeros(6)
    roots.from_balls(*roots.to_balls(still, still), near=still)


def _mechanics() -> Mechanics:
    body = Body(mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    root = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn", kind="ball"),), body=body)
    tip = Joint(id="tip", name="Tip", parent="root", dofs=(Dof(id="move", name="Move", kind="slide"),), body=body)
    return compile_mechanics(compile_model(Figure(name="Warm", joints=(root, tip))))
