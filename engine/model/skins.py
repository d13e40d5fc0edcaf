"""A skin compiled for the kernels of `engine.model.skinning`, and its surface in a figure's present state."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.document import Figure, Skin
from engine.model.compile import ROW, Array, IntArray
from engine.model.skinning import (
    DUAL_ROW,
    LINEAR_ROW,
    Floats,
    skin_dual,
    skin_linear,
    write_dual_palette,
    write_linear_palette,
)


@dataclass(frozen=True, eq=False)
class SkinModel:
    """Packed arrays of one skin on one figure, and the scratch that a frame needs."""

    skin: Skin
    joints: IntArray  # numbers in the figure
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
    positions = skin.positions.array
    normals = vertex_normals(positions.astype(np.float64), skin.triangles.array)
    return SkinModel(
        skin=skin,
        joints=np.array([figure.joint_index[id] for id in skin.joints], dtype=np.int32),
        rest=np.concatenate((positions, normals.astype(np.float32)), axis=1),
        palette=np.empty((len(skin.joints), DUAL_ROW if skin.blending == "dual" else LINEAR_ROW), dtype=np.float32),
        scratch=np.empty(ROW),
    )


def vertex_normals(points: Array, triangles: IntArray) -> Array:
    """Unit normals, the mean of those of the triangles around, weighted by area."""
    corners = points[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30))
