"""Implicit viscosity: (1 - dt nu laplacian) u = u*, along each axis apart, stable at any step.

Unknown are the open faces of wet cells. Beyond the free surface there is no stress, so that the neighbour is left out.
Along walls and solids water slips, or sticks: then a closed face beside has the solid's velocity, and a wall of the
tank, half a cell away, stands still. The equation is solved by conjugate gradients from u* on, the diagonal being the
preconditioner.
"""

from __future__ import annotations

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.boundaries import Shares
from engine.water.equation import KNOWN, Flags

_DIAGONAL, _RESIDUAL, _SEARCH, _PRODUCT = range(4)
VECTORS = 4


@kernel
def diffuse(
    u: Array,
    solids: Array,
    weights: Shares,
    known: Flags,
    axis: int,
    share: float,
    sticks: bool,
    tolerance: float,
    most: int,
    room: Array,
) -> int:
    """Let viscosity act on the velocities along one axis; give the number of iterations.

    share: dt nu / spacing^2; room: [VECTORS, faces or more]."""
    shape, size = u.shape, u.size
    diagonal, residual = room[_DIAGONAL, :size].reshape(shape), room[_RESIDUAL, :size].reshape(shape)
    search, product = room[_SEARCH, :size].reshape(shape), room[_PRODUCT, :size].reshape(shape)
    given = left = along = 0.0
    for i in range(shape[0]):
        for j in range(shape[1]):
            for k in range(shape[2]):
                search[i, j, k] = residual[i, j, k] = product[i, j, k] = 0.0
                if known[i, j, k] == KNOWN:
                    own, net = _row(u, solids, weights, known, axis, sticks, i, j, k)
                    diagonal[i, j, k] = 1.0 + share * own
                    residual[i, j, k] = share * net
                    search[i, j, k] = residual[i, j, k] / diagonal[i, j, k]
                    along += residual[i, j, k] * search[i, j, k]
                    given += u[i, j, k] * u[i, j, k]
                    left += residual[i, j, k] * residual[i, j, k]
    goal = tolerance * tolerance * max(given, left)
    for iteration in range(most):
        if left <= goal or along == 0.0:
            return iteration
        step = along / _multiply(search, known, diagonal, share, product)
        before, along, left = along, 0.0, 0.0
        for i in range(shape[0]):
            for j in range(shape[1]):
                for k in range(shape[2]):
                    if known[i, j, k] == KNOWN:
                        u[i, j, k] += step * search[i, j, k]
                        residual[i, j, k] -= step * product[i, j, k]
                        left += residual[i, j, k] * residual[i, j, k]
                        along += residual[i, j, k] * residual[i, j, k] / diagonal[i, j, k]
        for i in range(shape[0]):
            for j in range(shape[1]):
                for k in range(shape[2]):
                    if known[i, j, k] == KNOWN:
                        next_one = residual[i, j, k] / diagonal[i, j, k]
                        search[i, j, k] = next_one + along / before * search[i, j, k]
    return most


@inlined
def _row(
    u: Array, solids: Array, weights: Shares, known: Flags, axis: int, sticks: bool, i: int, j: int, k: int
) -> tuple[float, float]:
    """Give how many neighbours count for a face, and the sum of their differences to it."""
    own = net = 0.0
    for way in range(3):
        for side in range(-1, 2, 2):
            a, b, c = i + side * (way == 0), j + side * (way == 1), k + side * (way == 2)
            if not (0 <= a < u.shape[0] and 0 <= b < u.shape[1] and 0 <= c < u.shape[2]):
                if sticks and way != axis and u.shape[way] > 1:
                    own += 2.0
                    net -= 2.0 * u[i, j, k]
            elif known[a, b, c] == KNOWN:
                own += 1.0
                net += u[a, b, c] - u[i, j, k]
            elif weights[a, b, c] <= 0.0 and (sticks or way == axis):
                own += 1.0
                net += solids[a, b, c] - u[i, j, k]
    return own, net


@kernel
def _multiply(search: Array, known: Flags, diagonal: Array, share: float, product: Array) -> float:
    """Multiply the matrix with the search direction; give their product."""
    nx, ny, nz = search.shape
    total = 0.0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if known[i, j, k] == KNOWN:
                    around = (search[i - 1, j, k] if i > 0 else 0.0) + (search[i + 1, j, k] if i < nx - 1 else 0.0)
                    around += (search[i, j - 1, k] if j > 0 else 0.0) + (search[i, j + 1, k] if j < ny - 1 else 0.0)
                    around += (search[i, j, k - 1] if k > 0 else 0.0) + (search[i, j, k + 1] if k < nz - 1 else 0.0)
                    product[i, j, k] = diagonal[i, j, k] * search[i, j, k] - share * around
                    total += product[i, j, k] * search[i, j, k]
    return total


@kernel
def mark(phi: Array, weights: Shares, axis: int, known: Flags) -> None:
    """Mark the open faces of wet cells as known, others as not."""
    nx, ny, nz = weights.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                inside = di <= i < nx - di and dj <= j < ny - dj and dk <= k < nz - dk
                wet = inside and (phi[i, j, k] < 0.0 or phi[i - di, j - dj, k - dk] < 0.0)
                known[i, j, k] = KNOWN if wet and weights[i, j, k] > 0.0 else np.uint8(0)
