"""The middle of a body segment: the end-effector of what is dragged by hand (Welman 1993, 6.2).

It lies halfway along the segment's own axis, from the joint to the next ones: a point beside that axis would twist the
segment when it is pulled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine.document.figure import Figure
from engine.document.shapes import Box, Capsule, Ellipsoid, Loft, Shape
from engine.document.values import Vector3

_AT_THE_JOINT = 1e-9  # [m]


def middle_of_segment(figure: Figure, joint: str) -> Vector3:
    """Halfway to the mean of the joints that follow, or else to the farthest handle [m], in the joint's frame.

    A segment that ends without either, and a prop, which swings about no joint, has it amid its shapes.
    """
    here = figure.joint(joint)
    following = [each.offset for each in figure.joints if each.parent == joint]
    if following:
        x, y, z = (math.fsum(numbers) / len(following) for numbers in zip(*following, strict=True))
        if math.hypot(x, y, z) > _AT_THE_JOINT:
            return (0.5 * x, 0.5 * y, 0.5 * z)
    ends = [each.point for each in figure.handles if each.joint == joint and not figure.is_prop]
    x, y, z = max(ends, key=lambda point: math.hypot(*point), default=(0.0, 0.0, 0.0))
    if math.hypot(x, y, z) > _AT_THE_JOINT:
        return (0.5 * x, 0.5 * y, 0.5 * z)
    return _amid(here.shapes)


def end_of_limb(figure: Figure, joint: str) -> str:
    """Find the hand that a finger is on, the foot of toes: the nearest joint above with a handle, if nothing that hangs
    on it has another; else the joint itself."""
    handled = {each.joint for each in figure.handles}
    end = next((each for each in figure.above(joint) if each in handled), joint)
    return joint if handled.intersection(figure.below(end)) else end


def _amid(shapes: Iterable[Shape]) -> Vector3:
    """The middle of the box around the ends of shapes, taken on the axes of lofts and capsules; the joint for none."""
    ends = [point for shape in shapes for point in _ends(shape)]
    if not ends:
        return (0.0, 0.0, 0.0)
    x, y, z = (0.5 * (min(numbers) + max(numbers)) for numbers in zip(*ends, strict=True))
    return (x, y, z)


def _ends(shape: Shape) -> tuple[Vector3, Vector3]:
    if isinstance(shape, Capsule):
        return shape.start, shape.end
    if isinstance(shape, Loft):
        norm = math.hypot(*shape.axis)
        first, last = (_along(shape.origin, shape.axis, shape.sections[at].along / norm) for at in (0, -1))
        return first, last
    if isinstance(shape, Box | Ellipsoid):
        half = shape.half if isinstance(shape, Box) else shape.radii
        return _along(shape.centre, half, -1.0), _along(shape.centre, half, 1.0)
    places = shape.positions.array
    (a, b, c), (u, v, w) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    return (a, b, c), (u, v, w)


def _along(start: Vector3, direction: Vector3, by: float) -> Vector3:
    x, y, z = (at + by * way for at, way in zip(start, direction, strict=True))
    return (x, y, z)
