"""Guides: lines in space as smooth ribbons in pixels over the picture, all of a view in one draw call."""

from __future__ import annotations

import numpy as np

from app.scene.camera import Array, Camera, Size
from app.scene.guides import Guide
from app.scene.look import Look, Rgb, rgb
from app.scene.panes import Shot
from app.scene.visuals.ribbons import Ribbons, Rows, area, ribbon, seen_in

WIDTH, SHADE = 1.6, 1.0  # [logical px] of a line; what its shade stands out by
FAINT = 0.55  # of the opacity of others, that faint ones have
HEAD, SPREAD = 9.0, 4.2  # [logical px] length of an arrow's head and half of its width, at the usual width
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
        share, half = FAINT if guide.colour == "faint" else 1.0, 0.5 * WIDTH * guide.width
        head = _head(points, ratio * guide.width) if guide.head else None
        if head is not None:
            points = np.vstack((points[:-1], head[1:3].mean(axis=0)))
            rows.append(ribbon(head, SHADE * ratio, rgb(look.window), 0.4 * share, closed=True))
        rows.append(ribbon(points, (half + SHADE) * ratio, rgb(look.window), 0.4 * share))
        rows.append(ribbon(points, half * ratio, colour, 0.95 * share))
        if head is not None:
            rows.append(area(head, colour, 0.95 * share))
    return np.concatenate(rows) if rows else np.zeros((0, 8), dtype=np.float32)


def _head(points: Array, ratio: float) -> Array | None:
    """Return the triangle of an arrow's head, its tip first; None of an arrow that is seen from its end. It is no
    longer than the arrow."""
    way = points[-1] - points[-2]
    length = float(np.hypot(*way))
    if length < 1e-6:
        return None
    share = min(HEAD * ratio, length)
    along = share / length * way
    across = SPREAD / HEAD * np.array([-along[1], along[0]])
    tip = points[-1]
    return np.array([tip, tip - along + across, tip - along - across])


def _colour(guide: Guide, look: Look) -> Rgb:
    x, y, z = look.axis_x, look.axis_y, look.axis_z
    return rgb(
        {"x": x, "y": y, "z": z, "accent": look.accent, "quiet": look.text, "faint": look.text_quiet}[guide.colour]
    )
