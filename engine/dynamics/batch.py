"""Dynamics of many states in one call, over the cores.

States are cut into as many equal blocks as `works` has rows, each worked through by one thread in its own row. What is
found of a state does not depend on the blocks: it is what the kernels for one state find, to the last bit.

q: [state_count, coordinate_count]; qd, qdd, tau, diagonal: [state_count, rate_count]; outside: [state_count,
joint_count, 6]; works: [block_count, work_size].
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.inverse import compute_inverse_dynamics
from engine.dynamics.mechanics import Mechanics
from engine.model.compile import Array, IntArray
from engine.runtime.jit import parallel_kernel, prange


def new_works(mechanics: Mechanics, block_count: int) -> Array:
    """Work buffers for as many blocks."""
    return np.zeros((block_count, mechanics.work_size))


@parallel_kernel
def compute_many_forward(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    tau: Array,
    diagonal: Array,
    outside: Array,
    works: Array,
    out_qdd: Array,
) -> None:
    """`compute_forward_dynamics` of every state."""
    states, blocks = q.shape[0], works.shape[0]
    for block in prange(blocks):
        for each in range(block * states // blocks, (block + 1) * states // blocks):
            compute_forward_dynamics(
                ints, floats, q[each], qd[each], tau[each], diagonal[each], outside[each], works[block], out_qdd[each]
            )


@parallel_kernel
def compute_many_inverse(
    ints: IntArray, floats: Array, q: Array, qd: Array, qdd: Array, outside: Array, works: Array, out_tau: Array
) -> None:
    """`compute_inverse_dynamics` of every state."""
    states, blocks = q.shape[0], works.shape[0]
    for block in prange(blocks):
        for each in range(block * states // blocks, (block + 1) * states // blocks):
            compute_inverse_dynamics(
                ints, floats, q[each], qd[each], qdd[each], outside[each], works[block], out_tau[each]
            )
