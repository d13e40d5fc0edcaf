"""Rotations as arrays, many at once, in plain numpy: for what happens once and should not wait for a compiler.

A matrix R = R_i(a) R_j(b) R_k(c) of three different axes gives its angles in two steps, so that they belong together
even near gimbal lock: with s = +1 for an even order ijk, else -1,
a = atan2(-s R_jk, R_kk); then of Q = R_i(-a) R:  b = atan2(s Q_ik, Q_kk),  c = atan2(s Q_ji, Q_jj).

Symbols: q unit quaternions (w, x, y, z), shape [count, 4]; matrices have the shape [count, 3, 3], rotation vectors
[count, 3]. Angles in radians. An order of angles is three axis numbers, as in `engine.maths.rotations`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.maths.arrays import Array
from engine.maths.quaternions import AXES, Quaternion

_STEEP = 1e-14  # of a squared cosine's root: from there on a matrix gives the sum of the outer angles only
_LOCKED, _DETERMINED = 1e-12, 1e-28  # as the kernels have them


def rotation_matrix(rotation: Quaternion | Array) -> Array:
    """Rotation matrix, shape [3, 3], of a unit quaternion (w, x, y, z); of four rows of numbers shape [3, 3, count]."""
    w, x, y, z = rotation
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def matrices(q: Array) -> Array:
    """Rotation matrices of unit quaternions."""
    return np.ascontiguousarray(np.moveaxis(rotation_matrix(q.T), 2, 0))  # strides decide how numpy multiplies them


def quaternions(rotations: Array) -> Array:
    """Unit quaternions of rotation matrices, from the largest of the components; each on the side of the one before,
    the first with w >= 0, so that a steady motion has steady numbers."""
    m, count = rotations, len(rotations)
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


def upright_quaternions(rotations: Array) -> Array:
    """Unit quaternions with w >= 0, also of matrices that rounding has left a little off a rotation: the nearest.

    The eigenvector of Bar-Itzhack's symmetric matrix (J. Guidance 23:1085, 2000) for its largest eigenvalue. Mirrored
    poses have these numbers; from those of `quaternions`, which differ in the last bits, locks may lead elsewhere.
    """
    m = rotations
    trace = np.trace(m, axis1=1, axis2=2)
    k = np.empty((len(m), 4, 4))
    k[:, 0, 0] = trace
    k[:, 1:, 1:] = m + np.swapaxes(m, 1, 2) - trace[:, None, None] * np.eye(3)
    k[:, 0, 1:] = k[:, 1:, 0] = m[:, (2, 0, 1), (1, 2, 0)] - m[:, (1, 2, 0), (2, 0, 1)]
    found: Array = np.linalg.eigh(k)[1][:, :, 3]
    return np.asarray(np.where(found[:, :1] < 0.0, -found, found))


def without_flips(q: Array) -> Array:
    """Return rotations that follow each other with every quaternion on the side of the one before."""
    signs = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0.0, -1.0, 1.0)
    return np.concatenate((q[:1], q[1:] * np.cumprod(signs)[:, None]))


def quaternion_of(place: Array) -> Quaternion:
    """The unit quaternion, w >= 0, of one rotation matrix or of the left of a rigid transform."""
    w, x, y, z = quaternions(place[None, :, :3])[0].tolist()
    return (w, x, y, z)


def least_turn(start: Array, end: Array) -> Array:
    """The rotation without twist that takes one direction to another; none where there is no direction."""
    norms = float(np.linalg.norm(start)), float(np.linalg.norm(end))
    if min(norms) < 1e-9:
        return np.eye(3)
    a, b = start / norms[0], end / norms[1]
    axis, cosine = np.cross(a, b), float(a @ b)
    if cosine < -1.0 + 1e-9:
        side = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        side /= np.linalg.norm(side)
        return np.asarray(2.0 * np.outer(side, side) - np.eye(3))
    skew = _cross_matrix(axis)
    return np.asarray(np.eye(3) + skew + skew @ skew / (1.0 + cosine))


def turn(axis: Array, angles: Array) -> Array:
    """Rotations about one axis (Rodrigues)."""
    skew = _cross_matrix(axis)
    sine, versine = np.sin(angles)[:, None, None], (1.0 - np.cos(angles))[:, None, None]
    return np.asarray(np.eye(3) + sine * skew + versine * (skew @ skew))


def chain(axes: Array, angles: Array) -> Array:
    """The product of turns about axes, shape [axis_count, 3], by angles, shape [count, axis_count]."""
    rotation = np.broadcast_to(np.eye(3), (len(angles), 3, 3))
    for each in range(len(axes)):
        rotation = rotation @ turn(axes[each], angles[:, each])
    return rotation


def rotation_vectors(rotations: Array) -> Array:
    """The vectors of the least turns that make up rotation matrices."""
    double_sine = rotations[:, (2, 0, 1), (1, 2, 0)] - rotations[:, (1, 2, 0), (2, 0, 1)]
    sine = 0.5 * np.linalg.norm(double_sine, axis=1)
    cosine = 0.5 * (np.trace(rotations, axis1=1, axis2=2) - 1.0)
    scale = np.where(sine > 1e-9, np.arctan2(sine, cosine) / np.where(sine > 1e-9, 2.0 * sine, 1.0), 0.5)
    return np.asarray(scale[:, None] * double_sine)


def product(a: Array, b: Array) -> Array:
    """The turns `a`, then `b` in the frames that `a` has left."""
    (aw, ax, ay, az), (bw, bx, by, bz) = a.T, b.T
    return np.stack((
        aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
    ), axis=1)  # fmt: skip


def inverse(q: Array) -> Array:
    """The turns back."""
    return q * (1.0, -1.0, -1.0, -1.0)


def unit(q: Array) -> Array:
    """Quaternions of norm 1; the identity where the norm is zero."""
    norm = np.linalg.norm(q, axis=1, keepdims=True)
    return np.where(norm > 0.0, q / np.where(norm > 0.0, norm, 1.0), (1.0, 0.0, 0.0, 0.0))


def exponential(vectors: Array) -> Array:
    """Quaternions of the rotations by |v| about v."""
    half = 0.5 * np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.hstack((np.cos(half), 0.5 * np.sinc(half / np.pi) * vectors))


def logarithm(q: Array) -> Array:
    """The rotation vectors of quaternions, of length at most pi."""
    q = np.where(q[:, :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[:, 1:], axis=1, keepdims=True)
    safe = np.where(sine > 1e-12, sine, 1.0)
    return np.where(sine > 1e-12, 2.0 * np.arctan2(sine, q[:, :1]) / safe, 2.0) * q[:, 1:]


def quaternions_of_angles(angles: Array, order: Sequence[int]) -> Array:
    """Quaternions of rotations by three angles each, about the axes in their order."""
    found = np.tile((1.0, 0.0, 0.0, 0.0), (len(angles), 1))
    for place, axis in enumerate(order):
        vector = np.zeros((len(angles), 3))
        vector[:, axis] = angles[:, place]
        found = product(found, exponential(vector))
    return found


def euler_angles(rotations: Array, order: tuple[int, int, int]) -> Array:
    """Angles of matrices about three different axes in that order, each steady over the rows, shape [count, 3]."""
    i, j, k = order
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    locked = np.hypot(rotations[:, j, k], rotations[:, k, k]) < _STEEP
    first = np.where(locked, 0.0, np.arctan2(-sign * rotations[:, j, k], rotations[:, k, k]))
    back = np.column_stack((np.cos(0.5 * first), np.sin(-0.5 * first)[:, None] * np.array(AXES[i])))
    left = matrices(back) @ rotations
    second = np.arctan2(sign * left[:, i, k], left[:, k, k])
    third = np.arctan2(sign * left[:, j, i], left[:, j, j])
    return np.unwrap(np.stack((first, second, third), axis=1), axis=0)


def nearest_angles(q: Array, order: Sequence[int], near: Array) -> Array:
    """The angles of quaternions, in any of the twelve orders, that are nearest to some others."""
    repeated = order[0] == order[2]
    found = _principal_angles(q, order)
    middle = found[:, 1]
    flipped = found + np.pi
    flipped[:, 1] = -middle if repeated else np.pi - middle
    found, flipped = (each + 2.0 * np.pi * np.rint((near - each) / (2.0 * np.pi)) for each in (found, flipped))
    nearer = ((flipped - near) ** 2).sum(axis=1) < ((found - near) ** 2).sum(axis=1)
    locked = np.abs(np.sin(middle) if repeated else np.cos(middle)) < _LOCKED
    along = np.cos(middle) if repeated else np.sin(middle) * (-1.0 if order[0] == (order[1] + 1) % 3 else 1.0)
    sign = np.where(along > 0.0, 1.0, -1.0)
    gap = _wrapped(sign * found[:, 0] + found[:, 2] - sign * near[:, 0] - near[:, 2])
    held = np.stack((near[:, 0] + 0.5 * sign * gap, found[:, 1], near[:, 2] + 0.5 * gap), axis=1)
    return np.where(locked[:, None], held, np.where(nearer[:, None], flipped, found))


def cross(a: Array, b: Array) -> Array:
    """Cross product of the last axes; `numpy.cross` takes several times as long to tell its shapes."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


