"""Products of motions and forces, six numbers each, as rows of arrays.

A motion is (w, v): angular velocity, and velocity of the point at O. A force is (n, f): moment about O, and force.
Featherstone 2008, Rigid Body Dynamics Algorithms, chapter 2.
"""

from __future__ import annotations

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.borrowing import borrowing


@borrowing
@inlined
def cross_motions(a: Array, i: int, b: Array, j: int, out_motion: Array, k: int) -> None:
    """a_i x b_j, of motions."""
    wx, wy, wz, vx, vy, vz = a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5]
    x, y, z, p, q, r = b[j, 0], b[j, 1], b[j, 2], b[j, 3], b[j, 4], b[j, 5]
    out_motion[k, 0], out_motion[k, 1], out_motion[k, 2] = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
    out_motion[k, 3] = wy * r - wz * q + vy * z - vz * y
    out_motion[k, 4] = wz * p - wx * r + vz * x - vx * z
    out_motion[k, 5] = wx * q - wy * p + vx * y - vy * x


@borrowing
@inlined
def add_crossed_force(a: Array, i: int, f: Array, j: int, out_force: Array, k: int) -> None:
    """Add a_i x* f_j, of a motion and a force."""
    wx, wy, wz, vx, vy, vz = a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4], a[i, 5]
    x, y, z, p, q, r = f[j, 0], f[j, 1], f[j, 2], f[j, 3], f[j, 4], f[j, 5]
    out_force[k, 0] += wy * z - wz * y + vy * r - vz * q
    out_force[k, 1] += wz * x - wx * z + vz * p - vx * r
    out_force[k, 2] += wx * y - wy * x + vx * q - vy * p
    out_force[k, 3] += wy * r - wz * q
    out_force[k, 4] += wz * p - wx * r
    out_force[k, 5] += wx * q - wy * p


@borrowing
@inlined
def dot(a: Array, i: int, b: Array, j: int) -> float:
    """a_i . b_j, of a motion and a force."""
    found: float = (
        a[i, 0] * b[j, 0]
        + a[i, 1] * b[j, 1]
        + a[i, 2] * b[j, 2]
        + a[i, 3] * b[j, 3]
        + a[i, 4] * b[j, 4]
        + a[i, 5] * b[j, 5]
    )
    return found


@borrowing
@inlined
def add_product(m: Array, i: int, a: Array, j: int, out: Array, k: int, factor: float) -> None:
    """Add factor m_i a_j, of a matrix of six rows."""
    for row in range(6):
        found = 0.0
        for column in range(6):
            found += m[i, row, column] * a[j, column]
        out[k, row] += factor * found


@borrowing
@inlined
def add_transposed(m: Array, i: int, a: Array, j: int, out: Array, k: int) -> None:
    """Add the transposed m_i times a_j."""
    for row in range(6):
        each = a[j, row]
        for column in range(6):
            out[k, column] += m[i, row, column] * each


@borrowing
@inlined
def write_inertia(
    m: float,
    c: tuple[float, float, float],
    about: tuple[float, float, float, float, float, float],
    out_inertia: Array,
    k: int,
) -> None:
    """Add a body of mass m with its centre at c and its inertia (xx, yy, zz, xy, xz, yz) about that, as six rows."""
    x, y, z = c
    xx, yy, zz, xy, xz, yz = about
    out_inertia[k, 0, 0] += xx + m * (y * y + z * z)
    out_inertia[k, 1, 1] += yy + m * (x * x + z * z)
    out_inertia[k, 2, 2] += zz + m * (x * x + y * y)
    out_inertia[k, 0, 1] += xy - m * x * y
    out_inertia[k, 1, 0] += xy - m * x * y
    out_inertia[k, 0, 2] += xz - m * x * z
    out_inertia[k, 2, 0] += xz - m * x * z
    out_inertia[k, 1, 2] += yz - m * y * z
    out_inertia[k, 2, 1] += yz - m * y * z
    for each in range(3):
        out_inertia[k, 3 + each, 3 + each] += m
    add_skew(m * x, m * y, m * z, out_inertia, k, 0, 3)
    add_skew(-m * x, -m * y, -m * z, out_inertia, k, 3, 0)


@borrowing
@inlined
def add_skew(x: float, y: float, z: float, out: Array, k: int, row: int, column: int) -> None:
    """Add the matrix that takes the cross product of (x, y, z) with a vector."""
    out[k, row, column + 1] -= z
    out[k, row, column + 2] += y
    out[k, row + 1, column] += z
    out[k, row + 1, column + 2] -= x
    out[k, row + 2, column] -= y
    out[k, row + 2, column + 1] += x


@borrowing
@inlined
def add_coriolis(v: Array, i: int, inertia: Array, k: int, out_matrix: Array) -> None:
    """Add D_k = v x* I - I v x - (I v) x*, with which W . (a force) changes by the velocity: see `power`."""
    wx, wy, wz, vx, vy, vz = v[i, 0], v[i, 1], v[i, 2], v[i, 3], v[i, 4], v[i, 5]
    for c in range(6):
        a, b, d = inertia[k, 0, c], inertia[k, 1, c], inertia[k, 2, c]
        e, f, g = inertia[k, 3, c], inertia[k, 4, c], inertia[k, 5, c]
        n0, n1, n2 = (
            wy * d - wz * b + vy * g - vz * f,
            wz * a - wx * d + vz * e - vx * g,
            wx * b - wy * a + vx * f - vy * e,
        )
        f0, f1, f2 = wy * g - wz * f, wz * e - wx * g, wx * f - wy * e
        out_matrix[k, 0, c] += n0
        out_matrix[k, 1, c] += n1
        out_matrix[k, 2, c] += n2
        out_matrix[k, 3, c] += f0
        out_matrix[k, 4, c] += f1
        out_matrix[k, 5, c] += f2
        out_matrix[k, c, 0] += n0
        out_matrix[k, c, 1] += n1
        out_matrix[k, c, 2] += n2
        out_matrix[k, c, 3] += f0
        out_matrix[k, c, 4] += f1
        out_matrix[k, c, 5] += f2
    n0 = n1 = n2 = f0 = f1 = f2 = 0.0
    for c in range(6):
        each = v[i, c]
        n0, n1, n2 = n0 + inertia[k, 0, c] * each, n1 + inertia[k, 1, c] * each, n2 + inertia[k, 2, c] * each
        f0, f1, f2 = f0 + inertia[k, 3, c] * each, f1 + inertia[k, 4, c] * each, f2 + inertia[k, 5, c] * each
    add_skew(n0, n1, n2, out_matrix, k, 0, 0)
    add_skew(f0, f1, f2, out_matrix, k, 0, 3)
    add_skew(f0, f1, f2, out_matrix, k, 3, 0)
