"""Bodies in the water of one step: their surfaces, what moves these, and how that answers to impulses."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, BoolArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.water.boundaries import BodyTerms
from engine.water.distances import Distances
from engine.water.fractions import CLOSED, FRAME, MOTION, SIDES, WHERE, SolidFaces
from engine.water.grid import WaterGrid
from engine.water.joined import RigidFrames
from engine.water.solids import MovingMesh


@dataclass(frozen=True, kw_only=True, eq=False)
class Immersed:
    """Surfaces at the beginning of a step, the frames that move them, and these frames' laws over the step.

    free: velocities that the frames would have at its end without any water, as `RigidFrames.velocities`; response:
    change of these by impulses [N s, N m s] about the frames' origins, J M^-1 J^T, symmetric, shape [6 count, 6 count].
    A frame without response is led, and pushes without giving way.
    """

    solids: tuple[MovingMesh, ...]
    frames: RigidFrames
    free: Array
    response: Array

    def __post_init__(self) -> None:
        size = 6 * self.frames.count
        if self.free.shape != self.frames.velocities.shape or self.response.shape != (size, size):
            given = self.free.shape, self.response.shape
            raise InvalidArguments(what="speeds and response of bodies", value=given, allowed=f"those of {size // 6}")
        if not (np.isfinite(self.free).all() and np.isfinite(self.response).all()):
            raise InvalidArguments(what="speeds and response of bodies", value="not a number", allowed="finite numbers")
        known = max((int(each.mesh.frames.max()) for each in self.solids), default=-1)
        if known >= self.frames.count:
            allowed = f"below {self.frames.count}"
            raise InvalidArguments(what="the frame that moves a body", value=known, allowed=allowed)

    @property
    def gives_way(self) -> BoolArray:
        """Which frames impulses move."""
        diagonal = np.diagonal(self.response).reshape(-1, 6)
        return np.asarray((diagonal > 0.0).any(axis=1))

    @property
    def fastest(self) -> float:
        """The largest speed of a vertex along an axis [m/s]."""
        return max((float(np.abs(each.velocities).max()) for each in self.solids), default=0.0)


def body_terms(faces: SolidFaces, wet: BoolArray, bodies: Immersed) -> BodyTerms | None:
    """Write what frames that give way do to the pressure in wet cells; None where they touch none."""
    moved = np.flatnonzero(bodies.gives_way)
    slots = np.full(bodies.frames.count + 1, -1, dtype=np.int64)  # the last is for faces that no frame moves
    slots[moved] = np.arange(len(moved))
    speeds = (6 * moved[:, None] + np.arange(6)).reshape(-1)
    cells, columns, amounts = [], [], []
    for side, filled, sign in SIDES:
        cell = faces.ints[:, side]
        rows = np.flatnonzero((cell >= 0) & (slots[faces.ints[:, FRAME]] >= 0) & wet.reshape(-1)[cell])
        cells.append(np.repeat(cell[rows], 6))
        columns.append((6 * slots[faces.ints[rows, FRAME]][:, None] + np.arange(6)).reshape(-1))
        shares = faces.floats[rows, CLOSED] - faces.floats[rows, filled]
        amounts.append((sign * shares[:, None] * faces.floats[rows, MOTION:WHERE]).reshape(-1))
    cell, column, amount = np.concatenate(cells), np.concatenate(columns), np.concatenate(amounts)
    kept = np.flatnonzero(amount)
    if not len(kept):
        return None
    kept = kept[np.argsort(column[kept], kind="stable")]
    starts = np.concatenate(([0], np.cumsum(np.bincount(column[kept], minlength=len(speeds)))))
    return BodyTerms(
        starts=starts.astype(np.int32),
        cells=cell[kept].astype(np.int32),
        amounts=amount[kept],
        response=bodies.response[np.ix_(speeds, speeds)],
    )


def cell_distances(grid: WaterGrid, distances: Distances) -> Array:
    """Average signed distances to solids at the centres of cells [m]."""
    values = distances.values
    values = 0.5 * (values[1:] + values[:-1])
    values = 0.5 * (values[:, 1:] + values[:, :-1])
    return np.asarray(values if grid.planar else 0.5 * (values[:, :, 1:] + values[:, :, :-1]))


def open_volumes(grid: WaterGrid, distance: Array) -> Array:
    """Estimate the part of each cell that is not solid, by distances at the centres of cells."""
    return np.clip(0.5 + distance / grid.spacing, 0.0, 1.0)
