"""Closed surfaces that bodies are made of: what is mended, what is refused, which places they wind around.

Vertices at one place are joined (files double them along creases), triangles without an area are left out, triangles
that are turned over against their neighbours are turned, and so is a surface that faces inwards. A surface that crosses
itself stands for what it winds around. One with holes is refused, unless it is asked to be mended: then a place counts
as inside where the sum of the solid angles is more than half a sphere (Jacobson, Kavan and Sorkine-Hornung 2013,
"Robust inside-outside segmentation using generalized winding numbers").
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from engine.limits.mesh_checks import find_piercings
from engine.limits.triangles import build_tree
from engine.maths.arrays import Array, BoolArray, IntArray, LongArray
from engine.runtime.quick_dataclass import dataclass
from engine.soft.mesh import LARGEST, UnsoundBody
from engine.soft.winding_numbers import winding_numbers

MOST_TRIANGLES = 1_000_000
_STEPS = 10_000_000  # of the longest side: vertices within one are at one place


@dataclass(frozen=True, eq=False)
class ClosedSurface:
    """A surface that encloses a body."""

    positions: Array  # [m], shape [vertex_count, 3]
    triangles: IntArray  # anticlockwise from outside, shape [triangle_count, 3]
    holes: int  # edges of one triangle alone
    notes: tuple[str, ...]
    name: str


def close_surface(
    positions: Array, triangles: IntArray, *, mend: bool = False, name: str = "the mesh"
) -> ClosedSurface:
    """Make a surface ready to be filled; say what was mended, refuse what encloses nothing."""
    positions, faces = _checked(positions, triangles, name)
    positions, faces, notes = _joined(positions, faces)
    if not len(faces):
        raise UnsoundBody(name=name, found="no triangle of it has an area", remedy="Choose a mesh that has faces.")
    faces, turned = _turned(positions, faces)
    if turned:
        notes.append(f"{turned:,} triangles were turned over and face outwards now")
    holes = _check_holes(positions, faces, mend, name)
    if holes:
        notes.append(f"holes along {holes:,} edges: inside is where more than half of the directions meet the surface")
    volume = _volume(positions, faces)
    size = float(np.ptp(positions, axis=0).max())
    if abs(volume) < 1e-9 * size**3:
        raise UnsoundBody(name=name, found="it encloses nothing", remedy="Choose a surface with room inside.")
    if volume < 0.0:
        faces = faces[:, ::-1]
        notes.append("it was inside out and has been turned")
    faces = np.ascontiguousarray(faces, dtype=np.int32)
    crossings = _crossings(positions, faces)
    if crossings:
        notes.append(f"it crosses itself at {crossings:,} edges: its parts are one body where they overlap")
    return ClosedSurface(positions, faces, holes, tuple(f"{name}: {note}" for note in notes), name)


def within_surface(surface: ClosedSurface, points: Array) -> BoolArray:
    """Tell whether a surface winds around each of some points."""
    return np.asarray(winding_numbers(surface.positions, surface.triangles, points) > 0.5)


def _checked(positions: Array, triangles: IntArray, name: str) -> tuple[Array, IntArray]:
    points, faces = np.ascontiguousarray(positions, np.float64), np.asarray(triangles)
    if points.ndim != 2 or points.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
        raise UnsoundBody(name=name, found="it has no triangles", remedy="Choose a mesh that has faces.")
    if len(faces) > MOST_TRIANGLES:
        remedy = f"Reduce it to {MOST_TRIANGLES:,} or fewer in a program for meshes."
        raise UnsoundBody(name=name, found=f"it has {len(faces):,} triangles", remedy=remedy)
    bad = np.flatnonzero(~(np.abs(points) <= LARGEST).all(axis=1))
    if len(bad):
        found = f"vertex {bad[0]} is at {points[bad[0]].tolist()}"
        raise UnsoundBody(name=name, found=found, remedy=f"Coordinates are finite, and at most {LARGEST:.0e} m.")
    if faces.dtype.kind not in "iu" or faces.min() < 0 or faces.max() >= len(points):
        found = f"a triangle asks for a vertex that is none of its {len(points):,}"
        raise UnsoundBody(name=name, found=found, remedy="Vertices are counted from 0.")
    return points, faces.astype(np.int32)


def _joined(points: Array, faces: IntArray) -> tuple[Array, IntArray, list[str]]:
    """Join vertices at one place, and leave triangles out that have no area then."""
    lower = points.min(axis=0)
    size = max(float(np.ptp(points, axis=0).max()), 1e-300)
    cells = np.rint((points - lower) / size * (_STEPS - 1)).astype(np.int64)
    _, flat = np.unique(cells[:, 0] * _STEPS + cells[:, 1], return_inverse=True)
    _, first, at = np.unique(flat.ravel() * _STEPS + cells[:, 2], return_index=True, return_inverse=True)
    faces = at.ravel()[faces].astype(np.int32)
    points = np.ascontiguousarray(points[first])
    same = (faces[:, 0] == faces[:, 1]) | (faces[:, 1] == faces[:, 2]) | (faces[:, 2] == faces[:, 0])
    dropped = int(np.count_nonzero(same))
    notes = [f"{dropped:,} triangles without an area were left out"] if dropped else []
    return points, np.ascontiguousarray(faces[~same]), notes


def _edges(faces: IntArray, count: int) -> tuple[LongArray, LongArray, LongArray, Array]:
    """List sides as directed, which edge each is, how many sides an edge has, and how many more lead one way."""
    sides = np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]])).astype(np.int64)
    keys = np.sort(sides, axis=1) @ np.array([count, 1])
    _, at, many = np.unique(keys, return_inverse=True, return_counts=True)
    at = at.ravel()
    balance = np.bincount(at, weights=np.where(sides[:, 0] < sides[:, 1], 1.0, -1.0))
    return sides, np.asarray(at, np.int64), np.asarray(many, np.int64), np.asarray(balance, np.float64)


def _turned(points: Array, faces: IntArray) -> tuple[IntArray, int]:
    """Turn triangles so that neighbours agree, each part outwards, where some do not; how many were turned."""
    sides, at, many, balance = _edges(faces, len(points))
    if not ((many == 2) & (balance != 0.0)).any():
        return faces, 0
    order = np.argsort(at, kind="stable")
    pairs = order[np.flatnonzero(many[at[order]] == 2)].reshape(-1, 2)
    owner = np.tile(np.arange(len(faces)), 3)
    one, other = owner[pairs[:, 0]], owner[pairs[:, 1]]
    agree = (sides[pairs[:, 0], 0] < sides[pairs[:, 0], 1]) != (sides[pairs[:, 1], 0] < sides[pairs[:, 1], 1])
    part = _parts(one, other, len(faces))
    # each triangle stands twice, as it is and turned; neighbours are joined where they agree so
    count = len(faces)
    twin = np.where(agree, other, other + count), np.where(agree, other + count, other)
    both = _parts(np.concatenate((one, one + count)), np.concatenate(twin), 2 * count)
    leads = both[np.unique(part, return_index=True)[1]]
    flipped = both[:count] != leads[part]
    trial = np.where(flipped[:, None], faces[:, ::-1], faces)
    inwards = np.bincount(part, weights=_signed(points, trial)) < 0.0
    flipped ^= inwards[part]
    return np.where(flipped[:, None], faces[:, ::-1], faces), int(flipped.sum())


def _parts(one: LongArray, other: LongArray, count: int) -> IntArray:
    """Number the parts that so many things are joined to."""
    graph = csr_array((np.ones(len(one)), (one, other)), shape=(count, count))
    return np.asarray(connected_components(graph, directed=False)[1])


def _check_holes(points: Array, faces: IntArray, mend: bool, name: str) -> int:
    """Count the edges at which a surface does not go on; refuse them unless they are to be mended."""
    sides, at, many, balance = _edges(faces, len(points))
    bad = np.flatnonzero(balance != 0.0)
    if not len(bad) or mend:
        return len(bad)
    ends = sides[int(np.argmax(at == bad[0]))]
    place = " and ".join("(" + ", ".join(f"{value:.4g}" for value in points[end]) + ")" for end in ends)
    how = "open" if many[bad[0]] == 1 else "joined to the wrong sides"
    count = "one edge" if len(bad) == 1 else f"{len(bad):,} edges, the first"
    found = f"it is {how} at {count} between {place} m"
    raise UnsoundBody(name=name, found=found, remedy="Fill its holes, or let them be mended.")


def _volume(points: Array, faces: IntArray) -> float:
    return float(_signed(points, faces).sum())


def _signed(points: Array, faces: IntArray) -> Array:
    """Volumes of the tetrahedra from the middle of a surface to its triangles."""
    return np.asarray(np.linalg.det(points[faces] - points[faces].mean(axis=(0, 1))) / 6.0)


def _crossings(points: Array, faces: IntArray) -> int:
    sides = np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]))
    size = np.int64(len(points))
    keys = np.unique(sides.min(axis=1) * size + sides.max(axis=1))
    edges = np.ascontiguousarray(np.column_stack((keys // size, keys % size)), dtype=np.int32)
    tree, first = build_tree(points[faces]), np.empty((1, 2), dtype=np.int32)
    return int(find_piercings(tree.boxes, tree.corners, faces[tree.numbers], points, edges, first))
