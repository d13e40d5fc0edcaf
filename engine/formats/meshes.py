"""Conversion of a mesh file's polygons to a Surface: checked, cut into triangles, in metres with y up.

Numbers that are not finite and indices out of range are refused, since a picture of them would lie. Triangles with a
repeated corner or without area are dropped and counted. A polygon is cut as a fan from its first corner where that
covers it, else by clipping ears; files of these formats state no unit (taken as 1 m) and no upward axis (taken as y)
unless `Options` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document.values import IDENTITY
from engine.formats.conventions import unit_of, upright
from engine.formats.format import Contents, FileMesh, Options
from engine.formats.polygon_kernels import find_ears
from engine.formats.text import LARGEST, counted
from engine.maths.arrays import Array, LongArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime import progress
from engine.runtime.errors import UnreadableFile, printable

USUAL_UNIT = 1.0  # [m]
MOST_CORNERS = 2_000  # of one polygon
MOST_TRIANGLES = 2_000_000  # of all surfaces of a file together, so that the window can draw them
MOST_VERTICES = 3 * MOST_TRIANGLES

_FLAT = 1e-24  # of a squared double area beside the fourth power of the longest side


def check_counts(path: Path, vertices: int, triangles: int) -> None:
    """Refuse a file that holds more of them, in all its surfaces together, than can be drawn."""
    for count, most, what in ((vertices, MOST_VERTICES, "vertices"), (triangles, MOST_TRIANGLES, "triangles")):
        if count > most:
            remedy = f"Reduce it to {most:,} or fewer in a program for meshes."
            raise UnreadableFile(path=path, found=f"meshes of {count:,} {what} or more", remedy=remedy)


def check_points(path: Path, points: Array, what: str, line: int | None = None) -> None:
    """Refuse numbers that are not finite or of no sane size."""
    bad = ~(np.abs(points) <= LARGEST).all(axis=1)
    if bad.any():
        at = int(np.argmax(bad))
        found = f"{what} {at + 1} is {points[at].tolist()}"
        remedy = "Every coordinate is a finite number of a sane size."
        raise UnreadableFile(path=path, found=found, remedy=remedy, line=line)


def check_indices(path: Path, indices: LongArray, count: int, what: str = "vertex") -> None:
    """Refuse indices (from 0) outside the list that they point into."""
    bad = (indices < 0) | (indices >= count)
    if bad.any():
        found = f"a face asks for {what} {int(indices[int(np.argmax(bad))])} of {count}, counted from 0"
        raise UnreadableFile(path=path, found=found, remedy="Get the whole file: it names what it does not hold.")


def contents_of(
    path: Path,
    points: Array,
    polygons: Sequence[Sequence[int]] | LongArray,
    normals: Array | None,
    said: tuple[str, ...],
    options: Options,
) -> Contents:
    """A file of one surface, and what there is to say of it beside."""
    surface, notes = surface_of(path, printable(path.stem), points, polygons, options, normals)
    again = partial(contents_of, path, points, polygons, normals, said)
    return Contents(surfaces=(surface,), notes=(*notes, *said), again=again)


def surface_of(
    path: Path,
    name: str,
    points: Array,
    polygons: Sequence[Sequence[int]] | LongArray,
    options: Options,
    normals: Array | None = None,
) -> tuple[FileMesh, tuple[str, ...]]:
    """The surface and what was left out of it. `polygons` index `points`; an array is a list of triangles."""
    check_points(path, points, "vertex")
    corners = (
        polygons.ravel() if isinstance(polygons, np.ndarray) else np.fromiter((i for p in polygons for i in p), int)
    )
    check_indices(path, corners, len(points))
    triangles = polygons if isinstance(polygons, np.ndarray) else triangulated(path, points, polygons)
    triangles, dropped = without_degenerate(points, triangles)
    if not len(triangles):
        found = f"no triangle in {name!r}" + (" that has an area" if dropped else "")
        raise UnreadableFile(path=path, found=found, remedy="Choose a mesh with faces.")
    notes = (f"{counted(dropped, 'triangle')} of {name} without area, left out",) if dropped else ()
    turn = upright(options)
    points = points * unit_of(options, USUAL_UNIT)
    if normals is not None:
        normals = unit_normals(normals, triangles)
        notes = notes if normals is not None else (*notes, f"normals of {name} that are no directions, left out")
    if turn != IDENTITY:
        matrix = rotation_matrix(turn)
        points, normals = points @ matrix.T, None if normals is None else normals @ matrix.T
    return FileMesh(name=name, positions=points, triangles=triangles.astype(np.int32), normals=normals), notes


def unit_normals(normals: Array, triangles: LongArray) -> Array | None:
    """Normals of length 1, any at vertices without a triangle; None where a triangle's corner has none."""
    lengths = np.linalg.norm(normals, axis=1)
    sound = np.isfinite(lengths) & (lengths > 1e-12)
    if not sound[triangles].all():
        return None
    unit = np.tile((0.0, 1.0, 0.0), (len(normals), 1))
    unit[sound] = normals[sound] / lengths[sound, None]
    return unit


