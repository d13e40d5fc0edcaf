"""Refuses muscles that a figure cannot have, in words: unknown joints and degrees of freedom, wraps with a path's point
inside."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from engine.document import Figure
from engine.document.values import Vector3
from engine.maths.quaternions import inverse, turned
from engine.muscles.parts import Muscle, Muscles, MuscleWrap
from engine.runtime.errors import InvalidDocument, UnknownPart


def check_muscles(figure: Figure, muscles: Muscles) -> Muscles:
    """Give the muscles; refuse what the figure lacks, and paths that begin, turn or end inside of their wraps."""
    for wrap in muscles.wraps:
        _check_joint(figure, f"wrap {wrap.id}", wrap.joint)
    for muscle in muscles.muscles:
        for point in muscle.points:
            _check_joint(figure, f"muscle {muscle.id}", point.joint)
            _check_dofs(figure, muscle, [each.dof for each in point.curves])
            _check_dofs(figure, muscle, [] if point.dof is None else [point.dof])
        _check_inside(muscles, muscle)
    return muscles


def contains(wrap: MuscleWrap, point: Vector3) -> bool:
    """Tell whether a point in the frame of a wrap's joint lies inside of it."""
    away = (point[0] - wrap.centre[0], point[1] - wrap.centre[1], point[2] - wrap.centre[2])
    x, y, z = turned(inverse(wrap.rotation), away)
    if wrap.shape == "sphere":
        return math.hypot(x, y, z) < wrap.radii[0]
    if wrap.shape == "cylinder":
        return math.hypot(x, y) < wrap.radii[0] and (wrap.length is None or abs(z) < 0.5 * wrap.length)
    if wrap.shape == "ellipsoid":
        a, b, c = wrap.radii
        return math.hypot(x / a, y / b, z / c) < 1.0
    ring, tube = wrap.radii
    return math.hypot(math.hypot(x, y) - ring, z) < tube


def points_inside(muscles: Muscles, muscle: Muscle) -> Iterator[tuple[int, MuscleWrap]]:
    """Yield the numbers of points that stand still inside of a wrap: those of the same joint, that nothing moves."""
    for each in muscle.wraps:
        wrap, last = muscles.wrap(each.wrap), range(len(muscle.points))[each.last]
        for place in range(each.first, last + 1):
            point = muscle.points[place]
            if wrap is not None and point.joint == wrap.joint and not point.curves and contains(wrap, point.point):
                yield place, wrap


def _check_inside(muscles: Muscles, muscle: Muscle) -> None:
    for place, wrap in points_inside(muscles, muscle):
        allowed = f"a place outside of it, or a range of points without number {place}"
        what = f"point {place}, counted from 0, of {muscle.name}, inside of {wrap.name}"
        raise InvalidDocument(what=what, value=muscle.points[place].point, allowed=allowed)


def _check_joint(figure: Figure, what: str, joint: str | None) -> None:
    if joint is not None and joint not in figure.joint_index:
        raise UnknownPart(kind=f"joint of {what}", id=joint, known=tuple(figure.joint_index))


def _check_dofs(figure: Figure, muscle: Muscle, dofs: Iterable[str]) -> None:
    for dof in dofs:
        if dof not in figure.coordinate_index or figure.coordinate_dof[dof].kind == "ball":
            known = tuple(each.id for each in figure.dofs if each.kind != "ball")
            raise UnknownPart(kind=f"degree of freedom of muscle {muscle.id}", id=dof, known=known)
