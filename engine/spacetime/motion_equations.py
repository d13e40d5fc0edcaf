"""The equations of motion in variational form, and the objective, integrated over pieces. Kernels.

Winzell 2004: tested against each trial function phi (3.9, 3.29),

    integral of (p . phi' + (g + Q) phi) dt = 0,      Q = torques + sum F s . dpoint/dq        (4.32)

and the costs of muscles (4.18 to 4.20). For the multipliers lambda of all equations, zeta and eta the sums of lambda
times the slopes and values of trial functions, their part of the solver's Lagrangian is at a point of weight w

    F = w (p . zeta + h (g + Q) . eta + sigma h cost)

whose second derivatives are taken: p . zeta + g . eta is the derivative of L along one direction. Which constraint a
trial function belongs to says the table `trials` of the problem.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import entered_kernel, kernel
from engine.spacetime.bases import COEFFICIENTS, QuadratureRule
from engine.spacetime.costs import add_cost_curvature, add_cost_slopes, cost_of_muscles
from engine.spacetime.lagrangian import (
    compute_curvature,
    compute_slopes,
    compute_third,
    set_directions,
    set_pairs,
)
from engine.spacetime.layout import PackedProblem
from engine.spacetime.pulls import add_pull, add_pull_curvature, add_pull_slopes
from engine.spacetime.states import (
    StateWork,
    add_curvature,
    add_gradient,
    add_length_curvature,
    add_to_variables,
    new_state_work,
    read_state,
)


class PieceDerivatives(NamedTuple):
    """Derivatives by the local coefficients of pieces."""

    jacobian: Array  # [pieces, 4 coordinates, 4 functions + 1], a row for each trial function
    hessian: Array  # [pieces, 4 functions + 1, 4 functions + 1], the lower half
    gradient: Array  # [variables], of the objective


@kernel
def evaluate_pieces(problem: PackedProblem, rule: QuadratureRule, x: Array, out_constraints: Array) -> float:
    """Add the residuals of the equations of motion; returns the objective."""
    work, muscles, costs = new_state_work(problem), problem.muscles, problem.costs
    first, objective = problem.figure.parents.size + 2, 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        kinds, trials = problem.kinds[stage], problem.trials[e]
        h = x[problem.lengths[stage]] / problem.counts[stage]
        for point in range(rule.weights.size):
            bases, weight = rule.layers[point], rule.weights[point]
            read_state(kinds, problem.firsts[stage], piece, bases, x, h, work.a, work.v)
            set_slopes(problem, work)
            objective += weight * h * cost_of_muscles(muscles, costs, first, work.a, work.v)
            _add_residuals(kinds, trials, bases, weight, h, work.p, work.g, out_constraints)
    return objective


@entered_kernel
def set_slopes(problem: PackedProblem, work: StateWork) -> None:
    """Set p, and g to g + Q, of the values and rates in the work."""
    figure, pairs, n = problem.figure, work.pairs, problem.figure.parents.size + 2
    set_pairs(figure, work.a, work.v, pairs)
    compute_slopes(figure, pairs, work.v, work.p, work.g)
    for m in range(problem.muscles.size):
        work.g[problem.muscles[m]] += work.a[n + m]
    for f in range(problem.forces.size):
        point, size = problem.points[problem.forces[f]], work.a[n + problem.muscles.size + f]
        if size != 0.0:
            add_pull(figure.parents, pairs.turn, point, problem.force_directions[f], size, work.g)


@kernel
def _add_residuals(
    kinds: IntArray,
    trials: IntArray,
    bases: Array,
    weight: float,
    h: float,
    p: Array,
    g: Array,
    out_constraints: Array,
) -> None:
    for i in range(p.size):
        kind, of_p, of_g = kinds[i], weight * p[i], weight * h * g[i]
        for c in range(COEFFICIENTS[kind]):
            row = trials[4 * i + c]
            if row >= 0:
                out_constraints[row] += of_p * bases[1, kind, c] + of_g * bases[0, kind, c]


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
    """Add residuals; set all derivatives, those of second order with multipliers and weight; return the objective."""
    work, n = new_state_work(problem), problem.figure.parents.size + 2
    muscles, costs, figure = problem.muscles, problem.costs, problem.figure
    of, row, objective = work.of, np.zeros(out.hessian.shape[1]), 0.0
    out.jacobian[:] = 0.0
    out.hessian[:] = 0.0
    out.gradient[:] = 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        kinds, trials, firsts, count = (
            problem.kinds[stage],
            problem.trials[e],
            problem.firsts[stage],
            problem.counts[stage],
        )
        h = x[problem.lengths[stage]] / count
        row[:] = 0.0
        for point in range(rule.weights.size):
            bases, weight = rule.layers[point], rule.weights[point]
            read_state(kinds, firsts, piece, bases, x, h, work.a, work.v)
            set_slopes(problem, work)
            cost = cost_of_muscles(muscles, costs, n, work.a, work.v)
            objective += weight * h * cost
            _add_residuals(kinds, trials, bases, weight, h, work.p, work.g, out_constraints)
            compute_curvature(figure, work.pairs, work.v, work.second)
            _add_force_slopes(problem, work)
            _add_rows(problem, stage, trials, bases, weight, h, work, out.jacobian[e])
            of.by_a[:], of.by_v[:] = 0.0, 0.0
            add_cost_slopes(muscles, costs, n, weight * h, work.a, work.v, of.by_a, of.by_v)
            add_gradient(kinds, count, bases, h, weight * cost, work.v, of.by_a, of.by_v, row)
            _set_trial(kinds, trials, bases, weight, h, multipliers, work.along)
            _set_curvature(problem, h, weight * sigma, work)
            add_curvature(kinds, bases, h, of.matrix, out.hessian[e])
            if problem.free_lengths[stage]:
                add_length_curvature(kinds, count, bases, h, work.v, of, out.hessian[e])
        add_to_variables(kinds, firsts, problem.lengths[stage], piece, row, out.gradient)
    return objective


@kernel
def _add_force_slopes(problem: PackedProblem, work: StateWork) -> None:
    """Add the forces' dQ/dq to second derivatives of L, which are then those of g + Q by q; set their pulls."""
    first, parents, turn = (
        problem.figure.parents.size + 2 + problem.muscles.size,
        problem.figure.parents,
        work.pairs.turn,
    )
    for f in range(problem.forces.size):
        size, point, direction = work.a[first + f], problem.points[problem.forces[f]], problem.force_directions[f]
        work.pulls[f] = 0.0
        add_pull(parents, turn, point, direction, 1.0, work.pulls[f])
        if size != 0.0:
            add_pull_slopes(parents, turn, point, direction, size, work.second)


