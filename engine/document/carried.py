"""A figure that is carried: the motion of what hangs on others as one of its own."""

from __future__ import annotations

from dataclasses import replace

from engine.document.figure import Dof, Figure, Joint
from engine.document.values import Vector3


def carried(figure: Figure) -> Figure:
    """The figure under one joint more that may stand and turn anywhere: its root, and the first of its joints."""
    taken, id = {*figure.joint_index, *(dof.id.partition(".")[0] for dof in figure.dofs)}, "place"
    while id in taken:
        id += "_"
    axes: tuple[Vector3, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    ways = (
        Dof(id=f"{id}.move_{letter}", name=f"Move {letter.upper()}", kind="slide", axis=axis)
        for letter, axis in zip("xyz", axes, strict=True)
    )
    carrier = Joint(id=id, name="Place", dofs=(*ways, Dof(id=f"{id}.turn", name="Turn", kind="ball")))
    under = (replace(each, parent=id) if each.parent is None else each for each in figure.joints)
    return replace(figure, joints=(carrier, *under))
