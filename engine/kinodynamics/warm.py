"""Compiles this room's kernels: follows one keyed motion with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.dynamics.mechanics import compile_mechanics
from engine.dynamics.warm import OF_DRIVEN
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.jit import compile_now


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each group when it is ready."""
    kino, keyed = two_bodies(contact=True)
    kino.velocities(np.zeros(1), keyed)
    kino.path(0.0, 2, keyed)
    kino.held(np.zeros(1), keyed)
    compile_now(OF_DRIVEN)
    yield "follow"
    kino.simulate(np.arange(16.0), keyed)
    yield "follow_windows"


def two_bodies(*, contact: bool = False) -> tuple[KinoModel, Keyed]:
    """A ball joint and a hinge with secondary motion, that are keyed to rest."""
    body = Body(mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    root = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn", kind="ball"),), body=body)
    bend = Dof(id="bend", name="Bend", lower=-1.0, upper=1.0)
    tip = Joint(id="tip", name="Tip", parent="root", dofs=(bend,), body=body)
    mechanics = compile_mechanics(compile_model(Figure(name="Warm", joints=(root, tip))))

    def keyed(times: Array) -> Array:
        motion = np.zeros((len(times), 2, len(mechanics.model.rest)))
        motion[:, 0] = mechanics.model.rest
        return motion

    gains = compile_gains(mechanics, JointGains())
    return compile_kinodynamics(mechanics, gains, window=0.03, contact=contact), keyed
