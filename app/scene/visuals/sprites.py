"""Sprites: draws markers, goals, symbols, handles of trails and the text beside markers, painted
by Qt and laid over the views.

Everything is one draw call: small pictures of each kind on a shelf, one row for each text. What reaches beyond its view
is cut off at the view's edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.scene.camera import Array, Camera, Vector
from app.scene.look import Look
from app.scene.markers import Marker, PlacedMarker
from app.scene.painting import paint_plate, painted, window_font
from app.scene.panes import Pane, Shot
from app.scene.trail_handles import BESIDE, TrailGrips, handle_pixel
from app.scene.visuals.overlay import OverlayVisual
from app.scene.visuals.symbols import INKS, LINE_EVERY, SYMBOLS, lines_of, paint_ink, paint_symbol, picture_of

TRAIL: tuple[str, ...] = ("tangent", "tangent hot", "key hot")
KINDS: tuple[str, ...] = ("plain", "held", "hot", "pulled", "goal", "dot", *TRAIL, *SYMBOLS, *INKS)
SIDE = 26  # [logical px] of a kind's picture
TEXT_WIDTH, TEXT_HEIGHT = 220, 22
TEXTS = 12  # rows for texts; markers beyond these have none
RADIUS = 5.0
DOT_EVERY = 7.0  # [logical px] between the dots from a goal to its marker
MOST_DOTS = 2000  # of one line
FAR = 14.0  # [logical px] between goal and marker from which both are drawn

Placed = tuple[int, int, int, int, int, int]


class Sprites:
    """The markers over all views."""

    def __init__(self) -> None:
        self.markers: Sequence[PlacedMarker] = ()
        self.hot: tuple[str, str] | None = None  # owner and id of the marker under the pointer
        self.chosen: frozenset[tuple[str, str]] = frozenset()  # those of the symbols that are selected
        self.grips = TrailGrips()
        self._overlay: OverlayVisual | None = None
        self._ratio = 0.0

    def forget(self) -> None:
        """Drop the objects of an OpenGL context that is gone."""
        self._overlay = None

    def draw(self, handle: int, shot: Shot, look: Look, active: int) -> None:
        """Draw the markers of every view of a shot; the text beside them in the active view alone."""
        if not self.markers and self.grips == TrailGrips():
            return
        overlay = self._shelf(shot.pixel_ratio)
        texts = self._paint(overlay, look)
        placed: list[Placed] = []
        left_of = cache(partial(self._kind_at, overlay, look))  # of this picture: a line has a hundred dots of a kind
        for view, pane in shot.panes.items():
            beside = texts if view == active or len(shot.panes) == 1 else {}
            placed += self._place(shot.cameras[view], pane, beside, left_of)
        overlay.draw(handle, (shot.width, shot.height), tuple(placed))

    def _place(
        self, camera: Camera, pane: Pane, texts: dict[int, tuple[int, float]], left_of: Callable[[str], int]
    ) -> list[Placed]:
        """Place all in a view; `left_of` tells where in the atlas the picture of a kind begins."""
        ratio, placed = self._ratio, []

        def put(source: tuple[int, int, int, int], x: float, y: float) -> None:
            cut = _cut(source, round(pane.x + x), round(pane.y + y), pane)
            if cut is not None:
                placed.append(cut)

        def put_kind(kind: str, at: tuple[float, float]) -> None:
            side = round(SIDE * ratio)
            put((left_of(kind), 0, side, side), at[0] - side / 2, at[1] - side / 2)

        self._put_grips(camera, pane, put_kind)
        stand = _seen_all(camera, [each.place for each in self.markers], pane)
        for number, (each, at) in enumerate(zip(self.markers, stand, strict=True)):
            marker = each.marker
            if at is None:
                continue
            goal = _seen(camera, marker.goal, pane) if marker.goal is not None else None
            if goal is not None and math.dist(goal, at) > FAR * ratio:
                for dot in _between(at, goal, DOT_EVERY * ratio):
                    put_kind("dot", dot)
                put_kind("goal", goal)
            self._put_lines(camera, pane, each, put_kind)
            name = (marker.owner, marker.id)
            put_kind(_kind(each, hot=name == self.hot, chosen=name in self.chosen), at)
            if number in texts:
                row, width = texts[number]
                side, height = round(SIDE * ratio), round(TEXT_HEIGHT * ratio)
                x, y = goal if marker.missed and goal is not None else at
                left = min(max(x - 0.5 * width * ratio, 0.0), pane.width - width * ratio)
                below = y + 12 * ratio + height < pane.height
                put(
                    (0, side + row * height, round(width * ratio), height),
                    left,
                    y + 12 * ratio if below else y - 12 * ratio - height,
                )
        return placed

    def _put_grips(self, camera: Camera, pane: Pane, put: Callable[[str, tuple[float, float]], None]) -> None:
        """Draw the handles of a trail with the lines to their key, and a ring about the key under the pointer."""
        ratio, grips = self._ratio, self.grips
        for number, handle in enumerate(grips.handles):
            key, end = _seen(camera, handle.key, pane), handle_pixel(handle, camera, pane.size, BESIDE * ratio)
            if key is None or end is None:
                continue
            for dot in _between(key, _cut_short(key, end, pane), LINE_EVERY * ratio):
                put("ink text", dot)
            put("tangent hot" if number == grips.hot_handle else "tangent", end)
        key = None if grips.hot_key is None else _seen(camera, grips.hot_key, pane)
        if key is not None:
            put("key hot", key)

    def _put_lines(
        self, camera: Camera, pane: Pane, each: PlacedMarker, put: Callable[[str, tuple[float, float]], None]
    ) -> None:
        """Draw the lines about a symbol, of dots."""
        symbol = each.marker.symbol
        for ink, every, places in () if symbol is None else lines_of(symbol, camera, _logical(pane, self._ratio)):
            for start, end in pairwise(_seen_all(camera, places, pane)):
                if start is not None and end is not None:
                    for dot in _between(start, end, every * self._ratio):
                        put(ink, dot)

    def _kind_at(self, overlay: OverlayVisual, look: Look, kind: str) -> int:
        """Return where the picture of a kind begins, painted when it is first needed: all take 16 ms."""
        left = KINDS.index(kind) * round(SIDE * self._ratio)
        if not overlay.holds(kind, look):
            overlay.write(painted(SIDE, SIDE, self._ratio, partial(_paint_kind, kind=kind, look=look)), left, 0)
        return left

    def _paint(self, overlay: OverlayVisual, look: Look) -> dict[int, tuple[int, float]]:
        """Bring the texts of the atlas up to date; return row and width of each marker's."""
        side = round(SIDE * self._ratio)
        texts: dict[int, tuple[int, float]] = {}
        for number, each in enumerate(self.markers):
            hot = self.hot == (each.marker.owner, each.marker.id)
            text = _text(each.marker, hot=hot)
            if text and len(texts) < TEXTS:
                row, colour = len(texts), look.warning if each.marker.missed else look.text
                texts[number] = row, _text_width(text)
                if not overlay.holds(row, (text, colour, look)):
                    paint = partial(_paint_text, text=text, colour=colour, look=look)
                    image = painted(TEXT_WIDTH, TEXT_HEIGHT, self._ratio, paint)
                    overlay.write(image, 0, side + row * round(TEXT_HEIGHT * self._ratio))
        return texts

    def _shelf(self, ratio: float) -> OverlayVisual:
        if self._overlay is None or ratio != self._ratio:
            self._ratio = ratio
            side, height = round(SIDE * ratio), round(TEXT_HEIGHT * ratio)
            width = max(len(KINDS) * side, round(TEXT_WIDTH * ratio))
            self._overlay = OverlayVisual(width, side + TEXTS * height)
        return self._overlay


