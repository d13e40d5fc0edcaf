"""Values of fields on a staggered grid between their points.

Places are in cells from the grid's lower corner: the middle of cell i is at i + 0.5, face i at i. Beyond the outermost
points a field keeps its value, which is also what its mirror image in the wall would give. One cell in z is a plane.
Indices are unsigned: numba then leaves out what makes negative ones count from the end, a quarter of the time.
"""

from __future__ import annotations

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel

_ONE = np.uint64(1)


@inlined
def sample_linear(field: Array, x: float, y: float, z: float) -> float:
    """Interpolate a field linearly, `x, y, z` counted in its own points."""
    nx, ny, nz = field.shape
    x, y, z = min(max(x, 0.0), nx - 1.0), min(max(y, 0.0), ny - 1.0), min(max(z, 0.0), nz - 1.0)
    i, j, k = np.uint64(x), np.uint64(y), np.uint64(z)
    x, y, z = x - i, y - j, z - k
    i1, j1, k1 = min(i + _ONE, np.uint64(nx - 1)), min(j + _ONE, np.uint64(ny - 1)), min(k + _ONE, np.uint64(nz - 1))
    a = field[i, j, k] + z * (field[i, j, k1] - field[i, j, k])
    b = field[i, j1, k] + z * (field[i, j1, k1] - field[i, j1, k])
    c = field[i1, j, k] + z * (field[i1, j, k1] - field[i1, j, k])
    d = field[i1, j1, k] + z * (field[i1, j1, k1] - field[i1, j1, k])
    a += y * (b - a)
    c += y * (d - c)
    a += x * (c - a)
    return float(a)


@inlined
def sample_gradient(field: Array, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Interpolate linearly, with the derivatives by x, y and z, `x, y, z` counted in the field's own points."""
    nx, ny, nz = field.shape
    x, y, z = min(max(x, 0.0), nx - 1.0), min(max(y, 0.0), ny - 1.0), min(max(z, 0.0), nz - 1.0)
    i, j, k = np.uint64(x), np.uint64(y), np.uint64(z)
    x, y, z = x - i, y - j, z - k
    i1, j1, k1 = min(i + _ONE, np.uint64(nx - 1)), min(j + _ONE, np.uint64(ny - 1)), min(k + _ONE, np.uint64(nz - 1))
    a, b = field[i, j, k], field[i, j, k1] - field[i, j, k]
    c, d = field[i, j1, k], field[i, j1, k1] - field[i, j1, k]
    e, f = field[i1, j, k], field[i1, j, k1] - field[i1, j, k]
    g, h = field[i1, j1, k], field[i1, j1, k1] - field[i1, j1, k]
    along_z = (b * (1.0 - y) + d * y) * (1.0 - x) + (f * (1.0 - y) + h * y) * x
    a, c, e, g = a + z * b, c + z * d, e + z * f, g + z * h
    along_y = (c - a) * (1.0 - x) + (g - e) * x
    a, e = a + y * (c - a), e + y * (g - e)
    return a + x * (e - a), e - a, along_y, along_z


@inlined
def sample_velocity(u: Array, v: Array, w: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Interpolate the velocity linearly at a place, from the faces of cells."""
    return (
        sample_linear(u, x, y - 0.5, z - 0.5),
        sample_linear(v, x - 0.5, y, z - 0.5),
        sample_linear(w, x - 0.5, y - 0.5, z),
    )


@kernel
def sample_cells(field: Array, places: Array, out: Array) -> None:
    """Interpolate a field of cells linearly at some places [cells], shape [count, 3]."""
    for each in range(places.shape[0]):
        out[each] = sample_linear(field, places[each, 0] - 0.5, places[each, 1] - 0.5, places[each, 2] - 0.5)


@inlined
def bounded_bend(low: float, high: float, mean: float) -> float:
    """A mean of second differences between `low` and `high`, at most twice the smallest; zero where they bend different
    ways."""
    if low * high <= 0.0:
        return 0.0
    return min(mean, 2.0 * low) if low > 0.0 else max(mean, 2.0 * high)


@inlined
def sample_quadratic(field: Array, x: float, y: float, z: float) -> float:
    """Interpolate linearly, with a mean of the second differences around along each axis, `x, y, z` counted in the
    field's own points: third order where the field is smooth, and no overshoot beside a kink. Min and Gibou 2007 take
    the least of them, which flattens what bends, always to the same side."""
    nx, ny, nz = field.shape
    x, y, z = min(max(x, 0.0), nx - 1.0), min(max(y, 0.0), ny - 1.0), min(max(z, 0.0), nz - 1.0)
    i, j, k = int(x), int(y), int(z)
    x, y, z = x - i, y - j, z - k
    i0, i1, i2 = max(i - 1, 0), min(i + 1, nx - 1), min(i + 2, nx - 1)
    j0, j1, j2 = max(j - 1, 0), min(j + 1, ny - 1), min(j + 2, ny - 1)
    k0, k1, k2 = max(k - 1, 0), min(k + 1, nz - 1), min(k + 2, nz - 1)
    total, low, high, mean = 0.0, 1e30, -1e30, 0.0
    for b in range(2):
        at_y = j1 if b else j
        for c in range(2):
            at_z = k1 if c else k
            p, q = field[i, at_y, at_z], field[i1, at_y, at_z]
            weight = (y if b else 1.0 - y) * (z if c else 1.0 - z)
            total += (p + x * (q - p)) * weight
            left, right = field[i0, at_y, at_z] - 2.0 * p + q, field[i2, at_y, at_z] - 2.0 * q + p
            low, high = min(low, min(left, right)), max(high, max(left, right))
            mean += weight * ((2.0 - x) * left + (1.0 + x) * right)
    total -= x * (1.0 - x) / 6.0 * bounded_bend(3.0 * low, 3.0 * high, mean)
    low, high, mean = 1e30, -1e30, 0.0
    for a in range(2):
        at_x = i1 if a else i
        for c in range(2):
            at_z = k1 if c else k
            p, q = field[at_x, j, at_z], field[at_x, j1, at_z]
            weight = (x if a else 1.0 - x) * (z if c else 1.0 - z)
            left, right = field[at_x, j0, at_z] - 2.0 * p + q, field[at_x, j2, at_z] - 2.0 * q + p
            low, high = min(low, min(left, right)), max(high, max(left, right))
            mean += weight * ((2.0 - y) * left + (1.0 + y) * right)
    total -= y * (1.0 - y) / 6.0 * bounded_bend(3.0 * low, 3.0 * high, mean)
    low, high, mean = 1e30, -1e30, 0.0
    for a in range(2):
        at_x = i1 if a else i
        for b in range(2):
            at_y = j1 if b else j
            p, q = field[at_x, at_y, k], field[at_x, at_y, k1]
            weight = (x if a else 1.0 - x) * (y if b else 1.0 - y)
            left, right = field[at_x, at_y, k0] - 2.0 * p + q, field[at_x, at_y, k2] - 2.0 * q + p
            low, high = min(low, min(left, right)), max(high, max(left, right))
            mean += weight * ((2.0 - z) * left + (1.0 + z) * right)
    return total - z * (1.0 - z) / 6.0 * bounded_bend(3.0 * low, 3.0 * high, mean)
