"""Smooth surfaces of toys: stools, tables, snakes, lizards, arms; each fits the coarse cells that carry it.

x is ahead, y up; a surface stands in the frame of its cells.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.document.values import Vector3
from engine.maths.arrays import Array, IntArray
from engine.soft.curves import sample_curve
from engine.soft.forms import ball, box, capsule, ellipsoid, extruded, join, surface_of, together, tube

Surface = tuple[Array, IntArray]
_SLENDER = 12.0


def cube_surface(size: Vector3, *, rounding: float = 0.15, along: int = 16) -> Surface:
    """Make a box about the origin with edges as round as a share of its shortest side, `along` vertices its longest."""
    x, y, z = size
    half = (0.5 * x, 0.5 * y, 0.5 * z)
    form = partial(box, middle=(0.0, 0.0, 0.0), half=half, rounding=rounding * min(size))
    return surface_of(form, (-half[0], -half[1], -half[2]), half, _spacing(size, along))


def stool_surface(side: float, height: float, leg: float, seat: float, spacing: float) -> Surface:
    """Make a stool that stands at y = 0: a square seat, as thick as `seat`, on four legs in its corners."""
    half, inner = 0.5 * side, 0.5 * (side - leg)

    def form(points: Array) -> Array:
        own = np.abs(points) * (1.0, 0.0, 1.0) + points * (0.0, 1.0, 0.0)
        top = box(own, (0.0, height - 0.5 * seat, 0.0), (half, 0.5 * seat, half), 0.42 * seat)
        tall = height - 0.3 * seat
        foot = box(own, (inner, 0.5 * tall, inner), (0.5 * leg, 0.5 * tall, 0.5 * leg), 0.3 * leg)
        return join(top, foot, 0.7 * leg)

    return surface_of(form, (-half, 0.0, -half), (half, height, half), spacing)


def table_surface(
    length: float, height: float, leg: float, inset: float, top: float, thick: float, spacing: float
) -> Surface:
    """Make a planar table about x = 0 that stands at y = 0: a top on two legs, each `inset` from its end."""
    half, tall = 0.5 * length, height - 0.3 * top
    middle = half - inset - 0.5 * leg

    def form(points: Array) -> Array:
        flat = np.stack((np.abs(points[:, 0]), points[:, 1], np.zeros(len(points))), axis=1)
        board = box(flat, (0.0, height - 0.5 * top, 0.0), (half, 0.5 * top, 1e3), 0.4 * top)
        foot = box(flat, (middle, 0.5 * tall, 0.0), (0.5 * leg, 0.5 * tall, 1e3), 0.3 * leg)
        return extruded(join(board, foot, 0.5 * leg), points[:, 2], 0.5 * thick, 0.2 * min(thick, top))

    return surface_of(form, (-half, 0.0, -0.5 * thick), (half, height, 0.5 * thick), spacing)


def snake_surface(length: float, radius: float, spacing: float) -> Surface:
    """Make a snake about the origin, its belly at y = -radius: a tail that ends thin, a neck, a head with eyes."""
    shares = np.array((-0.48, -0.38, -0.24, -0.05, 0.15, 0.3, 0.38, 0.44))
    radii = radius * np.array((0.34, 0.52, 0.76, 0.9, 0.92, 0.8, 0.64, 0.58))
    line = _line(length * shares, radii - radius, radii)
    nose = 0.5 * length - 1.3 * radius

    def form(points: Array) -> Array:
        head = ellipsoid(points, (nose, -0.3 * radius, 0.0), (1.3 * radius, 0.68 * radius, 0.98 * radius))
        return join(tube(points, line), head, 0.7 * radius)

    half = 0.5 * length
    body = surface_of(form, (-half, -radius, -radius), (half, radius, radius), spacing)
    return together(body, *_eyes((nose + 0.3 * radius, 0.16 * radius, 0.52 * radius), 0.25 * radius))


def lizard_surface(side: float, feet: tuple[float, float], spacing: float) -> Surface:
    """Make a lizard that lies at y = 0, 12 cells of a side long: a flat back, and legs at two places along it."""
    shares = np.array((-5.75, -5.0, -3.5, -2.0, 0.5, 2.2, 3.4, 4.2))
    radii = side * np.array((0.24, 0.34, 0.52, 0.8, 0.97, 0.92, 0.7, 0.66))
    line, flat = _line(side * shares, np.zeros(len(shares)), radii), 2.0

    def form(points: Array) -> Array:
        own = points * (1.0, 1.0, 0.0) + np.abs(points) * (0.0, 0.0, 1.0) - (0.0, 0.49 * side, 0.0)
        low = own * (1.0, flat, 1.0)
        head = ellipsoid(low, (4.85 * side, 0.0, 0.0), (1.12 * side, 0.94 * side, 0.84 * side))
        body = join(tube(low, line), head, 0.5 * side) / flat
        for foot in feet:
            leg = capsule(own, (foot, 0.0, 0.4 * side), (foot, -0.1 * side, 2.5 * side), 0.36 * side, 0.27 * side)
            sole = ellipsoid(
                own, (foot + 0.12 * side, -0.22 * side, 2.6 * side), (0.5 * side, 0.26 * side, 0.38 * side)
            )
            body = join(body, join(leg, sole, 0.2 * side), 0.5 * side)
        return body

    far = 6.0 * side
    body = surface_of(form, (-far, 0.0, -3.0 * side), (far, side, 3.0 * side), spacing)
    return together(body, *_eyes((5.3 * side, 0.83 * side, 0.42 * side), 0.17 * side))


def arm_surface(length: float, width: float, spacing: float) -> Surface:
    """Make an arm along x about the origin, the elbow in its middle: shoulder, biceps above, forearm, a fist."""
    unit, half = width, 0.5 * length
    shares = np.array((-0.4, -0.28, -0.12, 0.0, 0.14, 0.26, 0.36))
    radii = unit * np.array((0.48, 0.42, 0.38, 0.34, 0.4, 0.34, 0.25))
    line = _line(length * shares, np.zeros(len(shares)), radii)

    def form(points: Array) -> Array:
        biceps = ellipsoid(points, (-0.2 * length, 0.14 * unit, 0.0), (0.14 * length, 0.35 * unit, 0.36 * unit))
        found = join(tube(points, line), biceps, 0.2 * unit)
        fist = box(points, (half - 0.36 * unit, 0.02 * unit, 0.0), (0.36 * unit, 0.38 * unit, 0.3 * unit), 0.27 * unit)
        thumb = capsule(
            points, (half - 0.66 * unit, 0.2 * unit, 0.2 * unit), (half - 0.26 * unit, 0.34 * unit, 0.16 * unit),
            0.13 * unit, 0.12 * unit,
        )  # fmt: skip
        return join(join(found, fist, 0.25 * unit), thumb, 0.08 * unit)

    return surface_of(form, (-half, -0.5 * unit, -0.5 * unit), (half, 0.5 * unit, 0.5 * unit), spacing)


def cylinder_surface(radius: float, length: float, axis: int, *, along: int = 18) -> Surface:
    """Make a cylinder with round edges about the origin, along an axis; so many vertices on its longest side."""

    def form(points: Array) -> Array:
        own = np.roll(points, 2 - axis, axis=1)
        return extruded(np.hypot(own[:, 0], own[:, 1]) - radius, own[:, 2], 0.5 * length, 0.3 * min(radius, length))

    sizes = np.full(3, radius)
    sizes[axis] = 0.5 * length
    x, y, z = sizes.tolist()
    return surface_of(form, (-x, -y, -z), (x, y, z), _spacing((2.0 * x, 2.0 * y, 2.0 * z), along))


def is_compact(size: Vector3) -> bool:
    """Tell whether a body of that size is thick enough everywhere for round edges to be drawn of few vertices."""
    return min(size) > 0.0 and max(size) <= _SLENDER * min(size)


def _spacing(size: Vector3, along: int) -> float:
    return min(max(size) / along, min(size) / 4.0)


def _line(along: Array, height: Array, radii: Array) -> Array:
    """Sample a tube smoothly: x, y and its radius."""
    return sample_curve(np.stack((along, height, radii), axis=1), "catmull-rom", 4 * len(along))


def _eyes(middle: Vector3, radius: float) -> tuple[Surface, Surface]:
    """Make two balls, to both sides of z = 0."""
    points, faces = surface_of(partial(ball, middle=(0.0, 0.0, 0.0), radius=1.0), (-1.0,) * 3, (1.0,) * 3, 0.6)
    left, right = (np.array(middle) * (1.0, 1.0, side) + radius * points for side in (-1.0, 1.0))
    return (left, faces), (right, faces)
