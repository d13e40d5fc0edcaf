"""The equations of motion in variational form, and the objective, integrated over pieces. Kernels.

Winzell 2004: tested against each trial function phi that is 0 at a stage's ends (3.9, 3.29),

    integral of (p . phi' + (g + Q) phi) dt = 0,      Q = torques + sum F s . dpoint/dq        (4.32)

and the costs of muscles (4.18 to 4.20). For the multipliers lambda of all equations, zeta and eta the sums of lambda
times the slopes and values of trial functions, their part of the solver's Lagrangian is at a point of weight w

    F = w (p . zeta + h (g + Q) . eta + sigma h cost)

whose second derivatives are taken: p . zeta + g . eta is the derivative of L along one direction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.spacetime.bases import COEFFICIENTS, HERMITE, QuadratureRule
from engine.spacetime.lagrangian import (
    compute_curvature,
    compute_slopes,
    compute_third,
    set_directions,
    set_pairs,
)
from engine.spacetime.layout import PackedProblem
from engine.spacetime.states import (
    StateRoom,
    add_curvature,
    add_gradient,
    add_to_variables,
    new_state_room,
    read_state,
)


class PieceDerivatives(NamedTuple):
    """Derivatives by the local coefficients of pieces."""

    jacobian: Array  # [pieces, 4 coordinates, 4 functions + 1], a row for each trial function
    hessian: Array  # [pieces, 4 functions + 1, 4 functions + 1], the lower half
    gradient: Array  # [variables], of the objective


@kernel
def find_trial_row(problem: PackedProblem, stage: int, i: int, piece: int, c: int) -> int:
    """Number of the constraint that a coefficient of a coordinate is the trial function of, or -1.

    The functions that are not 0 at an end of the stage belong to the link there, if there is one.
    """
    kind, count, first = problem.kinds[stage, i], problem.counts[stage], problem.rows[stage, i]
    if first < 0:
        return -1
    if kind == HERMITE:
        node = piece + c // 2
        if c % 2 == 1:
            return int(first + 2 * node if node < count else first + 2 * count - 1)
        if 0 < node < count:
            return int(first + 2 * node - 1)
    else:
        node = piece + c
        if 0 < node < count:
            return int(first + node - 1)
    return int(problem.ends[stage, i, 0 if node == 0 else 1])


@kernel
def add_forces(problem: PackedProblem, room: StateRoom, out_g: Array) -> None:
    """Add torques of muscles and forces at points to dL/dq: g + Q."""
    n = problem.figure.parents.size + 2
    for m in range(problem.muscles.size):
        out_g[problem.muscles[m]] += room.a[n + m]
    for f in range(problem.forces.size):
        point = problem.points[problem.forces[f]]
        add_pull(problem, room, point, problem.force_directions[f], room.a[n + problem.muscles.size + f], out_g)


@kernel
def add_pull(
    problem: PackedProblem, room: StateRoom, point: Array, direction: Array, size: float, out_q: Array
) -> None:
    """Add size direction . dpoint/dq (3.11): a force's, by the recursion of its limbs."""
    parents, turn = problem.figure.parents, room.pairs.turn
    out_q[0] += size * direction[0]
    out_q[1] += size * direction[1]
    for j in range(parents.size - 1, -1, -1):
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        share = size * (direction[1] * x - direction[0] * y)
        i = j
        while i >= 0:
            out_q[2 + i] += share
            i = parents[i]


@kernel
def cost_of_muscles(problem: PackedProblem, room: StateRoom) -> float:
    """Sum what the muscles cost at a state."""
    n, found = problem.figure.parents.size + 2, 0.0
    for m in range(problem.muscles.size):
        torque, change, rate = room.a[n + m], room.v[n + m], room.v[problem.muscles[m]]
        costs = problem.costs[m]
        found += costs[0] * torque * torque + costs[1] * (torque * rate) ** 2
        found += costs[2] * torque * rate + costs[3] * change * change
    return found


