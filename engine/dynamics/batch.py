"""Dynamics of many states in one call: LANES side by side (`lanes.py`), over the cores.

Groups of LANES states are shared out to as many blocks as the rooms have rows, each worked through by one thread. What
is found of a state depends neither on the blocks nor on the other states; it is what the kernels for one state find,
but for rounding. A group takes as long as four to five states one by one, however many it has. As many blocks as there
are threads is best: rooms of more of them leave the second cache, and eight on one thread take a quarter longer.

q: [state_count, coordinate_count]; qd, qdd, tau, diagonal: [state_count, rate_count]; outside: [state_count,
joint_count, 6], or of no state where nothing acts from outside; given, bodies, rates, desks: from `new_lanes`. All else
as the kernels for one state take it.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.lane_forces import accelerate_lanes, factor_lanes, sum_lanes, write_found
from engine.dynamics.lane_motions import lead_lanes
from engine.dynamics.lanes import LANES, Lanes, load_lanes, new_lanes
from engine.dynamics.mechanics import Mechanics
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel, parallel_kernel, prange

__all__ = ["LANES", "Lanes", "compute_many_forward", "compute_many_inverse", "invert_states", "new_lanes"]


def invert_states(
    mechanics: Mechanics, q: Array, qd: Array, qdd: Array, outside: Array | None = None, *, room: Lanes | None = None
) -> Array:
    """The generalised forces [N m, N] of some states, shape [state_count, rate_count]; `outside` None: nothing acts.

    On one thread: for the hundreds of states that a person waits for, others take as long to come as they save.
    """
    given, bodies, rates, desks = (each[0] for each in room or new_lanes(mechanics, 1))
    q, qd, qdd = (np.array(each, dtype=np.float64, order="C") for each in (q, qd, qdd))
    acting = np.empty((0, mechanics.joint_count, 6)) if outside is None else np.array(outside, order="C")
    found = np.empty((len(q), mechanics.rate_count))
    ints, floats = mechanics.ints, mechanics.floats
    invert_groups(ints, floats, q, qd, qdd, acting, given, bodies, rates, desks, found)
    return found


@parallel_kernel
def compute_many_forward(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    tau: Array,
    diagonal: Array,
    outside: Array,
    given: Array,
    bodies: Array,
    rates: Array,
    desks: Array,
    out_qdd: Array,
) -> None:
    """`compute_forward_dynamics` of every state."""
    groups, blocks, acted = (q.shape[0] + LANES - 1) // LANES, given.shape[0], outside.shape[0] > 0
    for block in prange(blocks):
        for group in range(block * groups // blocks, (block + 1) * groups // blocks):
            first = group * LANES
            load_lanes(ints, q, qd, tau, diagonal, outside, first, given[block])
            lead_lanes(ints, floats, False, acted, given[block], bodies[block], rates[block], desks[block])
            factor_lanes(ints, floats, given[block], bodies[block], rates[block], desks[block])
            accelerate_lanes(ints, rates[block], desks[block])
            write_found(ints, first, rates[block], out_qdd)


@parallel_kernel
def compute_many_inverse(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    qdd: Array,
    outside: Array,
    given: Array,
    bodies: Array,
    rates: Array,
    desks: Array,
    out_tau: Array,
) -> None:
    """`compute_inverse_dynamics` of every state."""
    groups, blocks = (q.shape[0] + LANES - 1) // LANES, given.shape[0]
    for block in prange(blocks):
        for group in range(block * groups // blocks, (block + 1) * groups // blocks):
            first = group * LANES
            room = given[block], bodies[block], rates[block], desks[block]
            invert_group(ints, floats, q, qd, qdd, outside, first, room[0], room[1], room[2], room[3], out_tau)


@kernel
def invert_groups(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    qdd: Array,
    outside: Array,
    given: Array,
    bodies: Array,
    rates: Array,
    desks: Array,
    out_tau: Array,
) -> None:
    """`compute_inverse_dynamics` of every state, on this thread; the rooms are those of one block."""
    for first in range(0, q.shape[0], LANES):
        invert_group(ints, floats, q, qd, qdd, outside, first, given, bodies, rates, desks, out_tau)


@kernel
def invert_group(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    qdd: Array,
    outside: Array,
    first: int,
    given: Array,
    bodies: Array,
    rates: Array,
    desks: Array,
    out_tau: Array,
) -> None:
    """`compute_inverse_dynamics` of the LANES states from `first` on, or of as many as there are."""
    load_lanes(ints, q, qd, qdd, qdd[:0], outside, first, given)
    lead_lanes(ints, floats, True, outside.shape[0] > 0, given, bodies, rates, desks)
    sum_lanes(ints, bodies, rates, desks)
    write_found(ints, first, rates, out_tau)
