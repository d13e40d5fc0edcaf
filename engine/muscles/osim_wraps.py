"""Wraps of OpenSim's models: spheres, cylinders, ellipsoids and tori, on which side paths pass, and those that are off.

OpenSim's cylinders and tori lie about their z axis, as ours. The inner radius of a torus is that of its tube, the outer
one that of its ring, whose middle the tube goes around. A quadrant such as `-x` is the side of that axis.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.formats.names import Names
from engine.formats.osim_figure import OsimFigure
from engine.formats.osim_model import turned_by
from engine.formats.osim_parts import spoken
from engine.formats.xml_text import Element
from engine.maths.quaternions import AXES
from engine.muscles.parts import MuscleWrap, WrapShape
from engine.runtime.errors import InvalidDocument

_SHAPES: dict[str, WrapShape] = {
    "WrapSphere": "sphere",
    "WrapCylinder": "cylinder",
    "WrapEllipsoid": "ellipsoid",
    "WrapTorus": "torus",
}


def read_wraps(made: OsimFigure) -> dict[str, MuscleWrap]:
    """Read the wraps of a model, by their names in it; those that are off or unsound are noted."""
    model, names = made.model, Names()
    found: dict[str, MuscleWrap] = {}
    for element in model.elements:
        if not element.tag.startswith("Wrap") or element.tag == "WrapObjectSet":
            continue
        if element.tag not in _SHAPES:
            model.notes.leave_out(element.tag, element.name, element.line)
        elif not model.flag(element, "active", True):
            model.notes.leave_out(f"{element.tag} that is off", element.name, element.line)
        elif element.name in found:
            model.notes.add(element.line, f"a second wrap {element.name!r}; left out")
        else:
            wrap = _wrap(made, element, names)
            if wrap is not None:
                found[element.name] = wrap
    return found


def _wrap(made: OsimFigure, element: Element, names: Names) -> MuscleWrap | None:
    model, what = made.model, f"of wrap {element.name}"
    place = made.place_of(element, "..")
    if place is None:
        model.notes.add(element.line, f"wrap {element.name} is on no body of the tree; left out")
        return None
    turn = turned_by(model.vector(element, ("xyz_body_rotation",), f"the rotation {what}"))
    frame = place[1].holding(Frame(model.vector(element, ("translation",), f"the translation {what}"), turn))
    length: float | None = None
    if element.tag == "WrapCylinder":
        length = model.number(element, ("length",), 1.0, f"the length {what}")
    id = names.take(element.name or "wrap")
    try:
        return MuscleWrap(
            id=id,
            name=spoken(id),
            joint=place[0],
            shape=_SHAPES[element.tag],
            radii=tuple(_radii(made, element, what)),
            centre=frame.position,
            rotation=frame.rotation,
            length=length,
            side=_side(made, element),
        )
    except InvalidDocument as error:
        model.notes.add(element.line, f"{error}; left out")
        return None


def _radii(made: OsimFigure, element: Element, what: str) -> Iterator[float]:
    model = made.model
    if element.tag == "WrapEllipsoid":
        yield from model.vector(element, ("dimensions",), f"the dimensions {what}")
        return
    tags = ("outer_radius", "inner_radius") if element.tag == "WrapTorus" else ("radius",)
    for tag in tags:
        yield model.number(element, (tag,), -1.0, f"the {tag.replace('_', ' ')} {what}")


def _side(made: OsimFigure, element: Element) -> Vector3 | None:
    """On which side of a wrap paths pass; None where either will do."""
    words = (made.model.words(element, "quadrant") or "all").lower()
    letter = words.lstrip("+-")
    if words == "all" or element.tag == "WrapTorus":
        return None
    if letter not in ("x", "y", "z") or (letter == "z" and element.tag == "WrapCylinder"):
        made.model.notes.add(element.line, f"the quadrant of wrap {element.name} is {words!r}; taken as all")
        return None
    x, y, z = AXES["xyz".index(letter)]
    return (-x, -y, -z) if words.startswith("-") else (x, y, z)
