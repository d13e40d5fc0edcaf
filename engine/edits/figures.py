"""Edits of an actor's figure that leave its tree as it is. Ids stay, so that nothing that refers to them breaks.

Values beyond new limits stay until they are set again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.document import Body, Document, DrivenBy, Figure, Handle, Joint, Shape
from engine.document.figure import Side
from engine.document.freedoms import followers_of
from engine.document.validation import validate_figure
from engine.document.values import Vector3, vector3
from engine.edits.find import find_figure
from engine.edits.fitting import fitted_layer
from engine.edits.joints import stretched
from engine.motion.sides import other_side, side_of
from engine.runtime.errors import InvalidDocument, UnknownPart

_SIDES = ("left", "middle", "right")


def rename_joint(document: Document, *, actor: str, joint: str, name: str) -> Document:
    """Give a joint another name."""
    if not name.strip():
        raise InvalidDocument(what="the name of a joint", value=name, allowed="some text")
    return _change_joint(document, actor, joint, name=name)


def set_limits(
    document: Document, *, actor: str, dof: str, lower: float | None = None, upper: float | None = None
) -> Document:
    """Limit a degree of freedom [rad or m]; None: no limit on that side."""
    return _change_dof(document, actor, dof, lower=lower, upper=upper)


def set_stiffness(document: Document, *, actor: str, dof: str, stiffness: float) -> Document:
    """Set how unwillingly a degree of freedom moves in inverse kinematics, 0 and above."""
    return _change_dof(document, actor, dof, stiffness=stiffness)


def set_damping(document: Document, *, actor: str, dof: str, damping: float) -> Document:
    """Set the damping of a degree of freedom [N m s/rad or N s/m]."""
    return _change_dof(document, actor, dof, damping=damping)


def set_spring(document: Document, *, actor: str, dof: str, spring: float, neutral: float = 0.0) -> Document:
    """Set the spring of a hinge or a slide [N m/rad or N/m], and where it pulls with nothing [rad or m]."""
    return _change_dof(document, actor, dof, spring=spring, neutral=neutral)


def set_driven(document: Document, *, actor: str, dof: str, driven: tuple[DrivenBy, ...] = ()) -> Document:
    """Let others drive a degree of freedom, each by a spline, or none. What drives it takes the place of its limits,
    its keys and its values, also in limits over several angles."""
    owner, figure = find_figure(document, actor)
    old = figure.coordinate_dof.get(dof)
    if old is None or old.kind == "ball":
        known = tuple(each.id for each in figure.dofs if each.kind != "ball")
        raise UnknownPart(kind="hinge or slide", id=dof, known=known)
    if old.driven == driven:
        return document
    ends = (None, None) if driven else (old.lower, old.upper)
    new = replace(old, driven=driven, lower=ends[0], upper=ends[1])
    joint = figure.dof_joint[dof]
    changed = replace(joint, dofs=tuple(new if each.id == dof else each for each in joint.dofs))
    limits = tuple(each for each in figure.limits if not driven or dof not in each.dofs)
    content = replace(figure, joints=tuple(changed if each is joint else each for each in figure.joints), limits=limits)
    validate_figure(content)
    gone = frozenset((dof,) if driven else ())
    layers = tuple(fitted_layer(layer, figure, content, gone) for layer in owner.layers)
    return document.with_actor(replace(owner, figure=content, layers=layers))


def follow_joint(document: Document, *, actor: str, joints: tuple[str, ...], leader: str) -> Document:
    """Let joints follow another: what of them moves as something of it does, by name and kind, as each rib is raised
    like the breastbone. Where both have limits, each goes as much of its range as the other does of its own."""
    _, figure = find_figure(document, actor)
    followers = [pair for id in joints for pair in followers_of(figure, id, leader)]
    if not followers:
        names = ", ".join(dof.name for dof in figure.joint(leader).dofs) or "nothing"
        allowed = (
            f"joints that move as {figure.joint(leader).name} does: by {names}, driven by nothing and driving nothing"
        )
        raise InvalidDocument(what=f"the joints that are to follow {leader}", value=joints, allowed=allowed)
    for dof, by in followers:
        document = set_driven(document, actor=actor, dof=dof.id, driven=(by,))
    return document


def set_body(
    document: Document, *, actor: str, joint: str, body: Body | None = None, density: float | None = None
) -> Document:
    """Give a joint's body its mass properties; without them they come from its shapes and density [kg/m3]."""
    fields: dict[str, Any] = {"body": body}
    if density is not None:
        fields["density"] = density
    return _change_joint(document, actor, joint, **fields)


def set_shapes(document: Document, *, actor: str, joint: str, shapes: tuple[Shape, ...]) -> Document:
    """Give a joint other shapes."""
    return _change_joint(document, actor, joint, shapes=shapes)


def set_side(document: Document, *, actor: str, joint: str, side: Side) -> Document:
    """Say on which side of the figure a joint is."""
    if side not in _SIDES:
        raise InvalidDocument(what="the side of a joint", value=side, allowed=", ".join(_SIDES))
    return _change_joint(document, actor, joint, side=side)


