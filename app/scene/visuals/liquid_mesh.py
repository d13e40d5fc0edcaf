"""Liquid mesh: the surfaces of liquids as one mesh, the head of its shaders, and the box about what holds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.scene.camera import Bounds, vector
from app.scene.gl import Indices, Vertices
from engine.model import LiquidSurface

VERTEX = """
uniform mat4 clip_from_world;
uniform vec4 along;
attribute vec3 position;
attribute vec3 normal;
attribute float foam;
varying vec3 world_point;
varying vec3 world_normal;
varying float share;
varying float froth;
void main() {
    froth = foam;
    world_point = position;
    world_normal = normal;
    share = dot(position, along.xyz) + along.w;
    gl_Position = clip_from_world * vec4(position, 1.0);
}
"""


def mesh_of(items: Sequence[LiquidSurface]) -> tuple[Vertices, Indices] | None:
    """Return the triangles of all; None where there is none."""
    parts = [each for each in items if len(each.triangles)]
    if not parts:
        return None
    first = np.cumsum([0, *(len(each.positions) for each in parts)])
    triangles = np.concatenate([each.triangles + start for each, start in zip(parts, first, strict=False)])
    rows = np.concatenate([np.column_stack((each.positions, each.normals, each.foam)) for each in parts])
    return Vertices(rows, (("position", 3), ("normal", 3), ("foam", 1))), Indices(triangles.astype(np.uint32))


def box_about(items: Sequence[LiquidSurface]) -> Bounds | None:
    """Return the box about the boxes that hold them."""
    if not items:
        return None
    lower = np.min([each.lower for each in items], axis=0)
    return Bounds(vector(lower), vector(np.max([each.upper for each in items], axis=0)))
