"""Quantities at single times, of which constraints are made that are not equations of motion. Kernels.

A probe looks at the state at one point of one piece and adds factor times a quantity to a constraint: a demand is one
probe; a link between stages two or more for each coordinate, for the path (q at both sides) and for the momentum, p
after the stage's end, minus p before, minus each blow's share (3.14 to 3.16).
"""

from __future__ import annotations

from typing import NamedTuple

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.spacetime.lagrangian import (
    PackedFigure,
    compute_curvature,
    compute_slopes,
    compute_third,
    set_directions,
    set_pairs,
)
from engine.spacetime.layout import PackedProblem
from engine.spacetime.motion_equations import put_second
from engine.spacetime.pulls import add_pull, add_pull_curvature, add_pull_slopes
from engine.spacetime.states import (
    StateRoom,
    add_curvature,
    add_gradient,
    add_length_curvature,
    new_state_room,
    read_state,
)

VALUE, RATE, POINT, POINT_RATE, MOMENTUM, BLOW = range(6)
"""What is looked at: of a function; of a point, along a direction; dL/dv of a coordinate; what a blow does to one."""


class PackedProbes(NamedTuple):
    """All probes of a problem."""

    kinds: IntArray  # [probes]
    rows: IntArray  # [probes], the constraint that each adds to, counted from the first that is made of probes
    pieces: IntArray  # [probes]
    subjects: IntArray  # [probes], the function that is looked at, or the coordinate
    coordinates: IntArray  # [probes], of BLOW: the one that it is felt by
    factors: Array  # [probes]
    arms: Array  # [probes, limbs, 2], of points and of blows
    directions: Array  # [probes, 2]
    bases: Array  # [probes, 2, kinds of function, 4], values and derivatives by u


@kernel
def evaluate_probes(problem: PackedProblem, probes: PackedProbes, x: Array, out_constraints: Array) -> None:
    """Add what the probes see to their constraints."""
    room, figure = new_state_room(problem), problem.figure
    for i in range(probes.kinds.size):
        stage, piece = problem.pieces[probes.pieces[i], 0], problem.pieces[probes.pieces[i], 1]
        h = x[problem.lengths[stage]] / problem.counts[stage]
        read_state(problem.kinds[stage], problem.firsts[stage], piece, probes.bases[i], x, h, room.a, room.v)
        if probes.kinds[i] > RATE:
            set_pairs(figure, room.a, room.v, room.pairs)
        kind, subject, felt = probes.kinds[i], probes.subjects[i], probes.coordinates[i]
        seen = _look(figure, kind, subject, felt, probes.arms[i], probes.directions[i], room)
        out_constraints[probes.rows[i]] += probes.factors[i] * seen


@kernel
def differentiate_probes(
    problem: PackedProblem,
    probes: PackedProbes,
    x: Array,
    multipliers: Array,
    out_constraints: Array,
    out_jacobian: Array,
    out_hessian: Array,
) -> None:
    """Do so with derivatives by the coefficients of each probe's piece; the Hessian adds to that of the pieces."""
    room, figure = new_state_room(problem), problem.figure
    of = room.of
    out_jacobian[:] = 0.0
    for i in range(probes.kinds.size):
        stage, piece = problem.pieces[probes.pieces[i], 0], problem.pieces[probes.pieces[i], 1]
        kinds, count, bases = problem.kinds[stage], problem.counts[stage], probes.bases[i]
        h = x[problem.lengths[stage]] / count
        read_state(kinds, problem.firsts[stage], piece, bases, x, h, room.a, room.v)
        if probes.kinds[i] > RATE:
            set_pairs(figure, room.a, room.v, room.pairs)
        kind, subject, felt, arms = probes.kinds[i], probes.subjects[i], probes.coordinates[i], probes.arms[i]
        factor, row, direction = probes.factors[i], probes.rows[i], probes.directions[i]
        out_constraints[row] += factor * _look(figure, kind, subject, felt, arms, direction, room)
        _set_gradient(figure, kind, subject, felt, factor, arms, direction, room)
        add_gradient(kinds, count, bases, h, 0.0, room.v, of.by_a, of.by_v, out_jacobian[i])
        factor *= multipliers[row]
        if kind > RATE:
            _set_curvature(figure, kind, subject, felt, factor, arms, direction, room)
            add_curvature(kinds, bases, h, of.matrix, out_hessian[probes.pieces[i]])
        if kind >= RATE and problem.free_lengths[stage]:
            if kind == RATE:
                of.matrix[:] = 0.0
            _set_gradient(figure, kind, subject, felt, factor, arms, direction, room)
            add_length_curvature(kinds, count, bases, h, room.v, of, out_hessian[probes.pieces[i]])