def _text(marker: Marker, *, hot: bool) -> str:
    if marker.symbol is not None:
        missed = "" if marker.symbol.quiet and not hot else marker.missed
        label = missed or marker.symbol.label
        return f"{marker.name}: {label}" if hot and label else marker.name if hot else label
    return marker.missed or (marker.name if hot and not marker.pulled else "")


def _kind(each: PlacedMarker, *, hot: bool, chosen: bool) -> str:
    if each.marker.symbol is not None:
        return picture_of(each.marker.symbol, hot=hot, chosen=chosen)
    if each.marker.pulled:
        return "pulled"
    if each.marker.held:
        return "held"
    return "hot" if hot else "plain"


def _logical(pane: Pane, ratio: float) -> tuple[float, float]:
    """Return the size of a view [logical px]."""
    return (pane.width / ratio, pane.height / ratio)


def _seen(camera: Camera, place: Vector, pane: Pane) -> tuple[float, float] | None:
    """Return the pixel of a place, unless it lies behind the eye or outside the view."""
    return _seen_all(camera, [place], pane)[0]


def _seen_all(camera: Camera, places: Sequence[Vector] | Array, pane: Pane) -> list[tuple[float, float] | None]:
    """Return the pixel of each place, or None where it lies behind the eye or outside the view."""
    found: list[tuple[float, float] | None] = []
    for x, y, depth in camera.project(np.asarray(places, dtype=np.float64).reshape(-1, 3), pane.size).tolist():
        is_before = camera.orthographic or depth > 0.0
        near = is_before and -pane.width < x < 2 * pane.width and -pane.height < y < 2 * pane.height
        found.append((x, y) if near else None)
    return found


