"""Props: figures of one joint, so that keys, samples, layers and files work on them as on any other figure."""

from __future__ import annotations

from engine.document.figure import Dof, Figure, Joint
from engine.document.shapes import Shape
from engine.document.values import Vector3

JOINT = "body"

_AXES: tuple[tuple[str, Vector3], ...] = (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", (0.0, 0.0, 1.0)))


def prop(name: str, shapes: tuple[Shape, ...], *, fixed: bool = False) -> Figure:
    """A thing of some shapes that moves and turns freely, or stays where its actor stands."""
    slides = (
        Dof(id=f"{JOINT}.move_{axis}", name=f"Move {axis.upper()}", kind="slide", axis=way) for axis, way in _AXES
    )
    free = () if fixed else (*slides, Dof(id=f"{JOINT}.turn", name="Turn", kind="ball"))
    return Figure(name=name, joints=(Joint(id=JOINT, name=name, dofs=free, shapes=shapes),))
