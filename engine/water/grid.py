"""The staggered grid of a tank: pressure and distance at the centres of cubic cells, velocities at their faces.

Arrays stand in order x, y, z, y being up: `u` on faces across x has shape [nx + 1, ny, nz], `v` [nx, ny + 1, nz], `w`
[nx, ny, nz + 1] (Harlow and Welch 1965). A grid one cell deep in z is planar: nothing flows through its z faces.
"""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

LEAST_CELLS = 3


@dataclass(frozen=True, kw_only=True)
class WaterGrid:
    """Cubic cells of a box: their numbers along x, y and z, their edge [m], the box's least corner [m]."""

    cells: tuple[int, int, int]
    spacing: float
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        nx, ny, nz = self.cells
        if nx < LEAST_CELLS or ny < LEAST_CELLS or (nz != 1 and nz < LEAST_CELLS):
            allowed = f"at least {LEAST_CELLS} cells along x, y and z, or 1 along z for a planar tank"
            raise InvalidArguments(what="the number of cells of a water tank", value=self.cells, allowed=allowed)
        if not (self.spacing > 0.0 and math.isfinite(self.spacing)):
            allowed = "a finite length above 0 m"
            raise InvalidArguments(what="the edge of a water cell", value=self.spacing, allowed=allowed)
        if not all(math.isfinite(each) for each in self.origin):
            raise InvalidArguments(what="the corner of a water tank", value=self.origin, allowed="finite numbers")

    @property
    def planar(self) -> bool:
        """True if the grid is one cell deep."""
        return self.cells[2] == 1

    @property
    def size(self) -> tuple[float, float, float]:
        """Edges of the box [m]."""
        nx, ny, nz = self.cells
        return nx * self.spacing, ny * self.spacing, nz * self.spacing

    @property
    def faces(self) -> tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]:
        """Shapes of arrays at faces across x, y, z."""
        nx, ny, nz = self.cells
        return (nx + 1, ny, nz), (nx, ny + 1, nz), (nx, ny, nz + 1)

    def centres(self) -> tuple[Array, Array, Array]:
        """Positions of the centres of cells [m]: x of shape [nx, 1, 1], y [1, ny, 1], z [1, 1, nz]."""
        return self._positions((0.5, 0.5, 0.5), self.cells)

    def face_positions(self, axis: int) -> tuple[Array, Array, Array]:
        """Positions of the centres of faces across an axis [m], as `centres` gives those of cells."""
        offset = [0.5, 0.5, 0.5]
        offset[axis] = 0.0
        return self._positions((offset[0], offset[1], offset[2]), self.faces[axis])

    def _positions(self, offset: tuple[float, float, float], shape: tuple[int, int, int]) -> tuple[Array, Array, Array]:
        x, y, z = (
            self.origin[axis] + self.spacing * (np.arange(shape[axis], dtype=np.float64) + offset[axis])
            for axis in range(3)
        )
        return x[:, None, None], y[None, :, None], z[None, None, :]
