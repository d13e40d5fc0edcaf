"""Beginning: the shapes with which water begins, as signed distances to its surface, or as heights of it."""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array
from engine.water.grid import WaterGrid
from engine.water.parts import WaterTank
from engine.water.step import box_distance


def beginning(tank: WaterTank, grid: WaterGrid) -> Array:
    """Give the distance at the centres of cells [m], negative in the water."""
    x, y, z = grid.centres()
    low, bottom = grid.origin[0], grid.origin[1]
    far = float(np.linalg.norm(grid.size))
    level = np.broadcast_to(y - (bottom + tank.level), grid.cells)
    found = level if tank.level > 0.0 else np.full(grid.cells, far)
    if tank.begins == "dam":
        end = (low + tank.block_length, bottom + tank.block_height, grid.origin[2] + grid.size[2])
        found = np.minimum(found, box_distance(grid, grid.origin, end))
    elif tank.begins == "drop":
        middle = (low + 0.5 * grid.size[0], bottom + tank.drop_height, grid.origin[2] + 0.5 * grid.size[2])
        away = np.sqrt((x - middle[0]) ** 2 + (y - middle[1]) ** 2 + (z - middle[2]) ** 2)
        found = np.minimum(found, away - tank.drop_radius)
    elif tank.begins == "wave":
        phase = 2.0 * math.pi * (x - low) / tank.wave_length
        slope = math.pi * tank.wave_height / tank.wave_length * np.sin(phase)
        found = (level - 0.5 * tank.wave_height * np.cos(phase)) / np.sqrt(1.0 + slope**2)
    return np.ascontiguousarray(np.broadcast_to(found, grid.cells), dtype=np.float64)


def first_heights(tank: WaterTank, grid: WaterGrid) -> Array:
    """Give the mean height of the water in each column above the floor [m], shape [nx, nz]."""
    x = grid.spacing * (np.arange(grid.cells[0]) + 0.5)
    found = np.full(grid.cells[0], tank.level)
    if tank.begins == "dam":
        within = np.clip((tank.block_length - x) / grid.spacing + 0.5, 0.0, 1.0)
        found += within * (max(tank.block_height, tank.level) - tank.level)
    elif tank.begins == "wave":
        found += 0.5 * tank.wave_height * np.cos(2.0 * math.pi * x / tank.wave_length)
    return np.repeat(np.maximum(found, 0.0)[:, None], grid.cells[2], axis=1)
