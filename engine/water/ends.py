"""Open ends of a tank: a current comes in at one and goes out at the other, and the water there keeps its level.

Both walls across x let the current's speed through. Beside them lies a zone each, in which velocities are led back to
the current and the surface to its level, at a rate that grows with the square of the way into the zone (relaxation
zones; Jacobsen, Fuhrman and Fredsoe 2012, "A wave generation toolbox for the open-source CFD library: OpenFoam"):

    u -= (1 - exp(-rate dt)) (u - current),   rate = STRENGTH sqrt(g level) / length (way / length)^2

So waves and whirls that arrive die down in place of coming back. What zones and ends give to the water and take from
it is counted, so that a correction of the volume does not put it back.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.water.boundaries import Boundaries
from engine.water.equation import Faces
from engine.water.grid import WaterGrid
from engine.water.level_set import BAND
from engine.water.surface import NO_SOLID
from engine.water.volume import measure_water

SHARE = 0.15  # of the tank's length, that each zone has
FEWEST = 3  # cells of it
STRENGTH = 8.0


@dataclass(frozen=True, eq=False)
class EndZones:
    """The zones of a grid, the current [m/s] and the level above the floor [m]; `gravity` [m/s2] upwards."""

    grid: WaterGrid
    speed: float
    level: float
    gravity: float = -9.81

    @property
    def cells(self) -> int:
        """How many cells each zone is long."""
        return min(max(round(SHARE * self.grid.cells[0]), FEWEST), self.grid.cells[0] // 2)

    def opened(self, closed: Boundaries) -> Boundaries:
        """Let the ends of a tank move as the current does."""
        u = closed.velocities[0].copy()
        u[0] = u[-1] = self.speed
        return replace(closed, velocities=(u, *closed.velocities[1:]))

    def relax(self, velocities: Faces, phi: Array, dt: float) -> float:
        """Lead velocities and the surface back over dt [s]; the volume [m3] that ends and zones gave meanwhile."""
        h, ends = self.grid.spacing, (slice(0, self.cells), slice(-self.cells, None))
        wet = [float(np.clip(0.5 - phi[end] / h, 0.0, 1.0).sum()) for end in (0, -1)]
        given = self.speed * dt * h * h * (wet[0] - wet[1])
        self.lead(velocities.u, velocities.w, dt)
        blend = self._blend(self._at_cells, dt)[:, None, None]
        velocities.v[:] *= 1.0 - blend
        target = np.clip(self._still, -BAND * h, BAND * h)
        for end in ends:
            own, here = blend[end], np.ascontiguousarray(phi[end])
            moved = here + own * (target - here)
            given += measure_water(moved, h, NO_SOLID)[0] - measure_water(here, h, NO_SOLID)[0]
            phi[end] = moved
        return given

    def lead(self, u: Array, w: Array, dt: float) -> None:
        """Lead velocities along x and z back, of cells or of columns."""
        beside = (slice(None), *(None for _ in u.shape[1:]))
        u += self._blend(self._at_faces, dt)[beside] * (self.speed - u)
        u[0] = u[-1] = self.speed
        w *= (1.0 - self._blend(self._at_cells, dt))[beside]

    def let_through(self, depth: Array, below: Array, dt: float) -> None:
        """Let columns of water get and give what the current carries over dt [s], and lead their depths back; `below`
        is what is below water and on it [m]."""
        still, ratio = np.maximum(self.level - below, 0.0), dt * abs(self.speed) / self.grid.spacing
        comes, goes = (0, -1) if self.speed >= 0.0 else (-1, 0)
        depth[comes] += ratio * still[comes]
        depth[goes] /= 1.0 + ratio
        depth += self._blend(self._at_cells, dt)[:, None] * (still - depth)
        np.maximum(depth, 0.0, out=depth)

    def _blend(self, rates: Array, dt: float) -> Array:
        return np.asarray(1.0 - np.exp(-dt * rates))

    @cached_property
    def _at_cells(self) -> Array:
        return self._rates(np.arange(self.grid.cells[0], dtype=np.float64) + 0.5)

    @cached_property
    def _at_faces(self) -> Array:
        return self._rates(np.arange(self.grid.cells[0] + 1, dtype=np.float64))

    @cached_property
    def _still(self) -> Array:
        """The distance to still water at the centres of cells [m]."""
        return np.asarray(self.grid.centres()[1] - (self.grid.origin[1] + self.level))

    def _rates(self, places: Array) -> Array:
        """Give the rates [1/s] at places in cells."""
        count = self.cells
        way = np.maximum(count - np.minimum(places, self.grid.cells[0] - places), 0.0) / count
        fast = math.sqrt(abs(self.gravity) * self.level) + abs(self.speed)
        return np.asarray(STRENGTH * fast / (count * self.grid.spacing) * way**2)