@kernel
def _look(
    figure: PackedFigure, kind: int, subject: int, felt: int, arms: Array, direction: Array, room: StateRoom
) -> float:
    """Return what a probe sees."""
    if kind == VALUE:
        return float(room.a[subject])
    if kind == RATE:
        return float(room.v[subject])
    if kind == MOMENTUM:
        compute_slopes(figure, room.pairs, room.v, room.p, room.g)
        return float(room.p[subject])
    if kind == BLOW:
        room.g[:] = 0.0
        add_pull(figure.parents, room.pairs.turn, arms, direction, room.a[subject], room.g)
        return float(room.g[felt])
    return _see_point(room.pairs.turn, room.pairs.angle, room.a, room.v, arms, direction, kind == POINT_RATE)


@kernel
def _see_point(turn: Array, angle: Array, a: Array, v: Array, arms: Array, direction: Array, rate: bool) -> float:
    """How far a point lies along a direction, or how fast it moves along it."""
    found = direction[0] * (v[0] if rate else a[0]) + direction[1] * (v[1] if rate else a[1])
    for j in range(turn.shape[0]):
        c, s = turn[j, 0], turn[j, 1]
        x, y = c * arms[j, 0] - s * arms[j, 1], s * arms[j, 0] + c * arms[j, 1]
        if rate:
            found += angle[j, 1] * (direction[1] * x - direction[0] * y)
        else:
            found += direction[0] * x + direction[1] * y
    return float(found)


@kernel
def _set_gradient(
    figure: PackedFigure,
    kind: int,
    subject: int,
    felt: int,
    factor: float,
    arms: Array,
    direction: Array,
    room: StateRoom,
) -> None:
    """Set F_a and F_v of factor times what a probe sees."""
    of, parents, turn, n = room.of, figure.parents, room.pairs.turn, figure.parents.size + 2
    by_a, by_v, third = of.by_a, of.by_v, room.third
    by_a[:], by_v[:], of.by_ah[:], of.by_vh[:] = 0.0, 0.0, 0.0, 0.0
    if kind == VALUE:
        by_a[subject] = factor
    elif kind == RATE:
        by_v[subject] = factor
    elif kind == MOMENTUM:
        compute_curvature(figure, room.pairs, room.v, room.second)
        for j in range(n):
            by_a[j], by_v[j] = factor * room.second[n + subject, j], factor * room.second[n + subject, n + j]
    elif kind == BLOW:
        room.g[:] = 0.0
        add_pull(parents, turn, arms, direction, factor, room.g)
        by_a[subject] = room.g[felt]
        third[:] = 0.0
        add_pull_slopes(parents, turn, arms, direction, factor * room.a[subject], third)
        for j in range(n):
            by_a[j] += third[felt, j]
    else:
        add_pull(parents, turn, arms, direction, factor, by_a if kind == POINT else by_v)
        if kind == POINT_RATE:
            third[:] = 0.0
            add_pull_slopes(parents, turn, arms, direction, factor, third)
            for j in range(n):
                for k in range(n):
                    by_a[j] += third[j, k] * room.v[k]


@kernel
def _set_curvature(
    figure: PackedFigure,
    kind: int,
    subject: int,
    felt: int,
    factor: float,
    arms: Array,
    direction: Array,
    room: StateRoom,
) -> None:
    """Set the second derivatives by (a, v) of factor times what a probe sees.

    Those of a point's rate, dpoint/dq . v, are by q and v those of the point, by q twice those along v.
    """
    matrix, third, along, n = room.of.matrix, room.third, room.along, figure.parents.size + 2
    parents, turn, functions = figure.parents, room.pairs.turn, room.a.size
    matrix[:] = 0.0
    along[:] = 0.0
    if kind == MOMENTUM:
        along[0, subject] = factor
        set_directions(figure, along[0], along[1], room.pairs)
        compute_third(figure, room.pairs, room.v, third)
        put_second(third, matrix)
    elif kind == BLOW:
        along[1, felt] = factor
        add_pull_curvature(parents, turn, arms, direction, subject, room.a[subject], along[1], matrix)
    else:
        third[:] = 0.0
        add_pull_slopes(parents, turn, arms, direction, factor, third)
        for j in range(n):
            along[1, j] = factor * room.v[j]
            for k in range(n):
                if kind == POINT:
                    matrix[j, k] = third[j, k]
                else:
                    matrix[j, functions + k] = matrix[functions + k, j] = third[j, k]
        if kind == POINT_RATE:
            add_pull_curvature(parents, turn, arms, direction, -1, 1.0, along[1], matrix)
