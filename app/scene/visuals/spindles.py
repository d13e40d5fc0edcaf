"""Spindles: muscles between bones, all of them one draw call. Their vertices are uploaded with each pose.

Each muscle is a body of the table of its own, so that it is lit, outlined and picked as one; its finish there is its
colour, redder and brighter the more it is activated. Tendons are pale.

Where they are many and small on the screen, a processor draws each as a roof along its spine, whose eaves are the
outline that is seen and whose ridge is turned towards the eye: no triangle is spent on what nobody sees. Where muscles
point at the eye, the other side of some is seen, too: then each gets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array, eye_of
from app.scene.gl import Indices, Program, Vertices
from app.scene.look import rgb
from app.scene.picks import meet
from app.scene.visuals.form import GLOBALS, DrawnTriangles, Form
from app.scene.visuals.table import BodyTable
from app.style.hues import MUSCLE
from engine.model import Spindles

(RELAXED, ACTIVE), TENDON = MUSCLE, "#d8cdbb"
ROUGHNESS = 0.62
MANY, SPARSE = 200, 3  # of more muscles than that, each third casts the soft shadow: they lie side by side
CLOSE = 0.006  # [m] of details that may be left out, from which on they are roofs
SPINE = 8  # numbers of a ring in a spine
AROUND = 4  # corners of a roof across a muscle: an eave, the ridge, an eave, and what is opposite the ridge
EAVES = 0.65  # by how much normals at eaves lean towards the ridge
ROUND = 1.25  # radius of a square that is as large as a circle, over the circle's
STEEP, MOST_STEEP = 0.94, 0.05  # cosine from which on a muscle points at the eye; the share of them that may
FIELDS = (("position", 3), ("normal", 3), ("body", 1), ("sinew", 1))
ROOF_FIELDS = (("middle", 3), ("radius", 1), ("along", 3), ("growth", 1), ("body", 1), ("sinew", 1), ("around", 1))


def _linear(colour: str) -> NDArray[np.float32]:
    return (np.array(rgb(colour)) ** 2).astype(np.float32)


_PALE = ", ".join(f"{channel:.4f}" for channel in _linear(TENDON))


class SpindlesForm(Form):
    """The form of muscles: each item, and the number of its first body."""

    HEAD = (
        GLOBALS
        + f"""
attribute vec3 position;
attribute vec3 normal;
attribute float body;
attribute float sinew;
void find() {{
    find_body(body);
    at = position;
    facing = away = normal;
    finish.rgb = mix(finish.rgb, vec3({_PALE}), sinew);
    shade = 1.0;
    code = body;
}}
"""
    )

    def __init__(self, items: Sequence[tuple[Spindles, int]]) -> None:
        counts = np.cumsum([0, *(len(each.positions) for each, _ in items)])
        triangles: NDArray[np.uint32] = np.concatenate(
            [each.triangles + shift for (each, _), shift in zip(items, counts, strict=False)]
        ).astype(np.uint32)
        self._rows = np.zeros((counts[-1], 8), dtype=np.float32)
        self._rows[:, 6] = np.concatenate([each.muscle + first for each, first in items])
        self._rows[:, 7] = np.concatenate([each.sinew for each, _ in items])
        super().__init__(Vertices(self._rows, FIELDS), triangles, self._rows[triangles[:, 0], 6].astype(np.int64))
        self._items: Sequence[Spindles] = ()
        self._is_old = False
        many = sum(len(each.muscles) for each, _ in items) > MANY
        self._roofs = SpindleRoofs(items) if many else None

    def afar(self, coarse: float) -> DrawnTriangles:
        """Give roofs, where muscles are small on the screen."""
        if self._roofs is None or coarse < CLOSE:
            return self
        self._roofs.take(self._items)
        return self._roofs

    def pose(self, items: Sequence[Spindles]) -> None:
        """Take over this frame; its vertices are uploaded as they are first drawn."""
        self._items, self._is_old = items, True

    def draw(self, program: Program, part: Indices | None = None) -> None:
        """Draw all, or some triangles, with a program that is in use."""
        self._take()
        super().draw(program, part)

    def draw_codes(self, program: Program) -> None:
        """Draw all so that every pixel gets the number of its muscle's body."""
        self._take()
        super().draw_codes(program)

    def _take(self) -> None:
        if not self._is_old:
            return
        first, self._is_old = 0, False
        for each in self._items:
            rows = self._rows[first : first + len(each.positions)]
            rows[:, :3], rows[:, 3:6] = each.positions, each.normals
            first += len(each.positions)
        self._vertices.write(self._rows)

    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return where the ray meets the muscle's triangles."""
        self._take()
        corners = self._rows[self._triangles[self._body == code], :3].astype(np.float64)
        return code, meet(origin, direction, corners)


