"""Overlay: an atlas of small pictures that Qt painted, laid pixel by pixel over the views in one draw call."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from PySide6.QtGui import QImage

from app.scene.gl import Program, Texture, Vertices, draw_into, mode

_VERTEX = """
uniform vec2 size;
uniform vec2 atlas;
attribute vec2 place;
attribute vec2 source;
varying vec2 at;
void main() {
    at = source / atlas;
    gl_Position = vec4(place.x / size.x * 2.0 - 1.0, 1.0 - place.y / size.y * 2.0, 0.0, 1.0);
}
"""
_FRAGMENT = "uniform sampler2D picture; varying vec2 at; void main() { gl_FragColor = texture2D(picture, at); }"


class OverlayVisual:
    """An atlas of pictures, by name, and the place of each."""

    def __init__(self, width: int, height: int) -> None:
        self._program, self._texture = Program(_VERTEX, _FRAGMENT), Texture(width, height)
        self._contents: dict[Hashable, Hashable] = {}
        self._placed: tuple[object, ...] = ()
        self._quads: Vertices | None = None

    def holds(self, slot: Hashable, content: Hashable) -> bool:
        """Return True if a slot shows that content already; it counts as shown from now on."""
        same = self._contents.get(slot) == content
        self._contents[slot] = content
        return same

    def write(self, image: QImage, x: int, y: int) -> None:
        """Put a picture's pixels at a place of the atlas."""
        rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
        self._texture.write(rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4), x, y)

    def draw(self, handle: int, size: tuple[int, int], placed: tuple[tuple[int, int, int, int, int, int], ...]) -> None:
        """Draw pictures: each source x, y, width, height in the atlas and x, y of the canvas, in physical pixels."""
        if not placed:
            return
        if placed != self._placed or self._quads is None:
            self._placed, self._quads = placed, Vertices(_quads(placed), (("place", 2), ("source", 2)))
        draw_into(handle, 0, 0, *size)
        mode(blend="over")
        self._program.use(size=size, atlas=(self._texture.width, self._texture.height), picture=self._texture)
        self._program.draw(self._quads)


def _quads(placed: tuple[tuple[int, int, int, int, int, int], ...]) -> np.typing.NDArray[np.float32]:
    rows = [
        (to_x + i * width, to_y + j * height, x + i * width, y + j * height)
        for x, y, width, height, to_x, to_y in placed
        for i, j in ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1))
    ]
    return np.array(rows, dtype=np.float32)
