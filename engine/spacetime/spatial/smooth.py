"""A price on how fast muscles change their torque: the integral of weight (d tau / dt)^2 over a motion. Kernels.

Torques follow from the motion, so this needs no unknown: on each piece they are taken for the polynomial through their
values at the points of integration, whose slope has the square

    (1 / h) sum_pq K_pq tau_p tau_q,    K_pq = the integral of l_p' l_q' over 0 to 1,

l_p being Lagrange's polynomials. With K = sum_r k_r e_r e_r^T it is a sum of squares, of which the derivatives are
those of inverse dynamics at the points (`power`). Between pieces torques go on, as accelerations do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.spacetime.spatial.layout import MUSCLE, PackedSpatial
from engine.spacetime.spatial.points import (
    PointDerivatives,
    PointWork,
    add_curvature,
    add_force_curvature,
    add_length_curvature,
    force_share,
    read_point,
    set_torques,
    write_slopes,
)
from engine.spacetime.spatial.power import gather_virtual, sweep_virtual


class SmoothWork(NamedTuple):
    """Costs, the sum of squares, and memory for one piece."""

    costs: Array  # [coordinates]
    ways: Array  # [points - 1, points], sqrt(k_r) e_r
    torques: Array  # [points, coordinates]
    slopes: Array  # [points, coordinates, width]
    shares: Array  # [points, coordinates], derivatives of the whole by torques
    row: Array  # [width], that of one square


def new_smooth_work(costs: Array, points: int, width: int) -> SmoothWork:
    """Make memory."""
    places = (np.polynomial.legendre.leggauss(points)[0] + 1.0) / 2.0
    polynomials = np.linalg.inv(np.vander(places, increasing=True))  # of Lagrange: columns, by ascending powers
    slopes = polynomials[1:] * np.arange(1, points)[:, None]
    powers = np.arange(points - 1)
    square = slopes.T @ (1.0 / (powers[:, None] + powers + 1.0)) @ slopes
    sizes, ways = np.linalg.eigh(square)
    return SmoothWork(
        costs=costs,
        ways=np.ascontiguousarray(np.sqrt(np.maximum(sizes[1:], 0.0))[:, None] * ways.T[1:]),
        torques=np.zeros((points, len(costs))),
        slopes=np.zeros((points, len(costs), width)),
        shares=np.zeros((points, len(costs))),
        row=np.zeros(width),
    )


@kernel
def evaluate_smoothness(problem: PackedSpatial, smooth: SmoothWork, x: Array, work: PointWork) -> float:
    """Integrate the cost."""
    objective = 0.0
    for piece in range(problem.pieces.shape[0]):
        h = 0.0
        for point in range(problem.weights.size):
            h = read_point(problem, piece, problem.layers[piece, point], problem.hats[point], x, work)
            set_torques(problem, work)
            smooth.torques[point, :] = work.tree.tau
        objective += _weigh_piece(problem, problem.pieces[piece, 0], h, smooth)
    return objective


@kernel
def _weigh_piece(problem: PackedSpatial, stage: int, h: float, smooth: SmoothWork) -> float:
    """Return the cost of a piece; set its derivatives by torques."""
    found, points = 0.0, smooth.torques.shape[0]
    smooth.shares[:] = 0.0
    for i in range(smooth.costs.size):
        cost = smooth.costs[i] / h if problem.roles[stage, i] == MUSCLE else 0.0
        for way in range(smooth.ways.shape[0] if cost > 0.0 else 0):
            size = 0.0
            for point in range(points):
                size += smooth.ways[way, point] * smooth.torques[point, i]
            found += cost * size * size
            for point in range(points):
                smooth.shares[point, i] += 2.0 * cost * size * smooth.ways[way, point]
    return found


@kernel
def differentiate_smoothness(
    problem: PackedSpatial, smooth: SmoothWork, x: Array, weight: float, work: PointWork, out: PointDerivatives
) -> float:
    """Do so, and add gradient and second derivatives to those of the pieces."""
    objective, n = 0.0, smooth.costs.size
    for piece in range(problem.pieces.shape[0]):
        stage, h = problem.pieces[piece, 0], 0.0
        free = problem.free_lengths[stage] == 1
        for point in range(problem.weights.size):
            h = read_point(problem, piece, problem.layers[piece, point], problem.hats[point], x, work)
            set_torques(problem, work)
            smooth.torques[point, :] = work.tree.tau
            work.rates[:] = 0.0
            write_slopes(problem, stage, h, free, work)
            _keep_slopes(problem, stage, point, work, smooth)
        cost = _weigh_piece(problem, stage, h, smooth)
        objective += cost
        for i in range(n):
            if smooth.costs[i] > 0.0 and problem.roles[stage, i] == MUSCLE:
                _add_squares(problem, piece, i, h, free, weight, smooth, out)
        if free:
            per, last = 1.0 / (h * problem.counts[stage]), out.hessian.shape[1] - 1
            out.gradient[problem.lengths[stage]] -= per * cost
            out.hessian[piece, last, last] += 2.0 * weight * per * per * cost
        for point in range(problem.weights.size):
            read_point(problem, piece, problem.layers[piece, point], problem.hats[point], x, work)
            set_torques(problem, work)
            for i in range(n):
                work.rates[i] = weight * smooth.shares[point, i]
            work.by_v[:], work.by_a[:] = 0.0, 0.0
            write_slopes(problem, stage, h, free, work)
            sweep_virtual(problem.tree, problem.forces, work.sizes, work.rates, work.ground, work.tree)
            gather_virtual(problem.tree, work.tree)
            add_curvature(problem, piece, h, free, work, out.hessian)
            add_force_curvature(problem, piece, point, work, out.hessian)
            if free:
                add_length_curvature(problem, stage, h, work, out.hessian[piece])
    return objective


@kernel
def _keep_slopes(problem: PackedSpatial, stage: int, point: int, work: PointWork, smooth: SmoothWork) -> None:
    """Keep the slopes of torques at a point, by all local numbers."""
    n = smooth.costs.size
    for i in range(n):
        if smooth.costs[i] > 0.0 and problem.roles[stage, i] == MUSCLE:
            smooth.slopes[point, i, :] = work.slopes[i]
            for f in range(work.sizes.size):
                at = 4 * n + 2 * f
                for c in range(2):
                    counts = c < problem.hat_counts[stage, f]
                    share = force_share(problem, stage, point, f, c) if counts else 0.0
                    smooth.slopes[point, i, at + c] = share * work.slopes[i, at]


@kernel
def _add_squares(
    problem: PackedSpatial,
    piece: int,
    i: int,
    h: float,
    free: bool,
    weight: float,
    smooth: SmoothWork,
    out: PointDerivatives,
) -> None:
    """Add the products of first derivatives of a muscle's squares, and the gradient."""
    tree, n, width, columns = problem.tree, smooth.costs.size, smooth.row.size, problem.columns[piece]
    stage, points = problem.pieces[piece, 0], smooth.torques.shape[0]
    row, begin, end, last = smooth.row, tree.starts[i], tree.starts[i + 1], width - 1
    cost, per = smooth.costs[i] / h, 1.0 / (h * problem.counts[stage])
    for way in range(smooth.ways.shape[0]):
        row[:], size = 0.0, 0.0
        for point in range(points):
            share = smooth.ways[way, point]
            size += share * smooth.torques[point, i]
            for at in range(begin, end):
                for local in range(4 * tree.relatives[at], 4 * tree.relatives[at] + 4):
                    row[local] += share * smooth.slopes[point, i, local]
            for local in range(4 * n, width):
                row[local] += share * smooth.slopes[point, i, local]
        if not free:
            row[last] = 0.0
        for local in range(width):
            if row[local] == 0.0:
                continue
            out.gradient[columns[local]] += 2.0 * cost * size * row[local]
            own = 2.0 * weight * cost * row[local]
            for at in range(begin, end):
                for other in range(4 * tree.relatives[at], 4 * tree.relatives[at] + 4):
                    if other <= local:
                        out.hessian[piece, local, other] += own * row[other]
            for other in range(4 * n, local + 1):
                out.hessian[piece, local, other] += own * row[other]
            if free:
                out.hessian[piece, last, local] -= (2.0 if local == last else 1.0) * per * size * own
