"""dress: bones for a figure that came without a shape, so that it can be seen and picked.

From each joint a slim loft goes to every child and to every handle on it; a joint with neither gets a small ball.
Sizes follow the bones' lengths, so a hand is thin and a thigh is not.
"""

from __future__ import annotations

import math
from dataclasses import replace

from engine.document import Ellipsoid, Figure, Joint, Loft, Section, Shape
from engine.document.values import Vector3

SHORTEST = 1e-4  # [m] between two joints that share a place
THICKNESS = ((0.0, 0.05), (0.12, 0.11), (0.5, 0.075), (0.9, 0.05), (1.0, 0.035))  # (share along, half width / length)


def dress(figure: Figure) -> Figure:
    """The figure with bones, or the same one if any of its joints has a shape."""
    if any(joint.shapes for joint in figure.joints):
        return figure
    ends: dict[str, list[Vector3]] = {joint.id: [] for joint in figure.joints}
    for joint in figure.joints:
        if joint.parent is not None:
            ends[joint.parent].append(joint.offset)
    for handle in figure.handles:
        ends[handle.joint].append(handle.point)
    lengths = [math.hypot(*end) for each in ends.values() for end in each]
    ball = 0.25 * (sum(lengths) / len(lengths)) if any(lengths) else 0.05
    joints = tuple(replace(joint, shapes=_bones(joint, ends[joint.id], ball)) for joint in figure.joints)
    return replace(figure, joints=joints)


def _bones(joint: Joint, ends: list[Vector3], ball: float) -> tuple[Shape, ...]:
    long = [end for end in ends if math.hypot(*end) > SHORTEST]
    if long:
        return tuple(_bone(end) for end in long)
    if ends:  # only joints that share this place: the last of them is drawn
        return ()
    return (Ellipsoid(radii=(ball, ball, ball), tone=0.6),)


def _bone(end: Vector3) -> Loft:
    length = math.hypot(*end)
    axis = (end[0] / length, end[1] / length, end[2] / length)
    side = _beside(axis)
    thin = min(length, 0.5)  # a long offset between far joints is a line, not a log
    sections = tuple(Section(along=share * length, width=wide * thin, depth=wide * thin) for share, wide in THICKNESS)
    return Loft(sections=sections, axis=axis, side=side)


def _beside(axis: Vector3) -> Vector3:
    """A direction at right angles to another."""
    x, y, z = axis
    across = (0.0, z, -y) if abs(x) < 0.8 else (-z, 0.0, x)
    norm = math.hypot(*across)
    return (across[0] / norm, across[1] / norm, across[2] / norm)
