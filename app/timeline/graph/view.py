"""CurveGraph: the curves of the selection over time, under the mouse and the keyboard.

During a drag, the curves are those of the document as the drag would make it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.timeline.axis import TimeAxis
from app.timeline.graph.changes import added_to_speed, added_to_turning, inserted
from app.timeline.graph.drags import drag_for
from app.timeline.graph.places import CurvePlaces
from app.timeline.view import ZOOM
from app.timeline.view_drag import CONTROL, STILL
from engine.document import Key
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve
    from app.timeline.keys import Picked


class CurveGraph(CurvePlaces):
    """Curves over time."""

    removal_wanted = Signal()
    key_commands: ClassVar[Mapping[str, str]] = {
        "edit.delete": "remove", "select.all": "choose_all", "view.frame_selected": "fit", "view.frame_all": "fit_all",
    }  # fmt: skip

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self._expected: Picked | None = None
        self.setAccessibleName("Curves")

    def follow(self) -> None:
        """Show the curves of the present selection; chosen keys that are still there stay chosen."""
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

    def follow_drag(self) -> None:
        """Show the curves as the drag would make them."""
        self._take_curves()
        self.changed.emit()

    def expect(self, picked: Picked) -> None:
        """Choose these keys once the change that makes them has come."""
        self._expected = picked

    # What a person does

    def add_at(self, at: QPointF) -> None:
        """Set a key: on the curve there without changing its shape; else on the only one that can be meant."""
        curves, time = self.curves.curves, self.axis.snapped(self.time_at(at.x()))
        curve, value = self.curve_at(at), None
        if curve is None:
            meant = [place for place in self.open if curves[place].channel in self.active] or self.open
            if len(meant) != 1:
                self.say("Double-click on a curve to set a key; or choose one curve in the list first.")
                return
            curve = curves[meant[0]]
            value = curve.meant(self.scale.snapped(self.scale.value_at(at.y())))
        if curve.speed is not None and not curve.speed.start < time < curve.speed.end:
            self.say("A key of a time path stands between its two ends.")
            return
        wanted = _new_key(curve, time, value)
        self.session.do(wanted)
        self.choose({curve.channel: frozenset((time,))})

    def choose_all(self) -> None:
        """Choose every key that may be changed."""
        self.choose(self.curves.picked(self.curves.seen(self.open)))

    def choose_box(self, box: QRectF, modifiers: Qt.KeyboardModifier) -> None:
        """Choose the keys in a box; with Ctrl and without a box set a key."""
        if modifiers & CONTROL and max(box.width(), box.height()) <= STILL:
            self.add_at(box.topLeft())
        else:
            super().choose_box(box, modifiers)

    def obey(self, command: str) -> None:
        if command == "remove":
            self.removal_wanted.emit()
        else:
            getattr(self, command)()

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        self.drag = drag_for(self, at, modifiers)

    def pan(self, way: QPointF) -> None:
        super().pan(QPointF(way.x(), 0.0))
        self.scale.pan(way.y())

    def measure(self) -> None:
        self.scale.set_height(max(self.viewport().height(), 1))

    def paint(self, painter: QPainter) -> None:
        from app.timeline.graph.painter import paint_graph

        paint_graph(painter, self)

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(400, 180)

    def minimumSizeHint(self) -> QSize:
        """Return a small size: a low dock may hold it."""
        return QSize(80, 20)

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

    # How it is done

    def _drop_drag(self) -> None:
        dragging = self.dragging
        super()._drop_drag()
        if dragging is not None:
            self.picked = dragging.picked
        self._take_curves()
        self.changed.emit()


def _new_key(curve: Curve, time: int, value: float | None) -> Edit:
    """Return the edit that sets a key: on the curve, or at a value."""
    channel = curve.channel
    if curve.speed is not None:
        return added_to_speed(curve, time)
    if not curve.of_motion:
        if value is None:
            return inserted((curve,), time)
        return edit("paste_keys", chosen=((channel.actor, channel.layer, ((channel.coordinate, Key(time, value)),)),))
    if value is None and curve.turning is not None:
        return added_to_turning(curve, time)
    if value is None and curve.outline is not None:
        place = {"actor": channel.actor, "layer": channel.layer}
        return edit("insert_keys", **place, time=time, coordinates=(channel.coordinate,))
    value = curve.constant if value is None else value
    place = {"actor": channel.actor, "layer": channel.layer, "coordinate": channel.coordinate}
    return edit("set_key", **place, time=time, value=value)
