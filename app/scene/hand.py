"""Hand: what the mouse does over the canvas. Events come from Qt itself, which drops and swallows none.

A press on an ornament is the ornament's; else a camera drag if the buttons say so; else a left click, which picks if
the pointer did not move. Without a button the pointer hovers: ornaments light up at once, bodies after a short delay,
one pick at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QWheelEvent

from app.scene.navigation import Drag, motion_for, wheel_zoom
from app.scene.ornaments import Hot, part_at
from app.scene.panes import DIRECTIONS

if TYPE_CHECKING:
    from app.scene.viewport import Viewport

STILL = 4.0  # [px] a click may wander this far
HOVER_EVERY = 30  # [ms]
_ADDITIVE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


@dataclass
class _Press:
    """A button that is held over a view."""

    view: int
    button: Qt.MouseButton
    at: QPointF
    drag: Drag | None
    moved: bool = False


class Hand(QObject):
    """Filters the canvas's events."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._press: _Press | None = None
        self._pointer = QPointF()
        self._hover = QTimer(self, singleShot=True, interval=HOVER_EVERY)
        self._hover.timeout.connect(self._look_under_pointer)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take mouse events; let all others through."""
        kind = event.type()
        if isinstance(event, QWheelEvent):
            return self._turn_wheel(event)
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                return self._press_button(event)
            if kind == QEvent.Type.MouseButtonDblClick:
                return self._double_click(event)
            if kind == QEvent.Type.MouseMove:
                return self._move(event.position())
            if kind == QEvent.Type.MouseButtonRelease:
                return self._release(event)
        if kind == QEvent.Type.Leave:
            self._hover.stop()
            self._viewport.set_hot(None)
            self._viewport.set_hovered(None)
        return False

    def _press_button(self, event: QMouseEvent) -> bool:
        view = self._viewport.view_at(event.position())
        if view is None or self._press is not None:
            return True
        self._hover.stop()
        self._viewport.set_active(view)
        part = self._part(view, event.position()) if event.button() == Qt.MouseButton.LeftButton else None
        if part in DIRECTIONS:
            self._viewport.look_from(view, part)
            return True
        if part == "maximise":
            self._viewport.toggle_maximised(view)
            return True
        if part == "display":
            self._viewport.ask_display(view)
            return True
        camera = self._viewport.cameras[view]
        motion = motion_for(event.button(), event.modifiers(), camera)
        x, y = self._viewport.inside(view, event.position())
        drag = Drag(motion, camera, (x, y), self._viewport.size_of(view)) if motion else None
        if drag is not None:
            self._viewport.set_hovered(None)
        self._press = _Press(view, event.button(), event.position(), drag)
        return True

    def _double_click(self, event: QMouseEvent) -> bool:
        view = self._viewport.view_at(event.position())
        if view is not None and self._part(view, event.position()) == "name":
            self._viewport.toggle_maximised(view)
            return True
        return self._press_button(event)

    def _move(self, at: QPointF) -> bool:
        self._pointer = at
        press = self._press
        if press is None:
            view = self._viewport.view_at(at)
            part = self._part(view, at) if view is not None else None
            self._viewport.set_hot(Hot(view, part) if view is not None and part else None)
            if not self._hover.isActive():
                self._hover.start()
            return True
        press.moved = press.moved or (at - press.at).manhattanLength() > STILL
        if press.drag is not None:
            self._viewport.set_camera(press.view, press.drag.at(*self._viewport.inside(press.view, at)))
        return True

    def _release(self, event: QMouseEvent) -> bool:
        press = self._press
        if press is None or event.button() != press.button:
            return True
        self._move(event.position())
        self._press = None
        if press.drag is None and not press.moved and press.button == Qt.MouseButton.LeftButton:
            pick = self._viewport.pick(press.at)
            self._viewport.picked.emit(pick, bool(event.modifiers() & _ADDITIVE))
        return True

    def _turn_wheel(self, event: QWheelEvent) -> bool:
        view = self._viewport.view_at(event.position())
        turn = event.angleDelta().y() or event.angleDelta().x()
        if view is not None and turn and self._press is None:
            self._viewport.set_active(view)
            pixel = self._viewport.inside(view, event.position())
            camera = wheel_zoom(self._viewport.cameras[view], turn, pixel, self._viewport.size_of(view))
            self._viewport.set_camera(view, camera)
        return True

    def _look_under_pointer(self) -> None:
        if self._press is None and self._viewport.view_at(self._pointer) is not None:
            view = self._viewport.view_at(self._pointer)
            on_ornament = view is not None and self._part(view, self._pointer) is not None
            self._viewport.set_hovered(None if on_ornament else self._viewport.pick(self._pointer))

    def _part(self, view: int, at: QPointF) -> str | None:
        x, y = self._viewport.inside(view, at)
        return part_at(self._viewport.cameras[view], x, y, self._viewport.size_of(view))
