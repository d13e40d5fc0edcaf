"""The other side of a branch: its mirror image, hung on the partner of what it hangs on.

With W = diag(-1, 1, 1) and the frames (R, p) of the branch at rest, its images stand at (W R W, p'), where p' lies as
far from the partner of the branch's parent as p from that parent, seen in the mirror. Inside of the branch that makes
the mirror image of each joint's own numbers (`engine.document.mirrored`), so limits, keys and values mean the same
movement on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.document import Document, Figure, Handle, Joint
from engine.document.figure import Side
from engine.document.frames import Frame, fixed_frame, rest_frames
from engine.document.limit import Limit
from engine.document.mirrored import mirrored_joint, mirrored_turn, mirrored_vector
from engine.document.mirrored_limit import mapped_limit
from engine.edits.find import find_figure
from engine.edits.fitting import with_figure
from engine.edits.joints import check_new_joint
from engine.motion.sides import other_side, side_of
from engine.runtime.errors import InvalidDocument

Ids = tuple[tuple[str, str], ...]


def mirror_branch(
    document: Document, *, actor: str, joint: str, joints: Ids, dofs: Ids, handles: Ids = (), limits: Ids = ()
) -> Document:
    """Make the other side of a joint and all below it.

    `joints`, `dofs` and `handles` give an id to the image of each joint, degree of freedom and handle of the branch;
    `limits` to those of limits over its hinges alone, of which the others get no image.
    """
    _, figure = find_figure(document, actor)
    top = figure.joint(joint)
    if top.parent is None:
        allowed = "a joint that hangs on another one"
        raise InvalidDocument(what="the joint whose other side is made", value=joint, allowed=allowed)
    branch = tuple(figure.joint(id) for id in (joint, *figure.below(joint)))
    _check(figure, branch, joints)
    names = dict(joints)
    _need("joint", (each.id for each in branch), names)
    _need("degree of freedom", (dof.id for each in branch for dof in each.dofs), dict(dofs))
    mine = [handle for handle in figure.handles if handle.joint in names]
    _need("handle", (handle.id for handle in mine), dict(handles))
    side = _side(figure, top)
    other: Side = "left" if side == "right" else "right"
    images = [_image(each, names, dict(dofs), other) for each in branch]
    images[0] = _hung(figure, top, images[0])
    kept = (replace(each, mirror=names[each.id], side=side) if each.id in names else each for each in figure.joints)
    made = tuple(
        Handle(
            id=dict(handles)[each.id],
            name=other_side(each.name),
            joint=names[each.joint],
            point=mirrored_vector(each.point),
        )
        for each in mine
    )
    imaged = tuple(_limit_image(figure.limit(id), image, dict(dofs)) for id, image in limits)
    content = replace(
        figure,
        joints=(*kept, *images),
        handles=(*figure.handles, *made),
        limits=(*figure.limits, *imaged),
    )
    return with_figure(document, actor, content)


def _limit_image(limit: Limit, id: str, dofs: Mapping[str, str]) -> Limit:
    """The limit on the other side, where one number is the mirror image of the same movement."""
    _need(f"hinge of {limit.name}", limit.dofs, dofs)
    image = mapped_limit(limit, tuple(dofs[dof] for dof in limit.dofs), (1.0,) * len(limit.dofs))
    return replace(image, id=id, name=other_side(limit.name))


def _check(figure: Figure, branch: tuple[Joint, ...], joints: Ids) -> None:
    for each in branch:
        if each.mirror is not None:
            allowed = f"joints without another side; {each.name} has {figure.joint(each.mirror).name}"
            raise InvalidDocument(what="a joint whose other side is made", value=each.id, allowed=allowed)
    for _, id in joints:
        check_new_joint(figure, id)


def _need(kind: str, wanted: Iterable[str], given: Mapping[str, str]) -> None:
    missing = [id for id in wanted if id not in given]
    if missing:
        raise InvalidDocument(what=f"the ids for the other side: {kind}", value=missing, allowed="an id for each")


def _side(figure: Figure, joint: Joint) -> Side:
    """The side that a joint or its name says, else the one on which it stands: left is at positive x."""
    said = side_of(joint.name) if joint.side == "middle" else joint.side
    if said != "middle":
        return said
    return "right" if rest_frames(figure)[joint.id].position[0] < 0.0 else "left"


def _image(joint: Joint, names: Mapping[str, str], dofs: Mapping[str, str], side: Side) -> Joint:
    image, name = mirrored_joint(joint), other_side(joint.name)
    return replace(
        image,
        id=names[joint.id],
        name=name if name != joint.name else f"{joint.name} ({side})",
        group=other_side(joint.group),
        parent=names.get(joint.parent or "", joint.parent),
        dofs=tuple(dof.renamed(dofs[dof.id], lambda driver: dofs.get(driver, driver)) for dof in image.dofs),
        side=side,
        mirror=joint.id,
    )


def _hung(figure: Figure, top: Joint, image: Joint) -> Joint:
    """The image of the branch's first joint on the partner of its parent."""
    frames = rest_frames(figure)
    assert top.parent is not None, "a root has no other side"
    partner = figure.joint(top.parent).mirror or top.parent
    above, beside = frames[top.parent], frames[partner]
    fixed = above.holding(fixed_frame(top))
    x, y, z = (there - here for there, here in zip(fixed.position, above.position, strict=True))
    way = mirrored_vector((x, y, z))
    x, y, z = (here + step for here, step in zip(beside.position, way, strict=True))
    seen = beside.seeing(Frame((x, y, z), mirrored_turn(fixed.rotation)))
    return replace(image, parent=partner, offset=seen.position, rest=seen.rotation)
