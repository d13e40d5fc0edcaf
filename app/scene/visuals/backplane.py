"""Backplane: image planes in a view, behind the grid and the bodies or in front of all. They are not picked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.scene.gl import Program, Texture, mode, quad
from app.scene.planes import Plane, hangs_in, placing
from app.scene.visuals.eye import Eye

_VERTEX = """
uniform mat4 place;
attribute vec2 corner;
varying vec2 at;
void main() {
    at = corner * 0.5 + 0.5;
    gl_Position = place * vec4(corner, 0.0, 1.0);
}
"""
_FRAGMENT = """
uniform sampler2D picture;
uniform float opacity;
varying vec2 at;
void main() { gl_FragColor = texture2D(picture, at) * opacity; }
"""


class BackplaneVisual:
    """Draws image planes; pixels are uploaded when they have changed."""

    _program = cached_property(lambda _: Program(_VERTEX, _FRAGMENT))  # made when something is first drawn

    def __init__(self) -> None:
        self._quad = quad()
        self._planes: Sequence[Plane] = ()
        self._textures: dict[str, Texture] = {}
        self._written: dict[str, NDArray[np.uint8]] = {}

    def show(self, planes: Sequence[Plane]) -> None:
        """Take over the image planes of all views."""
        self._planes = planes
        wanted = {plane.image: plane for plane in planes}
        for gone in self._textures.keys() - wanted.keys():
            del self._textures[gone], self._written[gone]
        for image, plane in wanted.items():
            if self._written.get(image) is not plane.pixels:
                self._write(image, plane.pixels)

    def draw(self, eye: Eye, *, in_front: bool) -> None:
        """Draw the image planes of a view that are behind the bodies, or in front of them."""
        for plane in self._planes:
            if plane.in_front == in_front and hangs_in(plane, eye.camera):
                mode(blend="over")
                shift = np.eye(4)
                shift[:2, 3] = 2 * eye.jitter[0] / eye.size[0], 2 * eye.jitter[1] / eye.size[1]
                place = shift @ placing(plane, eye.camera, eye.size)
                self._program.use(place=place, opacity=plane.opacity, picture=self._textures[plane.image])
                self._program.draw(self._quad, mode="triangle_strip")

    def _write(self, image: str, pixels: NDArray[np.uint8]) -> None:
        height, width = pixels.shape[:2]
        texture = self._textures.get(image)
        if texture is None or (texture.width, texture.height) != (width, height):
            texture = self._textures[image] = Texture(width, height, smooth=True)
        texture.write(pixels)
        self._written[image] = pixels
