"""The head as a distance field [m]: rounded pieces joined smoothly, eye sockets taken out (smooth minima).

The origin is where the neck begins, y up, z forward, x to the face's own left. Symmetric in x.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.soft.forms import ball, capsule, ellipsoid, join, take_out

MIDDLE = np.array((0.0, 0.108, 0.004))  # all of the surface is seen from here
EYE = np.array((0.0325, 0.1235, 0.0605))  # the middle of the left eyeball
BALL = 0.0175  # [m] its radius
BASE = -0.045  # [m] where the neck is cut


def distance(points: Array) -> Array:
    """How far points are outside of the head, below 0 inside; near enough to march by."""
    p = points.copy()
    p[:, 0] = np.abs(p[:, 0])
    skull = ellipsoid(p, (0.0, 0.157, -0.014), (0.0735, 0.0750, 0.0920))
    skull = join(skull, ellipsoid(p, (0.0, 0.112, 0.016), (0.0625, 0.0840, 0.0660)), 0.030)
    skull = join(skull, ellipsoid(p, (0.0, 0.060, 0.026), (0.0470, 0.0430, 0.0500)), 0.030)
    skull = join(skull, ball(p, (0.0, 0.0335, 0.0600), 0.0150), 0.024)
    skull = join(skull, ellipsoid(p, (0.0, 0.068, 0.0580), (0.0300, 0.0260, 0.0240)), 0.020)
    skull = join(skull, ellipsoid(p, (0.0400, 0.0975, 0.0520), (0.0220, 0.0190, 0.0190)), 0.024)
    skull = join(skull, capsule(p, (0.0, -0.070, -0.030), (0.0, 0.080, -0.020), 0.0460, 0.0400), 0.034)
    skull = take_out(skull, ellipsoid(p, (0.0340, 0.1235, 0.0850), (0.0210, 0.0150, 0.0170)), 0.014)
    brow = capsule(p, (0.0100, 0.1440, 0.0780), (0.0480, 0.1470, 0.0560), 0.0065, 0.0050)
    skull = join(skull, brow, 0.014)
    nose = capsule(p, (0.0, 0.1400, 0.0770), (0.0, 0.0990, 0.0950), 0.0052, 0.0078)
    nose = join(nose, ball(p, (0.0, 0.0962, 0.0960), 0.0102), 0.008)
    nose = join(nose, ellipsoid(p, (0.0115, 0.0930, 0.0860), (0.0075, 0.0068, 0.0095)), 0.007)
    skull = join(skull, nose, 0.010)
    ear = ellipsoid(p @ _ear_turn(), np.array((0.0725, 0.116, -0.010)) @ _ear_turn(), (0.0075, 0.0310, 0.0185))
    ear = take_out(ear, ellipsoid(p, (0.0850, 0.118, -0.004), (0.0055, 0.0190, 0.0100)), 0.008)
    skull = join(skull, ear, 0.014)
    return np.maximum(skull, BASE - p[:, 1])


def cast(directions: Array) -> Array:
    """Where rays from the middle leave the head for good [m]; directions of length 1."""
    far = np.full(len(directions), 0.24)
    for _ in range(70):
        gap = distance(MIDDLE + far[:, None] * directions)
        far = np.where(gap > 1e-6, far - 0.7 * np.maximum(gap, 1e-6), far)
    return np.asarray(MIDDLE + far[:, None] * directions)


def front(x: Array, y: Array) -> Array:
    """The points of the head that are seen from the front there [m]."""
    points = np.stack((x, y, np.full(len(x), 0.16)), axis=1)
    for _ in range(70):
        gap = distance(points)
        points[:, 2] -= np.where(gap > 1e-6, 0.7 * np.maximum(gap, 1e-6), 0.0)
    return points


def outward(points: Array) -> Array:
    """Unit normals of the field."""
    step = 1e-5 * np.eye(3)
    slopes = np.stack([distance(points + each) - distance(points - each) for each in step], axis=1)
    return np.asarray(slopes / np.maximum(np.linalg.norm(slopes, axis=1, keepdims=True), 1e-12))


def _ear_turn() -> Array:
    c, s = np.cos(0.35), np.sin(0.35)
    lean = np.array(((1.0, 0.0, 0.0), (0.0, np.cos(0.2), -np.sin(0.2)), (0.0, np.sin(0.2), np.cos(0.2))))
    return np.asarray(np.array(((c, 0.0, -s), (0.0, 1.0, 0.0), (s, 0.0, c))).T @ lean)
