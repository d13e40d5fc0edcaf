"""OpenSim's models as they are written: bodies, frames, joints with their axes, coordinates and what couples them.

Documents of versions 3 and 4 differ in where things stand. In version 3 a body holds its joint, which names the parent
body and where it stands there; in version 4 joints are a set of their own, between frames that they hold. Frames turn
about their own x, y and z axes one after the other. A joint's child frame moves in its parent frame by translations
along the parent's axes, then by rotations, each in the frame that the one before has left (Seth et al. 2010).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.document.frames import Frame
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.model_notes import ModelNotes
from engine.formats.osim_functions import FunctionReading, Sum, composed, function_in, line_of
from engine.formats.osim_parts import OsimCoordinate
from engine.formats.xml_text import Element, XmlFile
from engine.maths.quaternions import AXES, product, turn_about

GROUND = "ground"
NO_LIMIT = 1e4  # [rad] or [m]; ends that are as far off mean none
_OLDEST, _NEWEST = 20000, 49999
_FRAMES = ("PhysicalOffsetFrame", "OffsetFrame")
_X, _Y, _Z = AXES


class OsimModel:
    """One model; `notes` fill as it is read."""

    def __init__(self, file: XmlFile) -> None:
        self.file, self.notes = file, ModelNotes()
        root = file.root
        model = root if root.tag == "Model" else root.child("Model")
        if root.tag not in ("OpenSimDocument", "Model") or model is None:
            file.refuse(f"<{root.tag}> without a model", "Choose an OpenSim model.", root.line)
        self._check_version(root)
        self.root = model
        self.name = model.name or file.path.name.split(".")[0]
        self._above: dict[int, Element] = {}
        self.elements = tuple(self._walk())
        self.bodies = self._by_name("Body")
        self.bodies.pop(GROUND, None)
        self._frames: dict[str, list[Element]] = {}
        for each in self.elements:
            if each.tag in _FRAMES:
                self._frames.setdefault(each.name, []).append(each)
        self.coordinates = {name: self._coordinate(each) for name, each in self._by_name("Coordinate").items()}
        self.functions = FunctionReading(file, self.notes, self._range)
        self._couplers = self._read_couplers()
        self.moving = set(self.coordinates)
        """The coordinates of joints that are in the tree; others stay at their default."""

    def words(self, element: Element, *tags: str) -> str:
        """The text of a property; where it is left out, that of the model's defaults."""
        found = element.child(*tags)
        if found is None:
            defaults = self.root.child("defaults") or self.file.root.child("defaults")
            usual = None if defaults is None else defaults.child(element.tag)
            found = None if usual is None else usual.child(*tags)
        return "" if found is None else found.text

    def number(self, element: Element, tags: tuple[str, ...], usual: float, what: str) -> float:
        """Read the number of a property, or that of the model's defaults."""
        found = element.child(*tags)
        if found is not None:
            return self.file.number(found, what)
        words = self.words(element, *tags)
        return self.file.source.number(words, element.line, what) if words else usual

    def vector(self, element: Element, tags: tuple[str, ...], what: str) -> Vector3:
        """Read the vector of a property; the origin where it is left out."""
        found = element.child(*tags)
        return (0.0, 0.0, 0.0) if found is None or not found.text else self.file.vector(found, what)

    def flag(self, element: Element, tag: str, usual: bool) -> bool:
        """Read a property that is true or false."""
        return self.words(element, tag).lower() in ("true", "1") if self.words(element, tag) else usual

    def above(self, element: Element) -> Iterator[Element]:
        """Yield the elements that hold one, the nearest first."""
        here = self._above.get(id(element))
        while here is not None:
            yield here
            here = self._above.get(id(here))

    def socket(self, element: Element, name: str, old: str = "") -> str:
        """Which component an element is connected to, by the names of versions 4, 3.5 and 3."""
        tags = (f"socket_{name}", f"socket_{name}_connectee_name", f"connector_{name}_connectee_name")
        if element.child(*tags) is not None:
            return element.words(*tags)
        held = element.child("connectors", "sockets")
        for each in held.children if held is not None else ():
            if each.name == name:
                return each.words("connectee_name")
        return element.words(old) if old else ""

    def frame_of(self, element: Element, path: str, depth: int = 0) -> tuple[str, Frame] | None:
        """Find the body that a path means for an element, and the frame on that body; None where there is none."""
        steps = [each for each in path.split("/") if each not in ("", ".", "..")]
        if not steps:
            holder = next((each for each in self.above(element) if each.tag in ("Body", "Ground", *_FRAMES)), None)
            return None if holder is None else self._frame_at(holder, depth)
        name = steps[-1]
        inside = [each for each in self._frames.get(name, ()) if element in self.above(each)]
        if not inside and (name == GROUND or name in self.bodies):
            return name, Frame()
        owner = steps[-2] if len(steps) > 1 else ""
        owned = [each for each in self._frames.get(name, ()) if owner in [up.name for up in self.above(each)]]
        found = inside or owned or self._frames.get(name, ())
        return self._frame_at(found[0], depth) if found else None

    def holder_of(self, element: Element) -> tuple[str, Frame] | None:
        """Find the body that an element stands in, and the frame there."""
        return self.frame_of(element, "..")

    def value_of(self, coordinate: str, depth: int = 0) -> Sum:
        """Express a coordinate by those that nothing couples: by itself, if nothing couples it."""
        value = self._couplers.get(coordinate)
        if value is None and coordinate not in self.moving:
            return Sum(self.coordinates[coordinate].default)
        if value is None:
            return Sum(0.0, (line_of(coordinate),))
        if depth > len(self._couplers):
            self.notes.say(f"coordinate {coordinate} is coupled with itself in a circle; it stays as it is")
            return Sum(self.coordinates[coordinate].default)
        return composed(value, lambda each: self.value_of(each, depth + 1))

    def is_coupled(self, coordinate: str) -> bool:
        """Tell whether a constraint says where a coordinate is."""
        return coordinate in self._couplers

    def _check_version(self, root: Element) -> None:
        words = root.attributes.get("Version", "")
        if not words.isdigit() or not _OLDEST <= int(words) <= _NEWEST:
            found = f"a document of version {words!r}" if words else "a document without a version"
            remedy = "Open it in OpenSim 4 and save it from there."
            self.file.refuse(found, remedy, root.line)

    def _walk(self) -> Iterator[Element]:
        """Yield all elements of the model but those of its defaults, and note which holds which."""
        left = [self.root]
        while left:
            here = left.pop()
            yield here
            held = [each for each in here.children if each.tag != "defaults"]
            for each in held:
                self._above[id(each)] = here
            left.extend(reversed(held))

    def _by_name(self, tag: str) -> dict[str, Element]:
        """Elements of a kind that have children, by their names; one of a name that is taken is noted."""
        found: dict[str, Element] = {}
        for each in self.elements:
            if each.tag != tag or not each.children:
                continue
            if not each.name or each.name in found:
                words = f"a second {tag} {each.name!r}" if each.name else f"a {tag} without a name"
                self.notes.add(each.line, f"{words}; left out")
                continue
            found[each.name] = each
        return found

    def _frame_at(self, element: Element, depth: int) -> tuple[str, Frame] | None:
        if element.tag not in _FRAMES:
            return (GROUND if element.tag == "Ground" else element.name), Frame()
        if depth > 20:
            self.notes.add(element.line, f"frame {element.name} stands in itself")
            return None
        held = self.frame_of(element, self.socket(element, "parent"), depth + 1)
        if held is None:
            return None
        what = f"of frame {element.name}"
        position = self.vector(element, ("translation",), f"the translation {what}")
        rotation = turned_by(self.vector(element, ("orientation",), f"the orientation {what}"))
        return held[0], held[1].holding(Frame(position, rotation))

    def _coordinate(self, element: Element) -> OsimCoordinate:
        what = f"of coordinate {element.name}"
        held = element.child("range")
        ends = self.file.numbers(held, f"an end of the range {what}") if held is not None else ()
        lower: float | None = None
        upper: float | None = None
        if len(ends) == 2 and ends[0] > ends[1]:
            self.notes.add(element.line, f"the range {what} goes from {ends[0]:g} to {ends[1]:g}; taken as none")
        elif len(ends) == 2:
            lower = ends[0] if abs(ends[0]) < NO_LIMIT else None
            upper = ends[1] if abs(ends[1]) < NO_LIMIT else None
        default = self.number(element, ("default_value", "initial_value"), 0.0, f"the default value {what}")
        prescribed = self.flag(element, "prescribed", False)
        if prescribed:
            self.notes.add(element.line, f"coordinate {element.name} moves by a function of time, which is left out")
        clamped, locked = self.flag(element, "clamped", False), self.flag(element, "locked", False)
        return OsimCoordinate(element.name, element.line, lower, upper, default, clamped, locked)

    def _range(self, coordinate: str) -> tuple[float, float]:
        found = self.coordinates.get(coordinate)
        if found is None or found.lower is None or found.upper is None:
            return (-math.pi, math.pi)
        return (found.lower, found.upper)

    def _read_couplers(self) -> dict[str, Sum]:
        found: dict[str, Sum] = {}
        for each in self.elements:
            if each.tag != "CoordinateCouplerConstraint":
                continue
            if not self.flag(each, "isEnforced", True) or self.flag(each, "isDisabled", False):
                self.notes.leave_out("CoordinateCouplerConstraint that is off", each.name, each.line)
                continue
            dependent = _last(each.words("dependent_coordinate_name"))
            drivers = tuple(map(_last, each.words("independent_coordinate_names").split()))
            held = each.child("coupled_coordinates_function")
            function = None if held is None else function_in(held)
            missing = [name for name in (dependent, *drivers) if name not in self.coordinates]
            if missing or not drivers or function is None:
                words = f"names {missing[0]!r}, which is no coordinate" if missing else "lacks a driver or a function"
                self.notes.add(each.line, f"constraint {each.name} {words}; left out")
                continue
            factor = self.number(each, ("scale_factor",), 1.0, f"the scale factor of {each.name}")
            found[dependent] = self.functions.read(function, drivers, f"the function of {each.name}").times(factor)
        return found


def turned_by(angles: Vector3) -> Quaternion:
    """The turn about x, then about the new y, then about the new z [rad]."""
    turn = IDENTITY
    for axis, angle in zip((_X, _Y, _Z), angles, strict=True):
        turn = product(turn, turn_about(axis, angle))
    return turn


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1].strip()
