"""Points that are carried by a body: each is a weighted sum of the corners of a cell (Engell-Norregard 2012, 76).

Weights are barycentric in tetrahedra, trilinear in hexahedra, bilinear in squares, linear along edges, and sum to 1; a
point outside the body takes the nearest cell, whose weights go on beyond its sides, so that every linear field is
reproduced wherever the points are (clamped to the cell for those further outside than the cell is large). Forces on the
points go back to the corners through the same weights, which keeps their sum, and their torque about any place.

Cells are found in a grid of bins. Of those that share a point on their border the one in which it lies deepest counts,
of equals the first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.limits.triangles import LEAF, build_tree, squared_distance, squared_to_box
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.soft.mesh import CORNERS, FACES, VolumeMesh

_SHAPES = {"edges": 0, "squares": 1, "tetrahedra": 2, "hexahedra": 3}
_HELD = -1e-9  # least weight in a cell that holds a point
_NEWTON = 20
_BINS = 200_000


class Weights(NamedTuple):
    """Rows of weights over a body's points, one row for each virtual point: compressed sparse rows."""

    starts: IntArray  # shape [row_count + 1]
    points: IntArray  # which point, shape [value_count]
    values: Array  # how much of it, shape [value_count]

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return len(self.starts) - 1

    def carried(self, field: Array) -> Array:
        """Interpolate a field of the body's points, shape [point_count, width], at the virtual ones."""
        found = np.empty((self.row_count, field.shape[1]))
        carry(self.starts, self.points, self.values, field, found)
        return found

    def spread(self, forces: Array, point_count: int) -> Array:
        """Hand forces on virtual points back to the body's points, shape [point_count, width]."""
        found = np.zeros((point_count, forces.shape[1]))
        add_spread(self.starts, self.points, self.values, forces, found)
        return found

    def dense(self, point_count: int) -> Array:
        """Write the rows out, shape [row_count, point_count]."""
        rows = np.repeat(np.arange(self.row_count), np.diff(self.starts))
        found = np.zeros((self.row_count, point_count))
        np.add.at(found, (rows, self.points), self.values)
        return found


@dataclass(frozen=True, eq=False)
class Embedding:
    """Where some points are in a body."""

    weights: Weights
    cells: IntArray  # which cell carries each point
    outside: Array  # [m] how far each is outside the body; 0 within


def join_weights(rows: list[Weights], shift: list[int] | None = None) -> Weights:
    """Put rows of several together, the points of each counted from its `shift`."""
    shifts = [0] * len(rows) if shift is None else shift
    sizes = np.concatenate([np.zeros(1, np.int64), *(np.diff(each.starts) for each in rows)])
    points = [each.points + by for each, by in zip(rows, shifts, strict=True)]
    return Weights(
        np.cumsum(sizes).astype(np.int32),
        np.concatenate([np.zeros(0, np.int32), *points]).astype(np.int32),
        np.concatenate([np.zeros(0), *(each.values for each in rows)]),
    )


