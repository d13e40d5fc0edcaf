"""Strings: the damped springs of activation splines within an implicit step, without a matrix.

A virtual point is a weighted sum of the body's points, p_i = sum_j B_ij x_j; a segment leads from one to another,
d = p_j - p_i, and its energy over a step is

    E = k / 2 (|d| - alpha l0)^2 + c / (2 dt) (|d| - |d_n|)^2,   n = d / |d|
    H = (k + c / dt) n n^T + max(0, E' / |d|) (1 - n n^T)

with E' the force along n, c the damping and d_n the segment before the step. Points are gone through once for each
virtual point, not for each end of a segment: sums are gathered, segments worked out, what comes of them handed back.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.lanes import PLACE
from engine.soft.virtual_springs import LEAST_ALPHA, MOST_ALPHA


class Strings(NamedTuple):
    """Segments between virtual points."""

    starts: IntArray  # of the weights of each virtual point, shape [row_count + 1]
    points: IntArray  # of the bodies
    weights: Array
    segments: IntArray  # two virtual points, shape [count, 2]
    springs: Array  # rest length [m], stiffness [N/m], damping [N s/m]; alpha and |d_n| [m] of the step: [count, 5]
    blocks: Array  # H, nine numbers of each
    sums: Array  # room: of the virtual points, shape [row_count, 3]
    forces: Array  # room: on them


REST_LENGTH, STIFFNESS, DAMPING, ALPHA, BEFORE = 0, 1, 2, 3, 4


@inlined
def gather_rows(strings: Strings, x: Array) -> None:
    """Compute where the virtual points are; two sums side by side, always the same, neither waiting for the other."""
    for row in range(strings.starts.shape[0] - 1):
        a, b, c, p, q, r = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        first, last = strings.starts[row], strings.starts[row + 1]
        half = (last - first) // 2
        for each in range(first, first + half):
            at, weight = (3 * strings.points[each]) & PLACE, strings.weights[each]
            a += weight * x[at]
            b += weight * x[at + 1]
            c += weight * x[at + 2]
            to, other = (3 * strings.points[each + half]) & PLACE, strings.weights[each + half]
            p += other * x[to]
            q += other * x[to + 1]
            r += other * x[to + 2]
        if first + 2 * half < last:
            at, weight = (3 * strings.points[last - 1]) & PLACE, strings.weights[last - 1]
            a += weight * x[at]
            b += weight * x[at + 1]
            c += weight * x[at + 2]
        strings.sums[row, 0], strings.sums[row, 1], strings.sums[row, 2] = a + p, b + q, c + r
        strings.forces[row, 0], strings.forces[row, 1], strings.forces[row, 2] = 0.0, 0.0, 0.0


@inlined
def spread_rows(strings: Strings, out: Array) -> None:
    """Add the forces on the virtual points to the points."""
    for row in range(strings.starts.shape[0] - 1):
        a, b, c = strings.forces[row, 0], strings.forces[row, 1], strings.forces[row, 2]
        for each in range(strings.starts[row], strings.starts[row + 1]):
            at, weight = (3 * strings.points[each]) & PLACE, strings.weights[each]
            out[at] += weight * a
            out[at + 1] += weight * b
            out[at + 2] += weight * c


@inlined
def along(strings: Strings, each: int) -> tuple[float, float, float]:
    """Compute d of a segment."""
    i, j, sums = strings.segments[each, 0], strings.segments[each, 1], strings.sums
    return sums[j, 0] - sums[i, 0], sums[j, 1] - sums[i, 1], sums[j, 2] - sums[i, 2]


@inlined
def push_ends(strings: Strings, each: int, a: float, b: float, c: float) -> None:
    """Add a force on d to the ends of a segment."""
    i, j, forces = strings.segments[each, 0], strings.segments[each, 1], strings.forces
    forces[i, 0] -= a
    forces[i, 1] -= b
    forces[i, 2] -= c
    forces[j, 0] += a
    forces[j, 1] += b
    forces[j, 2] += c


@kernel
def add_strings(strings: Strings, given: Array, out: Array) -> None:
    """Add the product of all blocks with a vector."""
    if strings.segments.shape[0] == 0:
        return
    gather_rows(strings, given)
    for each in range(strings.segments.shape[0]):
        h, k = strings.blocks, 9 * each
        u, v, w = along(strings, each)
        push_ends(
            strings,
            each,
            h[k] * u + h[k + 1] * v + h[k + 2] * w,
            h[k + 3] * u + h[k + 4] * v + h[k + 5] * w,
            h[k + 6] * u + h[k + 7] * v + h[k + 8] * w,
        )
    spread_rows(strings, out)


@kernel
def begin_strings(strings: Strings, alphas: Array, x: Array) -> bool:
    """Take the lengths before a step, and alphas, 1 where none are given; false where one of these is no number."""
    if strings.segments.shape[0] == 0:
        return True
    gather_rows(strings, x)
    for each in range(strings.segments.shape[0]):
        alpha = alphas[each] if alphas.shape[0] > 0 else 1.0
        if not abs(alpha) < math.inf:
            return False
        strings.springs[each, ALPHA] = min(max(alpha, LEAST_ALPHA), MOST_ALPHA)
        a, b, c = along(strings, each)
        strings.springs[each, BEFORE] = math.sqrt(a * a + b * b + c * c)
    return True


@kernel
def pull_strings(strings: Strings, x: Array, dt: float, level: int, out_gradient: Array) -> float:
    """Compute the energy of the springs [J]; from level 1 their gradients, from level 2 their blocks."""
    if strings.segments.shape[0] == 0:
        return 0.0
    energy = 0.0
    gather_rows(strings, x)
    for each in range(strings.segments.shape[0]):
        springs = strings.springs
        a, b, c = along(strings, each)
        length = max(math.sqrt(a * a + b * b + c * c), 1e-12)
        longer, faster = length - springs[each, ALPHA] * springs[each, REST_LENGTH], length - springs[each, BEFORE]
        stiff, slow = springs[each, STIFFNESS], springs[each, DAMPING] / dt
        energy += 0.5 * (stiff * longer * longer + slow * faster * faster)
        if level < 1:
            continue
        force = stiff * longer + slow * faster
        a, b, c = a / length, b / length, c / length
        push_ends(strings, each, force * a, force * b, force * c)
        if level < 2:
            continue
        around = force / length if level < 3 else max(0.0, force / length)
        lengthwise = stiff + slow - around
        h, k, p, q, r = strings.blocks, 9 * each, lengthwise * a, lengthwise * b, lengthwise * c
        h[k], h[k + 1], h[k + 2] = p * a + around, p * b, p * c
        h[k + 3], h[k + 4], h[k + 5] = q * a, q * b + around, q * c
        h[k + 6], h[k + 7], h[k + 8] = r * a, r * b, r * c + around
    if level >= 1:
        spread_rows(strings, out_gradient)
    return energy
