"""A price on the acceleration of points: the integral of weight |acceleration|^2 over a motion. Kernels.

Least effort lets a head fly about (Winzell 2004, section 7.1): a price on its acceleration keeps it calm. With absolute
angles the acceleration of a point r0 + sum R(theta_j) d_j along a direction s is

    s . r0'' + sum_j (theta_j'' s . E rho_j - theta_j'^2 s . rho_j),      rho_j = R(theta_j) d_j

of which each limb's part depends on that limb's own angle, rate and acceleration alone.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.spacetime.bases import QuadratureRule
from engine.spacetime.lagrangian import set_pairs, sum_both_outboards, sum_outboards
from engine.spacetime.layout import PackedProblem
from engine.spacetime.motion_equations import PieceDerivatives
from engine.spacetime.second_order import add_square, new_square_room, read_accelerations
from engine.spacetime.states import StateRoom, add_to_variables, new_state_room, read_state


@kernel
def see_acceleration(problem: PackedProblem, room: StateRoom, a: Array, point: Array, along: int) -> float:
    """Acceleration of a point along x (0) or y (1), at the state in the room with accelerations a of coordinates."""
    parents, turn, angle = problem.figure.parents, room.pairs.turn, room.pairs.angle
    turning, found = room.of.by_ah, a[along]
    for j in range(parents.size):
        turning[j] = a[2 + j] + (turning[parents[j]] if parents[j] >= 0 else 0.0)
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        ahead, beside = (x, -y) if along == 0 else (y, x)
        found += turning[j] * beside - angle[j, 1] * angle[j, 1] * ahead
    return float(found)


@kernel
def set_acceleration_slopes(
    problem: PackedProblem, room: StateRoom, point: Array, along: int, out_slope: Array, out_bend: Array
) -> None:
    """Set its derivatives by (q, v, a), after `see_acceleration` of it."""
    parents, turn, angle, n = problem.figure.parents, room.pairs.turn, room.pairs.angle, out_slope.shape[1]
    turning = room.of.by_ah
    out_slope[:] = 0.0
    out_bend[:] = 0.0
    out_slope[2, along] = 1.0
    for j in range(parents.size):
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        ahead, beside = (x, -y) if along == 0 else (y, x)
        at, omega = 2 + j, angle[j, 1]
        out_slope[0, at] = -turning[j] * ahead - omega * omega * beside
        out_slope[1, at] = -2.0 * omega * ahead
        out_slope[2, at] = beside
        out_bend[at, at] = -turning[j] * beside + omega * omega * ahead
        out_bend[at, n + at] = out_bend[n + at, at] = -2.0 * omega * beside
        out_bend[at, 2 * n + at] = out_bend[2 * n + at, at] = -ahead
        out_bend[n + at, n + at] = -2.0 * ahead
    for layer in range(3):
        sum_outboards(parents, out_slope[layer])
    sum_both_outboards(parents, n, 3, out_bend)


@kernel
def evaluate_calm(problem: PackedProblem, rule: QuadratureRule, x: Array) -> float:
    """Integrate the cost."""
    room, n = new_state_room(problem), problem.figure.parents.size + 2
    a, objective = np.zeros(n), 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        kinds, firsts, h = (
            problem.kinds[stage],
            problem.firsts[stage],
            x[problem.lengths[stage]] / problem.counts[stage],
        )
        for point in range(rule.weights.size):
            read_state(kinds, firsts, piece, rule.layers[point], x, h, room.a, room.v)
            read_accelerations(kinds, firsts, piece, rule.layers[point, 2], x, h, a)
            set_pairs(problem.figure, room.a, room.v, room.pairs)
            for c in range(problem.calm.size):
                for along in range(2):
                    rho = see_acceleration(problem, room, a, problem.points[problem.calm[c]], along)
                    objective += rule.weights[point] * problem.calm_costs[c] * h * rho * rho
    return objective


@kernel
def differentiate_calm(
    problem: PackedProblem, rule: QuadratureRule, x: Array, sigma: float, out: PieceDerivatives
) -> float:
    """Do so, and add gradient and second derivatives to those of the pieces."""
    room, square, objective = new_state_room(problem), new_square_room(problem), 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        kinds, firsts, count = problem.kinds[stage], problem.firsts[stage], problem.counts[stage]
        h = x[problem.lengths[stage]] / count
        square.total[:] = 0.0
        for point in range(rule.weights.size):
            layers = rule.layers[point]
            read_state(kinds, firsts, piece, layers, x, h, room.a, room.v)
            read_accelerations(kinds, firsts, piece, layers[2], x, h, square.a)
            set_pairs(problem.figure, room.a, room.v, room.pairs)
            for c in range(problem.calm.size):
                cost, arms = rule.weights[point] * problem.calm_costs[c], problem.points[problem.calm[c]]
                for along in range(2):
                    rho = see_acceleration(problem, room, square.a, arms, along)
                    set_acceleration_slopes(problem, room, arms, along, square.slope, square.bend)
                    objective += cost * h * rho * rho
                    add_square(kinds, count, layers, h, cost, sigma, rho, room.v, square, out.hessian[e])
        add_to_variables(kinds, firsts, problem.lengths[stage], piece, square.total, out.gradient)
    return objective
