"""The viewport of a window that nobody looks at: drawn into one pixel, until a test asks for its picture.

Filling pixels on the processor takes a third of the time of the tests of the window, and few of them look at one. All
else that draws runs as ever, in Python and in OpenGL, and raises what it would raise, but for shadows; the bodies among
it in every fourth picture while things move, and in the one in which they have come to rest. What is picked is drawn
apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from app.scene.gl import gl
from app.scene.panes import Shot
from app.scene.picture import Picture
from app.scene.viewport import Viewport

EVERY = 4  # picture while things move

Given = ParamSpec("Given")
Found = TypeVar("Found")


class UnseenCanvas:
    """Draws one pixel of a canvas, and all of it for whoever asks for its picture."""

    def __init__(self, view: Viewport) -> None:
        """Put itself between the canvas and those that call it."""
        canvas = view._canvas
        assert canvas is not None, "there is OpenGL to draw with"
        self._canvas, self._paint_all = canvas, canvas._paint
        self._is_seen = self._is_resting = False
        self._left_out = 0  # pictures since the bodies were drawn
        for owner, name in ((canvas, "grab_gl"), (canvas, "photograph"), (view, "grab")):
            setattr(owner, name, self._seen_by(getattr(owner, name)))
        canvas._paint = self._paint  # type: ignore[method-assign]

    @contextmanager
    def seen(self) -> Iterator[None]:
        """All of it is drawn within this block, shadows anew."""
        before, self._is_seen = self._is_seen, True
        self._canvas._items_are_old = self._canvas._is_old = True
        try:
            yield
        finally:
            self._is_seen = before

    @contextmanager
    def resting(self) -> Iterator[None]:
        """The bodies are drawn with each picture within this block, and with one at least if they are behind."""
        before, self._is_resting = self._is_resting, True
        if self._left_out:
            self._canvas.paint_soon()
        try:
            yield
        finally:
            self._is_resting = before

    def _seen_by(self, call: Callable[Given, Found]) -> Callable[Given, Found]:
        def calling(*arguments: Given.args, **named: Given.kwargs) -> Found:
            with self.seen():
                return call(*arguments, **named)

        return calling

    def _paint(self, picture: Picture, shot: Shot, handle: int) -> None:
        if self._is_seen:
            self._paint_all(picture, shot, handle)
            return
        scissor, self._left_out = gl.glScissor, (self._left_out + 1) % EVERY
        with ExitStack() as changed:
            changed.enter_context(patch.object(gl, "glScissor", lambda x, y, width, height: scissor(x, y, 1, 1)))
            changed.enter_context(patch.object(self._canvas._pace, "choose", lambda wanted, resting: "off"))
            if self._is_resting:
                self._left_out = 0
            elif self._left_out:
                changed.enter_context(patch.object(picture, "draw", lambda *_, **__: None))
            self._paint_all(picture, shot, handle)
