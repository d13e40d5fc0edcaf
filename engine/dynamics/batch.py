"""Dynamics of many states in one call: LANES side by side (`simd_batch.py`), over the cores.

Groups of LANES states are shared out to as many blocks as the workspace has rows, each worked through by one thread.
What is found of a state depends neither on the blocks nor on the other states; it is what the kernels for one state
find, but for rounding. A group takes as long as four to five states one by one, however many it has. As many blocks as
there are threads is best: workspaces of more of them leave the second cache, and eight on one thread take a quarter
longer.

q: [state_count, coordinate_count]; qd, qdd, tau, diagonal: [state_count, rate_count]; outside: [state_count,
joint_count, 6], or of no state where nothing acts from outside. All else as the kernels for one state take it.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.mechanics import Mechanics
from engine.dynamics.simd_batch import LANES, BatchWorkspace, load_lanes, new_batch_workspace
from engine.dynamics.simd_forces import accelerate_lanes, factor_lanes, sum_lanes, write_found
from engine.dynamics.simd_motions import lead_lanes
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel, parallel_kernel, prange

__all__ = [
    "LANES",
    "BatchWorkspace",
    "compute_many_forward",
    "compute_many_inverse",
    "invert_states",
    "new_batch_workspace",
]


def invert_states(
    mechanics: Mechanics,
    q: Array,
    qd: Array,
    qdd: Array,
    outside: Array | None = None,
    *,
    workspace: BatchWorkspace | None = None,
) -> Array:
    """The generalised forces [N m, N] of some states, shape [state_count, rate_count]; `outside` None: nothing acts.

    On one thread: for the hundreds of states that a person waits for, others take as long to come as they save.
    """
    given, bodies, rates, slots = workspace or new_batch_workspace(mechanics, 1)
    q, qd, qdd = (np.array(each, dtype=np.float64, order="C") for each in (q, qd, qdd))
    acting = np.empty((0, mechanics.joint_count, 6)) if outside is None else np.array(outside, order="C")
    found = np.empty((len(q), mechanics.rate_count))
    ints, floats = mechanics.ints, mechanics.floats
    invert_groups(ints, floats, q, qd, qdd, acting, (given[0], bodies[0], rates[0], slots[0]), found)
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
    workspace: BatchWorkspace,
    out_qdd: Array,
) -> None:
    """`compute_forward_dynamics` of every state."""
    given, bodies, rates, slots = workspace
    groups, blocks, acted = (q.shape[0] + LANES - 1) // LANES, given.shape[0], outside.shape[0] > 0
    for block in prange(blocks):
        for group in range(block * groups // blocks, (block + 1) * groups // blocks):
            first = group * LANES
            load_lanes(ints, q, qd, tau, diagonal, outside, first, given[block])
            lead_lanes(ints, floats, False, acted, given[block], bodies[block], rates[block], slots[block])
            factor_lanes(ints, floats, given[block], bodies[block], rates[block], slots[block])
            accelerate_lanes(ints, rates[block], slots[block])
            write_found(ints, first, rates[block], out_qdd)


@parallel_kernel
def compute_many_inverse(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    qdd: Array,
    outside: Array,
    workspace: BatchWorkspace,
    out_tau: Array,
) -> None:
    """`compute_inverse_dynamics` of every state."""
    given, bodies, rates, slots = workspace
    groups, blocks = (q.shape[0] + LANES - 1) // LANES, given.shape[0]
    for block in prange(blocks):
        for group in range(block * groups // blocks, (block + 1) * groups // blocks):
            first = group * LANES
            own = given[block], bodies[block], rates[block], slots[block]
            invert_group(ints, floats, q, qd, qdd, outside, first, own, out_tau)


@kernel
def invert_groups(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    qdd: Array,
    outside: Array,
    workspace: BatchWorkspace,
    out_tau: Array,
) -> None:
    """`compute_inverse_dynamics` of every state, on this thread; the workspace is that of one block."""
    for first in range(0, q.shape[0], LANES):
        invert_group(ints, floats, q, qd, qdd, outside, first, workspace, out_tau)


@kernel
def invert_group(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    qdd: Array,
    outside: Array,
    first: int,
    workspace: BatchWorkspace,
    out_tau: Array,
) -> None:
    """`compute_inverse_dynamics` of the LANES states from `first` on, or of as many as there are."""
    given, bodies, rates, slots = workspace
    load_lanes(ints, q, qd, qdd, qdd[:0], outside, first, given)
    lead_lanes(ints, floats, True, outside.shape[0] > 0, given, bodies, rates, slots)
    sum_lanes(ints, bodies, rates, slots)
    write_found(ints, first, rates, out_tau)
