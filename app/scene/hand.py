"""Hand: what the mouse does over the canvas. Events come from Qt itself, which drops and swallows none.

A press on an ornament is the ornament's; else a camera drag if the buttons say so; else the left button takes a mark,
which is pulled or, if the pointer does not move, clicked; else it is a left click, which picks. Without a button the
pointer hovers: ornaments and marks light up at once, bodies after a short delay, one pick at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from app.scene.marks import PlacedMark, pulled_to
from app.scene.navigation import Drag, motion_for, wheel_zoom
from app.scene.ornaments import Hot, part_at
from app.scene.panes import DIRECTIONS

if TYPE_CHECKING:
    from app.scene.viewport import Viewport

STILL = 4.0  # [px] a click may wander this far
HOVER_EVERY = 30  # [ms]
_AXIS = Qt.KeyboardModifier.ShiftModifier
_ADDITIVE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


@dataclass
class _Press:
    """A button that is held over a view."""

    view: int
    button: Qt.MouseButton
    at: QPointF
    drag: Drag | None
    mark: PlacedMark | None = None
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
        if isinstance(event, QKeyEvent):
            return kind == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape and self._drop()
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                return self._press_button(event)
            if kind == QEvent.Type.MouseButtonDblClick:
                return self._double_click(event)
            if kind == QEvent.Type.MouseMove:
                return self._move(event.position(), event.modifiers())
            if kind == QEvent.Type.MouseButtonRelease:
                return self._release(event)
        if kind == QEvent.Type.Leave:
            self._hover.stop()
            self._viewport.set_hot(None)
            self._viewport.set_hovered(None)
            if self._press is None:
                self._viewport.set_hot_mark(None)
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
        left = event.button() == Qt.MouseButton.LeftButton
        mark = self._viewport.mark_at(event.position()) if left and drag is None else None
        self._press = _Press(view, event.button(), event.position(), drag, mark)
        return True

    def _double_click(self, event: QMouseEvent) -> bool:
        view = self._viewport.view_at(event.position())
        if view is not None and self._part(view, event.position()) == "name":
            self._viewport.toggle_maximised(view)
            return True
        return self._press_button(event)

    def _move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        self._pointer = at
        press = self._press
        if press is None:
            view = self._viewport.view_at(at)
            part = self._part(view, at) if view is not None else None
            self._viewport.set_hot(Hot(view, part) if view is not None and part else None)
            found = self._viewport.mark_at(at) if part is None else None
            if found is not None:
                self._viewport.set_hovered(None)
            if part is None:
                self._viewport.set_hot_mark(found.mark if found else None)
            if not self._hover.isActive():
                self._hover.start()
            return True
        began = not press.moved and (at - press.at).manhattanLength() > STILL
        press.moved = press.moved or began
        if press.mark is not None and press.moved:
            self._pull(press, press.mark, at, begins=began, along_axis=bool(modifiers & _AXIS))
        if press.drag is not None:
            self._viewport.set_camera(press.view, press.drag.at(*self._viewport.inside(press.view, at)))
        return True

    def _release(self, event: QMouseEvent) -> bool:
        press = self._press
        if press is None or event.button() != press.button:
            return True
        self._move(event.position(), event.modifiers())
        self._press = None
        if press.mark is not None:
            if press.moved:
                self._viewport.mark_released.emit()
            else:
                self._viewport.mark_clicked.emit(press.mark.mark)
            self._move(event.position(), event.modifiers())
        elif press.drag is None and not press.moved and press.button == Qt.MouseButton.LeftButton:
            pick = self._viewport.pick(press.at)
            self._viewport.picked.emit(pick, bool(event.modifiers() & _ADDITIVE))
        return True

    def _pull(self, press: _Press, taken: PlacedMark, at: QPointF, *, begins: bool, along_axis: bool) -> None:
        """The pointer is where it took the mark by, which need not be its middle."""
        viewport, camera, size = self._viewport, self._viewport.cameras[press.view], self._viewport.size_of(press.view)
        if begins:
            viewport.set_hot_mark(taken.mark, taken=True)
            viewport.mark_taken.emit(taken.mark)
        from_middle = [float(each) for each in camera.project(np.array(taken.place), size)[:2]]
        x, y = viewport.inside(press.view, at)
        start_x, start_y = viewport.inside(press.view, press.at)
        pixel = (from_middle[0] + x - start_x, from_middle[1] + y - start_y)
        viewport.mark_moved.emit(pulled_to(camera, pixel, size, taken.place, along_axis=along_axis))

    def _drop(self) -> bool:
        """Let go of a mark as if it had not been pulled; whether there was one."""
        if self._press is None or self._press.mark is None:
            return False
        self._press.mark, self._press.moved = None, True
        self._viewport.set_hot_mark(None)
        self._viewport.mark_dropped.emit()
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
            taken = on_ornament or self._viewport.mark_at(self._pointer) is not None
            self._viewport.set_hovered(None if taken else self._viewport.pick(self._pointer))

    def _part(self, view: int, at: QPointF) -> str | None:
        x, y = self._viewport.inside(view, at)
        return part_at(self._viewport.cameras[view], x, y, self._viewport.size_of(view))