def without_degenerate(points: Array, triangles: LongArray) -> tuple[LongArray, int]:
    """The triangles that have an area, and how many have none."""
    sound = have_area(points, triangles)
    return triangles[sound], int(len(triangles) - sound.sum())


def have_area(points: Array, triangles: LongArray) -> NDArray[np.bool_]:
    """Mark the triangles that have an area."""
    a, b, c = (points[triangles[:, each]] for each in range(3))
    double = np.cross(b - a, c - a)
    side = np.max([np.sum((b - a) ** 2, axis=1), np.sum((c - a) ** 2, axis=1), np.sum((c - b) ** 2, axis=1)], axis=0)
    return np.asarray(np.sum(double**2, axis=1) > _FLAT * side**2)


def triangulated(path: Path, points: Array, polygons: Sequence[Sequence[int]]) -> LongArray:
    """The triangles of polygons of any size, in the order of the polygons."""
    sizes = np.fromiter((len(each) for each in polygons), int)
    if len(sizes) and (sizes.min() < 3 or sizes.max() > MOST_CORNERS):
        found = f"a face with {counted(int(sizes.min() if sizes.min() < 3 else sizes.max()), 'corner')}"
        remedy = f"A face has 3 to {MOST_CORNERS:,} corners."
        raise UnreadableFile(path=path, found=found, remedy=remedy)
    pieces, places = [np.empty((0, 3), int)], [np.empty(0, int)]
    distinct = np.unique(sizes)
    for number, size in enumerate(distinct):
        where = np.flatnonzero(sizes == size)
        block = np.array([polygons[each] for each in where.tolist()], np.int64)
        fans = np.stack([np.stack((block[:, 0], block[:, i], block[:, i + 1]), 1) for i in range(1, size - 1)], 1)
        if size > 3:
            with progress.part(number / len(distinct), (number + 1) / len(distinct)):
                for each in progress.each(np.flatnonzero(_overlaps(points, fans)).tolist()):
                    fans[each] = clip_ears(points, block[each])
        pieces.append(fans.reshape(-1, 3))
        places.append(np.repeat(where, size - 2))
    order = np.argsort(np.concatenate(places), kind="stable")
    return np.concatenate(pieces)[order]


def _overlaps(points: Array, fans: LongArray) -> NDArray[np.bool_]:
    """Mark the fans that fold back over themselves, shape [polygons]; a fan's areas add up to its polygon's."""
    corners = points[fans]
    double = np.cross(corners[..., 1, :] - corners[..., 0, :], corners[..., 2, :] - corners[..., 0, :])
    whole = double.sum(axis=1, keepdims=True)
    return np.asarray((np.sum(double * whole, axis=2) < 0.0).any(axis=1))


def clip_ears(points: Array, polygon: LongArray) -> LongArray:
    """Triangles of one simple polygon: an ear is a convex corner whose triangle holds no other corner."""
    corners = points[polygon]
    normal = np.sum(np.cross(corners - corners[0], np.roll(corners, -1, axis=0) - corners[0]), axis=0)
    drop = int(np.argmax(np.abs(normal)))
    keep = [(1, 2), (2, 0), (0, 1)][drop]
    flat = corners[:, keep] * np.array([1.0, 1.0 if normal[drop] >= 0.0 else -1.0])
    return np.asarray(polygon[find_ears(np.ascontiguousarray(flat))])
