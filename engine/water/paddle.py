"""Paddle: the wave maker, a block across the left end of a tank that swings to and fro.

x = s/2 (1 - cos(2 pi t / T)),  v = s pi / T sin(2 pi t / T)
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from engine.document import Box
from engine.maths.arrays import Array
from engine.model.solids import surface_of
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid
from engine.water.solids import ClosedMesh, MovingMesh, rigid_mesh
from engine.water.welding import welded

_WITHIN = 1.0 - 1e-14  # of the tank: no body may be larger


@dataclass(frozen=True, eq=False)
class Paddle:
    """The block, by the grid that it stands in, its stroke [m] and period [s]."""

    grid: WaterGrid
    stroke: float
    period: float

    def face(self, seconds: float) -> float:
        """Where its face is [m], along x, some seconds after the start."""
        return self.grid.origin[0] + self.grid.spacing + self._way(seconds)

    def moving(self, seconds: float) -> MovingMesh:
        """Place it."""
        size, (points, mesh) = self.grid.size, self._block
        length = float(np.ptp(points[:, 0]))
        middle = np.array((self.face(seconds) - 0.5 * length, 0.0, 0.0))
        middle[1:] = np.array(self.grid.origin[1:]) + 0.5 * np.array(size[1:])
        speed = math.pi * self.stroke / self.period * math.sin(2.0 * math.pi * seconds / self.period)
        velocities = np.zeros_like(points)
        velocities[:, 0] = speed
        return MovingMesh(mesh=mesh, points=points + middle, velocities=velocities)

    @cached_property
    def _block(self) -> tuple[Array, ClosedMesh]:
        """Its vertices about its middle [m], and its surface."""
        size, h = self.grid.size, self.grid.spacing
        length = min(self.stroke + 2.0 * h, _WITHIN * size[0])
        surface = surface_of(Box(half=(0.5 * length, 0.5 * _WITHIN * size[1], 0.5 * _WITHIN * size[2])))
        points, triangles, _ = welded(surface.positions, surface.triangles)
        return points, rigid_mesh("the wave maker", triangles, len(points), -1)

    def outline(self, seconds: float) -> Array:
        """Give the corners of its face, in turn [m], shape [4, 3]."""
        (_, bottom, back), (_, high, deep), x = self.grid.origin, self.grid.size, self.face(seconds)
        top, front = bottom + high, back + deep
        return np.array(((x, bottom, back), (x, top, back), (x, top, front), (x, bottom, front)))

    def _way(self, seconds: float) -> float:
        return 0.5 * self.stroke * (1.0 - math.cos(2.0 * math.pi * max(seconds, 0.0) / self.period))
