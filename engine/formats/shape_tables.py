"""Shapes as tables of a `.figure.toml`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from engine.document import Box, Capsule, Ellipsoid, Loft, Section, Shape, TriangleMesh
from engine.document.mirrored import mirrored_shape
from engine.document.values import Vector3
from engine.formats import mesh_npz
from engine.formats.format import Options
from engine.formats.tables import DIRECTIONS, TomlTable, is_number

_ALLOWED = {
    "loft": ("columns", "sections", "axis", "side", "origin", "caps"),
    "capsule": ("start", "end", "radius"),
    "ellipsoid": ("radii", "radius", "centre"),
    "box": ("half", "centre", "rounding"),
    "mesh": ("file", "part"),
}
_COMMON = ("kind", "sides", "tone")
# What a loft's columns may name, and the field of a `Section` that each fills.
COLUMNS = {
    "along": "along",
    "width": "width",
    "depth": "depth",
    "back": "depth_back",
    "side": "shift_side",
    "front": "shift_front",
    "square": "squareness",
}
AS_IN_FRONT = "="  # in the column `back`: as deep behind as in front
_DEFAULT_COLUMNS = "along width depth"
_ORIGIN: Vector3 = (0.0, 0.0, 0.0)


def read_shape(joint: TomlTable, values: object) -> tuple[Shape, ...]:
    """The shape of one table; with its mirror image where it has both sides."""
    what = f"a shape of {joint.what}"
    every = tuple(dict.fromkeys(key for keys in _ALLOWED.values() for key in keys))
    table = TomlTable(joint.source, values, what, _COMMON + every, joint.line)
    table.need("kind")
    kind = table.choice("kind", tuple(_ALLOWED), "")
    table = TomlTable(joint.source, values, f"a {kind} of {joint.what}", _COMMON + _ALLOWED[kind], joint.line)
    readers: dict[str, Callable[[TomlTable], Shape]] = {
        "loft": _loft,
        "capsule": _capsule,
        "ellipsoid": _ellipsoid,
        "box": _box,
    }
    shapes = _meshes(table) if kind == "mesh" else (readers[kind](table),)
    both = table.choice("sides", ("one", "both"), "one") == "both"
    return (*shapes, *map(mirrored_shape, shapes)) if both else shapes


def _meshes(table: TomlTable) -> tuple[Shape, ...]:
    """The meshes in a file beside the figure: one that Sinew wrote, or one of any mesh format."""
    table.need("file")
    name = table.text("file")
    if name != Path(name).name or name in (".", "..") or "\\" in name:
        table.wrong("file", "the name of a mesh file in the same folder, without a path")
    path = table.source.path.parent / name
    if name.endswith(mesh_npz.MESH_SUFFIX):
        found: tuple[TriangleMesh, ...] = (mesh_npz.read(path, table.text("part")),)
    else:
        if "part" in table.values:
            table.refuse(
                "part", f"{table.what} is a part of {name!r}", f"Delete 'part': a {mesh_npz.MESH_SUFFIX} has parts"
            )
        from engine.formats import obj, off, ply, stl  # here, for few figures have such meshes
        from engine.formats.mesh_shapes import shapes_of

        formats = (obj.FORMAT, ply.FORMAT, stl.FORMAT, off.FORMAT)
        read = next((each.read for each in formats if name.lower().endswith(each.suffixes)), None)
        if read is None:
            table.wrong("file", "the name of an OBJ, PLY, STL or OFF file, or of one that Sinew wrote")
        found = shapes_of(path, read(path, Options()).surfaces)
    return tuple(replace(mesh, tone=table.number("tone", 1.0)) for mesh in found)


def _loft(table: TomlTable) -> Loft:
    table.need("sections")
    names = table.text("columns", _DEFAULT_COLUMNS).split()
    if not set(names) <= set(COLUMNS) or not {"along", "width", "depth"} <= set(names) or len(set(names)) < len(names):
        table.wrong("columns", f"{_DEFAULT_COLUMNS!r} and any of {', '.join(list(COLUMNS)[3:])}, each once")
    sections = []
    for row in table.rows("sections"):
        if not isinstance(row, list) or len(row) != len(names) or not all(map(_is_cell, names, row)):
            table.refuse(
                "sections",
                f"a section of {table.what} is {row!r}",
                f"Write {len(names)} numbers in square brackets: {', '.join(names)}",
            )
        cells = zip(names, row, strict=True)
        sections.append(Section(**{COLUMNS[name]: float(each) for name, each in cells if each != AS_IN_FRONT}))
    first, last = table.numbers("caps", 2, (0.6, 0.6))
    return Loft(
        sections=tuple(sections),
        axis=table.vector("axis", DIRECTIONS["y"]),
        side=table.vector("side", DIRECTIONS["x"]),
        origin=table.vector("origin", _ORIGIN),
        caps=(first, last),
        tone=table.number("tone", 1.0),
    )


def _is_cell(name: str, value: object) -> bool:
    return is_number(value) or (name == "back" and value == AS_IN_FRONT)


def _capsule(table: TomlTable) -> Capsule:
    table.need("start", "end", "radius")
    start, end = table.vector("start", _ORIGIN), table.vector("end", _ORIGIN)
    return Capsule(start=start, end=end, radius=table.number("radius", 0.0), tone=table.number("tone", 1.0))


def _ellipsoid(table: TomlTable) -> Ellipsoid:
    if ("radius" in table.values) == ("radii" in table.values):
        table.source.refuse(f"{table.what} has not one of 'radii' and 'radius'", "Give exactly one of them", table.line)
    radius = table.number("radius", 0.0)
    x, y, z = table.numbers("radii", 3, (radius, radius, radius))
    return Ellipsoid(radii=(x, y, z), centre=table.vector("centre", _ORIGIN), tone=table.number("tone", 1.0))


def _box(table: TomlTable) -> Box:
    table.need("half")
    x, y, z = table.numbers("half", 3, _ORIGIN)
    return Box(
        half=(x, y, z),
        centre=table.vector("centre", _ORIGIN),
        rounding=table.number("rounding", 0.0),
        tone=table.number("tone", 1.0),
    )
