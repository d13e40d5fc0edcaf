"""Inverse dynamics of a figure in space with first and second derivatives in closed form, in time n d (d: depth).

tau = M(q) a + c(q, v) - J^T f is looked at through the virtual power P = lambda . tau: the sum over all bodies of
W . (I A + V x* I V), where W, V, A are a body's virtual velocity (that of the rates lambda), velocity and acceleration,
gravity being an acceleration of the ground. P does not change where a subtree is moved as a whole with all that it
has; so a coordinate q_j changes it by what the subtree behind j sees of the world instead: by

    dW = W_j x S_j = w_j,   dV = V_j x S_j = s_j,   dA = A_j x S_j - s_j x V_j + s_j x V = z_j + s_j x V.

With the sums over the subtree F of forces, I of inertias, H of I W, D of D(V) = V x* I - I V x - (I V) x*, and E of
D(W), the derivatives of F by q_k, v_k, a_k, for k behind j, and those of H and of D W, are one vector of k each,

    X = S x* F + D^T s + I z,   Xv = D^T S + 2 I s,   Xa = I S,   Z = S x* H + I w,   Y = S x* D W + D w - E s,   -E S,

and so first and second derivatives are products of a vector of j and one of k. Forces f at points p do not turn with
their body, which adds w . (f x W(p)), w here being the angular part of S_j. All about one fixed point O in world axes.

Carpentier and Mansard 2018 (Analytical derivatives of rigid body dynamics algorithms) and Singh, Russo and Wensing
2022 (Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra) have such derivatives in
other forms; these were derived here, and are tested against finite differences.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.dynamics.layout import BODIES, BODY_STRIDE, FLOATS, MOTIONS, ORIGIN, extra_of
from engine.dynamics.layout import MASS as BODY_MASS
from engine.dynamics.motions import compute_frames, weigh_link
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, ROW
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel
from engine.spacetime.spatial.screws import (
    add_coriolis,
    add_crossed_force,
    add_product,
    add_transposed,
    cross_motions,
    dot,
    write_inertia,
)
from engine.spacetime.spatial.tree import PackedTree, SpatialFigure


class PackedForces(NamedTuple):
    """Forces of size 1: where they act, and which way."""

    rates: IntArray  # [forces], the last rate that moves the point, or -1
    joints: IntArray  # [forces], in whose frame it stands
    places: Array  # [forces, 3]
    directions: Array  # [forces, 3], in the world


class TreeWork(NamedTuple):
    """Memory for one state; the symbols are those above, by rate."""

    mechanics: Array
    s: Array  # [rates, 6], as all with six
    velocity: Array
    acceleration: Array
    virtual: Array  # W
    sdot: Array  # s_j
    second: Array  # z_j
    wdot: Array  # w_j
    force: Array
    own: Array  # [rates, 6, 6], inertia of the bodies that a rate moves last
    inertia: Array  # of the subtree
    coriolis: Array
    swept: Array  # E
    has_body: IntArray  # [rates]
    x: Array
    xv: Array
    xa: Array
    y: Array
    z: Array
    es: Array  # -E S
    ds: Array  # D S
    momentum: Array  # H
    turned: Array  # D W
    pull: Array  # [rates, 3, 6], the sum of W -> f x W(p)
    pulled: Array  # [rates, 3], pull times S
    along: Array  # [rates], the sum of f . W(p)
    outer: Array  # [rates, 3, 3], that of W(p) f^T
    spun: Array  # [rates, 3], what forces add for their not turning
    places: Array  # [forces, 3], seen from O
    wrenches: Array  # [forces, 6]
    tau: Array  # [rates]


def new_tree_work(figure: SpatialFigure, forces: int) -> TreeWork:
    """Make memory for one thread."""
    n = figure.mechanics.rate_count

    def six() -> Array:
        return np.zeros((n, 6))

    def square() -> Array:
        return np.zeros((n, 6, 6))

    return TreeWork(
        mechanics=figure.mechanics.new_work(),
        s=six(),
        velocity=six(),
        acceleration=six(),
        virtual=six(),
        sdot=six(),
        second=six(),
        wdot=six(),
        force=six(),
        own=square(),
        inertia=square(),
        coriolis=square(),
        swept=square(),
        has_body=np.zeros(n, np.int32),
        x=six(),
        xv=six(),
        xa=six(),
        y=six(),
        z=six(),
        es=six(),
        ds=six(),
        momentum=six(),
        turned=six(),
        pull=np.zeros((n, 3, 6)),
        pulled=np.zeros((n, 3)),
        along=np.zeros(n),
        outer=np.zeros((n, 3, 3)),
        spun=np.zeros((n, 3)),
        places=np.zeros((forces, 3)),
        wrenches=np.zeros((forces, 6)),
        tau=np.zeros(n),
    )


@kernel
def place_rates(tree: PackedTree, q: Array, work: TreeWork) -> None:
    """Find the motion of each rate at a pose."""
    compute_frames(tree.ints, tree.floats, q, work.mechanics)
    start = tree.ints[extra_of(tree.ints) + MOTIONS]
    for k in range(tree.parents.size):
        for each in range(6):
            work.s[k, each] = work.mechanics[start + 6 * k + each]


@kernel
def set_bodies(tree: PackedTree, work: TreeWork) -> None:
    """Set each rate's inertia to that of the bodies that it moves itself."""
    ints, floats, extra = tree.ints, tree.floats, extra_of(tree.ints)
    origin, bodies = ints[extra + ORIGIN], ints[extra + FLOATS] + BODIES
    ox, oy, oz = work.mechanics[origin], work.mechanics[origin + 1], work.mechanics[origin + 2]
    work.own[:] = 0.0
    work.has_body[:] = 0
    for joint in range(ints[JOINT_COUNT]):
        rate, body = tree.carriers[joint], bodies + joint * BODY_STRIDE
        if rate >= 0 and floats[body + BODY_MASS] > 0.0:
            cx, cy, cz, xx, yy, zz, xy, xz, yz = weigh_link(floats, body, (joint + 1) * ROW, work.mechanics, ox, oy, oz)
            write_inertia(floats[body + BODY_MASS], (cx, cy, cz), (xx, yy, zz, xy, xz, yz), work.own, rate)
            work.has_body[rate] = 1


