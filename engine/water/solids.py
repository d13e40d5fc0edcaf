"""Closed moving surfaces in a tank.

A vertex is moved by frames: the joints of a figure, a rigid prop, the rigid motion of a soft body. `frames` numbers up
to a few of them for each vertex, `shares` says how much of it each moves (a skin's weights); -1 is nobody, as for what
is keyed. The velocity of a vertex is given beside, so that surfaces may change their shape, too.

A surface is closed when each edge is passed as often one way as the other: then integrals over it are those over what
it encloses, whether or not it touches or crosses itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid

MOST_TRIANGLES = 200_000


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
    bends: bool = False  # its shape changes, though one frame moves all of it

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
        """The frame that moves all of it, with no change of its shape; None if several do, or nobody."""
        first = int(self.frames[0, 0])
        whole = not self.bends and self.frames.shape[1] == 1 and bool((self.frames == first).all()) and first >= 0
        return first if whole else None


def rigid_mesh(name: str, triangles: IntArray, vertex_count: int, frame: int, *, bends: bool = False) -> ClosedMesh:
    """A surface that one frame moves; -1 for nobody."""
    faces = np.ascontiguousarray(triangles, dtype=np.int32)
    frames = np.full((vertex_count, 1), frame, dtype=np.int32)
    return ClosedMesh(name=name, triangles=faces, frames=frames, shares=np.ones((vertex_count, 1)), bends=bends)


@dataclass(frozen=True, kw_only=True, eq=False)
class MovingMesh:
    """Where the vertices of a surface are [m] and how fast they move [m/s], shape [vertex_count, 3]."""

    mesh: ClosedMesh
    points: Array
    velocities: Array


def sub_steps(solids: Sequence[MovingMesh], grid: WaterGrid, dt: float) -> int:
    """How many steps it takes that nothing moves by more than a cell in one."""
    fastest = max((float(np.abs(each.velocities).max()) for each in solids), default=0.0)
    return max(1, math.ceil(fastest * dt / grid.spacing))
