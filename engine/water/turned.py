"""Planar tanks stand on their edge for kernels: x as y, y as z, one cell deep in x, so that rows are long.

The numbers stay where they are, for an array [nx, ny, 1] is one of [1, nx, ny] as well.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.water.grid import WaterGrid

Kind = TypeVar("Kind", NDArray[np.float64], NDArray[np.float32], NDArray[np.uint8], NDArray[np.int32])


def kernel_cells(grid: WaterGrid) -> tuple[int, int, int]:
    """Give the numbers of cells as kernels see them."""
    nx, ny, _ = grid.cells
    return (1, nx, ny) if grid.planar else grid.cells


def kernel_axes(grid: WaterGrid) -> tuple[tuple[int, int], ...]:
    """Pair the axes along which water moves with those of kernels."""
    return ((0, 1), (1, 2)) if grid.planar else ((0, 0), (1, 1), (2, 2))


def as_cells(grid: WaterGrid, field: Kind) -> Kind:
    """View numbers at cells."""
    return field.reshape(kernel_cells(grid)) if grid.planar else field


def as_faces(grid: WaterGrid, fields: tuple[Kind, Kind, Kind]) -> tuple[Kind, Kind, Kind]:
    """View numbers at faces; in place of those across a planar tank stand zeros."""
    if not grid.planar:
        return fields
    u, v, _ = fields
    return np.zeros((2, *grid.cells[:2]), u.dtype), u.reshape(1, *u.shape[:2]), v.reshape(1, *v.shape[:2])
