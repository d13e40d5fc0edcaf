"""Backplane: pictures that hang in a view, behind the grid and the bodies or in front of all. They are not picked."""

from __future__ import annotations

from collections.abc import Sequence

from app.scene.gl import Program, Texture, mode, quad
from app.scene.planes import Plane, hangs_in, rectangle
from app.scene.visuals.eye import Eye

_VERTEX = """
uniform vec4 box;
uniform vec2 shift;
attribute vec2 corner;
varying vec2 at;
void main() {
    at = corner * 0.5 + 0.5;
    gl_Position = vec4(mix(box.xy, box.zw, at) + shift, 0.0, 1.0);
}
"""
_FRAGMENT = """
uniform sampler2D picture;
uniform float opacity;
varying vec2 at;
void main() { gl_FragColor = texture2D(picture, at) * opacity; }
"""


class BackplaneVisual:
    """Draws planes; each picture's pixels go to the graphics card once."""

    def __init__(self) -> None:
        self._program, self._quad = Program(_VERTEX, _FRAGMENT), quad()
        self._planes: Sequence[Plane] = ()
        self._textures: dict[str, Texture] = {}

    def show(self, planes: Sequence[Plane]) -> None:
        """Take over the planes of all views."""
        self._planes = planes
        wanted = {plane.image: plane for plane in planes}
        for gone in self._textures.keys() - wanted.keys():
            self._textures.pop(gone).delete()
        for image in wanted.keys() - self._textures.keys():
            pixels = wanted[image].pixels
            self._textures[image] = texture = Texture(pixels.shape[1], pixels.shape[0], smooth=True)
            texture.write(pixels)

    def draw(self, eye: Eye, *, in_front: bool) -> None:
        """Those of a view that are behind the bodies, or in front of them."""
        for plane in self._planes:
            if plane.in_front == in_front and hangs_in(plane, eye.camera):
                mode(blend="over")
                shift = (2 * eye.jitter[0] / eye.size[0], 2 * eye.jitter[1] / eye.size[1])
                self._program.use(box=rectangle(plane, eye.camera, eye.size), shift=shift, opacity=plane.opacity)
                self._program.sample("picture", self._textures[plane.image])
                self._program.draw(self._quad, mode="TRIANGLE_STRIP")
