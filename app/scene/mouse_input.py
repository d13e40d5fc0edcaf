"""MouseInput: turns the mouse events of the canvas into camera moves and the calls of a tool. Events come from Qt
itself, which drops and swallows none.

A press on an ornament is the ornament's; else a camera drag if the buttons say so; else the left button is the
viewport's tool's. Without a button the pointer hovers: ornaments and what the tool shows light up at once, bodies after
a short delay, one pick at a time. A button that is lost (to a dialogue, another window, or a system that took the
mouse away) cancels what was begun with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from app.scene.camera import Vector
from app.scene.navigation import CameraDrag, motion_for, wheel_zoom
from app.scene.ornaments import Hot, part_at
from app.scene.panes import DIRECTIONS
from app.scene.tool import Pointer
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.viewport import Viewport

HOVER_EVERY = 30  # [ms]
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_LOST = (QEvent.Type.UngrabMouse, QEvent.Type.WindowDeactivate, QEvent.Type.FocusOut, QEvent.Type.Hide)


@dataclass
class _Press:
    """A button held down over a view."""

    view: int
    button: Qt.MouseButton
    start: Pointer
    drag: CameraDrag | None
    taken: bool  # by the tool


class MouseInput(QObject):
    """An event filter on the canvas."""

    _press: _Press | None = None  # also of a view that Python has freed: Qt still reports to it that the focus has gone

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self._pointer = QPointF()
        self._hover = QTimer(self, singleShot=True, interval=HOVER_EVERY)
        self._hover.timeout.connect(self._look_under_pointer)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take mouse events; let all others through."""
        kind = event.type()
        if isinstance(event, QWheelEvent):
            return self._turn_wheel(event)
        if isinstance(event, QKeyEvent):
            return self._key(event)
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                return self._press_button(event)
            if kind == QEvent.Type.MouseButtonDblClick:
                return self._double_click(event)
            if kind == QEvent.Type.MouseMove:
                return self._move(event)
            if kind == QEvent.Type.MouseButtonRelease:
                return self._release(event)
        if kind == QEvent.Type.ContextMenu:
            return True  # the mouse asks for it by a click that does not wander, keys by an action
        if kind in _LOST:
            self._give_up()
        if kind == QEvent.Type.Leave:
            self._hover.stop()
            self._viewport.set_hot(None)
            self._viewport.set_hovered(None)
            if self._press is None:
                self._viewport.tool.hover(None)
        return False

    def carry(self, view: int, way: Vector) -> None:
        """Let a drag of a view's camera go on from a place that has moved along [m]."""
        press = self._press
        if press is not None and press.drag is not None and press.view == view:
            press.drag = replace(press.drag, camera=press.drag.camera.carried(way))

    def _key(self, event: QKeyEvent) -> bool:
        """Give a key to a tool that takes typed numbers, before shortcuts."""
        pressed, typist = event.type() == QEvent.Type.KeyPress, self._viewport.typist
        plain = pressed or event.type() == QEvent.Type.ShortcutOverride
        if plain and not event.modifiers() & _COMMANDS and typist.wants_key(event.key(), event.text()):
            event.accept()
            if pressed:
                typist.press_key(event.key(), event.text())
            return True
        return pressed and event.key() == Qt.Key.Key_Escape and self._give_up()

    def _press_button(self, event: QMouseEvent) -> bool:
        view = self._viewport.view_at(event.position())
        if event.button() == Qt.MouseButton.RightButton and self._give_up():
            return True
        if view is None or self._press is not None:
            return True
        self._hover.stop()
        self._viewport.set_active(view)
        left = event.button() == Qt.MouseButton.LeftButton
        part = self._part(view, event.position()) if left else None
        if part is not None and self._press_ornament(view, part):
            return True
        camera = self._viewport.cameras[view]
        motion = motion_for(event.button(), event.modifiers(), camera, self._viewport.mouse)
        at = self._at(view, event)
        drag = CameraDrag(motion, camera, at.pixel, at.size) if motion else None
        if drag is not None:
            self._viewport.set_hovered(None)
        taken = left and drag is None and self._viewport.tool.press(at)
        self._press = _Press(view, event.button(), at, drag, taken)
        return True

    def _press_ornament(self, view: int, part: str) -> bool:
        """Press an ornament; return True if it answers."""
        if part in DIRECTIONS:
            self._viewport.look_from(view, part)
        elif part == "maximise":
            self._viewport.toggle_maximised(view)
        elif part == "display":
            self._viewport.ask_display(view)
        else:
            return False
        return True

    def _double_click(self, event: QMouseEvent) -> bool:
        view = self._viewport.view_at(event.position())
        if view is not None and self._part(view, event.position()) == "name":
            self._viewport.toggle_maximised(view)
            return True
        return self._press_button(event)

    def _move(self, event: QMouseEvent) -> bool:
        self._pointer = event.position()
        press = self._press
        if press is None:
            if event.buttons() == Qt.MouseButton.NoButton:
                self._hover_over(event)
        elif self._is_lost(press, event.buttons()):
            self._give_up()
        elif press.drag is not None:
            self._viewport.set_camera(press.view, press.drag.at(*self._viewport.inside(press.view, self._pointer)))
        elif press.taken:
            self._viewport.tool.move(self._at(press.view, event))
        return True

    def _hover_over(self, event: QMouseEvent) -> None:
        view = self._viewport.view_at(self._pointer)
        part = self._part(view, self._pointer) if view is not None else None
        self._viewport.set_hot(Hot(view, part) if view is not None and part else None)
        free = view is not None and part is None
        if self._viewport.tool.hover(self._at(view, event) if view is not None and free else None):
            self._viewport.set_hovered(None)
            self._hover.stop()
        elif not self._hover.isActive():
            self._hover.start()

    def _release(self, event: QMouseEvent) -> bool:
        press = self._press
        if press is None or event.button() != press.button:
            return True
        if self._is_lost(press, press.button):
            self._give_up()
            return True
        if press.drag is not None:
            self._viewport.set_camera(press.view, press.drag.at(*self._viewport.inside(press.view, event.position())))
        self._press = None
        here = self._at(press.view, event)
        if press.taken:
            self._viewport.tool.release(here)
        elif press.button == Qt.MouseButton.RightButton and press.drag is None and not here.has_left(press.start):
            self._viewport.menu_asked.emit(here.at)
        self._pointer = event.position()
        self._hover_over(event)
        return True

    def _give_up(self) -> bool:
        """Cancel what a button holds; return True if the tool held something."""
        press, self._press = self._press, None
        if press is not None and press.taken:
            self._viewport.tool.cancel()
        return press is not None and press.taken

    def _is_lost(self, press: _Press, buttons: Qt.MouseButton) -> bool:
        """Return True if the button was released unseen by this window, or its view is no longer shown."""
        return not buttons & press.button or press.view not in self._viewport.panes()

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
        view = self._viewport.view_at(self._pointer)
        if self._press is None and view is not None:
            on_ornament = self._part(view, self._pointer) is not None
            self._viewport.set_hovered(None if on_ornament else self._viewport.pick(self._pointer))

    def _part(self, view: int, at: QPointF) -> str | None:
        x, y = self._viewport.inside(view, at)
        viewport = self._viewport
        return part_at(viewport.cameras[view], x, y, viewport.size_of(view), viewport.title_of(view))

    def _at(self, view: int, event: QMouseEvent) -> Pointer:
        viewport, at = self._viewport, event.position()
        return Pointer(
            view=view,
            at=at,
            pixel=viewport.inside(view, at),
            camera=viewport.cameras[view],
            size=viewport.size_of(view),
            modifiers=event.modifiers(),
            buttons=event.buttons(),
        )