@kernel
def _add_rows(
    problem: PackedProblem,
    stage: int,
    trials: IntArray,
    bases: Array,
    weight: float,
    h: float,
    work: StateWork,
    out_block: Array,
) -> None:
    """Add what the residuals of one point change by the coefficients of the piece.

    For each coordinate i: by_a, by_v are the derivatives of p_i, by_ah and by_vh those of h (g_i + Q_i).
    """
    n, functions, kinds, second = problem.figure.parents.size + 2, work.a.size, problem.kinds[stage], work.second
    p_a, p_v, g_a, g_v, v = work.of.by_a, work.of.by_v, work.of.by_ah, work.of.by_vh, work.v
    p_a[:], p_v[:], g_a[:], g_v[:] = 0.0, 0.0, 0.0, 0.0
    first, count = n + problem.muscles.size, problem.counts[stage]
    for i in range(n):
        if problem.rows[stage, i] < 0:
            continue
        for j in range(n):
            p_a[j], p_v[j], g_a[j], g_v[j] = (
                second[n + i, j],
                second[n + i, n + j],
                h * second[i, j],
                h * second[n + j, i],
            )
        for m in range(problem.muscles.size):
            g_a[n + m] = h if problem.muscles[m] == i else 0.0
        for f in range(problem.forces.size):
            g_a[first + f] = h * work.pulls[f, i]
        for c in range(COEFFICIENTS[kinds[i]]):
            if trials[4 * i + c] < 0:
                continue
            of_p, of_g = weight * bases[1, kinds[i], c], weight * bases[0, kinds[i], c]
            row = out_block[4 * i + c]
            of_length = of_g * work.g[i]
            for j in range(functions):
                by_a, by_b = of_p * p_a[j] + of_g * g_a[j], (of_p * p_v[j] + of_g * g_v[j]) / h
                if by_a != 0.0 or by_b != 0.0:
                    of_length -= by_b * v[j]
                    kind = kinds[j]
                    for d in range(COEFFICIENTS[kind]):
                        row[4 * j + d] += by_a * bases[0, kind, d] + by_b * bases[1, kind, d]
            row[4 * functions] += of_length / count