@kernel
def evaluate_pieces(problem: PackedProblem, rule: QuadratureRule, x: Array, out_constraints: Array) -> float:
    """Residuals of the equations of motion; returns the objective."""
    room, n = new_state_room(problem), problem.figure.parents.size + 2
    objective = 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        for point in range(rule.weights.size):
            values, slopes, weight = rule.values[point], rule.slopes[point], rule.weights[point]
            h = read_state(problem, stage, piece, values, slopes, x, room)
            _set_slopes(problem, room)
            objective += weight * h * cost_of_muscles(problem, room)
            _add_residuals(problem, stage, piece, values, slopes, weight, h, room, n, out_constraints)
    return objective


@kernel
def _set_slopes(problem: PackedProblem, room: StateRoom) -> None:
    set_pairs(problem.figure, room.a, room.v, room.pairs)
    compute_slopes(problem.figure, room.pairs, room.v, room.p, room.g)
    add_forces(problem, room, room.g)


@kernel
def _add_residuals(
    problem: PackedProblem,
    stage: int,
    piece: int,
    values: Array,
    slopes: Array,
    weight: float,
    h: float,
    room: StateRoom,
    coordinates: int,
    out_constraints: Array,
) -> None:
    for i in range(coordinates):
        kind = problem.kinds[stage, i]
        if problem.rows[stage, i] < 0:
            continue
        for c in range(COEFFICIENTS[kind]):
            row = find_trial_row(problem, stage, i, piece, c)
            if row >= 0:
                out_constraints[row] += weight * (room.p[i] * slopes[kind, c] + h * room.g[i] * values[kind, c])


@kernel
def differentiate_pieces(
    problem: PackedProblem,
    rule: QuadratureRule,
    x: Array,
    multipliers: Array,
    sigma: float,
    out_constraints: Array,
    out: PieceDerivatives,
) -> float:
    """Residuals and all derivatives, those of second order with multipliers and weight; returns the objective."""
    room, n = new_state_room(problem), problem.figure.parents.size + 2
    row = np.zeros(out.hessian.shape[1])
    objective = 0.0
    out.jacobian[:] = 0.0
    out.hessian[:] = 0.0
    out.gradient[:] = 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        row[:] = 0.0
        for point in range(rule.weights.size):
            values, slopes, weight = rule.values[point], rule.slopes[point], rule.weights[point]
            h = read_state(problem, stage, piece, values, slopes, x, room)
            _set_slopes(problem, room)
            cost = cost_of_muscles(problem, room)
            objective += weight * h * cost
            _add_residuals(problem, stage, piece, values, slopes, weight, h, room, n, out_constraints)
            compute_curvature(problem.figure, room.pairs, room.v, room.second)
            add_force_slopes(problem, room)
            _add_rows(problem, stage, piece, values, slopes, weight, h, room, out.jacobian[e])
            _set_cost_slopes(problem, weight * h, room)
            add_gradient(problem, stage, values, slopes, h, weight * cost, room, row)
            _set_trial(problem, stage, piece, values, slopes, weight, h, multipliers, room)
            _set_curvature(problem, weight, h, sigma, room)
            add_curvature(problem, stage, values, slopes, h, room, out.hessian[e])
        add_to_variables(problem, stage, piece, row, out.gradient)
    return objective


@kernel
def add_force_slopes(problem: PackedProblem, room: StateRoom) -> None:
    """Add the forces' dQ/dq to second derivatives of L, which are then those of g + Q by q."""
    n = problem.figure.parents.size + 2
    for f in range(problem.forces.size):
        size = room.a[n + problem.muscles.size + f]
        if size != 0.0:
            point = problem.points[problem.forces[f]]
            add_pull_slopes(problem, room, point, problem.force_directions[f], size, room.second)


@kernel
def add_pull_slopes(
    problem: PackedProblem, room: StateRoom, point: Array, direction: Array, size: float, out_matrix: Array
) -> None:
    """Add second derivatives of size direction . point by joint angles: -size direction . R(theta_j) d_j, summed
    over the limbs outboards of both."""
    parents, turn = problem.figure.parents, room.pairs.turn
    for j in range(parents.size):
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        share = -size * (direction[0] * x + direction[1] * y)
        if share != 0.0:
            i = j
            while i >= 0:
                k = j
                while k >= 0:
                    out_matrix[2 + i, 2 + k] += share
                    k = parents[k]
                i = parents[i]


