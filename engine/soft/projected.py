"""The stiffness of a sample with what is not positive definite in it left out, by its principal stretches.

In the frames of F = U diag(s) V^T (rotations both, the least s with the sign of det F) the forms a1 to a7 of
`samples.py` fall apart: one 3 by 3 matrix for the three stretches, and one 2 by 2 matrix for each
plane (Smith et al. 2019),

    A_ii = a1 + (a2 + a3 + a4 + a5) s_i^2 + a6 g_i^2,   A_ij = a3 s_i s_j + a6 g_i g_j + a7 s_k,   g_i = s_j s_k
    [a1 + a2 s_j^2 + a5 s_i^2, a4 s_i s_j - a7 s_k; the same, a1 + a2 s_i^2 + a5 s_j^2]

whose eigenvalues below zero are set to zero. Both factors come from Jacobi rotations of F^T F and a Gram-Schmidt of
F V, so that cells of no volume or inside out are no exception.
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.lanes import L
from engine.soft.samples import FORMS, F

U, V, FIRST, PLANES, CROSS, SCRATCH, OWN, PROJECTED = 0, 9, 18, 27, 36, 45, 63, 87
"""Places in the work memory; its size."""
_SWEEPS = 8


@kernel
def turn_symmetric(matrix: Array, vectors: Array) -> None:
    """Diagonalise a symmetric 3 by 3 matrix in place; `vectors`: the rotation whose columns are its eigenvectors."""
    for each in range(9):
        vectors[each] = 1.0 if each % 4 == 0 else 0.0
    for _ in range(_SWEEPS):
        off = abs(matrix[1]) + abs(matrix[2]) + abs(matrix[5])
        if off <= 1e-17 * (abs(matrix[0]) + abs(matrix[4]) + abs(matrix[8])):
            break
        for plane in range(3):
            i, j = (0 if plane < 2 else 1), (1 if plane == 0 else 2)
            away = matrix[3 * i + j]
            if away == 0.0:
                continue
            half = 0.5 * (matrix[4 * j] - matrix[4 * i]) / away
            tangent = math.copysign(1.0, half) / (abs(half) + math.sqrt(half * half + 1.0))
            c = 1.0 / math.sqrt(tangent * tangent + 1.0)
            s = tangent * c
            for k in range(3):
                p, q = matrix[3 * k + i], matrix[3 * k + j]
                matrix[3 * k + i], matrix[3 * k + j] = c * p - s * q, s * p + c * q
                p, q = vectors[3 * k + i], vectors[3 * k + j]
                vectors[3 * k + i], vectors[3 * k + j] = c * p - s * q, s * p + c * q
            for k in range(3):
                p, q = matrix[3 * i + k], matrix[3 * j + k]
                matrix[3 * i + k], matrix[3 * j + k] = c * p - s * q, s * p + c * q


@kernel
def split_stretch(f: Array, u: Array, v: Array, room: Array) -> tuple[float, float, float]:
    """Compute F = U diag(s) V^T; s in descending order, the last with the sign of det F."""
    for i in range(3):
        for j in range(3):
            room[3 * i + j] = f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j]
    turn_symmetric(room, v)
    for i, j in ((0, 1), (1, 2), (0, 1)):
        if room[4 * i] < room[4 * j]:
            room[4 * i], room[4 * j] = room[4 * j], room[4 * i]
            for k in range(3):
                v[3 * k + i], v[3 * k + j] = v[3 * k + j], -v[3 * k + i]
    for k in range(3):
        for i in range(3):
            room[3 * k + i] = f[3 * k] * v[i] + f[3 * k + 1] * v[3 + i] + f[3 * k + 2] * v[6 + i]
    first = math.sqrt(room[0] ** 2 + room[3] ** 2 + room[6] ** 2)
    if first > 1e-150:
        u[0], u[3], u[6] = room[0] / first, room[3] / first, room[6] / first
    else:
        u[0], u[3], u[6] = 1.0, 0.0, 0.0
    away = room[1] * u[0] + room[4] * u[3] + room[7] * u[6]
    p, q, r = room[1] - away * u[0], room[4] - away * u[3], room[7] - away * u[6]
    second = math.sqrt(p * p + q * q + r * r)
    if second <= 1e-12 * first or second <= 1e-150:
        if abs(u[0]) < 0.6:
            p, q, r = 1.0 - u[0] * u[0], -u[0] * u[3], -u[0] * u[6]
        else:
            p, q, r = -u[3] * u[0], 1.0 - u[3] * u[3], -u[3] * u[6]
    size = math.sqrt(p * p + q * q + r * r)
    u[1], u[4], u[7] = p / size, q / size, r / size
    u[2], u[5], u[8] = u[3] * u[7] - u[6] * u[4], u[6] * u[1] - u[0] * u[7], u[0] * u[4] - u[3] * u[1]
    second = room[1] * u[1] + room[4] * u[4] + room[7] * u[7]
    return first, second, room[2] * u[2] + room[5] * u[5] + room[8] * u[8]


@inlined
def keep_positive(matrix: Array, vectors: Array, room: Array) -> None:
    """Set the eigenvalues below zero of a symmetric 3 by 3 matrix to zero."""
    for each in range(9):
        room[each] = matrix[each]
    turn_symmetric(room, vectors)
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += vectors[3 * i + k] * max(room[4 * k], 0.0) * vectors[3 * j + k]
            matrix[3 * i + j] = total


@kernel
def project_lane(lane: int, sample: Array, room: Array) -> None:
    """Compute U, V and the matrices of stretches (FIRST) and planes (PLANES, CROSS) of one cell's sample."""
    f, scratch = room[SCRATCH : SCRATCH + 9], room[SCRATCH + 9 : SCRATCH + 18]
    first, planes, cross = room[FIRST : FIRST + 9], room[PLANES : PLANES + 9], room[CROSS : CROSS + 9]
    for each in range(9):
        f[each] = sample[(F + each) * L + lane]
    s = split_stretch(f, room[U : U + 9], room[V : V + 9], scratch)
    a1, a2, a3 = sample[FORMS * L + lane], sample[(FORMS + 1) * L + lane], sample[(FORMS + 2) * L + lane]
    a4, a5, a6 = sample[(FORMS + 3) * L + lane], sample[(FORMS + 4) * L + lane], sample[(FORMS + 5) * L + lane]
    a7 = sample[(FORMS + 6) * L + lane]
    for i in range(3):
        for j in range(3):
            k = 3 - i - j
            own, other = s[(i + 1) % 3] * s[(i + 2) % 3], s[(j + 1) % 3] * s[(j + 2) % 3]
            if i == j:
                first[4 * i] = a1 + (a2 + a3 + a4 + a5) * s[i] * s[i] + a6 * own * own
            else:
                first[3 * i + j] = a3 * s[i] * s[j] + a6 * own * other + a7 * s[k]
            if i < j:
                p, q = a1 + a2 * s[j] * s[j] + a5 * s[i] * s[i], a1 + a2 * s[i] * s[i] + a5 * s[j] * s[j]
                r = a4 * s[i] * s[j] - a7 * s[k]
                mean, half = 0.5 * (p + q), 0.5 * (p - q)
                spread = math.sqrt(half * half + r * r)
                if mean - spread < 0.0:
                    # the part of the one eigenvalue above zero, if there is one
                    share = 0.5 * max(mean + spread, 0.0) / max(spread, 1e-300)
                    p, q, r = share * (spread + half), share * (spread - half), share * r
                planes[3 * i + j], planes[3 * j + i], cross[3 * i + j], cross[3 * j + i] = p, q, r, r
    keep_positive(first, f, scratch)


