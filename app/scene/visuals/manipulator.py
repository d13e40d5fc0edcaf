"""Manipulator: draws arrows, rings and squares as smooth lines and areas in pixels over the picture, and the number of
a drag beside the pointer.

What is farther away is drawn first, so that nearer parts lie over it.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.scene.camera import Array, Camera, Size
from app.scene.look import Look, Rgb, rgb
from app.scene.manipulator import AXES, PLANES, Part, PartStroke, Pull, Shown, arm_of, circle, strokes
from app.scene.painting import paint_plate, painted
from app.scene.panes import Shot
from app.scene.visuals.overlay import OverlayVisual
from app.scene.visuals.ribbons import Ribbons, Rows, area, ribbon, seen_in
from app.style.fonts import number_font

WIDTH, HOT_WIDTH, SHADE = 2.4, 3.4, 1.2  # [logical px] of a line; what its shade stands out by
_GUIDE = 40.0  # length of the line along an axis that is pulled, in arms
_TICK, _LONG_TICK, _LONG_EVERY = 0.05, 0.1, 3  # lengths in arms; each third is long
_TEXT_WIDTH, _TEXT_HEIGHT, _BESIDE = 420, 24, (18.0, 16.0)  # [logical px]
_WHOLE_TURN = 2.0 * np.pi


class ManipulatorVisual(Ribbons):
    """Draws manipulators over the views."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: Shown | None = None
        self._overlay: OverlayVisual | None = None
        self._ratio = 0.0

    def forget(self) -> None:
        """Drop the objects of an OpenGL context that is gone."""
        super().forget()
        self._overlay = None

    def draw(self, handle: int, shot: Shot, look: Look) -> None:
        """Draw into every view of a shot."""
        if self.shown is None:
            return
        rows = {view: rows_of(self.shown, *each, shot.pixel_ratio, look) for view, each in seen_in(shot).items()}
        self.draw_rows(handle, shot, rows)
        if self.shown.pull is not None and self.shown.pull.view in shot.panes:
            self._write(handle, shot, look, self.shown.pull)

    def _write(self, handle: int, shot: Shot, look: Look, pull: Pull) -> None:
        """Write the number of a drag beside the pointer, inside its view."""
        if not pull.words or pull.pixel is None:
            return
        ratio, pane = shot.pixel_ratio, shot.panes[pull.view]
        if self._overlay is None or ratio != self._ratio:
            self._ratio = ratio
            self._overlay = OverlayVisual(round(_TEXT_WIDTH * ratio), round(_TEXT_HEIGHT * ratio))
        if not self._overlay.holds("words", (pull.words, pull.warns, look)):
            paint = partial(_paint_words, pull=pull, look=look)
            self._overlay.write(painted(_TEXT_WIDTH, _TEXT_HEIGHT, ratio, paint), 0, 0)
        width, height = round(_width_of(pull.words) * ratio), round(_TEXT_HEIGHT * ratio)
        x, y = (at * ratio + beside * ratio for at, beside in zip(pull.pixel, _BESIDE, strict=True))
        left = round(min(max(x, 4.0), max(pane.width - width - 4.0, 0.0)))
        top = round(min(max(y, 4.0), max(pane.height - height - 4.0, 0.0)))
        width, height = min(width, pane.width - left), min(height, pane.height - top)
        if width > 0 and height > 0:
            place = (0, 0, width, height, pane.x + left, pane.y + top)
            self._overlay.draw(handle, (shot.width, shot.height), (place,))


def rows_of(shown: Shown, camera: Camera, pane: Size, ratio: float, look: Look) -> Rows:
    """Return the vertices of all lines and areas of one view, in its physical pixels."""
    size = (pane[0] / ratio, pane[1] / ratio)
    rows: list[Rows] = []
    if shown.pull is not None:
        rows += _rows_of_pull(shown, shown.pull, camera, size, ratio, look)
    for stroke in strokes(shown.manipulator, camera, size):
        if shown.pull is None or stroke.part == shown.pull.part:
            rows += _rows_of_stroke(shown, stroke, ratio, look)
    return np.concatenate(rows) if rows else np.zeros((0, 8), dtype=np.float32)


def _rows_of_stroke(shown: Shown, stroke: PartStroke, ratio: float, look: Look) -> list[Rows]:
    lit = stroke.part == shown.hot or shown.pull is not None
    if stroke.seen <= 0.01 or (stroke.part == "free" and (not lit or shown.pull is not None)):
        return []
    colour, points = _colour(stroke.part, look, lit=lit), stroke.points * ratio
    strength = stroke.seen
    if stroke.part == "free":
        return [area(points, rgb(look.text), 0.08)]
    thin = stroke.part == "view" or stroke.part in PLANES
    width = (HOT_WIDTH if lit else WIDTH) * (0.7 if thin else 1.0) * ratio
    line = ribbon(points, width / 2, colour, strength, closed=stroke.closed)
    if stroke.filled:
        solid = stroke.part in AXES
        return [area(points, colour, strength * (1.0 if solid else (0.45 if lit else 0.2))), line]
    shade = ribbon(points, width / 2 + SHADE * ratio, rgb(look.window), 0.45 * strength, closed=stroke.closed)
    return [shade, line]


