"""The sizes of primitive shapes as a person measures them, and shapes of another size about the same middle."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.document.shapes import Box, Capsule, Ellipsoid, Shape
from engine.document.values import Vector3
from engine.runtime.errors import UnknownPart

_BOX, _ELLIPSOID = ("Width", "Height", "Depth"), ("Size X", "Size Y", "Size Z")
_LEAST = 1e-3  # [m]


def sizes_of(shape: Shape) -> dict[str, float]:
    """Whole lengths [m] by name; none of a loft or a mesh."""
    if isinstance(shape, Box):
        return dict(zip(_BOX, (2.0 * each for each in shape.half), strict=True))
    if isinstance(shape, Ellipsoid):
        if len(set(shape.radii)) == 1:
            return {"Diameter": 2.0 * shape.radii[0]}
        return dict(zip(_ELLIPSOID, (2.0 * each for each in shape.radii), strict=True))
    if isinstance(shape, Capsule):
        return {"Length": math.dist(shape.start, shape.end) + 2.0 * shape.radius, "Thickness": 2.0 * shape.radius}
    return {}


def resized(shape: Shape, name: str, size: float) -> Shape:
    """The shape with one size changed, no less than a millimetre; a capsule is no shorter than it is thick."""
    known = sizes_of(shape)
    if name not in known:
        raise UnknownPart(kind="size", id=name, known=tuple(known))
    size = max(size, _LEAST)
    if isinstance(shape, Box):
        half = _with(shape.half, _BOX.index(name), 0.5 * size)
        return replace(shape, half=half, rounding=min(shape.rounding, *half))
    if isinstance(shape, Ellipsoid):
        if name == "Diameter":
            return replace(shape, radii=(0.5 * size,) * 3)
        return replace(shape, radii=_with(shape.radii, _ELLIPSOID.index(name), 0.5 * size))
    assert isinstance(shape, Capsule), "no other shape has sizes"
    length = size if name == "Length" else known["Length"]
    radius = 0.5 * size if name == "Thickness" else shape.radius
    return _capsule(shape, max(length - 2.0 * radius, _LEAST), radius)


def _capsule(shape: Capsule, between: float, radius: float) -> Capsule:
    """The capsule with another distance between its ends' centres."""
    old = math.dist(shape.start, shape.end)
    ends = list(zip(shape.start, shape.end, strict=True)) if old > 0.0 else [(c, c) for c in shape.start]
    share = 0.5 * between / old if old > 0.0 else 0.0
    start, end = ([0.5 * (a + b) + sign * share * (b - a) for a, b in ends] for sign in (-1.0, 1.0))
    if old == 0.0:
        start[1], end[1] = start[1] - 0.5 * between, end[1] + 0.5 * between
    return replace(shape, start=(start[0], start[1], start[2]), end=(end[0], end[1], end[2]), radius=radius)


def _with(vector: Vector3, place: int, value: float) -> Vector3:
    x, y, z = (value if at == place else each for at, each in enumerate(vector))
    return (x, y, z)
