"""Directions in which a bone may point, and its twist: elliptic cones and polygons on the sphere.

The turns of three hinges are R = R(axis 0, p0) R(axis 1, p1) R(axis 2, p2). With u along the bone at rest, R u is where
it points; R is the swing that takes u there by the shortest way, after a twist about u (Baerlocher 2001, the angles
tau = 2 atan2(v.u, w) of R's quaternion (w, v), and the swing's rotation vector s across u).

What is measured here is 0 on the boundary, negative inside, continuous around the boundary [rad], but no distance in
Euler space. Symbols: p angles [rad], u the axis, tau the twist, s the swing.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np

from engine.document.limit import ConeRange, PolygonRange, swing_axes
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from engine.runtime.jit import kernel

_HALVINGS = 16
# Of `numbers`.
_AXIS, _ACROSS, _ASIDE, _SWING, _TWIST = 0, 3, 6, 9, 11
_WHOLE = 13


class Pointing(NamedTuple):
    """A cone or a polygon as kernels read it."""

    axes: Array  # of the hinges, unit, shape [3, 3]
    numbers: Array
    corners: Array  # of the polygon and the normals of the great circles from each to the next, shape [n, 6]


def across(axis: Array) -> tuple[Array, Array]:
    """The two directions across a cone's axis that its swings are about."""
    first, second = swing_axes((float(axis[0]), float(axis[1]), float(axis[2])))
    return np.array(first), np.array(second)


def pointing(limits: ConeRange | PolygonRange, axes: Array) -> Pointing:
    """Pack a cone or polygon for kernels; refuse a polygon that has no inside."""
    numbers = np.zeros(_WHOLE)
    axis = np.array(limits.axis)
    numbers[_AXIS : _AXIS + 3] = axis
    numbers[_ACROSS : _ACROSS + 3], numbers[_ASIDE : _ASIDE + 3] = across(axis)
    lower, upper = limits.twist
    numbers[_TWIST : _TWIST + 2] = 0.5 * (lower + upper), 0.5 * (upper - lower)
    corners = np.empty((0, 6))
    if isinstance(limits, ConeRange):
        numbers[_SWING : _SWING + 2] = limits.swing
    else:
        corners = _polygon(np.array(limits.corners))
    unit = np.asarray(axes, dtype=np.float64) / np.linalg.norm(axes, axis=1)[:, None]
    return Pointing(unit, numbers, corners)


def _polygon(corners: Array) -> Array:
    following = np.roll(corners, -1, axis=0)
    normals = np.cross(corners, following)
    lengths = np.linalg.norm(normals, axis=1)
    for at in np.flatnonzero(lengths < 1e-6):
        found = "repeated" if corners[at] @ following[at] > 0.0 else "opposite"
        pair = f"from corner {at + 1} to {(at + 1) % len(corners) + 1}, which are {found}"
        raise InvalidDocument(what="a side of a polygon", value=pair, allowed="more than 0 and less than half a turn")
    for i, j in combinations(range(len(corners)), 2):
        if (i + 1) % len(corners) != j and (j + 1) % len(corners) != i and _cross(corners, following, normals, i, j):
            found = f"one whose sides {i + 1} and {j + 1} cross"
            raise InvalidDocument(what="the polygon of a limit", value=found, allowed="sides that do not cross")
    return np.concatenate((corners, normals / lengths[:, None]), axis=1)


def _cross(starts: Array, ends: Array, normals: Array, i: int, j: int) -> bool:
    """Tell whether two arcs of great circles cross."""
    a, b = normals[i] @ starts[j], normals[i] @ ends[j]
    c, d = normals[j] @ starts[i], normals[j] @ ends[i]
    return bool(a * b < 0.0 and c * d < 0.0 and a * d > 0.0)


@kernel
def fill_pointing(axes: Array, numbers: Array, corners: Array, lower: Array, spacing: Array, out_values: Array) -> None:
    """The measure at each node of a grid."""
    p = np.empty(3)
    for i in range(out_values.shape[0]):
        p[0] = lower[0] + i * spacing[0]
        for j in range(out_values.shape[1]):
            p[1] = lower[1] + j * spacing[1]
            for k in range(out_values.shape[2]):
                p[2] = lower[2] + k * spacing[2]
                out_values[i, j, k] = measure_pointing(axes, numbers, corners, p)


