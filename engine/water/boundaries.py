"""The bounds of the water in one step: how much of each face is open, how solids move there, bodies that give way.

`weights` are open areas of faces over their whole area, 0 inside a solid and at the walls of the tank, 1 in the open
(Batty et al. 2007); `velocities` are those of the solid at the closed part [m/s], along the face's axis.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid

Shares = NDArray[np.float32]

_NAMES = "u", "v", "w"


@dataclass(frozen=True, kw_only=True, eq=False)
class BodyTerms:
    """Bodies that the pressure moves while it is solved for: n unknowns, such as six for each rigid body.

    Column d lists what one unit of speed of unknown d drives out of cells, sum of sign (1 - weight) (velocity along the
    axis) over their faces, sign being 1 where the axis points out of the cell: `amounts[starts[d]:starts[d + 1]]` of
    the cells of those numbers, cell (i, j, k) being (i ny + j) nz + k. By duality the same column times pressures and
    the area of a face adds up to the force of the water on the unknown.
    `response` is the change of speeds by impulses: the inverse of the mass matrix, symmetric. The speeds before the
    step stand in `Boundaries.velocities`.
    """

    starts: IntArray  # shape [n + 1]
    cells: IntArray
    amounts: Array
    response: Array  # shape [n, n]


@dataclass(frozen=True, kw_only=True, eq=False)
class Boundaries:
    """Open shares of faces and velocities of solids, in arrays of the shapes of u, v, w; shares are kept in single
    precision.

    distance: signed distance to solids at the centres of cells [m], negative inside; where it is given, velocities that
    are extrapolated into solids lose their part through the solid's surface. With bodies that give way that is left to
    the caller (`step.slide_along`), who knows how these move in the end.
    swelling: what of the flow out of cells is of solids that change their shape within, and of no water [m/s]
    (`fractions.SolidFaces.swelling`), shape of the grid's cells.
    """

    weights: tuple[Shares, Shares, Shares]
    velocities: tuple[Array, Array, Array]
    distance: Array | None = None
    swelling: Array | None = None
    bodies: BodyTerms | None = None

    def __post_init__(self) -> None:
        a, b, c = (np.ascontiguousarray(each, dtype=np.float32) for each in self.weights)
        u, v, w = (np.ascontiguousarray(each, dtype=np.float64) for each in self.velocities)
        object.__setattr__(self, "weights", (a, b, c))
        object.__setattr__(self, "velocities", (u, v, w))

    def check(self, grid: WaterGrid) -> None:
        """Refuse arrays of other shapes, and what is no share or no number."""
        if self.distance is not None and (self.distance.shape != grid.cells or not np.isfinite(self.distance).all()):
            allowed = f"finite numbers of shape {grid.cells}"
            raise InvalidArguments(what="the distance to solids", value=self.distance.shape, allowed=allowed)
        for axis in range(3):
            weights, velocities = self.weights[axis], self.velocities[axis]
            name, shape = _NAMES[axis], grid.faces[axis]
            if weights.shape != shape or velocities.shape != shape:
                given = weights.shape, velocities.shape
                raise InvalidArguments(what=f"the boundaries of {name}", value=given, allowed=f"shape {shape}")
            if not (weights.min() >= 0.0 and weights.max() <= 1.0):
                least, most = float(weights.min()), float(weights.max())
                raise InvalidArguments(what=f"open shares of {name}", value=(least, most), allowed="0 to 1")
            if not np.isfinite(velocities).all():
                bad = velocities[~np.isfinite(velocities)][0]
                raise InvalidArguments(what=f"a solid's velocity of {name}", value=float(bad), allowed="finite numbers")


def walls(grid: WaterGrid) -> Boundaries:
    """Close the walls of a tank, and nothing else."""
    weights = [np.ones(shape, np.float32) for shape in grid.faces]
    for axis, each in enumerate(weights):
        ends = np.moveaxis(each, axis, 0)
        ends[0] = ends[-1] = 0.0
    still = [np.zeros(shape) for shape in grid.faces]
    return Boundaries(weights=(weights[0], weights[1], weights[2]), velocities=(still[0], still[1], still[2]))
