"""A figure made of an OpenSim model: a joint for each body, which stands where the model's joint turns.

A coordinate is the degree of freedom of the same name, with the same values (`engine.formats.osim_moves`). OpenSim's
models look along x, y up; the figure looks along z: all that stands on the ground is turned by a quarter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from heapq import heapify, heappop, heappush
from typing import cast

from engine.document import Body, Figure, Handle, Joint
from engine.document.figure import Inertia
from engine.document.frames import Frame
from engine.formats.losses import listed
from engine.formats.names import Names
from engine.formats.osim_functions import Sum, line_of
from engine.formats.osim_joints import joints_of
from engine.formats.osim_model import GROUND, OsimModel
from engine.formats.osim_moves import JointMoves
from engine.formats.osim_parts import OsimAxis, OsimJoint, spoken
from engine.formats.xml_text import Element
from engine.maths.quaternions import AXES, product, turn_about
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

FORWARD = turn_about(AXES[1], -0.5 * math.pi)  # from x to z
UPRIGHT = turn_about(AXES[0], -0.5 * math.pi)  # from z to y
_SMALL_INERTIA = 1e-6  # [kg m2] of a hinge that moves nothing of itself
_INERTIA = ("inertia_xx", "inertia_yy", "inertia_zz", "inertia_xy", "inertia_xz", "inertia_yz")


@dataclass(eq=False)
class OsimFigure:
    """A figure as it grows, and where the bodies of the model are on it."""

    model: OsimModel
    joints: list[Joint] = field(default_factory=list)
    handles: list[Handle] = field(default_factory=list)
    places: dict[str, tuple[str | None, Frame]] = field(default_factory=dict)
    """The joint of each body, and the body's frame in the joint's; None for the ground unless it is a joint."""
    read: set[Element] = field(default_factory=set)  # elements that systems have taken

    def place_of(self, element: Element, path: str) -> tuple[str | None, Frame] | None:
        """Find the joint that a path means for an element, and the frame on it; None where there is none."""
        found = self.model.frame_of(element, path)
        if found is None or found[0] not in self.places:
            return None
        joint, frame = self.places[found[0]]
        return joint, frame.holding(found[1])

    def figure(self) -> Figure:
        """The figure as it is now."""
        return Figure(name=self.model.name, joints=tuple(self.joints), handles=tuple(self.handles))


def build_figure(model: OsimModel) -> OsimFigure:
    """Make the joints and handles of a model."""
    made, ground = OsimFigure(model), _ground(model)
    made.places[GROUND] = (None, ground)
    markers = [each for each in model.elements if each.tag == "Marker" and each.children]
    tree = list(_tree(model, list(joints_of(model))))
    if not tree:
        model.file.refuse("a model without bodies", "Choose a model with a body.", model.root.line)
    model.moving = {name for joint in tree for axis in joint.axes for name in axis.follows}
    if any(_body_of(model, each) == GROUND for each in markers):
        made.joints.append(Joint(id=GROUND, name="Ground", rest=ground.rotation, body=Body(mass=0.0)))
        made.places[GROUND] = (GROUND, Frame())
    ids, dofs = Names(), Names()
    ids.take(GROUND)
    for joint in tree:
        _add(made, joint, ids, dofs)
    _note_ranges(model)
    handles = Names()
    for each in markers:
        _add_marker(made, each, handles)
    for note in (*dofs.note("coordinates"), *handles.note("markers")):
        model.notes.say(note)
    return made


def _ground(model: OsimModel) -> Frame:
    """How the model's ground stands in the figure's: what is down is said by gravity, and x is ahead."""
    x, y, z = model.vector(model.root, ("gravity",), "the gravity")
    if abs(z) > 2.0 * math.hypot(x, y):
        model.notes.say("z is up, by the model's gravity")
        return Frame(rotation=product(FORWARD, UPRIGHT))
    return Frame(rotation=FORWARD)


def _tree(model: OsimModel, joints: Sequence[OsimJoint]) -> Iterator[OsimJoint]:
    """Yield the joints from the ground outwards, the earliest in the file first; those that are met from their child's
    side are turned around. Bodies that nothing holds move freely, and joints that close loops are noted."""
    touching: dict[str, list[int]] = {}
    for place, joint in enumerate(joints):
        for body in {joint.parent, joint.child}:
            touching.setdefault(body, []).append(place)
    held, reached, used = {joint.child for joint in joints}, set[str](), set[int]()
    for start in (GROUND, *(name for name in model.bodies if name not in held), *model.bodies):
        if start in reached:
            continue
        reached.add(start)
        if start != GROUND:
            line = model.bodies[start].line
            model.notes.add(line, f"body {start} hangs on nothing that stands on the ground; it moves freely")
            yield _free(start, line)
        left = list(touching.get(start, ()))
        heapify(left)
        while left:
            place = heappop(left)
            if place in used:
                continue
            used.add(place)
            joint = joints[place]
            other = joint.parent if joint.child in reached else joint.child
            if other in reached:
                model.notes.add(joint.line, f"joint {joint.name} closes a loop of bodies; left out")
                continue
            reached.add(other)
            for each in touching[other]:
                heappush(left, each)
            yield joint if other == joint.child else _turned_around(joint)


def _free(body: str, line: int) -> OsimJoint:
    """A joint by which a body moves freely."""
    axes = [
        OsimAxis(name, "slide" if part == "t" else "hinge", axis, Sum(0.0, (line_of(name),)))
        for part in "tr"
        for letter, axis in zip("xyz", AXES, strict=True)
        if (name := f"{body}_{part}{letter}")
    ]
    return OsimJoint(
        name=body,
        line=line,
        parent=GROUND,
        parent_frame=Frame(),
        child=body,
        child_frame=Frame(),
        axes=tuple(axes),
        coordinates=tuple(each.name for each in axes),
    )


def _turned_around(joint: OsimJoint) -> OsimJoint:
    """A joint as it is seen from its child."""
    return replace(
        joint,
        parent=joint.child,
        parent_frame=joint.child_frame,
        child=joint.parent,
        child_frame=joint.parent_frame,
        reversed=not joint.reversed,
    )


def _add(made: OsimFigure, joint: OsimJoint, ids: Names, names: Names) -> None:
    """Add the joint of a body."""
    moves = JointMoves(made.model, joint, names)
    parent, above = made.places[joint.parent]
    stand = above.holding(joint.parent_frame).holding(Frame(position=moves.offset))
    inside = moves.rest.holding(joint.child_frame.seeing(Frame()))
    for dof in moves.lone:
        id = ids.take(f"{dof.id}_alone")
        body = Body(mass=0.0, inertia=(*(_SMALL_INERTIA,) * 3, 0.0, 0.0, 0.0))
        made.joints.append(Joint(id=id, name=spoken(id), parent=parent, dofs=(dof,), body=body))
    id = ids.take(joint.child)
    made.places[joint.child] = (id, inside)
    made.joints.append(
        Joint(
            id=id,
            name=spoken(joint.child),
            parent=parent,
            offset=stand.position,
            rest=stand.rotation,
            dofs=tuple(moves.dofs),
            body=_body(made.model, joint.child, inside),
        )
    )


def _body(model: OsimModel, name: str, inside: Frame) -> Body:
    """The mass of a body, its frame standing `inside` its joint's."""
    element, what = model.bodies.get(name), f"of body {name}"
    if element is None:
        return Body(mass=0.0)
    mass = model.number(element, ("mass",), 0.0, f"the mass {what}")
    if mass < 0.0:
        model.notes.add(element.line, f"the mass {what} is {mass:g} kg; taken as 0")
        mass = 0.0
    centre = inside.at(model.vector(element, ("mass_center",), f"the centre of mass {what}"))
    moments = _moments(model, element, what)
    xx, yy, zz, xy, xz, yz = moments
    turn = rotation_matrix(inside.rotation)
    tensor = turn @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ turn.T
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    try:
        inertia = cast(Inertia, tuple(float(tensor[place]) + 0.0 for place in places))
        return Body(mass=mass, centre=centre, inertia=inertia)
    except InvalidDocument:
        mean = sum(map(abs, moments[:3])) / 3.0
        model.notes.add(element.line, f"the inertia {what} is that of no body; taken as {mean:g} kg m2 all around")
        return Body(mass=mass, centre=centre, inertia=(mean, mean, mean, 0.0, 0.0, 0.0))


