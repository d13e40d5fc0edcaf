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
    compute_curvature,
    compute_slopes,
    compute_third,
    set_directions,
    set_pairs,
)
from engine.spacetime.layout import PackedProblem
from engine.spacetime.motion_equations import put_second
from engine.spacetime.pulls import add_pull, add_pull_curvature, add_pull_slopes
from engine.spacetime.states import StateRoom, add_curvature, add_gradient, new_state_room, read_state

VALUE, RATE, POINT, POINT_RATE, MOMENTUM, BLOW = range(6)
"""What is looked at: of a function; of a point, along a direction; dL/dv of a coordinate; what a blow does to one."""


class PackedProbes(NamedTuple):
    """All probes of a problem."""

    kinds: IntArray  # [probes]
    rows: IntArray  # [probes], the constraint that each adds to, counted from the first that is made of probes
    pieces: IntArray  # [probes]
    subjects: IntArray  # [probes], function, point or blow
    coordinates: IntArray  # [probes], of BLOW
    factors: Array  # [probes]
    directions: Array  # [probes, 2]
    values: Array  # [probes, kinds of function, 4], bases
    slopes: Array  # [probes, kinds of function, 4]


@kernel
def evaluate_probes(problem: PackedProblem, probes: PackedProbes, x: Array, out_constraints: Array) -> None:
    """Add what the probes see to their constraints."""
    room = new_state_room(problem)
    for i in range(probes.kinds.size):
        _read(problem, probes, i, x, room)
        out_constraints[probes.rows[i]] += probes.factors[i] * _look(problem, probes, i, room)


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
    room = new_state_room(problem)
    out_jacobian[:] = 0.0
    for i in range(probes.kinds.size):
        h = _read(problem, probes, i, x, room)
        factor, row, piece = probes.factors[i], probes.rows[i], probes.pieces[i]
        out_constraints[row] += factor * _look(problem, probes, i, room)
        _set_gradient(problem, probes, i, factor, room)
        stage, values, slopes = problem.pieces[piece, 0], probes.values[i], probes.slopes[i]
        add_gradient(problem, stage, values, slopes, h, 0.0, room, out_jacobian[i])
        kind = probes.kinds[i]
        if kind > RATE or (kind == RATE and problem.free_lengths[stage]):
            _set_gradient(problem, probes, i, factor * multipliers[row], room)
            _set_curvature(problem, probes, i, factor * multipliers[row], room)
            add_curvature(problem, stage, values, slopes, h, room, out_hessian[piece])


@kernel
def _read(problem: PackedProblem, probes: PackedProbes, i: int, x: Array, room: StateRoom) -> float:
    stage, piece = problem.pieces[probes.pieces[i], 0], problem.pieces[probes.pieces[i], 1]
    h = read_state(problem, stage, piece, probes.values[i], probes.slopes[i], x, room)
    if probes.kinds[i] > RATE:
        set_pairs(problem.figure, room.a, room.v, room.pairs)
    return h


@kernel
def _look(problem: PackedProblem, probes: PackedProbes, i: int, room: StateRoom) -> float:
    """Return what a probe sees."""
    kind, subject = probes.kinds[i], probes.subjects[i]
    if kind == VALUE:
        return float(room.a[subject])
    if kind == RATE:
        return float(room.v[subject])
    if kind == MOMENTUM:
        compute_slopes(problem.figure, room.pairs, room.v, room.p, room.g)
        return float(room.p[subject])
    if kind == BLOW:
        blow, size = _blow(problem, subject), room.a[subject]
        point, direction = problem.points[problem.blows[blow]], problem.blow_directions[blow]
        room.g[:] = 0.0
        add_pull(problem.figure.parents, room.pairs.turn, point, direction, size, room.g)
        return float(room.g[probes.coordinates[i]])
    return _see_point(problem, problem.points[subject], probes.directions[i], kind == POINT_RATE, room)


@kernel
def _blow(problem: PackedProblem, function: int) -> int:
    """Number of a blow from that of its function."""
    return int(function - problem.kinds.shape[1] + problem.blows.size)


@kernel
def _see_point(problem: PackedProblem, point: Array, direction: Array, rate: bool, room: StateRoom) -> float:
    """How far a point lies along a direction, or how fast it moves along it."""
    given = room.v if rate else room.a
    found = direction[0] * given[0] + direction[1] * given[1]
    for j in range(problem.figure.parents.size):
        c, s = room.pairs.turn[j, 0], room.pairs.turn[j, 1]
        x, y = c * point[j, 0] - s * point[j, 1], s * point[j, 0] + c * point[j, 1]
        if rate:
            found += room.pairs.angle[j, 1] * (direction[1] * x - direction[0] * y)
        else:
            found += direction[0] * x + direction[1] * y
    return float(found)


