"""Figures and keyed motions for the tests of secondary motion."""

from __future__ import annotations

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.kinodynamics.keyed import Keyed
from engine.maths.arrays import Array
from engine.model.compile import compile_model

MASS, LENGTH, OWN = 2.0, 0.5, 0.02
"""Of the pendulum's weight [kg], how far it hangs [m], its inertia about its centre [kg m2]."""


def ticks(seconds: float | Array) -> Array:
    """Times in ticks."""
    return np.asarray(np.rint(np.atleast_1d(seconds) * TICKS_PER_SECOND))


def pendulum(*, limit: float | None = None) -> Mechanics:
    """A weight that hangs from a carriage, swinging about z."""
    carriage = Joint(id="root", name="Carriage", dofs=(Dof(id="x", name="X", kind="slide", axis=(1.0, 0.0, 0.0)),))
    lower = None if limit is None else -limit
    swing = Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0), lower=lower, upper=limit)
    weight = Body(mass=MASS, centre=(0.0, -LENGTH, 0.0), inertia=(OWN, OWN, OWN, 0.0, 0.0, 0.0))
    arm = Joint(id="arm", name="Arm", parent="root", dofs=(swing,), body=weight)
    return compile_mechanics(compile_model(Figure(name="Pendulum", joints=(carriage, arm))))


def spinning() -> Mechanics:
    """A body on a ball that is driven, and a second one on a ball at its end."""
    turn = Dof(id="turn", name="Turn", kind="ball")
    body = Body(mass=3.0, centre=(0.1, -0.2, 0.0), inertia=(0.05, 0.02, 0.06, 0.0, 0.0, 0.0))
    joints = (
        Joint(id="root", name="Root", dofs=(turn,), body=body),
        Joint(
            id="tip",
            name="Tip",
            parent="root",
            offset=(0.0, -0.4, 0.0),
            dofs=(Dof(id="bend", name="Bend", kind="ball"),),
            body=body,
        ),
    )
    return compile_mechanics(compile_model(Figure(name="Spinning", joints=joints)))


def waves(mechanics: Mechanics, seed: int = 0, *, size: float = 0.3, pace: float = 5.0) -> Keyed:
    """Every coordinate a sine about its rest; balls turn about fixed axes that lean back and forth."""
    rng = np.random.default_rng(seed)
    rest = mechanics.model.rest
    height, phase = size * rng.normal(size=len(rest)), rng.uniform(0.0, 6.0, len(rest))
    speed = pace * rng.uniform(0.2, 1.0, len(rest))
    balls = [
        [mechanics.model.figure.coordinate_index[name] for name in dof.coordinates]
        for dof in mechanics.model.figure.dofs
        if dof.kind == "ball"
    ]

    def keyed(times: Array) -> Array:
        s = np.asarray(times, dtype=np.float64)[:, None] / TICKS_PER_SECOND
        motion = np.stack(
            (rest + height * np.sin(speed * s + phase), height * speed * np.cos(speed * s + phase)), axis=1
        )
        for ball in balls:
            p, rate = motion[:, 0, ball], motion[:, 1, ball]
            norm = np.linalg.norm(p, axis=1, keepdims=True)
            along = (p * rate).sum(axis=1, keepdims=True) / norm**2
            motion[:, 0, ball], motion[:, 1, ball] = p / norm, (rate - p * along) / norm
        return motion

    return keyed


def still(mechanics: Mechanics, q: Array | None = None) -> Keyed:
    """A pose that is held."""
    pose = mechanics.model.rest if q is None else q

    def keyed(times: Array) -> Array:
        motion = np.zeros((len(times), 2, len(pose)))
        motion[:, 0] = pose
        return motion

    return keyed


def stepped(mechanics: Mechanics, coordinate: int, height: float, at: float) -> Keyed:
    """At rest, but for one coordinate that jumps [s]."""

    def keyed(times: Array) -> Array:
        motion = still(mechanics)(times)
        motion[np.asarray(times) >= at * TICKS_PER_SECOND, 0, coordinate] = height
        return motion

    return keyed
