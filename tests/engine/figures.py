"""Figures for tests: random trees of every kind of degree of freedom, and scenes of several actors."""

from __future__ import annotations

import numpy as np

from engine.document import Actor, Box, Document, Dof, Figure, Joint, Layer, Placement, prop
from engine.document.figure import DofKind


def random_figure(seed: int, joint_count: int = 12, *, ball_root: bool = False) -> Figure:
    """A random tree: hinges and slides about skew and main axes, rest rotations, some joints without freedom."""
    rng = np.random.default_rng(seed)
    joints: list[Joint] = []
    for index in range(joint_count):
        dofs = tuple(_random_dof(rng, f"j{index}.{each}") for each in range(int(rng.integers(0, 4))))
        if index == 0 and ball_root:
            dofs = (*_slides("j0"), Dof(id="j0.turn", name="Turn", kind="ball"))
        rest = rng.normal(size=4)
        rest = rest / np.linalg.norm(rest) if index % 3 == 1 else np.array([1.0, 0.0, 0.0, 0.0])
        joints.append(
            Joint(
                id=f"j{index}",
                name=f"Joint {index}",
                parent=joints[int(rng.integers(0, index))].id if index else None,
                offset=tuple(rng.normal(size=3).tolist()),
                rest=tuple(rest.tolist()),
                dofs=dofs,
                shapes=(Box(half=(0.1, 0.1, 0.1)),),
            )
        )
    return Figure(name=f"Random {seed}", joints=tuple(joints))


def scene(seed: int = 0) -> Document:
    """Two figures that share one description, a third with a ball root, and a prop."""
    figure, other = random_figure(seed), random_figure(seed + 1, ball_root=True)
    placement = Placement(position=(1.0, 0.0, -2.0), rotation=(0.6, 0.0, 0.8, 0.0))
    pose = (Layer(id="pose"),)
    return Document(
        actors=(
            Actor(id="one", name="One", figure=figure, layers=pose),
            Actor(id="two", name="Two", figure=figure, layers=pose, placement=placement),
            Actor(id="three", name="Three", figure=other, layers=pose),
            Actor(id="ball", name="Box", figure=prop("Box", (Box(half=(0.2, 0.2, 0.2)),))),
        )
    )


def _slides(joint: str) -> tuple[Dof, ...]:
    axes = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    return tuple(Dof(id=f"{joint}.{name}", name=name, kind="slide", axis=axis) for name, axis in axes.items())


def _random_dof(rng: np.random.Generator, id: str) -> Dof:
    kinds: tuple[DofKind, ...] = ("hinge", "slide")
    kind = kinds[int(rng.integers(0, 2))]
    axis = np.eye(3)[int(rng.integers(0, 3))] if rng.random() < 0.6 else rng.normal(size=3)
    limits = (-1.5, 1.5) if rng.random() < 0.5 else (None, None)
    return Dof(id=id, name=id, kind=kind, axis=tuple(axis.tolist()), lower=limits[0], upper=limits[1])
