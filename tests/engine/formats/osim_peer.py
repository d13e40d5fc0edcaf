"""OpenSim models evaluated straight from their XML, apart from the reader: transforms of bodies, markers, paths.

Written for the documents of version 4 that the shared data holds, and for nothing else. In the model's own axes.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from functools import cached_property
from pathlib import Path

import numpy as np

from engine.maths.arrays import Array

Coordinates = dict[str, float]


def about(axis: Array, angle: float) -> Array:
    """The rotation matrix of Rodrigues' formula, shape [4, 4]."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    whole = np.eye(4)
    whole[:3, :3] = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    return whole


def moved(way: Array) -> Array:
    """A translation, shape [4, 4]."""
    whole = np.eye(4)
    whole[:3, 3] = way
    return whole


def spline(at: Array, values: Array, x: float) -> float:
    """SIMM's cubic spline, from what defines it: four numbers for each piece, all found at once."""
    count = len(at)
    if count == 2:
        return float(values[0] + (values[1] - values[0]) / (at[1] - at[0]) * (x - at[0]))
    pieces = count - 1
    rows, right = np.zeros((4 * pieces, 4 * pieces)), np.zeros(4 * pieces)
    row = 0

    def powers(d: float, order: int) -> list[float]:
        rows = ([1.0, d, d * d, d**3], [0.0, 1.0, 2 * d, 3 * d * d], [0.0, 0.0, 2.0, 6 * d], [0.0, 0.0, 0.0, 6.0])
        return rows[order]

    for piece in range(pieces):
        width = at[piece + 1] - at[piece]
        for d, value in ((0.0, values[piece]), (width, values[piece + 1])):
            rows[row, 4 * piece : 4 * piece + 4], right[row] = powers(d, 0), value
            row += 1
        for order in (1, 2) if piece + 1 < pieces else ():
            rows[row, 4 * piece : 4 * piece + 4] = powers(width, order)
            rows[row, 4 * piece + 4 : 4 * piece + 8] = [-each for each in powers(0.0, order)]
            row += 1
    for piece, place in ((0, slice(0, 4)), (pieces - 1, slice(count - 4, count))):
        third = 0.0 if count == 3 else 6.0 * np.polyfit(at[place] - at[place][0], values[place], 3)[0]
        rows[row, 4 * piece : 4 * piece + 4], right[row] = powers(0.0, 3), third
        row += 1
    found = np.linalg.solve(rows, right).reshape(pieces, 4)
    piece = int(np.clip(np.searchsorted(at, x, side="right") - 1, 0, pieces - 1))
    inside = float(np.clip(x, at[0], at[-1]))
    d = inside - at[piece]
    return float(np.dot(found[piece], powers(d, 0)) + (x - inside) * np.dot(found[piece], powers(d, 1)))


