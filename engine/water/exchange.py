"""Momentum that water and bodies exchange, counted on either side.

Pressure takes from the water, at each open face between wet cells, the mass weight rho h^3 times the change of the
face's velocity; at a face to the air that is less by the share theta of the way to the surface. What it gives to bodies
and to walls is pressure times closed area. For each cell that is wet all faces together add up to nothing, so

    momentum that the water gains + what walls get + what bodies get = 0

up to rounding, whether or not the pressure is the right one: where the two sides differ something is wrong.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.water.boundaries import Shares
from engine.water.fractions import AXIS, FRAME, MOTION, SolidFaces
from engine.water.grid import WaterGrid
from engine.water.step import WaterModel, WaterState

LEAST_THETA = 1e-9  # as in equation.py


@dataclass(frozen=True, kw_only=True, eq=False)
class WaterExchange:
    """Momenta over a time [N s], along x, y and z."""

    given: Array  # to bodies, by the grid's pressure; all of it where forces come of velocities
    taken: Array  # from the water by bodies: its change, less what walls got
    walls: Array  # given to walls by pressure
    corrected: Array  # given to bodies beside: still pressure on their skin, exact, less that on the grid

    @classmethod
    def nothing(cls) -> WaterExchange:
        """Make one over no time."""
        return cls(given=np.zeros(3), taken=np.zeros(3), walls=np.zeros(3), corrected=np.zeros(3))

    def __add__(self, other: WaterExchange) -> WaterExchange:
        return WaterExchange(
            given=self.given + other.given,
            taken=self.taken + other.taken,
            walls=self.walls + other.walls,
            corrected=self.corrected + other.corrected,
        )

    @property
    def error(self) -> float:
        """Momentum given that was not taken, beside the larger of these (or a millionth of what walls got)."""
        size = max(float(np.abs(each).max()) for each in (self.given, self.taken, 1e-6 * self.walls))
        return float(np.abs(self.given - self.taken).max()) / size if size > 0.0 else 0.0


def given_by_pressure(faces: SolidFaces, pressure: Array) -> Array:
    """Sum the forces of pressure on all that closes faces [N], shape [3]."""
    axis = faces.ints[:, AXIS]
    share = np.where(faces.ints[:, FRAME] >= 0, faces.floats[np.arange(len(axis)), MOTION + axis], 1.0)
    return np.asarray(np.bincount(axis, weights=share * faces.pushes(pressure), minlength=3), dtype=np.float64)


def pushed_walls(grid: WaterGrid, pressure: Array) -> Array:
    """Sum the forces of pressure on the walls of the tank [N], shape [3]."""
    found = np.zeros(3)
    for axis in range(2 if grid.planar else 3):
        ends = np.moveaxis(pressure, axis, 0)
        found[axis] = (ends[-1].sum() - ends[0].sum()) * grid.spacing**2
    return found


def water_momentum(model: WaterModel, state: WaterState, weights: tuple[Shares, Shares, Shares]) -> Array:
    """Sum the momentum of open faces that pressure acts on [N s], shape [3]."""
    cell = model.density * model.grid.spacing**3
    return np.array(
        [
            cell * sum_momentum(state.phi, weights[axis], each, *(int(axis == way) for way in range(3)))
            for axis, each in enumerate((state.u, state.v, state.w))
        ]
    )


@kernel
def sum_momentum(phi: Array, weights: Shares, velocity: Array, di: int, dj: int, dk: int) -> float:
    """Sum velocities across one axis by open share, and by the share of the way that is wet."""
    nx, ny, nz = phi.shape
    total = 0.0
    for i in range(di, nx):
        for j in range(dj, ny):
            for k in range(dk, nz):
                here, before = phi[i, j, k], phi[i - di, j - dj, k - dk]
                if weights[i, j, k] <= 0.0 or (here >= 0.0 and before >= 0.0):
                    continue
                theta = 1.0
                if here >= 0.0:
                    theta = max(before / (before - here), LEAST_THETA)
                elif before >= 0.0:
                    theta = max(here / (here - before), LEAST_THETA)
                total += weights[i, j, k] * theta * velocity[i, j, k]
    return total
