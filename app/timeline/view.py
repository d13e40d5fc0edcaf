"""TimeView: keys over time under the mouse and the keyboard; the base of the dope sheet and the graph.

Painted as a whole, with no item for a key, and kept as one picture, over which the playhead and a box move. A press of
the left button begins a drag, which is dropped once its gesture has ended; after a commit the keys that it moved are
chosen where they are. There are keys once there was a picture, since their arrays bring numpy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sized
from typing import TYPE_CHECKING, ClassVar, Protocol

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from app.session import Session
from app.style.apply import current_theme
from app.style.shown_keys import has_key
from app.timeline.axis import TimeAxis
from app.timeline.kept import KeptPicture
from app.timeline.view_drag import CONTROL, SHIFT, BoxDrag, ViewDrag

if TYPE_CHECKING:
    from app.timeline.keys import Channel, Flags, Picked

ZOOM = 1.2  # for one notch of the wheel
MIDDLE, LEFT = Qt.MouseButton.MiddleButton, Qt.MouseButton.LeftButton


class KeyTable(Protocol):
    """The keys of a view, as arrays."""

    @property
    def time(self) -> Sized:
        """The tick of each key."""

    def flags(self, picked: Picked) -> Flags:
        """Return flags of the chosen keys."""

    def picked(self, chosen: Flags) -> dict[Channel, frozenset[int]]:
        """Return the chosen keys by channel."""


class TimeView(QAbstractScrollArea):
    """A view on an axis of time."""

    chosen_changed = Signal()
    reported = Signal(str)  # a word about what was done, for the status line
    key_commands: ClassVar[Mapping[str, str]] = {}
    """What the keys of an action of the window do while the view has the keyboard."""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.axis = session, axis
        self.picked: Picked = {}
        self.drag: ViewDrag | None = None
        self._flags: Flags | None = None
        self._picture: QPixmap | None = None
        self.kept: dict[str, KeptPicture] = defaultdict(KeptPicture)  # parts that it is put together from
        self._panned: QPointF | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        axis.changed.connect(self.redraw)
        session.playhead_moved.connect(lambda time: self.viewport().update())
        session.logged.connect(lambda entry: self._settle())
        session.preview_changed.connect(lambda document: self._settle())

    # What each view says for itself

    @property
    def is_filled(self) -> bool:
        """True once its keys have been loaded."""
        raise NotImplementedError

    @property
    def table(self) -> KeyTable:
        """The keys of the view."""
        raise NotImplementedError

    @property
    def left(self) -> int:
        """The x at which the axis begins [px]."""
        return 0

    def keys_in(self, box: QRectF) -> Flags:
        """Return flags of the keys in a box."""
        raise NotImplementedError

    def obey(self, command: str) -> None:
        """Do a command of `key_commands`."""
        raise NotImplementedError

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Begin the drag of a press of the left button."""
        raise NotImplementedError

    def hover(self, at: QPointF) -> None:
        """Follow the pointer with no button down."""

    def pan(self, way: QPointF) -> None:
        """Scroll the view."""
        self.axis.pan(way.x())
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() - round(way.y()))

    def measure(self) -> None:
        """Adapt to another size of the view or of its fonts."""

    def paint(self, painter: QPainter) -> None:
        """Paint everything but the playhead and the box that is being drawn."""
        raise NotImplementedError

    # What they have in common

    @property
    def flags(self) -> Flags:
        """The flags of the chosen keys."""
        if self._flags is None:
            self._flags = self.table.flags(self.picked)
        return self._flags

    def choose(self, picked: Picked) -> None:
        """Choose these keys and no others."""
        changed = dict(picked) != dict(self.picked)
        self.picked, self._flags = dict(picked), None
        self.redraw()
        if changed:
            self.chosen_changed.emit()

    def choose_box(self, box: QRectF, modifiers: Qt.KeyboardModifier) -> None:
        """Choose the keys in a box, with Shift these, too, with Ctrl each toggled."""
        found = self.keys_in(box)
        if modifiers & CONTROL:
            found = self.flags ^ found
        elif modifiers & SHIFT:
            found = self.flags | found
        self.choose(self.table.picked(found))

    def say(self, text: str) -> None:
        """Report something in the log and the status line."""
        self.session.note("note", text)
        self.reported.emit(text)

    def redraw(self) -> None:
        """Paint all anew."""
        self._picture = None
        self.viewport().update()

    def x_of(self, time: float) -> float:
        """Return the x of a tick in the widget."""
        return self.left + self.axis.x_of(time)

    def time_at(self, x: float) -> float:
        """Return the tick at a place of the widget."""
        return self.axis.time_at(x - self.left)

    def fit_axis(self) -> None:
        """Fit the axis to the width of this view."""
        self.axis.set_width(max(self.viewport().width() - self.left, 1))

    def show_times(self, start: float, end: float, around: float) -> None:
        """Show the time from a tick to another, with a margin around them."""
        if self.isVisible():  # another view of the axis may be wider
            self.fit_axis()
        self.axis.show_range(start - around, end + around)

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Keep from the window's shortcuts the keys that are the view's while it has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._command(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = self._command(event)
        if command == "cancel" and self.drag is not None:
            self.drag.cancel()
            self._drop_drag()
        elif command:
            self.obey(command)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == MIDDLE:
            self._panned = event.position()
        self._settle()
        if event.button() == LEFT and self.is_filled and self.drag is None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.press(event.position(), event.modifiers())
            self.redraw()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._panned is not None:
            self.pan(at - self._panned)
            self._panned = at
        elif self.drag is not None and event.buttons() & LEFT:
            self.drag.move(at, event.modifiers())
            if isinstance(self.drag, BoxDrag):
                self.viewport().update()
            else:
                self.redraw()
        elif not event.buttons():
            self.hover(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == MIDDLE:
            self._panned = None
        elif event.button() == LEFT and self.drag is not None:
            self.drag.release()
            self._settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_axis()
        self.measure()
        self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self.measure()
            self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_filled:
            return
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap((self.viewport().size().toSizeF() * ratio).toSize())
            self._picture.setDevicePixelRatio(ratio)
            painter = QPainter(self._picture)
            self.paint(painter)
            painter.end()
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._picture)
        self._paint_playhead(painter)
        if isinstance(self.drag, BoxDrag):
            _paint_box(painter, self.drag.box)
        painter.end()

    # How it is done

    def _settle(self, *, committed: bool = False) -> None:
        """Drop a drag whose gesture has ended; after a commit the keys that it moved are chosen where they are."""
        drag = self.drag
        if drag is None or not drag.ended:
            return
        landed = drag.landed if committed else None
        self._drop_drag()
        if landed is not None:
            self.choose(landed)
            lost = drag.expected - len(self.table.time)
            if lost > 0:
                self.say(f"{lost} {'key was' if lost == 1 else 'keys were'} replaced by keys put there.")

    def _drop_drag(self) -> None:
        self.drag = None
        self.redraw()

    def _command(self, event: QKeyEvent) -> str:
        """Return the command of a key; empty where it has none."""
        if event.key() == Qt.Key.Key_Escape:
            return "cancel" if self.drag is not None else ""
        if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
            return "remove"
        found = (command for action, command in self.key_commands.items() if has_key(action, event.keyCombination()))
        return next(found, "")

    def _paint_playhead(self, painter: QPainter) -> None:
        x = self.x_of(self.session.playhead)
        if x >= self.left:
            painter.setPen(QPen(QColor(current_theme().accent), 1.0))
            painter.drawLine(QPointF(x, 0.0), QPointF(x, self.viewport().height()))


def _paint_box(painter: QPainter, box: QRectF) -> None:
    """Paint the box that a drag draws."""
    colour = QColor(current_theme().accent)
    painter.setPen(QPen(colour, 1.0))
    colour.setAlphaF(0.14)
    painter.fillRect(box, colour)
    painter.drawRect(box)
