"""Carries velocities and other fields along with the water.

Semi-Lagrangian (Stam 1999): the new value at x is the old one where the water at x came from, by a step of the midpoint
rule back through the velocities, interpolated linearly. MacCormack's (Selle et al. 2008) goes forth again from there
and takes half of what was lost as the error; a value outside those that were interpolated between is given up for the
semi-Lagrangian one. Positions are in cells from the grid's corner, steps in s / spacing.

Planes are dealt out to blocks that do not touch each other's numbers, so that the cores can take them in any order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel, parallel_kernel, prange
from engine.water.equation import Faces

BLOCKS = 8
_NEAR, _U, _V, _W = range(4)
LINES = 4


class Corners(NamedTuple):
    """Where each value has been interpolated: the first of eight samples."""

    u: IntArray
    v: IntArray
    w: IntArray


@inlined
def _split(x: float, count: int) -> tuple[int, float]:
    """Give the sample before x, of `count` samples at 0, 1, ..., and the share of the next one. Beyond the ends the
    ends hold."""
    x = min(max(x, 0.0), count - 1.0)
    i = max(min(int(x), count - 2), 0)
    return i, x - i


@inlined
def _blend(values: Array, at: int, plane: int, row: int, one: int, fx: float, fy: float, fz: float) -> float:
    """Interpolate between eight samples of a flat field, the first of them at `at`."""
    a, b, c, d = np.uint64(at), np.uint64(at + row), np.uint64(at + plane), np.uint64(at + plane + row)
    e, f = np.uint64(at + one), np.uint64(at + row + one)
    g, h = np.uint64(at + plane + one), np.uint64(at + plane + row + one)
    near = (values[a] + fz * (values[e] - values[a])) * (1.0 - fy) + (values[b] + fz * (values[f] - values[b])) * fy
    far = (values[c] + fz * (values[g] - values[c])) * (1.0 - fy) + (values[d] + fz * (values[h] - values[d])) * fy
    return float(near + fx * (far - near))


@inlined
def flat(velocities: Faces) -> Faces:
    """View velocities as flat arrays."""
    return Faces(velocities.u.ravel(), velocities.v.ravel(), velocities.w.ravel())


@inlined
def sample_velocity(
    flat_ones: Faces, nx: int, ny: int, nz: int, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Interpolate the velocity at a position in cells, between `flat` ones of a grid."""
    one, deep = min(1, nz - 1), min(1, nx - 1)
    i, fi = _split(x, nx + 1)
    j, fj = _split(y, ny + 1)
    k, fk = _split(z, nz + 1)
    a, fa = _split(x - 0.5, nx)
    b, fb = _split(y - 0.5, ny)
    c, fc = _split(z - 0.5, nz)
    u = _blend(flat_ones.u, (i * ny + b) * nz + c, ny * nz, nz, one, fi, fb, fc)
    v = _blend(flat_ones.v, (a * (ny + 1) + j) * nz + c, deep * (ny + 1) * nz, nz, one, fa, fj, fc)
    w = _blend(flat_ones.w, (a * ny + b) * (nz + 1) + k, deep * ny * (nz + 1), nz + 1, 1, fa, fb, fk)
    return u, v, w


@inlined
def _mean(a: Array, b: Array, c: Array, d: Array, out: Array) -> None:
    for k in range(len(a)):
        out[k] = 0.25 * ((a[k] + b[k]) + (c[k] + d[k]))


@inlined
def _copy_plane(given: Array, out: Array) -> None:
    for j in range(given.shape[0]):
        for k in range(given.shape[1]):
            out[j, k] = given[j, k]


@inlined
def _least(a: Array, b: Array, out: Array) -> float:
    """Write the lesser of each two; give the least of all."""
    least = np.inf
    for k in range(len(a)):
        out[k] = min(a[k], b[k])
    for k in range(len(a)):
        least = min(least, out[k])
    return least


@kernel
def _row(velocities: Faces, phi: Array, axis: int, i: int, j: int, band: float, lines: Array) -> bool:
    """Write the distance beside each inner face of a row and the velocity there; tell whether one is below `band`."""
    u, v, w = velocities
    nz = phi.shape[2]
    near = lines[_NEAR, 1:] if axis == 2 else lines[_NEAR, :nz]
    one = phi[i, j, 1:] if axis == 2 else phi[i, j, :nz]
    if not _least(one, phi[i - (axis == 0), j - (axis == 1)], near) < band:
        return False
    if axis == 0:
        own, to, first, second = u[i, j], lines[_U], lines[_V], lines[_W]
        a, b, c, d = v[i - 1, j], v[i, j], v[i - 1, j + 1], v[i, j + 1]
        e, f, g, h = w[i - 1, j, :nz], w[i, j, :nz], w[i - 1, j, 1:], w[i, j, 1:]
    elif axis == 1:
        own, to, first, second = v[i, j], lines[_V], lines[_U], lines[_W]
        a, b, c, d = u[i, j - 1], u[i + 1, j - 1], u[i, j], u[i + 1, j]
        e, f, g, h = w[i, j - 1, :nz], w[i, j, :nz], w[i, j - 1, 1:], w[i, j, 1:]
    else:
        own, to, first, second = w[i, j, 1:nz], lines[_W, 1:], lines[_U, 1:], lines[_V, 1:]
        a, b, c, d = u[i, j, : nz - 1], u[i + 1, j, : nz - 1], u[i, j, 1:], u[i + 1, j, 1:]
        e, f, g, h = v[i, j, : nz - 1], v[i, j + 1, : nz - 1], v[i, j, 1:], v[i, j + 1, 1:]
    for k in range(len(own)):
        to[k] = own[k]
    _mean(a, b, c, d, first)
    _mean(e, f, g, h, second)
    return True


