"""OrnamentOverlay: keeps the painted ornaments of all views on the overlay and repaints those that have changed."""

from __future__ import annotations

from collections.abc import Hashable

from app.scene.displays import DISPLAY_NAMES
from app.scene.look import Look
from app.scene.ornaments import SIZES, Hot, Kind, paint_axes, paint_cube, paint_display, paint_name, places
from app.scene.panes import Shot
from app.scene.visuals.overlay import OverlayVisual

_ORDER: tuple[Kind, ...] = ("cube", "axes", "name", "display")
_VIEWS = 4


class OrnamentOverlay:
    """The ornaments of four views."""

    def __init__(self) -> None:
        self._overlay: OverlayVisual | None = None
        self._ratio = 0.0
        self.active = 1  # the view whose name is emphasised
        self.hot: Hot | None = None

    def forget(self) -> None:
        """Drop the objects of an OpenGL context that is gone."""
        self._overlay = None

    def draw(self, handle: int, shot: Shot, look: Look) -> None:
        """Draw the ornaments of every view of a shot."""
        overlay = self._shelf(shot.pixel_ratio)
        placed = []
        for view, pane in shot.panes.items():
            ratio = shot.pixel_ratio
            for kind, (x, y) in places(shot.title(view), pane.width / ratio, pane.height / ratio).items():
                self._paint(overlay, kind, view, shot, look)
                left, top, width, height = self._slot(kind, view)
                placed.append((left, top, width, height, pane.x + round(x * ratio), pane.y + round(y * ratio)))
        overlay.draw(handle, (shot.width, shot.height), tuple(placed))

    def _paint(self, overlay: OverlayVisual, kind: Kind, view: int, shot: Shot, look: Look) -> None:
        camera = shot.cameras[view]
        hot = self.hot.part if self.hot is not None and self.hot.view == view else None
        content: tuple[Hashable, ...]
        if kind == "name":
            content = (shot.title(view), look, view == self.active, len(shot.panes) == 1, hot)
        elif kind == "display":
            content = (shot.displays[view], look, hot == "display")
        else:
            content = (
                *(round(each, 4) for each in (camera.azimuth, camera.elevation, camera.roll)),
                look,
                hot if kind == "cube" else None,
            )
        if overlay.holds((kind, view), content):
            return
        if kind == "name":
            image = paint_name(
                shot.title(view),
                look,
                active=view == self.active and len(shot.panes) > 1,
                maximised=len(shot.panes) == 1,
                hot=hot,
                pixel_ratio=shot.pixel_ratio,
            )
        elif kind == "display":
            text = DISPLAY_NAMES[shot.displays[view]]
            image = paint_display(text, look, hot=hot == "display", pixel_ratio=shot.pixel_ratio)
        elif kind == "cube":
            image = paint_cube(camera, look, hot, shot.pixel_ratio)
        else:
            image = paint_axes(camera, look, shot.pixel_ratio)
        left, top, _, _ = self._slot(kind, view)
        overlay.write(image, left, top)

    def _slot(self, kind: Kind, view: int) -> tuple[int, int, int, int]:
        """Return the rectangle of a view's ornament in the atlas: one row for each view."""
        ratio = self._ratio
        before = sum(round(SIZES[each][0] * ratio) for each in _ORDER[: _ORDER.index(kind)])
        width, height = (round(length * ratio) for length in SIZES[kind])
        return before, view * round(SIZES["cube"][1] * ratio), width, height

    def _shelf(self, ratio: float) -> OverlayVisual:
        if self._overlay is None or ratio != self._ratio:
            self._ratio = ratio
            width = sum(round(SIZES[each][0] * ratio) for each in _ORDER)
            self._overlay = OverlayVisual(width, _VIEWS * round(SIZES["cube"][1] * ratio))
        return self._overlay
