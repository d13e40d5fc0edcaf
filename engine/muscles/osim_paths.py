"""Paths of muscles in OpenSim's models: points that stand, that move with coordinates, or are there within a range, and
the wraps that they bend around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from engine.document import Figure
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.formats.osim_figure import OsimFigure
from engine.formats.osim_functions import Sum, composed, function_in, spline_at
from engine.formats.xml_text import Element
from engine.maths.quaternions import AXES, turned
from engine.muscles.checks import contains
from engine.muscles.osim_poses import SampledPoses
from engine.muscles.parts import MuscleWrap, PathPoint, PathWrap, PointCurve
from engine.muscles.paths import MOST_WRAPS

_POINTS = ("PathPoint", "ConditionalPathPoint", "MovingPathPoint")
_LETTERS = ("x", "y", "z")
_NEAR = 0.002  # [m] from a wrap, within which a line comes to it
_BETWEEN = 8  # points that are taken of a spline between two of its knots, where it has to be turned


class PathReading:
    """Reads the paths of one model."""

    def __init__(self, made: OsimFigure, figure: Figure, wraps: Mapping[str, MuscleWrap]) -> None:
        self._made, self._model, self._wraps = made, made.model, wraps
        self._parents = {joint.id: joint.parent for joint in figure.joints}
        self._poses = SampledPoses(figure)
        self._free = {dof.id for dof in figure.dofs if not dof.driven}

    def points(self, muscle: Element) -> list[PathPoint]:
        """The points of a muscle; those that are on no body are noted."""
        path = muscle.child("GeometryPath")
        held = None if path is None else path.child("PathPointSet")
        rows = None if held is None else held.child("objects")
        found: list[PathPoint] = []
        for each in rows.children if rows is not None else ():
            if each.tag not in _POINTS:
                self._model.notes.leave_out(f"{each.tag} of muscles", each.name, each.line)
                continue
            path_words = self._model.socket(each, "parent_frame", "body")
            place = self._made.place_of(each, path_words) if path_words else None
            if place is None:
                words = f"point {each.name} of {muscle.name} is on a body {path_words!r} that is not there; left out"
                self._model.notes.add(each.line, words)
                continue
            found.append(self._point(muscle, each, place))
        return found

    def wraps(self, muscle: Element, points: list[PathPoint]) -> list[PathWrap]:
        """The wraps of a muscle in the order in which its path meets them."""
        path = muscle.child("GeometryPath")
        held = None if path is None else path.child("PathWrapSet")
        rows = None if held is None else held.child("objects")
        found: list[tuple[float, PathWrap]] = []
        for each in rows.children if rows is not None else ():
            name = each.words("wrap_object").rsplit("/", 1)[-1]
            wrap = self._wraps.get(name)
            if wrap is None:
                words = f"muscle {muscle.name} bends around {name!r}, which is not there or is off; it passes freely"
                self._model.notes.add(each.line, words)
                continue
            for first, last in _runs(self._stretches(muscle, each, wrap, points)):
                along = first + self._poses.along(wrap, points[first], points[first + 1])
                found.append((along, PathWrap(wrap=wrap.id, first=first, last=last)))
        found.sort(key=lambda each: each[0])
        if len(found) > MOST_WRAPS:
            words = f"muscle {muscle.name} has {len(found)} wraps; the last {len(found) - MOST_WRAPS} are left out"
            self._model.notes.add(muscle.line, words)
        return [each for _, each in found[:MOST_WRAPS]]

    def _stretches(self, muscle: Element, element: Element, wrap: MuscleWrap, points: list[PathPoint]) -> list[int]:
        """Between which points, by the number of the first, a wrap is minded.

        OpenSim bends one stretch around a wrap, the one that it is in the way of, else the one that is the least
        longer for it. Here every stretch is bent that a wrap is minded in; so those are left out that never come to one
        with a side, from which they would be led around it from afar.
        """
        held, last = element.child("range"), len(points) - 1
        ends = self._model.file.numbers(held, f"the range of wrap {wrap.name}") if held is not None else ()
        start, end = (int(ends[0]), int(ends[1])) if len(ends) == 2 else (-1, -1)
        first, until = max(start - 1, 0), last if end < 1 else min(end - 1, last)
        inside = {place for place in range(first, until + 1) if _is_inside(wrap, points[place])}
        if inside:
            numbers = ", ".join(str(place + 1) for place in sorted(inside))
            words = f"muscle {muscle.name} has point {numbers} inside wrap {wrap.name}; it is not minded beside it"
            self._model.notes.add(element.line, words)
        outside = [place for place in range(first, until) if not {place, place + 1} & inside]
        crossing = [place for place in outside if self._is_minded(wrap, points[place], points[place + 1])]
        if wrap.side is None or len(crossing) < 2:
            return crossing
        clear = {place: self._poses.clearance(wrap, points[place], points[place + 1]) for place in crossing}
        nearest = min(clear.values())
        return [place for place in crossing if clear[place] <= max(nearest, _NEAR)]

    def _is_minded(self, wrap: MuscleWrap, start: PathPoint, end: PathPoint) -> bool:
        """Tell whether a wrap may be in the way between two points: on one of their bodies or between them, or where it
        is in the way on the body of both."""
        if start.joint != end.joint or start.curves or end.curves:
            return wrap.joint in self._between(start.joint, end.joint)
        return start.joint == wrap.joint and self._poses.clearance(wrap, start, end) < 0.0

    def _between(self, one: str | None, other: str | None) -> set[str | None]:
        """Two joints and those between them."""
        chains = [self._chain(one), self._chain(other)]
        shared = [each for each in chains[0] if each in chains[1]]
        return {*chains[0], *chains[1]} - set(shared[1:])

    def _chain(self, joint: str | None) -> list[str | None]:
        """A joint and those above it, the ground last."""
        found: list[str | None] = [joint]
        while (here := found[-1]) is not None:
            found.append(self._parents[here])
        return found

    def _point(self, muscle: Element, element: Element, place: tuple[str | None, Frame]) -> PathPoint:
        joint, frame = place
        what = f"of point {element.name} of muscle {muscle.name}"
        if element.tag == "MovingPathPoint":
            return self._moving(element, joint, frame, what)
        point = frame.at(self._model.vector(element, ("location",), f"the location {what}"))
        if element.tag == "PathPoint":
            return PathPoint(joint=joint, point=point)
        held = element.child("range")
        ends = self._model.file.numbers(held, f"the range {what}") if held is not None else ()
        name = self._model.socket(element, "coordinate", "coordinate").rsplit("/", 1)[-1]
        span = self._span(name, ends) if len(ends) == 2 else None
        if span is None:
            words = f"the range {what} is none of a coordinate that is there; the point is there always"
            self._model.notes.add(element.line, words)
            return PathPoint(joint=joint, point=point)
        return PathPoint(joint=joint, point=point, dof=span[0], lower=span[1], upper=span[2])

    def _span(self, coordinate: str, ends: tuple[float, ...]) -> tuple[str, float, float] | None:
        """The degree of freedom that a range is over, and its ends."""
        if coordinate not in self._model.coordinates:
            return None
        value = self._model.value_of(coordinate)
        curve = value.curves[0] if len(value.curves) == 1 else None
        if curve is None or curve.line is None or curve.coordinate not in self._free or not curve.line[0]:
            return None
        slope, start = curve.line
        lower, upper = sorted((each - start - value.constant) / slope for each in ends)
        return curve.coordinate, lower, upper

    def _moving(self, element: Element, joint: str | None, frame: Frame, what: str) -> PathPoint:
        """A point whose places are functions of coordinates."""
        sums = [self._place(element, letter, what) for letter in _LETTERS]
        constants: Vector3 = (sums[0].constant, sums[1].constant, sums[2].constant)
        x, y, z = frame.at(constants)
        columns = [turned(frame.rotation, axis) for axis in AXES]
        curves: list[PointCurve] = []
        for axis, start in enumerate((x, y, z)):
            shares = [(columns[each][axis], sums[each]) for each in range(3)]
            moved = Sum()
            for share, value in shares:
                moved = _plus(moved, value.times(share) if abs(share) > 1e-9 else Sum())
            if len(moved.curves) > 1:
                self._model.notes.add(element.line, f"{_LETTERS[axis]} {what} moves with several coordinates")
            if moved.curves:
                curve = moved.curves[0]
                knots = tuple((at, value + start) for at, value in zip(curve.at, curve.values, strict=True))
                curves.append(PointCurve(axis=axis, dof=curve.coordinate, knots=knots))
        return PathPoint(joint=joint, point=(x, y, z), curves=tuple(curves))

    def _place(self, element: Element, letter: str, what: str) -> Sum:
        """One of the places of a moving point, as a function of one coordinate that is free."""
        name = self._model.socket(element, f"{letter}_coordinate", f"{letter}_coordinate").rsplit("/", 1)[-1]
        held = element.child(f"{letter}_location")
        function = None if held is None else function_in(held)
        if function is None:
            return Sum(self._model.number(element, (f"{letter}_location",), 0.0, f"{letter} {what}"))
        names = (name,) if name in self._model.coordinates else ()
        if not names and function.tag != "Constant":
            self._model.notes.add(element.line, f"{letter} {what} moves with {name!r}, which is no coordinate")
            return Sum()
        return composed(self._model.functions.read(function, names, f"{letter} {what}"), self._model.value_of)


def _plus(one: Sum, other: Sum) -> Sum:
    """Two sums added; curves of one coordinate at the places of both, and some between these."""
    if not one.curves or not other.curves:
        return Sum(one.constant + other.constant, one.curves or other.curves)
    a, b = one.curves[0], other.curves[0]
    if a.coordinate != b.coordinate:
        return Sum(one.constant + other.constant, (*one.curves, *other.curves))
    knots = sorted({*a.at, *b.at})
    at = [knots[0]]
    for start, end in pairwise(knots):
        at.extend(start + (end - start) * part / _BETWEEN for part in range(1, _BETWEEN + 1))
    curve = a._replace(at=tuple(at), values=tuple(spline_at(a, x) + spline_at(b, x) for x in at))
    return Sum(one.constant + other.constant, (curve,))


def _is_inside(wrap: MuscleWrap, point: PathPoint) -> bool:
    return point.joint == wrap.joint and not point.curves and contains(wrap, point.point)


def _runs(stretches: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last point of stretches that follow on each other."""
    for place in stretches:
        if place - 1 not in stretches:
            last = place
            while last in stretches:
                last += 1
            yield place, last
