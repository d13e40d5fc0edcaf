"""Velocities beyond the water: what is next to known faces takes their mean, layer by layer.

Layers go out from the surface and into solids alike, as far as water may go in one step.
"""

from __future__ import annotations

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel
from engine.water.equation import KNOWN, UNKNOWN, Flags

_REACHED = np.uint8(3)


@borrowing
@kernel
def extrapolate(u: Array, known: Flags, layers: int, marks: Flags, lines: Array) -> int:
    """Fill so many layers of unknown faces around known ones; give how many rows of faces they touch.

    marks: room [2, rows]; lines: room for two rows. Each layer is the mean of known neighbours of the layers
    before, so that no order among faces matters."""
    nx, ny, _ = u.shape
    sources, touched = marks[0], marks[1]
    for i in range(nx):
        for j in range(ny):
            sources[i * ny + j] = _any(known[i, j], KNOWN)
            touched[i * ny + j] = 0
    rows = 0
    for _layer in range(layers):
        for i in range(nx):
            for j in range(ny):
                at = i * ny + j
                west, east = i > 0 and sources[at - ny] > 0, i < nx - 1 and sources[at + ny] > 0
                below, above = j > 0 and sources[at - 1] > 0, j < ny - 1 and sources[at + 1] > 0
                if not (sources[at] or west or east or below or above) or not _any(known[i, j], UNKNOWN):
                    continue
                lines[0, :], lines[1, :] = 0.0, 0.0
                if west:
                    _add(u[i - 1, j], known[i - 1, j], lines[0], lines[1])
                if east:
                    _add(u[i + 1, j], known[i + 1, j], lines[0], lines[1])
                if below:
                    _add(u[i, j - 1], known[i, j - 1], lines[0], lines[1])
                if above:
                    _add(u[i, j + 1], known[i, j + 1], lines[0], lines[1])
                if sources[at]:
                    _add(u[i, j, :-1], known[i, j, :-1], lines[0, 1:], lines[1, 1:])
                    _add(u[i, j, 1:], known[i, j, 1:], lines[0], lines[1])
                if _fill(u[i, j], known[i, j], lines[0], lines[1]):
                    touched[at] = 1
        for i in range(nx):
            for j in range(ny):
                at = i * ny + j
                if touched[at]:
                    rows += 1
                    sources[at], touched[at] = 1, 0
                    states = known[i, j]
                    for k in range(len(states)):
                        states[k] = KNOWN if states[k] == _REACHED else states[k]
    return rows


@borrowing
@inlined
def _any(states: Flags, state: np.uint8) -> bool:
    """Tell whether a row has a face in a state."""
    found = 0
    for k in range(len(states)):
        found |= states[k] == state
    return found > 0


@borrowing
@inlined
def _add(u: Array, states: Flags, total: Array, count: Array) -> None:
    """Add known faces and their number."""
    for k in range(len(u)):
        total[k] += u[k] if states[k] == KNOWN else 0.0
    for k in range(len(u)):
        count[k] += 1.0 if states[k] == KNOWN else 0.0


@borrowing
@inlined
def _fill(u: Array, states: Flags, total: Array, count: Array) -> bool:
    """Give unknown faces of a row the mean of their known neighbours; tell whether there are any."""
    found = 0
    for k in range(len(u)):
        u[k] = total[k] / count[k] if (states[k] == UNKNOWN) & (count[k] > 0.0) else u[k]
    for k in range(len(u)):
        reached = (states[k] == UNKNOWN) & (count[k] > 0.0)
        states[k] = _REACHED if reached else states[k]
    for k in range(len(u)):
        found |= states[k] == _REACHED
    return found > 0
