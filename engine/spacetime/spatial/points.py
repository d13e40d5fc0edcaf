"""Objective, equations of motion and bounds of torques at the points of integration of all pieces, with derivatives.

The equation of a coordinate without a muscle is tested against hat functions: the integral of hat times tau is 0. The
path's errors being orthogonal to hats, values and rates at the ends of pieces are exact to a higher order than it
(Green's function of q'' is a hat's sum). Torques of muscles are what the motion takes, their costs integrated. Second
derivatives are exact: those of tau, weighted, are those of one virtual power.
With h the length of a piece, all is a function of coefficients c and h: q = B c, v = B' c / h, a = B'' c / h^2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import entered_kernel, kernel
from engine.spacetime.spatial.curvature import add_path_curvature, push_length
from engine.spacetime.spatial.layout import MUSCLE, PackedSpatial
from engine.spacetime.spatial.power import (
    TreeWork,
    add_forces,
    force_slope,
    gather_state,
    gather_virtual,
    place_rates,
    set_bodies,
    sprung_slopes,
    sweep_state,
    sweep_virtual,
    take_springs,
)


class PointWork(NamedTuple):
    """Memory for one point of integration."""

    tree: TreeWork
    q: Array  # [coordinates]
    v: Array
    a: Array
    sizes: Array  # [forces]
    bases: Array  # [3, 4], of coordinates: values, and derivatives by time
    slopes: Array  # [coordinates, width], of tau by local numbers
    by: Array  # [coordinates, coordinates, 3], of the second's tau by q, v and a of the first
    shares: Array  # [coordinates], second derivatives of the whole by tau
    rates: Array  # [coordinates], lambda
    even: Array  # [coordinates], the share of lambda that is multiplied by the length
    by_v: Array  # [coordinates], derivatives of the whole
    by_a: Array
    pushed: Array  # [2, coordinates], Hessian times how the length changes q, v
    ground: Array  # [6], zeros
    curved: Array  # [1], 1; 0: second derivatives of torques are left out, as Gauss and Newton do


class PointDerivatives(NamedTuple):
    """Derivatives piece by piece."""

    jacobian: Array  # [pieces, rows, width]
    hessian: Array  # [pieces, width, width], lower half
    gradient: Array  # [variables], of the objective


def new_point_work(tree: TreeWork, coordinates: int, forces: int) -> PointWork:
    """Make memory."""
    n, width = coordinates, 4 * coordinates + 2 * forces + 1
    return PointWork(
        tree=tree,
        q=np.zeros(n),
        v=np.zeros(n),
        a=np.zeros(n),
        sizes=np.zeros(forces),
        bases=np.zeros((3, 4)),
        slopes=np.zeros((n, width)),
        by=np.zeros((n, n, 3)),
        shares=np.zeros(n),
        rates=np.zeros(n),
        even=np.zeros(n),
        by_v=np.zeros(n),
        by_a=np.zeros(n),
        pushed=np.zeros((2, n)),
        ground=np.zeros(6),
        curved=np.ones(1),
    )


@borrowing
@entered_kernel
def read_point(problem: PackedSpatial, piece: int, bases: Array, hats: Array, x: Array, work: PointWork) -> float:
    """Read coordinates, rates, accelerations and forces; `bases` by u are kept by time. Return the piece's length."""
    n, columns, stage = problem.moving.shape[1], problem.columns[piece], problem.pieces[piece, 0]
    h = x[problem.lengths[stage]] / problem.counts[stage]
    for c in range(4):
        work.bases[0, c], work.bases[1, c], work.bases[2, c] = bases[0, c], bases[1, c] / h, bases[2, c] / (h * h)
    for i in range(n):
        if problem.moving[stage, i] == 0:
            work.q[i], work.v[i], work.a[i] = x[columns[4 * i]], 0.0, 0.0
            continue
        q = v = a = 0.0
        for c in range(4):
            each = x[columns[4 * i + c]]
            q, v, a = q + work.bases[0, c] * each, v + work.bases[1, c] * each, a + work.bases[2, c] * each
        work.q[i], work.v[i], work.a[i] = q, v, a
    for f in range(work.sizes.size):
        at = 4 * n + 2 * f
        if problem.hat_counts[stage, f] == 2:
            work.sizes[f] = hats[0] * x[columns[at]] + hats[1] * x[columns[at + 1]]
        else:
            work.sizes[f] = x[columns[at]]
    return float(h)


