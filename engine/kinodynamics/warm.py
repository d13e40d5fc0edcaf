"""Compiles this room's kernels by following one keyed motion with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.dynamics.mechanics import compile_mechanics
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.tracking import compile_kinodynamics
from engine.model.compile import Array, compile_model


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each group when it is ready."""
    body = Body(mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    root = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn", kind="ball"),), body=body)
    bend = Dof(id="bend", name="Bend", lower=-1.0, upper=1.0)
    tip = Joint(id="tip", name="Tip", parent="root", dofs=(bend,), body=body)
    mechanics = compile_mechanics(compile_model(Figure(name="Warm", joints=(root, tip))))
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()), window=0.03)
    rest = mechanics.model.rest

    def keyed(times: Array) -> Array:
        motion = np.zeros((len(times), 2, len(rest)))
        motion[:, 0] = rest
        return motion

    kino.velocities(np.zeros(1), keyed)
    kino.path(0.0, 2, keyed)
    yield "follow"
    kino.simulate(np.arange(16.0), keyed)
    yield "follow_windows"
