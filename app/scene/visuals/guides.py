"""Guides: lines in space as smooth ribbons in pixels over the picture, all of a view in one draw call."""

from __future__ import annotations

import numpy as np

from app.scene.camera import Camera, Size
from app.scene.guides import Guide
from app.scene.look import Look, Rgb, rgb
from app.scene.panes import Shot
from app.scene.visuals.ribbons import Ribbons, Rows, area, ribbon, seen_in

WIDTH, SHADE = 1.6, 1.0  # [logical px] of a line; what its shade stands out by
FAINT = 0.55  # of the opacity of others, that faint ones have
_NEAR = 0.02  # depth in front of the eye, as a share of the camera's distance, nearer than which nothing is drawn


class GuideVisual(Ribbons):
    """Draws guides over the views."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: tuple[Guide, ...] = ()
        self._by: dict[str, tuple[Guide, ...]] = {}

    def show(self, guides: tuple[Guide, ...], of: str) -> bool:
        """Show these in place of those of the same name; whether that makes a difference."""
        before, self._by[of] = self.shown, guides
        self.shown = tuple(each for group in self._by.values() for each in group)
        return self.shown != before

    def draw(self, handle: int, shot: Shot, look: Look) -> None:
        """Draw into every view of a shot."""
        if self.shown:
            seen = {
                view: (tuple(guide for guide in self.shown if guide.view in (None, view)), *each)
                for view, each in seen_in(shot).items()
            }
            rows = {view: rows_of(*each, shot.pixel_ratio, look) for view, each in seen.items()}
            self.draw_rows(handle, shot, rows)


def rows_of(guides: tuple[Guide, ...], camera: Camera, pane: Size, ratio: float, look: Look) -> Rows:
    """Return the vertices of all guides of one view, in its physical pixels; those behind the eye are left out."""
    size = (pane[0] / ratio, pane[1] / ratio)
    rows: list[Rows] = []
    for guide in guides:
        places = np.array(guide.points)
        depths = (camera.eye - places) @ camera.axes[2]
        if not camera.orthographic and depths.min() < _NEAR * camera.distance:
            continue
        points, colour = camera.project(places, size)[:, :2] * ratio, _colour(guide, look)
        if guide.filled:
            rows.append(area(points, colour, 0.16))
        share = FAINT if guide.colour == "faint" else 1.0
        rows.append(ribbon(points, (0.5 * WIDTH + SHADE) * ratio, rgb(look.window), 0.4 * share))
        rows.append(ribbon(points, 0.5 * WIDTH * ratio, colour, 0.95 * share))
    return np.concatenate(rows) if rows else np.zeros((0, 8), dtype=np.float32)


def _colour(guide: Guide, look: Look) -> Rgb:
    x, y, z = look.axis_x, look.axis_y, look.axis_z
    return rgb(
        {"x": x, "y": y, "z": z, "accent": look.accent, "quiet": look.text, "faint": look.text_quiet}[guide.colour]
    )
