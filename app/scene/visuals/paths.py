"""Paths: draws compared paths as trails are drawn, over the bodies; and their legend, painted by Qt.

A larger dot on each line is the present.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.scene.gl import Program, mode
from app.scene.look import Look, rgb
from app.scene.painting import paint_plate, painted, window_font
from app.scene.panes import Shot
from app.scene.paths import PathLine, PathStyle, styles_in
from app.scene.visuals.eye import Eye
from app.scene.visuals.overlay import OverlayVisual
from app.scene.visuals.trails import DOT, FRAGMENT, VERTEX, Floats, Quads, present, quads, use_colour

STRENGTH, DOTTED = 1.9, 1.4  # opacity of lines and of dots, in shares of a trail's
PRESENT = 3.2  # [logical px] radius of the dots of the present
ROW, MARGIN, SWATCH, LETTERS = 18, 10, 22, 12  # [logical px] of the legend
WIDEST = 240
LEAST_VIEW = 230  # [logical px] a view narrower or lower than this has no legend


class PathsVisual:
    """Draws paths."""

    _program = cached_property(lambda _: Program(VERTEX, FRAGMENT))  # made when something is first drawn

    def __init__(self) -> None:
        self._quads: dict[PathStyle, Quads] = {}
        self._present: dict[PathStyle, Quads] = {}
        self._shown: tuple[PathLine, ...] = ()
        self._now: float | None = None

    def show(self, lines: tuple[PathLine, ...], now: float) -> None:
        """Take over other paths, and the present [s]; unchanged ones are not uploaded again."""
        fresh = lines is not self._shown
        styles = {*styles_in(lines), *self._quads}
        for style in styles if fresh else ():
            own = [strokes(line) for line in lines if line.style == style]
            self._quads.setdefault(style, Quads()).show(own)
        for style in styles if fresh or now != self._now else ():
            own = [present(line, now, PRESENT) for line in lines if line.style == style]
            self._present.setdefault(style, Quads()).show(own)
        self._shown, self._now = lines, now

    def draw(self, eye: Eye, look: Look) -> None:
        """Draw all paths, those of a higher level on top."""
        if not self._shown:
            return
        mode(blend="over")
        for style in sorted(styles_in(self._shown), key=lambda each: each.level):
            use_colour(self._program, eye, look, rgb(getattr(look, style.colour)), style.half_width)
            self._quads[style].draw(self._program)
            self._present[style].draw(self._program)


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
        styles = styles_in(self.lines)
        view = active if active in shot.panes else next(iter(shot.panes))
        pane, ratio = shot.panes[view], shot.pixel_ratio
        if not styles or min(pane.width, pane.height) < LEAST_VIEW * ratio:
            return
        if self._overlay is None or ratio != self._ratio:
            self._ratio = ratio
            self._overlay = OverlayVisual(round(WIDEST * ratio), round((3 * ROW + 10) * ratio))
        width, height = legend_size(styles)
        if not self._overlay.holds("legend", (styles, look)):
            paint = partial(_paint_legend, styles=styles, look=look)
            self._overlay.write(painted(WIDEST, 3 * ROW + 10, ratio, paint), 0, 0)
        x = pane.x + pane.width - round((width + MARGIN) * ratio)
        y = pane.y + pane.height - round((height + MARGIN) * ratio)
        self._overlay.draw(
            handle, (shot.width, shot.height), ((0, 0, round(width * ratio), round(height * ratio), x, y),)
        )


def strokes(line: PathLine) -> Floats:
    """Return the vertices of a line, with dots at its frames where it is dotted."""
    points, ends = line.points, np.concatenate((line.points[1:], line.points[-1:]))
    ways = quads(points, ends, 0.0, line.seconds, np.full(len(points), STRENGTH))
    if not line.style.dotted:
        return ways
    return np.concatenate((ways, quads(points, points, DOT, line.seconds, np.full(len(points), DOTTED))))


def legend_size(styles: tuple[PathStyle, ...]) -> tuple[float, float]:
    """Return width and height of a legend [logical px]."""
    metrics = QFontMetricsF(window_font(LETTERS))
    widest = max(metrics.horizontalAdvance(style.label) for style in styles)
    return min(SWATCH + widest + 24.0, float(WIDEST)), ROW * len(styles) + 10.0


def _paint_legend(painter: QPainter, styles: tuple[PathStyle, ...], look: Look) -> None:
    paint_plate(painter, QRectF(0.0, 0.0, *legend_size(styles)), look, 0.75)
    painter.setFont(window_font(LETTERS))
    for row, style in enumerate(styles):
        middle, colour = 5.0 + (row + 0.5) * ROW, QColor(getattr(look, style.colour))
        painter.setPen(QPen(colour, 2.0 * style.half_width))
        painter.drawLine(QPointF(8.0, middle), QPointF(8.0 + SWATCH, middle))
        if style.dotted:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            for share in (0.0, 0.5, 1.0):
                painter.drawEllipse(QPointF(8.0 + share * SWATCH, middle), 2.2, 2.2)
        painter.setPen(QColor(look.text))
        beside = QRectF(SWATCH + 16.0, middle - 0.5 * ROW, WIDEST, ROW)
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, style.label)
