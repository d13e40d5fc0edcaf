"""Glass: translucent shapes that go with bodies, such as what paths of muscles bend around. No Qt, no OpenGL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.extent import body_frame
from app.scene.picks import ray_triangles
from engine.model import Bodies
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False, kw_only=True)
class GlassShape:
    """Triangles in the frame of a joint's body, or in one that stands still."""

    owner: str  # id of the actor
    id: str
    positions: NDArray[np.float32]  # [m], shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, outward
    triangles: NDArray[np.int32]
    joint: str | None  # id of the joint that carries it
    frame: Array | None = None  # without a joint: rotation and position [m] in the world, shape [3, 4]
    chosen: bool = False

    @property
    def looks(self) -> tuple[int, str | None, bool, bytes]:
        """Marks by which it differs from others: its triangles, where it stands, whether it is chosen."""
        return id(self.positions), self.joint, self.chosen, b"" if self.frame is None else self.frame.tobytes()


def same_shapes(some: Sequence[GlassShape], others: Sequence[GlassShape]) -> bool:
    """Return True if nothing is seen otherwise."""
    return [(each.owner, each.id, each.looks) for each in some] == [
        (each.owner, each.id, each.looks) for each in others
    ]


def glass_frame(shape: GlassShape, items: Iterable[Bodies]) -> Array | None:
    """Return the frame of a shape in the world, shape [3, 4]; None where its body is not seen."""
    if shape.joint is None:
        return shape.frame
    seen = (each for each in items if each.role == "result" and each.visible)
    return body_frame(seen, shape.owner, shape.joint)


def glass_at(
    shapes: Iterable[GlassShape], items: Sequence[Bodies], origin: Array, direction: Array
) -> tuple[GlassShape, float] | None:
    """Return the first shape that a ray meets, and how far along [m]."""
    best: tuple[GlassShape, float] | None = None
    for shape in shapes:
        frame = glass_frame(shape, items)
        if frame is None:
            continue
        places = shape.positions.astype(np.float64) @ frame[:, :3].T + frame[:, 3]
        middle = places.mean(axis=0)
        away = middle - origin
        beside = away - float(away @ direction) * direction
        if float(np.linalg.norm(beside)) > float(np.linalg.norm(places - middle, axis=1).max()):
            continue
        along = ray_triangles(origin, direction, places[shape.triangles])
        if along is not None and along > 0.0 and (best is None or along < best[1]):
            best = shape, along
    return best
