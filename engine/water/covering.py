"""Bodies on a height field: how much of each column they fill below a level, and how its water presses on them.

Both are integrated exactly over the part of each triangle that is in the column and below the level. The thickness of
closed surfaces is the sum of the depths of their triangles, negative for those that look up, so that the thickness
times a column's area adds up to the displaced volume. Pressure rho g depth is put on vertices by their barycentric
coordinates, as in hydrostatics.py. The outermost columns reach beyond the walls.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray, LongArray
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

_CORNERS, _NUMBERS = 8, 5  # of a triangle that five planes cut: x, depth, z, two barycentric coordinates


@kernel
def cover_columns(points: Array, triangles: IntArray, levels: Array, room: Array, out_thickness: Array) -> None:
    """Add the mean thickness [m] of surfaces below the level of each column. room: x and z of the corner, spacing."""
    _cover(points, triangles, levels, room, np.empty((2, _CORNERS, _NUMBERS)), np.empty(4, np.int64), out_thickness)


@borrowing
@kernel
def _cover(
    points: Array,
    triangles: IntArray,
    levels: Array,
    room: Array,
    polygons: Array,
    span: LongArray,
    out_thickness: Array,
) -> None:
    for triangle in range(triangles.shape[0]):
        corners = triangles[triangle]
        a, b, c = points[corners[0]], points[corners[1]], points[corners[2]]
        up = 0.5 * ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])) / room[2] ** 2
        if up == 0.0:
            continue
        find_span(points, corners, levels.shape, room, span)
        for i in range(span[0], span[1] + 1):
            for k in range(span[2], span[3] + 1):
                if min(a[1], b[1], c[1]) >= levels[i, k]:
                    continue
                count, which = cut_triangle(points, corners, (i, k), levels, room, polygons)
                cut = polygons[which]
                for last in range(2, count):
                    one, two, three = cut[0], cut[last - 1], cut[last]
                    area = (two[3] - one[3]) * (three[4] - one[4]) - (two[4] - one[4]) * (three[3] - one[3])
                    out_thickness[i, k] -= up * area * (one[1] + two[1] + three[1]) / 3.0


@kernel
def press_columns(
    points: Array, triangles: IntArray, levels: Array, room: Array, weight: float, out_forces: Array
) -> None:
    """Add the forces of still pressure below the level of each column to vertices [N]; weight: rho g [N/m3]."""
    numbers, span = np.empty((2, _CORNERS, _NUMBERS)), np.empty(4, np.int64)
    _press(points, triangles, levels, room, weight, numbers, span, np.empty((3, 3)), out_forces)


@borrowing
@kernel
def _press(
    points: Array,
    triangles: IntArray,
    levels: Array,
    room: Array,
    weight: float,
    polygons: Array,
    span: LongArray,
    part: Array,
    out_forces: Array,
) -> None:
    for triangle in range(triangles.shape[0]):
        corners = triangles[triangle]
        a, b, c = points[corners[0]], points[corners[1]], points[corners[2]]
        normal = (
            (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
            (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
        )  # twice the area
        find_span(points, corners, levels.shape, room, span)
        for i in range(span[0], span[1] + 1):
            for k in range(span[2], span[3] + 1):
                if min(a[1], b[1], c[1]) >= levels[i, k]:
                    continue
                count, which = cut_triangle(points, corners, (i, k), levels, room, polygons)
                cut = polygons[which]
                for last in range(2, count):
                    for row in range(3):
                        corner = 0 if row == 0 else last - 2 + row
                        part[row, 0], part[row, 1], part[row, 2] = cut[corner, 3], cut[corner, 4], cut[corner, 1]
                    one, two, three = part[0], part[1], part[2]
                    area = (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])
                    total = one[2] + two[2] + three[2]
                    for corner_of in range(3):
                        moment = 0.0
                        shares = 0.0
                        for row in range(3):
                            share = 1.0 - part[row, 0] - part[row, 1] if corner_of == 0 else part[row, corner_of - 1]
                            moment, shares = moment + part[row, 2] * share, shares + share
                        push = -weight * area * (moment + total * shares) / 24.0
                        for axis in range(3):
                            out_forces[corners[corner_of], axis] += push * normal[axis]


@borrowing
@kernel
def find_span(points: Array, corners: IntArray, shape: tuple[int, int], room: Array, out: LongArray) -> None:
    """Find the first and last columns that a triangle reaches, along x and z."""
    for turn in range(2):
        axis, most = 2 * turn, shape[turn] - 1
        a, b, c = points[corners[0], axis], points[corners[1], axis], points[corners[2], axis]
        low, high = (min(a, b, c) - room[turn]) / room[2], (max(a, b, c) - room[turn]) / room[2]
        out[2 * turn] = min(max(int(np.floor(low)), 0), most)
        out[2 * turn + 1] = min(max(int(np.floor(high)), 0), most)


@borrowing
@kernel
def cut_triangle(
    points: Array, corners: IntArray, column: tuple[int, int], levels: Array, room: Array, polygons: Array
) -> tuple[int, int]:
    """Keep the part of a triangle that is in a column and below its level; how many corners it has, and which of the
    polygons it is."""
    (i, k), (nx, nz) = column, levels.shape
    first = polygons[0]
    for way in range(3):
        corner = corners[way]
        first[way, 0] = (points[corner, 0] - room[0]) / room[2] - i
        first[way, 1] = levels[i, k] - points[corner, 1]
        first[way, 2] = (points[corner, 2] - room[1]) / room[2] - k
        first[way, 3], first[way, 4] = 1.0 if way == 1 else 0.0, 1.0 if way == 2 else 0.0
    count, which, whole = 3, 0, True
    for way in range(3):
        whole = whole and first[way, 1] > 0.0
    if not whole:
        count, which = cut_polygon(first, 3, 1, 1.0, 0.0, polygons[1]), 1
    for side in range(4):
        axis, low, last = (0 if side < 2 else 2), side % 2 == 0, (nx if side < 2 else nz) - 1
        place = i if side < 2 else k
        if count == 0 or (low and place == 0) or (not low and place == last):
            continue
        within = True
        for corner_of in range(count):
            at = polygons[which, corner_of, axis]
            within = within and (at >= 0.0 if low else at <= 1.0)
        if within:
            continue
        way_in, bound = (1.0, 0.0) if low else (-1.0, 1.0)
        count = cut_polygon(polygons[which], count, axis, way_in, bound, polygons[1 - which])
        which = 1 - which
    return count, which


@borrowing
@kernel
def cut_polygon(polygon: Array, count: int, axis: int, way: float, bound: float, out: Array) -> int:
    """Keep the part of a convex polygon where bound + way x is above zero along an axis; how many corners it has."""
    kept = 0
    for corner in range(count):
        after = corner + 1 if corner + 1 < count else 0
        here, there = bound + way * polygon[corner, axis], bound + way * polygon[after, axis]
        if here > 0.0:
            for number in range(_NUMBERS):
                out[kept, number] = polygon[corner, number]
            kept += 1
        if (here > 0.0) != (there > 0.0):
            share = here / (here - there)
            for number in range(_NUMBERS):
                out[kept, number] = polygon[corner, number] + share * (polygon[after, number] - polygon[corner, number])
            kept += 1
    return kept


@borrowing
@kernel
def drag_triangles(
    points: Array,
    velocities: Array,
    triangles: IntArray,
    depths: Array,
    flow: tuple[Array, Array],
    room: Array,
    half_density: float,
    out_forces: Array,
) -> None:
    """Add the drag on triangles that move into the water, rho / 2 (n . v)^2 of their wet part along the inward normal,
    to their vertices. flow: velocities of columns along x and z [m/s]."""
    u, w = flow
    nx, nz = u.shape
    for triangle in range(triangles.shape[0]):
        corners = triangles[triangle]
        deepest, highest = -np.inf, np.inf
        for way in range(3):
            deepest, highest = max(deepest, depths[corners[way]]), min(highest, depths[corners[way]])
        if deepest <= 0.0:
            continue
        wet = 1.0 if highest >= 0.0 else deepest / (deepest - highest)
        a, b, c = points[corners[0]], points[corners[1]], points[corners[2]]
        i = min(max(int(((a[0] + b[0] + c[0]) / 3.0 - room[0]) / room[2]), 0), nx - 1)
        k = min(max(int(((a[2] + b[2] + c[2]) / 3.0 - room[1]) / room[2]), 0), nz - 1)
        normal = (
            (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
            (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
        )
        twice = np.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
        if twice == 0.0:
            continue
        into = 0.0
        for axis in range(3):
            own = (velocities[corners[0], axis] + velocities[corners[1], axis] + velocities[corners[2], axis]) / 3.0
            water = u[i, k] if axis == 0 else (w[i, k] if axis == 2 else 0.0)
            into += normal[axis] / twice * (own - water)
        if into <= 0.0:
            continue
        push = -half_density * into * into * wet / 6.0
        for way in range(3):
            for axis in range(3):
                out_forces[corners[way], axis] += push * normal[axis]
