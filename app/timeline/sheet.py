"""DopeSheet: the keys of all actors in rows over time, and the blocks of layers, locks and attachments.

Painted as a whole, with no widget or item for a key. What it shows is kept as one picture, over which the playhead
moves. It takes its keys with the first picture of the engine, since their arrays bring numpy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.session import Session
from app.session.selection import Item
from app.style.fonts import scaled
from app.style.shown_keys import has_key
from app.timeline.axis import TimeAxis
from app.timeline.changes import Change
from app.timeline.deeds import SheetDeeds
from app.timeline.hands import BoxHand, Grip, Hand, KeysHand, grip_at, hand_for
from app.timeline.rows import Block, Path, Row, lines
from engine.document import Document

if TYPE_CHECKING:
    from app.timeline.keys import Flags, Picked, SheetKeys

NAMES, ROW, STEP = 190, 20, 14  # [logical px] width of names, height of a row, indent of a level
EDGE = 9.0  # [px] from the outermost chosen marks to the edges by which they are scaled
ZOOM = 1.2  # for one notch of the wheel
COMMANDS = {
    "pose.copy": "copy", "pose.paste": "paste", "edit.delete": "remove", "select.all": "choose_all",
    "select.none": "choose_none", "view.frame_selected": "frame", "view.frame_all": "show_all",
}  # fmt: skip
"""What the keys of an action do while the sheet has the keyboard."""


class DopeSheet(QAbstractScrollArea):
    """Rows of keys."""

    chosen_changed = Signal()
    told = Signal(str)  # a word about what was done, for the status line
    menu_asked = Signal(QPoint, object)  # where on the screen, and all that it is about

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.axis = session, axis
        self.keys: SheetKeys | None = None
        self.lines: list[int] = []  # numbers of the rows that are not folded away
        self.folded: set[Path] = set()
        self.picked: Picked = {}
        self.flags: Flags | None = None  # which keys are picked
        self.hand: Hand | None = None
        self.deeds = SheetDeeds(self)
        self._block: Path | None = None  # the row of the chosen block
        self._picture: QPixmap | None = None
        self._panned: QPointF | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Keys")
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self.redraw)
        axis.changed.connect(self.redraw)
        session.playhead_moved.connect(lambda time: self.viewport().update())
        session.selection_changed.connect(self.redraw)
        session.logged.connect(lambda entry: self._settle())
        session.preview_changed.connect(lambda document: self._settle())

    def show_document(self, document: Document) -> None:
        """Show a document's keys; those that were chosen stay so where they are still there."""
        from app.timeline.keys import SheetKeys  # brings numpy

        self.keys = SheetKeys.of(document, self.keys)
        self._settle(committed=True)
        self._find_lines()
        self.choose(self.keys.picked(self.keys.flags(self.picked)))

    def choose(self, picked: Picked) -> None:
        """Choose these keys and no others."""
        told = dict(picked) != dict(self.picked)
        self.picked = dict(picked)
        self.flags = None if self.keys is None else self.keys.flags(self.picked)
        self.redraw()
        if told:
            self.chosen_changed.emit()

    @property
    def block(self) -> Block | None:
        """The block that is chosen, as it is now."""
        return next((row.block for row in self.rows if row.path == self._block), None)

    def choose_block(self, path: Path | None) -> None:
        """Choose the block of a row, or none."""
        if path != self._block:
            self._block = path
            self.redraw()
            self.chosen_changed.emit()

    def say(self, text: str) -> None:
        """Tell a person something, in the log and the status line."""
        self.session.note("note", text)
        self.told.emit(text)

    def redraw(self) -> None:
        """Paint all anew."""
        self._picture = None
        self.viewport().update()

    # Where things are

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, the folded ones too."""
        return () if self.keys is None else self.keys.rows

    @property
    def names_width(self) -> int:
        """Width of the column of names [px]."""
        return scaled(NAMES)

    @property
    def row_height(self) -> int:
        """Height of a row [px]."""
        return scaled(ROW)

    @property
    def change(self) -> Change | None:
        """What a hand does to the chosen keys now."""
        return self.hand.change if isinstance(self.hand, KeysHand) else None

    def x_of(self, time: float) -> float:
        """Where a tick stands in the widget."""
        return self.names_width + self.axis.x_of(time)

    def time_at(self, x: float) -> float:
        """The tick at a place of the widget."""
        return self.axis.time_at(x - self.names_width)

    def y_of(self, line: int) -> int:
        """The upper edge of a line."""
        return line * self.row_height - self.verticalScrollBar().value()

    def line_at(self, y: float) -> int:
        """The line at a height, which may be none that there is."""
        return int((y + self.verticalScrollBar().value()) // self.row_height)

    def row_at(self, y: float) -> int | None:
        """The number of the row at a height."""
        line = self.line_at(y)
        return self.lines[line] if 0 <= line < len(self.lines) else None

    def seen_lines(self) -> Iterator[tuple[int, int]]:
        """Each line on the screen, and the number of its row."""
        for line in range(max(self.line_at(0), 0), min(self.line_at(self.viewport().height()) + 1, len(self.lines))):
            yield line, self.lines[line]

    def indent(self, row: Row) -> int:
        """Where a row's name begins."""
        return scaled(18) + row.depth * scaled(STEP)

    def fold_place(self, line: int, row: Row) -> QRectF:
        """Where the arrow of a row is hit."""
        return QRectF(self.indent(row) - scaled(16), self.y_of(line), scaled(16), self.row_height)

    def is_selected(self, row: Row) -> bool:
        """Whether the row's joint, lock or actor is selected."""
        item = _item(row)
        return row.kind != "channel" and item is not None and item in self.session.selection

    def chosen_box(self) -> QRectF | None:
        """Around the chosen keys, where they last longer than a moment: its left and right edge scale them."""
        extent = None if self.keys is None or self.flags is None else self.keys.extent(self.flags)
        if extent is None or extent[0] == extent[1] or self.keys is None or self.flags is None:
            return None
        change = self.change or Change()
        left, right = sorted(self.x_of(change.new_time(time)) for time in extent)
        rows = set(self.keys.mark_row[self.keys.marked(self.flags)].tolist())
        found = [line for line, number in enumerate(self.lines) if number in rows]
        top, bottom = self.y_of(found[0]), self.y_of(found[-1] + 1)
        return QRectF(QPointF(left - EDGE, top + 1.0), QPointF(right + EDGE, bottom - 2.0))

    # What a person does

    def fold(self, path: Path, *, folded: bool) -> None:
        """Hide or show what stands below a row."""
        (self.folded.add if folded else self.folded.discard)(path)
        self._find_lines()
        self.redraw()

    def fit_axis(self) -> None:
        """Measure the axis by this view."""
        self.axis.set_width(max(self.viewport().width() - self.names_width, 1))

    # Qt's events

    def minimumSizeHint(self) -> QSize:
        """A name and two rows: a low dock may hold it."""
        return QSize(self.names_width + 80, 2 * self.row_height)

    def event(self, event: QEvent) -> bool:
        """Keep from the window's shortcuts the keys that are the sheet's while it has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._command(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = self._command(event)
        if command == "cancel" and self.hand is not None:
            self.hand.cancel()
            self._drop_hand()
        elif command:
            getattr(self.deeds, command)()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what the pointer rests on."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            from app.timeline.tips import tip_at

            QToolTip.showText(event.globalPos(), tip_at(self, QPointF(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with what is under the pointer, which is chosen first."""
        if self.keys is None or self.hand is not None:
            return
        at, about = QPointF(event.pos()), []
        grip = grip_at(self, at)
        number = self.row_at(at.y())
        block = self.rows[number].block if number is not None and at.x() < self.names_width else grip.block
        if block is not None:
            self.choose_block(block.path)
            about.append("block")
        elif grip.mark is not None and at.x() >= self.names_width:
            marked = self.keys.of_mark(grip.mark)
            if self.flags is not None and not self.flags[marked].all():
                self.choose(self.keys.picked(marked))
        if self.deeds.has_chosen:
            about.append("key")
        self.menu_asked.emit(event.globalPos(), (*about, "sheet"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = at
        self._settle()
        if event.button() != Qt.MouseButton.LeftButton or self.keys is None or self.hand is not None:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if at.x() < self.names_width:
            self._press_name(at, event.modifiers())
        else:
            self.hand = hand_for(self, at, event.modifiers())
            self.redraw()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._panned is not None:
            self.axis.pan(at.x() - self._panned.x())
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - round(at.y() - self._panned.y()))
            self._panned = at
        elif self.hand is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self.hand.move(at)
            if isinstance(self.hand, BoxHand):
                self.viewport().update()
            else:
                self.redraw()
        elif not event.buttons():
            self._show_cursor(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned = None
        elif event.button() == Qt.MouseButton.LeftButton and self.hand is not None:
            self.hand.release()
            self._settle()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """On a name: choose all keys of the row."""
        number = self.row_at(event.position().y())
        beside = event.position().x() >= self.names_width
        if beside or number is None or self.keys is None or self._is_arrow(number, event.position()):
            self.mousePressEvent(event)
            return
        self.choose(self.keys.picked(self.keys.in_box([number], float("-inf"), float("inf"))))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll rows; with Ctrl zoom about the pointer, with Shift or sideways move in time."""
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = turned.y() / 120.0
            self.axis.zoom(ZOOM**-notches, max(event.position().x() - self.names_width, 0.0))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or turned.x():
            self.axis.pan((turned.x() or turned.y()) / 2.0)
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_axis()
        self._find_lines()
        self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._find_lines()
            self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.keys is None:
            return
        from app.timeline.sheet_painter import paint_box, paint_playhead, paint_sheet

        if self._picture is None:
            ratio = self.devicePixelRatioF()
            self._picture = QPixmap((self.viewport().size().toSizeF() * ratio).toSize())
            self._picture.setDevicePixelRatio(ratio)
            painter = QPainter(self._picture)
            paint_sheet(painter, self)
            painter.end()
        painter = QPainter(self.viewport())
        painter.drawPixmap(0, 0, self._picture)
        paint_playhead(painter, self)
        if isinstance(self.hand, BoxHand):
            paint_box(painter, self.hand.box)
        painter.end()

    # How it is done

    def _press_name(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        number = self.row_at(at.y())
        if number is None:
            return
        row = self.rows[number]
        if self._is_arrow(number, at):
            self.fold(row.path, folded=row.path not in self.folded)
            return
        self.choose_block(row.path if row.block is not None else None)
        item = _item(row)
        if item is not None:
            adds = modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
            self.session.select(self.session.selection.toggled(item).items if adds else (item,))

    def _show_cursor(self, at: QPointF) -> None:
        grip = grip_at(self, at) if at.x() >= self.names_width else Grip()
        ends = grip.edge is not None or grip.end not in (None, "whole")
        shape = Qt.CursorShape.SizeHorCursor if ends else Qt.CursorShape.ArrowCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def _is_arrow(self, number: int, at: QPointF) -> bool:
        row = self.rows[number]
        return row.end > number + 1 and self.fold_place(self.line_at(at.y()), row).contains(at)

    def _find_lines(self) -> None:
        self.lines = lines(self.rows, self.folded)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(len(self.lines) * self.row_height - self.viewport().height(), 0))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self.row_height)

    def _settle(self, *, committed: bool = False) -> None:
        """Let go of a hand whose gesture has ended; after a commit the keys that it moved are chosen where they are."""
        if self.hand is None or not self.hand.ended:
            return
        hand, landed = self.hand, self.hand.landed if committed else None
        self._drop_hand()
        if landed is None or self.keys is None:
            return
        self.choose(landed)
        lost = hand.expected - len(self.keys.time) if isinstance(hand, KeysHand) else 0
        if lost > 0:
            self.say(f"{lost} {'key was' if lost == 1 else 'keys were'} replaced by keys put there.")

    def _drop_hand(self) -> None:
        self.hand = None
        self.redraw()

    def _command(self, event: QKeyEvent) -> str:
        """What a key means to the sheet; empty where it means nothing."""
        if event.key() == Qt.Key.Key_Escape:
            return "cancel" if self.hand is not None else ""
        if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
            return "remove"
        return next((command for action, command in COMMANDS.items() if has_key(action, event.keyCombination())), "")


def _item(row: Row) -> Item | None:
    """What a row stands for in the scene."""
    if row.kind == "actor" or row.joint is not None:
        return Item(row.actor, row.joint, row.lock)
    return None
