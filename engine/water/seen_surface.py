"""Surfaces as they are seen: what is drawn of a moment of water, worked out once and kept for the next pictures.

The moment's own surface goes on through bodies: the pseudo surface (Si 2013, 3.4), which leaves no gap about what is
opaque. Cut out it is the water alone, the greater of the distances to its surface and, from inside, to the bodies. As a
net there are those triangles of the former that lie in bodies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded
from engine.water.compile import TankScene
from engine.water.drops import drawn_drops
from engine.water.grid import WaterGrid
from engine.water.interpolation import sample_cells
from engine.water.marching_cubes import mesh_water
from engine.water.moments import WaterMoment
from engine.water.walls import Floats, flat_at_walls

PSEUDO, RAW, BOTH = "pseudo", "raw", "both"
_KEPT = 8
_NEAREST = 4  # vertices, whose foam is that of a place among them
_INSIDE = 0.1  # [cells] within a body, of what is drawn as a net


class SeenSurface(NamedTuple):
    """Arrays that are drawn of a moment."""

    positions: Floats  # [m], flat at walls
    normals: Floats
    triangles: NDArray[np.int32]
    foam: Floats  # at each vertex
    shell: NDArray[np.int32]  # triangles of the closed surface, whose vertices are the first
    drops: Floats
    net: tuple[Floats, NDArray[np.int32]] | None  # places [m], and ends of lines


class SeenSurfaces:
    """The last few of them, by the moment."""

    def __init__(self) -> None:
        self._kept: Bounded[tuple[int, str], tuple[WaterMoment, SeenSurface]] = Bounded(_KEPT)

    def of(self, scene: TankScene, moment: WaterMoment) -> SeenSurface:
        """Give what is drawn of a moment of a tank."""
        shown = scene.tank.shown if moment.cut.size else PSEUDO
        known = self._kept.get((id(moment), shown))
        if known is None or known[0] is not moment:
            known = self._kept.keep(
                (id(moment), shown), (moment, _deepened(scene, seen_surface(scene.grid, moment, shown)))
            )
        return known[1]


def _deepened(scene: TankScene, seen: SeenSurface) -> SeenSurface:
    """Give what is seen of a planar tank as deep as that says."""
    net = None if seen.net is None else (scene.deepened(seen.net[0]), seen.net[1])
    return seen._replace(positions=scene.deepened(seen.positions), drops=scene.deepened(seen.drops), net=net)


def seen_surface(grid: WaterGrid, moment: WaterMoment, shown: str) -> SeenSurface:
    """Work out what is drawn of a moment."""
    low = np.array(grid.origin)
    positions, normals, shell, foam = moment.positions, moment.normals, moment.triangles, moment.foam
    cut = moment.cut.astype(np.float64)
    if shown != PSEUDO:
        mesh = mesh_water(grid.spacing * cut, grid.spacing, grid.origin)
        positions, normals, shell = mesh.positions, mesh.normals, mesh.triangles.astype(np.int32)
        foam = _carried_over(moment, positions, grid.spacing)
    lower, upper = _corner(low), _corner(low + np.array(grid.size))
    places, facing, triangles, sources = flat_at_walls(positions, normals, shell, lower, upper)
    net = _net(grid, moment, cut) if shown == BOTH else None
    covered = foam[sources]
    covered[len(positions) :] = 0.0  # walls are seen through
    return SeenSurface(places, facing, triangles, covered, shell, drawn_drops(moment.spray, grid), net)


def _carried_over(moment: WaterMoment, places: Floats, h: float) -> Floats:
    """Give the foam of the moment's own surface at places [m], by its nearest vertices: what is cut out of it lies on
    it but in bodies."""
    if not len(moment.foam) or not moment.foam.any():
        return np.zeros(len(places), dtype=np.float32)
    away, nearest = cKDTree(moment.positions).query(places, k=min(_NEAREST, len(moment.foam)))
    away, nearest = away.reshape(len(places), -1), nearest.reshape(len(places), -1)
    weights = np.maximum(1.0 - away / h, 0.0) + 1e-9
    found = (weights * moment.foam[nearest]).sum(axis=1) / weights.sum(axis=1)
    on_it = np.clip(2.0 - 4.0 * away[:, 0] / h, 0.0, 1.0)  # and not along a body, under the water
    return np.asarray(on_it * found, dtype=np.float32)


def _corner(place: Array) -> Vector3:
    x, y, z = place.tolist()
    return x, y, z


def _net(grid: WaterGrid, moment: WaterMoment, cut: Array) -> tuple[Floats, NDArray[np.int32]]:
    """Lines of the triangles of the surface that lie in bodies."""
    places = (moment.positions - np.array(grid.origin)) / grid.spacing
    out_of_water = np.zeros(len(places))
    sample_cells(cut, np.ascontiguousarray(places, dtype=np.float64), out_of_water)
    triangles = moment.triangles[(out_of_water > _INSIDE)[moment.triangles].all(axis=1)]
    ends = np.concatenate([triangles[:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    used, numbers = np.unique(ends, return_inverse=True)
    return moment.positions[used], numbers.reshape(-1, 2).astype(np.int32)
