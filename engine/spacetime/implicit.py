"""Muscles without variables of their own: torques computed from the motion (Winzell 2004, 4.4.3; 4.38, 4.39). Kernels.

    tau = dp/dt - g = M a + (dp/dq) v - g

with accelerations a, which jump from piece to piece. Joints without a muscle keep their variational equations, which
there say that no torque acts (4.39). Costs are squares rho^2 of rho = tau or tau alpha'. Of y . tau = Psi_q . v + Psi_v
. a - g . y with Psi = p . y, derivatives by q, v and a are

    Psi_qq v + Psi_qv a - (g . y)_q,    Psi_vq v + Psi_q - (g . y)_v,    Psi_v

and second derivatives are closed forms as those of L (`lagrangian`): with absolute angles,

    y . tau = sum_jk y_j (A_jk theta_k'' + B_jk theta_k'^2)
            + sum_j (y_j (r0'' + G up) . E e_j + y_0 . (E e_j theta_j'' - e_j theta_j'^2))

and what is linear.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.jit import entered_kernel, kernel
from engine.spacetime.bases import QuadratureRule, basis, basis_bend, basis_slope
from engine.spacetime.lagrangian import compute_curvature, compute_third, set_directions, sum_both_outboards
from engine.spacetime.layout import PackedProblem
from engine.spacetime.motion_equations import PieceDerivatives, set_slopes
from engine.spacetime.motions import PlannedMotion
from engine.spacetime.second_order import add_square, new_square_work, read_accelerations
from engine.spacetime.states import StateWork, add_to_variables, new_state_work, read_state


@entered_kernel
def set_torques(problem: PackedProblem, work: StateWork, a: Array, out_tau: Array) -> None:
    """Set the generalised forces that the motion needs beside weight, at the work's state."""
    n = problem.figure.parents.size + 2
    set_slopes(problem, work)
    compute_curvature(problem.figure, work.pairs, work.v, work.second)
    for i in range(n):
        out_tau[i] = -work.g[i]
        for j in range(n):
            out_tau[i] += work.second[n + i, n + j] * a[j] + work.second[n + i, j] * work.v[j]


@kernel
def evaluate_computed(problem: PackedProblem, rule: QuadratureRule, x: Array) -> float:
    """Integrate what the muscles whose torques are computed cost."""
    work, n = new_state_work(problem), problem.figure.parents.size + 2
    a, tau, objective = np.zeros(n), np.zeros(n), 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        kinds, firsts, h = (
            problem.kinds[stage],
            problem.firsts[stage],
            x[problem.lengths[stage]] / problem.counts[stage],
        )
        for point in range(rule.weights.size):
            read_state(kinds, firsts, piece, rule.layers[point], x, h, work.a, work.v)
            read_accelerations(kinds, firsts, piece, rule.layers[point, 2], x, h, a)
            set_torques(problem, work, a, tau)
            for m in range(problem.muscles.size):
                if problem.computed[stage, m] == 1:
                    torque, rate = tau[problem.muscles[m]], work.v[problem.muscles[m]]
                    square = problem.costs[m, 0] + problem.costs[m, 1] * rate * rate
                    objective += rule.weights[point] * h * square * torque * torque
    return objective


@kernel
def differentiate_computed(
    problem: PackedProblem, rule: QuadratureRule, x: Array, sigma: float, out: PieceDerivatives
) -> float:
    """Do so, and add gradient and second derivatives to those of the pieces."""
    work, square, n = new_state_work(problem), new_square_work(problem), problem.figure.parents.size + 2
    a, tau, of_torque, objective = square.a, np.zeros(n), np.zeros((3, n)), 0.0
    for e in range(problem.pieces.shape[0]):
        stage, piece = problem.pieces[e, 0], problem.pieces[e, 1]
        count, kinds, firsts = problem.counts[stage], problem.kinds[stage], problem.firsts[stage]
        h = x[problem.lengths[stage]] / count
        square.total[:] = 0.0
        for point in range(rule.weights.size):
            layers = rule.layers[point]
            read_state(kinds, firsts, piece, layers, x, h, work.a, work.v)
            read_accelerations(kinds, firsts, piece, layers[2], x, h, a)
            set_torques(problem, work, a, tau)
            for m in range(problem.muscles.size):
                for power in range(2):
                    cost = rule.weights[point] * problem.costs[m, power] * problem.computed[stage, m]
                    if cost == 0.0:
                        continue
                    dof = problem.muscles[m]
                    rho = tau[dof] * (work.v[dof] if power == 1 else 1.0)
                    _set_torque_slopes(problem, work, a, dof, of_torque)
                    _set_torque_bends(problem, work, a, square.bend)
                    _set_rho(power, dof, tau[dof], work.v[dof], of_torque, square.slope, square.bend)
                    objective += cost * h * rho * rho
                    add_square(kinds, count, layers, h, cost, sigma, rho, work.v, square, out.hessian[e])
        add_to_variables(kinds, firsts, problem.lengths[stage], piece, square.total, out.gradient)
    return objective


