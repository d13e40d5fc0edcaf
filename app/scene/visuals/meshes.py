"""Meshes: the shapes of rigid bodies in one vertex buffer, made anew only when the list of meshes changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.gl import Vertices
from app.scene.picks import meet
from app.scene.visuals.form import GLOBALS, DrawnTriangles, Form
from app.scene.visuals.paints import PAINT_FIELDS, PAINT_HEAD, Part, painted, paints_of
from app.scene.visuals.table import BodyTable
from engine.model import Mesh, coarsened, merged

MOST_KNOWN = 32
MANY = 40_000  # triangles, of more of which there are coarser levels
CELLS = (0.006, 0.01, 0.016, 0.024)  # [m] sides of the cells of these
FIELDS = (("position", 3), ("normal", 3), ("outward", 3), ("tone", 1), ("body", 1))


class Meshes(Form):
    """The form of mannequins and props: each mesh, and the number of its first body."""

    _FIND = """
attribute vec3 position;
attribute vec3 normal;
attribute vec3 outward;
attribute float tone;
attribute float body;
void find() {
    find_body(body);
    at = placed(position);
    facing = turned(normal);
    away = turned(outward);
    shade = tone;
    code = body;
}
"""
    HEAD = GLOBALS + _FIND

    def __init__(self, meshes: Sequence[tuple[Mesh, int]]) -> None:
        coloured = any(mesh.colourings for mesh, _ in meshes)
        fields: tuple[tuple[str, int], ...] = FIELDS
        vertices, parts, paints, shift, before = [], [], list[Part](), 0, 0
        for mesh, first in meshes:
            own, faces = _rows(mesh, first), mesh.triangles.astype(np.int64)
            if coloured:
                found = painted(faces, merged(mesh.colourings), len(own))
                own, faces = np.concatenate((own[found.source], found.rows), axis=1), found.triangles
                paints += [(material, before + numbers, False) for material, numbers in found.parts]
            vertices.append(own)
            parts.append(faces + shift)
            shift, before = shift + len(own), before + len(faces)
        rows = np.concatenate(vertices)
        triangles: NDArray[np.uint32] = np.concatenate(parts).astype(np.uint32)
        if coloured:
            fields, self.HEAD = (*FIELDS, *PAINT_FIELDS), GLOBALS + PAINT_HEAD + self._FIND
        super().__init__(Vertices(rows, fields), triangles, rows[triangles[:, 0], 10].astype(np.int64))
        self.paints = paints_of(triangles, paints)
        self._positions = rows[:, :3]
        self._meshes = () if coloured or len(triangles) <= MANY else tuple(meshes)
        self._levels: dict[float, DrawnTriangles] = {}

    def afar(self, coarse: float) -> DrawnTriangles:
        """Give coarser meshes, made when they are first drawn."""
        cell = max((each for each in CELLS if each <= coarse), default=0.0)
        if not self._meshes or not cell:
            return self
        if cell not in self._levels:
            meshes = [(coarsened(mesh, cell), first) for mesh, first in self._meshes]
            rows = [_coarse_rows(mesh, first) for mesh, first in meshes]
            shifts = np.cumsum([0, *map(len, rows)])
            triangles = [mesh.triangles + shift for (mesh, _), shift in zip(meshes, shifts, strict=False)]
            found = DrawnTriangles(Vertices(np.concatenate(rows), FIELDS), np.concatenate(triangles).astype(np.uint32))
            found.HEAD, self._levels[cell] = self.HEAD, found
        return self._levels[cell]

    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return where the ray meets the body's triangles."""
        transform = table.transform(code)
        points = self._positions[self._triangles[self._body == code]].astype(np.float64)
        return code, meet(origin, direction, points @ transform[:, :3].T + transform[:, 3])


def outward(mesh: Mesh) -> NDArray[np.float32]:
    """Return normals that vertices at one place of one body share, so that an outline about a hard edge does not
    tear."""
    keys = np.column_stack((np.round(mesh.positions * 1e5).astype(np.int64), mesh.body))
    _, place = np.unique(keys, axis=0, return_inverse=True)
    place = place.reshape(-1)
    sums = np.zeros((int(place.max(initial=-1)) + 1, 3))
    np.add.at(sums, place, mesh.normals)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(lengths > 1e-9, lengths, 1.0))[place].astype(np.float32)


def _coarse_rows(mesh: Mesh, first: int) -> NDArray[np.float32]:
    body = (mesh.body + first).astype(np.float32)
    return np.column_stack((mesh.positions, mesh.normals, mesh.normals, mesh.tone, body)).astype(np.float32)


def _rows(mesh: Mesh, first: int) -> NDArray[np.float32]:
    body = (mesh.body + first).astype(np.float32)
    return np.column_stack((mesh.positions, mesh.normals, _away(mesh), mesh.tone, body)).astype(np.float32)


_known: dict[str, NDArray[np.float32]] = {}  # by the mesh's digest, the one used last at the end


def _away(mesh: Mesh) -> NDArray[np.float32]:
    """Return its outward normals, which are kept: the same figures come again and again."""
    found = _known.pop(mesh.digest, None)
    _known[mesh.digest] = found = outward(mesh) if found is None else found
    if len(_known) > MOST_KNOWN:
        del _known[next(iter(_known))]
    return found
