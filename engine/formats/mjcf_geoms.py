"""Geoms of MuJoCo's models: shapes that are drawn, and what they weigh.

Masses and inertias are those of the solids, of the density that the geom says. Ellipsoids and boxes that stand askew in
their body are drawn as lofts. Meshes weigh nothing here, and planes and height fields are left out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.document import Body, Box, Capsule, Ellipsoid
from engine.document.figure import Inertia
from engine.document.frames import Frame
from engine.document.shapes import Loft, Section, Shape
from engine.document.values import IDENTITY, Vector3
from engine.formats.mjcf_model import MjcfModel, MjcfRow, turn_to
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES, turned
from engine.maths.rotation_arrays import rotation_matrix

SOLIDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
_SIZES = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
_ROUNDS = 9  # sections of an ellipsoid


class Geom(NamedTuple):
    """A solid geom in its body's frame, half sizes [m]: a sphere's radius, the radius and the half length of capsules
    and cylinders, three half axes of ellipsoids and boxes."""

    name: str
    kind: str
    frame: Frame
    size: tuple[float, ...]
    mass: float
    line: int


def read_geom(model: MjcfModel, row: MjcfRow) -> Geom | None:
    """Read a geom; None, and a note, where it is no solid."""
    said = model.said(row)
    kind = said.get("type", "mesh" if "mesh" in said else "sphere")
    if kind not in SOLIDS:
        model.notes.leave_out(f"geom of type {kind}", row.element.name, row.element.line)
        return None
    size, frame = list(model.numbers(row, said, "size", "")), model.frame(row, said)
    if "fromto" in said and kind != "sphere":
        ends = model.numbers(row, said, "fromto", "")
        if len(ends) != 6:
            model.file.refuse(f"fromto of geom {row.element.name} has {len(ends)} numbers", "Six.", row.element.line)
        a, b, c, x, y, z = ends
        way = model.direction(row, (a - x, b - y, c - z), "fromto")
        frame = Frame((0.5 * (a + x), 0.5 * (b + y), 0.5 * (c + z)), turn_to(way))
        half = 0.5 * math.dist((a, b, c), (x, y, z))
        size = [size[0], half] if _SIZES[kind] == 2 and size else [*size[:1], *size[:1], half]
    if len(size) < _SIZES[kind] or min(size[: _SIZES[kind]]) <= 0.0:
        words = f"geom {row.element.name} of type {kind} has the size {said.get('size', '')!r}; left out"
        model.notes.add(row.element.line, words)
        return None
    sizes = tuple(size[: _SIZES[kind]])
    density = model.number(row, said, "density", "1000")
    mass = model.number(row, said, "mass", "") if said.get("mass") else density * volume(kind, sizes)
    return Geom(row.element.name, kind, frame, sizes, mass, row.element.line)


def volume(kind: str, size: tuple[float, ...]) -> float:
    """The volume of a solid [m3]."""
    if kind == "sphere":
        return 4.0 / 3.0 * math.pi * size[0] ** 3
    if kind in ("ellipsoid", "box"):
        return (4.0 / 3.0 * math.pi if kind == "ellipsoid" else 8.0) * math.prod(size)
    radius, half = size
    return math.pi * radius**2 * (2.0 * half + (4.0 / 3.0 * radius if kind == "capsule" else 0.0))


def _moments(geom: Geom) -> Vector3:
    """Its principal moments about its middle [kg m2]."""
    mass, size = geom.mass, geom.size
    if geom.kind == "sphere":
        each = 0.4 * mass * size[0] ** 2
        return (each, each, each)
    if geom.kind in ("ellipsoid", "box"):
        share = mass / (5.0 if geom.kind == "ellipsoid" else 3.0)
        a, b, c = (each**2 for each in size)
        return (share * (b + c), share * (a + c), share * (a + b))
    radius, half = size
    ends = 4.0 / 3.0 * radius / (2.0 * half + 4.0 / 3.0 * radius) if geom.kind == "capsule" else 0.0
    middle, caps = (1.0 - ends) * mass, ends * mass
    across = middle * (3.0 * radius**2 + 4.0 * half**2) / 12.0
    across += caps * (0.4 * radius**2 + half**2 + 0.75 * half * radius)
    return (across, across, 0.5 * middle * radius**2 + 0.4 * caps * radius**2)


def body_of_geoms(geoms: list[Geom], inside: Frame) -> Body:
    """The mass of all geoms of a body whose frame stands `inside` its joint's."""
    mass = sum(each.mass for each in geoms)
    if mass <= 0.0:
        return Body(mass=0.0)
    centre = sum((each.mass / mass * np.array(each.frame.position) for each in geoms), np.zeros(3))
    total = np.zeros((3, 3))
    for each in geoms:
        turn, away = rotation_matrix(each.frame.rotation), np.array(each.frame.position) - centre
        total += turn @ np.diag(_moments(each)) @ turn.T
        total += each.mass * (away @ away * np.eye(3) - np.outer(away, away))
    return turned_body(mass, (float(centre[0]), float(centre[1]), float(centre[2])), total, inside)


def turned_body(mass: float, centre: Vector3, inertia: Array, inside: Frame) -> Body:
    """A body's mass, its frame standing `inside` its joint's."""
    turn = rotation_matrix(inside.rotation)
    whole = turn @ inertia @ turn.T
    xx, yy, zz, xy, xz, yz = (float(whole[at]) for at in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    numbers: Inertia = (xx, yy, zz, xy, xz, yz)
    return Body(mass=mass, centre=inside.at(centre), inertia=numbers)


def shape_of(geom: Geom, inside: Frame) -> Shape:
    """A shape in the frame of a joint in which the geom's body stands `inside`."""
    frame, size = inside.holding(geom.frame), geom.size
    axis = turned(frame.rotation, AXES[2])
    if geom.kind == "sphere":
        return Ellipsoid(radii=(size[0], size[0], size[0]), centre=frame.position)
    if geom.kind == "capsule":
        x, y, z = (size[1] * each for each in axis)
        a, b, c = frame.position
        return Capsule(start=(a - x, b - y, c - z), end=(a + x, b + y, c + z), radius=size[0])
    side = turned(frame.rotation, AXES[0])
    if geom.kind == "cylinder":
        sections = tuple(Section(along=each, width=size[0], depth=size[0]) for each in (-size[1], size[1]))
        return Loft(sections=sections, axis=axis, side=side, origin=frame.position, caps=(0.0, 0.0))
    a, b, c = size
    if frame.rotation == IDENTITY:
        whole = (a, b, c)
        return (
            Box(half=whole, centre=frame.position)
            if geom.kind == "box"
            else Ellipsoid(radii=whole, centre=frame.position)
        )
    if geom.kind == "box":
        rows = tuple(Section(along=each, width=a, depth=b, squareness=0.95) for each in (-c, c))
        return Loft(sections=rows, axis=axis, side=side, origin=frame.position, caps=(0.0, 0.0))
    places = [math.cos(math.pi * (1.0 - (step + 0.5) / _ROUNDS)) for step in range(_ROUNDS)]
    rounds = tuple(
        Section(along=c * each, width=a * math.sqrt(1.0 - each**2), depth=b * math.sqrt(1.0 - each**2))
        for each in places
    )
    return Loft(sections=rounds, axis=axis, side=side, origin=frame.position)
