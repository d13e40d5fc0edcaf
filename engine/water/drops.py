"""Drops as they are drawn: ellipsoids by the anisotropic kernels of their neighbours, and how white they are.

A drop alone is a ball. Among more than `FEW` neighbours it becomes, little by little so that nothing jumps from frame
to frame, an ellipsoid of the same volume with the axes of its kernel (`anisotropic.py`; Si 2013, appendix A): long in
streams, flat in sheets, its middle moved towards theirs. Before, it is as long as it flies in `SHUTTER`, as a camera
sees it, at most `LONGEST` times a ball, of the same volume. It grows to its size within `GROWS`: what is seen of a drop
in its first moment would appear at once, half a cell off the water, and is often gone in the next frame. Dense spray is
white, and so is what falls back fast: it is full of air.

The source draws the isosurface of the sum of all kernels. A grid fine enough for drops of a tenth of a cell would have
a thousand times as many cells as the water's, so each kernel is drawn by itself, hidden parts by depth.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.anisotropic import FEW, drop_kernels
from engine.water.grid import WaterGrid

WIDTH = 1.0  # [cells] h of the kernels
COLUMNS = 10
PALEST = 0.25  # how white a drop alone is
DENSE = 60  # neighbours of a drop in white spray
SHUTTER = 1.0 / 60.0  # [s]
LONGEST = 4.0
GROWS = 0.1  # [s]
WIDEST = 0.25  # [cells] radius; larger ones are seen by themselves and look like balloons
FAST = 4.0  # [m/s] downwards, of a drop that is white


@kernel
def shape_drops(drops: Array, kernels: Array, room: Array, out: Array) -> None:
    """Write what is drawn of each drop. `drops`: rows of `spray.py`, in metres; `room`: the grid's corner and the
    size of its cells."""
    for each in range(drops.shape[0]):
        g, near = kernels[each], kernels[each, 13]
        grown = min(drops[each, 7] / GROWS, 1.0)
        radius = min(drops[each, 6] * drops[each, 8], WIDEST * room[3]) * (0.15 + 0.85 * grown * (2.0 - grown))
        share = min(max((near - FEW) / FEW, 0.0), 1.0)
        size = g[12] ** (1.0 / 3.0) / g[12]
        for n in range(3):
            middle = room[n] + room[3] * g[n]
            out[each, n] = drops[each, n] + share * (middle - drops[each, n])
        speed = math.sqrt(drops[each, 3] ** 2 + drops[each, 4] ** 2 + drops[each, 5] ** 2)
        long = min(1.0 + 0.5 * SHUTTER * speed / radius, LONGEST)
        thin, flight = long**-0.5, 1.0 / max(speed, 1e-9) ** 2
        place = 3
        for a in range(3):
            for b in range(a, 3):
                p, q, r, s = (a + 1) % 3, (a + 2) % 3, (b + 1) % 3, (b + 2) % 3
                inverse = size * (g[3 + 3 * r + p] * g[3 + 3 * s + q] - g[3 + 3 * r + q] * g[3 + 3 * s + p])
                plain = (thin if a == b else 0.0) + (long - thin) * flight * drops[each, 3 + a] * drops[each, 3 + b]
                out[each, place] = radius * (plain + share * (inverse - plain))
                place += 1
        crowded = min((near - 1.0) / DENSE, 1.0)
        falls = min(max(-drops[each, 4] / FAST, 0.0), 1.0)
        out[each, 9] = PALEST + (1.0 - PALEST) * max(crowded, 0.7 * falls)


def drawn_drops(drops: NDArray[np.float32], grid: WaterGrid) -> NDArray[np.float32]:
    """Middles [m], the matrix that makes the unit ball the drop (xx, xy, xz, yy, yz, zz) and how white it is, of drops
    as rows of `spray.py` in metres; shape [count, 10]."""
    found = np.zeros((len(drops), COLUMNS))
    if len(drops):
        given, low = drops.astype(np.float64), np.array(grid.origin)
        kernels = drop_kernels((given[:, :3] - low) / grid.spacing, WIDTH, grid.cells)
        shape_drops(given, kernels, np.array((*grid.origin, grid.spacing)), found)
    return found.astype(np.float32)
