"""Grids, regions and meshes that the tests of limits share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob
from engine.document.limit import Grid, MeshRange
from engine.limits.ranges import nodes_of
from engine.limits.surface import Boundary
from engine.limits.triangles import build_tree, corners_of, distances_to
from engine.maths.arrays import Array


def cube(count: int, half: float = 1.5, size: int = 3) -> Grid:
    """As many nodes along each of some axes, from -half to half."""
    spacing = 2.0 * half / (count - 1)
    return Grid(counts=(count,) * size, lower=(-half,) * size, spacing=(spacing,) * size, periodic=(False,) * size)


def turns(count: int, *periodic: bool) -> Grid:
    """As many nodes along each axis, round a turn or from -1.5 to 1.5."""
    return Grid(
        counts=(count,) * len(periodic),
        lower=tuple(-math.pi if each else -1.5 for each in periodic),
        spacing=tuple(math.tau / count if each else 3.0 / (count - 1) for each in periodic),
        periodic=periodic,
    )


def places(grid: Grid) -> Array:
    """Angles of the nodes, shape [*counts, k]."""
    return nodes_of(grid).reshape(*grid.counts, -1)


def ball(grid: Grid, radius: float = 1.0, middle: tuple[float, ...] = (0.0,)) -> Array:
    """Signed distances to a ball."""
    return np.asarray(np.linalg.norm(places(grid) - np.array(middle), axis=-1) - radius)


def ring(grid: Grid, large: float = 0.8, small: float = 0.35) -> Array:
    """Signed distances to a ring about the third axis."""
    x, y, z = np.moveaxis(places(grid), -1, 0)
    return np.asarray(np.hypot(np.hypot(x, y) - large, z) - small)


def mesh_of(surface: Boundary) -> MeshRange:
    """A range bounded by a surface."""
    return MeshRange(positions=Blob(surface.positions), faces=Blob(surface.faces))


def sides_of(surface: Boundary) -> NDArray[np.int64]:
    """Directed edges of a surface of triangles."""
    faces = surface.faces.astype(np.int64)
    return np.concatenate((faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]))


def is_closed(surface: Boundary) -> bool:
    """Every directed edge once, and once the other way round."""
    sides = sides_of(surface)
    found = {(a, b) for a, b in sides.tolist()}
    return len(found) == len(sides) and all((b, a) in found for a, b in found)


def euler_characteristic(surface: Boundary) -> int:
    """2 for what is like a ball, 0 for a ring; of several parts their sum."""
    edges = np.unique(np.sort(sides_of(surface), axis=1), axis=0)
    return len(np.unique(surface.faces)) - len(edges) + len(surface.faces)


def volume(surface: Boundary) -> float:
    """What a surface encloses [rad^k], positive where it looks outwards."""
    corners = surface.positions[surface.faces] - surface.positions.mean(axis=0)
    return float(np.linalg.det(corners).sum()) / math.factorial(surface.positions.shape[1])


def hausdorff(a: Boundary, b: Boundary) -> float:
    """The farthest that any of many places of one surface is from the other."""
    return max(_farthest(a, b), _farthest(b, a))


def _farthest(a: Boundary, b: Boundary) -> float:
    shares = np.random.default_rng(7).dirichlet(np.ones(a.faces.shape[1]), size=(len(a.faces), 8))
    points = np.concatenate([a.positions, (shares @ a.positions[a.faces]).reshape(-1, a.positions.shape[1])])
    return float(distances_to(build_tree(corners_of(*b)), points, np.zeros((1, 3))).max())
