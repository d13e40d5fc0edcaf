"""Grids side by side for kernels that work many in one call: five axes each, those that are missing in front."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.document.limit import Grid
from engine.limits.interpolation import MOST_ANGLES
from engine.maths.arrays import Array, BoolArray, LongArray
from engine.runtime.quick_dataclass import dataclass

Number = TypeVar("Number", bound=np.generic)

# Of an axis in `geometry`: first node, spacing, length of a turn.
LOWER, SPACING, TURN = range(3)


@dataclass(frozen=True, eq=False)
class PackedGrids:
    """Holds what kernels read of some grids; the nodes of all of them follow each other."""

    grids: tuple[Grid, ...]
    counts: LongArray  # shape [grid_count, 5]; 1 for axes that are missing
    periodic: BoolArray
    geometry: Array  # [rad], shape [grid_count, 5, 3]; a turn is infinite where an axis does not go round
    starts: LongArray  # shape [grid_count + 1]: where the nodes of each grid begin

    def split(self, flat: NDArray[Number]) -> list[NDArray[Number]]:
        """Numbers of all nodes, grid by grid, in the shape of each."""
        parts = zip(self.grids, self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)
        return [flat[start:end].reshape(grid.counts) for grid, start, end in parts]


def pack_grids(grids: Sequence[Grid]) -> PackedGrids:
    """Put grids side by side."""
    counts = np.ones((len(grids), MOST_ANGLES), dtype=np.int64)
    periodic = np.zeros(counts.shape, dtype=np.bool_)
    geometry = np.zeros((*counts.shape, 3))
    geometry[:, :, TURN] = np.inf
    for index, grid in enumerate(grids):
        axes = slice(MOST_ANGLES - len(grid.counts), MOST_ANGLES)
        counts[index, axes], periodic[index, axes] = grid.counts, grid.periodic
        geometry[index, axes, LOWER], geometry[index, axes, SPACING] = grid.lower, grid.spacing
        geometry[index, axes, TURN] = np.where(grid.periodic, math.tau, np.inf)
    starts = np.concatenate(([0], np.cumsum(counts.prod(axis=1))))
    return PackedGrids(tuple(grids), counts, periodic, geometry, starts)