@kernel
def carry_faces(
    given: Array,
    velocities: Faces,
    phi: Array,
    axis: int,
    step: float,
    band: float,
    block: int,
    lines: Array,
    corners: IntArray,
    out: Array,
) -> None:
    """Carry the velocities along one axis, semi-Lagrangian, at inner faces beside cells with distances below `band`;
    others are copied. Planes: each of BLOCKS from `block` on."""
    nx, ny, nz = given.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    dx, dy, dz = 0.5 - 0.5 * di, 0.5 - 0.5 * dj, 0.5 - 0.5 * dk
    values, half, one, plane = given.ravel(), 0.5 * step, min(1, nz - 1), ny * nz * min(1, nx - 1)
    flat_ones = flat(velocities)
    cx, cy, cz = phi.shape
    for i in range(block, nx, BLOCKS):
        _copy_plane(given[i], out[i])
        for j in range(dj, ny - dj):
            if i < di or i >= nx - di or not _row(velocities, phi, axis, i, j, band, lines):
                continue
            for k in range(dk, nz - dk):
                if lines[_NEAR, k] >= band:
                    continue
                x, y, z = i + dx, j + dy, k + dz
                u, v, w = sample_velocity(
                    flat_ones, cx, cy, cz, x - half * lines[_U, k], y - half * lines[_V, k], z - half * lines[_W, k]
                )
                a, fx = _split(x - step * u - dx, nx)
                b, fy = _split(y - step * v - dy, ny)
                c, fz = _split(z - step * w - dz, nz)
                at = (a * ny + b) * nz + c
                out[i, j, k] = _blend(values, at, plane, nz, one, fx, fy, fz)
                corners[i, j, k] = at


@kernel
def correct_faces(
    given: Array,
    carried: Array,
    velocities: Faces,
    phi: Array,
    axis: int,
    step: float,
    block: int,
    lines: Array,
    corners: IntArray,
    out: Array,
) -> None:
    """Correct what `carry_faces` has carried, by MacCormack's method, at inner faces of wet cells, and copy others."""
    nx, ny, nz = given.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    dx, dy, dz = 0.5 - 0.5 * di, 0.5 - 0.5 * dj, 0.5 - 0.5 * dk
    values, there, half = given.ravel(), carried.ravel(), 0.5 * step
    one, plane = min(1, nz - 1), ny * nz * min(1, nx - 1)
    flat_ones = flat(velocities)
    cx, cy, cz = phi.shape
    for i in range(block, nx, BLOCKS):
        _copy_plane(carried[i], out[i])
        for j in range(dj, ny - dj):
            if i < di or i >= nx - di or not _row(velocities, phi, axis, i, j, 0.0, lines):
                continue
            for k in range(dk, nz - dk):
                if lines[_NEAR, k] >= 0.0:
                    continue
                x, y, z = i + dx, j + dy, k + dz
                u, v, w = sample_velocity(
                    flat_ones, cx, cy, cz, x + half * lines[_U, k], y + half * lines[_V, k], z + half * lines[_W, k]
                )
                a, fx = _split(x + step * u - dx, nx)
                b, fy = _split(y + step * v - dy, ny)
                c, fz = _split(z + step * w - dz, nz)
                again = _blend(there, (a * ny + b) * nz + c, plane, nz, one, fx, fy, fz)
                value = carried[i, j, k] + 0.5 * (given[i, j, k] - again)
                low, high = _bounds(values, corners[i, j, k], plane, nz, one)
                out[i, j, k] = value if low <= value <= high else carried[i, j, k]


@inlined
def _bounds(values: Array, at: int, plane: int, row: int, one: int) -> tuple[float, float]:
    """Give the least and the largest of the samples that `_blend` interpolates between."""
    low = high = values[np.uint64(at)]
    for side in range(1, 8):
        other = values[np.uint64(at + (side & 1) * one + (side >> 1 & 1) * row + (side >> 2) * plane)]
        low, high = min(low, other), max(high, other)
    return low, high


@parallel_kernel
def carry(velocities: Faces, phi: Array, step: float, band: float, lines: Array, corners: Corners, out: Faces) -> None:
    """Carry all velocities along, semi-Lagrangian. lines: [BLOCKS, LINES, longest row]."""
    for block in prange(BLOCKS):
        own = lines[block]
        carry_faces(velocities.u, velocities, phi, 0, step, band, block, own, corners.u, out.u)
        carry_faces(velocities.v, velocities, phi, 1, step, band, block, own, corners.v, out.v)
        carry_faces(velocities.w, velocities, phi, 2, step, band, block, own, corners.w, out.w)


@parallel_kernel
def correct(
    velocities: Faces, carried: Faces, phi: Array, step: float, lines: Array, corners: Corners, out: Faces
) -> None:
    """Correct what was carried, by MacCormack's method."""
    for block in prange(BLOCKS):
        own = lines[block]
        correct_faces(velocities.u, carried.u, velocities, phi, 0, step, block, own, corners.u, out.u)
        correct_faces(velocities.v, carried.v, velocities, phi, 1, step, block, own, corners.v, out.v)
        correct_faces(velocities.w, carried.w, velocities, phi, 2, step, block, own, corners.w, out.w)
