"""Several figures as one, so that they touch each other and are stepped at one time.

Their joints stand beside each other, each figure's roots moved to where it is placed; ids become `<name>/<id>`. Nothing
joins them: their equations of motion are apart but for the rows of contact. Handles, skins and mirror images are left
out, which nothing here reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.document import Figure, Joint
from engine.document.actor import Placement
from engine.document.values import Vector3
from engine.maths.quaternions import product, turned
from engine.runtime.errors import InvalidArguments


def put_together(figures: Mapping[str, tuple[Figure, Placement]]) -> Figure:
    """One figure of all of these, each by a name and where it stands."""
    if not figures:
        raise InvalidArguments(what="the figures to put together", value=0, allowed="one or more")
    joints = [
        _placed(name, joint, placement) for name, (figure, placement) in figures.items() for joint in figure.joints
    ]
    limits = [
        replace(limit, id=f"{name}/{limit.id}", dofs=tuple(f"{name}/{dof}" for dof in limit.dofs))
        for name, (figure, _) in figures.items()
        for limit in figure.limits
    ]
    return Figure(name=" and ".join(figures), joints=tuple(joints), limits=tuple(limits))


def _placed(name: str, joint: Joint, placement: Placement) -> Joint:
    """A joint under its new name; a root where its figure stands."""
    dofs = tuple(dof.renamed(f"{name}/{dof.id}", lambda driver: f"{name}/{driver}") for dof in joint.dofs)
    if joint.parent is not None:
        return replace(joint, id=f"{name}/{joint.id}", parent=f"{name}/{joint.parent}", dofs=dofs, mirror=None)
    ahead = turned(placement.rotation, joint.offset)
    offset: Vector3 = (
        placement.position[0] + ahead[0],
        placement.position[1] + ahead[1],
        placement.position[2] + ahead[2],
    )
    rest = product(placement.rotation, joint.rest)
    return replace(joint, id=f"{name}/{joint.id}", offset=offset, rest=rest, dofs=dofs, mirror=None)
