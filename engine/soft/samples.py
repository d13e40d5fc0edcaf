"""Non-linear materials and viscosity on cells of any corners, sample by sample, LANES cells side by side.

A tetrahedron or flat triangle has one sample, a hexahedron the eight of Gauss. With F = sum x_a b_a^T at a sample, V
its volume, I = |F|^2, J = det F, G = cof F, C = F^T F, the materials of `materials.py` have the stresses

    neo-hookean    P = m (1 - 1 / (I + 1)) F + l (J - a) G
    mooney-rivlin  P = m1 F + m2 (I F - F C) + (l (J - 1) - m1 - 2 m2) G
    viscous        P = F S,  S = 2 mu D + lambda tr D 1,  D = (C - C_n) / (2 dt)

C_n: C before the step, so that the last is the derivative of an energy too, which no rigid motion changes. Their
derivatives are sums of the same forms: with d_a = F b_a, g_a = G b_a, w = F (b_b x b_a), the block of two corners is

    V (a1 (b_a.b_b) 1 + a2 (d_a.d_b) 1 + a3 d_a d_b^T + a4 d_b d_a^T + a5 (b_a.b_b) F F^T + a6 g_a g_b^T + a7 [w]x)

(the change of S with F's own change alone is left out). It may be indefinite; `projected.py` makes one that is not.

Arrays of LANES numbers a row: `corners` 24 rows of positions; `slopes` three a corner, as the cells have them; `sample`
the rows below; `turned` d_a, then g_a; `forces` three rows a corner; `blocks` nine rows a pair.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.lanes import FLAT, LAMBDA, MU, PLACE, THIRD, VISCOUS_LAMBDA, VISCOUS_MU, L

NEO_HOOKEAN, MOONEY_RIVLIN = 1, 2

F, COFACTOR, SQUARE, INVARIANTS = 0, 9, 18, 24  # SQUARE: F F^T, six numbers; INVARIANTS: I, J
STRESS, ENERGY, FORMS, GREEN = 26, 35, 36, 43
SAMPLE_ROWS = 49
_G = 24  # rows of `turned` before g_a


class Lanes(NamedTuple):
    """Work memory for a batch."""

    corners: Array
    sample: Array
    turned: Array
    forces: Array
    blocks: Array


def new_lanes() -> Lanes:
    """Allocate it."""
    return Lanes(*(np.zeros(rows * L) for rows in (24, SAMPLE_ROWS, 48, 24, 36 * 9)))


@inlined
def gather_corners(nodes: IntArray, batch: int, corners: int, x: Array, out_corners: Array) -> None:
    """Copy the corners of a batch."""
    first = (batch * corners * L) & PLACE
    for corner in range(corners):
        for lane in range(L):
            node, to = (3 * nodes[first + corner * L + lane]) & PLACE, 3 * corner * L + lane
            out_corners[to], out_corners[to + L], out_corners[to + 2 * L] = x[node], x[node + 1], x[node + 2]


@kernel
def deform_sample(corners: int, x: Array, slopes: Array, rest: Array, sample: Array) -> None:
    """Compute F, its cofactors, F F^T and invariants."""
    for row in range(3):
        out = sample[3 * row * L : (3 * row + 3) * L]
        for lane in range(L):
            out[lane] = out[lane + L] = 0.0
            out[lane + 2 * L] = rest[FLAT * L + lane] if row == 2 else 0.0
        for corner in range(corners):
            own, b = (
                x[(3 * corner + row) * L : (3 * corner + row + 1) * L],
                slopes[3 * corner * L : (3 * corner + 3) * L],
            )
            for lane in range(L):
                out[lane] += own[lane] * b[lane]
                out[lane + L] += own[lane] * b[lane + L]
                out[lane + 2 * L] += own[lane] * b[lane + 2 * L]
    for lane in range(L):
        f = F * L + lane
        f00, f01, f02 = sample[f], sample[f + L], sample[f + 2 * L]
        f10, f11, f12 = sample[f + 3 * L], sample[f + 4 * L], sample[f + 5 * L]
        f20, f21, f22 = sample[f + 6 * L], sample[f + 7 * L], sample[f + 8 * L]
        c00, c01, c02 = f11 * f22 - f12 * f21, f12 * f20 - f10 * f22, f10 * f21 - f11 * f20
        c = COFACTOR * L + lane
        sample[c], sample[c + L], sample[c + 2 * L] = c00, c01, c02
        sample[c + 3 * L], sample[c + 4 * L] = f21 * f02 - f22 * f01, f22 * f00 - f20 * f02
        sample[c + 5 * L], sample[c + 6 * L] = f20 * f01 - f21 * f00, f01 * f12 - f02 * f11
        sample[c + 7 * L], sample[c + 8 * L] = f02 * f10 - f00 * f12, f00 * f11 - f01 * f10
        b00, b11 = f00 * f00 + f01 * f01 + f02 * f02, f10 * f10 + f11 * f11 + f12 * f12
        b22 = f20 * f20 + f21 * f21 + f22 * f22
        s = SQUARE * L + lane
        sample[s], sample[s + L], sample[s + 2 * L] = b00, b11, b22
        sample[s + 3 * L], sample[s + 4 * L] = f00 * f10 + f01 * f11 + f02 * f12, f00 * f20 + f01 * f21 + f02 * f22
        sample[s + 5 * L] = f10 * f20 + f11 * f21 + f12 * f22
        sample[INVARIANTS * L + lane] = b00 + b11 + b22
        sample[(INVARIANTS + 1) * L + lane] = f00 * c00 + f01 * c01 + f02 * c02
        for each in range(9):
            sample[(STRESS + each) * L + lane] = 0.0
        for each in range(7):
            sample[(FORMS + each) * L + lane] = 0.0
        sample[ENERGY * L + lane] = 0.0


@kernel
def respond(law: int, rest: Array, volume: Array, sample: Array) -> None:
    """Add the elastic stress, energy and forms of a law, all times the volume."""
    if law == NEO_HOOKEAN:
        for lane in range(L):
            v, m, lam = volume[lane], rest[MU * L + lane], rest[LAMBDA * L + lane]
            first, jacobian = sample[INVARIANTS * L + lane], sample[(INVARIANTS + 1) * L + lane]
            more, ahead = 1.0 / (first + 1.0), jacobian - 1.0 - 0.75 * m / max(lam, 1e-300)
            own, other = v * m * (1.0 - more), v * lam * ahead
            for each in range(9):
                s = sample[(F + each) * L + lane] * own + sample[(COFACTOR + each) * L + lane] * other
                sample[(STRESS + each) * L + lane] = s
            h = FORMS * L + lane
            sample[h], sample[h + 2 * L] = own, 2.0 * v * m * more * more
            sample[h + 5 * L], sample[h + 6 * L] = v * lam, other
        for lane in range(L):
            v, m, lam = volume[lane], rest[MU * L + lane], rest[LAMBDA * L + lane]
            first, jacobian = sample[INVARIANTS * L + lane], sample[(INVARIANTS + 1) * L + lane]
            start = 0.75 * m / max(lam, 1e-300)
            ahead = jacobian - 1.0 - start
            # less what it has at rest
            stretched = 0.5 * m * (first - 3.0 - math.log((first + 1.0) / 4.0))
            sample[ENERGY * L + lane] = v * (stretched + 0.5 * lam * (ahead * ahead - start * start))
    elif law == MOONEY_RIVLIN:
        for lane in range(L):
            v, m, lam, n = volume[lane], rest[MU * L + lane], rest[LAMBDA * L + lane], rest[THIRD * L + lane]
            first, jacobian = sample[INVARIANTS * L + lane], sample[(INVARIANTS + 1) * L + lane]
            s, f, c = SQUARE * L + lane, F * L + lane, COFACTOR * L + lane
            b00, b11, b22 = sample[s], sample[s + L], sample[s + 2 * L]
            b01, b02, b12 = sample[s + 3 * L], sample[s + 4 * L], sample[s + 5 * L]
            tip = jacobian - 1.0
            own, over, other = v * (m + n * first), v * n, v * (lam * tip - m - 2.0 * n)
            p = STRESS * L + lane
            for each in range(3):
                x, y, z = sample[f + each * L], sample[f + (3 + each) * L], sample[f + (6 + each) * L]
                q = c + each * L
                sample[p + each * L] = own * x - over * (b00 * x + b01 * y + b02 * z) + other * sample[q]
                sample[p + (3 + each) * L] = own * y - over * (b01 * x + b11 * y + b12 * z) + other * sample[q + 3 * L]
                sample[p + (6 + each) * L] = own * z - over * (b02 * x + b12 * y + b22 * z) + other * sample[q + 6 * L]
            squares = b00 * b00 + b11 * b11 + b22 * b22 + 2.0 * (b01 * b01 + b02 * b02 + b12 * b12)
            second = 0.5 * (first * first - squares)
            energy = 0.5 * m * (first - 3.0) + 0.5 * n * (second - 3.0) - (m + 2.0 * n) * tip + 0.5 * lam * tip * tip
            sample[ENERGY * L + lane] = v * energy
            h = FORMS * L + lane
            sample[h], sample[h + L], sample[h + 2 * L] = own, -over, 2.0 * over
            sample[h + 3 * L], sample[h + 4 * L], sample[h + 5 * L], sample[h + 6 * L] = -over, -over, v * lam, other


@inlined
def square_sample(sample: Array, out: Array) -> None:
    """Write C / 2, six numbers."""
    for lane in range(L):
        f = F * L + lane
        f00, f01, f02 = sample[f], sample[f + L], sample[f + 2 * L]
        f10, f11, f12 = sample[f + 3 * L], sample[f + 4 * L], sample[f + 5 * L]
        f20, f21, f22 = sample[f + 6 * L], sample[f + 7 * L], sample[f + 8 * L]
        out[lane] = 0.5 * (f00 * f00 + f10 * f10 + f20 * f20)
        out[lane + L] = 0.5 * (f01 * f01 + f11 * f11 + f21 * f21)
        out[lane + 2 * L] = 0.5 * (f02 * f02 + f12 * f12 + f22 * f22)
        out[lane + 3 * L] = 0.5 * (f00 * f01 + f10 * f11 + f20 * f21)
        out[lane + 4 * L] = 0.5 * (f00 * f02 + f10 * f12 + f20 * f22)
        out[lane + 5 * L] = 0.5 * (f01 * f02 + f11 * f12 + f21 * f22)


@kernel
def resist(rest: Array, volume: Array, before: Array, dt: float, sample: Array) -> None:
    """Add the viscous stress, energy and forms; `before`: C_n / 2."""
    green = sample[GREEN * L : (GREEN + 6) * L]
    square_sample(sample, green)
    for lane in range(L):
        v, m, lam = volume[lane] / dt, rest[VISCOUS_MU * L + lane], rest[VISCOUS_LAMBDA * L + lane]
        d0, d1, d2 = (
            green[lane] - before[lane],
            green[lane + L] - before[lane + L],
            green[lane + 2 * L] - before[lane + 2 * L],
        )
        d3, d4 = green[lane + 3 * L] - before[lane + 3 * L], green[lane + 4 * L] - before[lane + 4 * L]
        d5 = green[lane + 5 * L] - before[lane + 5 * L]
        trace = d0 + d1 + d2
        squares = d0 * d0 + d1 * d1 + d2 * d2 + 2.0 * (d3 * d3 + d4 * d4 + d5 * d5)
        sample[ENERGY * L + lane] += v * (m * squares + 0.5 * lam * trace * trace)
        m, lam = v * m, v * lam
        s00, s11, s22 = 2.0 * m * d0 + lam * trace, 2.0 * m * d1 + lam * trace, 2.0 * m * d2 + lam * trace
        s01, s02, s12 = 2.0 * m * d3, 2.0 * m * d4, 2.0 * m * d5
        for row in range(3):
            f, p = (F + 3 * row) * L + lane, (STRESS + 3 * row) * L + lane
            x, y, z = sample[f], sample[f + L], sample[f + 2 * L]
            sample[p] += x * s00 + y * s01 + z * s02
            sample[p + L] += x * s01 + y * s11 + z * s12
            sample[p + 2 * L] += x * s02 + y * s12 + z * s22
        h = FORMS * L + lane
        sample[h + 2 * L] += lam
        sample[h + 3 * L] += m
        sample[h + 4 * L] += m


@kernel
def force_corners(corners: int, slopes: Array, sample: Array, forces: Array) -> None:
    """Add the gradients with respect to the corners."""
    p = sample[STRESS * L : (STRESS + 9) * L]
    for corner in range(corners):
        b, out = slopes[3 * corner * L : (3 * corner + 3) * L], forces[3 * corner * L : (3 * corner + 3) * L]
        for lane in range(L):
            x, y, z = b[lane], b[lane + L], b[lane + 2 * L]
            out[lane] += p[lane] * x + p[lane + L] * y + p[lane + 2 * L] * z
            out[lane + L] += p[lane + 3 * L] * x + p[lane + 4 * L] * y + p[lane + 5 * L] * z
            out[lane + 2 * L] += p[lane + 6 * L] * x + p[lane + 7 * L] * y + p[lane + 8 * L] * z


@kernel
def turn_corners(corners: int, slopes: Array, sample: Array, turned: Array) -> None:
    """Compute d_a and g_a."""
    for which in range(2):
        m = sample[9 * which * L : (9 * which + 9) * L]
        for corner in range(corners):
            at = which * _G + 3 * corner
            b, out = slopes[3 * corner * L : (3 * corner + 3) * L], turned[at * L : (at + 3) * L]
            for lane in range(L):
                x, y, z = b[lane], b[lane + L], b[lane + 2 * L]
                out[lane] = m[lane] * x + m[lane + L] * y + m[lane + 2 * L] * z
                out[lane + L] = m[lane + 3 * L] * x + m[lane + 4 * L] * y + m[lane + 5 * L] * z
                out[lane + 2 * L] = m[lane + 6 * L] * x + m[lane + 7 * L] * y + m[lane + 8 * L] * z


@kernel
def form_block(first: int, second: int, slopes: Array, sample: Array, turned: Array, out: Array) -> None:
    """Add the block of two corners."""
    a, c = slopes[3 * first * L : (3 * first + 3) * L], slopes[3 * second * L : (3 * second + 3) * L]
    d, e = turned[3 * first * L : (3 * first + 3) * L], turned[3 * second * L : (3 * second + 3) * L]
    g = turned[(_G + 3 * first) * L : (_G + 3 * first + 3) * L]
    k = turned[(_G + 3 * second) * L : (_G + 3 * second + 3) * L]
    for lane in range(L):
        a0, a1, a2, c0, c1, c2 = a[lane], a[lane + L], a[lane + 2 * L], c[lane], c[lane + L], c[lane + 2 * L]
        d0, d1, d2, e0, e1, e2 = d[lane], d[lane + L], d[lane + 2 * L], e[lane], e[lane + L], e[lane + 2 * L]
        g0, g1, g2, k0, k1, k2 = g[lane], g[lane + L], g[lane + 2 * L], k[lane], k[lane + L], k[lane + 2 * L]
        h, s, f = FORMS * L + lane, SQUARE * L + lane, F * L + lane
        near = a0 * c0 + a1 * c1 + a2 * c2
        same = sample[h] * near + sample[h + L] * (d0 * e0 + d1 * e1 + d2 * e2)
        p, q, square, r, turn = (
            sample[h + 2 * L],
            sample[h + 3 * L],
            sample[h + 4 * L] * near,
            sample[h + 5 * L],
            sample[h + 6 * L],
        )
        u, v, w = turn * (c1 * a2 - c2 * a1), turn * (c2 * a0 - c0 * a2), turn * (c0 * a1 - c1 * a0)
        x = sample[f] * u + sample[f + L] * v + sample[f + 2 * L] * w
        y = sample[f + 3 * L] * u + sample[f + 4 * L] * v + sample[f + 5 * L] * w
        z = sample[f + 6 * L] * u + sample[f + 7 * L] * v + sample[f + 8 * L] * w
        b01, b02, b12 = square * sample[s + 3 * L], square * sample[s + 4 * L], square * sample[s + 5 * L]
        out[lane] += same + (p + q) * d0 * e0 + square * sample[s] + r * g0 * k0
        out[lane + L] += p * d0 * e1 + q * e0 * d1 + b01 + r * g0 * k1 - z
        out[lane + 2 * L] += p * d0 * e2 + q * e0 * d2 + b02 + r * g0 * k2 + y
        out[lane + 3 * L] += p * d1 * e0 + q * e1 * d0 + b01 + r * g1 * k0 + z
        out[lane + 4 * L] += same + (p + q) * d1 * e1 + square * sample[s + L] + r * g1 * k1
        out[lane + 5 * L] += p * d1 * e2 + q * e1 * d2 + b12 + r * g1 * k2 - x
        out[lane + 6 * L] += p * d2 * e0 + q * e2 * d0 + b02 + r * g2 * k0 - y
        out[lane + 7 * L] += p * d2 * e1 + q * e2 * d1 + b12 + r * g2 * k1 + x
        out[lane + 8 * L] += same + (p + q) * d2 * e2 + square * sample[s + 2 * L] + r * g2 * k2
