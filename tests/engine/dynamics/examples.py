"""Figures and states that the tests of dynamics share."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.document import Body, Dof, Figure, Joint
from engine.document.values import Vector3
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.dynamics.momenta import MOMENTA, compute_momenta
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from tests.benchmarks.peers import weighed
from tests.engine.figures import random_figure

AXES: dict[str, Vector3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
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
    slides = tuple(Dof(id=f"root.move_{name}", name=name, kind="slide", axis=axis) for name, axis in AXES.items())
    hinges = tuple(Dof(id=f"root.{name}", name=name, axis=AXES[name]) for name in "zyx")
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


def idle(mechanics: Mechanics) -> Array:
    """Nothing acts on the bodies from outside."""
    return np.zeros((mechanics.joint_count, 6))


def inverse(mechanics: Mechanics, state: State, qdd: Array, outside: Array | None = None) -> Array:
    """The forces that give `qdd`."""
    tau = np.full(mechanics.rate_count, np.nan)
    acting = idle(mechanics) if outside is None else outside
    ints, floats, work = mechanics.ints, mechanics.floats, mechanics.new_work()
    compute_inverse_dynamics(ints, floats, state.q, state.qd, qdd, acting, work, tau)
    return tau


def forward(
    mechanics: Mechanics, state: State, tau: Array, *, diagonal: Array | None = None, outside: Array | None = None
) -> Array:
    """The accelerations under `tau`."""
    qdd = np.full(mechanics.rate_count, np.nan)
    diagonal = np.zeros(mechanics.rate_count) if diagonal is None else diagonal
    acting = idle(mechanics) if outside is None else outside
    ints, floats, work = mechanics.ints, mechanics.floats, mechanics.new_work()
    compute_forward_dynamics(ints, floats, state.q, state.qd, tau, diagonal, acting, work, qdd)
    return qdd


def mass_matrix(mechanics: Mechanics, q: Array) -> Array:
    """M at a pose."""
    found = np.full((mechanics.rate_count, mechanics.rate_count), np.nan)
    compute_mass_matrix(mechanics.ints, mechanics.floats, q, mechanics.new_work(), found)
    return found


def momenta(mechanics: Mechanics, q: Array, qd: Array) -> Array:
    """Mass, centre, momenta and energies."""
    found = np.full(MOMENTA, np.nan)
    compute_momenta(mechanics.ints, mechanics.floats, q, qd, mechanics.new_work(), found)
    return found


def near(found: Array, wanted: NDArray[np.floating], tolerance: float = 1e-10) -> None:
    """Alike relative to the largest number."""
    scale = max(1e-300, float(np.abs(wanted).max(initial=0.0)))
    np.testing.assert_allclose(found / scale, wanted / scale, rtol=0, atol=tolerance)


def balanced(mechanics: Mechanics, state: State, qdd: Array, tau: Array, tolerance: float = 1e-10) -> None:
    """M qdd + bias = tau, relative to what is summed up: accelerations are as sure as M is far from singular."""
    mass = mass_matrix(mechanics, state.q)
    bias = inverse(mechanics, state, np.zeros(mechanics.rate_count))
    scale = np.abs(mass) @ np.abs(qdd) + np.abs(bias) + np.abs(tau)
    np.testing.assert_array_less(np.abs(mass @ qdd + bias - tau), tolerance * scale + 1e-300)


def rod(id: str, parent: str | None, length: float = 1.0, *, offset: float = 0.0, dofs: tuple[Dof, ...] = ()) -> Joint:
    """A thin rod of 1 kg that hangs from its joint; a hinge about z unless told otherwise."""
    moment = length**2 / 12.0
    body = Body(mass=1.0, centre=(0.0, -0.5 * length, 0.0), inertia=(moment, 1e-9, moment, 0.0, 0.0, 0.0))
    hinge = Dof(id=f"{id}.z", name="Turn", axis=(0.0, 0.0, 1.0))
    return Joint(id=id, name=id, parent=parent, offset=(0.0, -offset, 0.0), dofs=dofs or (hinge,), body=body)


def double_pendulum() -> Figure:
    """Two rods of a metre."""
    return Figure(name="Double pendulum", joints=(rod("upper", None), rod("lower", "upper", offset=1.0)))


def tree163() -> Figure:
    """163 hinges and 103 bodies, as many as the figure of Si 2013 has, on a fixed root; branches of all depths."""
    rng = np.random.default_rng(163)
    joints = [Joint(id="b0", name="Base", body=random_body(rng))]
    left, branch = 163, ["b0"]
    for index in range(1, 103):
        share = left / (103 - index)
        count = min(3, math.floor(share) + int(rng.random() < share % 1.0)) if index < 102 else left
        left -= count
        dofs = tuple(Dof(id=f"b{index}.{name}", name=name, axis=axis) for name, axis in list(AXES.items())[:count])
        if rng.random() < 0.2:
            del branch[max(1, len(branch) - int(rng.integers(1, 8))) :]
        parent = branch[-1]
        branch.append(f"b{index}")
        offset = (0.0, -0.05, 0.02 * float(rng.normal()))
        joints.append(
            Joint(id=f"b{index}", name=f"Body {index}", parent=parent, offset=offset, dofs=dofs, body=small(rng))
        )
    return Figure(name="Tree", joints=tuple(joints))


def small(rng: np.random.Generator) -> Body:
    """A bone of a few centimetres."""
    return Body(mass=float(rng.uniform(0.1, 0.8)), centre=(0.0, -0.03, 0.0), inertia=(4e-4, 1e-4, 4e-4, 0.0, 0.0, 0.0))


def solid(figure: Figure) -> Figure:
    """The figure with a body on each joint, as MuJoCo asks."""
    rng = np.random.default_rng(5)
    joints = [
        joint if joint.body is not None and joint.body.mass > 0.0 else replace(joint, body=random_body(rng))
        for joint in figure.joints
    ]
    return replace(figure, joints=tuple(joints))


FIGURES = {
    **{f"{root} {seed}": weighed_figure(seed, root) for root in ROOTS for seed in range(5)},
    **{name: weighed(load_figure(name)) for name in ("human", "quadruped")},
    "163": tree163(),
}