def _rows_of_pull(shown: Shown, pull: Pull, camera: Camera, size: Size, ratio: float, look: Look) -> list[Rows]:
    """Return the line along the dragged axis, or the sector of a turn, with ticks where it snaps."""
    manipulator = shown.manipulator
    arm, origin = arm_of(camera, manipulator.origin, size), np.array(manipulator.origin)
    if arm <= 0.0:
        return []
    if manipulator.kind == "move":
        axes = [AXES.index(pull.part)] if pull.part in AXES else []
        axes = [n for n in range(3) if n != PLANES.index(pull.part)] if pull.part in PLANES else axes
        return [
            ribbon(ends * ratio, 0.6 * ratio, rgb((look.axis_x, look.axis_y, look.axis_z)[number]), 0.6)
            for number in axes
            if (ends := _seen_line(camera, origin, np.array(manipulator.axes[number]), arm, size)) is not None
        ]
    if pull.axis is None or pull.first is None:
        return []
    axis, colour = np.array(pull.axis), _colour(pull.part, look, lit=True)
    radius = arm * (1.2 if pull.part == "view" else 1.0)
    angle = float(np.clip(pull.angle, -_WHOLE_TURN, _WHOLE_TURN))
    angles = np.linspace(0.0, angle, max(int(abs(angle) / 0.06), 1) + 1)
    rim = _seen(camera, _on_circle(origin, axis, np.array(pull.first), radius, angles), size, ratio)
    middle = _seen(camera, origin[None], size, ratio)
    rows = [area(np.vstack((middle, rim)), colour, 0.22)]
    rows += [ribbon(np.vstack((middle, end)), 0.7 * ratio, colour, 0.8) for end in (rim[:1], rim[-1:])]
    if pull.part != "free":
        whole = _seen(camera, circle(manipulator.origin, axis, radius), size, ratio)
        rows.append(ribbon(whole, 0.6 * ratio, colour, 0.5, closed=True))
    return rows + (_ticks(pull, camera, origin, radius, size, ratio, colour) if pull.step > 0.0 else [])


def _ticks(
    pull: Pull, camera: Camera, origin: Array, radius: float, size: Size, ratio: float, colour: Rgb
) -> list[Rows]:
    """Return short lines at each step of a turn, as far as they do not run into each other."""
    count = min(round(_WHOLE_TURN / pull.step), 144)
    axis, first = np.array(pull.axis), np.array(pull.first)
    angles = np.linspace(0.0, pull.step * (count - 1), count)
    inner = np.where(np.arange(count) % _LONG_EVERY == 0, 1.0 - _LONG_TICK, 1.0 - _TICK)
    outer = _seen(camera, _on_circle(origin, axis, first, radius, angles), size, ratio)
    ends = _on_circle(origin, axis, first, radius, angles)
    starts = _seen(camera, origin + inner[:, None] * (ends - origin), size, ratio)
    return [ribbon(np.array(pair), 0.6 * ratio, colour, 0.7) for pair in zip(starts, outer, strict=True)]


def _on_circle(origin: Array, axis: Array, first: Array, radius: float, angles: Array) -> Array:
    ways = np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * np.cross(axis, first)
    found: Array = origin + radius * ways
    return found


def _seen(camera: Camera, places: Array, size: Size, ratio: float) -> Array:
    return np.asarray(camera.project(places, size)[:, :2] * ratio)


def _seen_line(camera: Camera, origin: Array, axis: Array, arm: float, size: Size) -> Array | None:
    """Return a line through a place, as far as it lies in front of the eye."""
    reach = _GUIDE * arm
    ends = [origin - reach * axis, origin + reach * axis]
    if not camera.orthographic:
        depths = [float((camera.eye - end) @ camera.axes[2]) for end in ends]
        near = 0.05 * float((camera.eye - origin) @ camera.axes[2])
        for number, other in ((0, 1), (1, 0)):
            if depths[number] < near:
                share = (near - depths[other]) / (depths[number] - depths[other])
                ends[number] = ends[other] + share * (ends[number] - ends[other])
    seen = camera.project(np.array(ends), size)[:, :2]
    return seen if float(np.hypot(*(seen[1] - seen[0]))) > 1.0 else None


def _colour(part: Part, look: Look, *, lit: bool) -> Rgb:
    if lit:
        return rgb(look.accent)
    axes = (look.axis_x, look.axis_y, look.axis_z)
    if part in AXES:
        return rgb(axes[AXES.index(part)])
    return rgb(axes[PLANES.index(part)]) if part in PLANES else rgb(look.text_quiet)


def _paint_words(painter: QPainter, pull: Pull, look: Look) -> None:
    paint_plate(painter, QRectF(0, 0, _width_of(pull.words), _TEXT_HEIGHT), look, 0.86)
    painter.setPen(QColor(look.warning if pull.warns else look.text))
    painter.setFont(number_font())
    box = QRectF(9, 0, _TEXT_WIDTH - 9, _TEXT_HEIGHT)
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, pull.words)


def _width_of(words: str) -> float:
    return float(min(QFontMetricsF(number_font()).horizontalAdvance(words) + 18, _TEXT_WIDTH))
