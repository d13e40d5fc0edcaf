"""Winding numbers of a surface about many points, by a tree of dipoles: Barill et al. 2018, "Fast winding numbers".

The winding number of a triangle about a point is its solid angle over 4 pi (van Oosterom and Strackee 1983). Triangles
further off than `FAR` times their box's radius are taken together as one dipole, the sum of their areas times normals
at the middle of these areas: sum n . (c - p) / (4 pi |c - p|^3). Nearer ones are summed exactly, so that the error,
below 0.01, stays far from the half that tells inside from outside.
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.triangles import LEAF, build_tree
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

FAR = 3.0


def winding_numbers(positions: Array, triangles: IntArray, points: Array) -> Array:
    """Compute how often a surface winds around each of some points; between whole numbers where it has holes."""
    tree = build_tree(positions[triangles])
    dipoles, found = np.zeros((len(tree.boxes), 8)), np.zeros(len(points))
    sum_dipoles(tree.boxes, tree.corners, dipoles)
    add_windings(tree.corners, dipoles, np.ascontiguousarray(points, dtype=np.float64), found)
    return found


@kernel
def sum_dipoles(boxes: Array, corners: Array, out_dipoles: Array) -> None:
    """Write of each box areas times normals, their middle, their sum, and the radius about the middle."""
    first_leaf = boxes.shape[0] // 2
    for box in range(boxes.shape[0] - 1, -1, -1):
        sums = out_dipoles[box]
        if box >= first_leaf:
            start = (box - first_leaf) * LEAF
            for row in range(start, min(start + LEAF, corners.shape[0])):
                add_triangle(corners[row], sums)
        else:
            for child in range(2 * box + 1, 2 * box + 3):
                area = out_dipoles[child, 6]
                for axis in range(3):
                    sums[axis] += out_dipoles[child, axis]
                    sums[3 + axis] += area * out_dipoles[child, 3 + axis]
                sums[6] += area
        if sums[6] > 0.0:
            square = 0.0
            for axis in range(3):
                sums[3 + axis] /= sums[6]
                reach = max(sums[3 + axis] - boxes[box, axis], boxes[box, 3 + axis] - sums[3 + axis])
                square += reach * reach
            sums[7] = math.sqrt(square)


@kernel
def add_triangle(corners: Array, out_sums: Array) -> None:
    """Add a triangle's area times normal, its middle times area, and its area."""
    ux, uy, uz = corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2]
    vx, vy, vz = corners[6] - corners[0], corners[7] - corners[1], corners[8] - corners[2]
    nx, ny, nz = 0.5 * (uy * vz - uz * vy), 0.5 * (uz * vx - ux * vz), 0.5 * (ux * vy - uy * vx)
    area = math.sqrt(nx * nx + ny * ny + nz * nz)
    out_sums[0] += nx
    out_sums[1] += ny
    out_sums[2] += nz
    for axis in range(3):
        out_sums[3 + axis] += area * (corners[axis] + corners[3 + axis] + corners[6 + axis]) / 3.0
    out_sums[6] += area


@kernel
def add_windings(corners: Array, dipoles: Array, points: Array, out_windings: Array) -> None:
    """Add to each point's number those of all triangles."""
    stack = np.empty(64, dtype=np.int64)
    first_leaf = dipoles.shape[0] // 2
    for point in range(points.shape[0]):
        x, y, z = points[point, 0], points[point, 1], points[point, 2]
        total = 0.0
        stack[0], depth = 0, 1
        while depth > 0:
            depth -= 1
            box = stack[depth]
            if dipoles[box, 6] <= 0.0:
                continue
            dx, dy, dz = dipoles[box, 3] - x, dipoles[box, 4] - y, dipoles[box, 5] - z
            square = dx * dx + dy * dy + dz * dz
            if square > (FAR * dipoles[box, 7]) ** 2:
                along = dipoles[box, 0] * dx + dipoles[box, 1] * dy + dipoles[box, 2] * dz
                total += along / (square * math.sqrt(square))
            elif box < first_leaf:
                stack[depth], stack[depth + 1] = 2 * box + 1, 2 * box + 2
                depth += 2
            else:
                start = (box - first_leaf) * LEAF
                for row in range(start, min(start + LEAF, corners.shape[0])):
                    total += solid_angle(corners, row, x, y, z)
        out_windings[point] += total / (4.0 * math.pi)


@kernel
def solid_angle(corners: Array, row: int, x: float, y: float, z: float) -> float:
    """Compute the solid angle under which a triangle is seen, above zero from behind."""
    ax, ay, az = corners[row, 0] - x, corners[row, 1] - y, corners[row, 2] - z
    bx, by, bz = corners[row, 3] - x, corners[row, 4] - y, corners[row, 5] - z
    cx, cy, cz = corners[row, 6] - x, corners[row, 7] - y, corners[row, 8] - z
    volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    na, nb = math.sqrt(ax * ax + ay * ay + az * az), math.sqrt(bx * bx + by * by + bz * bz)
    nc = math.sqrt(cx * cx + cy * cy + cz * cz)
    ab, bc, ca = ax * bx + ay * by + az * bz, bx * cx + by * cy + bz * cz, cx * ax + cy * ay + cz * az
    return float(2.0 * math.atan2(volume, na * nb * nc + ab * nc + bc * na + ca * nb))
