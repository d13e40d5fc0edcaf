"""Bodies of simple shapes: grids of squares and cubes, and boxes and cylinders of tetrahedra.

Mass-spring systems take their springs from the edges of a grid: structural ones along the sides of its cells, and the
diagonals of their faces and of the cells themselves, which give it shear stiffness (Terzopoulos 1987; Engell-Norregard
2012, 20.2).

A cube is split into five tetrahedra, mirrored from cube to cube so that the diagonals of shared faces agree and no
direction is preferred; a prism into three, whose diagonals go from the lower number below to the higher one above.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.document.values import Vector3
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft.mesh import MOST_CELLS, UNIT, VolumeMesh, volume_mesh

_FIVE = ((0, 1, 3, 4), (2, 3, 1, 6), (5, 4, 6, 1), (7, 6, 4, 3), (1, 3, 4, 6))
_FIVE_MIRRORED = ((1, 2, 0, 5), (3, 0, 2, 7), (4, 7, 5, 0), (6, 5, 7, 2), (0, 2, 7, 5))


@dataclass(frozen=True, eq=False)
class Meshed:
    """A mesh that was made of something else, and what a person should know of how."""

    mesh: VolumeMesh
    notes: tuple[str, ...] = ()
    places: IntArray | None = None  # of its cells in a lattice: which one along each axis, shape [cell_count, 3]


def square_grid(
    counts: tuple[int, int], spacing: float, *, lower: Vector3 = (0.0, 0.0, 0.0), kept: BoolArray | None = None
) -> VolumeMesh:
    """Make a planar grid of squares, or of those that are `kept`, shape as `counts`."""
    _check((*counts, 1), spacing, kept, counts)
    return _grid((*counts, 1), spacing, lower, kept, flat=True).mesh


def cube_grid(
    counts: tuple[int, int, int], spacing: float, *, lower: Vector3 = (0.0, 0.0, 0.0), kept: BoolArray | None = None
) -> Meshed:
    """Make a grid of cubes, or of those that are `kept`, shape as `counts`."""
    _check(counts, spacing, kept, counts)
    return _grid(counts, spacing, lower, kept, flat=False)


def box(size: Vector3, counts: tuple[int, int, int]) -> VolumeMesh:
    """Make a box of tetrahedra about the origin, five in each of so many bricks along its axes."""
    _check_lengths("the size of a box", size)
    _check(counts, 1.0, None, counts)
    made = split_cubes(_grid(counts, 1.0, (0.0, 0.0, 0.0), None, flat=False))
    points = (made.points / np.array(counts) - 0.5) * np.array(size)
    return volume_mesh(points, made.cells, "tetrahedra", name="the box")


def cylinder(radius: float, length: float, *, rings: int, layers: int, axis: int = 2) -> VolumeMesh:
    """Make a cylinder of 18 rings^2 layers tetrahedra about the origin, lying along an axis."""
    _check_lengths("radius and length of a cylinder", (radius, length))
    if axis not in (0, 1, 2):
        raise InvalidArguments(what="the axis of a cylinder", value=axis, allowed="0, 1 or 2")
    if rings < 1 or layers < 1 or 18 * rings * rings * layers > MOST_CELLS:
        allowed = f"one and more, of at most {MOST_CELLS:,} tetrahedra"
        raise InvalidArguments(what="rings and layers of a cylinder", value=(rings, layers), allowed=allowed)
    flat, triangles = _disk(rings)
    count = len(flat)
    heights = np.repeat((np.arange(layers + 1) / layers - 0.5) * length, count)
    around = np.tile(flat * radius, (layers + 1, 1))
    points = np.roll(np.column_stack((around, heights)), axis + 1, axis=1)
    cells = np.concatenate([_split_prisms(triangles + level * count, count) for level in range(layers)])
    return volume_mesh(points, _turned(points, cells), "tetrahedra", name="the cylinder")


def split_cubes(made: Meshed) -> VolumeMesh:
    """Split the cubes of a lattice into five tetrahedra each, with the factors of their cubes."""
    if made.mesh.shape != "hexahedra" or made.places is None:
        raise InvalidArguments(what="a mesh to split", value=made.mesh.shape, allowed="cubes of a lattice")
    odd = made.places.sum(axis=1) % 2 == 1
    cells = np.where(odd[:, None, None], made.mesh.cells[:, _FIVE_MIRRORED], made.mesh.cells[:, _FIVE])
    factors = np.repeat(made.mesh.factors, 5)
    return volume_mesh(made.mesh.points, cells.reshape(-1, 4), "tetrahedra", factors=factors, name="the lattice")


def lattice_mesh(kept: BoolArray, spacing: float, lower: Vector3) -> Meshed:
    """Make a mesh of the cubes of a lattice that are kept."""
    _check((kept.shape[0], kept.shape[1], kept.shape[2]), spacing, kept, kept.shape)
    return _grid((kept.shape[0], kept.shape[1], kept.shape[2]), spacing, lower, kept, flat=False)


def _grid(
    counts: tuple[int, int, int], spacing: float, lower: Vector3, kept: BoolArray | None, *, flat: bool
) -> Meshed:
    corners = UNIT[: 4 if flat else 8].astype(np.int64)
    chosen = np.ones(counts, dtype=np.bool_) if kept is None else kept.reshape(counts)
    places = np.argwhere(chosen)
    nodes = (counts[0] + 1, counts[1] + 1)
    at = places[:, None] + corners
    numbers = (at[..., 2] * nodes[1] + at[..., 1]) * nodes[0] + at[..., 0]
    used, cells = np.unique(numbers, return_inverse=True)
    points = np.column_stack((used % nodes[0], used // nodes[0] % nodes[1], used // (nodes[0] * nodes[1])))
    placed = points * spacing + np.array(lower)
    mesh = volume_mesh(placed, cells.reshape(numbers.shape), "squares" if flat else "hexahedra", name="the grid")
    return Meshed(mesh, places=places.astype(np.int32))


def _disk(rings: int) -> tuple[Array, IntArray]:
    """Points of rings of 6, 12, 18... about one in the middle of the unit disk, and 6 rings^2 triangles."""
    points, triangles = [(0.0, 0.0)], []
    starts = [0, *(1 + 3 * ring * (ring - 1) for ring in range(1, rings + 1))]
    for ring in range(1, rings + 1):
        angles = [math.tau * each / (6 * ring) for each in range(6 * ring)]
        points += [(ring / rings * math.cos(angle), ring / rings * math.sin(angle)) for angle in angles]
        for sector in range(6):
            for each in range(ring):
                out = sector * ring + each
                inner = sector * (ring - 1) + each
                a, b = starts[ring] + out, starts[ring] + (out + 1) % (6 * ring)
                c = starts[ring - 1] + inner % max(6 * (ring - 1), 1)
                triangles.append((a, b, c))
                if each < ring - 1:
                    triangles.append((b, starts[ring - 1] + (inner + 1) % (6 * (ring - 1)), c))
    return np.array(points), np.array(triangles, dtype=np.int32)


def _split_prisms(triangles: IntArray, above: int) -> IntArray:
    low = np.sort(triangles, axis=1)
    a, b, c = low.T
    up_a, up_b, up_c = (low + above).T
    pieces = ((a, b, c, up_c), (a, b, up_b, up_c), (a, up_a, up_b, up_c))
    return np.stack([np.stack(piece, axis=1) for piece in pieces], axis=1).reshape(-1, 4)


def _turned(points: Array, cells: IntArray) -> IntArray:
    """Give tetrahedra the order of corners in which their volumes are above zero."""
    sides = points[cells[:, 1:]] - points[cells[:, :1]]
    inside_out = np.linalg.det(sides) < 0.0
    found = cells.copy()
    found[inside_out, 0], found[inside_out, 1] = cells[inside_out, 1], cells[inside_out, 0]
    return found


def _check_lengths(what: str, lengths: Sequence[float]) -> None:
    if not all(math.isfinite(each) and each > 0.0 for each in lengths):
        raise InvalidArguments(what=what, value=tuple(lengths), allowed="lengths above zero")


def _check(counts: tuple[int, int, int], spacing: float, kept: BoolArray | None, shape: tuple[int, ...]) -> None:
    if min(counts) < 1 or math.prod(counts) > 64 * MOST_CELLS or (kept is None and math.prod(counts) > MOST_CELLS):
        raise InvalidArguments(what="the counts of a grid", value=counts, allowed=f"one and more, {MOST_CELLS:,} cells")
    if not (math.isfinite(spacing) and spacing > 0.0):
        raise InvalidArguments(what="the spacing of a grid", value=spacing, allowed="a length above zero")
    if kept is not None and (kept.shape != shape or not kept.any()):
        raise InvalidArguments(what="the cells that are kept", value=kept.shape, allowed=f"some of {shape}")
