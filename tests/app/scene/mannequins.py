"""Small scenes for the viewport's tests, made without figures or kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import Document
from engine.model import Bodies, Mesh, Snapshot

Vector = tuple[float, float, float]


def ellipsoids(radii: Sequence[Vector], rings: int = 12) -> Mesh:
    """One ellipsoid for each body, about the body's origin."""
    theta = np.linspace(0.0, np.pi, rings + 1)
    phi = np.linspace(0.0, 2 * np.pi, 2 * rings + 1)
    t, p = np.meshgrid(theta, phi, indexing="ij")
    unit = np.stack((np.sin(t) * np.sin(p), np.cos(t), np.sin(t) * np.cos(p)), axis=-1).reshape(-1, 3)
    columns = 2 * rings + 1
    first = (np.arange(rings)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    triangles = np.concatenate(
        [
            np.stack((first, first + columns, first + 1), -1),
            np.stack((first + 1, first + columns, first + columns + 1), -1),
        ]
    )
    shift = np.arange(len(radii)) * len(unit)
    normals = [unit / np.array(radius) for radius in radii]
    return Mesh(
        positions=np.concatenate([unit * np.array(radius) for radius in radii]).astype(np.float32),
        normals=np.concatenate([n / np.linalg.norm(n, axis=1, keepdims=True) for n in normals]).astype(np.float32),
        body=np.repeat(np.arange(len(radii)), len(unit)).astype(np.int32),
        triangles=np.concatenate([triangles + each for each in shift]).astype(np.uint32),
    )


def moved(positions: Sequence[Vector]) -> NDArray[np.float32]:
    """Transforms without rotation."""
    transforms = np.zeros((len(positions), 3, 4), dtype=np.float32)
    transforms[:, :, :3] = np.eye(3)
    transforms[:, :, 3] = positions
    return transforms


def bodies(owner: str, mesh: Mesh, parts: Sequence[str], positions: Sequence[Vector]) -> Bodies:
    """Bodies at these positions."""
    return Bodies(owner=owner, role="result", mesh=mesh, parts=tuple(parts), transforms=moved(positions))


def snapshot(*items: Bodies) -> Snapshot:
    """A snapshot of these items."""
    return Snapshot(document=Document(), time=0, items=items)


def snowman(owner: str = "snowman", x: float = 0.0) -> Bodies:
    """Three balls on the floor: "low" (radius 0.4), "middle" (0.3) and "high" (0.2)."""
    mesh = ellipsoids([(0.4, 0.4, 0.4), (0.3, 0.3, 0.3), (0.2, 0.2, 0.2)])
    return bodies(owner, mesh, ["low", "middle", "high"], [(x, 0.4, 0.0), (x, 1.05, 0.0), (x, 1.5, 0.0)])


def crowd(body_count: int = 70, rings: int = 10) -> Bodies:
    """About 14 000 triangles in many bodies of one mesh, as large as a human."""
    radii = [(0.06, 0.12, 0.06)] * body_count
    turn = np.arange(body_count) * 2.4
    positions = [(0.3 * np.sin(a), 0.1 + 1.7 * i / body_count, 0.3 * np.cos(a)) for i, a in enumerate(turn)]
    return bodies("crowd", ellipsoids(radii, rings), [f"body {i}" for i in range(body_count)], positions)