@entered_kernel
def set_torques(problem: PackedSpatial, work: PointWork) -> None:
    """Compute tau, what springs do not give, and what its first derivatives need."""
    place_rates(problem.tree, work.q, work.tree)
    set_bodies(problem.tree, work.tree)
    sweep_state(problem.tree, work.v, work.a, True, work.tree)
    add_forces(problem.tree, problem.forces, work.sizes, work.tree)
    gather_state(problem.tree, work.tree)
    take_springs(problem.tree, work.q, work.tree)


@borrowing
@inlined
def spend(
    problem: PackedSpatial, stage: int, i: int, tau: float, v: float
) -> tuple[float, float, float, float, float, float]:
    """Say what a torque costs at a rate, with its derivatives by tau, v, tau tau, tau v, v v."""
    if problem.roles[stage, i] != MUSCLE:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    torque, power, labour = problem.costs[i, 0], problem.costs[i, 1], problem.costs[i, 2]
    whole = torque + power * v * v
    return (
        whole * tau * tau + labour * tau * v,
        2.0 * whole * tau + labour * v,
        2.0 * power * tau * tau * v + labour * tau,
        2.0 * whole,
        4.0 * power * tau * v + labour,
        2.0 * power * tau * tau,
    )


@borrowing
@inlined
def shake(problem: PackedSpatial, stage: int, i: int) -> float:
    """Say what the square of an acceleration costs."""
    return problem.steadiness if problem.roles[stage, i] == MUSCLE else 0.0


@kernel
def evaluate_points(problem: PackedSpatial, x: Array, work: PointWork, out_constraints: Array) -> float:
    """Add equations and bounds to the constraints; return the objective."""
    objective, n, tau = 0.0, problem.moving.shape[1], work.tree.tau
    for piece in range(problem.pieces.shape[0]):
        stage = problem.pieces[piece, 0]
        for point in range(problem.weights.size):
            h = read_point(problem, piece, problem.layers[piece, point], problem.hats[point], x, work)
            set_torques(problem, work)
            step = problem.weights[point] * h
            for i in range(n):
                objective += step * spend(problem, stage, i, tau[i], work.v[i])[0]
                objective += step * shake(problem, stage, i) * work.a[i] ** 2
                _take_torque(problem, piece, point, i, step, tau[i], out_constraints)
            for f in range(work.sizes.size):
                objective += step * problem.pressing * work.sizes[f] ** 2
    return objective


@borrowing
@kernel
def _take_torque(
    problem: PackedSpatial, piece: int, point: int, i: int, step: float, tau: float, out_constraints: Array
) -> None:
    """Add a torque to the equations of its hats, and set its bound."""
    stage = problem.pieces[piece, 0]
    if problem.slots[stage, i] >= 0:
        for hat in range(2):
            share = step * problem.hats[point, hat]
            out_constraints[problem.rows[piece, 2 * i + hat]] += share * (tau - problem.given[stage, i])
    if problem.bounds[piece, point, i] >= 0:
        out_constraints[problem.bounds[piece, point, i]] = tau


@kernel
def differentiate_points(
    problem: PackedSpatial,
    x: Array,
    multipliers: Array,
    weight: float,
    work: PointWork,
    out_constraints: Array,
    out: PointDerivatives,
) -> float:
    """Do so with derivatives, the Hessian that of weight times the objective + multipliers . constraints."""
    objective, n, tau = 0.0, problem.moving.shape[1], work.tree.tau
    out.jacobian[:], out.hessian[:], out.gradient[:] = 0.0, 0.0, 0.0
    for piece in range(problem.pieces.shape[0]):
        stage = problem.pieces[piece, 0]
        free = problem.free_lengths[stage] == 1
        for point in range(problem.weights.size):
            h = read_point(problem, piece, problem.layers[piece, point], problem.hats[point], x, work)
            set_torques(problem, work)
            step = problem.weights[point] * h
            work.shares[:] = 0.0
            _weigh(problem, piece, point, h, multipliers, weight, work)
            write_slopes(problem, stage, h, free, work)
            for i in range(n):
                objective += step * spend(problem, stage, i, tau[i], work.v[i])[0]
                objective += step * shake(problem, stage, i) * work.a[i] ** 2
                _take_torque(problem, piece, point, i, step, tau[i], out_constraints)
                _take_slopes(problem, piece, point, i, h, free, weight, work, out)
                _steady(problem, piece, point, i, h, free, weight, work, out)
            for f in range(work.sizes.size):
                objective += step * problem.pressing * work.sizes[f] ** 2
                _press(problem, piece, point, f, h, free, weight, work, out)
            if work.curved[0] == 0.0:
                work.rates[:], work.even[:], work.by_v[:], work.by_a[:] = 0.0, 0.0, 0.0, 0.0
            sweep_virtual(problem.tree, problem.forces, work.sizes, work.rates, work.ground, work.tree)
            gather_virtual(problem.tree, work.tree)
            add_path_curvature(problem, piece, work.bases, work.shares, work.by, work.tree, out.hessian[piece])
            if free:
                push_length(problem, piece, h, work.v, work.a, work.tree, work.pushed)
            add_force_curvature(problem, piece, point, work, out.hessian)
            if free:
                _add_length(problem, piece, point, h, weight, work, out)
    return objective


