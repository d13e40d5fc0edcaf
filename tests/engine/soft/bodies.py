"""Small soft bodies, made without the mesher."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.document import Actor, Blob, Placement, prop
from engine.document.values import Vector3
from engine.soft.parts import ActivationSpline, SoftBody

SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def spline(id: str = "spline", **given: Any) -> ActivationSpline:
    """A spline along the x axis of the cube."""
    return ActivationSpline(
        id=id, name=id.capitalize(), points=((0.02, 0.05, 0.05), (0.08, 0.05, 0.05)), samples=4, **given
    )


def soft_cube(*splines: ActivationSpline, cells: int = 1, side: float = 0.1, **given: Any) -> SoftBody:
    """A cube of so many cells a side, from the origin to (side, side, side)."""
    count = cells + 1
    grid = np.stack(np.meshgrid(*(np.arange(count),) * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    index = np.arange(count**3).reshape((count,) * 3)
    ring = ((0, 0), (1, 0), (1, 1), (0, 1))
    corners = [index[i : i + cells, j : j + cells, k : k + cells].ravel() for k in (0, 1) for i, j in ring]
    vertices = np.array([(i, j, k) for k in (0, 1) for j in (0, 1) for i in (0, 1)], dtype=np.float32) * side
    quads = np.array(SIDES, dtype=np.int32)
    triangles = np.concatenate((quads[:, (0, 1, 2)], quads[:, (0, 2, 3)]))
    return SoftBody(
        points=Blob(grid * (side / cells)),
        cells=Blob(np.stack(corners, axis=1).astype(np.int32)),
        shape="hexahedra",
        positions=Blob(vertices),
        triangles=Blob(triangles),
        splines=splines,
        **given,
    )


def soft_actor(id: str = "jelly", body: SoftBody | None = None, at: Vector3 = (0.0, 0.0, 0.0)) -> Actor:
    """An actor that is a soft body."""
    return Actor(
        id=id, name=id.capitalize(), figure=prop(id.capitalize(), ()), placement=Placement(position=at),
        parts=(soft_cube() if body is None else body,),
    )  # fmt: skip
