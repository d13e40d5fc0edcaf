"""Paths: draws compared paths as trails are drawn, over the bodies; and their legend, painted by Qt.

Dots stand at the frames of what is seen alone. A larger dot on each line is the present.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPen

from app.scene.gl import Program, mode
from app.scene.look import Look, rgb
from app.scene.panes import Shot
from app.scene.paths import HALF_WIDTHS, LABELS, PathKind, PathLine, colour_of, kinds_in
from app.scene.visuals.eye import Eye
from app.scene.visuals.overlay import OverlayVisual
from app.scene.visuals.trails import DOT, FRAGMENT, NOW, VERTEX, Floats, Quads, quads

STRENGTH, DOTTED = 1.9, 1.4  # opacity of lines and of dots, in shares of a trail's
PRESENT = 3.2  # [logical px] radius of the dots of the present
ROW, MARGIN, SWATCH, LETTERS = 18, 10, 22, 12  # [logical px] of the legend
WIDEST = 240
LEAST_VIEW = 230  # [logical px] a view narrower or lower than this has no legend
_SAME = 1e-9  # [s]


class PathsVisual:
    """Draws paths."""

    def __init__(self) -> None:
        self._program = Program(VERTEX, FRAGMENT)
        self._quads: dict[PathKind, Quads] = {}
        self._present: dict[PathKind, Quads] = {}
        self._shown: tuple[PathLine, ...] = ()
        self._now: float | None = None

    def show(self, lines: tuple[PathLine, ...], now: float) -> None:
        """Take over other paths, and the present [s]; unchanged ones are not uploaded again."""
        fresh = lines is not self._shown
        if fresh:
            for kind in LABELS:
                own = [strokes(line) for line in lines if line.kind == kind]
                self._quads.setdefault(kind, Quads()).show(own)
        if fresh or now != self._now:
            for kind in LABELS:
                own = [dot(line, now) for line in lines if line.kind == kind]
                self._present.setdefault(kind, Quads()).show(own)
        self._shown, self._now = lines, now

    def draw(self, eye: Eye, look: Look) -> None:
        """Draw all paths, that of secondary motion on top."""
        if not self._shown:
            return
        mode(blend="over")
        for kind in ("dynamics", "keyed", "secondary"):
            colour = rgb(colour_of(kind, look))
            self._program.use(
                clip_from_world=eye.matrix,
                pixel=(2 / eye.size[0], 2 / eye.size[1]),
                ratio=eye.pixel_ratio,
                width=HALF_WIDTHS[kind],
                present=0.0,
                near=-1e9 if eye.camera.orthographic else eye.camera.depth_range()[0],
                past=colour,
                future=colour,
                now=colour,
                rim=rgb(look.window),
            )
            self._quads[kind].draw(self._program)
            self._present[kind].draw(self._program)


class PathLegend:
    """The legend of the paths, in the lower right corner of the active view."""

    def __init__(self) -> None:
        self.lines: tuple[PathLine, ...] = ()
        self._overlay: OverlayVisual | None = None
        self._ratio = 0.0

    def forget(self) -> None:
        """Drop the objects of an OpenGL context that is gone."""
        self._overlay = None

    def draw(self, handle: int, shot: Shot, look: Look, active: int) -> None:
        """Draw it into the active view of a shot."""
        kinds = kinds_in(self.lines)
        view = active if active in shot.panes else next(iter(shot.panes))
        pane, ratio = shot.panes[view], shot.pixel_ratio
        if not kinds or min(pane.width, pane.height) < LEAST_VIEW * ratio:
            return
        if self._overlay is None or ratio != self._ratio:
            self._ratio = ratio
            self._overlay = OverlayVisual(round(WIDEST * ratio), round((3 * ROW + 10) * ratio))
        width, height = legend_size(kinds)
        if not self._overlay.holds("legend", (kinds, look)):
            self._overlay.write(_picture(kinds, look, ratio), 0, 0)
        x = pane.x + pane.width - round((width + MARGIN) * ratio)
        y = pane.y + pane.height - round((height + MARGIN) * ratio)
        self._overlay.draw(
            handle, (shot.width, shot.height), ((0, 0, round(width * ratio), round(height * ratio), x, y),)
        )


def strokes(line: PathLine) -> Floats:
    """Return the vertices of a line, with dots at the frames of secondary motion."""
    points, ends = line.points, np.concatenate((line.points[1:], line.points[-1:]))
    ways = quads(points, ends, 0.0, line.seconds, np.full(len(points), STRENGTH))
    if line.kind != "secondary":
        return ways
    return np.concatenate((ways, quads(points, points, DOT, line.seconds, np.full(len(points), DOTTED))))


def dot(line: PathLine, now: float) -> Floats:
    """Return a dot where the point is at a time [s]; none outside of the line."""
    when = line.seconds
    if not when[0] - _SAME <= now <= when[-1] + _SAME:
        return np.empty((0, 11), dtype=np.float32)
    place = np.array([[np.interp(now, when, line.points[:, axis]) for axis in range(3)]], dtype=np.float32)
    return quads(place, place, PRESENT, np.array([NOW]), np.array([1.0]))


def legend_size(kinds: tuple[PathKind, ...]) -> tuple[float, float]:
    """Return width and height of a legend [logical px]."""
    metrics = QFontMetricsF(_font())
    widest = max(metrics.horizontalAdvance(LABELS[kind]) for kind in kinds)
    return min(SWATCH + widest + 24.0, float(WIDEST)), ROW * len(kinds) + 10.0


def _picture(kinds: tuple[PathKind, ...], look: Look, ratio: float) -> QImage:
    width, height = legend_size(kinds)
    image = QImage(round(WIDEST * ratio), round((3 * ROW + 10) * ratio), QImage.Format.Format_RGBA8888_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(ratio, ratio)
    ground = QColor(look.window)
    ground.setAlphaF(0.75)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(QRectF(0.0, 0.0, width, height), 4.0, 4.0)
    painter.setFont(_font())
    for row, kind in enumerate(kinds):
        middle, colour = 5.0 + (row + 0.5) * ROW, QColor(colour_of(kind, look))
        painter.setPen(QPen(colour, 2.0 * HALF_WIDTHS[kind]))
        painter.drawLine(QPointF(8.0, middle), QPointF(8.0 + SWATCH, middle))
        if kind == "secondary":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            for share in (0.0, 0.5, 1.0):
                painter.drawEllipse(QPointF(8.0 + share * SWATCH, middle), 2.2, 2.2)
        painter.setPen(QColor(look.text))
        beside = QRectF(SWATCH + 16.0, middle - 0.5 * ROW, WIDEST, ROW)
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, LABELS[kind])
    painter.end()
    return image


def _font() -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(LETTERS)
    return font
