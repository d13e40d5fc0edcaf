"""Fields: quantities of a soft body over its surface, which colour it: strain, stress and contraction.

F = D_s D_m^-1 of each cell, of the edges from its first corner (tetrahedra, edges) or of the mean edges along its axes
(squares, hexahedra), C = F^T F and Green's strain E = (C - 1) / 2. The strain that is shown is sqrt(2/3) |E|: of a
stretch by e that keeps the volume about e. The stress is von Mises' of the linear law, 2 mu sqrt(3/2) |dev E|, with mu
of the cell. Contraction is how much shorter a segment of a spline is than at rest, over the points it acts on.

Cells hand their numbers to their points by volume, points to the surface by the weights that carry it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.model.snapshot import SurfaceField
from engine.runtime.bounded import Bounded
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.soft.embedding import Weights
from engine.soft.members import SoftMember
from engine.soft.mesh import CORNERS, UNIT
from engine.soft.virtual_springs import VirtualSprings

STRAIN_END = 0.3
STRESS_END = 0.3  # of Young's modulus
CONTRACTION_END = 0.5
_WIDTHS = {"edges": 1, "squares": 2, "tetrahedra": 3, "hexahedra": 3}
_SPRING = 0.25  # Poisson's ratio of a lattice of springs
_SEEN = 0.05  # of the largest weight of a spline: points with less are not coloured by it


def surface_fields(member: SoftMember, points: Array) -> tuple[SurfaceField, ...]:
    """Measure the quantities of a body whose points are somewhere [m], over its surface."""
    return tuple(_fields(member, np.ascontiguousarray(points)))


def _fields(member: SoftMember, points: Array) -> Iterator[SurfaceField]:
    body, cells = member.body, _cells_of(member)
    found = member.carrying.carried(cells.measured(points))
    poisson = _SPRING if body.material == "springs" else body.poisson
    found[:, 1] *= 1.5**0.5 * body.young / (1.0 + poisson)
    yield _field("strain", "Strain", "%", found[:, 0], 0.0, STRAIN_END)
    yield _field("stress", "Stress, von Mises", "Pa", found[:, 1], 0.0, STRESS_END * body.young)
    if member.splines:
        values = member.carrying.carried(_contracted(member.springs, points))
        end = CONTRACTION_END
        yield _field("contraction", "Contraction of splines", "%", values[:, 0], -end, end, parts=True)


def _field(
    name: str, label: str, unit: str, values: Array, low: float, high: float, *, parts: bool = False
) -> SurfaceField:
    rows = values.astype(np.float32)
    return SurfaceField(name=name, label=label, unit=unit, values=rows, low=low, high=high, parts=parts)


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cells of a body at rest, as far as fields need them."""

    member: SoftMember

    @cached_property
    def _sides(self) -> Array:
        """Which sums of its corners are the edges of a cell, shape [width, corner_count]."""
        shape = self.member.mesh.shape
        corners, width = CORNERS[shape], _WIDTHS[shape]
        if shape in ("squares", "hexahedra"):
            return np.ascontiguousarray((2.0 * UNIT[:corners, :width].T - 1.0) / (corners / 2))
        return np.concatenate((-np.ones((width, 1)), np.eye(corners - 1)[:width]), axis=1)

    @cached_property
    def _rest(self) -> Array:
        """The inverse of the edges at rest, shape [cell_count, width, width]."""
        mesh, width = self.member.mesh, len(self._sides)
        edges = np.einsum("wc,nci->niw", self._sides, mesh.points[mesh.cells])
        if width == 1:
            return np.asarray(1.0 / np.maximum(np.linalg.norm(edges, axis=1, keepdims=True), 1e-12))
        return np.ascontiguousarray(np.linalg.inv(edges[:, :width]))  # of squares in the plane of the body

    @cached_property
    def _shares(self) -> Array:
        """How much of its numbers each cell hands to its points: by volume, so that they get means."""
        mesh = self.member.mesh
        sizes = 1.0 / np.maximum(np.abs(np.linalg.det(self._rest)), 1e-300)
        totals = np.bincount(mesh.cells.ravel(), np.repeat(sizes, mesh.cells.shape[1]), len(mesh.points))
        return np.asarray(sizes[:, None] / totals[mesh.cells])

    def measured(self, points: Array) -> Array:
        """Strain and |dev E| times the cells' factors, at the points, shape [point_count, 2]."""
        mesh, found = self.member.mesh, np.zeros((len(points), 2))
        measure_cells(points, mesh.cells, self._sides, self._rest, self._shares, mesh.factors, found)
        return found


_CELLS: Bounded[tuple[str, ...], _Cells] = Bounded(8)


def _cells_of(member: SoftMember) -> _Cells:
    body = member.body
    factors = "" if body.factors is None else body.factors.digest
    return _CELLS.find((body.points.digest, body.cells.digest, factors), lambda: _Cells(member))


def _contracted(springs: VirtualSprings, points: Array) -> Array:
    """Spread the contraction of segments over the points that they act on (0 elsewhere), shape [point_count, 1]."""
    rows, segments = springs.weights, springs.segments
    shorter = np.repeat(1.0 - springs.contractions(points), 2)
    times = np.bincount(segments.ravel(), minlength=rows.row_count)
    at_ends = np.bincount(segments.ravel(), shorter, rows.row_count) / np.maximum(times, 1)
    values = np.abs(rows.values)
    held = Weights(rows.starts, rows.points, values / max(float(values.max(initial=0.0)), 1e-12))
    sums = held.spread(np.stack((at_ends, np.ones(rows.row_count)), axis=1), len(points))
    return np.asarray(sums[:, :1] / np.maximum(sums[:, 1:], _SEEN))


@kernel
def measure_cells(
    points: Array, cells: IntArray, sides: Array, rest: Array, shares: Array, factors: Array, out_points: Array
) -> None:
    """Add the strain of each cell and |dev E| times its factor to its points."""
    width, corners = sides.shape
    edges, stretched = np.zeros((3, 3)), np.zeros((3, 3))
    for cell in range(cells.shape[0]):
        for axis in range(3):
            for way in range(width):
                edges[axis, way] = 0.0
                for corner in range(corners):
                    edges[axis, way] += sides[way, corner] * points[cells[cell, corner], axis]
            for way in range(width):
                stretched[axis, way] = 0.0
                for other in range(width):
                    stretched[axis, way] += edges[axis, other] * rest[cell, other, way]
        squares, trace = 0.0, 0.0
        for way in range(width):
            for other in range(width):
                product = -1.0 if way == other else 0.0
                for axis in range(3):
                    product += stretched[axis, way] * stretched[axis, other]
                squares += 0.25 * product * product
                trace += 0.5 * product if way == other else 0.0
        shear = factors[cell] * np.sqrt(max(squares - trace * trace / 3.0, 0.0))
        strain = np.sqrt(squares * 2.0 / 3.0)
        for corner in range(corners):
            out_points[cells[cell, corner], 0] += shares[cell, corner] * strain
            out_points[cells[cell, corner], 1] += shares[cell, corner] * shear
