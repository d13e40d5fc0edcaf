"""Rigid transforms as arrays of shape [3, 4]: rotation, and position [m]. Plain numpy."""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternions, rotation_matrix

_NEAR = 1e-9  # sine of the angle between quaternions that slerp takes as one


def joined(first: Array, second: Array) -> Array:
    """`second`, given in the frame of `first`, in that of the world."""
    rotation, position = first[:, :3], first[:, 3]
    return np.hstack((rotation @ second[:, :3], (position + rotation @ second[:, 3])[:, None]))


def undone(transform: Array) -> Array:
    """The inverse of a rigid transform."""
    back = transform[:, :3].T
    return np.hstack((back, -(back @ transform[:, 3])[:, None]))


def between(first: Array, second: Array, share: float) -> Array:
    """Interpolate from one transform towards another, the shorter way."""
    a, b = quaternions(np.stack((first[:, :3], second[:, :3])))
    cosine = float(a @ b)  # 0 or more: `quaternions` keeps them on one side
    sine = float(np.linalg.norm(b - cosine * a))
    angle = math.atan2(sine, cosine)
    turn = a if sine < _NEAR else (math.sin((1.0 - share) * angle) * a + math.sin(share * angle) * b) / sine
    w, x, y, z = (turn / np.linalg.norm(turn)).tolist()
    position = (1.0 - share) * first[:, 3] + share * second[:, 3]
    return np.hstack((rotation_matrix((w, x, y, z)), position[:, None]))