@borrowing
@kernel
def _weigh(
    problem: PackedSpatial, piece: int, point: int, h: float, multipliers: Array, weight: float, work: PointWork
) -> None:
    """Set lambda: by how much the whole changes with each torque."""
    stage, w = problem.pieces[piece, 0], problem.weights[point]
    for i in range(work.q.size):
        by_v = weight * w * spend(problem, stage, i, work.tree.tau[i], work.v[i])[2]
        even = weight * w * spend(problem, stage, i, work.tree.tau[i], work.v[i])[1]
        if problem.slots[stage, i] >= 0:
            for hat in range(2):
                even += w * problem.hats[point, hat] * multipliers[problem.rows[piece, 2 * i + hat]]
        bound = problem.bounds[piece, point, i]
        work.even[i] = even
        work.rates[i] = h * even + (multipliers[bound] if bound >= 0 else 0.0)
        work.by_v[i], work.by_a[i] = h * by_v, 0.0


@borrowing
@kernel
def write_slopes(problem: PackedSpatial, stage: int, h: float, free: bool, work: PointWork) -> None:
    """Derivatives of all torques that are asked for, by coefficients, forces and length."""
    tree, n, slopes, bases = problem.tree, work.q.size, work.slopes, work.bases
    last = slopes.shape[1] - 1
    for i in range(n):
        if problem.roles[stage, i] == 0:
            continue
        by_length = 0.0
        for at in range(tree.starts[i], tree.starts[i + 1]):
            k = tree.relatives[at]
            if problem.moving[stage, k] == 0:
                slopes[i, 4 * k : 4 * k + 4] = 0.0
                continue
            by_q, by_v, by_a = sprung_slopes(tree, work.tree, i, k)
            work.by[k, i, 0], work.by[k, i, 1], work.by[k, i, 2] = by_q, by_v, by_a
            for c in range(4):
                slopes[i, 4 * k + c] = by_q * bases[0, c] + by_v * bases[1, c] + by_a * bases[2, c]
            by_length -= (by_v * work.v[k] + 2.0 * by_a * work.a[k]) / h
            work.by_v[k] += work.rates[i] * by_v
            work.by_a[k] += work.rates[i] * by_a
        slopes[i, last] = by_length / problem.counts[stage] if free else 0.0
    for f in range(work.sizes.size):
        i = problem.forces.rates[f]
        while i >= 0:
            found = 0.0
            for each in range(6):
                found -= work.tree.s[i, each] * work.tree.wrenches[f, each]
            slopes[i, 4 * n + 2 * f] = found
            i = tree.parents[i]


@borrowing
@inlined
def force_share(problem: PackedSpatial, stage: int, point: int, f: int, c: int) -> float:
    """How a coefficient of a force counts at a point."""
    return problem.hats[point, c] if problem.hat_counts[stage, f] == 2 else 1.0


