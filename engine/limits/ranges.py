"""Ranges as signed distances at the nodes of a grid [rad], negative inside; and the grid that a range wants.

A box has a closed form, also round an axis that is periodic. For a cone and a polygon the sign at each node is exact;
how far it is, is the exact distance to the facets between the places where the measure of `cones.py` is 0 on the edges
of the grid. A mesh has exact signs and exact distances. The margin is not in any of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.document.limit import (
    PADDING,
    BoxRange,
    ConeRange,
    Grid,
    GridRange,
    MeshRange,
    PolygonRange,
    Range,
    SampledRange,
)
from engine.limits.cones import Pointing, fill_pointing, pointing, sharpen_crossings
from engine.limits.facets import is_crowded, surface_distances
from engine.limits.mesh_checks import check_mesh, outwards
from engine.limits.surface import Boundary, open_level
from engine.limits.triangles import build_tree, corners_of, distances_to
from engine.limits.winding import NEAR, is_within, winds_around
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument

FARTHEST = math.tau  # [rad] that nodes are inside or outside where there is no boundary at all
_THINNEST = 0.1  # [rad] that a grid covers at least
_FLAT = 1e-6  # [rad] from the seam, within which a face is taken for one that closes a whole turn
_MOST_KEPT = 1 << 20  # nodes of a grid whose distances are kept
_PROBES = 40  # nodes along each axis to see where a cone or a polygon is


def signed_distances(limits: Range, grid: Grid, axes: Array) -> Array:
    """Compute the distances of a range that is no samples, shape grid.counts, read-only; `axes` are those of the
    hinges, shape [k, 3].

    The latest are kept: another margin or another stroke needs the same again.
    """
    own = np.asarray(axes, dtype=np.float64)
    find = _kept_distances if math.prod(grid.counts) <= _MOST_KEPT else _kept_distances.__wrapped__
    return find(limits, grid, own.tobytes())


@lru_cache(maxsize=8)
def _kept_distances(limits: Range, grid: Grid, axes: bytes) -> Array:
    distances = _distances(limits, grid, np.frombuffer(axes).reshape(-1, 3))
    distances.flags.writeable = False
    return distances


def _distances(limits: Range, grid: Grid, axes: Array) -> Array:
    if isinstance(limits, BoxRange):
        return box_distances(limits, grid)
    if isinstance(limits, ConeRange | PolygonRange):
        return pointing_distances(pointing(limits, axes), grid)
    if isinstance(limits, MeshRange):
        faces = limits.faces.array
        check_mesh(limits.positions.array, faces)
        return mesh_distances(Boundary(limits.positions.array, outwards(limits.positions.array, faces)), grid)
    if isinstance(limits, GridRange):
        return np.array(limits.distances.array, dtype=np.float64)
    raise TypeError(f"{type(limits).__name__} has no distances of its own")


def box_distances(box: BoxRange, grid: Grid) -> Array:
    """The closed form: the largest of the angles' own distances inside, the root of their squares outside."""
    squares, inner = np.zeros(grid.counts), np.full(grid.counts, -FARTHEST)
    for axis, (lower, upper) in enumerate(zip(box.lower, box.upper, strict=True)):
        angles = nodes_along(grid, axis) - 0.5 * (lower + upper)
        half = 0.5 * (upper - lower)
        if grid.periodic[axis]:
            angles = np.remainder(angles + math.pi, math.tau) - math.pi
            half = half if half < math.pi else FARTHEST + math.pi
        beyond = np.abs(angles) - half
        shape = [-1 if each == axis else 1 for each in range(len(grid.counts))]
        squares += (np.maximum(beyond, 0.0) ** 2).reshape(shape)
        inner = np.maximum(inner, beyond.reshape(shape))
    return np.where(inner > 0.0, np.sqrt(squares), inner)


def pointing_distances(region: Pointing, grid: Grid) -> Array:
    """Compute the distances of a cone or a polygon."""
    lower, spacing = np.array(grid.lower), np.array(grid.spacing)
    measure = np.empty(grid.counts)
    fill_pointing(*region, lower, spacing, measure)
    surface = open_level(grid, measure)
    if not len(surface.faces):
        return np.where(measure <= 0.0, -FARTHEST, FARTHEST)
    points = np.ascontiguousarray(surface.positions)
    sharpen_crossings(*region, lower, spacing, points)
    distances = surface_distances(grid, points, surface.faces, turns_of(grid))
    return np.where(measure <= 0.0, -distances, distances)


def mesh_distances(surface: Boundary, grid: Grid) -> Array:
    """Compute the distances of a closed surface or line that looks outwards."""
    lower, spacing, faces = np.array(grid.lower), np.array(grid.spacing), surface.faces
    middle = lower + 0.5 * spacing * (np.array(grid.counts) - 1)
    extent = np.ptp(surface.positions, axis=0)
    for axis in np.flatnonzero(grid.periodic):
        if extent[axis] > math.tau + _FLAT:
            found, allowed = f"one of {math.degrees(extent[axis]):.1f}°", "360° along an axis that goes round"
            raise InvalidDocument(what="the mesh of a limit", value=found, allowed=allowed)
    offset = middle - 0.5 * (surface.positions.min(axis=0) + surface.positions.max(axis=0))
    positions = surface.positions + np.where(grid.periodic, np.rint(offset / math.tau) * math.tau, 0.0)
    turns, points = turns_of(grid), nodes_of(grid)
    walls = faces[~_closing(positions, faces, grid)]
    inside = is_within(grid.counts, lower, spacing, positions, faces, turns).ravel()
    if not len(walls):
        return np.where(inside, -FARTHEST, FARTHEST).reshape(grid.counts)
    if is_crowded(positions, walls):
        distances = distances_to(build_tree(corners_of(positions, walls)), points, turns)
    else:
        distances = surface_distances(grid, positions, walls, turns).ravel()
    near = np.flatnonzero(distances < NEAR * spacing.max())
    inside[near] = winds_around(positions, faces, points[near], turns)
    return np.where(inside, -distances, distances).reshape(grid.counts)