@kernel
def _add_rows(
    problem: PackedProblem,
    stage: int,
    piece: int,
    values: Array,
    slopes: Array,
    weight: float,
    h: float,
    room: StateRoom,
    out_block: Array,
) -> None:
    """Add what the residuals of one point change by the coefficients of the piece."""
    n, functions, kinds = problem.figure.parents.size + 2, problem.kinds.shape[1], problem.kinds
    for i in range(n):
        if problem.rows[stage, i] < 0:
            continue
        kind = kinds[stage, i]
        room.by_a[:], room.by_v[:], room.by_ah[:], room.by_vh[:] = 0.0, 0.0, 0.0, 0.0
        for j in range(n):
            room.by_a[j], room.by_v[j] = room.second[n + i, j], room.second[n + i, n + j]
            room.by_ah[j], room.by_vh[j] = h * room.second[i, j], h * room.second[n + j, i]
        for m in range(problem.muscles.size):
            if problem.muscles[m] == i:
                room.by_ah[n + m] = h
        for f in range(problem.forces.size):
            pull = pull_on(problem, room, problem.points[problem.forces[f]], problem.force_directions[f], i)
            room.by_ah[n + problem.muscles.size + f] = h * pull
        _add_trial_rows(problem, stage, piece, kind, i, values, slopes, weight, h, room, functions, out_block)


@kernel
def pull_on(problem: PackedProblem, room: StateRoom, point: Array, direction: Array, i: int) -> float:
    """direction . dpoint/dq_i."""
    if i < 2:
        return float(direction[i])
    found = 0.0
    parents, turn = problem.figure.parents, room.pairs.turn
    for j in range(i - 2, parents.size):
        k = j
        while k > i - 2:
            k = parents[k]
        if k == i - 2:
            x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
            y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
            found += direction[1] * x - direction[0] * y
    return found


@kernel
def _add_trial_rows(
    problem: PackedProblem,
    stage: int,
    piece: int,
    kind: int,
    i: int,
    values: Array,
    slopes: Array,
    weight: float,
    h: float,
    room: StateRoom,
    functions: int,
    out_block: Array,
) -> None:
    """Add the rows of a coordinate's trial functions; by_a, by_v are derivatives of p, by_ah, by_vh of h (g + Q)."""
    for c in range(COEFFICIENTS[kind]):
        if find_trial_row(problem, stage, i, piece, c) < 0:
            continue
        of_p, of_g = weight * slopes[kind, c], weight * values[kind, c]
        row = out_block[4 * i + c]
        of_length = of_g * room.g[i]
        for j in range(functions):
            by_a = of_p * room.by_a[j] + of_g * room.by_ah[j]
            by_b = (of_p * room.by_v[j] + of_g * room.by_vh[j]) / h
            if by_a != 0.0 or by_b != 0.0:
                of_length -= by_b * room.v[j]
                other = problem.kinds[stage, j]
                for d in range(COEFFICIENTS[other]):
                    row[4 * j + d] += by_a * values[other, d] + by_b * slopes[other, d]
        row[4 * functions] += of_length / problem.counts[stage]


@kernel
def _set_cost_slopes(problem: PackedProblem, factor: float, room: StateRoom) -> None:
    """Set F_a and F_v of factor times the muscles' cost."""
    n = problem.figure.parents.size + 2
    room.by_a[:], room.by_v[:] = 0.0, 0.0
    for m in range(problem.muscles.size):
        dof, costs = problem.muscles[m], problem.costs[m]
        torque, rate = room.a[n + m], room.v[dof]
        room.by_a[n + m] += factor * (2.0 * torque * (costs[0] + costs[1] * rate * rate) + costs[2] * rate)
        room.by_v[dof] += factor * (2.0 * costs[1] * torque * torque * rate + costs[2] * torque)
        room.by_v[n + m] += factor * 2.0 * costs[3] * room.v[n + m]


@kernel
def _set_trial(
    problem: PackedProblem,
    stage: int,
    piece: int,
    values: Array,
    slopes: Array,
    weight: float,
    h: float,
    multipliers: Array,
    room: StateRoom,
) -> None:
    """Set the directions w zeta and w h eta, in `along` rows 0 and 1, and those of absolute angles."""
    zeta, eta = room.along[0], room.along[1]
    n = problem.figure.parents.size + 2
    for i in range(n):
        zeta[i] = eta[i] = 0.0
        kind = problem.kinds[stage, i]
        if problem.rows[stage, i] < 0:
            continue
        for c in range(COEFFICIENTS[kind]):
            row = find_trial_row(problem, stage, i, piece, c)
            if row >= 0:
                zeta[i] += weight * multipliers[row] * slopes[kind, c]
                eta[i] += weight * h * multipliers[row] * values[kind, c]
    set_directions(problem.figure, zeta, eta, room.pairs)