def set_mirror(document: Document, *, actor: str, joint: str, mirror: str | None) -> Document:
    """Make two joints each other's mirror image, or a joint its own (None); those they had are their own then."""
    _, figure = find_figure(document, actor)
    first = figure.joint(joint)
    second = None if mirror is None or mirror == joint else figure.joint(mirror)
    partner: dict[str, str | None] = {}
    for each in (first, second):
        if each is not None and each.mirror is not None:
            partner[each.mirror] = None
    partner[joint] = None if second is None else second.id
    if second is not None:
        partner[second.id] = joint
    changed = {id: replace(figure.joint(id), mirror=other) for id, other in partner.items()}
    return _with_joints(document, actor, changed)


def guess_sides(document: Document, *, actor: str) -> Document:
    """Put joints on the sides that their names speak of, and pair those whose names differ in nothing else."""
    _, figure = find_figure(document, actor)
    named = {joint.name: joint for joint in reversed(figure.joints)}
    changed: dict[str, Joint] = {}
    for joint in figure.joints:
        side = side_of(joint.name)
        if side == "middle":
            continue
        other = named.get(other_side(joint.name))
        free = other is not None and other is not joint and joint.mirror is None and other.mirror is None
        single = free and named[joint.name] is joint
        mirror = other.id if other is not None and single else joint.mirror
        changed[joint.id] = replace(joint, side=side, mirror=mirror)
    return _with_joints(document, actor, changed)


def set_group(document: Document, *, actor: str, joint: str, group: str) -> Document:
    """Put a joint into a group, such as "Left arm"."""
    return _change_joint(document, actor, joint, group=group)


def add_handle(document: Document, *, actor: str, handle: Handle) -> Document:
    """Name a place on a body."""
    owner, figure = find_figure(document, actor)
    changed = replace(figure, handles=(*figure.handles, handle))
    validate_figure(changed)
    return document.with_actor(replace(owner, figure=changed))


def remove_handle(document: Document, *, actor: str, handle: str) -> Document:
    """Forget a named place."""
    owner, figure = find_figure(document, actor)
    kept = tuple(each for each in figure.handles if each.id != handle)
    if len(kept) == len(figure.handles):
        raise UnknownPart(kind="handle", id=handle, known=tuple(each.id for each in figure.handles))
    return document.with_actor(replace(owner, figure=replace(figure, handles=kept)))


def move_handle(
    document: Document, *, actor: str, handle: str, point: Vector3, joint: str | None = None, stretch: bool = False
) -> Document:
    """Put a handle at another point [m] of its joint, or of another one.

    With `stretch`, capsules of its joint that end at it go on ending there.
    """
    _, figure = find_figure(document, actor)
    old = _handle(figure, handle)
    carrier = figure.joint(joint or old.joint)
    if stretch and carrier.id == old.joint:
        shapes = stretched(carrier.shapes, old.point, vector3("the point of an end-effector", point))
        document = _change_joint(document, actor, carrier.id, shapes=shapes)
    return _change_handle(document, actor, handle, point=point, joint=carrier.id)


def rename_handle(document: Document, *, actor: str, handle: str, name: str) -> Document:
    """Give a handle another name."""
    if not name.strip():
        raise InvalidDocument(what="the name of an end-effector", value=name, allowed="some text")
    return _change_handle(document, actor, handle, name=name)


def _change_handle(document: Document, actor: str, handle: str, **fields: Any) -> Document:
    owner, figure = find_figure(document, actor)
    old = _handle(figure, handle)
    new = replace(old, **fields)
    if new == old:
        return document
    handles = tuple(new if each is old else each for each in figure.handles)
    return document.with_actor(replace(owner, figure=replace(figure, handles=handles)))


def _handle(figure: Figure, id: str) -> Handle:
    for each in figure.handles:
        if each.id == id:
            return each
    raise UnknownPart(kind="handle", id=id, known=tuple(each.id for each in figure.handles))


def _change_joint(document: Document, actor: str, joint: str, **fields: Any) -> Document:
    _, figure = find_figure(document, actor)
    return _with_joints(document, actor, {joint: replace(figure.joint(joint), **fields)})


def _change_dof(document: Document, actor: str, dof: str, **fields: Any) -> Document:
    _, figure = find_figure(document, actor)
    for joint in figure.joints:
        if any(each.id == dof for each in joint.dofs):
            dofs = tuple(replace(each, **fields) if each.id == dof else each for each in joint.dofs)
            return _with_joints(document, actor, {joint.id: replace(joint, dofs=dofs)})
    raise UnknownPart(kind="degree of freedom", id=dof, known=tuple(each.id for each in figure.dofs))


def _with_joints(document: Document, actor: str, changed: dict[str, Joint]) -> Document:
    owner, figure = find_figure(document, actor)
    if all(figure.joint(id) == joint for id, joint in changed.items()):
        return document
    joints = tuple(_unless_same(joint, changed.get(joint.id, joint)) for joint in figure.joints)
    content: Figure = replace(figure, joints=joints)
    validate_figure(content)
    return document.with_actor(replace(owner, figure=content))


def _unless_same(old: Joint, new: Joint) -> Joint:
    return old if old == new else new
