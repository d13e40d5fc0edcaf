"""Building: the edits of the figure editor with the names, ids and first sizes that a person does not want to type."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from engine.document import Box, Capsule, Figure, Handle, Joint
from engine.document.freedoms import freedoms
from engine.document.segment import middle_of_segment
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.motion.sides import other_side

FIRST = "base"
BONE = 0.2  # [m] length of a new bone that has nothing to follow
SHORTEST, LONGEST = 0.05, 0.5  # [m]
THICKNESS = 0.1  # radius of a new bone, as a share of its length


def empty_figure(name: str) -> Figure:
    """Make one fixed joint that carries a small plate, to begin from."""
    plate = Box(half=(0.06, 0.02, 0.06), centre=(0.0, 0.02, 0.0), rounding=0.008)
    return Figure(name=name, joints=(Joint(id=FIRST, name="Base", shapes=(plate,)),))


def new_child(actor: str, figure: Figure, joint: str) -> tuple[Edit, str]:
    """Add a bone at the end of a joint's, as long and in its direction, that turns about x; return its id, too."""
    parent = figure.joint(joint)
    place, (id, name) = end_of(figure, joint), _free(figure, "Bone")
    length = math.hypot(*place)
    long = min(max(length, SHORTEST), LONGEST) if length > SHORTEST else BONE
    way = (0.0, 1.0, 0.0) if length < 1e-3 else _times(place, 1.0 / length)
    bone = Capsule(start=(0.0, 0.0, 0.0), end=_times(way, long), radius=THICKNESS * long)
    new = Joint(
        id=id,
        name=name,
        parent=joint,
        offset=place,
        dofs=freedoms("hinge", id),
        shapes=(bone,),
        side=parent.side,
        group=parent.group,
    )
    return edit("add_joint", actor=actor, joint=new), id


def split_bone(actor: str, figure: Figure, joint: str, share: float = 0.5) -> tuple[Edit, str]:
    """Cut a bone in two; return the id of its far half, too."""
    id, name = _free(figure, figure.joint(joint).name)
    return edit("split_joint", actor=actor, joint=joint, share=share, id=id, name=name), id


def other_branch(actor: str, figure: Figure, joint: str) -> tuple[Edit, str]:
    """Add the other side of a branch; return the id of its first joint, too."""
    taken, names = set(figure.joint_index), dict[str, str]()
    for each in figure.joints:
        if each.id == joint or each.parent in names:
            names[each.id] = _other(each.id, taken)
            taken.add(names[each.id])
    dofs = tuple(
        (dof.id, f"{names[each.id]}.{own}" if (own := dof.id.removeprefix(f"{each.id}.")) != dof.id else new_id("dof"))
        for each in figure.joints
        if each.id in names
        for dof in each.dofs
    )
    marks = {each.id for each in figure.handles}
    handles = tuple((each.id, _other(each.id, marks)) for each in figure.handles if each.joint in names)
    turned = {dof for dof, _ in dofs}
    limits = tuple((each.id, new_id("limit")) for each in figure.limits if turned.issuperset(each.dofs))
    arguments = {"joints": tuple(names.items()), "dofs": dofs, "handles": handles, "limits": limits}
    return edit("mirror_branch", actor=actor, joint=joint, **arguments), names[joint]


def new_handle(actor: str, figure: Figure, joint: str) -> Edit:
    """Add an end-effector at the end of a joint's bone."""
    name = f"{figure.joint(joint).name} end"
    id, name = _numbered(name, {each.id for each in figure.handles}, {each.name for each in figure.handles})
    point = _tip(figure, joint)
    return edit("add_handle", actor=actor, handle=Handle(id=id, name=name, joint=joint, point=point))


def end_of(figure: Figure, joint: str) -> Vector3:
    """Find where a joint's bone ends, in its own frame [m]."""
    return _times(middle_of_segment(figure, joint), 2.0)


def slug(name: str) -> str:
    """Return the id that a name gives."""
    return "_".join("".join(each if each.isalnum() else " " for each in name.lower()).split()) or "part"


def _tip(figure: Figure, joint: str) -> Vector3:
    """Return the far end of the longest capsule of a joint, else the end of its bone."""
    ends = [each.end for each in figure.joint(joint).shapes if isinstance(each, Capsule)]
    return max(ends, key=lambda end: math.hypot(*end), default=end_of(figure, joint))


def _free(figure: Figure, name: str) -> tuple[str, str]:
    ids = {*figure.joint_index, *(dof.id.partition(".")[0] for dof in figure.dofs)}
    return _numbered(name, ids, {each.name for each in figure.joints})


def _numbered(name: str, ids: Collection[str], names: Collection[str]) -> tuple[str, str]:
    """Find an id and a name that are free: "Bone", "Bone 2"."""
    stem, _, number = name.rpartition(" ")
    stem = stem if number.isdigit() and stem else name
    tries: Iterable[str] = (stem if count == 1 else f"{stem} {count}" for count in range(1, len(ids) + len(names) + 2))
    return next((slug(each), each) for each in tries if slug(each) not in ids and each not in names)


def _other(id: str, taken: Collection[str]) -> str:
    other = other_side(id)
    tries = [other, *(f"{id}_mirror{number or ''}" for number in range(len(taken) + 1))]
    return next(each for each in tries if each not in taken)


def _times(vector: Vector3, factor: float) -> Vector3:
    x, y, z = (factor * each for each in vector)
    return (x, y, z)
