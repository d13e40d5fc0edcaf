"""Frames: where something stands and how it is turned, as plain numbers; and where a figure's joints stand at rest.

At rest every coordinate is 0, or the nearest limit where 0 lies beyond it, or what drivers at rest make of it, and a
ball is not turned.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.document.figure import Figure, Joint
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.maths.quaternions import inverse, product, turn_about, turned, unit

_ORIGIN: Vector3 = (0.0, 0.0, 0.0)


class Frame(NamedTuple):
    """A place [m] and a turn in some other frame."""

    position: Vector3 = _ORIGIN
    rotation: Quaternion = IDENTITY

    def at(self, point: Vector3) -> Vector3:
        """A point of this frame in the frame that this one stands in."""
        return _sum(self.position, turned(self.rotation, point))

    def holding(self, inner: Frame) -> Frame:
        """A frame that stands in this one, seen from where this one stands in."""
        return Frame(self.at(inner.position), unit(product(self.rotation, inner.rotation)))

    def seeing(self, other: Frame) -> Frame:
        """A frame beside this one, seen from this one."""
        back = inverse(self.rotation)
        x, y, z = (there - here for there, here in zip(other.position, self.position, strict=True))
        return Frame(turned(back, (x, y, z)), unit(product(back, other.rotation)))


def rest_frames(figure: Figure) -> dict[str, Frame]:
    """Compute the frames of all joints' bodies at rest, in the figure's own frame."""
    frames: dict[str, Frame] = {}
    for joint in figure.joints:
        above = Frame() if joint.parent is None else frames[joint.parent]
        frames[joint.id] = above.holding(fixed_frame(joint)).holding(rest_motion(figure, joint))
    return frames


def fixed_frame(joint: Joint) -> Frame:
    """A joint's offset and rest in its parent."""
    return Frame(joint.offset, joint.rest)


def rest_motion(figure: Figure, joint: Joint) -> Frame:
    """Return the motion of a joint's degrees of freedom at rest: none, unless a limit or a driver keeps one from 0."""
    frame = Frame()
    for dof in joint.dofs:
        value = 0.0 if dof.kind == "ball" else figure.rest[dof.id]
        if value != 0.0:
            x, y, z = (value * each for each in dof.axis)
            moved = Frame(position=(x, y, z)) if dof.kind == "slide" else Frame(rotation=turn_about(dof.axis, value))
            frame = frame.holding(moved)
    return frame


def _sum(a: Vector3, b: Vector3) -> Vector3:
    x, y, z = (first + second + 0.0 for first, second in zip(a, b, strict=True))
    return (x, y, z)
