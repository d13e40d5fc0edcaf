"""Liquid mesh: the surfaces of liquids as meshes, the head of its shaders, and the box about what holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.scene.camera import Bounds, Vector, vector
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


class LiquidMesh(NamedTuple):
    """The surface of one liquid, and the box that holds it."""

    vertices: Vertices
    triangles: Indices
    lower: Vector  # [m]
    upper: Vector


def meshes_of(items: Sequence[LiquidSurface]) -> tuple[LiquidMesh, ...]:
    """Return those that have triangles."""
    return tuple(_mesh_of(each) for each in items if len(each.triangles))


def _mesh_of(item: LiquidSurface) -> LiquidMesh:
    rows = np.column_stack((item.positions, item.normals, item.foam))
    vertices = Vertices(rows, (("position", 3), ("normal", 3), ("foam", 1)))
    return LiquidMesh(vertices, Indices(item.triangles.astype(np.uint32)), item.lower, item.upper)


def box_about(items: Sequence[LiquidSurface]) -> Bounds | None:
    """Return the box about the boxes that hold them."""
    if not items:
        return None
    lower = np.min([each.lower for each in items], axis=0)
    return Bounds(vector(lower), vector(np.max([each.upper for each in items], axis=0)))