@borrowing
@kernel
def _take_slopes(
    problem: PackedSpatial,
    piece: int,
    point: int,
    i: int,
    h: float,
    free: bool,
    weight: float,
    work: PointWork,
    out: PointDerivatives,
) -> None:
    """Put the derivatives of one torque where they belong: gradient, Jacobian, the products of first derivatives."""
    stage, step = problem.pieces[piece, 0], problem.weights[point] * h
    if problem.roles[stage, i] == MUSCLE:
        _, by_tau, by_v, twice, mixed, by_vv = spend(problem, stage, i, work.tree.tau[i], work.v[i])
        _add_to_gradient(problem, piece, point, i, step * by_tau, work, out.gradient)
        if by_v != 0.0 or mixed != 0.0:
            _add_rate_costs(problem, piece, point, i, h, free, weight, (by_v, mixed, by_vv), work, out)
        work.shares[i] = weight * step * twice
        if twice != 0.0:
            _add_square(problem, piece, point, i, weight * step * twice, free, work, out.hessian[piece])
    elif problem.slots[stage, i] >= 0:
        row = 2 * problem.slots[stage, i]
        last, excess = work.slopes.shape[1] - 1, work.tree.tau[i] - problem.given[stage, i]
        for hat in range(2):
            share = step * problem.hats[point, hat]
            _add_row(problem, stage, point, i, share, work, out.jacobian[piece, row + hat])
            if free:
                out.jacobian[piece, row + hat, last] += share * excess / (h * problem.counts[stage])
    if problem.bound_slots[stage, i] >= 0:
        bounds = (out.jacobian.shape[1] - 2 * _equation_slots(problem)) // problem.weights.size
        row = 2 * _equation_slots(problem) + point * bounds + problem.bound_slots[stage, i]
        _add_row(problem, stage, point, i, 1.0, work, out.jacobian[piece, row])


@borrowing
@kernel
def _equation_slots(problem: PackedSpatial) -> int:
    """How many coordinates have equations on a stage, at most."""
    most = -1
    for stage in range(problem.slots.shape[0]):
        for i in range(problem.slots.shape[1]):
            most = max(most, problem.slots[stage, i])
    return most + 1


@borrowing
@kernel
def _add_row(
    problem: PackedSpatial, stage: int, point: int, i: int, share: float, work: PointWork, out_row: Array
) -> None:
    """Add the derivatives of a torque to a row of the Jacobian."""
    tree, n = problem.tree, work.q.size
    for at in range(tree.starts[i], tree.starts[i + 1]):
        k = tree.relatives[at]
        if problem.moving[stage, k] == 1:
            for c in range(4):
                out_row[4 * k + c] += share * work.slopes[i, 4 * k + c]
    for f in range(work.sizes.size):
        at = 4 * n + 2 * f
        for c in range(problem.hat_counts[stage, f]):
            out_row[at + c] += share * work.slopes[i, at] * force_share(problem, stage, point, f, c)
    out_row[-1] += share * work.slopes[i, -1]


@borrowing
@kernel
def _add_to_gradient(
    problem: PackedSpatial, piece: int, point: int, i: int, share: float, work: PointWork, out_gradient: Array
) -> None:
    """Add the derivatives of a torque to the gradient."""
    tree, n, columns, stage = problem.tree, work.q.size, problem.columns[piece], problem.pieces[piece, 0]
    for at in range(tree.starts[i], tree.starts[i + 1]):
        k = tree.relatives[at]
        if problem.moving[stage, k] == 1:
            for c in range(4):
                out_gradient[columns[4 * k + c]] += share * work.slopes[i, 4 * k + c]
    for f in range(work.sizes.size):
        at = 4 * n + 2 * f
        for c in range(problem.hat_counts[stage, f]):
            out_gradient[columns[at + c]] += share * work.slopes[i, at] * force_share(problem, stage, point, f, c)
    out_gradient[columns[-1]] += share * work.slopes[i, -1]


@borrowing
@kernel
def _add_square(
    problem: PackedSpatial,
    piece: int,
    point: int,
    i: int,
    share: float,
    free: bool,
    work: PointWork,
    out_hessian: Array,
) -> None:
    """Add share times the outer product of a torque's derivatives, but for those by the path alone (`curvature.py`)."""
    tree, n, slopes, stage = problem.tree, work.q.size, work.slopes, problem.pieces[piece, 0]
    begin, end, last = tree.starts[i], tree.starts[i + 1], slopes.shape[1] - 1
    if free:
        for at in range(begin, end):
            k = tree.relatives[at]
            if problem.moving[stage, k] == 1:
                for c in range(4):
                    out_hessian[last, 4 * k + c] += share * slopes[i, 4 * k + c] * slopes[i, last]
    for f in range(work.sizes.size):
        own = share * slopes[i, 4 * n + 2 * f]
        if own == 0.0:
            continue
        for c in range(problem.hat_counts[stage, f]):
            row, factor = 4 * n + 2 * f + c, own * force_share(problem, stage, point, f, c)
            for other in range(begin, end):
                j = tree.relatives[other]
                if problem.moving[stage, j] == 1:
                    for d in range(4):
                        out_hessian[row, 4 * j + d] += factor * slopes[i, 4 * j + d]
            for g in range(f + 1):
                for d in range(problem.hat_counts[stage, g]):
                    beside = slopes[i, 4 * n + 2 * g] * force_share(problem, stage, point, g, d)
                    out_hessian[row, 4 * n + 2 * g + d] += factor * beside
            if free:
                out_hessian[last, row] += factor * slopes[i, last]
    if free:
        out_hessian[last, last] += share * slopes[i, last] ** 2