@kernel
def locate_point(tree: PackedTree, work: TreeWork, joint: int, place: Array, index: int, out_point: Array) -> None:
    """World place of a point of a body, seen from O."""
    row, origin = (joint + 1) * ROW, tree.ints[extra_of(tree.ints) + ORIGIN]
    state = work.mechanics
    for line in range(3):
        at = row + 3 * line
        out_point[index, line] = (
            state[at] * place[index, 0]
            + state[at + 1] * place[index, 1]
            + state[at + 2] * place[index, 2]
            + state[row + 9 + line]
            - state[origin + line]
        )


@kernel
def set_point(tree: PackedTree, rate: int, point: Array, index: int, mass: float, work: TreeWork) -> None:
    """Set inertias to that of a particle alone, at a point seen from O."""
    work.own[:] = 0.0
    work.has_body[:] = 0
    if rate >= 0:
        at = (point[index, 0], point[index, 1], point[index, 2])
        write_inertia(mass, at, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), work.own, rate)
        work.has_body[rate] = 1


@kernel
def sweep_state(tree: PackedTree, v: Array, a: Array, heavy: bool, work: TreeWork) -> None:
    """With motions and inertias set: velocities, forces of bodies and D, outward."""
    n, parents = tree.parents.size, tree.parents
    s, velocity, acceleration, sdot, second = work.s, work.velocity, work.acceleration, work.sdot, work.second
    work.force[:], work.coriolis[:], work.pull[:], work.second[:] = 0.0, 0.0, 0.0, 0.0
    work.inertia[:] = work.own
    for k in range(n):
        up = parents[k]
        for each in range(6):
            velocity[k, each] = velocity[up, each] if up >= 0 else 0.0
            ground = -tree.gravity[each - 3] if heavy and each >= 3 else 0.0
            acceleration[k, each] = acceleration[up, each] if up >= 0 else ground
        cross_motions(velocity, k, s, k, sdot, k)
        for each in range(6):
            velocity[k, each] += s[k, each] * v[k]
            acceleration[k, each] += s[k, each] * a[k] + sdot[k, each] * v[k]
        cross_motions(sdot, k, velocity, k, second, k)
        x, y, z = second[k, 0], second[k, 1], second[k, 2]
        p, q, r = second[k, 3], second[k, 4], second[k, 5]
        cross_motions(acceleration, k, s, k, second, k)
        second[k, 0], second[k, 1], second[k, 2] = second[k, 0] - x, second[k, 1] - y, second[k, 2] - z
        second[k, 3], second[k, 4], second[k, 5] = second[k, 3] - p, second[k, 4] - q, second[k, 5] - r
        if work.has_body[k] == 1:
            work.x[k, :] = 0.0
            add_product(work.inertia, k, velocity, k, work.x, k, 1.0)
            add_product(work.inertia, k, acceleration, k, work.force, k, 1.0)
            add_crossed_force(velocity, k, work.x, k, work.force, k)
            add_coriolis(velocity, k, work.inertia, k, work.coriolis)


