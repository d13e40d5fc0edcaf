"""Closed moving surfaces in a tank, and signed distances to them at the corners of its cells.

A vertex is moved by frames: the joints of a figure, a rigid prop, the rigid motion of a soft body. `frames` numbers up
to a few of them for each vertex, `shares` says how much of it each moves (a skin's weights); -1 is nobody, as for what
is keyed. The velocity of a vertex is given beside, so that surfaces may change their shape, too.

A surface is closed when each edge is passed as often one way as the other: then integrals over it are those over what
it encloses, whether or not it touches or crosses itself. Distances are exact near it (Ericson, Real-Time Collision
Detection, 5.1.5) and `far` elsewhere, inside is where it winds around; of several surfaces the least distance counts,
so that the capsules of a figure are one body where they overlap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.limits.triangles import squared_distance
from engine.limits.winding import BESIDE, count_piercings
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import EngineError, InvalidArguments
from engine.runtime.jit import kernel
from engine.water.grid import Grid

FAR = 2.0  # cells: greatest distance that is told
MOST_TRIANGLES = 200_000
_STRETCHED = 100.0  # times along z, in a planar grid: the ends of a prism count for nothing
_NEAR, _NEARER = 1.75, 1.05  # cells to which distances are exact: of surfaces that bend, of rigid ones


class UnsoundSolid(EngineError):
    """A body that cannot stand in water: what was found, and what the person can do."""

    def __init__(self, *, name: str, found: str, remedy: str) -> None:
        super().__init__(f"{name} cannot be put into water: {found}. {remedy}")
        self.name, self.found, self.remedy = name, found, remedy


@dataclass(frozen=True, kw_only=True, eq=False)
class ClosedMesh:
    """The triangles of a surface, anticlockwise from outside, and what moves its vertices; refuses what is open."""

    name: str
    triangles: IntArray  # shape [triangle_count, 3]
    frames: IntArray  # of each vertex, -1 where there is none, shape [vertex_count, most]
    shares: Array  # that add up to 1, same shape

    def __post_init__(self) -> None:
        faces, count = self.triangles, len(self.frames)
        if faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
            raise UnsoundSolid(name=self.name, found="it has no triangles", remedy="Choose a body that has a surface.")
        if len(faces) > MOST_TRIANGLES:
            remedy = f"Reduce it to {MOST_TRIANGLES:,} or fewer."
            raise UnsoundSolid(name=self.name, found=f"it has {len(faces):,} triangles", remedy=remedy)
        if faces.min() < 0 or faces.max() >= count:
            found = f"a triangle asks for a vertex that is none of its {count:,}"
            raise UnsoundSolid(name=self.name, found=found, remedy="Vertices are counted from 0.")
        ends = np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]])).astype(np.int64)
        one, two = ends.min(axis=1), ends.max(axis=1)
        _, edge = np.unique(one * count + two, return_inverse=True)
        ways = np.bincount(edge.ravel(), weights=np.sign(ends[:, 1] - ends[:, 0]))
        alone = np.count_nonzero(ways)
        if alone:
            found = f"its surface is open, or some faces are turned over, along {alone:,} edges"
            remedy = "Close its holes and let all faces look outwards."
            raise UnsoundSolid(name=self.name, found=found, remedy=remedy)

    @cached_property
    def rigid(self) -> int | None:
        """The frame that moves all of it; None if several do, or nobody."""
        first = int(self.frames[0, 0])
        whole = self.frames.shape[1] == 1 and bool((self.frames == first).all()) and first >= 0
        return first if whole else None


def rigid_mesh(name: str, triangles: IntArray, vertex_count: int, frame: int) -> ClosedMesh:
    """A surface that one frame moves; -1 for nobody."""
    faces = np.ascontiguousarray(triangles, dtype=np.int32)
    frames = np.full((vertex_count, 1), frame, dtype=np.int32)
    return ClosedMesh(name=name, triangles=faces, frames=frames, shares=np.ones((vertex_count, 1)))


@dataclass(frozen=True, kw_only=True, eq=False)
class MovingMesh:
    """Where the vertices of a surface are [m] and how fast they move [m/s], shape [vertex_count, 3]."""

    mesh: ClosedMesh
    points: Array
    velocities: Array

    def check(self, grid: Grid) -> None:
        """Refuse what is no number, inside out, or larger than the tank."""
        name, shape = self.mesh.name, (len(self.mesh.frames), 3)
        if self.points.shape != shape or self.velocities.shape != shape:
            given = self.points.shape, self.velocities.shape
            raise InvalidArguments(what=f"places and speeds of {name}", value=given, allowed=f"shape {shape}")
        if not (np.isfinite(self.points).all() and np.isfinite(self.velocities).all()):
            remedy = "Begin the simulation anew from a sound pose."
            raise UnsoundSolid(name=name, found="a vertex of it is nowhere", remedy=remedy)
        size = np.ptp(self.points, axis=0)
        room = np.array(grid.size)
        if grid.planar:
            room[2] = math.inf
        if (size > room).any():
            axis = int(np.argmax(size / room))
            found = f"it is {size[axis]:.3g} m along {'xyz'[axis]}, more than the tank's {room[axis]:.3g} m"
            raise UnsoundSolid(name=name, found=found, remedy="Make the tank larger or the body smaller.")
        if self.volume <= 0.0:
            found = f"it is inside out (a volume of {self.volume:.3g} m3)"
            raise UnsoundSolid(name=name, found=found, remedy="Turn its faces outwards.")

    @cached_property
    def corners(self) -> Array:
        """Corners of the triangles, shape [triangle_count, 9]."""
        return np.ascontiguousarray(self.points[self.mesh.triangles]).reshape(-1, 9)

    @cached_property
    def volume(self) -> float:
        """Volume that it encloses [m3]."""
        a, b, c = (self.corners[:, 3 * each : 3 * each + 3] - self.points[0] for each in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Distances:
    """Signed distances at the corners of cells [m], shape [nx + 1, ny + 1, nz + 1]; of a planar grid in its middle,
    shape [nx + 1, ny + 1, 1]."""

    values: Array
    surface: IntArray  # number of the surface that is nearest, -1 far from all
    triangle: IntArray  # number in it of the nearest triangle, -1 far from it
    box: tuple[slice, slice, slice]  # outside of which all is far


def sub_steps(solids: Sequence[MovingMesh], grid: Grid, dt: float) -> int:
    """How many steps it takes that nothing moves by more than a cell in one."""
    fastest = max((float(np.abs(each.velocities).max()) for each in solids), default=0.0)
    return max(1, math.ceil(fastest * dt / grid.spacing))


def measure_solids(grid: Grid, solids: Sequence[MovingMesh]) -> Distances:
    """Measure distances to some surfaces, each of which is sound (`check`)."""
    shape = np.array((grid.cells[0] + 1, grid.cells[1] + 1, 1 if grid.planar else grid.cells[2] + 1))
    origin = np.array(grid.origin)
    origin[2] += 0.5 * grid.spacing if grid.planar else 0.0
    far = FAR * grid.spacing
    values = np.full(shape, far)
    surface, triangle = np.full(shape, -1, dtype=np.int32), np.full(shape, -1, dtype=np.int32)
    first, last = shape.copy(), np.zeros(3, dtype=np.int64)
    for number, each in enumerate(solids):
        reach = (_NEAR if each.mesh.rigid is None else _NEARER) * grid.spacing
        low = np.maximum(np.floor((each.points.min(axis=0) - reach - origin) / grid.spacing), 0).astype(np.int64)
        high = np.minimum(np.ceil((each.points.max(axis=0) + reach - origin) / grid.spacing) + 1, shape)
        high = high.astype(np.int64)
        if (low >= high).any():
            continue
        points = each.points * (1.0, 1.0, _STRETCHED) - (0.0, 0.0, (_STRETCHED - 1.0) * origin[2])
        points = np.ascontiguousarray(points if grid.planar else each.points)
        squares, nearest = np.full(high - low, far * far), np.full(high - low, -1, dtype=np.int32)
        turns, corner = np.zeros(high - low, dtype=np.int32), origin + low * grid.spacing
        corners = points[each.mesh.triangles].reshape(-1, 9)
        search_triangles(corners, corner, grid.spacing, reach, squares, nearest)
        count_piercings(points, each.mesh.triangles, corner + BESIDE * grid.spacing, np.full(3, grid.spacing), turns)
        found = np.sqrt(squares)
        found[np.cumsum(turns, axis=-1) > 0] *= -1.0
        box = slice(low[0], high[0]), slice(low[1], high[1]), slice(low[2], high[2])
        closer = found < values[box]
        values[box][closer], surface[box][closer], triangle[box][closer] = found[closer], number, nearest[closer]
        first, last = np.minimum(first, low), np.maximum(last, high)
    whole = slice(first[0], last[0]), slice(first[1], last[1]), slice(first[2], last[2])
    return Distances(values=values, surface=surface, triangle=triangle, box=whole)


@kernel
def search_triangles(
    corners: Array, origin: Array, spacing: float, reach: float, out_squares: Array, out_nearest: IntArray
) -> None:
    """Lower squared distances of nodes within reach of each triangle's box to those of the triangle."""
    counts = out_squares.shape
    first, last = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int64)
    for triangle in range(corners.shape[0]):
        for axis in range(3):
            a, b, c = corners[triangle, axis], corners[triangle, 3 + axis], corners[triangle, 6 + axis]
            first[axis] = max(0, math.ceil((min(a, b, c) - reach - origin[axis]) / spacing))
            last[axis] = min(counts[axis] - 1, math.floor((max(a, b, c) + reach - origin[axis]) / spacing))
        for i in range(first[0], last[0] + 1):
            x = origin[0] + i * spacing
            for j in range(first[1], last[1] + 1):
                y = origin[1] + j * spacing
                for k in range(first[2], last[2] + 1):
                    square = squared_distance(corners, triangle, x, y, origin[2] + k * spacing)
                    if square < out_squares[i, j, k]:
                        out_squares[i, j, k] = square
                        out_nearest[i, j, k] = triangle
