"""A long soft strip that lies folded, its upper half above the lower one."""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import box

LENGTH, THICK, WIDE = 0.6, 0.02, 0.06  # [m]
RADIUS = 0.03  # [m] of the bend, to the middle of the strip


def strip(along: int = 30) -> VolumeMesh:
    """A strip along x, one cell thick in y."""
    return box((LENGTH, THICK, WIDE), (along, 1, 3))


def folded(points: Array, radius: float = RADIUS) -> Array:
    """Bend a strip by half a turn about its middle, so that it lies on y = 0."""
    along, across, z = points.T
    half = 0.5 * math.pi * radius
    turn = np.clip((along + half) / radius, 0.0, math.pi)
    past = np.minimum(along + half, 0.0) + np.minimum(half - along, 0.0)
    x, y = radius * np.sin(turn) + past, radius * (1.0 - np.cos(turn))
    return np.stack((x - across * np.sin(turn), y + across * np.cos(turn) + 0.5 * THICK, z), axis=1)
