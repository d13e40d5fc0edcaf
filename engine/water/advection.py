"""Carries velocities and other fields along with the water.

Semi-Lagrangian (Stam 1999): the new value at x is the old one where the water at x came from, by a step of the midpoint
rule back through the velocities, interpolated linearly. MacCormack's (Selle et al. 2008) goes forth again from there
and takes half of what was lost as the error; a value outside those that were interpolated between is given up for the
semi-Lagrangian one. Positions are in cells from the grid's corner, steps in s / spacing.

Rows in which nothing goes farther than a cell are interpolated as a whole (blending.py), others number by number.
Planes are dealt out, a few at a time, to blocks that do not touch each other's numbers, so that the cores can take them
in any order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel, parallel_kernel, prange
from engine.water.blending import ROOM, blend_row, is_inside
from engine.water.equation import Faces

BLOCKS = 8
_NEAR, _U, _V, _W, _X, _Y, _Z, _HALF, _A, _B, _C, _ROOM = range(12)
LINES = _ROOM + ROOM
_MOST_PLANES = 4  # that a block takes at a time


class Corners(NamedTuple):
    """Where each value has been interpolated: the first of eight samples."""

    u: IntArray
    v: IntArray
    w: IntArray


@borrowing
@inlined
def _split(x: float, count: int) -> tuple[int, float]:
    """Give the sample before x, of `count` samples at 0, 1, ..., and the share of the next one. Beyond the ends the
    ends hold."""
    x = min(max(x, 0.0), count - 1.0)
    i = max(min(int(x), count - 2), 0)
    return i, x - i


@borrowing
@inlined
def _blend(values: Array, at: int, plane: int, row: int, one: int, fx: float, fy: float, fz: float) -> float:
    """Interpolate between eight samples of a flat field, the first of them at `at`."""
    a, b, c, d = np.uint64(at), np.uint64(at + row), np.uint64(at + plane), np.uint64(at + plane + row)
    e, f = np.uint64(at + one), np.uint64(at + row + one)
    g, h = np.uint64(at + plane + one), np.uint64(at + plane + row + one)
    near = (values[a] + fz * (values[e] - values[a])) * (1.0 - fy) + (values[b] + fz * (values[f] - values[b])) * fy
    far = (values[c] + fz * (values[g] - values[c])) * (1.0 - fy) + (values[d] + fz * (values[h] - values[d])) * fy
    return float(near + fx * (far - near))


@borrowing
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


@borrowing
@inlined
def _mean(a: Array, b: Array, c: Array, d: Array, out: Array) -> None:
    for k in range(len(a)):
        out[k] = 0.25 * ((a[k] + b[k]) + (c[k] + d[k]))


@borrowing
@inlined
def _copy_plane(given: Array, out: Array) -> None:
    for j in range(given.shape[0]):
        for k in range(given.shape[1]):
            out[j, k] = given[j, k]


@borrowing
@inlined
def _lesser(a: Array, b: Array, band: float, out: Array) -> int:
    """Write the lesser of each two; give how many are below `band`."""
    found = 0
    for k in range(len(a)):
        out[k] = min(a[k], b[k])
    for k in range(len(a)):
        found += out[k] < band
    return found


@borrowing
@kernel
def _row(velocities: Faces, phi: Array, axis: int, i: int, j: int, band: float, lines: Array) -> bool:
    """Write the distance beside each inner face of a row and the velocity there; tell whether one is below `band`."""
    u, v, w = velocities
    nz = phi.shape[2]
    near = lines[_NEAR, 1:] if axis == 2 else lines[_NEAR, :nz]
    one = phi[i, j, 1:] if axis == 2 else phi[i, j, :nz]
    if _lesser(one, phi[i - (axis == 0), j - (axis == 1)], band, near) == 0:
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


@borrowing
@inlined
def _planes(count: int) -> int:
    """Give how many planes next to each other a block takes."""
    return min(max(count // (2 * BLOCKS), 1), _MOST_PLANES)


@borrowing
@inlined
def _wet(near: Array, first: int, end: int, band: float) -> tuple[int, int]:
    """Give where the faces of a row begin and end that are beside cells with distances below `band`."""
    while first < end and near[first] >= band:
        first += 1
    while end > first and near[end - 1] >= band:
        end -= 1
    return first, end


@borrowing
@inlined
def _times(given: Array, by: float, most: float, out: Array) -> int:
    """Write the product of a line; give how many numbers in it are larger than `most`."""
    found = 0
    for t in range(len(out)):
        out[t] = by * given[t]
    for t in range(len(out)):
        found += (out[t] > most) | (out[t] < -most)
    return found


@borrowing
@inlined
def _hold_ends(z: Array, is_first: bool, is_last: bool) -> None:
    """Keep places along a row from going beyond its ends."""
    if is_first:
        z[0] = min(z[0], 0.0)
    if is_last:
        z[-1] = max(z[-1], 0.0)


@borrowing
@kernel
def _trace_row(
    flat_ones: Faces,
    cells: tuple[int, int, int],
    axis: int,
    place: tuple[int, int, int, int],
    step: float,
    lines: Array,
) -> int:
    """Write how far the water of a row comes from [cells], from its face k on; give how many there are, none if some
    come from farther than a cell. place: i, j, k, where the row ends; velocities in `lines` are those of the row."""
    i, j, k, end = place
    nx, ny, nz = cells
    count, room = end - k, lines[_ROOM:]
    x, y, z, half = lines[_X, :count], lines[_Y, :count], lines[_Z, :count], lines[_HALF, :count]
    a, b, c = lines[_A, :count], lines[_B, :count], lines[_C, :count]
    far = _times(lines[_U, k:end], 0.5 * step, 0.5, x) + _times(lines[_V, k:end], 0.5 * step, 0.5, y)
    if far + _times(lines[_W, k:end], 0.5 * step, 0.5, z) > 0:
        return 0
    for t in range(count):
        half[t] = z[t] - 0.5
    if axis != 2:
        _hold_ends(z, k == 0, end == nz)
    own, other = (z, half) if axis == 2 else (half, z)
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    blend_row(flat_ones.u, (nx + 1, ny, nz), (i, j - dj, k - dk), (axis != 0, axis == 1), x, y, other, room, a)
    blend_row(flat_ones.v, (nx, ny + 1, nz), (i - di, j, k - dk), (axis == 0, axis != 1), x, y, other, room, b)
    blend_row(flat_ones.w, (nx, ny, nz + 1), (i - di, j - dj, k), (axis == 0, axis == 1), x, y, own, room, c)
    if _times(a, step, 1.0, x) + _times(b, step, 1.0, y) + _times(c, step, 1.0, z) > 0:
        return 0
    if axis != 2:
        _hold_ends(z, k == 0, end == nz)
    return count


@borrowing
@inlined
def _turning_point(at: int, count: int) -> float:
    """Give beyond which distance back a place at sample `at` of `count` lies before it; ends have one side."""
    if at == 0:
        return np.inf
    return -np.inf if at == count - 1 else 0.0


@borrowing
@inlined
def _note_corners(lines: Array, place: tuple[int, int, int, int], shape: tuple[int, int, int], out: IntArray) -> None:
    """Write where the samples around places begin."""
    i, j, k, end = place
    nx, ny, nz = shape
    x, y, z = lines[_X, : end - k], lines[_Y, : end - k], lines[_Z, : end - k]
    here, plane, one = (i * ny + j) * nz + k, ny * nz, min(1, nz - 1)
    across, up = _turning_point(i, nx), _turning_point(j, ny)
    for t in range(len(out)):
        back = (plane if x[t] > across else 0) + (nz if y[t] > up else 0) + (one if z[t] > 0.0 else 0)
        out[t] = here + t - back
    if end == nz and z[end - k - 1] == 0.0:
        out[end - k - 1] -= one


@borrowing
@inlined
def _put(near: Array, band: float, values: Array, out: Array) -> None:
    """Write the numbers at faces beside cells with distances below `band`."""
    for t in range(len(out)):
        out[t] = values[t] if near[t] < band else out[t]


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
    others are copied. The planes of one block."""
    values, each = given.ravel(), _planes(given.shape[0])
    flat_ones = Faces(velocities.u.ravel(), velocities.v.ravel(), velocities.w.ravel())
    for i in range(given.shape[0]):
        if i // each % BLOCKS == block:
            _carry_plane(given, values, velocities, flat_ones, phi, axis, i, step, band, lines, corners, out)


