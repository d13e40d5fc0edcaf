"""Quantities at single times, of which the other constraints of a spatial problem are made, with their derivatives.

Values and rates of coordinates, sizes of forces; places and velocities of points and of the centre of mass along a
direction; generalised momenta. A velocity along a direction is the virtual power of a ground that moves that way, with
rates for accelerations, of a particle or of the whole figure; so it has the same derivatives (`power`). Second
derivatives of a place are d . (w_j x h_k), h_k being the momentum that a rate gives to a mass of 1, and j before k.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.dynamics.layout import BODIES, BODY_STRIDE, FLOATS, ORIGIN, extra_of
from engine.dynamics.layout import MASS as BODY_MASS
from engine.dynamics.motions import weigh_link
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, ROW
from engine.runtime.jit import kernel
from engine.spacetime.spatial.layout import PackedSpatial
from engine.spacetime.spatial.points import PointWork, read_point
from engine.spacetime.spatial.power import (
    TreeWork,
    gather_state,
    gather_virtual,
    locate_point,
    place_rates,
    second_slopes,
    set_bodies,
    set_point,
    sweep_state,
    sweep_virtual,
    torque_slopes,
)
from engine.spacetime.spatial.tree import PackedTree

VALUE, RATE, FORCE, POINT, CENTRE, POINT_RATE, CENTRE_RATE, MOMENTUM = range(8)


class PackedSpatialProbes(NamedTuple):
    """Each adds `factors` times what it sees to one constraint."""

    kinds: IntArray  # [probes]
    rows: IntArray  # which of the constraints that are made of probes
    pieces: IntArray
    subjects: IntArray  # a coordinate or force; of a point, the last rate that moves it
    joints: IntArray  # in whose frame a point stands
    places: Array  # [probes, 3]
    directions: Array  # [probes, 6], as a motion of the ground
    factors: Array
    bases: Array  # [probes, 3, 4], of coordinates, by u
    hats: Array  # [probes, 2]


class ProbeWork(NamedTuple):
    """Memory for one probe: the state, and slopes of what it sees by coordinates and by their rates."""

    point: PointWork
    rates: Array  # [coordinates], zeros but for one
    spot: Array  # [probes, 3], seen from O
    by_q: Array
    by_v: Array
    pushed: Array


def new_probe_work(point: PointWork, probes: int) -> ProbeWork:
    """Make memory."""
    n = len(point.q)
    return ProbeWork(point, np.zeros(n), np.zeros((probes, 3)), np.zeros(n), np.zeros(n), np.zeros(n))


@kernel
def find_centre(tree: PackedTree, work: TreeWork, out_centre: Array) -> float:
    """Centre of mass in the world, and the mass."""
    ints, floats, extra = tree.ints, tree.floats, extra_of(tree.ints)
    bodies, total = ints[extra + FLOATS] + BODIES, 0.0
    out_centre[:] = 0.0
    for joint in range(ints[JOINT_COUNT]):
        body = bodies + joint * BODY_STRIDE
        mass = floats[body + BODY_MASS]
        x, y, z, _, _, _, _, _, _ = weigh_link(floats, body, (joint + 1) * ROW, work.mechanics, 0.0, 0.0, 0.0)
        out_centre[0], out_centre[1], out_centre[2] = (
            out_centre[0] + mass * x,
            out_centre[1] + mass * y,
            out_centre[2] + mass * z,
        )
        total += mass
    for each in range(3):
        out_centre[each] /= total
    return total


@kernel
def evaluate_probe(problem: PackedSpatial, probes: PackedSpatialProbes, p: int, work: ProbeWork) -> float:
    """See one quantity of the state that has been read; its slopes stand in the work then."""
    tree, state, kind, subject = problem.tree, work.point.tree, probes.kinds[p], probes.subjects[p]
    work.by_q[:], work.by_v[:], work.rates[:], work.pushed[:] = 0.0, 0.0, 0.0, 0.0
    if kind == VALUE:
        work.by_q[subject] = 1.0
        return float(work.point.q[subject])
    if kind == RATE:
        work.by_v[subject] = 1.0
        return float(work.point.v[subject])
    if kind == FORCE:
        return float(work.point.sizes[subject])
    place_rates(tree, work.point.q, state)
    found, share, d = 0.0, 1.0, probes.directions
    if kind in (POINT, POINT_RATE):
        locate_point(tree, state, probes.joints[p], probes.places, p, work.spot)
        if kind == POINT:
            return _place(tree, d, p, subject, work)
        set_point(tree, subject, work.spot, p, 1.0, state)
    else:
        set_bodies(tree, state)
        if kind != MOMENTUM:
            share = 1.0 / find_centre(tree, state, work.spot[p])
            for each in range(3):
                found += d[p, 3 + each] * work.spot[p, each]
    sweep_state(tree, work.rates, work.rates if kind <= CENTRE else work.point.v, False, state)
    gather_state(tree, state)
    if kind == MOMENTUM:
        for at in range(tree.starts[subject], tree.starts[subject + 1]):
            j = tree.relatives[at]
            work.by_q[j], _, work.by_v[j] = torque_slopes(state, subject, j)
        return float(state.tau[subject])
    for j in range(work.by_q.size):
        along = changing = 0.0
        for each in range(6):
            along += share * d[p, each] * state.xa[j, each]
            changing += share * d[p, each] * state.x[j, each]
        if kind <= CENTRE:
            work.by_q[j] = along
        else:
            work.by_q[j], work.by_v[j] = changing, along
    if kind <= CENTRE:
        return found
    found = 0.0
    for j in range(work.by_q.size):
        found += work.by_v[j] * work.point.v[j]
    return found


@kernel
def _place(tree: PackedTree, d: Array, p: int, subject: int, work: ProbeWork) -> float:
    """Place of a point along a direction, its slopes, and the velocity that each rate gives it, in `xa`."""
    state, found = work.point.tree, 0.0
    origin, s = tree.ints[extra_of(tree.ints) + ORIGIN], work.point.tree.s
    x, y, z = work.spot[p, 0], work.spot[p, 1], work.spot[p, 2]
    for each in range(3):
        found += d[p, 3 + each] * (work.spot[p, each] + state.mechanics[origin + each])
    k = subject
    while k >= 0:
        state.xa[k, 3] = s[k, 3] + s[k, 1] * z - s[k, 2] * y
        state.xa[k, 4] = s[k, 4] + s[k, 2] * x - s[k, 0] * z
        state.xa[k, 5] = s[k, 5] + s[k, 0] * y - s[k, 1] * x
        work.by_q[k] = d[p, 3] * state.xa[k, 3] + d[p, 4] * state.xa[k, 4] + d[p, 5] * state.xa[k, 5]
        k = tree.parents[k]
    return found


@kernel
def evaluate_spatial_probes(
    problem: PackedSpatial, probes: PackedSpatialProbes, x: Array, work: ProbeWork, out_constraints: Array
) -> None:
    """Add what probes see to their constraints."""
    for p in range(probes.kinds.size):
        read_point(problem, probes.pieces[p], probes.bases[p], probes.hats[p], x, work.point)
        out_constraints[probes.rows[p]] += probes.factors[p] * evaluate_probe(problem, probes, p, work)


@kernel
def differentiate_spatial_probes(
    problem: PackedSpatial,
    probes: PackedSpatialProbes,
    x: Array,
    multipliers: Array,
    work: ProbeWork,
    out_constraints: Array,
    out_jacobian: Array,
    out_hessian: Array,
) -> None:
    """Do so with derivatives; the Hessian is added to that of pieces."""
    n = work.by_q.size
    out_jacobian[:] = 0.0
    for p in range(probes.kinds.size):
        piece, factor, kind = probes.pieces[p], probes.factors[p], probes.kinds[p]
        stage = problem.pieces[piece, 0]
        h = read_point(problem, piece, probes.bases[p], probes.hats[p], x, work.point)
        out_constraints[probes.rows[p]] += factor * evaluate_probe(problem, probes, p, work)
        if kind == FORCE:
            for c in range(problem.hat_counts[stage, probes.subjects[p]]):
                hat = problem.hat_counts[stage, probes.subjects[p]] == 2
                out_jacobian[p, 4 * n + 2 * probes.subjects[p] + c] = factor * (probes.hats[p, c] if hat else 1.0)
            continue
        free = problem.free_lengths[stage] == 1
        write_probe_slopes(problem, stage, h, free, factor, work, out_jacobian[p])
        share = factor * multipliers[probes.rows[p]]
        add_probe_curvature(problem, probes, p, h, free, share, work, out_hessian[piece])


@kernel
def write_probe_slopes(
    problem: PackedSpatial, stage: int, h: float, free: bool, factor: float, work: ProbeWork, out_row: Array
) -> None:
    """Write factor times the derivatives of what has been looked at, by coefficients and the length."""
    bases = work.point.bases
    for j in range(work.by_q.size):
        if problem.moving[stage, j] == 1:
            for c in range(4):
                out_row[4 * j + c] = factor * (work.by_q[j] * bases[0, c] + work.by_v[j] * bases[1, c])
            if free:
                out_row[-1] -= factor * work.by_v[j] * work.point.v[j] / (h * problem.counts[stage])


@kernel
def add_probe_curvature(
    problem: PackedSpatial,
    probes: PackedSpatialProbes,
    p: int,
    h: float,
    free: bool,
    share: float,
    work: ProbeWork,
    out_local: Array,
) -> None:
    """Add share times the second derivatives of what has been looked at."""
    kind, stage = probes.kinds[p], problem.pieces[probes.pieces[p], 0]
    if kind >= POINT:
        _curve(problem, probes, p, h, share, work, out_local)
    if free and kind != VALUE:
        _lengthen(problem, stage, h, share, work, out_local)


@kernel
def _curve(
    problem: PackedSpatial,
    probes: PackedSpatialProbes,
    p: int,
    h: float,
    share: float,
    work: ProbeWork,
    out_hessian: Array,
) -> None:
    """Add share times the second derivatives by coefficients."""
    tree, state, kind, bases = problem.tree, work.point.tree, probes.kinds[p], work.point.bases
    stage, mass = problem.pieces[probes.pieces[p], 0], 1.0
    none = work.point.sizes[:0]
    if kind > CENTRE:
        if kind == MOMENTUM:
            work.rates[probes.subjects[p]] = 1.0
        ground = work.point.ground if kind == MOMENTUM else probes.directions[p]
        sweep_virtual(tree, problem.forces, none, work.rates, ground, state)
        gather_virtual(tree, state)
        work.rates[:] = 0.0
    if kind in (CENTRE, CENTRE_RATE):
        mass = 1.0 / find_centre(tree, state, work.spot[p])
    lone = kind in (POINT, POINT_RATE)
    k = probes.subjects[p] if lone else work.by_q.size - 1
    while k >= 0:
        begin, end = tree.starts[k], tree.starts[k + 1]
        for at in range(begin, end if problem.moving[stage, k] == 1 else begin):
            j = tree.relatives[at]
            if j > k:
                break
            if problem.moving[stage, j] == 1:
                qq, qv, vq = _pair(probes, p, j, k, state)
                qq, qv, vq = mass * share * qq, mass * share * qv, mass * share * vq
                _put_pair(j, k, qq, qv, vq, bases, out_hessian)
                work.pushed[j] -= qv * work.point.v[k] / h
                work.pushed[k] -= vq * work.point.v[j] / h if j < k else 0.0
        k = tree.parents[k] if lone else k - 1


@kernel
def _pair(probes: PackedSpatialProbes, p: int, j: int, k: int, state: TreeWork) -> tuple[float, float, float]:
    """Second derivatives by q_j q_k, q_j v_k, q_k v_j."""
    if probes.kinds[p] > CENTRE:
        qq, _, _, _, qv, vq = second_slopes(state, j, k)
        return qq, qv, vq
    wx, wy, wz = state.s[j, 0], state.s[j, 1], state.s[j, 2]
    x, y, z = state.xa[k, 3], state.xa[k, 4], state.xa[k, 5]
    d = probes.directions
    found = d[p, 3] * (wy * z - wz * y) + d[p, 4] * (wz * x - wx * z) + d[p, 5] * (wx * y - wy * x)
    return float(found), 0.0, 0.0


@kernel
def _put_pair(j: int, k: int, qq: float, qv: float, vq: float, bases: Array, out_hessian: Array) -> None:
    for d in range(4):
        by_q, by_v = qq * bases[0, d] + vq * bases[1, d], qv * bases[0, d]
        for c in range(4):
            out_hessian[4 * k + c, 4 * j + d] += by_q * bases[0, c] + by_v * bases[1, c]


@kernel
def _lengthen(problem: PackedSpatial, stage: int, h: float, share: float, work: ProbeWork, out_hessian: Array) -> None:
    """Add share times the second derivatives by the length; all that is seen is linear in rates."""
    bases, per = work.point.bases, 1.0 / problem.counts[stage]
    for j in range(work.by_q.size):
        if problem.moving[stage, j] == 1:
            for c in range(4):
                found = bases[0, c] * work.pushed[j] - share * work.by_v[j] * bases[1, c] / h
                out_hessian[-1, 4 * j + c] += per * found
            out_hessian[-1, -1] += per * per * share * 2.0 * work.by_v[j] * work.point.v[j] / (h * h)