def _between(start: tuple[float, float], end: tuple[float, float], every: float) -> list[tuple[float, float]]:
    """Return points on the way, some pixels apart, without its ends; farther apart where they would be too many."""
    way = end[0] - start[0], end[1] - start[1]
    count = min(int(math.hypot(*way) / every), MOST_DOTS)
    return [(start[0] + way[0] * n / count, start[1] + way[1] * n / count) for n in range(1, count)]


def _cut_short(start: tuple[float, float], end: tuple[float, float], pane: Pane) -> tuple[float, float]:
    """Return the end of a line from a visible place, or the point where it leaves for good what `_seen` takes for
    visible."""
    share = 1.0
    for here, there, size in zip(start, end, pane.size, strict=True):
        beyond = 2.0 * size if there > here else -float(size)
        if there != here:
            share = min(share, (beyond - here) / (there - here))
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _cut(source: tuple[int, int, int, int], x: int, y: int, pane: Pane) -> Placed | None:
    """Return the part of a picture that lies inside its view."""
    left, top = max(pane.x - x, 0), max(pane.y - y, 0)
    right = min(source[2], pane.x + pane.width - x)
    bottom = min(source[3], pane.y + pane.height - y)
    if right <= left or bottom <= top:
        return None
    return source[0] + left, source[1] + top, right - left, bottom - top, x + left, y + top


def _paint_kind(painter: QPainter, kind: str, look: Look) -> None:
    """Paint a ring, filled where the marker is held; a cross in a ring for a goal; a dot of the way to it."""
    middle, shade = QPointF(SIDE / 2, SIDE / 2), QColor(look.window)
    shade.setAlphaF(0.75)
    if kind == "dot":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawEllipse(middle, 2.1, 2.1)
        painter.setBrush(QColor(look.warning))
        painter.drawEllipse(middle, 1.3, 1.3)
        return
    if kind in SYMBOLS or kind in INKS:
        (paint_symbol if kind in SYMBOLS else paint_ink)(painter, middle, kind, look)
        return
    if kind in TRAIL:
        _paint_grip(painter, middle, kind, look)
        return
    colour = QColor({"plain": look.text, "goal": look.warning}.get(kind, look.accent))
    radius = RADIUS + (1.5 if kind in ("hot", "pulled") else 0.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(shade, 4.0), QPen(colour, 1.8)):
        painter.setPen(pen)
        painter.drawEllipse(middle, radius, radius)
        if kind == "goal":
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                painter.drawLine(middle + QPointF(8 * x, 8 * y), middle + QPointF(3.5 * x, 3.5 * y))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if kind == "held":
        painter.drawEllipse(middle, radius - 2.2, radius - 2.2)
    elif kind in ("hot", "pulled"):
        painter.drawEllipse(middle, 2.0, 2.0)


def _paint_grip(painter: QPainter, middle: QPointF, kind: str, look: Look) -> None:
    """Paint the end of a tangent, a small disc; or a ring about a key."""
    shade, hot = QColor(look.window), kind.endswith("hot")
    shade.setAlphaF(0.75)
    ring = kind == "key hot"
    radius = 6.5 if ring else 4.6 if hot else 3.6
    painter.setBrush(Qt.BrushStyle.NoBrush if ring else QColor(look.accent if hot else look.text))
    for pen in (QPen(shade, 4.0), QPen(QColor(look.accent), 1.8)) if ring else (QPen(shade, 2.4),):
        painter.setPen(pen)
        painter.drawEllipse(middle, radius, radius)


def _paint_text(painter: QPainter, text: str, colour: str, look: Look) -> None:
    paint_plate(painter, QRectF(0, 1, _text_width(text), TEXT_HEIGHT - 2), look, 0.82)
    painter.setPen(QColor(colour))
    painter.setFont(window_font(12))
    painter.drawText(QRectF(7, 1, TEXT_WIDTH, TEXT_HEIGHT - 2), Qt.AlignmentFlag.AlignVCenter, text)


def _text_width(text: str) -> float:
    return float(min(QFontMetricsF(window_font(12)).horizontalAdvance(text) + 14, TEXT_WIDTH))