@kernel
def _set_gradient(problem: PackedProblem, probes: PackedProbes, i: int, factor: float, room: StateRoom) -> None:
    """Set F_a and F_v of factor times what a probe sees."""
    kind, subject, n = probes.kinds[i], probes.subjects[i], problem.figure.parents.size + 2
    parents, turn = problem.figure.parents, room.pairs.turn
    room.by_a[:], room.by_v[:], room.by_ah[:], room.by_vh[:] = 0.0, 0.0, 0.0, 0.0
    if kind == VALUE:
        room.by_a[subject] = factor
    elif kind == RATE:
        room.by_v[subject] = factor
    elif kind == MOMENTUM:
        compute_curvature(problem.figure, room.pairs, room.v, room.second)
        for j in range(n):
            room.by_a[j], room.by_v[j] = factor * room.second[n + subject, j], factor * room.second[n + subject, n + j]
    elif kind == BLOW:
        blow, size, to = _blow(problem, subject), room.a[subject], probes.coordinates[i]
        point, direction = problem.points[problem.blows[blow]], problem.blow_directions[blow]
        room.g[:] = 0.0
        add_pull(parents, turn, point, direction, factor, room.g)
        room.by_a[subject] = room.g[to]
        room.third[:] = 0.0
        add_pull_slopes(parents, turn, point, direction, factor * size, room.third)
        for j in range(n):
            room.by_a[j] += room.third[to, j]
    else:
        point, direction = problem.points[subject], probes.directions[i]
        add_pull(parents, turn, point, direction, factor, room.by_a if kind == POINT else room.by_v)
        if kind == POINT_RATE:
            room.third[:] = 0.0
            add_pull_slopes(parents, turn, point, direction, factor, room.third)
            for j in range(n):
                for k in range(n):
                    room.by_a[j] += room.third[j, k] * room.v[k]


@kernel
def _set_curvature(problem: PackedProblem, probes: PackedProbes, i: int, factor: float, room: StateRoom) -> None:
    """Set the second derivatives by (a, v) of factor times what a probe sees."""
    kind, subject, n = probes.kinds[i], probes.subjects[i], problem.figure.parents.size + 2
    eta, parents, turn = room.along[1], problem.figure.parents, room.pairs.turn
    room.matrix[:] = 0.0
    room.along[:] = 0.0
    if kind == MOMENTUM:
        room.along[0, subject] = factor
        set_directions(problem.figure, room.along[0], room.along[1], room.pairs)
        compute_third(problem.figure, room.pairs, room.v, room.third)
        put_second(room.third, room.matrix)
    elif kind == BLOW:
        blow = _blow(problem, subject)
        eta[probes.coordinates[i]] = factor
        point, direction = problem.points[problem.blows[blow]], problem.blow_directions[blow]
        add_pull_curvature(parents, turn, point, direction, subject, room.a[subject], eta, room.matrix)
    elif kind == POINT:
        room.third[:] = 0.0
        add_pull_slopes(parents, turn, problem.points[subject], probes.directions[i], factor, room.third)
        room.matrix[:n, :n] = room.third[:n, :n]
    elif kind == POINT_RATE:
        _set_point_rate_curvature(problem, probes, i, factor, room)


@kernel
def _set_point_rate_curvature(
    problem: PackedProblem, probes: PackedProbes, i: int, factor: float, room: StateRoom
) -> None:
    """Set those of a point's rate, dpoint/dq . v: by q and v those of the point, by q twice along v."""
    subject, n = probes.subjects[i], problem.figure.parents.size + 2
    functions = problem.kinds.shape[1]
    point, direction = problem.points[subject], probes.directions[i]
    room.third[:] = 0.0
    parents, turn = problem.figure.parents, room.pairs.turn
    add_pull_slopes(parents, turn, point, direction, factor, room.third)
    for j in range(n):
        room.along[1, j] = factor * room.v[j]
        for k in range(n):
            room.matrix[j, functions + k] = room.matrix[functions + k, j] = room.third[j, k]
    add_pull_curvature(parents, turn, point, direction, -1, 1.0, room.along[1], room.matrix)
