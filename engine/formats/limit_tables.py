"""Joint limits as tables of a `.figure.toml`.

    [[limit]]
    id = "shoulder"
    hinges = ["shoulder.z", "shoulder.y", "shoulder.z2"]
    kind = "cone"                                   # or box, polygon, samples, mesh, field
    swing = [60, 45]
    twist = [-40, 70]
    grid = { counts = [32, 32, 32], first = [-180, -180, -180], periodic = [true, true, true] }

`sides = "both"` over hinges of joints with both sides makes one for each. Long lists of numbers stand in a `file`
beside the text (`engine.formats.limit_arrays`), in radians. A limit whose numbers do not come back exactly from degrees
says `angles = "radians"` of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from engine.document.blobs import Blob
from engine.document.limit import (
    BRUSHES,
    Angles,
    BoxRange,
    BrushKind,
    ConeRange,
    Grid,
    GridRange,
    Limit,
    MeshRange,
    PolygonRange,
    Range,
    SampledRange,
    Stroke,
)
from engine.document.mirrored_limit import mapped_limit
from engine.document.values import Vector3
from engine.formats import limit_arrays
from engine.formats.figure_toml_joints import readable, sided_id, sided_name
from engine.formats.tables import DIRECTIONS, TomlTable, is_number
from engine.runtime.errors import InvalidDocument

_OF_KIND: dict[str, tuple[str, ...]] = {
    "box": ("lower", "upper"),
    "cone": ("axis", "swing", "twist"),
    "polygon": ("axis", "corners", "twist"),
    "samples": ("file", "clips", "keeps_holes", "joins_clips"),
    "mesh": ("file",),
    "field": ("file",),
}
_COMMON = (
    *("id", "name", "hinges", "kind", "angles", "sides", "grid"),
    *("margin", "strokes", "resistance", "onset", "on"),
)
LIMIT_KEYS = _COMMON + tuple(dict.fromkeys(key for keys in _OF_KIND.values() for key in keys))
ARRAYS: Mapping[type, Mapping[str, str]] = {
    SampledRange: {"angles": "<f8"},
    MeshRange: {"positions": "<f8", "faces": "<i4"},
    GridRange: {"distances": "<f8"},
}
"""The arrays of a range and their types."""
KINDS: Mapping[str, type] = {
    "box": BoxRange,
    "cone": ConeRange,
    "polygon": PolygonRange,
    "samples": SampledRange,
    "mesh": MeshRange,
    "field": GridRange,
}
_STROKE_KEYS = ("kind", "points", "radius", "strength")
_GRID_KEYS = ("counts", "first", "spacing", "periodic")


def read_limits(table: TomlTable, unit: float, sided: Mapping[str, str]) -> Iterator[Limit]:
    """Read one `[[limit]]`; `unit`: radians per unit of the file's angles; `sided`: the joint of each of both sides."""
    table.need("id", "hinges", "kind", "grid")
    id = table.text("id")
    table.what = f"limit {id!r}"
    kind = table.choice("kind", tuple(_OF_KIND), "")
    table = TomlTable(table.source, table.values, f"{kind} limit {id!r}", _COMMON + _OF_KIND[kind], table.line)
    if "angles" in table.values:
        unit = math.pi / 180.0 if table.choice("angles", ("degrees", "radians"), "") == "degrees" else 1.0
    hinges = _hinges(table)
    try:
        limit = Limit(
            id=id,
            name=table.text("name") or readable(id),
            dofs=hinges,
            range=_range(table, kind, len(hinges), unit),
            grid=_grid(table, len(hinges), unit),
            margin=table.number("margin", 0.0) * unit,
            strokes=tuple(_stroke(table, row, len(hinges), unit) for row in table.rows("strokes")),
            resistance=table.number("resistance", 0.0),
            onset=table.number("onset", 0.2 / unit) * unit if "onset" in table.values else 0.2,
            on=_flag(table, "on", True),
        )
        if table.choice("sides", ("one", "both"), "one") == "both":
            yield from _both(table, limit, sided)
        else:
            yield limit
    except InvalidDocument as error:
        table.source.refuse(str(error), f"Correct {table.what}", table.line)


def limit_file(limit: Limit) -> str:
    """The name of the file that holds a limit's arrays beside a figure's text: one for each content."""
    digests = (getattr(limit.range, name).digest[:12] for name in ARRAYS[type(limit.range)])
    return f"limit-{'-'.join(digests)}{limit_arrays.LIMIT_SUFFIX}"


def _both(table: TomlTable, limit: Limit, sided: Mapping[str, str]) -> Iterator[Limit]:
    """The limit on the left, and its image on the right."""
    if not any(dof in sided for dof in limit.dofs):
        remedy = 'Delete it, or give the joints sides = "both"'
        table.refuse("sides", f"{table.what} has both sides, its joints one", remedy)

    def on(side: str) -> tuple[str, ...]:
        return tuple(sided_id(dof, sided[dof], side) if dof in sided else dof for dof in limit.dofs)

    yield replace(limit, id=f"{limit.id}_left", name=sided_name(limit.name, "left"), dofs=on("left"))
    image = mapped_limit(limit, on("right"), (1.0,) * len(limit.dofs))
    yield replace(image, id=f"{limit.id}_right", name=sided_name(limit.name, "right"))


