"""Edits of a figure's tree: joints added, removed, hung on others and moved about.

"In the world" means at rest (`engine.document.frames`): the pose moves with the joints that it is made of.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import dist

from engine.document import Capsule, Document, Dof, Figure, Joint, Shape
from engine.document.frames import Frame, fixed_frame, rest_frames, rest_motion
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.edits.find import find_figure
from engine.edits.fitting import with_figure
from engine.edits.reroot_tree import in_order
from engine.runtime.errors import InvalidDocument

_MET = 1e-6  # [m] from a joint, where a capsule ends at it


def add_joint(document: Document, *, actor: str, joint: Joint) -> Document:
    """Add a joint, behind those that its parent has already."""
    _, figure = find_figure(document, actor)
    check_new_joint(figure, joint.id)
    if joint.parent is None:
        allowed = "the id of a joint: a figure has one root, which “Make root” chooses"
        raise InvalidDocument(what="the parent of the new joint", value=None, allowed=allowed)
    figure.joint(joint.parent)
    return with_figure(document, actor, _with_joints(figure, (*figure.joints, joint)))


def remove_joint(document: Document, *, actor: str, joint: str, branch: bool = False) -> Document:
    """Take a joint away, with its body; its children hang on its parent and stay where they are at rest.

    With `branch`, all that hangs on it goes, too. A root may go if it has one child, which is the root then.
    """
    _, figure = find_figure(document, actor)
    gone = {joint, *figure.below(joint)} if branch else {joint}
    children = [each.id for each in figure.joints if each.parent == joint]
    heir = figure.joint(joint).parent
    if len(gone) == len(figure.joints):
        allowed = "a joint that is not all of the figure: remove the whole actor"
        raise InvalidDocument(what="the joint to remove", value=joint, allowed=allowed)
    if heir is None:
        if branch or len(children) != 1:
            allowed = "a root with one child: make another joint the root first"
            raise InvalidDocument(what="the joint to remove", value=joint, allowed=allowed)
        heir = children[0]
    frames, above = rest_frames(figure), figure.joint(joint).parent
    kept = (each for each in figure.joints if each.id not in gone)
    joints = tuple(_hung(each, above, frames) if each.parent == joint else each for each in kept)
    return with_figure(document, actor, replace(figure, joints=joints), dict.fromkeys(gone, heir))


def reparent_joint(document: Document, *, actor: str, joint: str, parent: str) -> Document:
    """Hang a joint, with all below it, on another one; at rest everything stays where it is."""
    _, figure = find_figure(document, actor)
    moved = figure.joint(joint)
    if figure.joint(parent).id in {joint, *figure.below(joint)}:
        allowed = f"a joint that does not hang on {moved.name} itself"
        raise InvalidDocument(what=f"the new parent of {moved.name}", value=parent, allowed=allowed)
    if moved.parent == parent:
        return document
    hung = _hung(moved, parent, rest_frames(figure))
    joints = (hung if each is moved else each for each in figure.joints)
    return with_figure(document, actor, _with_joints(figure, joints))


def set_joint_frame(
    document: Document,
    *,
    actor: str,
    joint: str,
    offset: Vector3,
    rest: Quaternion,
    keep_children: bool = False,
    stretch: bool = False,
) -> Document:
    """Put a joint at another offset [m] and rest orientation in its parent; its children may stay in the world.

    With `stretch`, capsules that end at a joint which moves in its parent go on ending there.
    """
    _, figure = find_figure(document, actor)
    old = figure.joint(joint)
    new = replace(old, offset=offset, rest=rest)
    if new == old:
        return document
    changed = {joint: new}
    if keep_children:
        motion = rest_motion(figure, old)
        before, after = (fixed_frame(each).holding(motion) for each in (old, new))
        for each in figure.joints:
            if each.parent == joint:
                changed[each.id] = _at(each, after.seeing(before.holding(fixed_frame(each))))
    for id in tuple(changed) if stretch else ():
        above = figure.joint(id).parent
        if above is not None:
            carrier = changed.get(above, figure.joint(above))
            shapes = stretched(carrier.shapes, figure.joint(id).offset, changed[id].offset)
            changed[above] = replace(carrier, shapes=shapes)
    joints = tuple(changed.get(each.id, each) for each in figure.joints)
    return with_figure(document, actor, replace(figure, joints=joints))


def stretched(shapes: tuple[Shape, ...], old: Vector3, new: Vector3) -> tuple[Shape, ...]:
    """The shapes with the capsules that end at one point ending at another."""

    def end(place: Vector3) -> Vector3:
        return new if dist(place, old) < _MET else place

    return tuple(
        replace(each, start=end(each.start), end=end(each.end)) if isinstance(each, Capsule) else each
        for each in shapes
    )


def set_dofs(document: Document, *, actor: str, joint: str, dofs: tuple[Dof, ...]) -> Document:
    """Give a joint other degrees of freedom; those with the id of an old one keep its values and keys."""
    _, figure = find_figure(document, actor)
    new = replace(figure.joint(joint), dofs=dofs)
    joints = tuple(new if each.id == joint else each for each in figure.joints)
    return with_figure(document, actor, replace(figure, joints=joints))


def check_new_joint(figure: Figure, id: str) -> None:
    """Refuse an id that a joint of the figure has."""
    if id in figure.joint_index:
        raise InvalidDocument(what="the id of the new joint", value=id, allowed="an id that is not yet in use")


def _with_joints(figure: Figure, joints: Iterable[Joint]) -> Figure:
    return replace(figure, joints=in_order({each.id: each for each in joints}))


def _hung(joint: Joint, parent: str | None, frames: dict[str, Frame]) -> Joint:
    """The joint on another parent, where it stands at rest."""
    fixed = Frame() if joint.parent is None else frames[joint.parent]
    fixed = fixed.holding(fixed_frame(joint))
    above = Frame() if parent is None else frames[parent]
    return replace(_at(joint, above.seeing(fixed)), parent=parent)


def _at(joint: Joint, frame: Frame) -> Joint:
    rotation = frame.rotation if max(map(abs, frame.rotation[1:])) > 1e-15 else IDENTITY
    return replace(joint, offset=frame.position, rest=rotation)