@kernel
def sharpen_crossings(
    axes: Array, numbers: Array, corners: Array, lower: Array, spacing: Array, out_points: Array
) -> None:
    """Move points between two neighbouring nodes to where the measure is 0, by halving."""
    for point in range(out_points.shape[0]):
        p = out_points[point]
        axis, farthest = 0, -1.0
        for each in range(3):
            place = (p[each] - lower[each]) / spacing[each]
            if abs(place - round(place)) > farthest:
                axis, farthest = each, abs(place - round(place))
        cell = math.floor((p[axis] - lower[axis]) / spacing[axis])
        inner, outer = lower[axis] + cell * spacing[axis], lower[axis] + (cell + 1) * spacing[axis]
        p[axis] = inner
        if measure_pointing(axes, numbers, corners, p) > 0.0:
            inner, outer = outer, inner
        for _ in range(_HALVINGS):
            p[axis] = 0.5 * (inner + outer)
            if measure_pointing(axes, numbers, corners, p) <= 0.0:
                inner = p[axis]
            else:
                outer = p[axis]
        p[axis] = 0.5 * (inner + outer)


@kernel
def measure_pointing(axes: Array, numbers: Array, corners: Array, p: Array) -> float:
    """The larger of what swing and twist have beyond their range [rad]."""
    w, x, y, z = 1.0, 0.0, 0.0, 0.0
    for hinge in range(3):
        c, s = math.cos(0.5 * p[hinge]), math.sin(0.5 * p[hinge])
        a, b, d = s * axes[hinge, 0], s * axes[hinge, 1], s * axes[hinge, 2]
        w, x, y, z = (
            w * c - x * a - y * b - z * d,
            w * a + x * c + y * d - z * b,
            w * b - x * d + y * c + z * a,
            w * d + x * b - y * a + z * c,
        )
    ux, uy, uz = numbers[_AXIS], numbers[_AXIS + 1], numbers[_AXIS + 2]
    along = x * ux + y * uy + z * uz
    twist = 2.0 * math.atan2(along, w) - numbers[_TWIST]
    twist -= 2.0 * math.pi * math.floor(twist / (2.0 * math.pi) + 0.5)
    turned = abs(twist) - numbers[_TWIST + 1] if numbers[_TWIST + 1] < math.pi else -math.pi
    tx, ty, tz = 2.0 * (y * uz - z * uy), 2.0 * (z * ux - x * uz), 2.0 * (x * uy - y * ux)
    dx, dy, dz = ux + w * tx + y * tz - z * ty, uy + w * ty + z * tx - x * tz, uz + w * tz + x * ty - y * tx
    if corners.shape[0] > 0:
        return max(turned, _outside_polygon(corners, dx, dy, dz))
    sx, sy, sz = uy * dz - uz * dy, uz * dx - ux * dz, ux * dy - uy * dx
    sine = math.sqrt(sx * sx + sy * sy + sz * sz)
    angle = math.atan2(sine, ux * dx + uy * dy + uz * dz)
    first, second = numbers[_SWING], numbers[_SWING + 1]
    if min(first, second) >= math.pi:
        return turned
    scale = angle / sine if sine > 1e-12 else 0.0
    s1 = scale * (sx * numbers[_ACROSS] + sy * numbers[_ACROSS + 1] + sz * numbers[_ACROSS + 2])
    s2 = scale * (sx * numbers[_ASIDE] + sy * numbers[_ASIDE + 1] + sz * numbers[_ASIDE + 2])
    if sine <= 1e-12 and angle > 1.0:  # opposite: every way there is as short
        s1 = angle
    swung = min(first, second) * (math.sqrt((s1 / first) ** 2 + (s2 / second) ** 2) - 1.0)
    return float(max(turned, swung))


@kernel
def _outside_polygon(corners: Array, x: float, y: float, z: float) -> float:
    """Distance on the sphere to the polygon's sides [rad], negative on their left, which is inside.

    At a corner the two normals together tell the side (Baerentzen and Aanaes 2005).
    """
    count = corners.shape[0]
    nearest, side = 10.0, 0.0
    for each in range(count):
        following, before = (each + 1) % count, (each + count - 1) % count
        ax, ay, az = corners[each, 0], corners[each, 1], corners[each, 2]
        bx, by, bz = corners[following, 0], corners[following, 1], corners[following, 2]
        nx, ny, nz = corners[each, 3], corners[each, 4], corners[each, 5]
        over = nx * x + ny * y + nz * z
        after = x * (ny * az - nz * ay) + y * (nz * ax - nx * az) + z * (nx * ay - ny * ax)
        ahead = x * (by * nz - bz * ny) + y * (bz * nx - bx * nz) + z * (bx * ny - by * nx)
        if after >= 0.0 and ahead >= 0.0:
            distance = abs(math.asin(min(1.0, max(-1.0, over))))
            if distance < nearest:
                nearest, side = distance, over
        else:
            distance = math.acos(min(1.0, max(-1.0, ax * x + ay * y + az * z)))
            if distance < nearest:
                nearest = distance
                side = over + corners[before, 3] * x + corners[before, 4] * y + corners[before, 5] * z
    return float(-nearest if side > 0.0 else nearest)
