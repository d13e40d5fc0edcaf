"""Sheets: rectangles across something, coloured by a quantity; nothing where there is none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.colour_map import STEPS, colour_rows
from app.scene.gl import Program, Texture, Vertices, mode
from app.scene.visuals.eye import Eye
from engine.model import SliceSheet

_VERTEX = """
uniform mat4 clip_from_world;
attribute vec3 place;
attribute vec2 source;
varying vec2 at;
void main() { at = source; gl_Position = clip_from_world * vec4(place, 1.0); }
"""
_FRAGMENT = """
uniform sampler2D picture;
varying vec2 at;
void main() {
    vec4 colour = texture2D(picture, at);
    if (colour.a < 0.5) discard;
    gl_FragColor = vec4(colour.rgb / colour.a, 1.0);
}
"""


class SheetsVisual:
    """Draws slices as solid rectangles."""

    def __init__(self) -> None:
        self._program: Program | None = None  # made when the first slice is drawn
        self._shown: Sequence[SliceSheet] = ()
        self._sheets: list[tuple[Vertices, Texture]] = []

    @property
    def is_seen(self) -> bool:
        """True if there is a slice."""
        return bool(self._sheets)

    def show(self, items: Sequence[SliceSheet]) -> None:
        """Take over those of a picture; the same ones are not uploaded again."""
        if len(items) == len(self._shown) and all(map(lambda one, two: one is two, items, self._shown)):
            return
        self._shown, self._sheets = items, []
        for item in items:
            if item.visible and item.values.size:
                colours = colours_of(item)
                height, width = colours.shape[:2]
                source = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32)
                rows = np.concatenate((item.corners, source), axis=1).astype(np.float32)[[0, 1, 2, 0, 2, 3]]
                texture = Texture(width, height, smooth=True)
                texture.write(colours)
                self._sheets.append((Vertices(rows, (("place", 3), ("source", 2))), texture))

    def draw(self, eye: Eye) -> None:
        """Draw all."""
        if not self._sheets:
            return
        if self._program is None:
            self._program = Program(_VERTEX, _FRAGMENT)
        mode(depth=True, write_depth=True)
        for vertices, texture in self._sheets:
            self._program.use(clip_from_world=eye.matrix, picture=texture)
            self._program.draw(vertices)


def colours_of(item: SliceSheet) -> NDArray[np.uint8]:
    """Return the colours of a slice, premultiplied, shape [rows, columns, 4]; nothing where there is no number."""
    there = np.isfinite(item.values)
    wide = item.high - item.low
    shares = np.where(there, (item.values - item.low) / (wide if wide > 0.0 else 1.0), 0.0)
    steps = np.clip(np.round(shares * (STEPS - 1)), 0, STEPS - 1).astype(np.int64)
    colours = colour_rows()[0][steps]
    colours[~there] = 0
    return np.ascontiguousarray(colours)
