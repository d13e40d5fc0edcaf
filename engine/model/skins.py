"""A skin compiled for the kernels of `engine.model.skinning`, and its surface in a figure's present state."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

import numpy as np

from engine.document import Blob, Figure, Skin
from engine.maths.arrays import Array, IntArray
from engine.model.compile import ROW
from engine.model.skinning import (
    DUAL_ROW,
    LINEAR_ROW,
    Floats,
    skin_dual,
    skin_linear,
    write_dual_palette,
    write_linear_palette,
)
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class SkinModel:
    """Packed arrays of one skin on one figure, and the scratch that a frame needs."""

    skin: Skin
    joints: IntArray  # numbers in the figure
    heaviest: IntArray  # number in the figure of the joint that weighs most, shape [vertex_count]
    topology: str  # digest of the triangles and of `heaviest`
    rest: Floats  # positions [m] and normals in the bind pose, shape [vertex_count, 6]
    palette: Floats
    scratch: Array

    def surface(self, state: Array) -> tuple[Floats, Floats]:
        """Positions [m] and unit normals in the world, fresh arrays, from a state of the figure."""
        skin, count = self.skin, len(self.rest)
        positions, normals = np.empty((count, 3), dtype=np.float32), np.empty((count, 3), dtype=np.float32)
        dual = skin.blending == "dual"
        write_palette = write_dual_palette if dual else write_linear_palette
        write_palette(state, self.joints, skin.bind.array, self.scratch, self.palette)
        move = skin_dual if dual else skin_linear
        move(skin.influences.array, skin.weights.array, self.rest, self.palette, positions, normals)
        return positions, normals


def compile_skin(skin: Skin, figure: Figure) -> SkinModel:
    """Pack a skin of a valid figure."""
    joints = np.array([figure.joint_index[id] for id in skin.joints], dtype=np.int32)
    heaviest = joints[skin.influences.array[:, 0]]
    heaviest.flags.writeable = False
    return SkinModel(
        skin=skin,
        joints=joints,
        heaviest=heaviest,
        topology=blake2b(skin.triangles.digest.encode() + heaviest.tobytes(), digest_size=16).hexdigest(),
        rest=_rest(skin.positions, skin.triangles),
        palette=np.empty((len(joints), DUAL_ROW if skin.blending == "dual" else LINEAR_ROW), dtype=np.float32),
        scratch=np.empty(ROW),
    )


@lru_cache(maxsize=16)
def _rest(positions: Blob, triangles: Blob) -> Floats:
    """Kept, since an edit of the figure leaves them as they are."""
    points = positions.array
    normals = vertex_normals(points.astype(np.float64), triangles.array)
    return np.concatenate((points, normals.astype(np.float32)), axis=1)


def vertex_normals(points: Array, triangles: IntArray) -> Array:
    """Unit normals, the mean of those of the triangles around, weighted by area."""
    corners = points[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    places = triangles.T.ravel()
    normals = np.empty_like(points)
    for axis in range(3):
        normals[:, axis] = np.bincount(places, np.tile(faces[:, axis], 3), len(points))
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30))
