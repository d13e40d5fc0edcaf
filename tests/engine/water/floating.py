"""Surfaces that tests of bodies in water use."""

from __future__ import annotations

import numpy as np

from engine.experiments.floats import BOX
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import exponential, matrices
from engine.water.solids import MovingMesh, rigid_mesh


def placed(
    points: Array,
    centre: Array,
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    *,
    triangles: IntArray = BOX,
    frame: int = 0,
) -> MovingMesh:
    """A surface at a place, which a frame moves."""
    mesh = rigid_mesh("the body", triangles, len(points), frame)
    return MovingMesh(mesh=mesh, points=points + centre, velocities=np.zeros_like(points) + velocity)


def turned(points: Array, angle: float) -> Array:
    """Points turned about z, then a little about x."""
    c, s = np.cos(angle), np.sin(angle)
    found: Array = (
        points
        @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]).T
        @ matrices(exponential(np.array([[0.3, 0.0, 0.0]])))[0].T
    )
    return found


def ball_mesh(radius: float, rings: int) -> tuple[Array, IntArray]:
    """A ball about the origin, of about the volume that it should have."""
    around = 2 * rings
    down, along = np.meshgrid(np.pi * np.arange(1, rings) / rings, np.pi * np.arange(around) / rings, indexing="ij")
    sides = np.stack((np.sin(down) * np.cos(along), np.cos(down), -np.sin(down) * np.sin(along)), axis=-1)
    points = np.concatenate(([[0.0, 1.0, 0.0]], sides.reshape(-1, 3), [[0.0, -1.0, 0.0]]))
    last, faces = len(points) - 1, []
    for k in range(around):
        after = (k + 1) % around
        faces += [[0, 1 + k, 1 + after], [last, last - around + after, last - around + k]]
        for ring in range(rings - 2):
            a, b = 1 + ring * around + k, 1 + ring * around + after
            faces += [[a, a + around, b + around], [a, b + around, b]]
    return radius * points, np.array(faces, dtype=np.int32)
