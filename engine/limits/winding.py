"""The nodes of a grid that a closed surface winds around.

Rays along the last axis count what they cross. They stand a trifle beside the nodes, so that they meet no corner; the
few nodes that the surface is as near to as that have their solid angle computed (van Oosterom and Strackee 1983).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.limits.triangles import in_space
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

BESIDE = np.array([7.318e-6, 4.142e-6, 5.772e-6])  # of a cell
NEAR = 2e-5  # of a cell: nearer than rays stand beside the nodes


def is_within(
    counts: tuple[int, ...], lower: Array, spacing: Array, positions: Array, faces: IntArray, shifts: Array
) -> NDArray[np.bool_]:
    """Tell whether a surface, or one moved by one of `shifts`, winds around each node; for two or three angles."""
    size = len(counts)
    turns = np.zeros(counts, dtype=np.int32)
    origin = lower + BESIDE[3 - size :] * spacing
    for shift in shifts[:, :size]:
        moved = positions + shift
        if (moved.max(axis=0) < lower).any() or (moved.min(axis=0) > lower + spacing * counts).any():
            continue
        if size == 3:
            count_piercings(moved, faces, origin, spacing, turns)
        else:
            count_passings(moved, faces, origin, spacing, turns)
    return np.asarray(np.cumsum(turns, axis=-1) > 0)


def winds_around(positions: Array, faces: IntArray, points: Array, shifts: Array) -> NDArray[np.bool_]:
    """Tell whether a surface winds around each of some points, going through all faces for each."""
    turns = np.zeros(len(points))
    for shift in shifts:
        add_turns(in_space(positions) + shift, faces, in_space(points), turns)
    return np.asarray(turns > 0.5)


@kernel
def count_piercings(positions: Array, faces: IntArray, origin: Array, spacing: Array, out_turns: IntArray) -> None:
    """Add to each first node behind a triangle, along the last axis, 1 where the ray enters and -1 where it leaves."""
    counts = out_turns.shape
    first, last = np.empty(2, dtype=np.int64), np.empty(2, dtype=np.int64)
    for face in range(faces.shape[0]):
        a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
        for axis in range(2):
            low = min(positions[a, axis], positions[b, axis], positions[c, axis])
            high = max(positions[a, axis], positions[b, axis], positions[c, axis])
            first[axis] = max(0, math.ceil((low - origin[axis]) / spacing[axis]))
            last[axis] = min(counts[axis] - 1, math.floor((high - origin[axis]) / spacing[axis]))
        for i in range(first[0], last[0] + 1):
            x = origin[0] + i * spacing[0]
            for j in range(first[1], last[1] + 1):
                y = origin[1] + j * spacing[1]
                to_c, to_a, to_b = (
                    side_of(positions, a, b, x, y),
                    side_of(positions, b, c, x, y),
                    side_of(positions, c, a, x, y),
                )
                upwards = to_a > 0.0 and to_b > 0.0 and to_c > 0.0
                if not (upwards or (to_a < 0.0 and to_b < 0.0 and to_c < 0.0)):
                    continue
                total = to_a + to_b + to_c
                z = (to_a * positions[a, 2] + to_b * positions[b, 2] + to_c * positions[c, 2]) / total
                k = max(0, math.floor((z - origin[2]) / spacing[2]) + 1)
                if k < counts[2]:
                    out_turns[i, j, k] += -1 if upwards else 1


@kernel
def side_of(positions: Array, a: int, b: int, x: float, y: float) -> float:
    """Twice the signed area of two vertices and a point, of exactly the other sign for the two the other way round."""
    sign = 1.0
    if a > b:
        a, b, sign = b, a, -1.0
    ax, ay = positions[a, 0], positions[a, 1]
    return float(sign * ((positions[b, 0] - ax) * (y - ay) - (positions[b, 1] - ay) * (x - ax)))


@kernel
def count_passings(positions: Array, lines: IntArray, origin: Array, spacing: Array, out_turns: IntArray) -> None:
    """Add to each first node behind a line, along the last axis, 1 where the ray enters and -1 where it leaves."""
    counts = out_turns.shape
    for line in range(lines.shape[0]):
        a, b = lines[line, 0], lines[line, 1]
        ax, bx = positions[a, 0], positions[b, 0]
        first = max(0, math.ceil((min(ax, bx) - origin[0]) / spacing[0]))
        last = min(counts[0] - 1, math.floor((max(ax, bx) - origin[0]) / spacing[0]))
        for i in range(first, last + 1):
            x = origin[0] + i * spacing[0]
            if (ax > x) == (bx > x):
                continue
            y = positions[a, 1] + (x - ax) / (bx - ax) * (positions[b, 1] - positions[a, 1])
            j = max(0, math.floor((y - origin[1]) / spacing[1]) + 1)
            if j < counts[1]:
                out_turns[i, j] += 1 if bx > ax else -1


@kernel
def add_turns(positions: Array, faces: IntArray, points: Array, out_turns: Array) -> None:
    """Add how often the faces wind around each point: solid angles over 4 pi, or angles over 2 pi."""
    for point in range(points.shape[0]):
        px, py, pz = points[point, 0], points[point, 1], points[point, 2]
        total = 0.0
        for face in range(faces.shape[0]):
            a, b = positions[faces[face, 0]], positions[faces[face, 1]]
            ax, ay, az = a[0] - px, a[1] - py, a[2] - pz
            bx, by, bz = b[0] - px, b[1] - py, b[2] - pz
            if faces.shape[1] == 2:
                total += math.atan2(ax * by - ay * bx, ax * bx + ay * by) / (2.0 * math.pi)
                continue
            c = positions[faces[face, 2]]
            cx, cy, cz = c[0] - px, c[1] - py, c[2] - pz
            volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
            na = math.sqrt(ax * ax + ay * ay + az * az)
            nb = math.sqrt(bx * bx + by * by + bz * bz)
            nc = math.sqrt(cx * cx + cy * cy + cz * cz)
            ab, bc, ca = ax * bx + ay * by + az * bz, bx * cx + by * cy + bz * cz, cx * ax + cy * ay + cz * az
            total += 2.0 * math.atan2(volume, na * nb * nc + ab * nc + bc * na + ca * nb) / (4.0 * math.pi)
        out_turns[point] += total