def _cross_matrix(vector: Array) -> Array:
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _principal_angles(q: Array, order: Sequence[int]) -> Array:
    """Angles with the middle one in [-pi/2, pi/2], or [0, pi] where the first axis is repeated (Bernardes and Viollet,
    2022, as `engine.maths.rotations.quaternion_to_euler`)."""
    i, j, k = order[2], order[1], order[0]
    repeated = i == k
    if repeated:
        k = 3 - i - j
    sign = 0.5 * (i - j) * (j - k) * (k - i)
    w, x, y, z = q[:, 0], q[:, i + 1], q[:, j + 1], sign * q[:, k + 1]
    a, b, c, d = (w, x, y, z) if repeated else (w - y, x + z, y + w, z - x)
    upper, lower = a * a + b * b, c * c + d * d
    middle = 2.0 * np.arctan2(np.sqrt(lower), np.sqrt(upper))
    plus, minus = np.arctan2(b, a), np.arctan2(d, c)
    flat, steep = lower < _DETERMINED * (upper + lower), upper < _DETERMINED * (upper + lower)
    first = np.where(flat, 2.0 * plus, np.where(steep, 2.0 * minus, plus + minus))
    last = np.where(flat | steep, 0.0, plus - minus)
    if not repeated:
        first, middle = sign * first, middle - 0.5 * np.pi
    return np.stack((_wrapped(first), middle, _wrapped(last)), axis=1)


def _wrapped(angle: Array) -> Array:
    return angle - 2.0 * np.pi * np.ceil((angle - np.pi) / (2.0 * np.pi))
