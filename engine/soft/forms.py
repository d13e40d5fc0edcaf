"""Forms: smooth closed surfaces of pieces that flow into each other, which cells carry in place of their own sides.

A form is a function that gives how far points are outside of it [m], below 0 inside, near enough to march by; pieces
are capsules, boxes with round edges, ellipsoids, joined by smooth minima. Its surface has one vertex in each cell of a
grid that it passes through, at the middle of where it crosses the cell's edges, moved onto it and evened out
(surface nets: Gibson 1998, "Constrained elastic surface nets").
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.document.values import Vector3
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments

Form = Callable[[Array], Array]
Middle = Vector3 | Array

_ROUNDS = 6  # of evening out
_MOST_NODES = 8_000_000


def ball(points: Array, middle: Middle, radius: float) -> Array:
    """Measure the distance to a ball."""
    return np.asarray(np.linalg.norm(points - np.array(middle), axis=1) - radius)


def ellipsoid(points: Array, middle: Middle, radii: Vector3) -> Array:
    """Measure the distance to an ellipsoid along the axes, of first order."""
    own, sizes = points - np.array(middle), np.array(radii)
    near = np.linalg.norm(own / sizes, axis=1)
    slope = np.linalg.norm(own / sizes**2, axis=1)
    return np.asarray(near * (near - 1.0) / np.maximum(slope, 1e-9))


def capsule(points: Array, start: Vector3, end: Vector3, first: float, last: float) -> Array:
    """Measure the distance to a capsule with a radius at each end."""
    a, way = np.array(start), np.array(end) - np.array(start)
    share = np.clip((points - a) @ way / (way @ way), 0.0, 1.0)
    return np.asarray(np.linalg.norm(points - a - share[:, None] * way, axis=1) - (first + share * (last - first)))


def box(points: Array, middle: Middle, half: Vector3, rounding: float) -> Array:
    """Measure the distance to a box with round edges; `half` its lengths from the middle, edges included."""
    beyond = np.abs(points - np.array(middle)) - (np.array(half) - rounding)
    within = np.minimum(beyond.max(axis=1), 0.0)
    return np.asarray(np.linalg.norm(np.maximum(beyond, 0.0), axis=1) + within - rounding)


def extruded(flat: Array, across: Array, half: float, rounding: float) -> Array:
    """Measure the distance to a plate with round edges, of the distance to its outline and the way from its plane."""
    beyond = np.stack((flat + rounding, np.abs(across) - (half - rounding)), axis=1)
    within = np.minimum(beyond.max(axis=1), 0.0)
    return np.asarray(np.linalg.norm(np.maximum(beyond, 0.0), axis=1) + within - rounding)


def join(one: Array, other: Array, width: float) -> Array:
    """Unite two pieces, which flow into each other where their distances differ by less than a width."""
    near = np.maximum(width - np.abs(one - other), 0.0) / width
    return np.asarray(np.minimum(one, other) - near**3 * width / 6.0)


def take_out(one: Array, other: Array, width: float) -> Array:
    """Take a piece out of another, with a round edge."""
    return -join(-one, other, width)


def tube(points: Array, line: Array) -> Array:
    """Measure the distance to a tube along points that follow each other closely, x, y and its radius at each; z is 0
    on all of them."""
    found = np.full(len(points), np.inf)
    for (x, y, first), (u, v, last) in zip(line[:-1].tolist(), line[1:].tolist(), strict=True):
        found = np.minimum(found, capsule(points, (x, y, 0.0), (u, v, 0.0), first, last))
    return found


def surface_of(form: Form, lower: Vector3, upper: Vector3, spacing: float) -> tuple[Array, IntArray]:
    """Make the surface of a form that lies within a box: vertices [m], about as far apart as `spacing`, and triangles
    that face outwards."""
    start = np.array(lower) - 1.5 * spacing
    counts = np.ceil((np.array(upper) + 1.5 * spacing - start) / spacing).astype(np.int64) + 1
    if not (spacing > 0.0 and (counts > 1).all() and counts.prod() <= _MOST_NODES):
        raise InvalidArguments(what="the grid of a form", value=counts.tolist(), allowed=f"{_MOST_NODES:,} nodes")
    nodes = np.stack(np.meshgrid(*(np.arange(each) for each in counts), indexing="ij"), axis=-1)
    values = form(start + spacing * nodes.reshape(-1, 3)).reshape(counts)
    points, faces = _net(values)
    if not len(faces):
        raise InvalidArguments(what="the surface of a form", value="nothing", allowed="a form within its box")
    points = _settled(form, start + spacing * points, faces, spacing)
    return points, _split(points, faces)


def together(*surfaces: tuple[Array, IntArray]) -> tuple[Array, IntArray]:
    """Put surfaces beside each other as one."""
    shifts = np.cumsum([0, *(len(points) for points, _ in surfaces)])
    faces = [triangles + by for (_, triangles), by in zip(surfaces, shifts, strict=False)]
    return np.concatenate([points for points, _ in surfaces]), np.concatenate(faces).astype(np.int32)


def _net(values: Array) -> tuple[Array, IntArray]:
    """Put a vertex [nodes] into each cell that the zero level passes, and four-sided faces between them."""
    inside = values < 0.0
    sums, counts = np.zeros((*(each - 1 for each in values.shape), 3)), np.zeros([each - 1 for each in values.shape])
    crossings = []
    for axis in range(3):
        low, high = np.delete(inside, -1, axis), np.delete(inside, 0, axis)
        edges = np.argwhere(low != high)
        ends = edges + np.eye(3, dtype=np.int64)[axis]
        one, other = values[tuple(edges.T)], values[tuple(ends.T)]
        places = edges.astype(np.float64)
        places[:, axis] += one / (one - other)
        crossings.append((axis, edges, one < 0.0))
        around = [each for each in range(3) if each != axis]
        for i in (-1, 0):
            for j in (-1, 0):
                cells = edges.copy()
                cells[:, around[0]] += i
                cells[:, around[1]] += j
                within = ((cells >= 0) & (cells < np.array(counts.shape))).all(axis=1)
                np.add.at(sums, tuple(cells[within].T), places[within])
                np.add.at(counts, tuple(cells[within].T), 1.0)
    used = np.argwhere(counts > 0.0)
    number = np.full(counts.shape, -1, dtype=np.int64)
    number[tuple(used.T)] = np.arange(len(used))
    faces = []
    for axis, edges, leads_out in crossings:
        first, second = (axis + 1) % 3, (axis + 2) % 3
        corners = []
        for i, j in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
            cells = edges.copy()
            cells[:, first] += i
            cells[:, second] += j
            corners.append(number[tuple(cells.T)])
        quads = np.stack(corners, axis=1)
        faces.append(np.where(leads_out[:, None], quads, quads[:, ::-1]))
    points = sums[tuple(used.T)] / counts[tuple(used.T)][:, None]
    return points, np.concatenate(faces).astype(np.int32)


def _settled(form: Form, points: Array, faces: IntArray, spacing: float) -> Array:
    """Move vertices onto the form, and towards the middles of their neighbours along it."""
    sides = np.concatenate([faces[:, [each, (each + 1) % 4]] for each in range(4)])
    counts = np.bincount(sides[:, 0], minlength=len(points))
    for turn in range(_ROUNDS + 1):
        gap = form(points)
        steps = 1e-3 * spacing * np.eye(3)
        slope = np.stack([form(points + each) - form(points - each) for each in steps], axis=1) / (2e-3 * spacing)
        steep = np.maximum((slope * slope).sum(axis=1), 0.05)
        points = points - np.clip(gap / steep, -spacing, spacing)[:, None] * slope
        if turn == _ROUNDS:
            break
        sums = np.zeros_like(points)
        np.add.at(sums, sides[:, 0], points[sides[:, 1]])
        away = sums / counts[:, None] - points
        normals = slope / np.sqrt(steep)[:, None]
        points = points + 0.5 * (away - (away * normals).sum(axis=1)[:, None] * normals)
    return points


def _split(points: Array, faces: IntArray) -> IntArray:
    """Split four-sided faces along the shorter of their diagonals."""
    corners = points[faces]
    short = np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1) <= np.linalg.norm(
        corners[:, 1] - corners[:, 3], axis=1
    )
    one, other = faces[:, [0, 1, 2, 0, 2, 3]], faces[:, [0, 1, 3, 1, 2, 3]]
    return np.ascontiguousarray(np.where(short[:, None], one, other).reshape(-1, 3), dtype=np.int32)
