"""Foam: white patches on the water where drops have fallen back.

A drop that falls into the water leaves a fleck of foam where it goes in, as wide as itself. Flecks go along with the
flow, keep to the surface, and fade within `LIFE`. They push nobody: the water is the same without them. What is drawn
of them is their area in each cell, at the corners of the surface's triangles.

A row of `flecks` is x, y, z [cells], area [of a cell's side], and the share of its life that is left.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.equation import Faces
from engine.water.interpolation import sample_cells, sample_gradient, sample_velocity

COLUMNS = 5
MOST = 20_000  # flecks; the oldest go first
LIFE = 1.2  # [s]
SOFTEST = 0.25  # [m/s] into the water, below which a drop leaves nothing
SPREAD = 1.0  # a fleck's area beside that of its drop's shadow
COVERS = 2.0  # how soon flecks cover a cell: 1 - exp(-COVERS area)
_LOST = 1.5  # [cells] from the surface


@kernel
def shed_flecks(drops: Array, phi: Array, h: float, dt: float, flecks: Array, count: int) -> int:
    """Add a fleck for each drop that falls into the water within dt [s]; how many there are. `drops`: x, y, z [cells],
    velocity [m/s], radius [cells]."""
    for each in range(drops.shape[0]):
        x, y, z = drops[each, 0] - 0.5, drops[each, 1] - 0.5, drops[each, 2] - 0.5
        far, a, b, c = sample_gradient(phi, x, y, z)
        size = math.sqrt(a * a + b * b + c * c)
        if size == 0.0 or far < 0.0 or count == flecks.shape[0]:
            continue
        a, b, c = a / size, b / size, c / size
        into = -(a * drops[each, 3] + b * drops[each, 4] + c * drops[each, 5])
        if into < SOFTEST or far > into * dt:
            continue
        flecks[count, 0] = drops[each, 0] - far / h * a
        flecks[count, 1] = drops[each, 1] - far / h * b
        flecks[count, 2] = drops[each, 2] - far / h * c
        flecks[count, 3] = SPREAD * math.pi * drops[each, 6] ** 2
        flecks[count, 4] = 1.0
        count += 1
    return count


@kernel
def carry_flecks(flecks: Array, phi: Array, h: float, dt: float, velocities: Faces) -> int:
    """Move flecks along with the flow and onto the surface, and let them fade; how many are left."""
    u, v, w = velocities
    nx, ny, nz = phi.shape
    kept = 0
    for each in range(flecks.shape[0]):
        x, y, z = flecks[each, 0], flecks[each, 1], flecks[each, 2]
        a, b, c = sample_velocity(u, v, w, x, y, z)
        x, y, z = x + dt / h * a, y + dt / h * b, z + dt / h * c
        far, a, b, c = sample_gradient(phi, x - 0.5, y - 0.5, z - 0.5)
        size = a * a + b * b + c * c
        left = flecks[each, 4] - dt / LIFE
        if left <= 0.0 or size == 0.0 or abs(far) > _LOST * h:
            continue
        x, y, z = x - far * a / size, y - far * b / size, z - far * c / size
        flecks[kept, 0] = min(max(x, 1e-3), nx - 1e-3)
        flecks[kept, 1] = min(max(y, 1e-3), ny - 1e-3)
        flecks[kept, 2] = min(max(z, 1e-3), nz - 1e-3)
        flecks[kept, 3], flecks[kept, 4] = flecks[each, 3], left
        kept += 1
    return kept


@kernel
def spread_flecks(flecks: Array, out_area: Array) -> None:
    """Add the area of flecks to the middles of the cells around them, the less the older they are."""
    nx, ny, nz = out_area.shape
    for each in range(flecks.shape[0]):
        x = min(max(flecks[each, 0] - 0.5, 0.0), nx - 1.0)
        y = min(max(flecks[each, 1] - 0.5, 0.0), ny - 1.0)
        z = min(max(flecks[each, 2] - 0.5, 0.0), nz - 1.0)
        i, j, k = int(x), int(y), int(z)
        x, y, z = x - i, y - j, z - k
        area = flecks[each, 3] * flecks[each, 4]
        for corner in range(8):
            a, b, c = corner & 1, corner >> 1 & 1, corner >> 2
            share = (x if a else 1.0 - x) * (y if b else 1.0 - y) * (z if c else 1.0 - z)
            out_area[min(i + a, nx - 1), min(j + b, ny - 1), min(k + c, nz - 1)] += area * share


class Foam:
    """The flecks on the water of one tank."""

    def __init__(self, flecks: Array | None = None) -> None:
        self.flecks: Array = np.zeros((0, COLUMNS)) if flecks is None else flecks

    def shed(self, drops: Array, phi: Array, h: float, dt: float) -> None:
        """Leave flecks where drops will fall in; `drops` as `shed_flecks` takes them."""
        if not len(drops):
            return
        room = np.zeros((len(self.flecks) + len(drops), COLUMNS))
        room[: len(self.flecks)] = self.flecks
        count = shed_flecks(drops, phi, h, dt, room, len(self.flecks))
        self.flecks = room[max(count - MOST, 0) : count]

    def carry(self, phi: Array, h: float, dt: float, velocities: Faces) -> None:
        """Move them on by dt [s]."""
        if len(self.flecks):
            self.flecks = self.flecks[: carry_flecks(self.flecks, phi, h, dt, velocities)]

    def at(self, places: NDArray[np.float32], cells: tuple[int, int, int]) -> NDArray[np.float32]:
        """Give the share of the surface that foam covers at places [cells], shape [count]."""
        if not len(self.flecks):
            return np.zeros(len(places), dtype=np.float32)
        area, found = np.zeros(cells), np.zeros(len(places))
        spread_flecks(self.flecks, area)
        sample_cells(area, np.ascontiguousarray(places, dtype=np.float64), found)
        return (1.0 - np.exp(-COVERS * found)).astype(np.float32)
