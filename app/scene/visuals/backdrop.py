"""Backdrop: a quiet gradient from the top of a view to its bottom, with a grain that hides the steps of eight bits."""

from __future__ import annotations

from app.scene.gl import Program, mode, quad
from app.scene.look import Look, rgb

_VERTEX = """
attribute vec2 corner;
varying float height;
void main() {
    height = corner.y * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

_FRAGMENT = """
uniform vec3 top;
uniform vec3 bottom;
varying float height;
void main() {
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    gl_FragColor = vec4(mix(bottom, top, height) + grain / 255.0, 1.0);
}
"""


class BackdropVisual:
    """Fills a view."""

    def __init__(self) -> None:
        self._program, self._quad = Program(_VERTEX, _FRAGMENT), quad()

    def draw(self, look: Look) -> None:
        """Draw it; nothing may have been drawn in this view before."""
        mode()
        self._program.use(top=rgb(look.view_top), bottom=rgb(look.view_bottom))
        self._program.draw(self._quad, mode="TRIANGLE_STRIP")
