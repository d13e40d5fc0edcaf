"""MuscleLanes: a lane for each muscle that is listed: its activation over time with its keys, a bar that sets it, its
length and its force at the playhead.

A view of time (`app/timeline/view.py`), painted as a whole: only the lanes on the screen cost anything, however many
there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.lanes.places import LanePlaces
from app.timeline.axis import TimeAxis
from app.timeline.view import ZOOM
from app.timeline.view_drag import BoxDrag, take_hold
from engine.document import Key
from engine.document.extent import play_extent
from engine.edits import edit, joined
from engine.muscles.parts import ACTIVATION

if TYPE_CHECKING:
    from app.features.muscles.lanes.keys import MuscleLane
    from app.session import Session
    from app.timeline.keys import Picked

AROUND = 0.04  # of what is framed, shown before and after it


class MuscleLanes(LanePlaces):
    """Lanes of activations."""

    key_commands: ClassVar[Mapping[str, str]] = {
        "edit.delete": "remove", "select.all": "choose_all", "select.none": "choose_none", "pose.key": "key_here",
        "view.frame_all": "show_all",
    }  # fmt: skip
    menu_wanted = Signal(QPoint)  # where on the screen; the lane there is chosen

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self._expected: Picked | None = None
        self._seen = ""  # the muscle that was scrolled to last
        self.setAccessibleName("Activations of muscles")
        self.verticalScrollBar().valueChanged.connect(self.redraw)
        self.current.told_changed.connect(self.redraw)

    def follow(self) -> None:
        """Show the muscles as they are on screen; chosen keys that are still there stay chosen."""
        from app.features.muscles.lanes.keys import MuscleLanesTable  # brings numpy

        if self.drag is not None and not self.drag.ended:
            self.redraw()
            return  # it shows what the hand has
        owner = self.current.owner
        actor = "" if owner is None else owner.id
        self.keys = MuscleLanesTable.of(actor, self.current.listed, self.current.activations, self.keys)
        self._flags = None
        self._settle(committed=True)
        self.measure()
        expected, self._expected = self._expected, None
        self.choose(self.keys.picked(self.keys.flags(self.picked if expected is None else expected)))
        self._scroll_to_chosen()

    # What a person does

    def obey(self, command: str) -> None:
        getattr(self, command)()

    def remove(self) -> None:
        """Take the chosen keys away."""
        edits = [
            edit("remove_muscle_keys", actor=each.actor, muscle=each.layer, times=tuple(sorted(times)))
            for each, times in sorted(self.picked.items())
            if times
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
        """Set a key of the chosen muscle at the playhead, at what its activation is there."""
        muscle = self.current.muscle
        if muscle is not None:
            self.set_key(muscle.id, self.session.playhead, self.current.value_at_playhead(muscle.id))

    def set_key(self, muscle: str, time: int, value: float) -> None:
        """Set a key, which is chosen then where its lane is listed."""
        from app.timeline.keys import Channel  # brings numpy

        owner = self.current.owner
        if owner is not None:
            self._expected = {Channel(owner.id, muscle, ACTIVATION): frozenset((time,))}
            self.current.do("set_muscle_keys", muscle=muscle, keys=(Key(time, value),))

    def show_all(self) -> None:
        """Show all that is played."""
        start, end = play_extent(self.session.document)
        self.show_times(start, end, AROUND * (end - start))

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        from app.features.muscles.lanes.drags import MuscleBarDrag, MuscleKeysDrag

        place = self.lane_at(at.y())
        if place is None:
            self.drag = BoxDrag(self, at, modifiers) if at.x() >= self.left else None
            return
        key = self.key_at(at)
        self.current.choose(self.table.lanes[place].muscle.id)
        if at.x() < self.left:
            if self.bar_rect(place).contains(at) and self.current.may_change:
                self.drag = MuscleBarDrag(self, at, modifiers, place=place)
        elif key is None:
            self.drag = BoxDrag(self, at, modifiers)
        else:
            clicked = take_hold(self, self.table.one(key), modifiers)
            self.drag = MuscleKeysDrag(self, at, modifiers, key=key, clicked=clicked)

    def hover(self, at: QPointF) -> None:
        place, shape = self.lane_at(at.y()), Qt.CursorShape.ArrowCursor
        if self.key_at(at) is not None:
            shape = Qt.CursorShape.SizeAllCursor
        elif place is not None and self.bar_rect(place).contains(at):
            shape = Qt.CursorShape.SizeHorCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def pan(self, way: QPointF) -> None:
        super().pan(way)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() - round(way.y()))

    def measure(self) -> None:
        """Set the scroll range."""
        count, bar = 0 if self.keys is None else len(self.keys.lanes), self.verticalScrollBar()
        bar.setRange(0, max(count * self.lane_height - self.viewport().height(), 0))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self.lane_height)

    def paint(self, painter: QPainter) -> None:
        from app.features.muscles.lanes.painter import paint_lanes

        paint_lanes(painter, self)

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(560, 180)

    def minimumSizeHint(self) -> QSize:
        """Return the size of what stands beside a lane, so that the dock takes no more room than others."""
        return QSize(self.left + 40, self.lane_height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint names, bars and numbers anew each time: they are of the playhead."""
        super().paintEvent(event)
        if self.is_filled:
            from app.features.muscles.lanes.painter import paint_beside

            paint_beside(self)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Set a key where there is none."""
        at, place = event.position(), self.lane_at(event.position().y())
        left = event.button() == Qt.MouseButton.LeftButton
        if place is not None and left and at.x() >= self.left and self.key_at(at) is None and self.current.may_change:
            lane = self.table.lanes[place]
            self.current.choose(lane.muscle.id)
            self.set_key(lane.muscle.id, self.axis.snapped(self.time_at(at.x())), self.value_at(place, at.y()))
        else:
            self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of a lane, which is chosen first, and of the key there."""
        at = QPointF(event.pos())
        place = None if self.keys is None or self.drag is not None else self.lane_at(at.y())
        if place is not None:
            self.current.choose(self.table.lanes[place].muscle.id)
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
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    # How it is done

    def _command(self, event: QKeyEvent) -> str:
        """Return the command of a key; K sets a key as it does in other programs, and stops nothing here."""
        if event.key() == Qt.Key.Key_K and not event.modifiers():
            return "key_here"
        return super()._command(event)

    def _scroll_to_chosen(self) -> None:
        """Bring the lane of a muscle that was chosen elsewhere into view."""
        muscle = self.current.muscle
        id = "" if muscle is None else muscle.id
        if id == self._seen:
            return
        self._seen = id
        place = next((at for at, each in enumerate(self.table.lanes) if each.muscle.id == id), None)
        if place is not None:
            bar, top = self.verticalScrollBar(), place * self.lane_height
            bar.setValue(max(min(bar.value(), top), top + self.lane_height - self.viewport().height()))

    def _tip(self, at: QPointF) -> str:
        place = self.lane_at(at.y())
        if place is None:
            return ""
        lane, key, rate = self.table.lanes[place], self.key_at(at), self.session.document.rate
        if key is not None:
            when = self.session.clock.name(int(self.table.time[key]), rate)
            return f"{lane.muscle.name}, {when}: activation {self.table.value[key]:.2f}"
        if self.bar_rect(place).contains(at):
            how = "a key at the playhead" if lane.keys else "the activation at all times"
            return f"Drag to set {how}, with Ctrl finer."
        if at.x() < self.left:
            return about_muscle(self.current, lane)
        return f"{lane.muscle.name}\nDouble-click to set a key here"


def about_muscle(current: CurrentMuscles, lane: MuscleLane) -> str:
    """Describe a muscle, and what it does at the playhead."""
    muscle, told = lane.muscle, current.told
    parts = f"fibres of {100.0 * muscle.fibre:.1f} cm, tendon of {100.0 * muscle.tendon:.1f} cm"
    lines = [muscle.name, f"At most {muscle.force:.0f} N; {parts}"]
    place = None if told is None else told.numbers.get(muscle.id)
    if told is not None and place is not None:
        lines += [
            f"Length {100 * told.lengths[place]:.2f} cm, changing by {100 * told.rates[place]:+.1f} cm/s",
            f"Fibres {told.fibres[place]:.2f} of their best length; force {round(told.forces[place])} N",
        ]
    return "\n".join(lines)