@kernel
def add_projected(corners: int, slopes: Array, sample: Array, room: Array, blocks: Array) -> None:
    """Add the blocks of all pairs of corners, cell by cell."""
    u, v, own = room[U : U + 9], room[V : V + 9], room[OWN : OWN + 24]
    first, planes, cross, k = (
        room[FIRST : FIRST + 9],
        room[PLANES : PLANES + 9],
        room[CROSS : CROSS + 9],
        room[SCRATCH:OWN],
    )
    for lane in range(L):
        project_lane(lane, sample, room)
        for corner in range(corners):
            b0, b1, b2 = (
                slopes[3 * corner * L + lane],
                slopes[(3 * corner + 1) * L + lane],
                slopes[(3 * corner + 2) * L + lane],
            )
            for i in range(3):
                own[3 * corner + i] = b0 * v[i] + b1 * v[3 + i] + b2 * v[6 + i]
        pair = 0
        for one in range(corners):
            for two in range(one, corners):
                a, b = own[3 * one : 3 * one + 3], own[3 * two : 3 * two + 3]
                for i in range(3):
                    for j in range(3):
                        if i == j:
                            total = first[4 * i] * a[i] * b[i]
                            for m in range(3):
                                if m != i:
                                    total += planes[3 * i + m] * a[m] * b[m]
                        else:
                            total = first[3 * i + j] * a[i] * b[j] + cross[3 * i + j] * a[j] * b[i]
                        k[3 * i + j] = total
                for i in range(3):
                    for j in range(3):
                        k[9 + 3 * i + j] = u[3 * i] * k[j] + u[3 * i + 1] * k[3 + j] + u[3 * i + 2] * k[6 + j]
                for i in range(3):
                    for j in range(3):
                        at = (9 * pair + 3 * i + j) * L + lane
                        blocks[at] += (
                            k[9 + 3 * i] * u[3 * j] + k[10 + 3 * i] * u[3 * j + 1] + k[11 + 3 * i] * u[3 * j + 2]
                        )
                pair += 1
