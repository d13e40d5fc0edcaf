"""Turns for readers and writers: unit quaternions as tuples, and whole motions of one joint as arrays over its frames.

A matrix R = R_i(a) R_j(b) R_k(c) of three different axes gives its angles in two steps, so that they belong together
even near gimbal lock: with s = +1 for an even order ijk, else -1,
a = atan2(-s R_jk, R_kk); then of Q = R_i(-a) R:  b = atan2(s Q_ik, Q_kk),  c = atan2(s Q_ji, Q_jj).
Plain numpy, since a conversion happens once and should not wait for a compiler. Angles in radians.
"""

from __future__ import annotations

import math

import numpy as np

from engine.document import Dof, Joint
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.maths.arrays import Array
from engine.model.compile import rotation_matrix

AXES: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

_LOCKED = 1e-14


def turned(a: Quaternion, vector: Vector3) -> Vector3:
    """A vector after the turn; the same numbers where there is none."""
    if a == IDENTITY:
        return vector
    x, y, z = (rotation_matrix(a) @ vector).tolist()
    return (x, y, z)


def turn_about(axis: int, angle: float) -> Quaternion:
    """A turn about x, y or z (0, 1, 2)."""
    x, y, z = (math.sin(0.5 * angle) * each for each in AXES[axis])
    return (math.cos(0.5 * angle), x, y, z)


def main_axis(axis: Vector3) -> tuple[int, float] | None:
    """Which of x, y, z (0, 1, 2) a direction is, with its sign; None if it is skew."""
    for number in range(3):
        if abs(axis[number]) == 1.0:
            return number, axis[number]
    return None


def plain_dofs(joint: Joint) -> list[tuple[Dof, int, float]] | None:
    """Each degree of freedom with its main axis and sign, if slides along different ones stand first and hinges after;
    else None."""
    found: list[tuple[Dof, int, float]] = []
    for dof in joint.dofs:
        axis = main_axis(dof.axis)
        out_of_order = dof.kind == "slide" and any(before.kind == "hinge" for before, _, _ in found)
        if axis is None or dof.kind == "ball" or out_of_order:
            return None
        if dof.kind == "slide" and any(axis[0] == number for _, number, _ in found):
            return None
        found.append((dof, *axis))
    return found


def motion_of(joint: Joint, q: Array, *, rest: bool) -> tuple[Array, Array]:
    """What the degrees of freedom do in each frame: the way from the joint's offset [m], shape [frames, 3], and the
    rotation, shape [frames, 3, 3], in the parent's frame if they begin with the joint's `rest`, else in that one."""
    count = q.shape[0]
    rotation = np.tile(rotation_matrix(joint.rest) if rest else np.eye(3), (count, 1, 1))
    way = np.zeros((count, 3))
    column = 0
    for dof in joint.dofs:
        values = q[:, column : column + len(dof.coordinates)]
        if dof.kind == "slide":
            way += np.einsum("fij,fj->fi", rotation, values * np.array(dof.axis))
        elif dof.kind == "hinge":
            rotation = rotation @ matrices(np.cos(0.5 * values[:, 0]), np.sin(0.5 * values) * np.array(dof.axis))
        else:
            unit = values / np.linalg.norm(values, axis=1, keepdims=True)
            rotation = rotation @ matrices(unit[:, 0], unit[:, 1:])
        column += len(dof.coordinates)
    return way, rotation


def euler_angles(rotation: Array, order: tuple[int, int, int]) -> Array:
    """Angles about three different axes in that order, each steady over the frames, shape [frames, 3]."""
    i, j, k = order
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    locked = np.hypot(rotation[:, j, k], rotation[:, k, k]) < _LOCKED
    first = np.where(locked, 0.0, np.arctan2(-sign * rotation[:, j, k], rotation[:, k, k]))
    left = matrices(np.cos(0.5 * first), np.sin(-0.5 * first)[:, None] * np.array(AXES[i])) @ rotation
    second = np.arctan2(sign * left[:, i, k], left[:, k, k])
    third = np.arctan2(sign * left[:, j, i], left[:, j, j])
    return np.unwrap(np.stack((first, second, third), axis=1), axis=0)


def matrices(w: Array, vector: Array) -> Array:
    """Rotation matrices, shape [count, 3, 3], of unit quaternions: `w` [count] and `vector` [count, 3]."""
    x, y, z = vector.T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=1) for row in rows], axis=1)


def quaternions(rotation: Array) -> Array:
    """Unit quaternions (w, x, y, z), shape [count, 4], of rotation matrices, from the largest of the components; each
    on the side of the one before, so that a steady motion has steady numbers."""
    m, count = rotation, len(rotation)
    diagonal = np.stack((np.trace(m, axis1=1, axis2=2), m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]), axis=1)
    skew = np.stack((m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]), axis=1)
    largest = np.argmax(diagonal, axis=1)
    q = np.concatenate((1.0 + diagonal[:, :1], skew), axis=1)
    for k in range(1, 4):
        at = largest == k
        q[at, 0] = skew[at, k - 1]
        q[at, 1:] = m[at, :, k - 1] + m[at, k - 1]
        q[at, k] = 1.0 + 2.0 * diagonal[at, k] - diagonal[at, 0]
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    if count and q[0, 0] < 0.0:
        q[0] *= -1.0
    turns_over = np.sum(q[1:] * q[:-1], axis=1) < 0.0
    q[1:] *= np.where(np.cumsum(turns_over) % 2 == 1, -1.0, 1.0)[:, None]
    return q
