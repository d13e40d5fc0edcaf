"""CurveGraph: the curves of what is selected over time, under the mouse and the keyboard.

Painted as a whole, with no item for a key or a curve, and kept as one picture, over which the playhead moves. While a
hand holds something, the curves are those of the document as the hand would make it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.style.shown_keys import has_key
from app.timeline.axis import TimeAxis
from app.timeline.graph.changes import added_to_speed
from app.timeline.graph.hands import BoxHand, hand_for
from app.timeline.graph.places import CurvePlaces
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve
    from app.timeline.keys import Picked

ZOOM = 1.2  # for one notch of the wheel
COMMANDS = {
    "edit.delete": "remove", "select.all": "all", "view.frame_selected": "fit", "view.frame_all": "fit_all",
}  # fmt: skip
"""What the keys of the window's actions mean while the graph has the keyboard."""


class CurveGraph(CurvePlaces):
    """Curves over time."""

    removal_wanted = Signal()

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self._panned: QPointF | None = None
        self._expected: Picked | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Curves")
        session.playhead_moved.connect(lambda time: self.update())
        session.logged.connect(lambda entry: self._settle())
        session.preview_changed.connect(lambda document: self._settle())

    def follow(self) -> None:
        """Show the curves of what is selected now; keys that were chosen stay so where they are still there."""
        self._settle(committed=True)
        before = {curve.channel for curve in self.curves.curves}
        self._take_curves()
        self._flags = None
        expected, self._expected = self._expected, None
        kept = self.curves.picked(self.flags if expected is None else self.curves.flags(expected))
        if kept != dict(self.picked):
            self.choose(kept)
        if {curve.channel for curve in self.curves.curves} - before:
            self.fit_values()
        self.changed.emit()

    def follow_hand(self) -> None:
        """Show the curves as the hand would make them."""
        self._take_curves()
        self.changed.emit()

    def expect(self, picked: Picked) -> None:
        """Choose these keys once the change is there that brings them."""
        self._expected = picked

    # What a person does

    def add_at(self, at: QPointF) -> None:
        """Set a key: on the curve there without changing its shape; else on the only one that can be meant."""
        curves, time = self.curves.curves, self.axis.snapped(self.time_at(at.x()))
        curve, value = self.curve_at(at), None
        if curve is None:
            meant = [place for place in self.open if curves[place].channel in self.active] or self.open
            if len(meant) != 1:
                self.session.note(
                    "note", "Double-click on a curve to set a key; or choose one curve in the list first."
                )
                return
            curve = curves[meant[0]]
            value = curve.meant(self.scale.snapped(self.scale.value_at(at.y())))
        if curve.speed is not None and not curve.speed.start < time < curve.speed.end:
            self.session.note("note", "A key of a time path stands between its two ends.")
            return
        wanted = _new_key(curve, time, value)
        self.session.do(wanted)
        self.choose({curve.channel: frozenset((time,))})

    def choose_all(self) -> None:
        """Choose every key that may be changed."""
        self.choose(self.curves.picked(self.curves.seen(self.open)))

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(400, 180)

    def event(self, event: QEvent) -> bool:
        """Keep from the window's shortcuts the keys that are the graph's while it has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._command(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = self._command(event)
        if command == "cancel" and self.hand is not None:
            self.hand.cancel()
            self._drop_hand()
        elif command == "all":
            self.choose_all()
        elif command == "fit":
            self.fit()
        elif command == "fit_all":
            self.fit_all()
        elif command == "remove":
            self.removal_wanted.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = at
        elif event.button() == Qt.MouseButton.LeftButton and self.hand is None and self._curves is not None:
            self.hand = hand_for(self, at, event.modifiers())
            self.redraw()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._panned is not None:
            self.axis.pan(at.x() - self._panned.x())
            self.scale.pan(at.y() - self._panned.y())
            self._panned = at
        elif self.hand is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self.hand.move(at, event.modifiers())
            if isinstance(self.hand, BoxHand):
                self.update()
            else:
                self.redraw()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = None
        elif event.button() == Qt.MouseButton.LeftButton and self.hand is not None:
            self.hand.release()
            self._settle()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Set a key, but not on another."""
        if event.button() == Qt.MouseButton.LeftButton and self.key_at(event.position()) is None:
            self.add_at(event.position())
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom about the pointer: both ways, in time alone with Ctrl, in value alone with Shift."""
        turned = event.angleDelta()
        factor = ZOOM ** (-(turned.y() or turned.x()) / 120.0)
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.axis.zoom(factor, event.position().x())
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.scale.zoom(factor, event.position().y())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.axis.set_width(max(self.width(), 1))
        self.scale.set_height(max(self.height(), 1))
        self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._curves is None:
            return
        from app.timeline.graph.painter import paint_box, paint_graph, paint_playhead

        if self._picture is None:
            ratio = self.devicePixelRatioF()
            self._picture = QPixmap((self.size().toSizeF() * ratio).toSize())
            self._picture.setDevicePixelRatio(ratio)
            painter = QPainter(self._picture)
            paint_graph(painter, self)
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        paint_playhead(painter, self)
        if isinstance(self.hand, BoxHand):
            paint_box(painter, self.hand.box)
        painter.end()

    # How it is done

    def _settle(self, *, committed: bool = False) -> None:
        """Let go of a hand whose gesture has ended; after a commit the keys that it moved are chosen where they are."""
        hand = self.hand
        if hand is None or not hand.ended:
            return
        landed = hand.landed if committed else None
        self.hand = None
        if hand.document is not None:
            self.picked = hand.picked
        self._take_curves()
        if landed is not None:
            self.choose(landed)
            lost = hand.expected - len(self.curves.time)
            if lost > 0:
                text = f"{lost} {'key was' if lost == 1 else 'keys were'} replaced by keys put there."
                self.session.note("note", text)
        self.changed.emit()

    def _drop_hand(self) -> None:
        hand, self.hand = self.hand, None
        if hand is not None:
            self.picked = hand.picked
        self._take_curves()
        self.changed.emit()

    def _command(self, event: QKeyEvent) -> str:
        """What a key means to the graph; empty where it means nothing."""
        if event.key() == Qt.Key.Key_Escape:
            return "cancel" if self.hand is not None else ""
        if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
            return "remove"
        return next((command for action, command in COMMANDS.items() if has_key(action, event.keyCombination())), "")


def _new_key(curve: Curve, time: int, value: float | None) -> Edit:
    """The edit that sets a key: where the curve is, or at a value."""
    channel = curve.channel
    if curve.speed is not None:
        return added_to_speed(curve, time)
    if value is None and curve.outline is not None:
        place = {"actor": channel.actor, "layer": channel.layer}
        return edit("insert_keys", **place, time=time, coordinates=(channel.coordinate,))
    value = curve.constant if value is None else value
    place = {"actor": channel.actor, "layer": channel.layer, "coordinate": channel.coordinate}
    return edit("set_key", **place, time=time, value=value)
