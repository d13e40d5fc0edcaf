"""The degrees of freedom that a goal may move: the part alone, a chain, or the whole figure."""

from __future__ import annotations

from typing import Literal

from engine.document import Figure, Joint
from engine.runtime.errors import InvalidDocument

Extent = Literal["part", "branch", "joint", "whole"]


def chain(figure: Figure, joint: str, extent: Extent, *, up_to: str | None = None) -> frozenset[str]:
    """Ids of the degrees of freedom between a body and the end of its chain.

    `part`: those of the joint alone (of the nearest one above it that has any); `branch`: up to, and without, the
    nearest joint from which another limb leaves; `joint`: up to and with the joint `up_to`; `whole`: the whole figure.
    """
    if extent == "whole":
        return frozenset(dof.id for dof in figure.dofs)
    if extent == "joint" and (up_to is None or figure.joint(up_to) not in _ancestors(figure, joint)):
        raise InvalidDocument(what="the end of the chain", value=up_to, allowed=f"a joint between {joint} and the root")
    children: dict[str | None, int] = {}
    for each in figure.joints:
        children[each.parent] = children.get(each.parent, 0) + 1
    taken: list[str] = []
    for each in _ancestors(figure, joint):
        if extent == "branch" and taken and children.get(each.id, 0) > 1:
            break
        taken += [dof.id for dof in each.dofs]
        if (extent == "part" and taken) or (extent == "joint" and each.id == up_to):
            break
    return frozenset(taken)


def _ancestors(figure: Figure, joint: str) -> list[Joint]:
    found = [figure.joint(joint)]
    while found[-1].parent is not None:
        found.append(figure.joint(found[-1].parent))
    return found
