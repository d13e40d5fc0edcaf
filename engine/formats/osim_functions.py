"""Functions of coordinates in OpenSim's models, as sums of cubic splines of one coordinate each.

`SimmSpline` and what it was called before, `Constant`, `LinearFunction` and `MultiplierFunction` are exact: splines are
those of `engine.maths.splines`, which go straight on beyond their ends as OpenSim's do. `PolynomialFunction` is exact
up to the third degree within the range of its coordinate. Of others, points are taken that lie close enough together
to be the same to the eye: `PiecewiseLinearFunction` gets round corners, `Sine` and higher polynomials end at the range.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from engine.formats.model_notes import ModelNotes
from engine.formats.xml_text import Element, XmlFile

SPLINES = ("SimmSpline", "NaturalCubicSpline", "natCubicSpline", "GCVSpline")
FUNCTIONS = (*SPLINES, "Constant", "LinearFunction", "MultiplierFunction", "PolynomialFunction")
TAKEN_AT_POINTS = ("PiecewiseLinearFunction", "Sine")
_POINTS = 33  # over the range of a coordinate
_PARTS = 8  # of a straight piece
_WIDE = 2.0 * math.pi  # over which points are taken where a coordinate has no range


class DrivingCurve(NamedTuple):
    """A cubic spline of one coordinate, straight beyond its ends."""

    coordinate: str
    at: tuple[float, ...]
    values: tuple[float, ...]

    @property
    def line(self) -> tuple[float, float] | None:
        """Its slope and its value at 0 where it is a straight line."""
        if len(self.at) != 2:
            return None
        slope = (self.values[1] - self.values[0]) / (self.at[1] - self.at[0])
        return slope, self.values[0] - slope * self.at[0]


class Sum(NamedTuple):
    """A constant and curves, of a coordinate each, added together."""

    constant: float = 0.0
    curves: tuple[DrivingCurve, ...] = ()

    def times(self, factor: float) -> Sum:
        """The sum made larger or smaller."""
        curves = (each._replace(values=tuple(factor * value for value in each.values)) for each in self.curves)
        return Sum(factor * self.constant, tuple(curves) if factor else ())

    def value(self, coordinates: dict[str, float]) -> float:
        """Add it up for values of the coordinates."""
        return self.constant + sum(spline_at(each, coordinates[each.coordinate]) for each in self.curves)


Ranges = Callable[[str], tuple[float, float]]


def line_of(coordinate: str, slope: float = 1.0) -> DrivingCurve:
    """A curve that is a coordinate times a number."""
    return DrivingCurve(coordinate, (0.0, 1.0), (0.0, slope))


def spline_at(curve: DrivingCurve, x: float) -> float:
    """The value of a curve."""
    from engine.maths.splines import spline_value

    return spline_value(curve.at, curve.values, x)


def function_in(element: Element) -> Element | None:
    """Find the function that an element holds, directly or in a `function` of its own."""
    inside = element.child("function")
    held = element.children if inside is None or not inside.children else inside.children
    return next((each for each in held if each.tag[:1].isupper() or each.tag in SPLINES), None)


class FunctionReading:
    """Reads the functions of one file."""

    def __init__(self, file: XmlFile, notes: ModelNotes, ranges: Ranges) -> None:
        self._file, self._notes, self._ranges = file, notes, ranges

    def read(self, function: Element, coordinates: tuple[str, ...], what: str) -> Sum:
        """Read a function of some coordinates; one that is not known, or has no sound numbers, is 0 and noted."""
        tag = function.tag
        if tag == "Constant":
            value = function.child("value")
            return Sum(self._file.number(value, f"the constant of {what}") if value else 0.0)
        if tag == "MultiplierFunction":
            inside, scale = function_in(function), function.child("scale")
            factor = self._file.number(scale, f"the scale of {what}") if scale else 1.0
            return Sum() if inside is None else self.read(inside, coordinates, what).times(factor)
        if tag == "LinearFunction":
            return self._linear(function, coordinates, what)
        if len(coordinates) != 1 or tag not in (*FUNCTIONS, *TAKEN_AT_POINTS):
            of = "" if len(coordinates) == 1 else f" of {len(coordinates)} coordinates"
            self._notes.add(function.line, f"{what} is a {tag}{of}, which Sinew does not know; taken as 0")
            return Sum()
        if tag in SPLINES or tag == "PiecewiseLinearFunction":
            return self._through_points(function, coordinates[0], what)
        if tag == "PolynomialFunction":
            return self._polynomial(function, coordinates[0], what)
        return self._sine(function, coordinates[0], what)

    def _numbers(self, function: Element, tag: str, what: str) -> tuple[float, ...]:
        found = function.child(tag)
        return () if found is None else self._file.numbers(found, f"a number of {what}")

    def _linear(self, function: Element, coordinates: tuple[str, ...], what: str) -> Sum:
        found = self._numbers(function, "coefficients", what) or (1.0, 0.0)
        if len(found) != len(coordinates) + 1:
            if any(found[:-1]):
                words = f"{len(found)} coefficients for {len(coordinates)} coordinates"
                self._notes.add(function.line, f"{what} has {words}; taken as 0")
                return Sum()
            return Sum(found[-1])
        slopes = zip(coordinates, found, strict=False)
        return Sum(found[-1], tuple(line_of(coordinate, slope) for coordinate, slope in slopes if slope))

    def _through_points(self, function: Element, coordinate: str, what: str) -> Sum:
        at, values = self._numbers(function, "x", what), self._numbers(function, "y", what)
        if len(at) != len(values) or not at or any(b <= a for a, b in pairwise(at)):
            found = (
                f"{len(at)} places and {len(values)} values" if len(at) != len(values) else "places that do not rise"
            )
            self._notes.add(function.line, f"{what} has {found if at else 'no points'}; taken as 0")
            return Sum()
        if len(set(values)) == 1:
            return Sum(values[0])
        if function.tag == "PiecewiseLinearFunction":
            self._notes.add(function.line, f"{what} is a polyline; its corners are rounded")
            return Sum(0.0, (DrivingCurve(coordinate, *_divided(at, values)),))
        if function.tag == "GCVSpline":
            self._notes.add(function.line, f"{what} is a GCVSpline; taken as a cubic spline through its points")
        return Sum(0.0, (DrivingCurve(coordinate, at, values),))

    def _polynomial(self, function: Element, coordinate: str, what: str) -> Sum:
        found = self._numbers(function, "coefficients", what)
        if not any(found[:-1]):
            return Sum(found[-1] if found else 0.0)
        count = 4 if len(found) <= 4 else _POINTS

        def value(x: float) -> float:
            total = 0.0
            for each in found:
                total = total * x + each
            return total

        return self._at_points(coordinate, value, count)

    def _sine(self, function: Element, coordinate: str, what: str) -> Sum:
        numbers = {tag: self._numbers(function, tag, what) for tag in ("amplitude", "omega", "phase", "offset")}
        size, rate, phase, offset = (found[0] if found else 0.0 for found in numbers.values())
        return self._at_points(coordinate, lambda x: size * math.sin(rate * x + phase) + offset, _POINTS)

    def _at_points(self, coordinate: str, value: Callable[[float], float], count: int) -> Sum:
        lower, upper = self._ranges(coordinate)
        if not lower < upper <= lower + 100.0 * _WIDE:
            lower, upper = -0.5 * _WIDE, 0.5 * _WIDE
        at = tuple(lower + (upper - lower) * place / (count - 1) for place in range(count))
        return Sum(0.0, (DrivingCurve(coordinate, at, tuple(map(value, at))),))


def composed(outer: Sum, inner: Callable[[str], Sum]) -> Sum:
    """A sum of curves of coordinates that are sums of curves of others, themselves: exact where either is a line."""
    constant, found = outer.constant, list[DrivingCurve]()
    for curve in outer.curves:
        value = inner(curve.coordinate)
        if curve.line is not None:
            slope, start = curve.line
            scaled = value.times(slope)
            constant += start + scaled.constant
            found.extend(scaled.curves)
        elif not value.curves:
            constant += spline_at(curve, value.constant)
        else:
            found.append(_through(curve, value))
    return Sum(constant, tuple(_added(found)))


def _through(curve: DrivingCurve, value: Sum) -> DrivingCurve:
    """A spline of a coordinate that follows another one; of several that it follows, the first alone counts."""
    driver = value.curves[0]
    if driver.line is not None:
        slope, start = driver.line
        places = [(at - start - value.constant) / slope for at in curve.at]
        pairs = sorted(zip(places, curve.values, strict=True))
        return DrivingCurve(driver.coordinate, tuple(at for at, _ in pairs), tuple(each for _, each in pairs))
    lower, upper = driver.at[0], driver.at[-1]
    at = tuple(lower + (upper - lower) * place / (2 * _POINTS) for place in range(2 * _POINTS + 1))
    values = tuple(spline_at(curve, value.constant + spline_at(driver, x)) for x in at)
    return DrivingCurve(driver.coordinate, at, values)


def _added(curves: Iterable[DrivingCurve]) -> list[DrivingCurve]:
    """One curve for each coordinate: those of the same one are added, at the places of all."""
    found: dict[str, DrivingCurve] = {}
    for curve in curves:
        other = found.get(curve.coordinate)
        if other is None:
            found[curve.coordinate] = curve
            continue
        at = tuple(sorted({*other.at, *curve.at}))
        values = tuple(spline_at(other, x) + spline_at(curve, x) for x in at)
        found[curve.coordinate] = DrivingCurve(curve.coordinate, at, values)
    return list(found.values())


def _divided(at: tuple[float, ...], values: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """More points on a polyline, so that a spline through them stays on it but near its corners."""
    places, found = [at[0]], [values[0]]
    for (a, u), (b, v) in pairwise(zip(at, values, strict=True)):
        for part in range(1, _PARTS + 1):
            places.append(b if part == _PARTS else a + (b - a) * part / _PARTS)
            found.append(v if part == _PARTS else u + (v - u) * part / _PARTS)
    return tuple(places), tuple(found)