def embed(mesh: VolumeMesh, points: Array) -> Embedding:
    """Find the cell and the weights of each point [m], shape [count, 3]."""
    points = np.ascontiguousarray(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise InvalidArguments(what="points to embed", value=points, allowed="finite points of three coordinates")
    shape, width = _SHAPES[mesh.shape], CORNERS[mesh.shape]
    cells, values = np.full(len(points), -1, np.int32), np.zeros((len(points), width))
    lower, size, counts, starts, listed = _bins(mesh)
    find_cells(mesh.points, mesh.cells, shape, points, lower, size, counts, starts, listed, cells, values)
    outside = np.zeros(len(points))
    lost = np.flatnonzero(cells < 0).astype(np.int32)
    if len(lost):
        facets, owners = surface_facets(mesh)
        tree = build_tree(mesh.points[facets])
        nearest, away = np.empty(len(lost), np.int32), np.empty(len(lost))
        find_facets(tree.boxes, tree.corners, points[lost], nearest, away)
        cells[lost] = owners[tree.numbers[nearest]]
        weigh_outside(mesh.points, mesh.cells, shape, points, lost, cells, values)
        outside[lost] = np.where(away > -_HELD * size, away, 0.0)
    starts = np.arange(len(points) + 1, dtype=np.int32) * np.int32(width)
    weights = Weights(starts, np.ascontiguousarray(mesh.cells[cells]).ravel(), values.ravel())
    return Embedding(weights, cells, outside)


def surface_facets(mesh: VolumeMesh) -> tuple[IntArray, IntArray]:
    """List the outer sides of a body as triangles, anticlockwise from outside, and the cell of each; where sides are
    lines the last corner stands twice."""
    faces = FACES[mesh.shape]
    sides = np.concatenate([mesh.cells[:, list(face)] for face in faces])
    owners = np.tile(np.arange(len(mesh.cells), dtype=np.int32), len(faces))
    if mesh.shape == "edges":
        return np.ascontiguousarray(sides[:, [0, 1, 1]]), owners
    ordered, size = np.sort(sides, axis=1).astype(np.int64), len(mesh.points)
    keys = ordered[:, 0] * size + ordered[:, 1]
    keys = keys * size + ordered[:, 2] if sides.shape[1] > 2 else keys  # three corners tell a side
    _, at, count = np.unique(keys, return_inverse=True, return_counts=True)
    outer = np.flatnonzero(count[at.ravel()] == 1)
    sides, owners = sides[outer], owners[outer]
    if sides.shape[1] == 2:
        return np.ascontiguousarray(sides[:, [0, 1, 1]]), owners
    if sides.shape[1] == 3:
        return np.ascontiguousarray(sides), owners
    return np.ascontiguousarray(sides[:, [0, 1, 2, 0, 2, 3]]).reshape(-1, 3), np.repeat(owners, 2)


def _bins(mesh: VolumeMesh) -> tuple[Array, float, IntArray, IntArray, IntArray]:
    """Sort the cells into a grid of bins about as large as they are."""
    corners = mesh.points[mesh.cells]
    low, high = corners.min(axis=1), corners.max(axis=1)
    lower, extent = low.min(axis=0), high.max(axis=0) - low.min(axis=0)
    size = max(float(np.median((high - low).max(axis=1))), 1e-12)
    while np.prod(np.floor(extent / size) + 1.0) > _BINS:
        size *= 1.5
    counts = (np.floor(extent / size) + 1.0).astype(np.int32)
    first = np.floor((low - lower) / size).astype(np.int32).clip(0, counts - 1)
    last = np.floor((high - lower) / size).astype(np.int32).clip(0, counts - 1)
    starts = np.zeros(int(np.prod(counts)) + 1, np.int32)
    count_bins(first, last, counts, starts)
    starts[1:] = np.cumsum(starts[1:])
    listed = np.empty(starts[-1], np.int32)
    fill_bins(first, last, counts, starts[:-1].copy(), listed)
    return lower, size, counts, starts, listed


@kernel
def count_bins(first: IntArray, last: IntArray, counts: IntArray, out_starts: IntArray) -> None:
    """Count the cells that reach into each bin, one place further on."""
    for cell in range(first.shape[0]):
        for i in range(first[cell, 0], last[cell, 0] + 1):
            for j in range(first[cell, 1], last[cell, 1] + 1):
                for k in range(first[cell, 2], last[cell, 2] + 1):
                    out_starts[(i * counts[1] + j) * counts[2] + k + 1] += 1


@kernel
def fill_bins(first: IntArray, last: IntArray, counts: IntArray, at: IntArray, out_listed: IntArray) -> None:
    """List the cells of each bin."""
    for cell in range(first.shape[0]):
        for i in range(first[cell, 0], last[cell, 0] + 1):
            for j in range(first[cell, 1], last[cell, 1] + 1):
                for k in range(first[cell, 2], last[cell, 2] + 1):
                    bin_number = (i * counts[1] + j) * counts[2] + k
                    out_listed[at[bin_number]] = cell
                    at[bin_number] += 1


@kernel
def find_cells(
    nodes: Array,
    cells: IntArray,
    shape: int,
    points: Array,
    lower: Array,
    size: float,
    counts: IntArray,
    starts: IntArray,
    listed: IntArray,
    out_cells: IntArray,
    out_values: Array,
) -> None:
    """Find the cell that holds each point, and its weights there; -1 where none does."""
    values = np.empty(cells.shape[1])
    place = np.empty(3)
    for point in range(points.shape[0]):
        inside = True
        number = 0
        for axis in range(3):
            at = int(np.floor((points[point, axis] - lower[axis]) / size))
            inside = inside and -1 <= at <= counts[axis]
            number = number * counts[axis] + min(max(at, 0), counts[axis] - 1)
        if not inside:
            continue
        best = _HELD
        for entry in range(starts[number], starts[number + 1]):
            cell = listed[entry]
            depth = weigh(nodes, cells[cell], shape, points[point], place, values)
            if depth > best:
                best = depth
                out_cells[point] = cell
                out_values[point] = values
                if depth > -_HELD:
                    break


@kernel
def weigh_outside(
    nodes: Array, cells: IntArray, shape: int, points: Array, lost: IntArray, chosen: IntArray, out_values: Array
) -> None:
    """Write the weights of points in cells that do not hold them."""
    place = np.empty(3)
    for point in lost:
        weigh(nodes, cells[chosen[point]], shape, points[point], place, out_values[point])


@kernel
def weigh(nodes: Array, corners: IntArray, shape: int, point: Array, out_place: Array, out_values: Array) -> float:
    """Write the weights of a point over a cell's corners; return how deep it lies within, below zero outside."""
    if shape == 0:
        return weigh_edge(nodes, corners, point, out_values)
    if shape == 2:
        return weigh_tetrahedron(nodes, corners, point, out_values)
    return weigh_brick(nodes, corners, 2 if shape == 1 else 3, point, out_place, out_values)


@kernel
def weigh_edge(nodes: Array, corners: IntArray, point: Array, out_values: Array) -> float:
    """Write the weights of the point of a line that is nearest to another; it holds those that lie on it."""
    along, length, across = 0.0, 0.0, 0.0
    for axis in range(3):
        side = nodes[corners[1], axis] - nodes[corners[0], axis]
        along += side * (point[axis] - nodes[corners[0], axis])
        length += side * side
    share = along / length
    for axis in range(3):
        start = nodes[corners[0], axis]
        gap = point[axis] - start - share * (nodes[corners[1], axis] - start)
        across += gap * gap
    clamped = min(max(share, 0.0), 1.0)
    out_values[0], out_values[1] = 1.0 - clamped, clamped
    return float(min(share, 1.0 - share, -np.sqrt(across / length) if across > 1e-18 * length else 1.0))


@kernel
def weigh_tetrahedron(nodes: Array, corners: IntArray, point: Array, out_values: Array) -> float:
    """Write barycentric weights; return the least."""
    d = nodes[corners[3]]
    ax, ay, az = nodes[corners[0], 0] - d[0], nodes[corners[0], 1] - d[1], nodes[corners[0], 2] - d[2]
    bx, by, bz = nodes[corners[1], 0] - d[0], nodes[corners[1], 1] - d[1], nodes[corners[1], 2] - d[2]
    cx, cy, cz = nodes[corners[2], 0] - d[0], nodes[corners[2], 1] - d[1], nodes[corners[2], 2] - d[2]
    px, py, pz = point[0] - d[0], point[1] - d[1], point[2] - d[2]
    ux, uy, uz = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    det = ax * ux + ay * uy + az * uz
    out_values[0] = (px * ux + py * uy + pz * uz) / det
    ux, uy, uz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
    out_values[1] = (px * ux + py * uy + pz * uz) / det
    ux, uy, uz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    out_values[2] = (px * ux + py * uy + pz * uz) / det
    out_values[3] = 1.0 - out_values[0] - out_values[1] - out_values[2]
    least = min(min(out_values[0], out_values[1]), min(out_values[2], out_values[3]))
    if least < -1.0:
        clamp_weights(out_values)
    return float(least)


@kernel
def clamp_weights(out_values: Array) -> None:
    """Cut weights below zero off, and make the others sum to 1."""
    total = 0.0
    for each in range(out_values.shape[0]):
        out_values[each] = max(out_values[each], 0.0)
        total += out_values[each]
    for each in range(out_values.shape[0]):
        out_values[each] /= total


@kernel
def weigh_brick(nodes: Array, corners: IntArray, ways: int, point: Array, out_place: Array, out_values: Array) -> float:
    """Write bi- or trilinear weights, by Newton's method from the middle of the cell; return the least distance to a
    side in the cell's own coordinates."""
    jacobian, gap = np.eye(3), np.empty(3)
    out_place[:] = 0.5
    for _ in range(_NEWTON):
        fill_brick(out_place, ways, out_values)
        for axis in range(3):
            gap[axis] = 0.0
        for axis in range(ways):
            gap[axis] = point[axis]
            for corner in range(corners.shape[0]):
                gap[axis] -= out_values[corner] * nodes[corners[corner], axis]
        for way in range(ways):
            for axis in range(ways):
                jacobian[axis, way] = 0.0
            for corner in range(corners.shape[0]):
                slope = 1.0
                for other in range(ways):
                    high = is_high(corner, other)
                    share = out_place[other] if high else 1.0 - out_place[other]
                    slope *= (1.0 if high else -1.0) if other == way else share
                for axis in range(ways):
                    jacobian[axis, way] += slope * nodes[corners[corner], axis]
        moved = solve_three(jacobian, gap, out_place)
        for way in range(ways):
            out_place[way] = min(max(out_place[way], -1.0), 2.0)
        if moved < 1e-14:
            break
    fill_brick(out_place, ways, out_values)
    least = 1.0
    for way in range(ways):
        least = min(least, out_place[way], 1.0 - out_place[way])
    return float(least)


@kernel
def is_high(corner: int, way: int) -> bool:
    """Tell whether a corner of a brick has the coordinate 1 along a way."""
    ring = corner % 4
    if way == 0:
        return bool(ring == 1 or ring == 2)
    if way == 1:
        return bool(ring >= 2)
    return bool(corner >= 4)


@kernel
def fill_brick(place: Array, ways: int, out_values: Array) -> None:
    """Write the weights of a place in a brick's own coordinates."""
    for corner in range(out_values.shape[0]):
        value = 1.0
        for way in range(ways):
            value *= place[way] if is_high(corner, way) else 1.0 - place[way]
        out_values[corner] = value


@kernel
def solve_three(matrix: Array, right: Array, out_place: Array) -> float:
    """Add the solution of three equations to a place; return the largest change."""
    a, b, c = matrix[:, 0], matrix[:, 1], matrix[:, 2]
    x = b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]
    y = c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]
    z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    det = a[0] * x[0] + a[1] * x[1] + a[2] * x[2]
    first = (right[0] * x[0] + right[1] * x[1] + right[2] * x[2]) / det
    second = (right[0] * y[0] + right[1] * y[1] + right[2] * y[2]) / det
    third = (right[0] * z[0] + right[1] * z[1] + right[2] * z[2]) / det
    out_place[0] += first
    out_place[1] += second
    out_place[2] += third
    return float(max(abs(first), abs(second), abs(third)))


