"""Things that touch, which the tests of contact share."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.document import Body, Box, Capsule, Dof, Figure, Joint
from engine.document.props import prop
from engine.document.shapes import Shape
from engine.document.values import Quaternion
from engine.dynamics.articulation import Articulation, State, compile_articulation, stand
from engine.dynamics.energies import measure_energy
from engine.dynamics.stepping import SemiImplicitEuler, Stepper, Work
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array

BRICK = Box(half=(0.1, 0.05, 0.15))
ON_THE_BACK: Quaternion = (math.cos(0.25 * math.pi), -math.sin(0.25 * math.pi), 0.0, 0.0)


def thing(shape: Shape) -> Figure:
    """A prop of one shape, free to move."""
    return prop("Thing", (shape,))


def pendulum(length: float = 1.0, mass: float = 2.0, *, dof: Dof | None = None) -> Figure:
    """A point mass on a massless rod, hanging from a fixed hinge about z."""
    hinge = dof or Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0))
    return Figure(
        name="Pendulum",
        joints=(
            Joint(id="post", name="Post"),
            Joint(id="rod", name="Rod", parent="post", dofs=(hinge,), body=Body(mass=mass, centre=(0.0, -length, 0.0))),
        ),
    )


def flail() -> Figure:
    """Three bars in a chain from a fixed post, the last of which can fold back onto the first."""
    bar = Capsule(start=(0.0, 0.0, 0.0), end=(0.4, 0.0, 0.0), radius=0.03)
    joints = [Joint(id="post", name="Post")]
    for place, name in enumerate(("first", "second", "third")):
        hinge = Dof(id=f"{name}.turn", name="Turn", axis=(0.0, 0.0, 1.0))
        offset = (0.4 if place else 0.0, 0.0, 0.0)
        joints.append(Joint(id=name, name=name, parent=joints[-1].id, offset=offset, dofs=(hinge,), shapes=(bar,)))
    return Figure(name="Flail", joints=tuple(joints))


def lying() -> tuple[Articulation, Array]:
    """A human on the back, a centimetre above the ground, held by servos."""
    articulation = compile_articulation(load_figure("human"), rotation=ON_THE_BACK, servos=3.0)
    q = articulation.mechanics.model.rest.copy()
    return stand(articulation, q, gap=0.01), q


def kneeling() -> tuple[Articulation, Array]:
    """A human who kneels upright, sitting back a little, a centimetre above the ground."""
    articulation = compile_articulation(load_figure("human"), servos=9.0)
    figure, q = articulation.mechanics.model.figure, articulation.mechanics.model.rest.copy()
    for side in ("left", "right"):
        ankle = figure.coordinate_dof[f"ankle_{side}.dorsiflexion"].lower
        assert ankle is not None
        q[figure.coordinate_index[f"knee_{side}.flexion"]] = math.radians(115.0)
        q[figure.coordinate_index[f"hip_{side}.flexion"]] = math.radians(25.0)
        q[figure.coordinate_index[f"ankle_{side}.dorsiflexion"]] = 0.95 * ankle
    return stand(articulation, q, gap=0.01), q


def run(
    articulation: Articulation,
    state: State,
    seconds: float,
    dt: float,
    *,
    stepper: Stepper | None = None,
    seen: Callable[[Work], None] | None = None,
) -> Work:
    """Step a state on, looking at it after each step."""
    stepper = stepper or SemiImplicitEuler()
    work = stepper.start(articulation, state)
    for _ in range(round(seconds / dt)):
        stepper.step(articulation, state, work, dt)
        if seen is not None:
            seen(work)
    return work


def energy(articulation: Articulation, work: Work) -> float:
    """Kinetic, by gravity and stored [J]."""
    mechanics, state = articulation.mechanics, work.state
    return float(
        measure_energy(
            (*articulation.packed, work.options),
            state.q,
            state.qd,
            (state.buffer, work.offsets, work.floats, np.zeros(mechanics.work_size)),
        )
    )
