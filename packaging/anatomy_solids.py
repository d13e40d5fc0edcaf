"""Bones as solids: tubes, blobs and plates joined smoothly, hollows cut out, polygonised by surface nets.

Every bone of the anatomy figure is written in these few words, in its own frame, by hand; no surface of others went
into them. A tube is a chain of cones with round ends about a curve through given points; a blob is an ellipsoid; a
plate is a fan of triangles with round edges. The signed distance of tubes and plates is about exact, that of a blob
good near its surface; the surface is put onto the zero of the whole by a few steps along its gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from engine.maths.arrays import Array, IntArray
from resources.skins.surfaces import project, relax, surface_net

Point = tuple[float, float, float]
Distance = Callable[[Array], Array]
_MIRROR = np.array((-1.0, 1.0, 1.0))
_STEP = 1e-5  # [m] of the differences that give a gradient


@dataclass(frozen=True)
class Piece:
    """One solid of a bone; `cut`: it is taken away."""

    distance: Distance
    low: Array  # [m] corner of its box
    high: Array
    blend: float | None = None  # [m] of the smooth union with those before; None: the bone's own
    cut: bool = False


def tube(points: Sequence[Point], radii: Sequence[float] | float, *, flat: Point | None = None, squash: float = 1.0,
         blend: float | None = None, steps: int = 4) -> Piece:  # fmt: skip
    """A tube about a smooth curve through some points; across `flat` it is `squash` times as thick."""
    places = np.array(points, dtype=float)
    sizes = np.broadcast_to(np.array(radii, dtype=float), len(places))
    if len(places) > 2:
        places, sizes = _finer(places, sizes, steps)
    shear = np.eye(3)
    if flat is not None:
        across = np.array(flat) / np.linalg.norm(flat)
        shear += (1.0 / squash - 1.0) * np.outer(across, across)
    a, b = places[:-1] @ shear, places[1:] @ shear
    squared = np.maximum(((b - a) ** 2).sum(axis=1), 1e-18)

    def distance(at: Array) -> Array:
        best = np.full(len(at), np.inf)
        sheared = at @ shear
        for start, way, norm, first, last in zip(a, b - a, squared, sizes[:-1], sizes[1:], strict=True):
            along = np.clip((sheared - start) @ way / norm, 0.0, 1.0)
            gap = np.linalg.norm(sheared - start - along[:, None] * way, axis=1)
            np.minimum(best, gap - (first + along * (last - first)), out=best)
        return best * min(squash, 1.0)

    reach = sizes.max() * max(squash, 1.0)
    return Piece(distance, places.min(axis=0) - reach, places.max(axis=0) + reach, blend)


def blob(centre: Point, radii: Point | float, *, turn: Sequence[tuple[str, float]] = (), cut: bool = False,
         blend: float | None = None) -> Piece:  # fmt: skip
    """An ellipsoid, turned about axes by degrees one after the other."""
    middle = np.array(centre, dtype=float)
    sizes = np.broadcast_to(np.array(radii, dtype=float), 3).copy()
    frame = np.eye(3)
    for axis, degrees in turn:
        frame = frame @ _turn("xyz".index(axis), np.radians(degrees))

    def distance(at: Array) -> Array:
        local = (at - middle) @ frame
        first = np.linalg.norm(local / sizes, axis=1)
        second = np.maximum(np.linalg.norm(local / sizes**2, axis=1), 1e-12)
        return np.asarray(first * (first - 1.0) / second)

    reach = np.sqrt((frame**2) @ sizes**2)
    return Piece(distance, middle - reach, middle + reach, blend, cut)


def plate(points: Sequence[Point], thickness: float, *, blend: float | None = None) -> Piece:
    """A sheet over a fan of triangles about the first point, as thick as that [m], its edges round."""
    corners = np.array(points, dtype=float)
    fan = [(corners[0], corners[each], corners[each + 1]) for each in range(1, len(corners) - 1)]

    def distance(at: Array) -> Array:
        return np.asarray(np.min([_to_triangle(at, *each) for each in fan], axis=0) - 0.5 * thickness)

    half = 0.5 * thickness
    return Piece(distance, corners.min(axis=0) - half, corners.max(axis=0) + half, blend)


def cut(piece: Piece, blend: float | None = None) -> Piece:
    """A piece that is taken away."""
    return replace(piece, cut=True, blend=blend if blend is not None else piece.blend)


def both(*pieces: Piece) -> list[Piece]:
    """Pieces with their mirror images across x = 0."""
    found = []
    for piece in pieces:
        low, high = piece.high * _MIRROR, piece.low * _MIRROR
        other = Piece(
            _mirrored(piece.distance),
            np.minimum(low, high),
            np.maximum(low, high),
            piece.blend,
            piece.cut,
        )
        found += [piece, other]
    return found


def surface(pieces: Sequence[Piece], cell: float, blend: float) -> tuple[Array, Array, IntArray]:
    """Vertices, normals and triangles of the union of pieces, on a grid of that cell [m]."""
    solid = [piece for piece in pieces if not piece.cut]
    low = np.min([piece.low for piece in solid], axis=0) - 2.5 * cell
    high = np.max([piece.high for piece in solid], axis=0) + 2.5 * cell
    # The grid lies as the mirror image of itself, where the bone does.
    first, last = np.floor(low / cell).astype(int), np.ceil(high / cell).astype(int)
    x, y, z = (cell * (np.arange(a, b + 1) + 0.5) for a, b in zip(first, last, strict=True))
    at = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)

    field = union(pieces, blend)
    points, triangles = surface_net(field(at).reshape(len(x), len(y), len(z)), (x, y, z))
    for share in (0.5, 0.5, 0.3):
        points = relax(points, triangles, share)
        for _ in range(2):
            points = project(points, gradient_of(field, points), field)
    return points, gradient_of(field, points), triangles


def union(pieces: Sequence[Piece], blend: float) -> Distance:
    """The signed distance [m] of pieces together, which is 1 far from all."""

    def field(points: Array) -> Array:
        found = np.full(len(points), 1.0)
        for piece in pieces:
            width = piece.blend if piece.blend is not None else blend
            near = ((points > piece.low - 0.02) & (points < piece.high + 0.02)).all(axis=1)
            mine = piece.distance(points[near])
            if piece.cut:
                found[near] = -_joined(-found[near], mine, width)
            else:
                found[near] = _joined(found[near], mine, width)
        return found

    return field


def volume_of(points: Array, triangles: IntArray) -> float:
    """The volume inside a closed surface [m3]."""
    a, b, c = (points[triangles[:, each]] for each in range(3))
    return float(np.einsum("ta,ta->t", a, np.cross(b, c)).sum() / 6.0)


def _joined(a: Array, b: Array, width: float) -> Array:
    if width <= 0.0:
        return np.minimum(a, b)
    return np.asarray(np.minimum(a, b) - np.maximum(width - np.abs(a - b), 0.0) ** 2 / (4.0 * width))


def _mirrored(distance: Distance) -> Distance:
    return lambda at: distance(at * _MIRROR)


def gradient_of(field: Distance, points: Array) -> Array:
    """The directions in which a distance grows most, of length 1."""
    found = np.stack([field(points + _STEP * axis) - field(points - _STEP * axis) for axis in np.eye(3)], axis=1)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12))


def _finer(places: Array, sizes: Array, steps: int) -> tuple[Array, Array]:
    """A curve through points, `steps` pieces between two of them."""
    at = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))))
    slopes = np.gradient(places, at, axis=0)
    fine = np.interp(np.arange(steps * (len(at) - 1) + 1) / steps, np.arange(len(at)), at)
    return CubicHermiteSpline(at, places, slopes)(fine), np.interp(fine, at, sizes)


def _turn(axis: int, angle: float) -> Array:
    one, other = (axis + 1) % 3, (axis + 2) % 3
    found = np.eye(3)
    found[one, one] = found[other, other] = np.cos(angle)
    found[one, other], found[other, one] = -np.sin(angle), np.sin(angle)
    return found


def _to_triangle(at: Array, a: Array, b: Array, c: Array) -> Array:
    """Distance of points to a triangle (Quilez)."""
    normal = np.cross(b - a, a - c)
    squares = []
    outside = np.zeros(len(at), dtype=bool)
    for start, end in ((a, b), (b, c), (c, a)):
        way, gap = end - start, at - start
        outside |= gap @ np.cross(way, normal) < 0.0
        along = np.clip(gap @ way / (way @ way), 0.0, 1.0)
        squares.append(((gap - along[:, None] * way) ** 2).sum(axis=1))
    above = ((at - a) @ normal) ** 2 / (normal @ normal)
    return np.sqrt(np.where(outside, np.min(squares, axis=0), above))
