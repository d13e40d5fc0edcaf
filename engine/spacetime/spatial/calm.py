"""A price on the acceleration of points: the integral of weight |acceleration|^2 over a motion in space. Kernels.

Least effort lets a head fly about (Winzell 2004, section 7.1). The acceleration of a point is the force that a particle
of 1 kg needs there, without weight: so its derivatives are those of inverse dynamics (`power`), and the second ones of
the whole are those of one virtual power, of a ground that moves as twice the acceleration.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.spacetime.spatial.layout import PackedSpatial
from engine.spacetime.spatial.points import (
    PointDerivatives,
    PointWork,
    add_curvature,
    add_length_curvature,
    read_point,
)
from engine.spacetime.spatial.power import (
    gather_state,
    gather_virtual,
    locate_point,
    place_rates,
    set_point,
    sweep_state,
    sweep_virtual,
)
from engine.spacetime.spatial.problem import SpatialCalm
from engine.spacetime.spatial.tree import SpatialFigure


class PackedCalm(NamedTuple):
    """Points, with memory for what is seen of them."""

    rates: IntArray  # [points], the last rate that moves each
    joints: IntArray
    places: Array  # [points, 3]
    costs: Array  # [points]
    spots: Array  # [points, 3], seen from O
    slopes: Array  # [3, width], of the acceleration by local numbers
    ground: Array  # [6]


def pack_calm(figure: SpatialFigure, calm: Sequence[SpatialCalm], width: int) -> PackedCalm:
    """Pack those that something moves."""
    moved = [each for each in calm if figure.packed.carriers[figure.joint(each.point.joint)] >= 0]
    joints = np.array([figure.joint(each.point.joint) for each in moved], np.int32)
    return PackedCalm(
        rates=figure.packed.carriers[joints].astype(np.int32),
        joints=joints,
        places=np.array([each.point.place for each in moved], np.float64).reshape(-1, 3),
        costs=np.array([each.weight for each in moved], np.float64),
        spots=np.zeros((len(moved), 3)),
        slopes=np.zeros((3, width)),
        ground=np.zeros(6),
    )


@kernel
def set_acceleration(problem: PackedSpatial, calm: PackedCalm, c: int, work: PointWork) -> float:
    """Set the acceleration of a point, where forces stand, with what its derivatives need; return its square."""
    tree, state, found = problem.tree, work.tree, 0.0
    locate_point(tree, state, calm.joints[c], calm.places, c, calm.spots)
    set_point(tree, calm.rates[c], calm.spots, c, 1.0, state)
    sweep_state(tree, work.v, work.a, False, state)
    gather_state(tree, state)
    for axis in range(3):
        found += state.force[calm.rates[c], 3 + axis] ** 2
    return found


@kernel
def evaluate_spatial_calm(problem: PackedSpatial, calm: PackedCalm, x: Array, work: PointWork) -> float:
    """Integrate the cost."""
    objective = 0.0
    for piece in range(problem.pieces.shape[0]):
        for point in range(problem.weights.size):
            h = read_point(problem, piece, problem.layers[piece, point], problem.hats[point], x, work)
            place_rates(problem.tree, work.q, work.tree)
            for c in range(calm.costs.size):
                objective += problem.weights[point] * h * calm.costs[c] * set_acceleration(problem, calm, c, work)
    return objective


@kernel
def differentiate_spatial_calm(
    problem: PackedSpatial, calm: PackedCalm, x: Array, weight: float, work: PointWork, out: PointDerivatives
) -> float:
    """Do so, and add gradient and second derivatives to those of the pieces."""
    objective, none = 0.0, work.sizes[:0]
    for piece in range(problem.pieces.shape[0]):
        stage = problem.pieces[piece, 0]
        free = problem.free_lengths[stage] == 1
        for point in range(problem.weights.size):
            h = read_point(problem, piece, problem.layers[piece, point], problem.hats[point], x, work)
            place_rates(problem.tree, work.q, work.tree)
            for c in range(calm.costs.size):
                step = problem.weights[point] * h * calm.costs[c]
                square = set_acceleration(problem, calm, c, work)
                objective += step * square
                _set_slopes(problem, calm, c, stage, h, 2.0 * weight * step, free, work)
                _add_first(problem, calm, c, piece, step, work, out.gradient)
                if free:
                    out.gradient[problem.lengths[stage]] += step * square / (h * problem.counts[stage])
                _add_outer(problem, calm, c, piece, h, 2.0 * weight * step, free, work, out.hessian[piece])
                work.rates[:] = 0.0
                sweep_virtual(problem.tree, problem.forces, none, work.rates, calm.ground, work.tree)
                gather_virtual(problem.tree, work.tree)
                add_curvature(problem, piece, h, free, work, out.hessian)
                if free:
                    add_length_curvature(problem, stage, h, work, out.hessian[piece])
    return objective


@kernel
def _set_slopes(
    problem: PackedSpatial, calm: PackedCalm, c: int, stage: int, h: float, share: float, free: bool, work: PointWork
) -> None:
    """Set the slopes of the acceleration by coefficients and length, and what share times it does to the whole."""
    state, bases, last = work.tree, work.bases, calm.slopes.shape[1] - 1
    calm.slopes[:], work.by_v[:], work.by_a[:] = 0.0, 0.0, 0.0
    for axis in range(3):
        calm.ground[3 + axis] = share * state.force[calm.rates[c], 3 + axis]
    j = calm.rates[c]
    while j >= 0:
        if problem.moving[stage, j] == 1:
            for axis in range(3):
                by_q, by_v, by_a = state.x[j, 3 + axis], state.xv[j, 3 + axis], state.xa[j, 3 + axis]
                for each in range(4):
                    found = by_q * bases[0, each] + by_v * bases[1, each] + by_a * bases[2, each]
                    calm.slopes[axis, 4 * j + each] = found
                work.by_v[j] += calm.ground[3 + axis] * by_v
                work.by_a[j] += calm.ground[3 + axis] * by_a
                if free:
                    calm.slopes[axis, last] -= (by_v * work.v[j] + 2.0 * by_a * work.a[j]) / (h * problem.counts[stage])
        j = problem.tree.parents[j]


@kernel
def _add_first(
    problem: PackedSpatial,
    calm: PackedCalm,
    c: int,
    piece: int,
    step: float,
    work: PointWork,
    out_gradient: Array,
) -> None:
    """Add the first derivatives."""
    stage, columns, last = problem.pieces[piece, 0], problem.columns[piece], calm.slopes.shape[1] - 1
    for axis in range(3):
        share = 2.0 * step * work.tree.force[calm.rates[c], 3 + axis]
        j = calm.rates[c]
        while j >= 0:
            if problem.moving[stage, j] == 1:
                for each in range(4):
                    out_gradient[columns[4 * j + each]] += share * calm.slopes[axis, 4 * j + each]
            j = problem.tree.parents[j]
        out_gradient[columns[last]] += share * calm.slopes[axis, last]


@kernel
def _add_outer(
    problem: PackedSpatial,
    calm: PackedCalm,
    c: int,
    piece: int,
    h: float,
    share: float,
    free: bool,
    work: PointWork,
    out_local: Array,
) -> None:
    """Add the products of first derivatives, and what the length has for being a factor of the whole."""
    stage, slopes, last = problem.pieces[piece, 0], calm.slopes, calm.slopes.shape[1] - 1
    per = 1.0 / (h * problem.counts[stage])
    for axis in range(3):
        turning = per * share * work.tree.force[calm.rates[c], 3 + axis]
        k = calm.rates[c]
        while k >= 0:
            if problem.moving[stage, k] == 1:
                for row in range(4 * k, 4 * k + 4):
                    own, j = share * slopes[axis, row], k
                    while j >= 0:
                        for column in range(4 * j, 4 * j + 4):
                            out_local[row, column] += own * slopes[axis, column]
                        j = problem.tree.parents[j]
                    if free:
                        out_local[last, row] += own * slopes[axis, last] + turning * slopes[axis, row]
            k = problem.tree.parents[k]
        if free:
            out_local[last, last] += (share * slopes[axis, last] + 2.0 * turning) * slopes[axis, last]