@kernel
def add_forces(tree: PackedTree, forces: PackedForces, sizes: Array, work: TreeWork) -> None:
    """Take forces of given sizes from those that bodies need."""
    for f in range(sizes.size):
        rate, size = forces.rates[f], sizes[f]
        locate_point(tree, work, forces.joints[f], forces.places, f, work.places)
        x, y, z = work.places[f, 0], work.places[f, 1], work.places[f, 2]
        p, q, r = forces.directions[f, 0], forces.directions[f, 1], forces.directions[f, 2]
        wrench = work.wrenches
        wrench[f, 0], wrench[f, 1], wrench[f, 2] = y * r - z * q, z * p - x * r, x * q - y * p
        wrench[f, 3], wrench[f, 4], wrench[f, 5] = p, q, r
        if rate < 0 or size == 0.0:
            continue
        for each in range(6):
            work.force[rate, each] -= size * wrench[f, each]
        along = x * p + y * q + z * r
        for row in range(3):
            for column in range(3):
                own = work.places[f, row] * forces.directions[f, column]
                work.pull[rate, row, column] -= size * (own - (along if row == column else 0.0))
        work.pull[rate, 0, 4] -= size * r
        work.pull[rate, 0, 5] += size * q
        work.pull[rate, 1, 3] += size * r
        work.pull[rate, 1, 5] -= size * p
        work.pull[rate, 2, 3] -= size * q
        work.pull[rate, 2, 4] += size * p


@kernel
def gather_state(tree: PackedTree, work: TreeWork) -> None:
    """Sum over subtrees, inward; then tau, and the vectors of its first derivatives."""
    s = work.s
    for k in range(tree.parents.size - 1, -1, -1):
        up = tree.parents[k]
        if up >= 0:
            for row in range(6):
                work.force[up, row] += work.force[k, row]
                for column in range(6):
                    work.inertia[up, row, column] += work.inertia[k, row, column]
                    work.coriolis[up, row, column] += work.coriolis[k, row, column]
            for row in range(3):
                for column in range(6):
                    work.pull[up, row, column] += work.pull[k, row, column]
        work.tau[k] = dot(s, k, work.force, k)
        for each in range(6):
            work.x[k, each] = work.xv[k, each] = work.xa[k, each] = work.ds[k, each] = 0.0
        add_product(work.inertia, k, s, k, work.xa, k, 1.0)
        add_product(work.coriolis, k, s, k, work.ds, k, 1.0)
        add_crossed_force(s, k, work.force, k, work.x, k)
        add_transposed(work.coriolis, k, work.sdot, k, work.x, k)
        add_product(work.inertia, k, work.second, k, work.x, k, 1.0)
        add_transposed(work.coriolis, k, s, k, work.xv, k)
        add_product(work.inertia, k, work.sdot, k, work.xv, k, 2.0)
        for row in range(3):
            found = 0.0
            for column in range(6):
                found += work.pull[k, row, column] * s[k, column]
                work.x[k, column] += work.pull[k, row, column] * s[k, row]
            work.pulled[k, row] = found


@kernel
def take_springs(tree: PackedTree, q: Array, out_work: TreeWork) -> None:
    """Take k (rest - q), which springs give, off the torques."""
    for k in range(q.size):
        if tree.springs[0, k] > 0.0:
            out_work.tau[k] -= tree.springs[0, k] * (tree.springs[1, k] - q[k])


@borrowing
@inlined
def torque_slopes(work: TreeWork, i: int, j: int) -> tuple[float, float, float]:
    """Derivatives of tau_i by q_j, v_j and a_j, for rates one of which hangs on the other."""
    s = work.s
    if i <= j:
        return dot(s, i, work.x, j), dot(s, i, work.xv, j), dot(s, i, work.xa, j)
    by_q = dot(work.sdot, j, work.ds, i) + dot(work.second, j, work.xa, i)
    for each in range(3):
        by_q += s[j, each] * work.pulled[i, each]
    by_v = dot(s, j, work.ds, i) + 2.0 * dot(work.sdot, j, work.xa, i)
    return by_q, by_v, dot(s, j, work.xa, i)


@borrowing
@inlined
def sprung_slopes(tree: PackedTree, work: TreeWork, i: int, j: int) -> tuple[float, float, float]:
    """Derivatives of what is left of tau_i when its spring has pulled."""
    by_q, by_v, by_a = torque_slopes(work, i, j)
    return by_q + tree.springs[0, i] if i == j else by_q, by_v, by_a


