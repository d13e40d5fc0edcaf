"""Tanks that tests of water use."""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array
from engine.water.grid import WaterGrid
from engine.water.step import WaterModel, WaterOptions, WaterState


def tank(cells: tuple[int, int, int], *, length: float = 1.0, options: WaterOptions | None = None) -> WaterModel:
    """Make a tank so long along x [m]."""
    grid = WaterGrid(cells=cells, spacing=length / cells[0])
    return WaterModel(grid=grid, options=WaterOptions() if options is None else options)


def stirred(model: WaterModel, distance: Array, *, seed: int = 3) -> WaterState:
    """Put water that moves at random."""
    state = model.new_state(distance)
    numbers = np.random.default_rng(seed)
    for each in state.velocities:
        each[:] = numbers.normal(size=each.shape)
    return state


def dam(model: WaterModel) -> Array:
    """Give the distance to a block of water in a corner, 0.6 by 0.6 of the tank, all along z: 36% of it."""
    x, y, z = model.grid.centres()
    width, height, _ = model.grid.size
    over_x, over_y = x - 0.6 * width + 0.0 * z, y - 0.6 * height + 0.0 * z
    beyond = np.hypot(np.maximum(over_x, 0.0), np.maximum(over_y, 0.0))
    return np.where(beyond > 0.0, beyond, np.maximum(over_x, over_y))


def ball(model: WaterModel, centre: tuple[float, float, float], radius: float) -> Array:
    """Give the distance to a ball of water; to a disk where the tank is planar."""
    x, y, z = model.grid.centres()
    off_z = 0.0 * z if model.grid.planar else z - centre[2]
    return np.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + off_z**2) - radius


def turning(model: WaterModel, speed: float) -> WaterState:
    """Fill a planar tank with water that turns about the middle like a wheel [rad/s]."""
    state = model.new_state(np.full(model.grid.cells, -1.0))
    middle_x, middle_y = 0.5 * model.grid.size[0], 0.5 * model.grid.size[1]
    _, y, _ = model.grid.face_positions(0)
    x, _, _ = model.grid.face_positions(1)
    state.u[:] = -speed * (y - middle_y)
    state.v[:] = speed * (x - middle_x)
    return state


def vortices(model: WaterModel, time: float, viscosity: float) -> tuple[Array, Array]:
    """Give the velocities at faces of Taylor and Green's decaying vortex, in a tank of edge pi."""
    fade = math.exp(-2.0 * viscosity * time)
    x, y, z = model.grid.face_positions(0)
    u = fade * np.sin(x) * np.cos(y) + 0.0 * z
    x, y, z = model.grid.face_positions(1)
    return u, -fade * np.cos(x) * np.sin(y) + 0.0 * z
