"""LaneView: a lane for each part that is listed, with its keys, under the mouse and the keyboard.

A view of time (`app/timeline/view.py`) with names, eyes, sliders and numbers beside the curves, painted as a whole.
During a drag a lane shows what the hand has, without waiting for the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QToolTip, QWidget

from app.lanes.places import LanePlaces
from app.timeline.axis import TimeAxis
from app.timeline.view import ZOOM
from app.timeline.view_drag import BoxDrag, take_hold
from engine.document.extent import play_extent
from engine.edits import joined

if TYPE_CHECKING:
    from app.lanes.kind import Named
    from app.lanes.lane import Lane
    from app.session import Session
    from app.timeline.keys import Picked

AROUND = 0.04  # of what is framed, shown before and after it


class LaneView(LanePlaces):
    """The lanes that are listed."""

    key_commands: ClassVar[Mapping[str, str]] = {
        "edit.delete": "remove", "select.all": "choose_all", "select.none": "choose_none", "pose.key": "key_here",
        "view.frame_selected": "frame", "view.frame_all": "show_all",
    }  # fmt: skip
    drawing_changed = Signal()
    menu_wanted = Signal(QPoint)  # where on the screen; the lane there is chosen

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self.draws = False  # a drag over a lane draws its curve
        self._expected: Picked | None = None
        self._name: QLineEdit | None = None
        self._seen: Named | None = None  # the lane that was scrolled to last
        self.setAccessibleName("Activations")
        self.verticalScrollBar().valueChanged.connect(self.redraw)
        self.current.read_changed.connect(self.redraw)

    def follow(self) -> None:
        """Show the lanes as they are on screen; chosen keys that are still there stay chosen."""
        from app.lanes.drags import SliderDrag
        from app.lanes.lane import LaneTable  # brings numpy

        if self.drag is not None and not self.drag.ended and not isinstance(self.drag, SliderDrag):
            self.redraw()
            return  # it shows what the hand has
        self.keys, self._flags = LaneTable.of(self.current.listed(), self.keys), None
        self._settle(committed=True)
        self.measure()
        expected, self._expected = self._expected, None
        self.choose(self.keys.picked(self.keys.flags(self.picked if expected is None else expected)))
        self._scroll_to_chosen()

    def set_drawing(self, draws: bool) -> None:
        """Let a drag over a lane draw its curve, or choose and move keys."""
        if draws != self.draws:
            self.draws = draws
            self.drawing_changed.emit()

    # What a person does

    def obey(self, command: str) -> None:
        getattr(self, command)()

    def remove(self) -> None:
        """Take the chosen keys away."""
        pairs = ((self.table.lane_of((each.actor, each.layer)), times) for each, times in sorted(self.picked.items()))
        edits = [
            lane.edit(lane.kind.remove_keys, times=tuple(sorted(times)))
            for lane, times in pairs
            if lane is not None and times
        ]
        if edits:
            self.session.do(joined(edits))

    def choose_all(self) -> None:
        """Choose every key."""
        self.choose(self.table.picked(self.flags | True))

    def choose_none(self) -> None:
        """Deselect all keys."""
        self.choose({})

    def key_here(self) -> None:
        """Set a key of the chosen lane at the playhead, at what its value is there."""
        lane = self.current.lane()
        if lane is not None:
            self.set_key(lane, self.session.playhead, self.value_of(lane))

    def set_key(self, lane: Lane, time: int, value: float) -> None:
        """Set a key, which is chosen then where its lane is listed."""
        key, picked = lane.key_at(time, value), {lane.channel: frozenset((time,))}
        if key in lane.keys and lane.is_keyed:
            self.choose(picked if self.table.lane_of(lane.of) is not None else {})
            return
        self._expected = picked
        self.session.do(lane.keys_edit((key,)))

    def frame(self) -> None:
        """Show the chosen keys from edge to edge."""
        times = [time for each in self.picked.values() for time in each]
        if len(times) > 1:
            around = AROUND * (max(times) - min(times))
            self.show_times(min(times), max(times), around)

    def show_all(self) -> None:
        """Show all that is played."""
        start, end = play_extent(self.session.document)
        self.show_times(start, end, AROUND * (end - start))

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        from app.lanes.drags import FreehandDrag, LaneKeysDrag, SliderDrag

        place = self.lane_at(at.y())
        if place is None:
            self.drag = BoxDrag(self, at, modifiers) if at.x() >= self.left else None
            return
        lane, beside = self.table.lanes[place], at.x() < self.left
        if beside and lane.kind.mute and self.eye_rect(place).contains(at):
            self.session.do(lane.edit(lane.kind.mute, mute=not lane.mute))
            return
        key = None if self.draws else self.key_at(at)
        self.current.source_of(lane).choose(lane.of)
        may_change = self.current.may_change
        if beside:
            if may_change and self.slider_rect(place).contains(at):
                self.drag = SliderDrag(self, at, modifiers, place=place)
        elif self.draws and may_change:
            self.drag = FreehandDrag(self, at, modifiers, place=place)
        elif key is None:
            self.drag = BoxDrag(self, at, modifiers)
        else:
            clicked = take_hold(self, self.table.one(key), modifiers)
            self.drag = LaneKeysDrag(self, at, modifiers, key=key, clicked=clicked)

    def hover(self, at: QPointF) -> None:
        place, shape = self.lane_at(at.y()), Qt.CursorShape.ArrowCursor
        if self.draws and at.x() >= self.left:
            shape = Qt.CursorShape.CrossCursor
        elif self.key_at(at) is not None:
            shape = Qt.CursorShape.SizeAllCursor
        elif place is not None and self.slider_rect(place).contains(at):
            shape = Qt.CursorShape.SizeHorCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def paint(self, painter: QPainter) -> None:
        from app.lanes.painter import paint_lanes

        paint_lanes(painter, self)

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(560, 180)

    def minimumSizeHint(self) -> QSize:
        """Return the size of what stands beside a lane, so that the dock takes no more room than others."""
        return QSize(self.left + 40, self.lane_height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint names, sliders and numbers anew each time: they are of the playhead."""
        super().paintEvent(event)
        if self.is_filled:
            from app.lanes.painter import paint_beside

            paint_beside(self)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Set a key where there is none; on a name, name the part."""
        at, place = event.position(), self.lane_at(event.position().y())
        if place is None or event.button() != Qt.MouseButton.LeftButton or self.draws:
            self.mousePressEvent(event)
            return
        lane = self.table.lanes[place]
        source = self.current.source_of(lane)
        if source.may_change(lane.of) and self.name_rect(place).contains(at):
            self._rename(place)
        elif source.may_change(lane.of) and at.x() >= self.left and self.key_at(at) is None:
            source.choose(lane.of)
            self.set_key(lane, self.axis.snapped(self.time_at(at.x())), self.value_at(place, lane, at.y()))
        else:
            self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of a lane, which is chosen first, and of the key there."""
        at = QPointF(event.pos())
        place = None if self.drag is not None else self.lane_at(at.y())
        if place is not None:
            lane = self.table.lanes[place]
            self.current.source_of(lane).choose(lane.of)
            key = self.key_at(at)
            if key is not None:
                take_hold(self, self.table.one(key), Qt.KeyboardModifier.NoModifier)
            self.menu_wanted.emit(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll lanes; with Ctrl zoom about the pointer, with Shift or sideways move in time."""
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.axis.zoom(ZOOM ** (-turned.y() / 120.0), max(event.position().x() - self.left, 0.0))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or turned.x():
            self.axis.pan((turned.x() or turned.y()) / 2.0)
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a tooltip of what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.keys is not None:
            from app.lanes.tips import tip_at

            QToolTip.showText(event.globalPos(), tip_at(self, QPointF(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    # How it is done

    def _command(self, event: QKeyEvent) -> str:
        """Return the command of a key; K sets a key as it does in other programs, and stops nothing here."""
        if event.key() == Qt.Key.Key_K and not event.modifiers():
            return "key_here"
        return super()._command(event)

    def _scroll_to_chosen(self) -> None:
        """Bring a lane that was chosen elsewhere into view."""
        chosen = self.current.chosen
        place = self.table.place_of(chosen)
        if chosen != self._seen and place is not None:
            bar, top = self.verticalScrollBar(), place * self.lane_height
            bar.setValue(max(min(bar.value(), top), top + self.lane_height - self.viewport().height()))
        self._seen = chosen

    def _rename(self, place: int) -> None:
        """Open a field over a name; Enter keeps it, Escape leaves it."""
        lane = self.table.lanes[place]
        self._name = field = QLineEdit(lane.name, self.viewport())
        field.setAccessibleName(f"Name of the {lane.kind.part}")
        field.setGeometry(self.name_rect(place).toRect())
        field.selectAll()

        def end() -> None:
            name = field.text().strip()
            if self._name is field:
                self._name = None
                field.deleteLater()
                if name and name != lane.name:
                    self.session.do(lane.edit(lane.kind.rename, name=name))

        field.editingFinished.connect(end)
        field.show()
        field.setFocus()
