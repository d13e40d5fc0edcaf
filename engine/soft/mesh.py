"""A volume mesh: the points and cells that a soft body consists of, checked once, before anything is computed on it.

Cells have their corners in one order a shape. Edges: two ends. Squares: anticlockwise about +z, in the plane z = 0.
Tetrahedra: the first three anticlockwise seen from the last, so that (b - a) x (c - a) . (d - a) is above zero.
Hexahedra: a ring, anticlockwise seen from inside the cell, then the ring opposite, corner above corner: (0,0,0)
(1,0,0) (1,1,0) (0,1,0) (0,0,1) (1,0,1) (1,1,1) (0,1,1) in the cell's own coordinates, as in VTK's files.

Volumes [m3] are areas [m2] where a mesh is planar, and lengths [m] where its cells are edges; a density is per volume.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import EngineError, InvalidArguments, shown
from engine.runtime.quick_dataclass import dataclass

Shape = Literal["edges", "squares", "tetrahedra", "hexahedra"]

CORNERS: dict[str, int] = {"edges": 2, "squares": 4, "tetrahedra": 4, "hexahedra": 8}
MOST_POINTS = 400_000
MOST_CELLS = 1_000_000
FLATTEST = 1e-6  # volume of a cell beside the power of its longest edge
LARGEST = 1e6  # [m]

UNIT = np.array(
    [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], dtype=np.float64
)
"""Corners of a hexahedron in its own coordinates; the first four are a square's."""

_SIDES: dict[str, tuple[tuple[int, int], ...]] = {
    "edges": ((0, 1),),
    "squares": tuple((i, j) for i in range(4) for j in range(i + 1, 4)),
    "tetrahedra": tuple((i, j) for i in range(4) for j in range(i + 1, 4)),
    "hexahedra": tuple((i, j) for i in range(8) for j in range(i + 1, 8)),
}
FACES: dict[str, tuple[tuple[int, ...], ...]] = {
    "edges": ((0, 1),),
    "squares": ((0, 1), (1, 2), (2, 3), (3, 0)),
    "tetrahedra": ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),
    "hexahedra": ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
}
"""Corners of each side of a cell, anticlockwise from outside."""


class UnsoundBody(EngineError):
    """A mesh that no soft body can be made of: what was found, and what the person can do."""

    def __init__(self, *, name: str, found: str, remedy: str) -> None:
        super().__init__(f"{name} cannot be a soft body: {found}. {remedy}")
        self.name, self.found, self.remedy = name, found, remedy


@dataclass(frozen=True, eq=False)
class VolumeMesh:
    """Points and cells of a soft body at rest, sound in every respect that solvers rely on; made by `volume_mesh`."""

    points: Array  # [m], shape [point_count, 3]
    cells: IntArray  # shape [cell_count, 2, 4 or 8]
    shape: Shape
    edges: IntArray  # sides and diagonals of all cells, each once, shape [edge_count, 2]
    factors: Array  # of the stiffness, one for each cell
    planar: bool  # it lives in the plane z = 0

    @cached_property
    def volumes(self) -> Array:
        """Volume of each cell."""
        return cell_volumes(self.points, self.cells, self.shape)

    @cached_property
    def point_volumes(self) -> Array:
        """Volume that each point stands for: the integral of its weight over the cells around it."""
        shares = _corner_volumes(self.points, self.cells, self.shape)
        return np.asarray(np.bincount(self.cells.ravel(), weights=shares.ravel(), minlength=len(self.points)), float)

    def masses(self, density: float) -> Array:
        """Lumped mass [kg] of each point."""
        if not (np.isfinite(density) and density > 0.0):
            raise InvalidArguments(what="the density of a soft body", value=density, allowed="a number above zero")
        return self.point_volumes * float(density)

    def with_factors(self, factors: Array) -> VolumeMesh:
        """Give each cell a factor of its stiffness."""
        given = np.ascontiguousarray(factors, dtype=np.float64)
        if given.shape != (len(self.cells),) or not (np.isfinite(given).all() and (given > 0.0).all()):
            allowed = f"{len(self.cells)} numbers above zero, one for each cell"
            raise InvalidArguments(what="the factors of stiffness", value=factors, allowed=allowed)
        return replace(self, factors=given)