@borrowing
@kernel
def _carry_plane(
    given: Array,
    values: Array,
    velocities: Faces,
    flat_ones: Faces,
    phi: Array,
    axis: int,
    i: int,
    step: float,
    band: float,
    lines: Array,
    corners: IntArray,
    out: Array,
) -> None:
    """Carry the velocities of plane i."""
    nx, ny, nz = given.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    dx, dy, dz = 0.5 - 0.5 * di, 0.5 - 0.5 * dj, 0.5 - 0.5 * dk
    half, one, plane = 0.5 * step, min(1, nz - 1), ny * nz * min(1, nx - 1)
    cx, cy, cz = phi.shape
    result = lines[_A]
    _copy_plane(given[i], out[i])
    for j in range(dj, ny - dj if di <= i < nx - di else dj):
        if not _row(velocities, phi, axis, i, j, band, lines):
            continue
        first, end = _wet(lines[_NEAR], dk, nz - dk, band)
        count = 0
        if is_inside(i, j, phi.shape):
            count = _trace_row(flat_ones, phi.shape, axis, (i, j, first, end), step, lines)
        if count > 0:
            x, y, z = lines[_X, :count], lines[_Y, :count], lines[_Z, :count]
            blend_row(values, given.shape, (i, j, first), (False, False), x, y, z, lines[_ROOM:], result[:count])
            _note_corners(lines, (i, j, first, end), given.shape, corners[i, j, first:end])
            _put(lines[_NEAR, first:end], band, result, out[i, j, first:end])
        for k in range(first, end if count == 0 else first):
            if lines[_NEAR, k] >= band:
                continue
            x0, y0, z0 = i + dx, j + dy, k + dz
            u, v, w = sample_velocity(
                flat_ones, cx, cy, cz, x0 - half * lines[_U, k], y0 - half * lines[_V, k], z0 - half * lines[_W, k]
            )
            a, fx = _split(x0 - step * u - dx, nx)
            b, fy = _split(y0 - step * v - dy, ny)
            c, fz = _split(z0 - step * w - dz, nz)
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
    values, there, each = given.ravel(), carried.ravel(), _planes(given.shape[0])
    flat_ones = Faces(velocities.u.ravel(), velocities.v.ravel(), velocities.w.ravel())
    for i in range(given.shape[0]):
        if i // each % BLOCKS == block:
            fields = values, there
            _correct_plane(given, carried, fields, velocities, flat_ones, phi, axis, i, step, lines, corners, out)


