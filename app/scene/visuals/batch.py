"""Batch: many bodies of many items in one vertex buffer, so that they are one draw call.

Each vertex carries the number of its body; transforms stand in a small float texture that the vertex shader reads, so
a new pose uploads a few kilobytes and no vertex. Texture rows hold 64 bodies of four texels: the three rows of the
transform, then (selected, visible, 0, 0). The buffer is made anew only when the list of meshes changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.extent import Part
from app.scene.gl import RGBA32F, Indices, Program, Texture, Vertices
from engine.model import Bodies, Mesh

FIELDS = (("position", 3), ("normal", 3), ("outward", 3), ("tone", 1), ("body", 1))
PER_ROW, TEXELS = 64, 4

# Shared by every vertex shader that draws a batch.
PLACE = """
uniform mat4 clip_from_world;
uniform sampler2D bodies;
uniform float body_rows;
attribute vec3 position;
attribute vec3 normal;
attribute vec3 outward;
attribute float body;

vec4 row_x;
vec4 row_y;
vec4 row_z;
vec4 flags;

void find_body() {
    vec2 at = (vec2(mod(body, 64.0) * 4.0, floor(body / 64.0)) + 0.5) / vec2(256.0, body_rows);
    row_x = texture2DLod(bodies, at, 0.0);
    row_y = texture2DLod(bodies, at + vec2(1.0 / 256.0, 0.0), 0.0);
    row_z = texture2DLod(bodies, at + vec2(2.0 / 256.0, 0.0), 0.0);
    flags = texture2DLod(bodies, at + vec2(3.0 / 256.0, 0.0), 0.0);
}
vec3 placed(vec3 point) {
    vec4 p = vec4(point, 1.0);
    return vec3(dot(row_x, p), dot(row_y, p), dot(row_z, p));
}
vec3 turned(vec3 direction) {
    return vec3(dot(row_x.xyz, direction), dot(row_y.xyz, direction), dot(row_z.xyz, direction));
}
"""


class Batch:
    """The vertex buffer and the texture of transforms of some items."""

    def __init__(self, items: Sequence[Bodies]) -> None:
        counts = [len(item.parts) for item in items]
        self.signature = signature(items)
        self._first = [0, *np.cumsum(counts, dtype=int).tolist()]
        self._names: list[Part] = [(item.owner, part) for item in items for part in item.parts]
        self._meshes = [item.mesh for item in items]
        shifts = np.cumsum([0, *(len(mesh.positions) for mesh in self._meshes)])[:-1]
        triangles = [mesh.triangles + np.uint32(shift) for mesh, shift in zip(self._meshes, shifts, strict=True)]
        self._triangles: NDArray[np.uint32] = np.concatenate(triangles).astype(np.uint32)
        rows = np.concatenate([_rows(mesh, first) for mesh, first in zip(self._meshes, self._first[:-1], strict=True)])
        self._triangle_body = rows[self._triangles[:, 0], -1].astype(np.int64)
        self.vertices = Vertices(rows, FIELDS)
        self.indices = Indices(self._triangles)
        height = max(-(-len(self._names) // PER_ROW), 1)
        self._table = np.zeros((height * PER_ROW, TEXELS, 4), dtype=np.float32)
        self.texture = Texture(PER_ROW * TEXELS, height, kind=RGBA32F)

    def pose(self, items: Sequence[Bodies], selected: frozenset[Part]) -> None:
        """Take over the transforms of items with this batch's meshes."""
        for item, first in zip(items, self._first, strict=False):
            self._table[first : first + len(item.parts), :3] = item.transforms
            self._table[first : first + len(item.parts), 3, 1] = item.visible
        # Names may have changed though the meshes have not: another actor of the same shape.
        self._names = [(item.owner, part) for item in items for part in item.parts]
        self.select(selected)

    def select(self, selected: frozenset[Part]) -> None:
        """Mark the selected bodies."""
        self._table[:, 3, 0] = 0.0
        self._table[self.numbers(selected), 3, 0] = 1.0
        self.texture.write(self._table.reshape(self.texture.height, self.texture.width, 4))

    def name(self, number: int) -> Part:
        """Owner and part of a body."""
        return self._names[number]

    def numbers(self, parts: frozenset[Part]) -> list[int]:
        """Bodies of those parts, rising."""
        return [number for number, name in enumerate(self._names) if name in parts] if parts else []

    def indices_of(self, numbers: Sequence[int]) -> Indices | None:
        """The triangles of some bodies; None if they have none."""
        wanted = np.zeros(len(self._table), dtype=bool)
        wanted[list(numbers)] = True
        triangles = self._triangles[wanted[self._triangle_body]]
        return Indices(triangles) if len(triangles) else None

    def corners(self, number: int) -> Array:
        """Corners in the world of a body's triangles, shape [triangle_count, 3, 3]."""
        index = int(np.searchsorted(self._first, number, side="right")) - 1
        mesh = self._meshes[index]
        triangles = mesh.triangles[mesh.body[mesh.triangles[:, 0]] == number - self._first[index]]
        transform = self._table[number, :3].astype(np.float64)
        corners: Array = mesh.positions[triangles] @ transform[:, :3].T + transform[:, 3]
        return corners

    def draw(self, program: Program, indices: Indices | None = None) -> None:
        """Draw all bodies, or some triangles, with a program that is in use."""
        program.use(body_rows=float(self.texture.height))
        program.sample("bodies", self.texture)
        program.draw(self.vertices, indices or self.indices)

    def delete(self) -> None:
        """Give the memory back."""
        for each in (self.vertices, self.indices, self.texture):
            each.delete()


def signature(items: Sequence[Bodies]) -> tuple[str, ...]:
    """What a batch's buffer depends on."""
    return tuple(item.mesh.digest for item in items)


def outward(mesh: Mesh) -> NDArray[np.float32]:
    """Normals that vertices at one place of one body share, so that an outline about a hard edge does not tear."""
    keys = np.column_stack((np.round(mesh.positions * 1e5).astype(np.int64), mesh.body))
    _, place = np.unique(keys, axis=0, return_inverse=True)
    place = place.reshape(-1)
    sums = np.zeros((int(place.max(initial=-1)) + 1, 3))
    np.add.at(sums, place, mesh.normals)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(lengths > 1e-9, lengths, 1.0))[place].astype(np.float32)


def _rows(mesh: Mesh, first: int) -> NDArray[np.float32]:
    body = (mesh.body + first).astype(np.float32)
    return np.column_stack((mesh.positions, mesh.normals, outward(mesh), mesh.tone, body)).astype(np.float32)
