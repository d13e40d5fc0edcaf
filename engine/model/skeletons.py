"""Skeleton: a figure as bones between its joints, for drawing and for automatic weights of a skin.

A joint has a bone to each of its children, unless that stands in the same place. One without children has a bone
through its shapes, else to each handle on it, else none: it is a point then.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure
from engine.document.values import Vector3
from engine.model.meshes import Mesh
from engine.runtime.quick_dataclass import dataclass

_SHORTEST = 1e-4  # [m]
_THROUGH = 1.7  # of the way to the middle of a joint's shapes; not quite to their end


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Bones: each begins in one joint and ends at a point of another's frame, or of its own."""

    start: NDArray[np.int32]  # number of the joint that it belongs to, shape [bone_count]
    end: NDArray[np.int32]  # number of the joint in whose frame `point` is
    point: NDArray[np.float32]  # [m], shape [bone_count, 3]

    @cached_property
    def digest(self) -> str:
        """Digest of the arrays."""
        content = blake2b(digest_size=16)
        for array in (self.start, self.end, self.point):
            content.update(array.tobytes())
        return content.hexdigest()


def _skeleton(rows: list[tuple[int, int, Vector3]]) -> Skeleton:
    numbers = np.array([row[:2] for row in rows], dtype=np.int32).reshape(-1, 2)
    points = np.array([row[2] for row in rows], dtype=np.float32).reshape(-1, 3)
    return Skeleton(numbers[:, 0].copy(), numbers[:, 1].copy(), points)


NO_SKELETON = _skeleton([])


def skeleton_of(figure: Figure, mesh: Mesh) -> Skeleton:
    """The bones of a figure; `mesh` is that of its shapes."""
    rows: list[tuple[int, int, Vector3]] = []
    for index, joint in enumerate(figure.joints):
        if joint.parent is not None and np.linalg.norm(joint.offset) > _SHORTEST:
            rows.append((figure.joint_index[joint.parent], index, (0.0, 0.0, 0.0)))
    parents = {joint.parent for joint in figure.joints}
    for index, joint in enumerate(figure.joints):
        if joint.id not in parents:
            rows += [(index, index, point) for point in _ends(figure, index, mesh)]
    return _skeleton(sorted(rows, key=lambda row: row[0]))


def _ends(figure: Figure, index: int, mesh: Mesh) -> list[Vector3]:
    """Find the ends of the bones of a joint without children, in its own frame."""
    mine = mesh.positions[mesh.body == index]
    if len(mine):
        middle = 0.5 * (mine.min(axis=0) + mine.max(axis=0)).astype(np.float64)
        x, y, z = (_THROUGH * middle).tolist()
        found: list[Vector3] = [(x, y, z)]
    else:
        found = [handle.point for handle in figure.handles if handle.joint == figure.joints[index].id]
    return [point for point in found if np.linalg.norm(point) > _SHORTEST]
