"""Viscosity of co-rotational tetrahedra, within the batches of their elasticity, LANES cells side by side.

The law is that of `samples.py`, P = F S with S = 2 mu D + lambda tr D 1 and D = (C - C_n) / (2 dt); with d_a = F b_a
the block of two corners is

    V / dt (lambda d_a d_b^T + mu d_b d_a^T + mu (b_a.b_b) F F^T)

which is positive definite always. A cell whose stiffness is damped is so gathered once and spread once.
"""

from __future__ import annotations

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.cells import CellBatches
from engine.soft.corotational import DEFORMED, FREE, deform_lanes
from engine.soft.lanes import (
    ENERGY,
    FORCES,
    PLACE,
    REST,
    VISCOUS_LAMBDA,
    VISCOUS_MU,
    VOLUME,
    L,
    gather_lanes,
)

HALVES = 6  # numbers of C / 2: xx, yy, zz, xy, xz, yz
_GREEN = FREE  # C / 2
_MOVED = FREE + 6  # d_a of four corners
_SQUARE = FREE + 18  # F F^T, in the same order
_LAST = FREE + 24  # slopes of the last corner


@inlined
def square_lanes(buffer: Array, to: int, out: Array) -> None:
    """Write C / 2 of each cell from a place on."""
    for lane in range(L):
        f = DEFORMED * L + lane
        f00, f01, f02 = buffer[f], buffer[f + L], buffer[f + 2 * L]
        f10, f11, f12 = buffer[f + 3 * L], buffer[f + 4 * L], buffer[f + 5 * L]
        f20, f21, f22 = buffer[f + 6 * L], buffer[f + 7 * L], buffer[f + 8 * L]
        out[to + lane] = 0.5 * (f00 * f00 + f10 * f10 + f20 * f20)
        out[to + lane + L] = 0.5 * (f01 * f01 + f11 * f11 + f21 * f21)
        out[to + lane + 2 * L] = 0.5 * (f02 * f02 + f12 * f12 + f22 * f22)
        out[to + lane + 3 * L] = 0.5 * (f00 * f01 + f10 * f11 + f20 * f21)
        out[to + lane + 4 * L] = 0.5 * (f00 * f02 + f10 * f12 + f20 * f22)
        out[to + lane + 5 * L] = 0.5 * (f01 * f02 + f11 * f12 + f21 * f22)


@kernel
def remember_tetrahedra(cells: CellBatches, memory: Array, x: Array, buffer: Array) -> None:
    """Take C / 2 of all cells as what it is before the step."""
    for batch in range(cells.kinds.shape[0]):
        if cells.kinds[batch] != 0:
            gather_lanes(cells.nodes, cells.rest, batch, x, buffer)
            deform_lanes(buffer)
            square_lanes(buffer, (batch * HALVES * L) & PLACE, memory)


