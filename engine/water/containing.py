"""The walls of a tank against bodies that water moves: without friction, and without rebound.

Where vertices of a body are beyond a wall, it gets an impulse at their middle, weighted by how far out they are, by
which it leaves at a tenth of that way in a step, but no faster than half a metre a second. Physics knows no tanks, so
this goes with what the water does. What has its middle outside, or above the rim, is not held.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, BoolArray
from engine.maths.rotation_arrays import cross
from engine.water.grid import WaterGrid
from engine.water.joined import RigidFrames, Surfaces

_SHARE, _FASTEST = 0.1, 0.5  # of the depth in a step; [m/s]
_WALLS = (0, -1.0), (0, 1.0), (2, -1.0), (2, 1.0), (1, -1.0)


def hold_inside(
    grid: WaterGrid, surfaces: Surfaces, frames: RigidFrames, velocities: Array, response: Array, dt: float
) -> Array:
    """Find the impulses on vertices [N s] that keep bodies in a tank, by the velocities that frames have otherwise."""
    out = np.zeros_like(surfaces.points)
    if not frames.count:
        return out
    frame, low = surfaces.frames[:, 0], np.array(grid.origin)
    high = low + grid.size
    own, counts = velocities.copy(), np.bincount(frame[frame >= 0], minlength=frames.count)
    middles = (
        np.array([np.bincount(frame[frame >= 0], each, frames.count) for each in surfaces.points[frame >= 0].T]).T
        / np.maximum(counts, 1)[:, None]
    )
    inside: BoolArray = np.logical_and(middles > low, middles < high)
    within = inside[:, : 2 if grid.planar else 3].all(axis=1)
    for axis, way in _WALLS:
        if grid.planar and axis == 2:
            continue
        beyond = surfaces.points[:, axis] - high[axis] if way > 0.0 else low[axis] - surfaces.points[:, axis]
        outside = (beyond > 0.0) & (frame >= 0) & np.take(within, frame)
        for number in np.unique(frame[outside]).tolist():
            rows = np.flatnonzero(outside & (frame == number))
            weights = beyond[rows] / beyond[rows].sum()
            arm = weights @ surfaces.points[rows] - frames.origins[number]
            push = np.zeros(6)
            push[axis] = way
            push[3:] = cross(arm, push[:3])
            block = response[6 * number : 6 * number + 6, 6 * number : 6 * number + 6]
            gives = float(push @ block @ push)
            speed = float(push @ own[number]) + min(_SHARE * float(beyond[rows].max()) / dt, _FASTEST)
            if gives > 0.0 and speed > 0.0:
                out[rows, axis] -= way * weights * speed / gives
                own[number] -= block @ push * (speed / gives)
    return out
