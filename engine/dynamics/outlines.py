"""Outlines: the rounded points and capsules that stand for the shapes of bodies in contact.

Against a plane a convex solid touches with what reaches deepest, so a body is given as points with radii: the ends of a
capsule, the corners of a box, drawn in by its rounding; an ellipsoid is one point with three radii, whose deepest place
is c - R A R^T n / |A^(1/2) R^T n| with A the squares of the radii. A loft is the hull of balls in three of its
sections (first, last, widest): two balls with the least half extent as radius, apart along the greater extent. A mesh
is given by the vertices that reach farthest in 26 directions; one of many, such as a bone, by as few of these as reach
as far within 3 mm.

Against each other bodies are capsules: themselves; the longest axis of an ellipsoid or a box; one or two along a loft.
A mesh is its box, but a bone of a skeleton: boxes around ribs overlap, and filled ones are a thousand capsules, of
which a million pairs may touch; it is one capsule, as thick as the bone is where it is thin, along its longest axis.

Limits of validity: between its sections a loft may stand out by a few millimetres from its balls; flat boxes are thin
capsules to other bodies, unless they are filled with some side by side, which rounds their edges; those of a box more
than 25 times as wide as it is thick stand apart, and what is smaller than the gaps goes through. Of one body's points
those are left out that lie well within another one.
"""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from engine.document import Box, Capsule, Ellipsoid, Joint, Loft, Shape, TriangleMesh
from engine.document.shapes import Section
from engine.maths.arrays import Array

_BESIDE = 1.15  # times the least half extent: from here on a section takes two balls
_WITHIN = 0.35  # of its radius that a point may lie from a larger one and still be left out
_FILL, _FILL_APART = 0.5, 1.0  # radius of capsules in a box, of its least half extent; how far apart, in radii
_MOST_BESIDE = 48  # capsules side by side in a box: a sheet of paper would take thousands
_BONE = 0.003  # [m] that the points of a bone may reach less far than it does
_SMALL = 0.02  # [m] radius of lofts that need no section between their ends


class Point(NamedTuple):
    """A place of a body and its radii along the body's axes [m]."""

    centre: tuple[float, float, float]
    radii: tuple[float, float, float]


