"""The kinds of joints in OpenSim's models, as axes one after the other.

`CustomJoint` lists its six axes; the others are given ones. A `BallJoint`, `GimbalJoint` and `FreeJoint` turn about x,
y and z, a `UniversalJoint` about x and y, a `PinJoint` about z; a `SliderJoint` moves along x; a `PlanarJoint` turns
about z and moves along x and y. An `EllipsoidJoint` is exact where its three radii are equal; else it is taken as a
ball joint in its middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from engine.document.frames import Frame
from engine.formats.osim_functions import Sum, function_in, line_of
from engine.formats.osim_model import OsimModel, turned_by
from engine.formats.osim_parts import OsimAxis, OsimJoint
from engine.formats.xml_text import Element
from engine.maths.quaternions import AXES

_X, _Y, _Z = AXES
# The axes of a joint in the order of its coordinates; a capital turns, a small letter moves.
KINDS = {
    "WeldJoint": "",
    "PinJoint": "Z",
    "SliderJoint": "x",
    "UniversalJoint": "XY",
    "BallJoint": "XYZ",
    "GimbalJoint": "XYZ",
    "EllipsoidJoint": "XYZ",
    "FreeJoint": "XYZxyz",
    "PlanarJoint": "Zxy",
    "CustomJoint": "",
}
_ROTATIONS = ("rotation1", "rotation2", "rotation3")
_TRANSLATIONS = ("translation1", "translation2", "translation3")
_USUAL = dict(zip((*_ROTATIONS, *_TRANSLATIONS), (*AXES, *AXES), strict=True))


def joints_of(model: OsimModel) -> Iterator[OsimJoint]:
    """Yield the joints that are sound; others are noted."""
    for element in joint_elements(model):
        ends = _ends(model, element)
        if ends is not None:
            (parent, parent_frame), (child, child_frame) = ends
            axes = axes_of(model, element)
            names = dict.fromkeys([*coordinate_names(element), *(name for each in axes for name in each.follows)])
            yield OsimJoint(
                name=element.name,
                line=element.line,
                parent=parent,
                parent_frame=parent_frame,
                child=child,
                child_frame=child_frame,
                axes=axes,
                coordinates=tuple(names),
                reversed=model.flag(element, "reverse", False),
            )


def joint_elements(model: OsimModel) -> Iterator[Element]:
    """Yield the elements that are joints, of whatever kind."""
    for each in model.elements:
        if each.tag.endswith("Joint") and each.tag != "Joint" and each.children:
            yield each


def axes_of(model: OsimModel, joint: Element) -> tuple[OsimAxis, ...]:
    """The axes of a joint in the order in which they move: translations first."""
    if joint.tag == "CustomJoint":
        return tuple(_transform_axes(model, joint))
    if joint.tag not in KINDS:
        model.notes.add(joint.line, f"joint {joint.name} is a {joint.tag}, which Sinew does not know; taken as fixed")
    letters = KINDS.get(joint.tag, "")
    names = coordinate_names(joint)
    missing = [f"{joint.name}_coord_{place}" for place in range(len(names), len(letters))]
    pairs = list(zip(letters, [*names, *missing], strict=False))
    axes = [_plain(letter, name) for letter, name in pairs]
    middle = [each for each in axes if each.kind == "slide"] + [each for each in axes if each.kind == "hinge"]
    return tuple(middle) if joint.tag != "EllipsoidJoint" else (*middle, *_on_ellipsoid(model, joint))


def coordinate_names(joint: Element) -> list[str]:
    """The coordinates that a joint holds."""
    held = joint.child("coordinates", "CoordinateSet")
    if held is None:
        return []
    rows = held.child("objects") or held
    return [each.name for each in rows.children if each.tag == "Coordinate"]


def _plain(letter: str, coordinate: str) -> OsimAxis:
    kind: Literal["hinge", "slide"] = "hinge" if letter.isupper() else "slide"
    return OsimAxis(coordinate, kind, AXES["xyz".index(letter.lower())], Sum(0.0, (line_of(coordinate),)))


def _on_ellipsoid(model: OsimModel, joint: Element) -> Iterator[OsimAxis]:
    """The way from the middle of a sphere to its surface, along the child's z axis."""
    radii = model.vector(joint, ("radii_x_y_z",), f"the radii of {joint.name}")
    if max(radii) - min(radii) > 1e-9:
        model.notes.add(joint.line, f"joint {joint.name} moves on an ellipsoid; taken as a ball joint in its middle")
        return
    yield OsimAxis("radius", "slide", _Z, Sum(radii[0]))


def _transform_axes(model: OsimModel, joint: Element) -> Iterator[OsimAxis]:
    transform = joint.child("SpatialTransform")
    rows = transform.children if transform is not None else []
    found = {each.name: each for each in rows if each.tag == "TransformAxis"}
    for name in (*_TRANSLATIONS, *_ROTATIONS):
        element = found.get(name)
        if element is None:
            continue
        what = f"{name} of joint {joint.name}"
        axis = model.vector(element, ("axis",), f"the axis of {what}") if element.child("axis") else _USUAL[name]
        if math.hypot(*axis) < 1e-9:
            model.notes.add(element.line, f"{what} has an axis of length 0; left out")
            continue
        value = _axis_value(model, element, what)
        yield OsimAxis(name, "hinge" if name in _ROTATIONS else "slide", axis, value)


def _axis_value(model: OsimModel, element: Element, what: str) -> Sum:
    names = tuple(each.rsplit("/", 1)[-1] for each in element.words("coordinates").split())
    unknown = [name for name in names if name not in model.coordinates]
    if unknown:
        model.notes.add(element.line, f"{what} follows {unknown[0]!r}, which is no coordinate; taken as 0")
        return Sum()
    function = function_in(element)
    if function is None:
        return Sum(0.0, (line_of(names[0]),)) if len(names) == 1 else Sum()
    return model.functions.read(function, names, what)


def _ends(model: OsimModel, element: Element) -> tuple[tuple[str, Frame], tuple[str, Frame]] | None:
    """The parent's and the child's body and frame of a joint."""
    body = next((each for each in model.above(element) if each.tag == "Body"), None)
    old = body is not None
    found: list[tuple[str, Frame]] = []
    for end, tag in (("parent_frame", "parent_body"), ("child_frame", "")):
        path = model.socket(element, end, tag)
        if old and not path:
            path = body.name if body is not None and not tag else element.words("parent_body")
        place = model.frame_of(element, path) if path else None
        if place is None:
            words = f"stands in a frame {path!r} that is not there" if path else f"has no {end.replace('_', ' ')}"
            model.notes.add(element.line, f"joint {element.name} {words}; left out")
            return None
        if old:
            move, turn = ("location_in_parent", "orientation_in_parent") if tag else ("location", "orientation")
            position = model.vector(element, (move,), f"the {move} of {element.name}")
            rotation = turned_by(model.vector(element, (turn,), f"the {turn} of {element.name}"))
            place = place[0], place[1].holding(Frame(position, rotation))
        found.append(place)
    return found[0], found[1]