def _hinges(table: TomlTable) -> tuple[str, ...]:
    rows = table.rows("hinges")
    if not rows or not all(isinstance(row, str) and row for row in rows):
        table.wrong("hinges", 'a list of hinges such as ["shoulder.z", "shoulder.y"]')
    return tuple(cast(list[str], rows))


def _range(table: TomlTable, kind: str, size: int, unit: float) -> Range:
    table.need(*(key for key in ("lower", "upper", "corners", "file", "swing") if key in _OF_KIND[kind]))
    if kind == "box":
        return BoxRange(lower=_angles(table, "lower", size, unit), upper=_angles(table, "upper", size, unit))
    if kind in ("cone", "polygon"):
        axis, twist = table.vector("axis", DIRECTIONS["-y"]), _angles(table, "twist", 2, unit, (-60.0, 60.0))
        ends = (twist[0], twist[1])
        if kind == "polygon":
            return PolygonRange(axis=axis, corners=_corners(table), twist=ends)
        swing = _angles(table, "swing", 2, unit)
        return ConeRange(axis=axis, swing=(swing[0], swing[1]), twist=ends)
    arrays = _arrays(table, KINDS[kind])
    if kind == "mesh":
        return MeshRange(positions=arrays["positions"], faces=arrays["faces"])
    if kind == "field":
        return GridRange(distances=arrays["distances"])
    return SampledRange(
        angles=arrays["angles"],
        clips=_counts(table, "clips", (arrays["angles"].shape[0],)),
        keeps_holes=_flag(table, "keeps_holes", False),
        joins_clips=_flag(table, "joins_clips", True),
    )


def _arrays(table: TomlTable, range: type) -> dict[str, Blob]:
    name = table.text("file")
    if name != Path(name).name or name in (".", "..") or "\\" in name:
        table.wrong("file", f"the name of a {limit_arrays.LIMIT_SUFFIX} file in the same folder, without a path")
    return limit_arrays.read(table.source.path.parent / name, ARRAYS[range])


def _grid(table: TomlTable, size: int, unit: float) -> Grid:
    line = table.source.key_line("grid", table.line)
    grid = TomlTable(table.source, table.values["grid"], f"the grid of {table.what}", _GRID_KEYS, line)
    grid.need("counts", "first")
    counts = _counts(grid, "counts", ())
    if min(counts) < 2:
        grid.wrong("counts", "2 and more along each axis")
    rows = grid.values.get("periodic", [False] * size)
    if not isinstance(rows, list) or not all(isinstance(each, bool) for each in rows) or len(rows) != len(counts):
        grid.wrong("periodic", "true or false for each axis")
    around = [math.tau / count for count in counts]
    if not all(rows) or "spacing" in grid.values:
        grid.need("spacing")
        around = list(_angles(grid, "spacing", len(counts), unit))
    first = _angles(grid, "first", len(counts), unit)
    return Grid(counts=counts, lower=first, spacing=tuple(around), periodic=tuple(rows))


def _stroke(table: TomlTable, row: object, size: int, unit: float) -> Stroke:
    stroke = TomlTable(table.source, row, f"a stroke of {table.what}", _STROKE_KEYS, table.line)
    stroke.need("kind", "points", "radius")
    points = stroke.rows("points")
    if not all(isinstance(each, list) and len(each) == size and all(map(is_number, each)) for each in points):
        stroke.wrong("points", f"a list of points of {size} numbers")
    return Stroke(
        kind=cast(BrushKind, stroke.choice("kind", BRUSHES, "")),
        points=tuple(tuple(float(x) * unit for x in each) for each in cast(list[list[float]], points)),
        radius=stroke.number("radius", 0.0) * unit,
        strength=stroke.number("strength", 1.0),
    )


def _corners(table: TomlTable) -> tuple[Vector3, ...]:
    found: list[Vector3] = []
    for row in table.rows("corners"):
        if not isinstance(row, list) or len(row) != 3 or not all(map(is_number, row)):
            table.wrong("corners", "a list of directions of three numbers")
        x, y, z = (float(each) for each in cast(list[float], row))
        found.append((x, y, z))
    return tuple(found)


def _angles(table: TomlTable, key: str, size: int, unit: float, default: Angles = ()) -> Angles:
    if key not in table.values and default:
        return tuple(math.radians(each) for each in default)
    return tuple(each * unit for each in table.numbers(key, size, default))


def _counts(table: TomlTable, key: str, default: tuple[int, ...]) -> tuple[int, ...]:
    rows = table.rows(key) if key in table.values else list(default)
    if not rows or not all(type(each) is int for each in rows):
        table.wrong(key, "whole numbers in square brackets")
    return tuple(cast(list[int], rows))


def _flag(table: TomlTable, key: str, default: bool) -> bool:
    value = table.values.get(key, default)
    if not isinstance(value, bool):
        table.wrong(key, "true or false")
    return value
