"""All surfaces in the water in one: vertices and triangles numbered through, so that a step goes through them at once.

Within a step rigid surfaces turn about the origins of their frames, others go along straight lines. What the water does
changes the speeds of frames, and those of vertices with them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakSet

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import exponential, matrices
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid
from engine.water.solids import ClosedMesh, MovingMesh, UnsoundSolid


@dataclass(frozen=True, kw_only=True, eq=False)
class RigidFrames:
    """How surfaces move: origins [m], shape [count, 3]; velocities of these and turning [m/s, rad/s], [count, 6]."""

    origins: Array
    velocities: Array

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.origins)


_SOUND: WeakSet[ClosedMesh] = WeakSet()  # rigid ones that were found to look outwards


class Surfaces(NamedTuple):
    """Where vertices are [m] and how fast they move [m/s], shape [vertex_count, 3]; what does not change beside."""

    points: Array
    velocities: Array
    triangles: IntArray
    first: IntArray  # triangle of each surface, and the end
    vertices: IntArray  # the first vertex of each, and the end
    rigid: IntArray  # the frame that moves a whole surface, -1 where several do or none
    frames: IntArray  # of each vertex, -1 where there is none, shape [vertex_count, most]
    shares: Array
    whole: IntArray  # the frame that moves the whole surface of each vertex, or -1


def join_surfaces(solids: Sequence[MovingMesh]) -> Surfaces:
    """Put surfaces side by side."""
    static = _joined(tuple(each.mesh for each in solids))
    points, velocities = np.zeros((len(static.whole), 3)), np.zeros((len(static.whole), 3))
    for number, each in enumerate(solids):
        rows = slice(static.vertices[number], static.vertices[number + 1])
        if each.points.shape != points[rows].shape or each.velocities.shape != points[rows].shape:
            given, shape = (each.points.shape, each.velocities.shape), points[rows].shape
            raise InvalidArguments(what=f"places and speeds of {each.mesh.name}", value=given, allowed=f"shape {shape}")
        points[rows], velocities[rows] = each.points, each.velocities
    return static._replace(points=points, velocities=velocities)


@lru_cache(maxsize=8)
def _joined(meshes: tuple[ClosedMesh, ...]) -> Surfaces:
    """Put all side by side that does not change; kept by identity."""
    most = max((each.frames.shape[1] for each in meshes), default=1)
    vertices = np.cumsum([0, *(len(each.frames) for each in meshes)])
    first = np.cumsum([0, *(len(each.triangles) for each in meshes)])
    frames, shares = np.full((vertices[-1], most), -1, dtype=np.int32), np.zeros((vertices[-1], most))
    triangles = np.empty((first[-1], 3), dtype=np.int32)
    rigid = np.array([-1 if each.rigid is None else each.rigid for each in meshes], dtype=np.int32)
    for number, each in enumerate(meshes):
        rows = slice(vertices[number], vertices[number + 1])
        frames[rows, : each.frames.shape[1]], shares[rows, : each.shares.shape[1]] = each.frames, each.shares
        triangles[first[number] : first[number + 1]] = each.triangles + np.int32(vertices[number])
    none = np.zeros((0, 3))
    ends = first.astype(np.int32), vertices.astype(np.int32)
    return Surfaces(none, none, triangles, *ends, rigid, frames, shares, np.repeat(rigid, np.diff(vertices)))


def check_surfaces(grid: WaterGrid, surfaces: Surfaces, meshes: Sequence[ClosedMesh]) -> None:
    """Refuse what is nowhere, inside out, or larger than the tank."""
    if not meshes:
        return
    finite = np.isfinite(surfaces.points).all(axis=1) & np.isfinite(surfaces.velocities).all(axis=1)
    starts, room = surfaces.vertices[:-1].astype(np.int64), np.array(grid.size)
    for number in np.flatnonzero(~np.logical_and.reduceat(finite, starts)).tolist():
        remedy = "Begin the simulation anew from a sound pose."
        raise UnsoundSolid(name=meshes[number].name, found="a vertex of it is nowhere", remedy=remedy)
    room[2] = math.inf if grid.planar else room[2]
    sizes = np.maximum.reduceat(surfaces.points, starts) - np.minimum.reduceat(surfaces.points, starts)
    for number in np.flatnonzero((sizes > room).any(axis=1)).tolist():
        axis = int(np.argmax(sizes[number] / room))
        found = f"it is {sizes[number, axis]:.3g} m along {'xyz'[axis]}, more than the tank's {room[axis]:.3g} m"
        raise UnsoundSolid(name=meshes[number].name, found=found, remedy="Make the tank larger or the body smaller.")
    if all(each in _SOUND for each in meshes):
        return
    volumes = measure_volumes(surfaces)
    for number in np.flatnonzero(volumes <= 0.0).tolist():
        found = f"it is inside out (a volume of {volumes[number]:.3g} m3)"
        raise UnsoundSolid(name=meshes[number].name, found=found, remedy="Turn its faces outwards.")
    _SOUND.update(each for each in meshes if each.rigid is not None)


def measure_volumes(surfaces: Surfaces) -> Array:
    """Measure the volume that each surface encloses [m3]."""
    near = surfaces.points[surfaces.triangles[surfaces.first[:-1], 0]]  # against rounding far from the origin
    corners = surfaces.points[surfaces.triangles] - np.repeat(near, np.diff(surfaces.first), axis=0)[:, None]
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (corners[:, each].T for each in range(3))
    parts = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    return np.asarray(np.add.reduceat(parts, surfaces.first[:-1].astype(np.int64)) / 6.0)


def moved_on(surfaces: Surfaces, frames: RigidFrames, dt: float) -> tuple[Surfaces, RigidFrames]:
    """Move surfaces and frames on by dt [s]."""
    after = replace(frames, origins=frames.origins + dt * frames.velocities[:, :3])
    points, velocities = np.empty_like(surfaces.points), np.empty_like(surfaces.points)
    turns = matrices(exponential(dt * frames.velocities[:, 3:])) if frames.count else np.zeros((0, 3, 3))
    move_vertices(surfaces, frames.origins, after.origins, turns, frames.velocities, dt, points, velocities)
    return surfaces._replace(points=points, velocities=velocities), after


def sped_up(surfaces: Surfaces, frames: RigidFrames, changes: Array) -> tuple[Surfaces, RigidFrames]:
    """Change the velocities of frames, and of vertices as these move them."""
    velocities = surfaces.velocities.copy()
    if len(changes):
        speed_vertices(surfaces, frames.origins, changes, velocities)
    return surfaces._replace(velocities=velocities), replace(frames, velocities=frames.velocities + changes)


@kernel
def move_vertices(
    surfaces: Surfaces,
    origins: Array,
    then: Array,
    turns: Array,
    moving: Array,
    dt: float,
    out_points: Array,
    out_velocities: Array,
) -> None:
    """Turn vertices of rigid surfaces with their frames, whose origins go to `then`; move others straight on."""
    points, velocities = surfaces.points, surfaces.velocities
    for vertex in range(points.shape[0]):
        frame = surfaces.whole[vertex]
        if frame < 0:
            for axis in range(3):
                out_points[vertex, axis] = points[vertex, axis] + dt * velocities[vertex, axis]
                out_velocities[vertex, axis] = velocities[vertex, axis]
            continue
        turn = turns[frame]
        x, y, z = (
            points[vertex, 0] - origins[frame, 0],
            points[vertex, 1] - origins[frame, 1],
            points[vertex, 2] - origins[frame, 2],
        )
        p = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z
        q = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z
        r = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z
        a, b, c = moving[frame, 3], moving[frame, 4], moving[frame, 5]
        out_points[vertex, 0], out_velocities[vertex, 0] = then[frame, 0] + p, moving[frame, 0] + (b * r - c * q)
        out_points[vertex, 1], out_velocities[vertex, 1] = then[frame, 1] + q, moving[frame, 1] + (c * p - a * r)
        out_points[vertex, 2], out_velocities[vertex, 2] = then[frame, 2] + r, moving[frame, 2] + (a * q - b * p)


@kernel
def speed_vertices(surfaces: Surfaces, origins: Array, changes: Array, out_velocities: Array) -> None:
    """Add to the speeds of vertices what changes of their frames' make of them."""
    for vertex in range(surfaces.points.shape[0]):
        for column in range(surfaces.frames.shape[1]):
            frame, share = surfaces.frames[vertex, column], surfaces.shares[vertex, column]
            if frame < 0:
                continue
            x, y, z = (
                surfaces.points[vertex, 0] - origins[frame, 0],
                surfaces.points[vertex, 1] - origins[frame, 1],
                surfaces.points[vertex, 2] - origins[frame, 2],
            )
            a, b, c = changes[frame, 3], changes[frame, 4], changes[frame, 5]
            out_velocities[vertex, 0] += share * (changes[frame, 0] + (b * z - c * y))
            out_velocities[vertex, 1] += share * (changes[frame, 1] + (c * x - a * z))
            out_velocities[vertex, 2] += share * (changes[frame, 2] + (a * y - b * x))
