"""Springs of an OpenSim model as those of the figure's degrees of freedom.

A SpringGeneralizedForce is a spring and a damper of one coordinate as it stands. A BushingForce between the two bodies
of one joint resists its turns and ways by three stiffnesses each, along the axes of a frame: about a hinge of axis a in
that frame comes Σ kᵢ aᵢ², likewise of damping. What turns about one axis does to another is left out; bushings between
other bodies are read by the system that has them (`engine.bushings.osim`). Where several springs act on one degree of
freedom, their stiffnesses are summed, and it rests where they balance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.document import Dof, Joint
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.formats.osim_figure import OsimFigure
from engine.formats.osim_model import turned_by
from engine.formats.xml_text import Element
from engine.maths.rotation_arrays import rotation_matrix

_KINDS = {"hinge": "rotational", "slide": "translational"}


def with_springs(made: OsimFigure) -> None:
    """Give the figure the springs of its model."""
    for element in made.model.elements:
        if element.tag not in ("SpringGeneralizedForce", "BushingForce") or not element.children:
            continue
        if not made.model.flag(element, "appliesForce", True) or made.model.flag(element, "isDisabled", False):
            continue
        changed = _of_coordinate(made, element) if element.tag[0] == "S" else _of_bushing(made, element)
        found = dict(changed)
        if not found:
            continue
        made.read.add(element)
        for place, joint in enumerate(made.joints):
            dofs = tuple(found.get(dof.id, dof) for dof in joint.dofs)
            made.joints[place] = replace(joint, dofs=dofs)


def _of_coordinate(made: OsimFigure, element: Element) -> Iterator[tuple[str, Dof]]:
    """The degree of freedom of a coordinate with a spring."""
    model, what = made.model, f"of spring {element.name}"
    wanted = model.words(element, "coordinate").rsplit("/", 1)[-1]
    for dof in (dof for joint in made.joints for dof in joint.dofs if dof.id == wanted):
        spring = model.number(element, ("stiffness",), 0.0, f"the stiffness {what}")
        neutral = model.number(element, ("rest_length",), 0.0, f"the rest length {what}")
        damping = model.number(element, ("viscosity",), 0.0, f"the viscosity {what}")
        yield dof.id, _with_spring(dof, spring, damping, neutral)


def _of_bushing(made: OsimFigure, element: Element) -> Iterator[tuple[str, Dof]]:
    """The degrees of freedom of the joint between its bodies."""
    model, ends = made.model, [bushing_end(made, element, number) for number in ("1", "2")]
    if ends[0] is None or ends[1] is None:
        return
    (first, frame), (second, other) = ends[0], ends[1]
    joint = next((each for each in made.joints if each.id == second and each.parent == first), None)
    if joint is None:
        joint, frame = next((each for each in made.joints if each.id == first and each.parent == second), None), other
    if joint is None:
        return
    for dof in joint.dofs:
        kind = _KINDS.get(dof.kind)
        if kind is None or dof.driven:
            continue
        x, y, z = (each * each for each in _seen(joint, dof, frame))
        spring, damping = (
            sum(k * a for k, a in zip(model.vector(element, (f"{kind}_{name}",), f"the {name} of {element.name}"),
                                      (x, y, z), strict=True))
            for name in ("stiffness", "damping")
        )  # fmt: skip
        yield dof.id, _with_spring(dof, spring, damping)


def _with_spring(dof: Dof, spring: float, damping: float, neutral: float = 0.0) -> Dof:
    """A degree of freedom with a spring beside the one that it has; it rests where both balance."""
    if dof.spring != 0.0 and dof.spring + spring != 0.0:
        neutral = (dof.spring * dof.neutral + spring * neutral) / (dof.spring + spring)
    return replace(dof, spring=dof.spring + spring, neutral=neutral, damping=dof.damping + damping)


def bushing_end(made: OsimFigure, element: Element, number: str) -> tuple[str | None, Frame] | None:
    """The joint that a bushing stands on at one of its ends, and the frame there."""
    model = made.model
    path = model.socket(element, f"frame{number}", f"body_{number}")
    place = made.place_of(element, path) if path else None
    if place is None:
        return None
    position = model.vector(element, (f"location_body_{number}",), f"the location of {element.name}")
    angles = model.vector(element, (f"orientation_body_{number}",), f"the orientation of {element.name}")
    return place[0], place[1].holding(Frame(position, turned_by(angles)))


def _seen(joint: Joint, dof: Dof, frame: Frame) -> Vector3:
    """The axis of a degree of freedom in a frame that stands on the joint's parent."""
    x, y, z = (rotation_matrix(frame.rotation).T @ (rotation_matrix(joint.rest) @ dof.axis)).tolist()
    return (x, y, z)