class OsimPeer:
    """One model."""

    def __init__(self, path: Path) -> None:
        root = ElementTree.parse(path).getroot().find("Model")
        assert root is not None
        self.root = root
        self.bodies = [str(each.get("name")) for each in root.findall("BodySet/objects/Body")]
        self._joints = list(root.findall("JointSet/objects/*"))
        names = [str(each.get("name")) for each in root.iter("Coordinate")]
        couplers = root.findall("ConstraintSet/objects/CoordinateCouplerConstraint")
        self.couplers = {text(each, "dependent_coordinate_name"): each for each in couplers}
        self.free = [name for name in names if name not in self.couplers]

    @cached_property
    def muscles(self) -> list[ElementTree.Element]:
        """The muscles."""
        found = self.root.findall("ForceSet/objects/*")
        return [each for each in found if each.tag.endswith("Muscle")]

    def worlds(self, coordinates: Coordinates) -> dict[str, Array]:
        """The transform of each body, shape [4, 4]."""
        q = self._with_coupled(coordinates)
        found = {"ground": np.eye(4)}
        while len(found) <= len(self.bodies):
            for joint in self._joints:
                (parent, stand), (child, hang) = (self._frame(joint, end) for end in ("parent", "child"))
                if parent in found:
                    found[child] = found[parent] @ stand @ self._moves(joint, q) @ np.linalg.inv(hang)
        return found

    def markers(self, worlds: dict[str, Array]) -> dict[str, Array]:
        """The place of each marker."""
        found = {}
        for each in self.root.findall("MarkerSet/objects/Marker"):
            body = text(each, "socket_parent_frame").split("/")[-1]
            found[str(each.get("name"))] = at(worlds[body], numbers(each, "location"))
        return found

    def straight_length(self, muscle: ElementTree.Element, worlds: dict[str, Array], coordinates: Coordinates) -> float:
        """The length of a path without its wraps."""
        q, points = self._with_coupled(coordinates), []
        for each in muscle.findall("GeometryPath/PathPointSet/objects/*"):
            world = worlds[text(each, "socket_parent_frame").split("/")[-1]]
            if each.tag == "MovingPathPoint":
                names = (text(each, f"socket_{letter}_coordinate").split("/")[-1] for letter in "xyz")
                held = (each.find(f"{letter}_location") for letter in "xyz")
                place = [value(row[0], q[name]) for row, name in zip(held, names, strict=True) if row is not None]
                points.append(at(world, np.array(place)))
                continue
            if each.tag == "ConditionalPathPoint":
                lower, upper = numbers(each, "range")
                if not lower <= q[text(each, "socket_coordinate").split("/")[-1]] <= upper:
                    continue
            points.append(at(world, numbers(each, "location")))
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())

    def _with_coupled(self, coordinates: Coordinates) -> Coordinates:
        q = dict(coordinates)
        for name, each in self.couplers.items():
            function = each.find("coupled_coordinates_function")
            assert function is not None
            q[name] = value(function[0], q[text(each, "independent_coordinate_names")])
        return q

    def _frame(self, joint: ElementTree.Element, end: str) -> tuple[str, Array]:
        name, frame = text(joint, f"socket_{end}_frame"), np.eye(4)
        while "/" not in name:
            each = next(each for each in joint.findall("frames/*") if each.get("name") == name)
            x, y, z = numbers(each, "orientation")
            turn = about(np.array([1.0, 0, 0]), x) @ about(np.array([0, 1.0, 0]), y) @ about(np.array([0, 0, 1.0]), z)
            frame = moved(numbers(each, "translation")) @ turn @ frame
            name = text(each, "socket_parent")
        return name.split("/")[-1], frame

    def _moves(self, joint: ElementTree.Element, q: Coordinates) -> Array:
        names = [str(each.get("name")) for each in joint.findall("coordinates/Coordinate")]
        x, y, z = np.eye(3)
        if joint.tag == "CustomJoint":
            turn, way = np.eye(4), np.zeros(3)
            for axis in joint.findall("SpatialTransform/TransformAxis"):
                held = text(axis, "coordinates")
                amount = value(axis[2], q[held] if held else 0.0)
                if str(axis.get("name")).startswith("rotation"):
                    turn = turn @ about(numbers(axis, "axis"), amount)
                else:
                    way = way + amount * numbers(axis, "axis")
            return moved(way) @ turn
        if joint.tag == "PinJoint":
            return about(z, q[names[0]])
        if joint.tag == "SliderJoint":
            return moved(q[names[0]] * x)
        if joint.tag == "UniversalJoint":
            return about(x, q[names[0]]) @ about(y, q[names[1]])
        assert joint.tag == "WeldJoint"
        return np.eye(4)


def value(function: ElementTree.Element, x: float) -> float:
    """A function of one coordinate."""
    if function.tag == "Constant":
        return float(numbers(function, "value")[0])
    if function.tag == "LinearFunction":
        slope, start = numbers(function, "coefficients")
        return float(slope * x + start)
    if function.tag == "MultiplierFunction":
        inside = function.find("function")
        assert inside is not None
        return float(numbers(function, "scale")[0]) * value(inside[0], x)
    assert function.tag == "SimmSpline", function.tag
    return spline(numbers(function, "x"), numbers(function, "y"), x)


def text(element: ElementTree.Element, tag: str) -> str:
    """The words of a child."""
    return (element.findtext(tag) or "").strip()


def numbers(element: ElementTree.Element, tag: str) -> Array:
    """The numbers of a child."""
    return np.array(text(element, tag).split(), dtype=np.float64)


def at(world: Array, point: Array) -> Array:
    """A point of a body in the world."""
    return np.asarray(world[:3, :3] @ point + world[:3, 3])