@borrowing
@kernel
def _add_rate_costs(
    problem: PackedSpatial,
    piece: int,
    point: int,
    i: int,
    h: float,
    free: bool,
    weight: float,
    by: tuple[float, float, float],
    work: PointWork,
    out: PointDerivatives,
) -> None:
    """Add what a cost has from the rate at which a torque works: by v, tau v, v v."""
    tree, stage, columns, hessian = problem.tree, problem.pieces[piece, 0], problem.columns[piece], out.hessian[piece]
    by_v, mixed, by_vv = by
    step = problem.weights[point] * h
    last, by_length = work.slopes.shape[1] - 1, -work.v[i] / (h * problem.counts[stage]) if free else 0.0
    if free:
        out.gradient[columns[last]] += step * by_v * by_length
        hessian[last, last] += weight * step * by_length * (2.0 * mixed * work.slopes[i, last] + by_vv * by_length)
        _add_row(problem, stage, point, i, weight * step * mixed * by_length, work, hessian[last])
        hessian[last, last] -= weight * step * mixed * by_length * work.slopes[i, last]
    if problem.moving[stage, i] == 0:
        return
    for c in range(4):
        own, row = work.bases[1, c], 4 * i + c
        out.gradient[columns[row]] += step * by_v * own
        for at in range(tree.starts[i], tree.starts[i + 1]):
            k = tree.relatives[at]
            if problem.moving[stage, k] == 1:
                for d in range(4):
                    found = weight * step * mixed * own * work.slopes[i, 4 * k + d]
                    if k <= i:
                        hessian[row, 4 * k + d] += found
                    if k >= i:
                        hessian[4 * k + d, row] += found
        for d in range(4):
            hessian[row, 4 * i + d] += weight * step * by_vv * own * work.bases[1, d]
        for f in range(work.sizes.size):
            at = 4 * work.q.size + 2 * f
            for d in range(problem.hat_counts[stage, f]):
                share = force_share(problem, stage, point, f, d)
                hessian[at + d, row] += weight * step * mixed * own * work.slopes[i, at] * share
        if free:
            hessian[last, row] += weight * step * own * (mixed * work.slopes[i, last] + by_vv * by_length)


@borrowing
@kernel
def _steady(
    problem: PackedSpatial,
    piece: int,
    point: int,
    i: int,
    h: float,
    free: bool,
    weight: float,
    work: PointWork,
    out: PointDerivatives,
) -> None:
    """Add what an acceleration costs, which goes with h^-3 where coefficients stay."""
    stage, columns, hessian = problem.pieces[piece, 0], problem.columns[piece], out.hessian[piece]
    step, a, per = problem.weights[point] * h * shake(problem, stage, i), work.a[i], 1.0 / (h * problem.counts[stage])
    if step == 0.0 or problem.moving[stage, i] == 0:
        return
    for c in range(4):
        own, row = work.bases[2, c], 4 * i + c
        out.gradient[columns[row]] += 2.0 * step * own * a
        for d in range(c + 1):
            hessian[row, 4 * i + d] += 2.0 * weight * step * own * work.bases[2, d]
        if free:
            hessian[-1, row] -= 6.0 * weight * step * own * a * per
    if free:
        out.gradient[columns[-1]] -= 3.0 * step * a * a * per
        hessian[-1, -1] += 12.0 * weight * step * a * a * per * per


@borrowing
@kernel
def _press(
    problem: PackedSpatial,
    piece: int,
    point: int,
    f: int,
    h: float,
    free: bool,
    weight: float,
    work: PointWork,
    out: PointDerivatives,
) -> None:
    """Add what a force costs, for being there."""
    stage, columns = problem.pieces[piece, 0], problem.columns[piece]
    step, first = problem.weights[point] * h * problem.pressing, 4 * work.q.size + 2 * f
    for c in range(problem.hat_counts[stage, f]):
        own = force_share(problem, stage, point, f, c)
        out.gradient[columns[first + c]] += 2.0 * step * own * work.sizes[f]
        for d in range(c + 1):
            beside = force_share(problem, stage, point, f, d)
            out.hessian[piece, first + c, first + d] += 2.0 * weight * step * own * beside
        if free:
            each = 2.0 * weight * step * own * work.sizes[f] / (h * problem.counts[stage])
            out.hessian[piece, -1, first + c] += each
    if free:
        out.gradient[columns[-1]] += step * work.sizes[f] ** 2 / (h * problem.counts[stage])


