"""The Lagrangian of a planar figure and its derivatives, to the third order along one direction.

With absolute angles every term of L couples two limbs at most, through the difference of their angles, so all
derivatives are closed forms: with vectors as complex numbers, m_i |r_i'|^2 sums to

    T = 1/2 m |r0'|^2 + sum_j theta_j' (r0' . E e_j) + 1/2 sum_jk theta_j' theta_k' A_jk,      V = G sum_j e_jy + G m y
    e_j = R(theta_j) K_j,   A_jk + i B_jk = C_jk exp(i (theta_j - theta_k))

with the constants K_j = sum_i m_i d_ij and C_jk = sum_i m_i d_ij conj(d_ik), C_jj with m_j k_j^2 besides, where r_i =
r0 + sum_j d_ij exp(i theta_j). They are the same values as the recursion of Winzell 2004 (4.21 to 4.35, here in
`recursion`, against which they are tested), at a cost in the square of the limbs, which their derivatives have anyway.
Derivatives by joint angles are sums over the limbs outboards (4.8). The own spring of a coordinate of q adds
1/2 k (q - rest)^2 to V.

Symbols: q = (x, y, alpha), v its rates; p = dL/dv, g = dL/dq; E a quarter turn (4.11); psi (x, y, theta).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.spacetime.figures import LimbPoint, PlanarFigure


class PackedFigure(NamedTuple):
    """A figure as kernels read it."""

    parents: IntArray  # [limbs]
    first: Array  # [limbs, 2], K
    second: Array  # [limbs, limbs, 2], C
    mass: float
    gravity: float  # [m/s2], along -y
    springs: Array  # [coordinates, 2], stiffness of each one's own spring, and where that rests


class Pairs(NamedTuple):
    """Memory for what is computed once at a state."""

    angle: Array  # [limbs, 2], theta and its rate
    along: Array  # [2, coordinates], two directions, for absolute angles
    arm: Array  # [limbs, 2], e
    near: Array  # [limbs, limbs], A
    cross: Array  # [limbs, limbs], B
    turn: Array  # [limbs, 2], cosine and sine of theta
    root: Array  # [2], x and y


def pack_figure(figure: PlanarFigure, gravity: float) -> PackedFigure:
    """Sum the constants of a figure."""
    count = len(figure.limbs)
    first, second = np.zeros(count, complex), np.zeros((count, count), complex)
    for at, limb in enumerate(figure.limbs):
        arms = figure.arms(LimbPoint(limb.name, limb.centre))
        d = arms[:, 0] + 1j * arms[:, 1]
        first += limb.mass * d
        second += limb.mass * np.outer(d, d.conj())
        second[at, at] += limb.mass * limb.gyration**2
    return PackedFigure(
        figure.parents,
        np.stack([first.real, first.imag], axis=-1),
        np.stack([second.real, second.imag], axis=-1),
        figure.mass,
        gravity,
        np.array([*figure.slides, *((limb.spring, limb.rest) for limb in figure.limbs)]),
    )


@kernel
def new_pairs(limbs: int) -> Pairs:
    """Make memory for a figure of so many limbs."""
    return Pairs(
        np.zeros((limbs, 2)),
        np.zeros((2, limbs + 2)),
        np.zeros((limbs, 2)),
        np.zeros((limbs, limbs)),
        np.zeros((limbs, limbs)),
        np.zeros((limbs, 2)),
        np.zeros(2),
    )


@kernel
def set_pairs(figure: PackedFigure, q: Array, v: Array, out_pairs: Pairs) -> None:
    """Compute angles, arms and the couplings of limbs."""
    parents, angle, arm, turn = figure.parents, out_pairs.angle, out_pairs.arm, out_pairs.turn
    out_pairs.root[0], out_pairs.root[1] = q[0], q[1]
    for j in range(parents.size):
        theta, omega = q[2 + j], v[2 + j]
        if parents[j] >= 0:
            theta += angle[parents[j], 0]
            omega += angle[parents[j], 1]
        angle[j, 0], angle[j, 1] = theta, omega
        c, s = np.cos(theta), np.sin(theta)
        turn[j, 0], turn[j, 1] = c, s
        arm[j, 0] = c * figure.first[j, 0] - s * figure.first[j, 1]
        arm[j, 1] = s * figure.first[j, 0] + c * figure.first[j, 1]
        for k in range(j + 1):
            cosine = c * turn[k, 0] + s * turn[k, 1]
            sine = s * turn[k, 0] - c * turn[k, 1]
            real, imaginary = figure.second[j, k, 0], figure.second[j, k, 1]
            out_pairs.near[j, k] = out_pairs.near[k, j] = real * cosine - imaginary * sine
            out_pairs.cross[j, k] = real * sine + imaginary * cosine
            out_pairs.cross[k, j] = -out_pairs.cross[j, k]


@kernel
def sum_outboards(parents: IntArray, values: Array) -> None:
    """Turn derivatives by absolute angles, at 2 and up, into those by joint angles."""
    for j in range(parents.size - 1, -1, -1):
        if parents[j] >= 0:
            values[2 + parents[j]] += values[2 + j]


@kernel
def sum_both_outboards(parents: IntArray, count: int, groups: int, values: Array) -> None:
    """Do so with rows and columns of second derivatives by (psi, psi'), and by psi'' where there are three groups."""
    width = groups * count
    for group in range(groups):
        for j in range(parents.size - 1, -1, -1):
            to, of = group * count + 2 + parents[j], group * count + 2 + j
            if parents[j] >= 0:
                for c in range(width):
                    values[to, c] += values[of, c]
    for group in range(groups):
        for j in range(parents.size - 1, -1, -1):
            to, of = group * count + 2 + parents[j], group * count + 2 + j
            if parents[j] >= 0:
                for c in range(width):
                    values[c, to] += values[c, of]


@kernel
def compute_slopes(figure: PackedFigure, pairs: Pairs, v: Array, out_p: Array, out_g: Array) -> None:
    """p = dL/dv and g = dL/dq, of the state that `pairs` is of."""
    angle, arm, count = pairs.angle, pairs.arm, figure.parents.size
    out_p[0], out_p[1] = figure.mass * v[0], figure.mass * v[1]
    out_g[0], out_g[1] = 0.0, -figure.mass * figure.gravity
    for j in range(count):
        omega = angle[j, 1]
        out_p[0] -= omega * arm[j, 1]
        out_p[1] += omega * arm[j, 0]
        momentum, force = v[1] * arm[j, 0] - v[0] * arm[j, 1], v[0] * arm[j, 0] + v[1] * arm[j, 1]
        for k in range(count):
            momentum += pairs.near[j, k] * angle[k, 1]
            force += pairs.cross[j, k] * angle[k, 1]
        out_p[2 + j] = momentum
        out_g[2 + j] = -omega * force - figure.gravity * arm[j, 0]
    sum_outboards(figure.parents, out_p)
    sum_outboards(figure.parents, out_g)
    for i in range(count + 2):
        if figure.springs[i, 0] > 0.0:
            out_g[i] -= figure.springs[i, 0] * (_coordinate(figure, pairs, i) - figure.springs[i, 1])


@kernel
def _coordinate(figure: PackedFigure, pairs: Pairs, i: int) -> float:
    """A coordinate of q at the state that `pairs` is of."""
    if i < 2:
        return float(pairs.root[i])
    above = figure.parents[i - 2]
    return float(pairs.angle[i - 2, 0] - (pairs.angle[above, 0] if above >= 0 else 0.0))


@kernel
def compute_curvature(figure: PackedFigure, pairs: Pairs, v: Array, out_second: Array) -> None:
    """Second derivatives of L by (q, v): [2 coordinates, 2 coordinates], symmetric."""
    angle, arm, limbs = pairs.angle, pairs.arm, figure.parents.size
    n = limbs + 2
    out_second[: 2 * n, : 2 * n] = 0.0
    out_second[n, n] = out_second[n + 1, n + 1] = figure.mass
    for j in range(limbs):
        omega, x, y, at, rate = angle[j, 1], arm[j, 0], arm[j, 1], 2 + j, n + 2 + j
        out_second[n, rate] = out_second[rate, n] = -y
        out_second[n + 1, rate] = out_second[rate, n + 1] = x
        out_second[n, at] = out_second[at, n] = -omega * x
        out_second[n + 1, at] = out_second[at, n + 1] = -omega * y
        momentum, force = -v[0] * x - v[1] * y, -omega * (v[1] * x - v[0] * y) + figure.gravity * y
        for k in range(limbs):
            out_second[rate, n + 2 + k] = pairs.near[j, k]
            if k != j:
                other = angle[k, 1]
                momentum -= pairs.cross[j, k] * other
                force -= omega * pairs.near[j, k] * other
                out_second[rate, 2 + k] = out_second[2 + k, rate] = pairs.cross[j, k] * other
                out_second[at, 2 + k] = omega * other * pairs.near[j, k]
        out_second[rate, at] = out_second[at, rate] = momentum
        out_second[at, at] = force
    sum_both_outboards(figure.parents, n, 2, out_second)
    for i in range(n):
        out_second[i, i] -= figure.springs[i, 0]


@kernel
def set_directions(figure: PackedFigure, of_p: Array, of_g: Array, out_pairs: Pairs) -> None:
    """Turn two directions of q into those of absolute angles."""
    along = out_pairs.along
    for half in range(2):
        given = of_p if half == 0 else of_g
        along[half, 0], along[half, 1] = given[0], given[1]
        for j in range(figure.parents.size):
            along[half, 2 + j] = given[2 + j]
            if figure.parents[j] >= 0:
                along[half, 2 + j] += along[half, 2 + figure.parents[j]]


@kernel
def compute_third(figure: PackedFigure, pairs: Pairs, v: Array, out_third: Array) -> None:
    """Second derivatives by (q, v) of p . zeta + g . eta, zeta and eta the directions that are set."""
    angle, arm, limbs = pairs.angle, pairs.arm, figure.parents.size
    zeta, eta = pairs.along[0], pairs.along[1]
    n = limbs + 2
    out_third[: 2 * n, : 2 * n] = 0.0
    for j in range(limbs):
        omega, x, y, at, rate = angle[j, 1], arm[j, 0], arm[j, 1], 2 + j, n + 2 + j
        to, by = zeta[at], eta[at]
        turned = v[0] * x + v[1] * y
        square = omega * (y * zeta[0] - x * zeta[1]) + to * (v[0] * y - v[1] * x)
        square += by * (omega * turned + figure.gravity * x)
        mixed = -x * zeta[0] - y * zeta[1] + by * (v[0] * y - v[1] * x)
        for k in range(limbs):
            if k == j:
                continue
            other, near, cross = angle[k, 1], pairs.near[j, k], pairs.cross[j, k]
            apart = by - eta[2 + k]
            pull = near * (to * other + zeta[2 + k] * omega) - cross * omega * other * apart
            square -= pull
            out_third[at, 2 + k] = pull
            mixed -= cross * zeta[2 + k] + near * other * apart
            crossed = -cross * to - near * omega * apart
            out_third[at, n + 2 + k] = out_third[n + 2 + k, at] = crossed
            out_third[rate, n + 2 + k] = -cross * apart
        out_third[at, at] = square
        out_third[at, rate] = out_third[rate, at] = mixed
        out_third[at, n] = out_third[n, at] = -to * x + by * omega * y
        out_third[at, n + 1] = out_third[n + 1, at] = -to * y - by * omega * x
        out_third[rate, n] = out_third[n, rate] = -by * x
        out_third[rate, n + 1] = out_third[n + 1, rate] = -by * y
    sum_both_outboards(figure.parents, n, 2, out_third)
