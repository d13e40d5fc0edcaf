"""A sphere shrunk onto a region (Engell-Norregard 2012, 14.4).

The sphere stands around the region, stretched to its extent, and each of its points moves inwards, straight towards the
middle, until it is on the boundary. What the boundary hides from the middle is filled out: no two points ever stand
behind one another, so the surface never crosses itself. For two angles it is a circle. Where flat sides between its
points would cut off samples, `wrap_holding` moves the points outwards again, each on its own way.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.spatial import cKDTree

from engine.document.limit import Grid
from engine.limits.signs import interpolate
from engine.limits.surface import Boundary, zero_level
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidDocument

MOST_DIVISIONS = 6  # 40,962 points

_HALVINGS = 24
_INNERMOST = 1e-3  # of the way out, so that no two points fall together
_ROUNDS, _WIDER = 16, 0.5  # of growing; cells by which a sample that is cut off is held with more room in each
_BESIDE = 3  # points of the sphere that a way passes nearest to: the side that it leaves through hangs on one of them


def shrink_wrap(grid: Grid, values: Array, divisions: int = 4) -> Boundary:
    """A closed surface around where `values` [rad], shape grid.counts, are 0 or less, for two or three angles."""
    middle, ways, shares, faces = _shrunk(grid, values, divisions)
    return Boundary(middle + shares[:, None] * ways, faces)


def wrap_holding(
    grid: Grid, values: Array, samples: Array, values_of: Callable[[Boundary], Array], divisions: int = 4
) -> Boundary:
    """Wrap a region, and grow the surface until it holds all samples [rad], shape [sample, angle]. `values_of` gives
    the value of each sample in the field of a boundary, which cuts corners, too: where it is above 0 the samples'
    surroundings are held, a bit more of them in each round."""
    middle, ways, shares, faces = _shrunk(grid, values, divisions)
    own = samples - np.where(grid.periodic, np.rint((samples - middle) / math.tau) * math.tau, 0.0)
    beside = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * own.shape[1]), axis=-1).reshape(-1, own.shape[1])
    held, room = own, np.zeros(len(own))
    for _ in range(_ROUNDS):
        shares = _grown(held - middle, ways, shares, faces)
        boundary = Boundary(middle + shares[:, None] * ways, faces)
        outside = values_of(boundary) > 0.0
        if not outside.any():
            break
        room[outside] += _WIDER * max(grid.spacing)
        held = (own[outside, None] + room[outside, None, None] * beside).reshape(-1, own.shape[1])
    return boundary


def _shrunk(grid: Grid, values: Array, divisions: int) -> tuple[Array, Array, Array, IntArray]:
    """The middle, the way of each point out from it, the share of the way at which the boundary is, and the faces."""
    if not 0 <= divisions <= MOST_DIVISIONS:
        raise InvalidDocument(what="the divisions of a sphere", value=divisions, allowed=f"0 to {MOST_DIVISIONS}")
    if len(grid.counts) not in (2, 3):
        found = f"one of {len(grid.counts)} angles"
        raise InvalidDocument(what="the region to wrap", value=found, allowed="two or three angles")
    around = zero_level(grid, values).positions
    if not len(around):
        raise InvalidDocument(what="the region to wrap", value="one without a boundary", allowed="one that has an end")
    directions, faces = icosphere(divisions) if len(grid.counts) == 3 else _circle(3 * 2 ** (divisions + 1))
    lower, upper = around.min(axis=0), around.max(axis=0)
    middle = _middle(grid, values, lower, upper)
    ways = directions * (0.5 * (upper - lower))
    room = np.where(ways > 0.0, upper - middle, lower - middle)
    ends = np.divide(room, ways, out=np.full_like(ways, np.inf), where=np.abs(ways) > 1e-12).min(axis=1)
    ways *= ends[:, None]
    return middle, ways, _shares(grid, values, middle, ways), faces


def _grown(points: Array, ways: Array, shares: Array, faces: IntArray) -> Array:
    """Increase shares until the faces hold points, given from the middle: p = sum of a_i w_i over the corners of the
    face that its way leaves through is inside where the sum of a_i / s_i is at most 1."""
    size = faces.shape[1]
    order = np.argsort(faces.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(faces.ravel(), minlength=len(ways)))
    starts = np.concatenate(([0], ends[:-1]))
    most = int((ends - starts).max())
    around = order[np.minimum(starts[:, None] + np.arange(most), ends[:, None] - 1)] // size
    scale = np.abs(ways).max(axis=0)
    tree = cKDTree(_unit(ways / scale))
    _, nearest = tree.query(_unit(points / scale), k=min(_BESIDE, len(ways)))
    sides = around[nearest].reshape(len(points), -1)
    parts = np.linalg.solve(np.swapaxes(ways[faces[sides]], 2, 3), points[:, None, :, None])[..., 0]
    chosen = parts.min(axis=2).argmax(axis=1)
    rows = np.arange(len(points))
    corners, part = faces[sides[rows, chosen]], np.maximum(parts[rows, chosen], 0.0)
    beyond = np.maximum((part / shares[corners]).sum(axis=1), 1.0)
    grown = shares.copy()
    np.maximum.at(grown, corners, shares[corners] * beyond[:, None])
    return grown


def _unit(ways: Array) -> Array:
    return np.asarray(ways / np.maximum(np.linalg.norm(ways, axis=1), 1e-12)[:, None])


def _middle(grid: Grid, values: Array, lower: Array, upper: Array) -> Array:
    """The middle of the extent if that is inside, else the deepest node."""
    middle = 0.5 * (lower + upper)
    if _values_at(grid, values, middle[None])[0] <= 0.0:
        return np.asarray(middle)
    deepest = np.array(np.unravel_index(int(np.argmin(values)), values.shape))
    found = grid.lower + deepest * np.array(grid.spacing)
    return np.asarray(found - np.where(grid.periodic, np.rint((found - middle) / math.tau) * math.tau, 0.0))


def _shares(grid: Grid, values: Array, middle: Array, ways: Array) -> Array:
    """Compute the share of each way that lies behind the boundary that is met first from outside."""
    longest = np.abs(ways / np.array(grid.spacing)).max()
    steps = np.linspace(0.0, 1.0, 2 + int(np.ceil(2.0 * longest)))
    points = middle + steps[:, None, None] * ways
    inside = _values_at(grid, values, points.reshape(-1, points.shape[2])).reshape(points.shape[:2]) <= 0.0
    last = len(steps) - 1 - np.argmax(inside[::-1], axis=0)
    inner, outer = steps[last], steps[np.minimum(last + 1, len(steps) - 1)]
    for _ in range(_HALVINGS):
        half = 0.5 * (inner + outer)
        within = _values_at(grid, values, middle + half[:, None] * ways) <= 0.0
        inner, outer = np.where(within, half, inner), np.where(within, outer, half)
    return np.asarray(np.maximum(inner, _INNERMOST))


def _values_at(grid: Grid, values: Array, points: Array) -> Array:
    """Interpolate values at points; beyond the border the value there and the way from it."""
    last = np.array(grid.lower) + (np.array(grid.counts) - 1) * np.array(grid.spacing)
    within = np.where(grid.periodic, points, np.clip(points, grid.lower, last))
    return np.asarray(interpolate(grid, values, within) + np.linalg.norm(points - within, axis=1))


def icosphere(divisions: int) -> tuple[Array, IntArray]:
    """Points of the unit sphere and triangles that look outwards: an icosahedron whose sides are halved so often."""
    golden = 0.5 * (1.0 + np.sqrt(5.0))
    signs = [(a, b) for a in (-1.0, 1.0) for b in (-golden, golden)]
    points = np.array([each for a, b in signs for each in ((0.0, a, b), (a, b, 0.0), (b, 0.0, a))])
    near = np.linalg.norm(points[:, None] - points[None], axis=2) < 2.1
    faces = np.array(
        [(i, j, k) for i in range(12) for j in range(i) for k in range(j) if near[i, j] and near[j, k] and near[i, k]]
    )
    inwards = np.linalg.det(points[faces]) < 0.0
    faces[inwards] = faces[inwards][:, ::-1]
    for _ in range(divisions):
        points, faces = _halved(points, faces)
    return points / np.linalg.norm(points, axis=1)[:, None], faces.astype(np.int32)


def _halved(points: Array, faces: IntArray) -> tuple[Array, IntArray]:
    points = points / np.linalg.norm(points, axis=1)[:, None]
    sides = np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]))
    edges, numbers = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    ab, bc, ca = (len(points) + numbers.reshape(3, -1)).astype(faces.dtype)
    a, b, c = faces.T
    parts = ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))
    return np.concatenate((points, points[edges].mean(axis=1))), np.concatenate([np.stack(each, 1) for each in parts])


def _circle(count: int) -> tuple[Array, IntArray]:
    angles = np.arange(count) * (math.tau / count)
    lines = np.stack((np.arange(count), (np.arange(count) + 1) % count), axis=1)
    return np.stack((np.cos(angles), np.sin(angles)), axis=1), lines.astype(np.int32)
