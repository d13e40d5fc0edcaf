"""Beneath: what lies under the bodies of a view, drawn once for all pictures of a mean.

Background and shadows have no edges that shifts below a pixel would smooth, and lines of the grid smooth their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from app.scene.gl import Program, RenderTarget, clear, draw_into, mode, quad

_COPY = (
    """
attribute vec2 corner;
varying vec2 at;
void main() {
    at = corner * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
""",
    "uniform sampler2D picture; varying vec2 at; void main() { gl_FragColor = texture2D(picture, at); }",
)


class Beneath:
    """The pictures, by view. The canvas's context must be current."""

    _program = cached_property(lambda _: Program(*_COPY))  # made when something is first laid

    def __init__(self) -> None:
        self._quad = quad()
        self._known: dict[int, RenderTarget] = {}

    def make(
        self, view: int, size: tuple[int, int], ground: tuple[float, float, float, float], draw: Callable[[], None]
    ) -> None:
        """Draw that of a view anew; the framebuffer is another one afterwards."""
        known = self._known.get(view)
        if known is None or (known.width, known.height) != size:
            known = self._known[view] = RenderTarget(*size, depth=False)
        draw_into(known.handle, 0, 0, *size)
        clear(ground, depth=False)
        draw()

    def has(self, view: int, size: tuple[int, int]) -> bool:
        """Tell whether there is one of this size."""
        known = self._known.get(view)
        return known is not None and (known.width, known.height) == size

    def forget(self, view: int) -> None:
        """Forget that of a view."""
        self._known.pop(view, None)

    def lay(self, view: int) -> None:
        """Fill the view with it."""
        mode()
        self._program.use(picture=self._known[view].texture)
        self._program.draw(self._quad, mode="triangle_strip")
