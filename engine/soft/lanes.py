"""Lays LANES cells side by side: each number of a cell stands beside the same number of the others.

Loops over the lanes stand innermost and work within one buffer, whose rows have constant distances, so that the
compiler turns them into vector code although it may not reorder sums. A cell's numbers do not depend on
those beside it. Batches that are not full repeat their last cell, without stiffness.

Rows of a buffer, LANES numbers each:

    PLACES  positions of the corners (12; the corners of one sample of a hexahedron are kept by `bricks.py`)
    REST    what is known of the cell, the rows below
    FORCES  gradient of the energy with respect to the corners (12)
    ENERGY  of the cell [J]
    SLOPES  what the blocks of its stiffness are made of: each material says what

REST: slopes b of the first three corners (9), b of the last being less their sum; volume [m3]; moduli mu, lambda [Pa],
and the third of a material; for a flat cell what stands
in F across its plane, 0 for others; viscous moduli
[Pa s], those of small strains times the damping of the stiffness.

F = sum x_a b_a^T (+ FLAT n n^T): the deformation of a cell. L: LANES.
"""

from __future__ import annotations

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray

L = LANES = 16
PLACE = 0x7FFFFFFF

REST_ROWS = 16
VOLUME, MU, LAMBDA, THIRD, FLAT, VISCOUS_MU, VISCOUS_LAMBDA = 9, 10, 11, 12, 13, 14, 15

AT = 0
REST = 12
FORCES = REST + REST_ROWS
ENERGY = FORCES + 12
SLOPES = ENERGY + 1
ROWS = SLOPES + 80
BLOCK_ROWS = 9


@inlined
def gather_lanes(nodes: IntArray, rest: Array, batch: int, x: Array, buffer: Array) -> None:
    """Copy the corners of the tetrahedra of a batch, and what is known of them, into the buffer."""
    first = (batch * 4 * L) & PLACE
    for corner in range(4):
        for lane in range(L):
            node = (3 * nodes[first + corner * L + lane]) & PLACE
            at = (AT + 3 * corner) * L + lane
            buffer[at], buffer[at + L], buffer[at + 2 * L] = x[node], x[node + 1], x[node + 2]
    first = (batch * REST_ROWS * L) & PLACE
    for each in range(REST_ROWS * L):
        buffer[REST * L + each] = rest[first + each]


@inlined
def scatter_corners(nodes: IntArray, batch: int, corners: int, forces: Array, out_gradient: Array) -> None:
    """Add the gradients of a batch to those of the points."""
    first = (batch * corners * L) & PLACE
    for corner in range(corners):
        for lane in range(L):
            node = (3 * nodes[first + corner * L + lane]) & PLACE
            at = 3 * corner * L + lane
            out_gradient[node] += forces[at]
            out_gradient[node + 1] += forces[at + L]
            out_gradient[node + 2] += forces[at + 2 * L]


@inlined
def scatter_block(places: IntArray, first: int, block: Array, out_values: Array) -> None:
    """Add a block of each lane to the matrix; `first`: where its places in the matrix begin."""
    for lane in range(L):
        to = (9 * places[first + lane]) & PLACE
        out_values[to] += block[lane]
        out_values[to + 1] += block[lane + L]
        out_values[to + 2] += block[lane + 2 * L]
        out_values[to + 3] += block[lane + 3 * L]
        out_values[to + 4] += block[lane + 4 * L]
        out_values[to + 5] += block[lane + 5 * L]
        out_values[to + 6] += block[lane + 6 * L]
        out_values[to + 7] += block[lane + 7 * L]
        out_values[to + 8] += block[lane + 8 * L]
