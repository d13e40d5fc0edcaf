"""SphereView: where a bone may point, as a map of the sphere about its joint; a polygon's corners are dragged on it.

Press on a corner and drag it; press on a side, and it has a corner more there. Delete takes the chosen corner away,
arrow keys move it, Escape drops a drag. Elsewhere a drag moves the map; the wheel zooms, a double click shows it all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.features.limits.sphere_map import Flat, between
from app.features.limits.sphere_painter import SphereMapState, paint_sphere
from app.style.apply import current_theme
from engine.commands.shape_limit import fault_of
from engine.document.values import Vector3

if TYPE_CHECKING:
    from engine.queries.limit_pointing import PointingMap

NEAR_CORNER, NEAR_SIDE = 9.0, 7.0  # [logical px]
EDGE = 26.0  # [logical px] around what is seen as a whole
LEAST, LARGEST = math.radians(30.0), 12.0  # [rad] from the middle that is seen at least; times larger than the whole
NOTCH = 120.0  # what Qt reports for one notch of a wheel
STEP = math.radians(1.0)  # of an arrow key; ten times with Shift
_ARROWS: dict[int, Flat] = {
    Qt.Key.Key_Left: (-1.0, 0.0), Qt.Key.Key_Right: (1.0, 0.0), Qt.Key.Key_Up: (0.0, 1.0), Qt.Key.Key_Down: (0.0, -1.0),
}  # fmt: skip
_REMOVERS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class SphereView(QWidget):
    """Paints the map; says what a hand does to the polygon."""

    shaped = Signal(object)  # the corners as they are dragged
    ended = Signal(bool)  # whether they are to be kept
    reported = Signal(str)  # what is wrong with what is dragged; nothing where it is right

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = SphereMapState()
        self._scale, self._centre = 1.0, QPointF()  # [px/rad], and where the map's middle is
        self._framed = True  # nobody has moved it since it was seen as a whole
        self._held: tuple[Vector3, ...] | None = None  # the corners before the drag
        self._pan: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Where the bone may point")
        self.setMinimumSize(160, 160)

    def sizeHint(self) -> QSize:
        return QSize(300, 300)

    # What is shown

    def show_map(self, found: PointingMap) -> None:
        """Another map, looked at as a whole where its middle is another."""
        if found is self.shown.source:
            return
        other = self.shown.source is None or self.shown.source.middle != found.middle
        self.shown.take(found)
        if other or self._framed:
            self.frame()
        self.update()

    def show_corners(self, corners: Sequence[Vector3]) -> None:
        """Show the polygon as it is in the document; none for other ranges."""
        if self._held is None and tuple(corners) != self.shown.corners:
            self.shown.corners, self.shown.is_wrong = tuple(corners), False
            if self.shown.chosen is not None and self.shown.chosen >= len(corners):
                self.shown.chosen = None
            self.update()

    def show_pose(self, pose: Vector3 | None, *, outside: bool) -> None:
        """Show the direction in which the bone points."""
        self.shown.pose, self.shown.is_outside = pose, outside
        self.update()

    def frame(self) -> None:
        """See the whole of what is there."""
        reach = max((math.hypot(*each) for each in self.shown.places), default=LEAST)
        room = 0.5 * min(self.width(), self.height()) - EDGE
        self._scale = max(room, 40.0) / min(max(reach, LEAST), math.pi)
        self._centre = QPointF(0.5 * self.width(), 0.5 * self.height())
        self._framed = True
        self.update()

    def point_of(self, direction: Vector3) -> QPointF:
        """Return the pixel of a direction, in the widget."""
        return self.pixel(self.shown.map.flat(direction))

    def pixel(self, place: Flat) -> QPointF:
        """Return the pixel of a place of the map."""
        return QPointF(self._centre.x() + self._scale * place[0], self._centre.y() - self._scale * place[1])

    def direction_at(self, at: QPointF) -> Vector3:
        """Return the direction under a point of the widget."""
        place = at - self._centre
        return self.shown.map.direction((place.x() / self._scale, -place.y() / self._scale))

    # The hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self.setFocus()
        at, before = event.position(), self.shown.corners
        chosen = self._corner_at(at)
        side = self._side_at(at) if chosen is None else None
        self.shown.chosen, self.shown.ghost = chosen, None
        if side is not None:
            place, direction = side
            self._held, self.shown.chosen = before, place + 1
            self._move_to((*before[: place + 1], direction, *before[place + 1 :]))
        elif chosen is not None:
            self._held = before
        else:
            self._pan = at
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._held is not None and self.shown.chosen is not None:
            self._move_to(self._with(self.shown.corners, self.shown.chosen, self.direction_at(at)))
        elif self._pan is not None:
            self._centre, self._pan, self._framed = self._centre + at - self._pan, at, False
            self.update()
        else:
            corner = self._corner_at(at)
            side = self._side_at(at) if corner is None else None
            self.shown.hovered, self.shown.ghost = corner, None if side is None else side[1]
            over = corner is not None or side is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pan = None
            self._end(keep=True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._corner_at(event.position()) is None:
            self.frame()

    def wheelEvent(self, event: QWheelEvent) -> None:
        at = event.position()
        whole = 0.5 * min(self.width(), self.height()) / math.pi
        scale = self._scale * 1.15 ** (event.angleDelta().y() / NOTCH)
        scale = min(max(scale, 0.8 * whole), LARGEST * whole)
        self._centre = at + (self._centre - at) * (scale / self._scale)
        self._scale, self._framed = scale, False
        event.accept()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.shown.hovered = self.shown.ghost = None
        self.update()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keys that move or remove a corner, whatever they do elsewhere in the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._wants(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, chosen, corners = event.key(), self.shown.chosen, self.shown.corners
        if not self._wants(event):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape:
            self._end(keep=False)
        elif chosen is not None and self._held is None:
            self._held = corners
            if key in _REMOVERS:
                self.shown.chosen = None
                self._move_to((*corners[:chosen], *corners[chosen + 1 :]))
            else:
                size = STEP * (10.0 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0)
                x, y = self.shown.map.flat(corners[chosen])
                way = _ARROWS[key]
                direction = self.shown.map.direction((x + size * way[0], y + size * way[1]))
                self._move_to(self._with(corners, chosen, direction))
            self._end(keep=True)

    def _wants(self, event: QKeyEvent) -> bool:
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return False
        if event.key() == Qt.Key.Key_Escape:
            return self._held is not None
        return self.shown.chosen is not None and (event.key() in _REMOVERS or event.key() in _ARROWS)

    def _move_to(self, corners: tuple[Vector3, ...]) -> None:
        """Show a polygon; say so where it may be one."""
        assert self._held is not None, "while it is held"
        fault = fault_of(corners, self._held)
        self.shown.corners, self.shown.is_wrong = corners, bool(fault)
        self.reported.emit(fault)
        if not fault:
            self.shaped.emit(corners)
        self.update()

    def _end(self, *, keep: bool) -> None:
        if self._held is None:
            return
        refused = keep and self.shown.is_wrong
        if refused or not keep:
            self.shown.corners = self._held
        self._held, self.shown.is_wrong = None, False
        if not refused:
            self.reported.emit("")
        self.ended.emit(keep and not refused)
        self.update()

    @staticmethod
    def _with(corners: tuple[Vector3, ...], place: int, direction: Vector3) -> tuple[Vector3, ...]:
        return (*corners[:place], direction, *corners[place + 1 :])

    def _corner_at(self, at: QPointF) -> int | None:
        ways = [(_length(self.point_of(each) - at), place) for place, each in enumerate(self.shown.corners)]
        found = min(ways, default=(math.inf, 0))
        return found[1] if found[0] <= NEAR_CORNER else None

    def _side_at(self, at: QPointF) -> tuple[int, Vector3] | None:
        """Return the side under a point: which corner it begins at, and the direction on it."""
        best: tuple[float, int, Vector3] = (NEAR_SIDE, -1, (0.0, 0.0, 1.0))
        corners = self.shown.corners
        for place, start in enumerate(corners):
            for each in between(start, corners[(place + 1) % len(corners)])[1:-1]:
                away = _length(self.point_of(each) - at)
                best = min(best, (away, place, each))
        return None if best[1] < 0 else (best[1], best[2])

    # Qt's events

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_sphere(painter, self.shown, self.pixel, self._scale, self.size(), current_theme())
        painter.end()

    def hideEvent(self, event: QHideEvent) -> None:
        self._pan = None
        self._end(keep=False)
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._framed:
            self.frame()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.update()


def _length(way: QPointF) -> float:
    return math.hypot(way.x(), way.y())