def _moments(model: OsimModel, element: Element, what: str) -> tuple[float, ...]:
    """The inertia [kg m2]: xx, yy, zz, xy, xz, yz."""
    held = element.child("inertia")
    if held is None:
        return tuple(model.number(element, (tag,), 0.0, f"the {tag} {what}") for tag in _INERTIA)
    found = model.file.numbers(held, f"the inertia {what}")
    if len(found) not in (3, 6):
        model.file.refuse(f"the inertia {what} has {len(found)} numbers", "Write six numbers.", held.line)
    return (*found, 0.0, 0.0, 0.0)[:6]


def _note_ranges(model: OsimModel) -> None:
    """Say which coordinates are held by what the model does not hold them by."""
    moving = [each for each in model.coordinates.values() if each.name in model.moving]
    loose = [each.name for each in moving if not each.clamped and not each.locked and each.lower is not None]
    if loose:
        model.notes.say(f"ranges are taken as limits, though the model does not clamp them: {listed(loose)}")
    locked = [each.name for each in moving if each.locked]
    if locked:
        model.notes.say(f"locked where they are, by limits: {listed(locked)}")


def _body_of(model: OsimModel, marker: Element) -> str | None:
    found = model.frame_of(marker, model.socket(marker, "parent_frame", "body"))
    return None if found is None else found[0]


def _add_marker(made: OsimFigure, element: Element, names: Names) -> None:
    """Add a handle where a marker is."""
    model, path = made.model, made.model.socket(element, "parent_frame", "body")
    place = made.place_of(element, path) if path else None
    if place is None or place[0] is None:
        model.notes.add(element.line, f"marker {element.name} is on a body {path!r} that is not there; left out")
        return
    point = place[1].at(model.vector(element, ("location",), f"the location of marker {element.name}"))
    id = names.take(element.name or "marker")
    made.handles.append(Handle(id=id, name=element.name or id, joint=place[0], point=point))
