"""Figures and states that the tests of dynamics share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.model.compile import Array, compile_model
from tests.engine.figures import random_figure

ROOTS = ("fixed", "planar", "hinges", "ball", "random")


def random_body(rng: np.random.Generator) -> Body:
    """A body whose inertia is that of some masses."""
    spread = rng.normal(scale=0.2, size=(6, 3))
    inertia = np.einsum("ni,ni->", spread, spread) * np.eye(3) - spread.T @ spread
    x, y, z = rng.normal(scale=0.3, size=3).tolist()
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tolist()
    return Body(mass=float(rng.uniform(0.2, 3.0)), centre=(x, y, z), inertia=(xx, yy, zz, xy, xz, yz))


def weighed_figure(seed: int, root: str = "random", joint_count: int = 12) -> Figure:
    """A random tree with that kind of root; some bodies in between weigh nothing, and then turn about one hinge."""
    rng = np.random.default_rng(1000 + seed)
    figure = random_figure(seed, joint_count)
    parents = {joint.parent for joint in figure.joints}
    joints: list[Joint] = []
    for joint in figure.joints:
        dofs = unlike(joint.dofs, rng)
        if joints and joint.id in parents and rng.random() < 0.2:
            hinges = tuple(dof for dof in dofs if dof.kind == "hinge")
            joints.append(replace(joint, dofs=hinges[:1], body=Body(mass=0.0)))
        else:
            joints.append(replace(joint, dofs=dofs, body=random_body(rng)))
    if root != "random":
        joints[0] = replace(joints[0], dofs=root_dofs(root))
    return Figure(name=f"{root} {seed}", joints=tuple(joints))


def unlike(dofs: tuple[Dof, ...], rng: np.random.Generator) -> tuple[Dof, ...]:
    """The same freedoms about axes of which none repeats another: main ones, of either sign, and skew ones."""
    found: list[Dof] = []
    order = rng.permutation(3)
    for place, dof in enumerate(dofs):
        main = np.eye(3)[order[place]] * rng.choice((-1.0, 1.0))
        x, y, z = (main if rng.random() < 0.6 else rng.normal(size=3)).tolist()
        found.append(replace(dof, axis=(x, y, z)))
    return tuple(found)


def root_dofs(root: str) -> tuple[Dof, ...]:
    """Fixed; two slides and a hinge; three slides and three hinges; three slides and a ball."""
    axes = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    slides = tuple(Dof(id=f"root.move_{name}", name=name, kind="slide", axis=axis) for name, axis in axes.items())
    hinges = tuple(Dof(id=f"root.{name}", name=name, axis=axes[name]) for name in "zyx")
    ball = Dof(id="root.turn", name="Turn", kind="ball")
    return {"fixed": (), "planar": (*slides[:2], hinges[0]), "hinges": (*slides, *hinges), "ball": (*slides, ball)}[
        root
    ]


@dataclass(frozen=True, eq=False)
class State:
    """Where a figure is, how it moves, and what acts on it."""

    q: Array
    qd: Array
    qdd: Array
    tau: Array
    outside: Array


def random_state(figure: Figure, mechanics: Mechanics, seed: int = 0) -> State:
    """Any state, its balls' quaternions of unit length."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-2.0, 2.0, mechanics.coordinate_count)
    for dof in figure.dofs:
        if dof.kind == "ball":
            at = figure.coordinate_index[dof.coordinates[0]]
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    qd, qdd, tau = rng.normal(size=(3, mechanics.rate_count))
    return State(q, qd, qdd, tau, rng.normal(size=(mechanics.joint_count, 6)))


def mechanics_of(figure: Figure) -> Mechanics:
    """Compiled, with the usual gravity."""
    return compile_mechanics(compile_model(figure))


def rod(id: str, parent: str | None, length: float = 1.0, *, offset: float = 0.0, dofs: tuple[Dof, ...] = ()) -> Joint:
    """A thin rod of 1 kg that hangs from its joint; a hinge about z unless told otherwise."""
    moment = length**2 / 12.0
    body = Body(mass=1.0, centre=(0.0, -0.5 * length, 0.0), inertia=(moment, 1e-9, moment, 0.0, 0.0, 0.0))
    hinge = Dof(id=f"{id}.z", name="Turn", axis=(0.0, 0.0, 1.0))
    return Joint(id=id, name=id, parent=parent, offset=(0.0, -offset, 0.0), dofs=dofs or (hinge,), body=body)


def double_pendulum() -> Figure:
    """Two rods of a metre."""
    return Figure(name="Double pendulum", joints=(rod("upper", None), rod("lower", "upper", offset=1.0)))