@kernel
def _set_trial(
    kinds: IntArray,
    trials: IntArray,
    bases: Array,
    weight: float,
    h: float,
    multipliers: Array,
    out_along: Array,
) -> None:
    """Set the directions w zeta and w h eta."""
    for i in range(trials.size // 4):
        zeta, eta, kind = 0.0, 0.0, kinds[i]
        for c in range(COEFFICIENTS[kind]):
            row = trials[4 * i + c]
            if row >= 0:
                zeta += multipliers[row] * bases[1, kind, c]
                eta += multipliers[row] * bases[0, kind, c]
        out_along[0, i], out_along[1, i] = weight * zeta, weight * h * eta


@kernel
def _set_curvature(problem: PackedProblem, h: float, sigma: float, work: StateWork) -> None:
    """Set the second derivatives of F by (a, v), and F_v, F_ah and F_vh; sigma is that of the objective times w."""
    figure, n, functions = problem.figure, problem.figure.parents.size + 2, work.a.size
    of, muscles, matrix, zeta, eta = work.of, problem.muscles, work.of.matrix, work.along[0], work.along[1]
    of.by_a[:], of.by_v[:] = 0.0, 0.0
    add_cost_slopes(muscles, problem.costs, n, sigma * h, work.a, work.v, of.by_a, of.by_v)
    for i in range(functions):
        of.by_ah[i], of.by_vh[i] = of.by_a[i] / h, of.by_v[i] / h
    set_directions(figure, zeta, eta, work.pairs)
    compute_third(figure, work.pairs, work.v, work.third)
    put_second(work.third, matrix)
    add_cost_curvature(muscles, problem.costs, n, sigma * h, work.a, work.v, matrix)
    for m in range(muscles.size):
        of.by_ah[n + m] += eta[muscles[m]] / h
    for f in range(problem.forces.size):
        at, point, direction = n + muscles.size + f, problem.points[problem.forces[f]], problem.force_directions[f]
        turn = work.pairs.turn
        add_pull_curvature(figure.parents, turn, point, direction, at, work.a[at], eta, matrix)
        for i in range(n):
            of.by_ah[at] += work.pulls[f, i] * eta[i] / h
    second = work.second
    for j in range(n):
        for i in range(n):
            of.by_v[j] += zeta[i] * second[n + i, n + j] + eta[i] * second[n + j, i]
            of.by_ah[j] += eta[i] * second[i, j] / h
            of.by_vh[j] += eta[i] * second[n + j, i] / h


@kernel
def put_second(second: Array, out_matrix: Array) -> None:
    """Set second derivatives by all functions and their rates to those by (q, v)."""
    n, functions = second.shape[0] // 2, out_matrix.shape[0] // 2
    out_matrix[:] = 0.0
    for i in range(n):
        for j in range(n):
            out_matrix[i, j] = second[i, j]
            out_matrix[i, functions + j] = second[i, n + j]
            out_matrix[functions + i, j] = second[n + i, j]
            out_matrix[functions + i, functions + j] = second[n + i, n + j]