@borrowing
@kernel
def _correct_plane(
    given: Array,
    carried: Array,
    fields: tuple[Array, Array],
    velocities: Faces,
    flat_ones: Faces,
    phi: Array,
    axis: int,
    i: int,
    step: float,
    lines: Array,
    corners: IntArray,
    out: Array,
) -> None:
    """Correct the velocities of plane i; fields: given and carried ones, flat."""
    nx, ny, nz = given.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    dx, dy, dz = 0.5 - 0.5 * di, 0.5 - 0.5 * dj, 0.5 - 0.5 * dk
    half, one, plane = 0.5 * step, min(1, nz - 1), ny * nz * min(1, nx - 1)
    values, there = fields
    cx, cy, cz = phi.shape
    again = lines[_A]
    _copy_plane(carried[i], out[i])
    for j in range(dj, ny - dj if di <= i < nx - di else dj):
        if not _row(velocities, phi, axis, i, j, 0.0, lines):
            continue
        first, end = _wet(lines[_NEAR], dk, nz - dk, 0.0)
        count = 0
        if is_inside(i, j, phi.shape):
            count = _trace_row(flat_ones, phi.shape, axis, (i, j, first, end), -step, lines)
        if count > 0:
            x, y, z = lines[_X, :count], lines[_Y, :count], lines[_Z, :count]
            blend_row(there, given.shape, (i, j, first), (False, False), x, y, z, lines[_ROOM:], again[:count])
        for k in range(first, end if count == 0 else first):
            if lines[_NEAR, k] >= 0.0:
                continue
            x0, y0, z0 = i + dx, j + dy, k + dz
            u, v, w = sample_velocity(
                flat_ones, cx, cy, cz, x0 + half * lines[_U, k], y0 + half * lines[_V, k], z0 + half * lines[_W, k]
            )
            a, fx = _split(x0 + step * u - dx, nx)
            b, fy = _split(y0 + step * v - dy, ny)
            c, fz = _split(z0 + step * w - dz, nz)
            again[k - first] = _blend(there, (a * ny + b) * nz + c, plane, nz, one, fx, fy, fz)
        for k in range(first, end):
            if lines[_NEAR, k] < 0.0:
                value = carried[i, j, k] + 0.5 * (given[i, j, k] - again[k - first])
                low, high = _bounds(values, corners[i, j, k], plane, nz, one)
                out[i, j, k] = value if low <= value <= high else carried[i, j, k]


@borrowing
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
