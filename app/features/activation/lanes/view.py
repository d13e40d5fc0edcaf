"""ActivationLanes: a lane for each spline: its alpha over time with its keys, under the mouse and the keyboard.

A view of time (`app/timeline/view.py`) with names, eyes and sliders beside the curves, painted as a whole. During a
drag the lane shows what the hand has, without waiting for the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QToolTip, QWidget

from app.features.activation.alpha_hand import AlphaHand, key_here
from app.features.activation.current_splines import CurrentSplines
from app.style.fonts import scaled
from app.timeline.axis import TimeAxis
from app.timeline.sheet import NAMES
from app.timeline.view import ZOOM, TimeView
from app.timeline.view_drag import BoxDrag, take_hold
from engine.document.extent import play_extent
from engine.edits import edit, joined
from engine.soft.parts import LEAST_ALPHA, MOST_ALPHA

if TYPE_CHECKING:
    from app.features.activation.lanes.keys import Lane, LaneKeys
    from app.session import Session
    from app.timeline.keys import Flags, Picked
    from engine.maths.arrays import Array

HEIGHT = 54  # [logical px] of a lane
INSET = 5.0  # [px] above and below a curve
AROUND = 0.04  # of what is framed, shown before and after it
NEAR = 7.0  # [px] from a key


class ActivationLanes(TimeView):
    """Lanes of alphas."""

    key_commands: ClassVar[Mapping[str, str]] = {
        "edit.delete": "remove", "select.all": "choose_all", "select.none": "choose_none", "pose.key": "key_here",
        "view.frame_selected": "frame", "view.frame_all": "show_all",
    }  # fmt: skip
    drawing_changed = Signal()
    menu_wanted = Signal(QPoint)  # where on the screen; the lane there is chosen

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self.current, self.hand = session.of(CurrentSplines), session.of(AlphaHand)
        self.keys: LaneKeys | None = None
        self.measured: Mapping[str, Array] = {}  # by spline, ticks and contraction
        self.draws = False  # a drag over a lane draws its curve
        self._expected: Picked | None = None
        self._name: QLineEdit | None = None
        self._seen = ""  # the spline that was scrolled to last
        self.setAccessibleName("Activations")
        self.verticalScrollBar().valueChanged.connect(self.redraw)
        self.current.changed.connect(self.redraw)

    def follow(self) -> None:
        """Show the splines as they are on screen; chosen keys that are still there stay chosen."""
        from app.features.activation.lanes.drags import SliderDrag
        from app.features.activation.lanes.keys import LaneKeys  # brings numpy

        if self.drag is not None and not self.drag.ended and not isinstance(self.drag, SliderDrag):
            return  # it shows what the hand has
        self.keys, self._flags = LaneKeys.of(self.current.bodies, self.keys), None
        self._settle(committed=True)
        self.measure()
        expected, self._expected = self._expected, None
        self.choose(self.keys.picked(self.keys.flags(self.picked if expected is None else expected)))
        self._scroll_to_chosen()

    def show_measured(self, measured: Mapping[str, Array]) -> None:
        """Show how far splines really are contracted, by their ids."""
        self.measured = measured
        self.redraw()

    def set_drawing(self, draws: bool) -> None:
        """Let a drag over a lane draw its curve, or choose and move keys."""
        if draws != self.draws:
            self.draws = draws
            shape = Qt.CursorShape.CrossCursor if draws else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)
            self.drawing_changed.emit()

    # Where things are

    @property
    def is_filled(self) -> bool:
        return self.keys is not None

    @property
    def table(self) -> LaneKeys:
        assert self.keys is not None, "asked for once there are some"
        return self.keys

    @property
    def left(self) -> int:
        return scaled(NAMES)

    @property
    def lane_height(self) -> int:
        """Height of a lane [px]."""
        return scaled(HEIGHT)

    def top_of(self, place: int) -> int:
        """Return the upper edge of a lane."""
        return place * self.lane_height - self.verticalScrollBar().value()

    def lane_at(self, y: float) -> int | None:
        """Return the number of the lane at a height."""
        place = int((y + self.verticalScrollBar().value()) // self.lane_height)
        return place if 0 <= place < (0 if self.keys is None else len(self.keys.lanes)) else None

    def seen_lanes(self) -> Iterator[tuple[int, Lane]]:
        """Yield each lane on the screen, as the drag has it, with its number."""
        lanes = () if self.keys is None else self.keys.lanes
        first = max(self.verticalScrollBar().value() // self.lane_height, 0)
        last = (self.verticalScrollBar().value() + self.viewport().height()) // self.lane_height + 1
        for place in range(first, min(last, len(lanes))):
            yield place, self.shown_lane(lanes[place])

    def shown_lane(self, lane: Lane) -> Lane:
        """Return a lane as the drag has it."""
        from app.features.activation.lanes.drags import AlphaKeysDrag

        return self.drag.shown(lane) if isinstance(self.drag, AlphaKeysDrag) else lane

    def y_of(self, place: int, lane: Lane, alpha: float) -> float:
        """Return the y of an alpha in a lane [px]."""
        low, high = lane.span
        return self.top_of(place) + INSET + (high - alpha) / (high - low) * (self.lane_height - 2.0 * INSET)

    def alpha_at(self, place: int, lane: Lane, y: float) -> float:
        """Return the alpha at a height in a lane, within what it may be."""
        low, high = lane.span
        alpha = high - (y - self.top_of(place) - INSET) / (self.lane_height - 2.0 * INSET) * (high - low)
        return min(max(alpha, LEAST_ALPHA), MOST_ALPHA)

    def eye_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's eye."""
        side = float(scaled(22))
        return QRectF(scaled(4), self.top_of(place) + scaled(3), side, side)

    def name_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's name."""
        left = float(scaled(28))
        return QRectF(left, self.top_of(place) + scaled(3), self.left - left - scaled(6), scaled(22))

    def slider_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's slider."""
        left = float(scaled(28))
        return QRectF(left, self.top_of(place) + scaled(27), self.left - left - scaled(8), scaled(17))

    def keys_in(self, box: QRectF) -> Flags:
        import numpy as np

        table = self.table
        places = np.array([self.y_of(int(lane), table.lanes[lane], value) for lane, value in self._pairs()])
        x = self.left + (table.time - self.axis.start) / self.axis.ticks_per_pixel
        inside = (x >= box.left()) & (x <= box.right())
        found: Flags = inside & (places >= box.top()) & (places <= box.bottom()) if len(places) else inside
        return found

    def key_at(self, at: QPointF) -> int | None:
        """Return the number of the key under a place, the nearest where there are several."""
        place = self.lane_at(at.y())
        if place is None or at.x() < self.left:
            return None
        table, best, found = self.table, NEAR, None
        lane = table.lanes[place]
        for number in range(int(table.first[place]), int(table.first[place + 1])):
            x, y = self.x_of(int(table.time[number])), self.y_of(place, lane, float(table.value[number]))
            away = max(abs(x - at.x()), abs(y - at.y()))
            if away <= best:
                best, found = away, number
        return found

    def alpha_of(self, lane: Lane) -> float:
        """Return the alpha of a lane at the playhead, or that under the hand."""
        if self.hand.held == lane.spline.id and self.hand.value is not None:
            return self.hand.value
        return lane.alpha_at(self.session.playhead)

    def per_pixel(self, lane: Lane) -> float:
        """Return how much alpha a pixel spans."""
        return (lane.span[1] - lane.span[0]) / (self.lane_height - 2.0 * INSET)

    def choose_lane(self, place: int) -> None:
        """Choose the spline of a lane."""
        lane = self.table.lanes[place]
        self.current.choose(lane.actor, lane.spline.id)

    # What a person does

    def obey(self, command: str) -> None:
        getattr(self, command)()

    def remove(self) -> None:
        """Take the chosen keys away."""
        edits = [
            edit("remove_activation_keys", actor=each.actor, spline=each.layer, times=tuple(sorted(times)))
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
        """Set a key of the chosen spline at the playhead, at what its alpha is there."""
        spline = self.current.spline
        if spline is None or self.keys is None:
            return
        lane = next((each for each in self.keys.lanes if each.spline.id == spline.id), None)
        if lane is not None:
            self.set_key(lane, self.session.playhead, self.alpha_of(lane))

    def set_key(self, lane: Lane, time: int, alpha: float) -> None:
        """Set a key, which is chosen then."""
        key, picked = key_here(lane.spline, time, alpha), {lane.channel: frozenset((time,))}
        if key in lane.keys and lane.is_keyed:
            self.choose(picked)
            return
        self._expected = picked
        self.session.do(edit("set_activation_keys", actor=lane.actor, spline=lane.spline.id, keys=(key,)))

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
        from app.features.activation.lanes.drags import AlphaKeysDrag, FreehandDrag, SliderDrag

        place = self.lane_at(at.y())
        if place is None:
            self.drag = BoxDrag(self, at, modifiers) if at.x() >= self.left else None
            return
        if at.x() < self.left:
            if self.eye_rect(place).contains(at):
                self._toggle_mute(place)
                return
            self.choose_lane(place)
            if self.slider_rect(place).contains(at):
                self.drag = SliderDrag(self, at, modifiers, place=place)
            return
        key = None if self.draws else self.key_at(at)
        self.choose_lane(place)
        if self.draws:
            self.drag = FreehandDrag(self, at, modifiers, place=place)
        elif key is None:
            self.drag = BoxDrag(self, at, modifiers)
        else:
            clicked = take_hold(self, self.table.one(key), modifiers)
            self.drag = AlphaKeysDrag(self, at, modifiers, key=key, clicked=clicked)

    def hover(self, at: QPointF) -> None:
        over = not self.draws and self.key_at(at) is not None
        place = self.lane_at(at.y())
        slides = place is not None and self.slider_rect(place).contains(at)
        shape = Qt.CursorShape.ArrowCursor
        if self.draws and at.x() >= self.left:
            shape = Qt.CursorShape.CrossCursor
        elif over:
            shape = Qt.CursorShape.SizeAllCursor
        elif slides:
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
        bar.setSingleStep(self.lane_height // 2)

    def paint(self, painter: QPainter) -> None:
        from app.features.activation.lanes.painter import paint_lanes

        paint_lanes(painter, self)

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(500, 180)

    def minimumSizeHint(self) -> QSize:
        """Return the size of a name and half a lane, so that the dock takes no more room than others."""
        return QSize(self.left + 80, self.lane_height // 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint names and sliders anew each time: these show alpha at the playhead."""
        super().paintEvent(event)
        if self.is_filled:
            from app.features.activation.lanes.painter import paint_beside

            paint_beside(self)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Set a key where there is none; on a name, name the spline."""
        at, place = event.position(), self.lane_at(event.position().y())
        if place is None or event.button() != Qt.MouseButton.LeftButton or self.draws or self.keys is None:
            self.mousePressEvent(event)
        elif self.name_rect(place).contains(at):
            self._rename(place)
        elif at.x() >= self.left and self.key_at(at) is None:
            lane = self.table.lanes[place]
            self.choose_lane(place)
            self.set_key(lane, self.axis.snapped(self.time_at(at.x())), self.alpha_at(place, lane, at.y()))
        else:
            self.mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of a lane, which is chosen first, and of the key there."""
        at = QPointF(event.pos())
        place = None if self.keys is None or self.drag is not None else self.lane_at(at.y())
        if place is not None:
            self.choose_lane(place)
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
        """Bring the lane of a spline that was chosen elsewhere into view."""
        spline = self.current.spline
        id = "" if spline is None else spline.id
        if id == self._seen:
            return
        self._seen = id
        place = next((at for at, each in enumerate(self.table.lanes) if each.spline.id == id), None)
        if place is not None:
            bar, top = self.verticalScrollBar(), place * self.lane_height
            bar.setValue(max(min(bar.value(), top), top + self.lane_height - self.viewport().height()))

    def _pairs(self) -> Iterator[tuple[int, float]]:
        return zip(self.table.lane.tolist(), self.table.value.tolist(), strict=True)

    def _toggle_mute(self, place: int) -> None:
        lane = self.table.lanes[place]
        self.session.do(
            edit("set_activation_spline", actor=lane.actor, spline=lane.spline.id, mute=not lane.spline.mute)
        )

    def _rename(self, place: int) -> None:
        """Open a field over a name; Enter keeps it, Escape leaves it."""
        lane, field = self.table.lanes[place], QLineEdit(self.table.lanes[place].spline.name, self.viewport())
        self._name = field
        field.setAccessibleName("Name of the spline")
        field.setGeometry(self.name_rect(place).toRect())
        field.selectAll()

        def end() -> None:
            name = field.text().strip()
            if self._name is field:
                self._name = None
                field.deleteLater()
                if name and name != lane.spline.name:
                    change = edit("rename_activation_spline", actor=lane.actor, spline=lane.spline.id, name=name)
                    self.session.do(change)

        field.editingFinished.connect(end)
        field.show()
        field.setFocus()

    def _tip(self, at: QPointF) -> str:
        from app.features.activation.lanes.tips import tip_at

        return tip_at(self, at)
