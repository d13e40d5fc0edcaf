"""Points of paths and wraps that a hand moves, turns or sizes: as they are then, as far as paths leave room. No
kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from engine.document.values import Quaternion, Vector3
from engine.maths.quaternions import product, unit
from engine.muscles.checks import points_inside
from engine.muscles.parts import Muscle, Muscles, MuscleWrap, PathPoint, PointCurve
from engine.muscles.queries.new_parts import has_room

MovedT = TypeVar("MovedT", MuscleWrap, PathPoint)

STEPS = 24  # halvings until something stands where there is room
LEAST, MOST = 0.001, 2.0  # [m] that a size of a wrap may be
THIN = 0.9  # of its ring, the most that a torus's tube may be


def moved_wrap(wrap: MuscleWrap, shift: Vector3, share: float = 1.0) -> MuscleWrap:
    """Return a wrap moved by a share of a way [m] in the frame of its joint."""
    x, y, z = (here + share * way for here, way in zip(wrap.centre, shift, strict=True))
    return replace(wrap, centre=(x, y, z))


def turned_wrap(wrap: MuscleWrap, turn: Quaternion) -> MuscleWrap:
    """Return a wrap turned about its centre, by a turn in the frame of its joint."""
    return replace(wrap, rotation=unit(product(turn, wrap.rotation)))


def sized_wrap(wrap: MuscleWrap, size: str, by: float) -> MuscleWrap:
    """Return a wrap of which one size, as `sizes_of` names it, has grown by so much [m] to one side."""
    if size == "length":
        old = wrap.length or 0.0
        return replace(wrap, length=min(max(old + 2.0 * by, LEAST), MOST))
    radii, at = list(wrap.radii), ("first", "second", "third").index(size)
    radii[at] = min(max(radii[at] + by, LEAST), MOST)
    if wrap.shape == "torus":
        radii = [max(radii[0], LEAST / THIN), min(radii[1], THIN * max(radii[0], LEAST / THIN))]
    return replace(wrap, radii=tuple(radii))


def nearest_wrap(muscles: Muscles, at: Callable[[float], MuscleWrap]) -> MuscleWrap:
    """Return the wrap at the whole of a change, `at(1.0)`; where a point of a path that goes round it would be inside,
    the last on the way there that leaves room."""
    id = at(1.0).id
    minding = [each for each in muscles.muscles if any(one.wrap == id for one in each.wraps)]

    def has_room_for(wrap: MuscleWrap) -> bool:
        alone = Muscles(wraps=(wrap,))
        return not any(any(points_inside(alone, each)) for each in minding)

    return _nearest(at, has_room_for)


def moved_point(point: PathPoint, shift: Vector3) -> PathPoint:
    """Return a point of a path moved along [m] in the frame of its joint; where a degree of freedom moves it, all that
    it goes through moves along."""
    x, y, z = (here + way for here, way in zip(point.point, shift, strict=True))
    return replace(point, point=(x, y, z), curves=tuple(_moved(each, shift) for each in point.curves))


def nearest_point(muscles: Muscles, muscle: Muscle, place: int, shift: Vector3) -> PathPoint:
    """Return a point of a path moved along [m] in the frame of its joint, or as far on the way there as it is outside
    of all wraps that the path goes round."""
    old = muscle.points[place]

    def at(share: float) -> PathPoint:
        x, y, z = (share * way for way in shift)
        return moved_point(old, (x, y, z))

    return _nearest(at, lambda point: has_room(muscles, muscle, place, point))


def wrapped_muscle(muscles: Muscles, wrap: str) -> Muscle | None:
    """Return the first muscle whose path goes round a wrap."""
    return next((each for each in muscles.muscles if any(one.wrap == wrap for one in each.wraps)), None)


def _nearest(at: Callable[[float], MovedT], has_room: Callable[[MovedT], bool]) -> MovedT:
    """Return what is at the whole of a change, or the last on the way there for which there is room."""
    whole = at(1.0)
    if has_room(whole):
        return whole
    least, most = 0.0, 1.0
    for _ in range(STEPS):
        middle = 0.5 * (least + most)
        least, most = (middle, most) if has_room(at(middle)) else (least, middle)
    return at(least)


def _moved(curve: PointCurve, shift: Vector3) -> PointCurve:
    return replace(curve, knots=tuple((at, value + shift[curve.axis]) for at, value in curve.knots))
