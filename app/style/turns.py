"""Turns: an orientation as heading, pitch and roll, the three numbers in which a person reads and types one.

Heading turns about Y, then pitch about the new X, then roll about the newest Z [rad]. At a pitch of ±90° heading and
roll turn about one axis; there roll is shown as zero.
"""

from __future__ import annotations

import math

Turns = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
POLE = 1.0 - 1e-13


def quaternion_of(turns: Turns) -> Quaternion:
    """Return the unit quaternion (w, x, y, z) of heading, pitch and roll."""
    (ch, sh), (cp, sp), (cr, sr) = ((math.cos(0.5 * turn), math.sin(0.5 * turn)) for turn in turns)
    return (
        ch * cp * cr + sh * sp * sr,
        ch * sp * cr + sh * cp * sr,
        sh * cp * cr - ch * sp * sr,
        ch * cp * sr - sh * sp * cr,
    )


def turns_of(quaternion: Quaternion) -> Turns:
    """Return heading, pitch and roll of a unit quaternion."""
    w, x, y, z = quaternion
    sine = max(-1.0, min(1.0, 2.0 * (w * x - y * z)))
    if abs(sine) > POLE:
        return (math.remainder(2.0 * math.atan2(y, w), math.tau), math.asin(sine), 0.0)
    heading = math.atan2(2.0 * (w * y + x * z), 1.0 - 2.0 * (x * x + y * y))
    roll = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (x * x + z * z))
    return (heading, math.asin(sine), roll)


def twist_of(quaternion: Quaternion, axis: tuple[float, float, float]) -> float:
    """Return the twist [rad] of an orientation about a unit axis of the body, in the swing-twist decomposition: q is
    first a turn that has no part about the axis, then this one, 2 atan2(q_xyz . axis, q_w)."""
    w, x, y, z = quaternion
    return math.remainder(2.0 * math.atan2(x * axis[0] + y * axis[1] + z * axis[2], w), math.tau)


def twisted(quaternion: Quaternion, axis: tuple[float, float, float], by: float) -> Quaternion:
    """Return an orientation turned further about a unit axis of the body."""
    w, x, y, z = quaternion
    sine = math.sin(0.5 * by)
    c, (i, j, k) = math.cos(0.5 * by), (sine * each for each in axis)
    return (
        w * c - x * i - y * j - z * k,
        w * i + x * c + y * k - z * j,
        w * j - x * k + y * c + z * i,
        w * k + x * j - y * i + z * c,
    )


def same_turn(one: Quaternion, other: Quaternion) -> bool:
    """Return True if two unit quaternions are the same orientation, but for rounding."""
    return abs(sum(a * b for a, b in zip(one, other, strict=True))) > 1.0 - 1e-12
