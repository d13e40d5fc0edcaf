"""Spindles: muscles between bones, all of them one draw call. Their vertices are uploaded with each pose.

Each muscle is a body of the table of its own, so that it is lit, outlined and picked as one; its finish there is its
colour, redder and brighter the more it is activated. Tendons are pale.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.gl import Indices, Vertices
from app.scene.look import rgb
from app.scene.picks import meet
from app.scene.visuals.form import GLOBALS, Form
from app.scene.visuals.table import BodyTable
from app.style.hues import MUSCLE
from engine.model import Spindles

(RELAXED, ACTIVE), TENDON = MUSCLE, "#d8cdbb"
ROUGHNESS = 0.62
MANY, SPARSE = 200, 3  # of more muscles than that, each third casts the soft shadow: they lie side by side
CLOSE = 0.006  # [m] of details that may be left out, from which on every other ring is
FIELDS = (("position", 3), ("normal", 3), ("body", 1), ("sinew", 1))


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
        self._sparse: Indices | None = None
        if sum(len(each.muscles) for each, _ in items) > MANY:
            parts = [each.sparse + shift for (each, _), shift in zip(items, counts, strict=False)]
            sparse = np.concatenate(parts).astype(np.uint32)
            self._sparse = Indices(sparse)
            self.casting = Indices(sparse[self._rows[sparse[:, 0], 6].astype(np.int64) % SPARSE == 0])

    def level(self, coarse: float) -> tuple[Vertices, Indices] | None:
        """Give every other ring of each muscle, where these are close to each other on the screen."""
        return None if self._sparse is None or coarse < CLOSE else (self._vertices, self._sparse)

    def pose(self, items: Sequence[Spindles]) -> None:
        """Take over the vertices of this frame."""
        first = 0
        for each in items:
            rows = self._rows[first : first + len(each.positions)]
            rows[:, :3], rows[:, 3:6] = each.positions, each.normals
            first += len(each.positions)
        self._vertices.write(self._rows)

    def hit(self, table: BodyTable, code: int, origin: Array, direction: Array) -> tuple[int, float]:
        """Return where the ray meets the muscle's triangles."""
        corners = self._rows[self._triangles[self._body == code], :3].astype(np.float64)
        return code, meet(origin, direction, corners)


def muscle_finishes(activation: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the colours of muscles by their activations, with their roughness, shape [muscle_count, 4]."""
    found = np.empty((len(activation), 4), dtype=np.float32)
    found[:, :3] = _linear(RELAXED) + activation[:, None] * (_linear(ACTIVE) - _linear(RELAXED))
    found[:, 3] = ROUGHNESS
    return found
