"""Skins: surfaces that bend. Triangles stay on the card; places and normals of a frame are uploaded with its pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.colour_map import NONE, hues_of
from app.scene.gl import Indices, Program, Vertices
from app.scene.picks import meet
from app.scene.visuals.form import GLOBALS, Form
from app.scene.visuals.paints import PAINT_FIELDS, PAINT_HEAD, painted, paints_of
from app.scene.visuals.table import BodyTable
from engine.model import SkinSurface

_FIND = """
attribute vec3 position;
attribute vec3 normal;
attribute float body;
attribute float tone;
attribute float triangle;
void find() {
    find_body(body);
    at = position;
    facing = away = normal;
    shade = 1.0;
    hue = tone;
    code = triangle;
}
"""
FIELDS = (("position", 3), ("normal", 3), ("body", 1), ("tone", 1))
CODE_FIELDS = (("position", 3), ("body", 1), ("triangle", 1))


class Skins(Form):
    """The form of skinned figures: each surface, and the number of its owner's first body.

    A vertex belongs to the body that it follows most, a triangle to that of its first corner; the code of a pixel is
    the number of its triangle, for the body that was meant is that of the corner nearest to the point.
    """

    HEAD = GLOBALS + _FIND

    def __init__(self, surfaces: Sequence[tuple[SkinSurface, int]]) -> None:
        coloured = any(each.colouring is not None for each, _ in surfaces)
        laid = [painted(each.triangles, each.colouring, len(each.positions)) for each, _ in surfaces]
        # Which vertex of all surfaces each drawn one is: seams of textures split them.
        begins = np.cumsum([0, *(len(each.positions) for each, _ in surfaces)])
        source = np.concatenate([each.source + begin for each, begin in zip(laid, begins, strict=False)])
        self._source: NDArray[np.int64] | slice = source if coloured else slice(None)
        shifts = np.cumsum([0, *(len(each.source) for each in laid)])
        parts = [each.triangles + shift for each, shift in zip(laid, shifts, strict=False)]
        triangles: NDArray[np.uint32] = np.concatenate(parts).astype(np.uint32)
        places = [each.positions[split.source] for (each, _), split in zip(surfaces, laid, strict=True)]
        seams = None if _is_closed(triangles) else _seams(places)
        welded = triangles if seams is None else _welded(triangles, seams)
        closed = seams is None or _is_closed(welded)
        # Where vertices stand in one place, as along a sharp edge, they swell together, else outlines would gape there.
        self._seams = seams if closed and seams is not None else None
        fields: tuple[tuple[str, int], ...] = FIELDS
        head = GLOBALS
        if self._seams is not None:
            fields, head = (*fields, ("swell", 3)), head + "attribute vec3 swell;"
        if coloured:
            fields, head = (*fields, *PAINT_FIELDS), head + PAINT_HEAD
        self.HEAD = head + (_FIND if self._seams is None else _FIND.replace("away = normal", "normal; away = swell"))
        self._rows = np.zeros((shifts[-1], sum(length for _, length in fields)), dtype=np.float32)
        self._rows[:, 6] = np.concatenate([each.body + first for each, first in surfaces])[self._source]
        if coloured:
            self._rows[:, -6:] = np.concatenate([each.rows for each in laid])
        super().__init__(Vertices(self._rows, fields), triangles, self._rows[triangles[:, 0], 6].astype(np.int64))
        if coloured:
            counts = np.cumsum([0, *map(len, parts)])
            self.paints = paints_of(
                triangles,
                [
                    (material, before + numbers, each.hollow)
                    for (each, _), split, before in zip(surfaces, laid, counts, strict=False)
                    for material, numbers in split.parts
                ],
            )
        self._coded: Vertices | None = None
        self._surfaces: Sequence[SkinSurface] = [each for each, _ in surfaces]
        self._coloured_by = ""
        self._rows[:, 7] = NONE
        hollow = np.repeat([each.hollow for each, _ in surfaces], [len(each) for each in parts])
        self.hollow = Indices(triangles[hollow]) if hollow.any() else None
        self.solid = Indices(triangles[~hollow]) if hollow.any() and not hollow.all() else None
        # Of a closed surface nobody sees the inside, and leaving it out halves the drawing.
        self.cull = "back" if closed else None

    def pose(self, surfaces: Sequence[SkinSurface]) -> None:
        """Take over the vertices of this frame."""
        places = np.concatenate([each.positions for each in surfaces])
        normals = np.concatenate([each.normals for each in surfaces])
        self._rows[:, :3], self._rows[:, 3:6] = places[self._source], normals[self._source]
        self._surfaces, self._coded = surfaces, None
        if self._seams is not None:
            self._rows[:, 8:11] = _shared(self._rows[:, 3:6], self._seams)
        self._paint()

    def colour_by(self, field: str) -> None:
        """Colour those that have a quantity by it; the others, or all without one, are plain."""
        if field != self._coloured_by:
            self._coloured_by = field
            self._paint()

    def _paint(self) -> None:
        if self._surfaces:
            hues = hues_of(self._surfaces, self._coloured_by)
            self.is_mapped = bool((hues > NONE).any())
            self._rows[:, 7] = hues[self._source]
        self._vertices.write(self._rows)

    def draw_codes(self, program: Program) -> None:
        """Draw each triangle with corners of its own, which carry its number; made when a pose is first picked in."""
        if self._coded is None:
            corners = self._rows[self._triangles.ravel()]
            numbers = np.repeat(np.arange(len(self._triangles), dtype=np.float32), 3)
            self._coded = Vertices(np.column_stack((corners[:, :3], corners[:, 6], numbers)), CODE_FIELDS)
        program.draw(self._coded)

    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return the body of the corner nearest to the point where the ray meets the triangle."""
        corners = self._rows[self._triangles[code]].astype(np.float64)
        along = meet(origin, direction, corners[None, :, :3])
        nearest = np.argmin(np.linalg.norm(corners[:, :3] - (origin + along * direction), axis=1))
        return int(corners[nearest, 6]), along


def _seams(positions: Sequence[NDArray[np.float32]]) -> NDArray[np.int64]:
    """Number the places in which vertices of each surface stand; those of a seam, or of a sharp edge, share one."""
    places = [np.round(each / max(float(np.ptp(each)), 1e-9), 6) for each in positions]
    apart = np.repeat(np.arange(len(positions)), [len(each) for each in positions])
    _, same = np.unique(np.column_stack((np.concatenate(places), apart)), axis=0, return_inverse=True)
    return same.reshape(-1).astype(np.int64)


def _welded(triangles: NDArray[np.uint32], seams: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return triangles with one vertex for all of a place; without those of no area."""
    found = seams[triangles].astype(np.uint32)
    wide = (found[:, 0] != found[:, 1]) & (found[:, 1] != found[:, 2]) & (found[:, 2] != found[:, 0])
    welded: NDArray[np.uint32] = found[wide]
    return welded


def _shared(normals: NDArray[np.float32], seams: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the mean direction of the normals of each place, for its vertices."""
    sums = np.stack([np.bincount(seams, normals[:, axis]) for axis in range(3)], axis=1)
    found: NDArray[np.float32] = (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9))[seams]
    return found.astype(np.float32)


def _is_closed(triangles: NDArray[np.uint32]) -> bool:
    """Return True if an even number of triangles meets at every edge."""
    pairs = np.sort(np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, ::2])), axis=1).astype(np.int64)
    _, times = np.unique(pairs[:, 0] << 32 | pairs[:, 1], return_counts=True)
    return bool((times % 2 == 0).all())
