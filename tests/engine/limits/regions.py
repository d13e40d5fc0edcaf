"""Regions of Euler space for tests: grids, curves of samples, fields, and what is true of them by other means."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.spatial import cKDTree

from engine.document import Blob
from engine.document.limit import Grid, Limit, Range, SampledRange, Stroke
from engine.limits.field import Field, compile_field
from engine.limits.packed import PackedLimits, pack_limits
from engine.limits.query import project_angles, value_at
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

EULER = np.eye(3)
"""The axes of a ball joint in the order XYZ."""


def turning(count: int, size: int = 3) -> Grid:
    """Periodic along every axis."""
    return Grid(
        counts=(count,) * size,
        lower=(-math.pi,) * size,
        spacing=(math.tau / count,) * size,
        periodic=(True,) * size,
    )


def bounded(counts: Sequence[int], lower: Sequence[float], upper: Sequence[float]) -> Grid:
    """Periodic along none."""
    spacing = tuple((b - a) / (count - 1) for a, b, count in zip(lower, upper, counts, strict=True))
    return Grid(counts=tuple(counts), lower=tuple(lower), spacing=spacing, periodic=(False,) * len(counts))


def curve(seed: int, count: int = 200, size: int = 3) -> Array:
    """What a joint might go through [rad], shape [count, size]."""
    rng = np.random.default_rng(seed)
    widths, phases = 0.5 * rng.normal(size=(4, size)), rng.uniform(0.0, 6.0, size=(4, size))
    times = np.linspace(0.0, math.tau, count)[:, None]
    waves = [widths[each] * np.sin((each + 1) * times + phases[each]) for each in range(4)]
    return np.asarray(np.clip(np.sum(waves, axis=0), -2.9, 2.9))


def limit_of(
    range: Range, grid: Grid, *, margin: float = 0.2, strokes: tuple[Stroke, ...] = (), name: str = "Shoulder"
) -> Limit:
    """A limit over hinges a, b, c..."""
    dofs = tuple("abcde"[: len(grid.counts)])
    return Limit(id="limit", name=name, dofs=dofs, range=range, grid=grid, margin=margin, strokes=strokes)


def sampled(
    samples: Array, *, clips: tuple[int, ...] | None = None, keeps_holes: bool = False, joins_clips: bool = True
) -> SampledRange:
    """A range of samples."""
    counts = clips or (len(samples),)
    return SampledRange(angles=Blob(samples), clips=counts, keeps_holes=keeps_holes, joins_clips=joins_clips)


def curve_field(seed: int, count: int = 32, margin: float = 0.2) -> Field:
    """Of a curve in a periodic grid."""
    return compile_field(limit_of(sampled(curve(seed)), turning(count), margin=margin), EULER)


def packed(field: Field) -> PackedLimits:
    """One field over the first coordinates."""
    return pack_limits([(field, range(len(field.grid.counts)))])


def values_at(field: Field, points: Array) -> Array:
    """Signed distances [rad] of many points."""
    limits, found = packed(field), np.empty(len(points))
    _fill_values(limits.ints, limits.floats, np.ascontiguousarray(points), found)
    return found


def projected(field: Field, points: Array) -> tuple[Array, Array]:
    """Where many points are brought, and how far [rad]."""
    limits, found, moved = packed(field), np.empty(points.shape), np.empty(len(points))
    _project_all(limits.ints, limits.floats, np.ascontiguousarray(points), found, moved)
    return found, moved


def inside_cloud(field: Field, fineness: int) -> Array:
    """Feasible points [rad] on a lattice `fineness` times as fine as the grid, within a cell of the boundary."""
    axes = [
        lower + spacing * np.arange(fineness * (count if periodic else count - 1)) / fineness
        for lower, spacing, count, periodic in zip(
            field.grid.lower, field.grid.spacing, field.grid.counts, field.grid.periodic, strict=True
        )
    ]
    points = np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)
    values = values_at(field, points)
    return points[(values <= 0.0) & (values > -max(field.grid.spacing))]


def nearest_of(field: Field, cloud: Array, points: Array) -> Array:
    """Distance [rad] of each point to a cloud, round the turns of the grid."""
    if all(field.grid.periodic):
        lower = np.array(field.grid.lower)
        tree = cKDTree(np.mod(cloud - lower, math.tau), boxsize=math.tau)
        return np.asarray(tree.query(np.mod(points - lower, math.tau))[0])
    return np.asarray(cKDTree(cloud).query(points)[0])


@kernel
def _fill_values(ints: IntArray, floats: Array, points: Array, out_values: Array) -> None:
    for each in range(len(points)):
        out_values[each] = value_at(ints, floats, 0, points[each])


@kernel
def _project_all(ints: IntArray, floats: Array, points: Array, out_points: Array, out_moved: Array) -> None:
    for each in range(len(points)):
        out_moved[each] = project_angles(ints, floats, 0, points[each], out_points[each])