@kernel
def _set_curvature(problem: PackedProblem, weight: float, h: float, sigma: float, room: StateRoom) -> None:
    """Set the second derivatives of F by (a, v), F_v, F_ah and F_vh."""
    n, functions, muscles = problem.figure.parents.size + 2, problem.kinds.shape[1], problem.muscles.size
    matrix, zeta, eta = room.matrix, room.along[0], room.along[1]
    _set_cost_slopes(problem, weight * sigma * h, room)
    matrix[:] = 0.0
    for i in range(functions):
        room.by_ah[i], room.by_vh[i] = room.by_a[i] / h, room.by_v[i] / h
    _put_third(problem, room)
    for m in range(muscles):
        dof, costs, factor = problem.muscles[m], problem.costs[m], weight * sigma * h
        torque, rate, at = room.a[n + m], room.v[dof], n + m
        matrix[at, at] += factor * 2.0 * (costs[0] + costs[1] * rate * rate)
        mixed = factor * (4.0 * costs[1] * torque * rate + costs[2])
        matrix[at, functions + dof] += mixed
        matrix[functions + dof, at] += mixed
        matrix[functions + dof, functions + dof] += factor * 2.0 * costs[1] * torque * torque
        matrix[functions + at, functions + at] += factor * 2.0 * costs[3]
        room.by_ah[at] += eta[dof] / h
    for f in range(problem.forces.size):
        _add_force_curvature(problem, f, h, room)
    for j in range(n):
        for i in range(n):
            room.by_v[j] += zeta[i] * room.second[n + i, n + j] + eta[i] * room.second[n + j, i]
            room.by_ah[j] += eta[i] * room.second[i, j] / h
            room.by_vh[j] += eta[i] * room.second[n + j, i] / h


@kernel
def _put_third(problem: PackedProblem, room: StateRoom) -> None:
    """Put the third derivatives of L along the directions into the matrix of all functions."""
    n, functions = problem.figure.parents.size + 2, problem.kinds.shape[1]
    third = room.third
    compute_third(problem.figure, room.pairs, room.v, third)
    for i in range(n):
        for j in range(n):
            room.matrix[i, j] = third[i, j]
            room.matrix[i, functions + j] = third[i, n + j]
            room.matrix[functions + i, j] = third[n + i, j]
            room.matrix[functions + i, functions + j] = third[n + i, n + j]


@kernel
def _add_force_curvature(problem: PackedProblem, f: int, h: float, room: StateRoom) -> None:
    """Add what a force at a point brings: its pull along eta, differentiated by q and its size."""
    n = problem.figure.parents.size + 2
    at = n + problem.muscles.size + f
    point, direction, eta = problem.points[problem.forces[f]], problem.force_directions[f], room.along[1]
    add_pull_curvature(problem, point, direction, at, room.a[at], eta, room)
    for i in range(n):
        room.by_ah[at] += pull_on(problem, room, point, direction, i) * eta[i] / h


@kernel
def add_pull_curvature(
    problem: PackedProblem, point: Array, direction: Array, at: int, size: float, eta: Array, room: StateRoom
) -> None:
    """Add second derivatives of size direction . (dpoint/dq eta) by q, and by q and the size where that is a value."""
    parents, turn = problem.figure.parents, room.pairs.turn
    for j in range(parents.size):
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        turning = 0.0
        k = j
        while k >= 0:
            turning += eta[2 + k]
            k = parents[k]
        square = -size * turning * (direction[1] * x - direction[0] * y)
        mixed = -turning * (direction[0] * x + direction[1] * y)
        i = j
        while i >= 0:
            if at >= 0:
                room.matrix[2 + i, at] += mixed
                room.matrix[at, 2 + i] += mixed
            k = j
            while k >= 0:
                room.matrix[2 + i, 2 + k] += square
                k = parents[k]
            i = parents[i]
