"""Bodies in a planar tank: prisms as deep as the tank is, that move along x and y and turn about z alone.

A planar tank is one cell deep. Its plane is the middle of that cell, and what crosses it is squeezed towards it until
it is as deep as the cell: its section there stays, and the force of the water on it is smaller by that share,

    F cell = F body cell / depth of the body,

so while the water is stepped a body has to give way as much more, R cell = R depth / cell, along x and y and about z.
Forces are made larger again when they are handed back. All surfaces of one actor are squeezed alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid
from engine.water.joined import RigidFrames
from engine.water.solids import MovingMesh
from engine.water.surroundings import PushedBodies

IN_PLANE = np.array((1.0, 1.0, 0.0, 0.0, 0.0, 1.0))  # of forces and torques, of velocities and turning


@dataclass(frozen=True, eq=False)
class Flattened:
    """Surfaces that cross the plane, which of those given they are, and how much larger their forces are."""

    solids: tuple[MovingMesh, ...]
    rows: tuple[int, ...]
    scales: tuple[float, ...]


def flatten(solids: Sequence[MovingMesh], actors: Sequence[str], grid: WaterGrid) -> Flattened:
    """Squeeze the surfaces of actors that cross the plane of a planar grid."""
    middle, h = grid.origin[2] + 0.5 * grid.spacing, grid.spacing
    spans: dict[str, tuple[float, float]] = {}
    crossing = []
    for row, (solid, actor) in enumerate(zip(solids, actors, strict=True)):
        low, high = float(solid.points[:, 2].min()), float(solid.points[:, 2].max())
        if low < middle < high:
            crossing.append(row)
            known = spans.get(actor, (low, high))
            spans[actor] = min(low, known[0]), max(high, known[1])
    found, scales = list[MovingMesh](), list[float]()
    for row in crossing:
        low, high = spans[actors[row]]
        scale = (high - low) / h
        points, velocities = solids[row].points.copy(), solids[row].velocities.copy()
        points[:, 2] = middle + (points[:, 2] - middle) / scale
        velocities[:, 2] = 0.0
        found.append(replace(solids[row], points=points, velocities=velocities))
        scales.append(scale)
    return Flattened(tuple(found), tuple(crossing), tuple(scales))


def flatten_pushed(pushed: PushedBodies, actors: Sequence[str], grid: WaterGrid) -> tuple[PushedBodies, Array]:
    """Squeeze what gives way, too; by how much larger the force on each frame is, shape [frame_count, 1]. `actors`:
    those of its surfaces."""
    flat = flatten(pushed.solids, actors, grid)
    scales = np.ones(pushed.frames.count)
    for row, scale in zip(flat.rows, flat.scales, strict=True):
        scales[pushed.solids[row].mesh.frames[0, 0]] = scale
    frames = RigidFrames(origins=pushed.frames.origins, velocities=pushed.frames.velocities * IN_PLANE)
    weights = (np.sqrt(scales)[:, None] * IN_PLANE).reshape(-1)
    made = replace_pushed(pushed, flat, frames, weights[:, None] * pushed.response * weights)
    return made, scales[:, None]


def replace_pushed(pushed: PushedBodies, flat: Flattened, frames: RigidFrames, response: Array) -> PushedBodies:
    """Put squeezed surfaces in place of others."""
    return pushed._replace(
        numbers=tuple(pushed.numbers[row] for row in flat.rows),
        solids=flat.solids,
        frames=frames,
        free=pushed.free * IN_PLANE,
        response=response,
    )