class SpindleRoofs(DrawnTriangles):
    """Muscles as roofs that are turned towards the eye."""

    HEAD = (
        GLOBALS
        + f"""
uniform vec4 seen_from;
attribute vec3 middle;
attribute float radius;
attribute vec3 along;
attribute float growth;
attribute float body;
attribute float sinew;
attribute float around;
void find() {{
    find_body(body);
    vec3 towards = normalize(seen_from.xyz - seen_from.w * middle);
    vec3 beside = cross(along, towards);
    float aslant = smoothstep(0.02, 0.3, dot(beside, beside));
    if (dot(beside, beside) < 0.01) beside = cross(along, abs(along.x) > 0.7 ? vec3(0, 1, 0) : vec3(1, 0, 0));
    beside = normalize(beside);
    vec3 ridge = cross(beside, along);
    away = around < 1.5 ? around * beside + (1.0 - abs(around)) * ridge : -ridge;
    // Along the view, four corners are to cover as much as a circle.
    at = middle + radius * mix({ROUND}, 1.0, aslant) * away;
    // Light of a roof is spread from its eaves: as much as a round muscle has on average.
    facing = normalize(away + aslant * (abs(around) < 1.5 ? {EAVES} * abs(around) : 0.0) * ridge - growth * along);
    finish.rgb = mix(finish.rgb, vec3({_PALE}), sinew);
    shade = 1.0;
    code = body;
}}
"""
    )

    def __init__(self, items: Sequence[tuple[Spindles, int]]) -> None:
        self._shown: Sequence[Spindles] = ()
        shapes = [(len(each.muscles), len(each.few), AROUND) for each, _ in items]
        counts = np.cumsum([0, *map(prod, shapes)])
        self._rows = np.zeros((counts[-1], SPINE + 3), dtype=np.float32)
        parts = zip(np.split(self._rows, counts[1:-1]), shapes, strict=True)
        self._parts = [rows.reshape(*shape, SPINE + 3) for rows, shape in parts]  # the same rows
        for (each, first), rows in zip(items, self._parts, strict=True):
            rings = len(each.spine) // len(each.muscles)
            rows[..., SPINE] = (np.arange(len(each.muscles)) + first)[:, None, None]
            sinew = each.sinew.reshape(len(each.muscles), rings, -1)[:, each.few, 0]
            rows[..., SPINE + 1], rows[..., SPINE + 2] = sinew[:, :, None], np.array((-1.0, 0.0, 1.0, 2.0))
        roofs, whole, rough = (
            np.concatenate(
                [_tiled(*shape[:2], sides, step) + shift for shape, shift in zip(shapes, counts, strict=False)]
            ).astype(np.uint32)
            for sides, step in ((2, 1), (AROUND, 1), (2, 2))
        )
        super().__init__(Vertices(self._rows, ROOF_FIELDS), roofs)
        self._whole, self._points_at_eye = Indices(whole), False
        self._middles = np.zeros((0, SPINE), dtype=np.float32)  # of the muscles
        self.outlining = Indices(rough)
        self.casting = Indices(roofs[self._rows[roofs[:, 0], SPINE].astype(np.int64) % SPARSE == 0])

    def take(self, items: Sequence[Spindles]) -> None:
        """Take over the spines of a frame."""
        if items is self._shown:
            return
        self._shown = items
        for each, rows in zip(items, self._parts, strict=True):
            spine = each.spine.reshape(len(each.muscles), -1, SPINE)[:, each.few]
            rows[..., :SPINE] = spine[:, :, None]
        self._middles = np.concatenate([rows[:, len(rows[0]) // 2, 0, :SPINE] for rows in self._parts])
        self._vertices.write(self._rows)

    def aim(self, program: Program, clip_from_world: Array) -> None:
        """Turn ridges to where they are seen from."""
        eye = eye_of(clip_from_world)
        program.use(seen_from=eye)
        points = self._middles
        towards = np.array(eye[:3], dtype=np.float32) - np.float32(eye[3]) * points[:, :3]
        along = (towards * points[:, 4:7]).sum(axis=1) / np.maximum(np.linalg.norm(towards, axis=1), 1e-9)
        self._points_at_eye = bool((np.abs(along) > STEEP).mean() > MOST_STEEP)

    def draw(self, program: Program, part: Indices | None = None) -> None:
        """Draw all, or some triangles, with a program that is in use."""
        super().draw(program, part or (self._whole if self._points_at_eye else None))


def _tiled(muscles: int, rings: int, sides: int, step: int) -> NDArray[np.int64]:
    """Return the triangles of roofs over every `step`-th ring and the last, counter-clockwise from outside, around so
    many sides, shape [count, 3]."""
    starts = np.arange(0, rings - 1, step)
    ring, side = np.meshgrid(starts, np.arange(sides), indexing="ij")
    on = AROUND * (np.minimum(ring + step, rings - 1) - ring)
    here, beside = ring * AROUND + side, ring * AROUND + (side + 1) % AROUND
    one = np.stack((here, beside, beside + on, here, beside + on, here + on), axis=-1).reshape(-1, 3)
    found = one[None] + (np.arange(muscles) * rings * AROUND)[:, None, None]
    return found.reshape(-1, 3)


def muscle_finishes(activation: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the colours of muscles by their activations, with their roughness, shape [muscle_count, 4]."""
    found = np.empty((len(activation), 4), dtype=np.float32)
    found[:, :3] = _linear(RELAXED) + activation[:, None] * (_linear(ACTIVE) - _linear(RELAXED))
    found[:, 3] = ROUGHNESS
    return found
