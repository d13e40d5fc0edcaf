"""Vertices, normals and triangles of one shape, in its body's frame; `engine.model.meshes` merges them.

Lofts, capsules and ellipsoids are grids: rings of `segment_count` points around an axis, between two poles. Points run
from the first cross direction towards the second, the rings along the axis, and first x second = axis, so that
triangles are counter-clockwise seen from outside. A loft's cross-sections are joined by monotone cubics (Fritsch and
Carlson 1980, SIAM J. Numer. Anal. 17:238, with the harmonic slopes of Fritsch and Butland 1984), which never swell
beyond the sections given. A loft's normals are the means of those of the faces around a vertex, weighted by area, so
that a low cap does not darken the long faces beside its rim; the other solids' normals are exact.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.document import Box, Capsule, Ellipsoid, Loft, Shape, TriangleMesh
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross

# Segments around grow with the square root of the radius: fingers stay cheap and thighs round. Always a multiple of
# four, so that the extents along both cross directions are reached and a mirrored shape has mirrored vertices.
_RADIUS_STEP = 0.0029  # [m]
_FEWEST, _MOST = 3, 12  # quarters
# A loft's faces are this much longer along the axis than around it, where its profile does not bend more than this.
_FACE_LENGTH = 2.2
_FACE_BEND = 0.22  # [rad]


class Surface(NamedTuple):
    """One surface, closed but for meshes: positions [m] and unit normals [vertex_count, 3]; triangles [count, 3]."""

    positions: Array
    normals: Array
    triangles: NDArray[np.uint32]


def surface_of(shape: Shape) -> Surface:
    """The surface of a shape."""
    if isinstance(shape, Loft):
        return _loft(shape)
    if isinstance(shape, Capsule):
        return _capsule(shape)
    if isinstance(shape, Ellipsoid):
        return _ellipsoid(shape)
    if isinstance(shape, TriangleMesh):
        positions, normals = (blob.array.astype(np.float64) for blob in (shape.positions, shape.normals))
        return Surface(positions, normals, shape.triangles.array.astype(np.uint32))
    return _box(shape)


def segment_count(radius: float) -> int:
    """Points around a ring of that radius [m]."""
    return 4 * min(max(round(math.sqrt(radius / _RADIUS_STEP)), _FEWEST), _MOST)


@cache
def grid_triangles(ring_count: int, segments: int) -> NDArray[np.uint32]:
    """Triangles of a grid: vertex 0 is the first pole, then the rings, the last vertex is the other pole."""
    here = 1 + np.arange(ring_count * segments).reshape(ring_count, segments)
    after = np.roll(here, -1, axis=1)
    low, low_after, high, high_after = here[:-1], after[:-1], here[1:], after[1:]
    sides = np.stack((low, low_after, high_after, low, high_after, high), axis=-1).reshape(-1, 3)
    first, last = np.zeros(segments, dtype=here.dtype), np.full(segments, 1 + ring_count * segments)
    start = np.stack((first, after[0], here[0]), axis=-1)
    end = np.stack((last, here[-1], after[-1]), axis=-1)
    triangles = np.concatenate((start, sides, end)).astype(np.uint32)
    triangles.flags.writeable = False
    return triangles


@cache
def unit_circle(segments: int) -> Array:
    """(cos, sin) of the points of a ring, shape [segments, 2]; exact mirror images of each other about both axes."""
    quarter = 0.5 * np.pi * np.arange(segments // 4) / (segments // 4)
    c, s = np.cos(quarter), np.sin(quarter)
    flip = np.concatenate((s[:1], c[:0:-1]))
    other = np.concatenate((c[:1], s[:0:-1]))
    circle = np.concatenate([np.stack(p, axis=-1) for p in ((c, s), (-flip, other), (-c, -s), (flip, -other))])
    circle.flags.writeable = False
    return circle


@cache
def unit_sphere(segments: int) -> Array:
    """Grid points of the unit sphere about y, poles included, shape [vertex_count, 3]."""
    rings = segments // 2 - 1
    latitude = np.pi * (np.arange(1, rings + 1) / (rings + 1) - 0.5)
    circle = unit_circle(segments)
    radius, height = np.cos(latitude)[:, None], np.broadcast_to(np.sin(latitude)[:, None], (rings, segments))
    points = np.stack((radius * circle[:, 1], height, radius * circle[:, 0]), axis=-1).reshape(-1, 3)
    sphere = np.concatenate(([[0.0, -1.0, 0.0]], points, [[0.0, 1.0, 0.0]]))
    sphere.flags.writeable = False
    return sphere


def _ellipsoid(shape: Ellipsoid) -> Surface:
    radii = np.array(shape.radii)
    segments = segment_count(float(radii.max()))
    sphere = unit_sphere(segments)
    normals = sphere / radii
    normals /= np.sqrt((normals**2).sum(axis=1, keepdims=True))
    return Surface(sphere * radii + shape.centre, normals, grid_triangles(segments // 2 - 1, segments))


def _capsule(shape: Capsule) -> Surface:
    segments = segment_count(shape.radius)
    start, span = np.array(shape.start), np.array(shape.end) - np.array(shape.start)
    length = float(np.sqrt(span @ span))
    axis = span / length if length > 1e-12 else np.array([0.0, 1.0, 0.0])
    least = np.eye(3)[int(np.argmin(np.abs(axis)))]
    across = np.cross(axis, least)
    across /= np.sqrt(across @ across)
    sphere = unit_sphere(segments) @ np.stack((across, axis, np.cross(across, axis)))
    # The equator stands twice, once at each end.
    equator = 1 + (segments // 4 - 1) * segments
    normals = np.concatenate((sphere[: equator + segments], sphere[equator:]))
    ends = np.repeat([0.0, 1.0], (equator + segments, len(sphere) - equator))
    positions = shape.radius * normals + start + ends[:, None] * span
    if length <= 1e-12:
        return Surface(shape.radius * sphere + start, sphere, grid_triangles(segments // 2 - 1, segments))
    return Surface(positions, normals, grid_triangles(segments // 2, segments))


def _box(shape: Box) -> Surface:
    """Six grids, one per face, each with its own vertices: a sharp edge has two normals. Rounded edges meet exactly."""
    half, rounding = np.array(shape.half), shape.rounding
    arcs = max(2, segment_count(rounding) // 8) if rounding > 0.0 else 0
    bend = np.tan(0.25 * np.pi * np.arange(1, arcs + 1) / max(arcs, 1)) * rounding
    bend[arcs - 1 :] = rounding
    lines = [np.unique(np.concatenate((-(inner + bend), [-inner, inner], inner + bend))) for inner in half - rounding]
    found: list[Surface] = []
    total = 0
    for face in range(6):
        out, sign = face // 2, 1.0 if face % 2 else -1.0
        first, second = (out + 1) % 3, (out + 2) % 3
        if sign < 0.0:
            first, second = second, first
        grid = np.empty((len(lines[first]), len(lines[second]), 3))
        grid[..., out], grid[..., first] = sign * half[out], lines[first][:, None]
        grid[..., second] = lines[second]
        found.append(_box_face(grid.reshape(-1, 3), grid.shape[1], half - rounding, rounding, (out, sign), total))
        total += len(found[-1].positions)
    positions, normals, triangles = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Surface(positions + shape.centre, normals, triangles.astype(np.uint32))


def _box_face(grid: Array, row: int, inner: Array, rounding: float, out: tuple[int, float], start: int) -> Surface:
    core = np.clip(grid, -inner, inner)
    if rounding > 0.0:
        normals = grid - core
        normals /= np.sqrt((normals**2).sum(axis=1, keepdims=True))
    else:
        normals = np.zeros_like(grid)
        normals[:, out[0]] = out[1]
    index = start + np.arange(len(grid)).reshape(-1, row)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    triangles = np.stack((a, b, c, a, c, d), axis=-1).reshape(-1, 3)
    return Surface(core + rounding * normals, normals, triangles.astype(np.uint32))


def _loft(shape: Loft) -> Surface:
    rows = np.array(
        [
            (each.width, each.depth, each.depth_back or each.depth, each.shift_side, each.shift_front, each.squareness)
            for each in shape.sections
        ]
    )
    along = np.array([section.along for section in shape.sections])
    segments = segment_count(float(rows[:, :3].mean(axis=1).max()))
    places, height, scale = _ring_places(along, rows, shape.caps, segments)
    width, front, back, shift_side, shift_front, squareness = monotone_cubic(along, rows, places).T[..., None]
    cosine, sine = unit_circle(segments).T
    power = 1.0 - squareness
    forward = np.copysign(np.abs(cosine) ** power, cosine) * np.where(cosine < 0.0, back, front) * scale
    sideways = np.copysign(np.abs(sine) ** power, sine) * width * scale
    axis, side = np.array(shape.axis), np.array(shape.side)
    axis /= np.sqrt(axis @ axis)
    side -= (side @ axis) * axis
    side /= np.sqrt(side @ side)
    frame = np.stack((cross(side, axis), side, axis))
    local = np.empty((len(places), segments, 3))
    local[..., 0], local[..., 1], local[..., 2] = (
        shift_front + forward,
        shift_side + sideways,
        (places + height)[:, None],
    )
    grid = local @ frame + np.array(shape.origin)
    normals = _grid_normals(grid)
    positions = np.concatenate((grid[0, :1], grid[1:-1].reshape(-1, 3), grid[-1, :1]))
    return Surface(positions, normals, grid_triangles(len(places) - 2, segments))


def _ring_places(along: Array, rows: Array, caps: tuple[float, float], segments: int) -> tuple[Array, Array, Array]:
    """Compute of every ring, poles included, its place along the axis, its height beyond that, its scale."""
    mean = rows[:, :3].mean(axis=1)
    length = along[1:] - along[:-1]
    target = _FACE_LENGTH * np.pi * (mean[1:] + mean[:-1]) / segments
    profiles = rows[:, :3] + rows[:, [3, 4, 4]] * (1.0, 1.0, -1.0)
    slant = np.arctan((profiles[1:] - profiles[:-1]) / length[:, None])
    bend = np.zeros(len(along))
    bend[1:-1] = np.abs(slant[1:] - slant[:-1]).max(axis=1)
    counts = np.ceil(np.maximum(length / target, 0.5 * (bend[1:] + bend[:-1]) / _FACE_BEND) - 0.25).astype(int)
    counts = np.maximum(1, counts)
    steps = np.concatenate(([0], np.cumsum(counts)))
    middle = np.interp(np.arange(steps[-1] + 1), steps, along)
    least = rows[:, :3].min(axis=1)
    widening = (mean[1:] - mean[:-1]) / length
    start_height, start_scale = _cap(caps[0] * least[0], mean[0], widening[0], segments)
    end_height, end_scale = _cap(caps[1] * least[-1], mean[-1], -widening[-1], segments)
    return (
        np.concatenate((np.full(len(start_height), along[0]), middle, np.full(len(end_height), along[-1]))),
        np.concatenate((-start_height[::-1], np.zeros(len(middle)), end_height)),
        np.concatenate((start_scale[::-1], np.ones(len(middle)), end_scale))[:, None],
    )


def _cap(height: float, radius: float, widening: float, segments: int) -> tuple[Array, Array]:
    """Heights and scales of the rings of a rounded end, the pole last.

    The profile is the part of an ellipse that leaves the last section at the slope with which the loft arrives there,
    `widening` being the growth of its radius per length going back from the end.
    """
    slant = min(max(widening, 0.0) * height / radius, 0.45)
    begin = slant / (1.0 - slant)
    count = segments // 8 + 1
    first = math.asin(begin)
    angle = first + (0.5 * np.pi - first) * np.arange(1, count + 1) / count
    scale = np.cos(angle) / math.cos(first)
    scale[-1] = 0.0
    return height * (np.sin(angle) - begin) / (1.0 - begin), scale


def monotone_cubic(x: Array, values: Array, at: Array) -> Array:
    """Each column of `values`, shape [knot_count, column_count], interpolated at the places `at`."""
    step = (x[1:] - x[:-1])[:, None]
    secant = (values[1:] - values[:-1]) / step
    slope = np.empty_like(values)
    slope[0], slope[-1] = secant[0], secant[-1]
    before, after = secant[:-1], secant[1:]
    product = before * after
    left, right = 2.0 * step[1:] + step[:-1], step[1:] + 2.0 * step[:-1]
    rising = product > 0.0
    divisor = np.where(rising, left * after + right * before, 1.0)
    slope[1:-1] = np.where(rising, (left + right) * product / divisor, 0.0)
    piece = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    h = step[piece]
    t = ((at - x[piece])[:, None]) / h
    rest = 1.0 - t
    low = (1.0 + 2.0 * t) * rest**2 * values[piece] + t * rest**2 * h * slope[piece]
    high = t**2 * (3.0 - 2.0 * t) * values[piece + 1] - t**2 * rest * h * slope[piece + 1]
    return np.asarray(low + high)


def _grid_normals(grid: Array) -> Array:
    """Area-weighted vertex normals of a grid whose first and last rings are each one point."""
    after = np.concatenate((grid[:, 1:], grid[:, :1]), axis=1)
    faces = cross(after[1:] - grid[:-1], grid[1:] - after[:-1])
    around = faces + np.concatenate((faces[:, -1:], faces[:, :-1]), axis=1)
    inside = (around[:-1] + around[1:]).reshape(-1, 3)
    normals = np.concatenate((faces[:1].sum(axis=1), inside, faces[-1:].sum(axis=1)))
    return np.asarray(normals / np.sqrt((normals**2).sum(axis=1, keepdims=True)))