@kernel
def sweep_virtual(
    tree: PackedTree, forces: PackedForces, sizes: Array, rates: Array, ground: Array, work: TreeWork
) -> None:
    """After `gather_state`: virtual velocities W, of the rates lambda and the ground, and what bodies have by them."""
    parents, s, virtual = tree.parents, work.s, work.virtual
    work.along[:], work.outer[:], work.swept[:], work.momentum[:], work.turned[:] = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(parents.size):
        up = parents[k]
        for each in range(6):
            virtual[k, each] = virtual[up, each] if up >= 0 else ground[each]
        cross_motions(virtual, k, s, k, work.wdot, k)
        for each in range(6):
            virtual[k, each] += s[k, each] * rates[k]
        if work.has_body[k] == 1:
            add_coriolis(virtual, k, work.own, k, work.swept)
            add_product(work.own, k, virtual, k, work.momentum, k, 1.0)
            add_product(work.swept, k, work.velocity, k, work.turned, k, -1.0)
    for f in range(sizes.size):
        rate, size = forces.rates[f], sizes[f]
        if rate < 0 or size == 0.0:
            continue
        x, y, z = work.places[f, 0], work.places[f, 1], work.places[f, 2]
        u = virtual[rate, 3] + virtual[rate, 1] * z - virtual[rate, 2] * y
        v = virtual[rate, 4] + virtual[rate, 2] * x - virtual[rate, 0] * z
        w = virtual[rate, 5] + virtual[rate, 0] * y - virtual[rate, 1] * x
        work.along[rate] += size * (forces.directions[f, 0] * u + forces.directions[f, 1] * v)
        work.along[rate] += size * forces.directions[f, 2] * w
        for column in range(3):
            each = size * forces.directions[f, column]
            work.outer[rate, 0, column] += u * each
            work.outer[rate, 1, column] += v * each
            work.outer[rate, 2, column] += w * each


@kernel
def gather_virtual(tree: PackedTree, work: TreeWork) -> None:
    """Sum over subtrees, inward; then the vectors of second derivatives."""
    s = work.s
    for k in range(tree.parents.size - 1, -1, -1):
        up = tree.parents[k]
        if up >= 0:
            work.along[up] += work.along[k]
            for row in range(6):
                work.momentum[up, row] += work.momentum[k, row]
                work.turned[up, row] += work.turned[k, row]
                for column in range(6):
                    work.swept[up, row, column] += work.swept[k, row, column]
            for row in range(3):
                for column in range(3):
                    work.outer[up, row, column] += work.outer[k, row, column]
        for each in range(6):
            work.y[k, each] = work.z[k, each] = work.es[k, each] = 0.0
        add_crossed_force(s, k, work.turned, k, work.y, k)
        add_product(work.coriolis, k, work.wdot, k, work.y, k, 1.0)
        add_product(work.swept, k, work.sdot, k, work.y, k, -1.0)
        add_crossed_force(s, k, work.momentum, k, work.z, k)
        add_product(work.inertia, k, work.wdot, k, work.z, k, 1.0)
        add_product(work.swept, k, s, k, work.es, k, -1.0)
        for row in range(3):
            found = work.along[k] * s[k, row]
            for column in range(3):
                found -= work.outer[k, row, column] * s[k, column]
            for column in range(6):
                found += work.pull[k, row, column] * work.wdot[k, column]
            work.spun[k, row] = found


@borrowing
@inlined
def second_slopes(work: TreeWork, j: int, k: int) -> tuple[float, float, float, float, float, float]:
    """Second derivatives of P, by q_j q_k, q_j v_k, q_k v_j, v_j v_k, q_j a_k, q_k a_j, for j before k or k itself."""
    s = work.s
    by_qq = dot(work.wdot, j, work.x, k) + dot(work.sdot, j, work.y, k) + dot(work.second, j, work.z, k)
    for each in range(3):
        by_qq += s[j, each] * work.spun[k, each]
    return (
        by_qq,
        dot(work.wdot, j, work.xv, k) + dot(work.sdot, j, work.es, k),
        dot(s, j, work.y, k) + 2.0 * dot(work.sdot, j, work.z, k),
        dot(s, j, work.es, k),
        dot(work.wdot, j, work.xa, k),
        dot(s, j, work.z, k),
    )


@borrowing
@inlined
def force_slope(forces: PackedForces, work: TreeWork, f: int, j: int) -> float:
    """Second derivative of P by the size of a force and q_j, for j on the way from its point to the root."""
    s, virtual, rate = work.s, work.virtual, forces.rates[f]
    x, y, z = work.places[f, 0], work.places[f, 1], work.places[f, 2]
    u = virtual[rate, 3] + virtual[rate, 1] * z - virtual[rate, 2] * y
    v = virtual[rate, 4] + virtual[rate, 2] * x - virtual[rate, 0] * z
    w = virtual[rate, 5] + virtual[rate, 0] * y - virtual[rate, 1] * x
    p, q, r = forces.directions[f, 0], forces.directions[f, 1], forces.directions[f, 2]
    turning = s[j, 0] * (q * w - r * v) + s[j, 1] * (r * u - p * w) + s[j, 2] * (p * v - q * u)
    return float(turning - dot(work.wdot, j, work.wrenches, f))
