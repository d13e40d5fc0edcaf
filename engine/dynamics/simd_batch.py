"""Frames of LANES states side by side: each number of a joint stands beside the same number of the other states.

What is found is that of `frames.py` for each state, but for rounding, and a state's numbers do not depend on those
beside it. Loops over the lanes stand innermost, and what depends on the figure alone (kinds of freedoms, rests, masses)
is read before them, so that the compiler turns them into vector code. It does so where it sees that what a loop writes
is not what it reads: within one array by distances that are constant, between arrays by comparing their ends. So a
workspace has four arrays, and LANES is no less than 16, below which the compiler (LLVM) takes no comparisons.

What a joint hands on stands in a slot. The last of a joint's children takes over its parent's slot, outward with the
parent's frame and speeds in place, inward so that its parent finds there what it bears; other children have slots of
their own meanwhile. Of a chain nothing is copied, a human has four slots, and they stay in the nearest cache. Positions
are counted from the point O where the (first) root stands, so it is gone through twice: first to learn where that is.

Rows of LANES numbers; L is the way from one to the next:

    given   the coordinates, their sines, their cosines; qd; tau, or qdd; the diagonal; forces from outside, 6 for each
            joint, if there are any
    bodies  of each joint its FORCE (6), its INERTIA about O (xx, yy, zz, xy, xz, yz), mass times centre (3)
    rates   of each rate its motion (6), U (6), 1 / D, u / D, in whose place stands at last what is found
    slots   the placement seen from O (3), then of each slot, outward: FRAME (12), VELOCITY (6), ACCELERATION (6);
            inward: FORCE (6), HELD (21), the articulated inertia as in `layout.py`; outward again: GAIN (6)

Symbols: q, qd as in `engine.model.compile`; `slot`: where the rows of a joint's slot begin, `motion`: those of a rate.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.frames import compute_sines
from engine.dynamics.layout import LINK_INT_STRIDE, LINK_INTS, PLACE, SLOT, extra_of
from engine.dynamics.mechanics import Mechanics
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import COORDINATE_COUNT, JOINT_COUNT, RATE_COUNT
from engine.runtime.jit import kernel

LANES = 16
L = LANES
FRAME, VELOCITY, ACCELERATION, SPREAD = 0, 12, 18, 24
FORCE, HELD, SLOT_ROWS = 0, 6, 27
GAIN = 0
SEEN = 3
INERTIA_ROW, MOMENT, BODY = 6, 12, 15
RESPONSE, FOUND, RATE = 6, 13, 14
_LINE = 8  # floats in a line of the machine's cache


BatchWorkspace = tuple[Array, Array, Array, Array]
"""The arrays `given`, `bodies`, `rates`, `slots` of a batch, each with a row for every block."""


def new_batch_workspace(mechanics: Mechanics, block_count: int) -> BatchWorkspace:
    """Allocate a workspace for as many blocks, shapes [block_count, ...]; each block is one thread's."""
    coordinates, rates, joints = mechanics.coordinate_count, mechanics.rate_count, mechanics.joint_count
    start = mechanics.ints[extra_of(mechanics.ints) + LINK_INTS]
    slots = mechanics.ints[start : start + joints * LINK_INT_STRIDE].reshape(-1, LINK_INT_STRIDE)[:, SLOT].max() + 1
    rows = 3 * (coordinates + rates) + 6 * joints, BODY * joints, RATE * rates, SEEN + SLOT_ROWS * int(slots)
    given, bodies, factors, at_hand = (_aligned(block_count, count * L) for count in rows)
    return given, bodies, factors, at_hand


def _aligned(block_count: int, size: int) -> Array:
    """Zeros that begin where a line of the cache does: a vector across two lines takes twice as long."""
    workspace = np.zeros(block_count * size + _LINE)
    first = -(workspace.ctypes.data // workspace.itemsize) % _LINE
    return workspace[first : first + block_count * size].reshape(block_count, size)


@inlined
def speeds_row(ints: IntArray, rate: int) -> int:
    """Return the row of a rate's qd in `given`; the two rows of its own stand behind those of all rates."""
    return int(((3 * ints[COORDINATE_COUNT] + rate) * L) & PLACE)


@inlined
def outside_row(ints: IntArray, joint: int) -> int:
    """Return the row of the force from outside on a joint's body in `given`."""
    return int(((3 * (ints[COORDINATE_COUNT] + ints[RATE_COUNT]) + 6 * joint) * L) & PLACE)


@inlined
def slot_of(ints: IntArray, joint: int) -> int:
    """Return where the slot of a joint begins."""
    entry = (ints[extra_of(ints) + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE
    return int(((SEEN + ints[entry + SLOT] * SLOT_ROWS) * L) & PLACE)


@kernel
def take_lanes(states: Array, first: int, to: int, given: Array) -> None:
    """Take over numbers of the states from `first` on, the last one's for lanes beyond it."""
    last, count = states.shape[0] - 1, states.shape[1]
    for each in range(count):
        at = (to + each * L) & PLACE
        for lane in range(L):
            given[at + lane] = states[min(first + lane, last), each]


@kernel
def load_lanes(
    ints: IntArray, q: Array, qd: Array, one: Array, two: Array, outside: Array, first: int, given: Array
) -> None:
    """Take over the states from `first` on; sines of their coordinates."""
    rates, end = ints[RATE_COUNT], ints[COORDINATE_COUNT] * L
    take_lanes(q, first, 0, given)
    take_lanes(qd, first, speeds_row(ints, 0), given)
    take_lanes(one, first, speeds_row(ints, rates), given)
    if two.shape[0]:
        take_lanes(two, first, speeds_row(ints, 2 * rates), given)
    if outside.shape[0]:
        take_lanes(outside.reshape(outside.shape[0], 6 * ints[JOINT_COUNT]), first, outside_row(ints, 0), given)
    compute_sines(given[:end], given[end : 2 * end], given[2 * end : 3 * end])