@kernel
def _set_torque_slopes(problem: PackedProblem, work: StateWork, a: Array, dof: int, out_slope: Array) -> None:
    """Set derivatives of the torque at a coordinate by q, v and accelerations."""
    n, third, second = problem.figure.parents.size + 2, work.third, work.second
    work.along[:] = 0.0
    work.along[0, dof] = 1.0
    set_directions(problem.figure, work.along[0], work.along[1], work.pairs)
    compute_third(problem.figure, work.pairs, work.v, third)
    for j in range(n):
        by_q, by_v = -second[dof, j], second[n + dof, j] - second[n + j, dof]
        for k in range(n):
            by_q += third[j, k] * work.v[k] + third[j, n + k] * a[k]
            by_v += third[n + j, k] * work.v[k]
        out_slope[0, j], out_slope[1, j], out_slope[2, j] = by_q, by_v, second[n + dof, n + j]


@kernel
def _set_torque_bends(problem: PackedProblem, work: StateWork, a: Array, out_bend: Array) -> None:
    """Set second derivatives of y . tau by (q, v, accelerations), y the first direction that is set."""
    figure, pairs, limbs = problem.figure, work.pairs, problem.figure.parents.size
    n, y, angle, arm, turning = limbs + 2, work.pairs.along[0], work.pairs.angle, work.pairs.arm, work.of.by_ah
    out_bend[:] = 0.0
    for j in range(limbs):
        turning[j] = a[2 + j]
        if figure.parents[j] >= 0:
            turning[j] += turning[figure.parents[j]]
    for j in range(limbs):
        at, omega, ex, ey, own = 2 + j, angle[j, 1], arm[j, 0], arm[j, 1], y[2 + j]
        square = own * (a[0] * ey - a[1] * ex - figure.gravity * ex)
        square += y[0] * (turning[j] * ey + omega * omega * ex) - y[1] * (turning[j] * ex - omega * omega * ey)
        mixed = 2.0 * omega * (y[0] * ey - y[1] * ex)
        out_bend[n + at, n + at] -= 2.0 * (y[0] * ex + y[1] * ey)
        by_turning = -y[0] * ex - y[1] * ey
        out_bend[at, 2 * n] = out_bend[2 * n, at] = -own * ex
        out_bend[at, 2 * n + 1] = out_bend[2 * n + 1, at] = -own * ey
        for k in range(limbs):
            if k == j:
                continue
            near, cross, other = pairs.near[j, k], pairs.cross[j, k], y[2 + k]
            mine = own * (near * turning[k] + cross * angle[k, 1] ** 2)
            theirs = other * (near * turning[j] - cross * omega * omega)
            square -= mine + theirs
            out_bend[at, 2 + k] = mine + theirs
            out_bend[at, 2 * n + 2 + k] = out_bend[2 * n + 2 + k, at] = -own * cross
            by_turning -= other * cross
            out_bend[at, n + 2 + k] = out_bend[n + 2 + k, at] = 2.0 * own * near * angle[k, 1]
            mixed -= 2.0 * other * near * omega
            out_bend[n + at, n + at] -= 2.0 * other * cross
        out_bend[at, at] = square
        out_bend[at, n + at] = out_bend[n + at, at] = mixed
        out_bend[at, 2 * n + at] = out_bend[2 * n + at, at] = by_turning
    sum_both_outboards(figure.parents, n, 3, out_bend)


@kernel
def _set_rho(
    power: int, dof: int, torque: float, rate: float, of_torque: Array, out_slope: Array, out_bend: Array
) -> None:
    """Turn derivatives of a torque into those of rho: the torque itself, or times the rate of its coordinate."""
    n = of_torque.shape[1]
    out_slope[:] = of_torque
    if power == 1:
        out_bend *= rate
        out_slope *= rate
        out_slope[1, dof] += torque
        for layer in range(3):
            for j in range(n):
                out_bend[layer * n + j, n + dof] += of_torque[layer, j]
                out_bend[n + dof, layer * n + j] += of_torque[layer, j]


def computed_torques(motion: PlannedMotion, time: float, *, before: bool = False) -> Array:
    """Torques and forces on all coordinates that the motion needs at a time, beside weight."""
    packed = motion.layout.packed
    work, n = new_state_work(packed), packed.rows.shape[1]
    stage, piece, u = motion.place(time, before=before)
    layers, kinds, firsts = (
        np.array([basis(u), basis_slope(u), basis_bend(u)]),
        packed.kinds[stage],
        packed.firsts[stage],
    )
    h = float(motion.lengths[stage]) / int(packed.counts[stage])
    a, tau = np.zeros(n), np.zeros(n)
    read_state(kinds, firsts, piece, layers, motion.x, h, work.a, work.v)
    read_accelerations(kinds, firsts, piece, layers[2], motion.x, h, a)
    set_torques(packed, work, a, tau)
    return tau