@kernel
def resist_lanes(before: Array, dt: float, level: int, buffer: Array) -> None:
    """Add viscous energies and gradients to the elastic ones; from level 2 compute what blocks are made of. `before`:
    C_n / 2."""
    square_lanes(buffer, _GREEN * L, buffer)
    for lane in range(L):
        f, b, g = DEFORMED * L + lane, REST * L + lane, _GREEN * L + lane
        share = buffer[b + VOLUME * L] / dt
        mu, lam = share * buffer[b + VISCOUS_MU * L], share * buffer[b + VISCOUS_LAMBDA * L]
        d0, d1, d2 = (
            buffer[g] - before[lane],
            buffer[g + L] - before[lane + L],
            buffer[g + 2 * L] - before[lane + 2 * L],
        )
        d3, d4 = buffer[g + 3 * L] - before[lane + 3 * L], buffer[g + 4 * L] - before[lane + 4 * L]
        d5 = buffer[g + 5 * L] - before[lane + 5 * L]
        trace = d0 + d1 + d2
        squares = d0 * d0 + d1 * d1 + d2 * d2 + 2.0 * (d3 * d3 + d4 * d4 + d5 * d5)
        buffer[ENERGY * L + lane] += mu * squares + 0.5 * lam * trace * trace
        s00, s11, s22 = 2.0 * mu * d0 + lam * trace, 2.0 * mu * d1 + lam * trace, 2.0 * mu * d2 + lam * trace
        s01, s02, s12 = 2.0 * mu * d3, 2.0 * mu * d4, 2.0 * mu * d5
        u0, v0, w0 = buffer[b], buffer[b + L], buffer[b + 2 * L]
        u1, v1, w1 = buffer[b + 3 * L], buffer[b + 4 * L], buffer[b + 5 * L]
        u2, v2, w2 = buffer[b + 6 * L], buffer[b + 7 * L], buffer[b + 8 * L]
        for row in range(3):
            x, y, z = buffer[f + 3 * row * L], buffer[f + (3 * row + 1) * L], buffer[f + (3 * row + 2) * L]
            p, q, r = x * s00 + y * s01 + z * s02, x * s01 + y * s11 + z * s12, x * s02 + y * s12 + z * s22
            g0, g1, g2 = p * u0 + q * v0 + r * w0, p * u1 + q * v1 + r * w1, p * u2 + q * v2 + r * w2
            to = (FORCES + row) * L + lane
            buffer[to] += g0
            buffer[to + 3 * L] += g1
            buffer[to + 6 * L] += g2
            buffer[to + 9 * L] -= g0 + g1 + g2
    if level >= 2:
        for row in range(3):
            for lane in range(L):
                f, b, d = (DEFORMED + 3 * row) * L + lane, REST * L + lane, (_MOVED + row) * L + lane
                x, y, z = buffer[f], buffer[f + L], buffer[f + 2 * L]
                d0 = x * buffer[b] + y * buffer[b + L] + z * buffer[b + 2 * L]
                d1 = x * buffer[b + 3 * L] + y * buffer[b + 4 * L] + z * buffer[b + 5 * L]
                d2 = x * buffer[b + 6 * L] + y * buffer[b + 7 * L] + z * buffer[b + 8 * L]
                buffer[d], buffer[d + 3 * L], buffer[d + 6 * L], buffer[d + 9 * L] = d0, d1, d2, -d0 - d1 - d2
                b = (REST + row) * L + lane
                buffer[(_LAST + row) * L + lane] = -buffer[b] - buffer[b + 3 * L] - buffer[b + 6 * L]
        for lane in range(L):
            f, s = DEFORMED * L + lane, _SQUARE * L + lane
            f00, f01, f02 = buffer[f], buffer[f + L], buffer[f + 2 * L]
            f10, f11, f12 = buffer[f + 3 * L], buffer[f + 4 * L], buffer[f + 5 * L]
            f20, f21, f22 = buffer[f + 6 * L], buffer[f + 7 * L], buffer[f + 8 * L]
            buffer[s], buffer[s + L] = f00 * f00 + f01 * f01 + f02 * f02, f10 * f10 + f11 * f11 + f12 * f12
            buffer[s + 2 * L] = f20 * f20 + f21 * f21 + f22 * f22
            buffer[s + 3 * L] = f00 * f10 + f01 * f11 + f02 * f12
            buffer[s + 4 * L] = f00 * f20 + f01 * f21 + f02 * f22
            buffer[s + 5 * L] = f10 * f20 + f11 * f21 + f12 * f22


@kernel
def thicken_lanes(first: int, second: int, dt: float, buffer: Array, out: Array) -> None:
    """Add the viscous block of two corners to an array of its own."""
    a, c = buffer[(_MOVED + 3 * first) * L :], buffer[(_MOVED + 3 * second) * L :]
    one = buffer[(REST + 3 * first if first < 3 else _LAST) * L :]
    two = buffer[(REST + 3 * second if second < 3 else _LAST) * L :]
    for lane in range(L):
        b, s = REST * L + lane, _SQUARE * L + lane
        share = buffer[b + VOLUME * L] / dt
        mu, lam = share * buffer[b + VISCOUS_MU * L], share * buffer[b + VISCOUS_LAMBDA * L]
        near = one[lane] * two[lane] + one[lane + L] * two[lane + L] + one[lane + 2 * L] * two[lane + 2 * L]
        near *= mu
        a0, a1, a2, c0, c1, c2 = a[lane], a[lane + L], a[lane + 2 * L], c[lane], c[lane + L], c[lane + 2 * L]
        l0, l1, l2, m0, m1, m2 = lam * a0, lam * a1, lam * a2, mu * a0, mu * a1, mu * a2
        b01, b02, b12 = near * buffer[s + 3 * L], near * buffer[s + 4 * L], near * buffer[s + 5 * L]
        out[lane] += (l0 + m0) * c0 + near * buffer[s]
        out[lane + L] += l0 * c1 + m1 * c0 + b01
        out[lane + 2 * L] += l0 * c2 + m2 * c0 + b02
        out[lane + 3 * L] += l1 * c0 + m0 * c1 + b01
        out[lane + 4 * L] += (l1 + m1) * c1 + near * buffer[s + L]
        out[lane + 5 * L] += l1 * c2 + m2 * c1 + b12
        out[lane + 6 * L] += l2 * c0 + m0 * c2 + b02
        out[lane + 7 * L] += l2 * c1 + m1 * c2 + b12
        out[lane + 8 * L] += (l2 + m2) * c2 + near * buffer[s + 2 * L]
