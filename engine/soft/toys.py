"""Toys: soft bodies with a shape that can walk or crawl once splines pull in it, after the examples of the source
(Engell-Norregard 2012, 21): a planar table, a stool of cubes, a snake.

Each stands on the floor, its middle over the origin.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.soft.making import body_of, soft_cylinder
from engine.soft.mesh import VolumeMesh, volume_mesh
from engine.soft.meshing import cube_grid, square_grid
from engine.soft.parts import SoftBody
from engine.soft.toy_forms import snake_surface, stool_surface, table_surface

Toy = Literal["table", "stool", "snake"]
TABLE, SIDE, THICK = (14, 8), 0.05, 0.2  # squares, [m] of one, [m] as it is drawn
STOOL, CUBE = (7, 7, 7), 0.06  # cubes, [m] of one
RADIUS, LENGTH = 0.06, 1.2  # [m] of the snake
TABLE_STIFF, STOOL_STIFF = 3e5, 2e5  # [Pa] they stand on legs


def toy(kind: Toy) -> tuple[SoftBody, float]:
    """Make a toy; with how far its middle is above the floor [m]."""
    return {"table": _table, "stool": _stool, "snake": _snake}[kind]()


def _table() -> tuple[SoftBody, float]:
    kept = np.zeros(TABLE, dtype=np.bool_)
    kept[:, -3:] = True
    kept[1:4], kept[-4:-1] = True, True
    length, height = TABLE[0] * SIDE, TABLE[1] * SIDE
    surface = table_surface(length, height, 3 * SIDE, SIDE, 3 * SIDE, THICK, 0.5 * SIDE)
    lifted = _lifted(surface, -0.5 * height)
    return body_of(_centred(square_grid(TABLE, SIDE, kept=kept)), surface=lifted, young=TABLE_STIFF), 0.5 * height


def _stool() -> tuple[SoftBody, float]:
    kept = np.zeros(STOOL, dtype=np.bool_)
    kept[:, -2:] = True
    for i in (slice(0, 2), slice(-2, None)):
        for k in (slice(0, 2), slice(-2, None)):
            kept[i, :, k] = True
    height = STOOL[1] * CUBE
    surface = _lifted(stool_surface(STOOL[0] * CUBE, height, 2 * CUBE, 2 * CUBE, 0.4 * CUBE), -0.5 * height)
    return body_of(_centred(cube_grid(STOOL, CUBE, kept=kept).mesh), surface=surface, young=STOOL_STIFF), 0.5 * height


def _snake() -> tuple[SoftBody, float]:
    points, triangles = snake_surface(LENGTH, RADIUS, 0.25 * RADIUS)
    surface = points[:, ::-1] * (-1.0, 1.0, 1.0), triangles
    body = soft_cylinder(
        RADIUS, LENGTH, rings=2, layers=24, axis=2, surface=surface, heading=(0.0, 0.0, 1.0), forward=0.3,
        backward=2.0, sideways=2.0,
    )  # fmt: skip
    return body, RADIUS


def _lifted(surface: tuple[Array, IntArray], by: float) -> tuple[Array, IntArray]:
    return surface[0] + np.array((0.0, by, 0.0)), surface[1]


def _centred(mesh: VolumeMesh) -> VolumeMesh:
    """The mesh with the middle of its box in the origin."""
    middle = 0.5 * (mesh.points.min(axis=0) + mesh.points.max(axis=0))
    return volume_mesh(mesh.points - middle, mesh.cells, mesh.shape, factors=mesh.factors, name="the toy")
