"""Velocities beyond the water: what is next to known faces takes their mean, layer by layer.

Layers go out from the surface and into solids alike, as many as water may cross in one step. What is then inside a
solid loses its part through the solid's surface, relative to the solid's own velocity, so that water slides along it
(constrained extrapolation: Rasmussen et al. 2004; Batty et al. 2007).
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.water.equation import KNOWN, UNKNOWN, Flags

_WAITING = np.uint8(3)


@kernel
def extrapolate(u: Array, known: Flags, layers: int, queue: IntArray) -> int:
    """Fill so many layers of unknown faces around known ones; give how many faces were filled.

    `queue` is room for all faces. Each layer is the mean of known neighbours of the layers before, so that no order
    among faces matters."""
    nx, ny, nz = u.shape
    values, states = u.reshape(-1), known.reshape(-1)
    sx, sy = ny * nz, nz
    end = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                at = i * sx + j * sy + k
                if states[at] == UNKNOWN and _near(states, KNOWN, i, j, k, u.shape):
                    queue[end] = at
                    end += 1
    first = 0
    for layer in range(layers):
        for place in range(first, end):
            at = queue[place]
            total, count = 0.0, 0
            i, j, k = at // sx, at // sy % ny, at % nz
            if i > 0 and states[at - sx] == KNOWN:
                total, count = total + values[at - sx], count + 1
            if i < nx - 1 and states[at + sx] == KNOWN:
                total, count = total + values[at + sx], count + 1
            if j > 0 and states[at - sy] == KNOWN:
                total, count = total + values[at - sy], count + 1
            if j < ny - 1 and states[at + sy] == KNOWN:
                total, count = total + values[at + sy], count + 1
            if k > 0 and states[at - 1] == KNOWN:
                total, count = total + values[at - 1], count + 1
            if k < nz - 1 and states[at + 1] == KNOWN:
                total, count = total + values[at + 1], count + 1
            values[at] = total / count
        last = end
        for place in range(first, last):
            states[queue[place]] = KNOWN
        if layer == layers - 1:
            break
        for place in range(first, last):
            at = queue[place]
            i, j, k = at // sx, at // sy % ny, at % nz
            if i > 0 and states[at - sx] == UNKNOWN:
                states[at - sx], queue[end], end = _WAITING, at - sx, end + 1
            if i < nx - 1 and states[at + sx] == UNKNOWN:
                states[at + sx], queue[end], end = _WAITING, at + sx, end + 1
            if j > 0 and states[at - sy] == UNKNOWN:
                states[at - sy], queue[end], end = _WAITING, at - sy, end + 1
            if j < ny - 1 and states[at + sy] == UNKNOWN:
                states[at + sy], queue[end], end = _WAITING, at + sy, end + 1
            if k > 0 and states[at - 1] == UNKNOWN:
                states[at - 1], queue[end], end = _WAITING, at - 1, end + 1
            if k < nz - 1 and states[at + 1] == UNKNOWN:
                states[at + 1], queue[end], end = _WAITING, at + 1, end + 1
        first = last
    return end


@kernel
def _near(states: Flags, state: np.uint8, i: int, j: int, k: int, shape: tuple[int, int, int]) -> bool:
    """Tell whether one of the six neighbours has a state."""
    nx, ny, nz = shape
    at = (i * ny + j) * nz + k
    return (
        (i > 0 and states[at - ny * nz] == state)
        or (i < nx - 1 and states[at + ny * nz] == state)
        or (j > 0 and states[at - nz] == state)
        or (j < ny - 1 and states[at + nz] == state)
        or (k > 0 and states[at - 1] == state)
        or (k < nz - 1 and states[at + 1] == state)
    )