class Stadium(NamedTuple):
    """A capsule in the body's frame [m]."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius: float


def is_bone(joint: Joint) -> bool:
    """Tell whether meshes are all that shows a body, as it is with bones of a skeleton."""
    return all(isinstance(shape, TriangleMesh) for shape in joint.shapes)


def points_of(joint: Joint, *, one_of_many: bool = False) -> list[Point]:
    """List the points of a body that may touch a plane, the larger radii first where one stands for another; of a mesh
    of a body that is `one_of_many` of its actor as few as reach almost as far."""
    found = [point for shape in joint.shapes for point in _points(shape, few=one_of_many)]
    kept: list[Point] = []
    for point in sorted(found, key=lambda each: -min(each.radii)):
        if not any(_covers(other, point) for other in kept):
            kept.append(point)
    return kept


def stadiums_of(joint: Joint, *, filled: bool = False, one_of_many: bool = False) -> list[Stadium]:
    """List the stadiums of a body that may touch other bodies; a box is one thin stadium, or `filled` with some. A mesh
    of a body that is `one_of_many` of its actor, such as a bone, is one stadium along it all the same."""
    found = list[Stadium]()
    for shape in joint.shapes:
        if one_of_many and isinstance(shape, TriangleMesh):
            found.append(_along(shape))
        else:
            found += _inside(shape) if filled else _stadiums(shape)
    return found


def _covers(other: Point, point: Point) -> bool:
    near = math.dist(other.centre, point.centre) <= _WITHIN * min(point.radii)
    same = other.radii == point.radii and other.centre == point.centre
    return same or (near and min(other.radii) >= max(point.radii))


def _points(shape: Shape, *, few: bool) -> list[Point]:
    if isinstance(shape, Capsule):
        return [_ball(np.array(end), shape.radius) for end in (shape.start, shape.end)]
    if isinstance(shape, Ellipsoid):
        return [Point(shape.centre, shape.radii)]
    if isinstance(shape, Box):
        half = np.array(shape.half) - shape.rounding
        corners = (np.array(shape.centre) + half * signs for signs in product((-1.0, 1.0), repeat=3))
        return [_ball(corner, shape.rounding) for corner in corners]
    if isinstance(shape, TriangleMesh):
        return _reaching(shape, within=_BONE if few else 0.0)
    return [_ball(centre, radius) for row in _balls(shape) for centre, radius in row]


def _stadiums(shape: Shape) -> list[Stadium]:
    if isinstance(shape, Capsule):
        return [Stadium(shape.start, shape.end, shape.radius)]
    if isinstance(shape, Ellipsoid | Box):
        reach = np.array(shape.radii if isinstance(shape, Ellipsoid) else shape.half)
        long = int(np.argmax(reach))
        radius = float(np.delete(reach, long).min() if isinstance(shape, Box) else np.delete(reach, long).mean())
        way = np.zeros(3)
        way[long] = reach[long] - radius if reach[long] > radius else 0.0
        return [_stadium(np.array(shape.centre) - way, np.array(shape.centre) + way, radius)]
    if isinstance(shape, TriangleMesh):
        return _stadiums(_box_around(shape))
    first, *_, last = _balls(shape)
    if len(first) != len(last):
        first, last = [_middle(first)], [_middle(last)]
    lanes = zip(first, last, strict=True)
    return [_stadium(start, end, 0.5 * (low + high)) for (start, low), (end, high) in lanes]


def _inside(shape: Shape) -> list[Stadium]:
    """Capsules along the longest axis of a box, at its faces and no further apart than their radius, as far as they are
    not too many."""
    if isinstance(shape, TriangleMesh):
        shape = _box_around(shape)
    if not isinstance(shape, Box):
        return _stadiums(shape)
    half, long = np.array(shape.half), int(np.argmax(shape.half))
    across = [axis for axis in range(3) if axis != long]
    radius = max(_FILL * float(half[across].min()), shape.rounding)
    rows = []
    for axis in across:
        reach = max(half[axis] - radius, 0.0)
        apart = min(2.0 * reach / radius, _MOST_BESIDE * _FILL_APART) if reach > 0.0 else 0.0
        count = 1 + math.ceil(apart / _FILL_APART)
        rows.append(np.linspace(-reach, reach, count))
    way = np.zeros(3)
    way[long] = half[long] - radius
    found = []
    for first, second in product(range(len(rows[0])), range(len(rows[1]))):
        if 0 < first < len(rows[0]) - 1 and 0 < second < len(rows[1]) - 1:
            continue  # others stand before it on every side
        centre = np.array(shape.centre)
        centre[across] += rows[0][first], rows[1][second]
        found.append(_stadium(centre - way, centre + way, radius))
    return found


def _box_around(mesh: TriangleMesh) -> Box:
    places = mesh.positions.array.astype(np.float64)
    low, high = places.min(axis=0), places.max(axis=0)
    centre, half = 0.5 * (low + high), np.maximum(0.5 * (high - low), 1e-6)
    return Box(half=tuple(half.tolist()), centre=tuple(centre.tolist()))


def _along(mesh: TriangleMesh) -> Stadium:
    """The capsule within the box around a mesh whose axes are those along which its vertices spread most and least."""
    places = mesh.positions.array.astype(np.float64)
    _, axes = np.linalg.eigh(np.cov(places.T))
    low, high = (places @ axes).min(axis=0), (places @ axes).max(axis=0)
    half, long = 0.5 * (high - low), int(np.argmax(high - low))
    middle, radius = axes @ (0.5 * (low + high)), float(half.min())
    way = (half[long] - radius) * axes[:, long]
    return _stadium(middle - way, middle + way, max(radius, 1e-6))


def _middle(row: list[tuple[Array, float]]) -> tuple[Array, float]:
    return np.mean([centre for centre, _ in row], axis=0), row[0][1]


def _balls(shape: Loft) -> list[list[tuple[Array, float]]]:
    """One or two balls in each section that counts, in order along the loft."""
    sections, frame = shape.sections, _frame(shape)
    least = [min(each.width, _depth(each)) for each in sections]
    widest = int(np.argmax(least))
    places = [0, len(sections) - 1] if max(least) < _SMALL else sorted({0, widest, len(sections) - 1})
    length = sections[-1].along - sections[0].along
    rows = []
    for place in places:
        section, radius = sections[place], least[place]
        inward = 0.0
        if place in (0, len(sections) - 1):
            ahead = 1.0 if place == 0 else -1.0
            cap = shape.caps[0 if place == 0 else 1]
            inward = ahead * min(radius * (1.0 - cap), 0.5 * length)
        forward = section.shift_front + 0.5 * (section.depth - (section.depth_back or section.depth))
        middle = np.array([forward, section.shift_side, section.along + inward])
        wide = section.width >= _depth(section)
        apart = max(section.width, _depth(section)) - radius
        way = np.array([0.0, apart, 0.0]) if wide else np.array([apart, 0.0, 0.0])
        locals_ = [middle - way, middle + way] if radius + apart > _BESIDE * radius else [middle]
        rows.append([(np.array(shape.origin) + local @ frame, radius) for local in locals_])
    return rows


def _depth(section: Section) -> float:
    """Half of how deep a section is from front to back."""
    return 0.5 * (section.depth + (section.depth_back or section.depth))


def _frame(shape: Loft) -> Array:
    """Front, side and axis of a loft as rows, as `engine.model.solids` draws it."""
    axis, side = np.array(shape.axis), np.array(shape.side)
    axis /= math.hypot(*axis)
    side -= (side @ axis) * axis
    side /= math.hypot(*side)
    return np.stack((np.cross(side, axis), side, axis))


def _reaching(shape: TriangleMesh, *, within: float) -> list[Point]:
    """The vertices that reach farthest along the axes, the edges and the corners of a cube, but those that reach less
    than `within` [m] farther than others."""
    places = shape.positions.array.astype(np.float64)
    ways = np.array([way for way in product((-1.0, 0.0, 1.0), repeat=3) if any(way)])
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    along = places @ ways.T
    farthest = np.argmax(along, axis=0)
    kept = sorted(set(farthest.tolist()))
    if within > 0.0:
        kept, reach = [], np.full(len(ways), -np.inf)
        while (missing := along.max(axis=0) - reach).max() > within:
            kept.append(int(farthest[np.argmax(missing)]))
            reach = np.maximum(reach, along[kept[-1]])
    return [_ball(places[each], 0.0) for each in sorted(kept)]


def _ball(centre: Array, radius: float) -> Point:
    x, y, z = centre.tolist()
    return Point((x, y, z), (radius, radius, radius))


def _stadium(start: Array, end: Array, radius: float) -> Stadium:
    (ax, ay, az), (bx, by, bz) = start.tolist(), end.tolist()
    return Stadium((ax, ay, az), (bx, by, bz), radius)