@kernel
def add_curvature(
    problem: PackedSpatial, piece: int, h: float, free: bool, work: PointWork, out_hessian: Array
) -> None:
    """Add the second derivatives of lambda . tau alone by coefficients of the path."""
    work.shares[:], work.pushed[:] = 0.0, 0.0
    add_path_curvature(problem, piece, work.bases, work.shares, work.by, work.tree, out_hessian[piece])
    if free:
        push_length(problem, piece, h, work.v, work.a, work.tree, work.pushed)


@borrowing
@kernel
def add_force_curvature(problem: PackedSpatial, piece: int, point: int, work: PointWork, out_hessian: Array) -> None:
    """Add the second derivatives of lambda . tau by a force and a coordinate."""
    n, stage = work.q.size, problem.pieces[piece, 0]
    for f in range(work.sizes.size):
        j = problem.forces.rates[f]
        while j >= 0:
            if problem.moving[stage, j] == 1:
                found = force_slope(problem.forces, work.tree, f, j)
                for c in range(problem.hat_counts[stage, f]):
                    own = found * force_share(problem, stage, point, f, c)
                    for d in range(4):
                        out_hessian[piece, 4 * n + 2 * f + c, 4 * j + d] += own * work.bases[0, d]
            j = problem.tree.parents[j]


@borrowing
@kernel
def _add_length(
    problem: PackedSpatial, piece: int, point: int, h: float, weight: float, work: PointWork, out: PointDerivatives
) -> None:
    """Add what is left of the second derivatives by the length, and its part of the gradient.

    With F = h L: F_ch = L_c + h L_ch, F_hh = 2 L_h + h L_hh; the products of first derivatives are there already.
    """
    n, stage, local, w = work.q.size, problem.pieces[piece, 0], out.hessian[piece], problem.weights[point]
    last, per, slopes = work.slopes.shape[1] - 1, 1.0 / problem.counts[stage], work.slopes
    cost = 0.0
    add_length_curvature(problem, stage, h, work, local)
    for j in range(n):
        spent = spend(problem, stage, j, work.tree.tau[j], work.v[j])
        cost += w * spent[0]
        by_v = weight * w * spent[2]
        local[last, last] += 2.0 * per * work.even[j] * slopes[j, last] - 2.0 * per * per * by_v * work.v[j] / h
        if work.even[j] != 0.0:
            for at in range(problem.tree.starts[j], problem.tree.starts[j + 1]):
                k = problem.tree.relatives[at]
                for c in range(4 if problem.moving[stage, k] == 1 else 0):
                    local[last, 4 * k + c] += per * work.even[j] * slopes[j, 4 * k + c]
            for f in range(work.sizes.size):
                for c in range(problem.hat_counts[stage, f]):
                    own = slopes[j, 4 * n + 2 * f] * force_share(problem, stage, point, f, c)
                    local[last, 4 * n + 2 * f + c] += per * work.even[j] * own
        if problem.moving[stage, j] == 1:
            for c in range(4):
                local[last, 4 * j + c] += per * work.bases[1, c] * by_v
    out.gradient[problem.lengths[stage]] += per * cost


@kernel
def add_length_curvature(problem: PackedSpatial, stage: int, h: float, work: PointWork, out_local: Array) -> None:
    """Add the second derivatives of lambda . tau by the length, and by it and coefficients, after `add_curvature`; its
    slopes by rates and accelerations are in the work."""
    per, last = 1.0 / problem.counts[stage], out_local.shape[0] - 1
    for j in range(work.q.size):
        out_local[last, last] -= per * per * work.pushed[1, j] * work.v[j] / h
        out_local[last, last] += per * per * (2.0 * work.by_v[j] * work.v[j] + 6.0 * work.by_a[j] * work.a[j]) / (h * h)
        if problem.moving[stage, j] == 1:
            for c in range(4):
                found = work.bases[0, c] * work.pushed[0, j] + work.bases[1, c] * work.pushed[1, j]
                found -= (work.by_v[j] * work.bases[1, c] + 2.0 * work.by_a[j] * work.bases[2, c]) / h
                out_local[last, 4 * j + c] += per * found
