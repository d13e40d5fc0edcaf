"""A figure's tree hung up at another joint, every joint's own frame staying where it is.

Between the old root 0 and the new one n each link X_k = X_(k-1) T(o) R D(q), with k - 1 the parent of k, o and R the
offset and rest of k and D its degrees of freedom, is read from the other end:

    X_(k-1) = X_k D(q)^-1 R^-1 T(-o).

D^-1 is the same degrees of freedom in reverse order about and along the opposite axes: ids, values and limits stay,
and so do all tracks. They turn about the frame of k, so a joint without mass stands there and carries them, and k - 1
hangs from it by the fixed part. Where that is nothing, k - 1 carries them itself; and where a joint that was put in
so has lost its degrees of freedom by rerooting back, it goes.

The new root takes the old root's offset, rest and degrees of freedom where these reach every place and rotation
(three slides, and a ball or three hinges with a square middle axis); otherwise three slides and a ball of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.maths.rotation_arrays import rotation_matrix

_BACK = ".back"
_SQUARE = 1e-9  # cosine of axes that count as being at right angles
_ORIGIN: Vector3 = (0.0, 0.0, 0.0)


def reroot_tree(figure: Figure, joint: str, needed: Collection[str] = ()) -> Figure:
    """The figure with that joint as the root of its tree; joints that are `needed` stay."""
    chain = chain_to(figure, joint)
    if len(chain) == 1:
        return figure
    made = {each.id: each for each in figure.joints}
    old = chain[0]
    free = old.dofs if reaches_everything(old.dofs) else _six(figure, joint)
    made[joint] = replace(chain[-1], parent=None, offset=old.offset, rest=old.rest, dofs=free)
    for parent, child in pairwise(chain):
        dofs = tuple(_reversed(dof) for dof in reversed(child.dofs))
        offset, rest = _inverse(child.offset, child.rest)
        carrier = child.id
        if dofs and (offset != _ORIGIN or rest != IDENTITY):
            middle = _carrier(child, dofs, set(made))
            made[middle.id] = middle
            carrier, dofs = middle.id, ()
        made[parent.id] = replace(parent, parent=carrier, offset=offset, rest=rest, dofs=dofs)
    return replace(figure, joints=in_order(_without_idle(figure, made, needed)))


def chain_to(figure: Figure, joint: str) -> tuple[Joint, ...]:
    """The joints from the root down to one."""
    chain = [figure.joint(joint)]
    while chain[-1].parent is not None:
        chain.append(figure.joint(chain[-1].parent))
    return tuple(reversed(chain))


def reaches_everything(dofs: tuple[Dof, ...]) -> bool:
    """Tell whether degrees of freedom reach every place and every rotation."""
    slides = [dof.axis for dof in dofs if dof.kind == "slide"]
    hinges = [np.array(dof.axis) for dof in dofs if dof.kind == "hinge"]
    balls = sum(dof.kind == "ball" for dof in dofs)
    first_turn = next((place for place, dof in enumerate(dofs) if dof.kind != "slide"), len(dofs))
    if len(slides) != 3 or any(dof.kind == "slide" for dof in dofs[first_turn:]):
        return False
    if abs(np.linalg.det(np.array(slides))) < 1e-6 or any(
        dof.lower is not None or dof.upper is not None or dof.driven for dof in dofs
    ):
        return False
    if balls == 1 and not hinges:
        return True
    return not balls and len(hinges) == 3 and max(abs(hinges[0] @ hinges[1]), abs(hinges[1] @ hinges[2])) < _SQUARE


def _six(figure: Figure, joint: str) -> tuple[Dof, ...]:
    taken = set(figure.coordinates)

    def free(suffix: str) -> str:
        id = f"{joint}.{suffix}"
        while id in taken:
            id += "'"
        return id

    axes: dict[str, Vector3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
    slides = tuple(Dof(id=free(name), name=name.upper(), kind="slide", axis=axis) for name, axis in axes.items())
    return (*slides, Dof(id=free("turn"), name="Turn", kind="ball"))


def _reversed(dof: Dof) -> Dof:
    x, y, z = dof.axis
    return replace(dof, axis=(0.0 - x, 0.0 - y, 0.0 - z))


def _inverse(offset: Vector3, rest: Quaternion) -> tuple[Vector3, Quaternion]:
    w, x, y, z = rest
    back = rotation_matrix(rest).T @ offset
    return (0.0 - float(back[0]), 0.0 - float(back[1]), 0.0 - float(back[2])), (w, 0.0 - x, 0.0 - y, 0.0 - z)


def _carrier(child: Joint, dofs: tuple[Dof, ...], taken: set[str]) -> Joint:
    id = child.id + _BACK
    while id in taken:
        id += _BACK
    return Joint(
        id=id,
        name=f"{child.name} (from below)",
        parent=child.id,
        dofs=dofs,
        body=Body(mass=0.0),
        side=child.side,
        group=child.group,
    )


def _without_idle(figure: Figure, made: dict[str, Joint], needed: Collection[str]) -> dict[str, Joint]:
    """The joints without those that rerooting once put in and that carry nothing any more."""
    used = {handle.joint for handle in figure.handles}.union(needed, *(skin.joints for skin in figure.skins))
    for id, joint in tuple(made.items()):
        children = [each for each in made.values() if each.parent == id]
        idle = id.endswith(_BACK) and not joint.dofs and not joint.shapes and id not in used and joint.mirror is None
        if not idle or len(children) != 1 or joint.body != Body(mass=0.0) or joint.parent is None:
            continue
        child = children[0]
        if child.offset == _ORIGIN and child.rest == IDENTITY:
            made[child.id] = replace(child, parent=joint.parent, offset=joint.offset, rest=joint.rest)
            del made[id]
    return made


def in_order(made: dict[str, Joint]) -> tuple[Joint, ...]:
    """Parents before children, branches in the order in which they were listed."""
    children: dict[str | None, list[str]] = {}
    for joint in made.values():
        children.setdefault(joint.parent, []).append(joint.id)
    ordered: list[Joint] = []
    ahead = list(reversed(children.get(None, [])))
    while ahead:
        id = ahead.pop()
        ordered.append(made[id])
        ahead += reversed(children.get(id, []))
    return tuple(ordered)
