"""Backdrop: a quiet gradient from the top of a view to its bottom, with a grain that hides the steps of eight bits."""

from __future__ import annotations

from app.scene.gl import Program, mode, quad
from app.scene.look import Look, rgb
from app.scene.visuals.eye import Eye

_VERTEX = """
uniform vec2 span;
attribute vec2 corner;
varying float height;
void main() {
    height = mix(span.x, span.y, corner.y * 0.5 + 0.5);
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

_FRAGMENT = """
uniform vec3 top;
uniform vec3 bottom;
uniform vec2 corner_px;
varying float height;
void main() {
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy + corner_px, vec2(0.06711056, 0.00583715)))) - 0.5;
    gl_FragColor = vec4(mix(bottom, top, height) + grain / 255.0, 1.0);
}
"""


class BackdropVisual:
    """Fills a view."""

    def __init__(self) -> None:
        self._program, self._quad = Program(_VERTEX, _FRAGMENT), quad()

    def draw(self, eye: Eye, look: Look) -> None:
        """Draw it; nothing may have been drawn in this view before."""
        mode()
        x, y, span = 0, 0, (0.0, 1.0)
        if eye.tile is not None:
            x, y, height = eye.tile.x, eye.tile.y, eye.tile.whole[1]
            span = (y / height, (y + eye.tile.height) / height)
        self._program.use(top=rgb(look.view_top), bottom=rgb(look.view_bottom), span=span, corner_px=(x, y))
        self._program.draw(self._quad, mode="triangle_strip")