def volume_mesh(
    points: Array,
    cells: NDArray[np.integer],
    shape: Shape,
    *,
    factors: Array | None = None,
    planar: bool = False,
    name: str = "the mesh",
) -> VolumeMesh:
    """Check points and cells and put them together; whatever is unsound is refused with where it is. Squares are
    always planar, edges where that is said."""
    if shape not in CORNERS:
        raise InvalidArguments(what="the shape of cells", value=shape, allowed=", ".join(CORNERS))
    points = np.ascontiguousarray(points, dtype=np.float64)
    _check_points(points, name)
    _check_cells(points, np.asarray(cells), shape, planar, name)
    listed = np.ascontiguousarray(cells, dtype=np.int32)
    _check_volumes(points, listed, shape, name)
    unused = np.flatnonzero(np.bincount(listed.ravel(), minlength=len(points)) == 0)
    if len(unused):
        found = f"point {unused[0]} belongs to no cell" + (f", and {len(unused) - 1} more" if len(unused) > 1 else "")
        raise UnsoundBody(name=name, found=found, remedy="Take points away that have no mass.")
    flat = shape == "squares" or (planar and shape == "edges")
    mesh = VolumeMesh(points, listed, shape, edges_of(listed, shape), np.ones(len(listed)), flat)
    return mesh if factors is None else mesh.with_factors(factors)