def _closing(positions: Array, faces: NDArray[np.int32], grid: Grid) -> NDArray[np.bool_]:
    """Mark the faces that only close the ends of a whole turn: they are no boundary, for behind them it goes on."""
    closing = np.zeros(len(faces), dtype=np.bool_)
    for axis in np.flatnonzero(grid.periodic):
        along = positions[:, axis]
        ends = along.min(), along.max()
        if ends[1] - ends[0] >= math.tau - 2 * _FLAT:
            closing |= np.any([(np.abs(along[faces] - end) <= _FLAT).all(axis=1) for end in ends], axis=0)
    return closing


def nodes_along(grid: Grid, axis: int) -> Array:
    """Angles of the nodes along an axis."""
    return np.asarray(grid.lower[axis] + np.arange(grid.counts[axis]) * grid.spacing[axis], dtype=np.float64)


def nodes_of(grid: Grid) -> Array:
    """Angles of all nodes, the last axis fastest, shape [node_count, k]."""
    axes = [nodes_along(grid, axis) for axis in range(len(grid.counts))]
    return np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)


def turns_of(grid: Grid) -> Array:
    """The ways [rad] to where the same pose stands again, shape [3^periodic, 3]."""
    ways = [(0.0, math.tau, -math.tau) if each else (0.0,) for each in grid.periodic]
    ways += [(0.0,)] * (3 - len(ways))
    return np.array(list(product(*ways)))


def grid_for(limits: Range, counts: Sequence[int], margin: float, axes: Array | None = None) -> Grid:
    """A grid of that many nodes around a range, its margin and two cells; round where they take the whole turn.

    A cone and a polygon want the `axes` of the hinges. What numbers on a grid were is their own grid, not this one's.
    """
    lower, upper = _extent(limits, axes)
    places, steps, rounds = [], [], []
    for count, low, high in zip(counts, lower, upper, strict=True):
        padding = PADDING if count >= 4 * PADDING else 0
        extent = max(high - low + 2.0 * margin, _THINNEST)
        spacing = extent / (count - 1 - 2 * padding) if count > 1 else extent
        middle = 0.5 * (low + high)
        turns_round = bool(spacing * count >= math.tau)
        if turns_round:
            spacing, middle = math.tau / count, middle if high - low < math.tau else 0.0
        places.append(float(middle - 0.5 * (count - 1) * spacing))
        steps.append(float(spacing))
        rounds.append(turns_round)
    return Grid(counts=tuple(counts), lower=tuple(places), spacing=tuple(steps), periodic=tuple(rounds))


def _extent(limits: Range, axes: Array | None) -> tuple[Array, Array]:
    if isinstance(limits, BoxRange):
        return np.array(limits.lower), np.array(limits.upper)
    if isinstance(limits, SampledRange | MeshRange):
        points = limits.angles.array if isinstance(limits, SampledRange) else limits.positions.array
        return points.min(axis=0), points.max(axis=0)
    if isinstance(limits, GridRange) or axes is None:
        found = type(limits).__name__
        raise InvalidDocument(what="a range without a grid", value=found, allowed="one whose extent is known")
    return _pointing_extent(pointing(limits, axes))


def _pointing_extent(region: Pointing) -> tuple[Array, Array]:
    """Find the extent of a cone or a polygon around the rest pose: its part that is nearest to all angles 0.

    Euler space holds each orientation twice and more; the other parts are the same poses again.
    """
    spacing = math.tau / _PROBES
    lower, steps = np.full(3, -math.pi), np.full(3, spacing)
    measure = np.empty((_PROBES,) * 3)
    fill_pointing(*region, lower, steps, measure)
    inside = measure <= 0.0
    if not inside.any():
        lowest = lower + np.array(np.unravel_index(int(np.argmin(measure)), measure.shape)) * spacing
        return lowest - spacing, lowest + spacing
    places = np.argwhere(inside)
    part = np.zeros_like(inside)
    part[tuple(places[int(np.argmin(np.abs(lower + places * spacing).sum(axis=1)))])] = True
    size = 0
    while size < part.sum():
        size = int(part.sum())
        for axis, way in product(range(3), (1, -1)):
            part |= np.roll(part, way, axis) & inside
    spans = np.array([_span(np.flatnonzero(part.any(axis=tuple({0, 1, 2} - {axis})))) for axis in range(3)])
    return -math.pi + spans[:, 0] * spacing, -math.pi + spans[:, 1] * spacing


def _span(layers: NDArray[np.intp]) -> tuple[float, float]:
    """First and last of some layers round a turn, and a cell more at each end; the turn where no gap is left."""
    gaps = np.diff(np.concatenate((layers, [layers[0] + _PROBES])))
    widest = int(np.argmax(gaps))
    if gaps[widest] <= 2:
        return 0.0, float(_PROBES)
    first = float(layers[(widest + 1) % len(layers)])
    last = float(layers[widest])
    return (first if first <= last else first - _PROBES) - 1.0, last + 1.0
