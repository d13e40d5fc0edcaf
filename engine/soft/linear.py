"""Solves the linear systems of implicit steps: conjugate gradients, and MINRES where the matrix may be indefinite.

Both take a `LinearSystem`, whose product is the block rows and what `strings.py` and `ties.py` add to it without a
matrix, and the same arguments; `solve` chooses. Held points have neither residual nor step. A solve ends where the
2-norm of the residual is below `tolerance` times that of the right-hand side; it returns how many products it took,
below zero where conjugate gradients have met a direction of no curvature.

    conjugate gradients   Hestenes and Stiefel 1952
    MINRES                Paige and Saunders 1975, preconditioned by a positive definite matrix (its residual is then
                          measured in the norm of the preconditioner, so the 2-norm is looked at beside)
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import entered_kernel, kernel
from engine.soft.lanes import PLACE
from engine.soft.layers import Layers, precondition
from engine.soft.pattern import Pattern
from engine.soft.pressed import Pressed, find_pressed, invert_block, relax_backward, relax_forward, subtract_pressed
from engine.soft.string_inverse import Singles
from engine.soft.strings import Strings, add_strings
from engine.soft.ties import Tied, add_ties

CONJUGATE_GRADIENTS, MINRES = 0, 1
METHODS = {"conjugate gradients": CONJUGATE_GRADIENTS, "minres": MINRES}


class LinearSystem(NamedTuple):
    """A symmetric matrix and its preconditioner."""

    pattern: Pattern
    values: Array
    free: Array  # 1, or 0 for held points; shape [3 point_count]
    strings: Strings
    met: Tied
    layers: Layers
    frames: Array
    own: Array  # inverse diagonal blocks, shape [9 point_count]
    singles: tuple[Singles, Singles]
    pressed: Pressed


@kernel
def multiply_rows(pattern: Pattern, values: Array, given: Array, out: Array) -> None:
    """Multiply the symmetric block rows with a vector."""
    starts, columns = pattern.starts, pattern.columns
    for each in range(given.shape[0]):
        out[each] = 0.0
    for row in range(starts.shape[0] - 1):
        at, k = (3 * row) & PLACE, (9 * starts[row]) & PLACE
        x, y, z = given[at], given[at + 1], given[at + 2]
        p = values[k] * x + values[k + 1] * y + values[k + 2] * z
        q = values[k + 3] * x + values[k + 4] * y + values[k + 5] * z
        r = values[k + 6] * x + values[k + 7] * y + values[k + 8] * z
        for place in range(starts[row] + 1, starts[row + 1]):
            to, k = (3 * columns[place]) & PLACE, (9 * place) & PLACE
            u, v, w = given[to], given[to + 1], given[to + 2]
            a, b, c = values[k], values[k + 1], values[k + 2]
            p += a * u + b * v + c * w
            d, e, f = values[k + 3], values[k + 4], values[k + 5]
            q += d * u + e * v + f * w
            g, h, i = values[k + 6], values[k + 7], values[k + 8]
            r += g * u + h * v + i * w
            out[to] += a * x + d * y + g * z
            out[to + 1] += b * x + e * y + h * z
            out[to + 2] += c * x + f * y + i * z
        out[at] += p
        out[at + 1] += q
        out[at + 2] += r


@entered_kernel
def multiply(system: LinearSystem, given: Array, out: Array) -> None:
    """Multiply the whole matrix with a vector; held points have zero in both."""
    multiply_rows(system.pattern, system.values, given, out)
    add_strings(system.strings, given, out)
    add_ties(system.met, given, out)
    for each in range(out.shape[0]):
        out[each] *= system.free[each]


@inlined
def dot(first: Array, second: Array) -> float:
    """Multiply two vectors; four sums side by side, always the same."""
    count = first.shape[0]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for each in range(0, count - 3, 4):
        a += first[each] * second[each]
        b += first[each + 1] * second[each + 1]
        c += first[each + 2] * second[each + 2]
        d += first[each + 3] * second[each + 3]
    for each in range(count - count % 4, count):
        a += first[each] * second[each]
    return (a + b) + (c + d)


@kernel
def prepare_inverse(system: LinearSystem) -> None:
    """Invert the diagonal blocks of loose points, and of those that contact makes stiff."""
    for each in range(system.layers.order.loose.shape[0]):
        point = system.layers.order.loose[each]
        k, q = (9 * system.pattern.starts[point]) & PLACE, (9 * point) & PLACE
        invert_block(system.values, k, system.own, q)
    find_pressed(system.pattern, system.values, system.free, system.pressed)


@kernel
def apply_inverse(system: LinearSystem, given: Array, out: Array) -> None:
    """Apply the preconditioner."""
    pressed = system.pressed
    if pressed.number[0] == 0:
        invert_at_rest(system, given, out)
        return
    first, left = pressed.room[0], pressed.room[1]
    relax_forward(system.pattern, system.values, pressed, given, first)
    left[:] = given
    subtract_pressed(system.pattern, system.values, pressed, first, left)
    invert_at_rest(system, left, out)
    for each in range(out.shape[0]):
        out[each] += first[each]
    left[:] = given
    subtract_pressed(system.pattern, system.values, pressed, out, left)
    relax_backward(system.pattern, system.values, pressed, left, out)


@kernel
def invert_at_rest(system: LinearSystem, given: Array, out: Array) -> None:
    """Apply the inverse at rest, turned point by point."""
    precondition(system.layers, system.frames, given, system.own, system.singles, out)
    for each in range(out.shape[0]):
        out[each] *= system.free[each]


@entered_kernel
def solve(system: LinearSystem, method: int, right: Array, tolerance: float, most: int, room: Array, out: Array) -> int:
    """Solve for `out`; room: work memory, shape [7, 3 point_count]."""
    if method == MINRES:
        return solve_minres(system, right, tolerance, most, room, out)
    return solve_conjugate(system, right, tolerance, most, room, out)


@kernel
def solve_conjugate(system: LinearSystem, right: Array, tolerance: float, most: int, room: Array, out: Array) -> int:
    """Solve by conjugate gradients."""
    count = right.shape[0]
    residual, turned, along, product = room[0], room[1], room[2], room[3]
    for each in range(count):
        out[each] = 0.0
        residual[each] = right[each] * system.free[each]
    wanted = tolerance * tolerance * dot(residual, residual)
    before = 0.0
    for iteration in range(most):
        apply_inverse(system, residual, turned)
        now = dot(residual, turned)
        if not now > 0.0:
            return iteration
        share = now / before if iteration > 0 else 0.0
        before = now
        for each in range(count):
            along[each] = turned[each] + share * along[each] if iteration > 0 else turned[each]
        multiply(system, along, product)
        curvature = dot(along, product)
        if not curvature > 0.0:
            return -1 - iteration
        step = now / curvature
        for each in range(count):
            out[each] += step * along[each]
            residual[each] -= step * product[each]
        if dot(residual, residual) <= wanted:
            return iteration + 1
    return most


@kernel
def solve_minres(system: LinearSystem, right: Array, tolerance: float, most: int, room: Array, out: Array) -> int:
    """Solve by MINRES, for any symmetric matrix."""
    count = right.shape[0]
    r1, r2, y, v, w1, w2, product = room[0], room[1], room[2], room[3], room[4], room[5], room[6]
    for each in range(count):
        out[each] = w1[each] = w2[each] = 0.0
        r1[each] = r2[each] = right[each] * system.free[each]
    size = math.sqrt(dot(r2, r2))
    apply_inverse(system, r2, y)
    beta = math.sqrt(max(0.0, dot(r2, y)))
    if beta == 0.0:
        return 0
    wanted, before, left = tolerance * size, 0.0, beta
    diagonal, beyond, cosine, sine = 0.0, 0.0, -1.0, 0.0
    for iteration in range(most):
        for each in range(count):
            v[each] = y[each] / beta
        multiply(system, v, product)
        alpha = dot(v, product)
        for each in range(count):
            product[each] -= alpha / beta * r2[each]
            if iteration > 0:
                product[each] -= beta / before * r1[each]
            r1[each], r2[each] = r2[each], product[each]
        apply_inverse(system, r2, y)
        before, beta = beta, math.sqrt(max(0.0, dot(r2, y)))
        epsilon, delta = beyond, cosine * diagonal + sine * alpha
        gamma_bar = sine * diagonal - cosine * alpha
        beyond, diagonal = sine * beta, -cosine * beta
        gamma = max(math.hypot(gamma_bar, beta), 1e-300)
        cosine, sine = gamma_bar / gamma, beta / gamma
        step, left = cosine * left, sine * left
        for each in range(count):
            w = (v[each] - epsilon * w1[each] - delta * w2[each]) / gamma
            w1[each], w2[each] = w2[each], w
            out[each] += step * w
        if beta <= 1e-300:
            return iteration + 1
        if iteration % 4 == 3 or left <= 0.1 * tolerance:
            multiply(system, out, v)
            total = 0.0
            for each in range(count):
                miss = right[each] * system.free[each] - v[each]
                total += miss * miss
            if math.sqrt(total) <= wanted:
                return iteration + 1
    return most