def edges_of(cells: IntArray, shape: Shape) -> IntArray:
    """List sides and diagonals of cells, each once, the lower point first."""
    pairs = np.concatenate([cells[:, list(side)] for side in _SIDES[shape]])
    size = np.int64(pairs.max()) + 1
    keys = np.unique(pairs.min(axis=1) * size + pairs.max(axis=1))
    return np.ascontiguousarray(np.column_stack((keys // size, keys % size)), dtype=np.int32)


def cell_volumes(points: Array, cells: IntArray, shape: Shape) -> Array:
    """Compute the signed volume of each cell."""
    return np.asarray(_corner_volumes(points, cells, shape).sum(axis=1))


def without_unused(points: Array, cells: IntArray) -> tuple[Array, IntArray]:
    """Leave points out that no cell has, and number the others anew."""
    used, at = np.unique(cells, return_inverse=True)
    return np.ascontiguousarray(points[used]), np.ascontiguousarray(at.reshape(cells.shape), dtype=np.int32)


def _corner_volumes(points: Array, cells: IntArray, shape: Shape) -> Array:
    """Integrate the weight of each corner over its cell, shape [cell_count, corner_count]."""
    corners = points[cells]
    if shape == "edges":
        return np.repeat(0.5 * np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)[:, None], 2, axis=1)
    if shape == "tetrahedra":
        sides = corners[:, 1:] - corners[:, :1]
        return np.repeat(np.linalg.det(sides)[:, None] / 24.0, 4, axis=1)
    flat = shape == "squares"
    ways = 2 if flat else 3
    corners, unit = corners[:, :, :ways], UNIT[: CORNERS[shape], :ways]
    found = np.zeros(cells.shape)
    for place in 0.5 + (unit - 0.5) / np.sqrt(3.0):  # Gauss's points
        parts = np.where(unit == 1.0, place, 1.0 - place)
        slopes = np.stack([np.prod(np.delete(parts, way, 1), 1) * (2.0 * unit[:, way] - 1.0) for way in range(ways)], 1)
        dets = np.linalg.det(np.einsum("mkx,kw->mxw", corners, slopes)) / len(unit)
        found += dets[:, None] * np.prod(parts, axis=1)
    return found


def _check_points(points: Array, name: str) -> None:
    if points.ndim != 2 or points.shape[1] != 3 or not len(points):
        raise UnsoundBody(name=name, found="it has no points of three coordinates", remedy="Give it some.")
    if len(points) > MOST_POINTS:
        found = f"it has {len(points):,} points"
        raise UnsoundBody(name=name, found=found, remedy=f"Use {MOST_POINTS:,} or fewer: make its cells larger.")
    bad = np.flatnonzero(~(np.abs(points) <= LARGEST).all(axis=1))
    if len(bad):
        found = f"point {bad[0]} is at {points[bad[0]].tolist()}"
        raise UnsoundBody(name=name, found=found, remedy=f"Coordinates are finite, and at most {LARGEST:.0e} m.")


def _check_cells(points: Array, cells: NDArray[np.integer], shape: Shape, planar: bool, name: str) -> None:
    wanted = CORNERS[shape]
    if cells.ndim != 2 or cells.shape[1] != wanted or not len(cells) or cells.dtype.kind not in "iu":
        found = f"its cells are {shown(cells.shape)} of {cells.dtype}"
        raise UnsoundBody(name=name, found=found, remedy=f"Give it {shape} of {wanted} whole numbers each.")
    if len(cells) > MOST_CELLS:
        found = f"it has {len(cells):,} cells"
        raise UnsoundBody(name=name, found=found, remedy=f"Use {MOST_CELLS:,} or fewer: make its cells larger.")
    bad = np.flatnonzero(((cells < 0) | (cells >= len(points))).any(axis=1))
    if len(bad):
        found = f"cell {bad[0]} asks for points {cells[bad[0]].tolist()} of {len(points)}"
        raise UnsoundBody(name=name, found=found, remedy="Points are counted from 0.")
    ordered = np.sort(cells, axis=1)
    bad = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if len(bad):
        found = f"cell {bad[0]} names a point twice: {cells[bad[0]].tolist()}"
        raise UnsoundBody(name=name, found=found, remedy="Corners of a cell are different points.")
    if (planar or shape == "squares") and points[:, 2].any():
        found = f"it is planar, but point {int(np.flatnonzero(points[:, 2])[0])} does not lie at z = 0"
        raise UnsoundBody(name=name, found=found, remedy="A planar body, or one of squares, lies at z = 0.")


def _check_volumes(points: Array, cells: IntArray, shape: Shape, name: str) -> None:
    corners = points[cells]
    longest = np.max([np.sum((corners[:, i] - corners[:, j]) ** 2, axis=1) for i, j in _SIDES[shape]], axis=0)
    power = {"edges": 0.5, "squares": 1.0}.get(shape, 1.5)
    least = _least_volumes(corners, shape)
    for bad, what, remedy in (
        (np.flatnonzero(least < -FLATTEST * longest**power), "inside out", "Turn the order of its corners."),
        (np.flatnonzero(~(least > FLATTEST * longest**power)), "flat", "Mesh it again without slivers."),
    ):
        if len(bad):
            middle = ", ".join(f"{each:.4g}" for each in corners[bad[0]].mean(axis=0))
            found = f"cell {bad[0]} at ({middle}) m is {what}"
            found += f", and {len(bad) - 1:,} more" if len(bad) > 1 else ""
            raise UnsoundBody(name=name, found=found, remedy=remedy)


def _least_volumes(corners: Array, shape: Shape) -> Array:
    """Compute the least of the volumes that the sides at a corner span, over the corners of each cell."""
    if shape == "edges":
        return np.asarray(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1))
    if shape == "tetrahedra":
        return np.asarray(np.linalg.det(corners[:, 1:] - corners[:, :1]))
    if shape == "squares":
        ahead, behind = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
        return np.asarray((ahead[..., 0] * behind[..., 1] - ahead[..., 1] * behind[..., 0]).min(axis=1))
    dets = []
    for corner in range(8):
        ring, base = corner // 4 * 4, corner % 4
        others = np.array([ring + (base + 1) % 4, ring + (base + 3) % 4, (corner + 4) % 8])
        sides = corners[:, others] - corners[:, corner, None]
        dets.append(np.linalg.det(sides) * (1.0 if ring == 0 else -1.0))
    return np.asarray(np.min(dets, axis=0))