@kernel
def find_facets(boxes: Array, corners: Array, points: Array, out_facets: IntArray, out_away: Array) -> None:
    """Find the triangle of a tree that is nearest to each point, and how far it is."""
    stack = np.empty(64, dtype=np.int64)
    first_leaf = boxes.shape[0] // 2
    for point in range(points.shape[0]):
        x, y, z = points[point, 0], points[point, 1], points[point, 2]
        best, found = np.inf, 0
        stack[0], depth = 0, 1
        while depth > 0:
            depth -= 1
            box = stack[depth]
            if squared_to_box(boxes, box, x, y, z) >= best:
                continue
            if box >= first_leaf:
                start = (box - first_leaf) * LEAF
                for triangle in range(start, min(start + LEAF, corners.shape[0])):
                    away = squared_distance(corners, triangle, x, y, z)
                    if away < best:
                        best, found = away, triangle
                continue
            left, right = 2 * box + 1, 2 * box + 2
            if squared_to_box(boxes, left, x, y, z) < squared_to_box(boxes, right, x, y, z):
                left, right = right, left
            stack[depth], stack[depth + 1] = left, right
            depth += 2
        out_facets[point], out_away[point] = found, np.sqrt(best)


@kernel
def carry(starts: IntArray, points: IntArray, values: Array, field: Array, out_field: Array) -> None:
    """Write the weighted sum of a field for each row of weights."""
    for row in range(starts.shape[0] - 1):
        for axis in range(field.shape[1]):
            total = 0.0
            for entry in range(starts[row], starts[row + 1]):
                total += values[entry] * field[points[entry], axis]
            out_field[row, axis] = total


@kernel
def add_spread(starts: IntArray, points: IntArray, values: Array, forces: Array, out_forces: Array) -> None:
    """Add to the points of each row their shares of its force."""
    for row in range(starts.shape[0] - 1):
        for entry in range(starts[row], starts[row + 1]):
            for axis in range(forces.shape[1]):
                out_forces[points[entry], axis] += values[entry] * forces[row, axis]
