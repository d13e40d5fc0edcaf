"""DopeSheet: the keys of all actors in rows over time, and the bars and marks that row sources give them.

A view of time (`view.py`) in rows, with names beside them. It takes its keys with the first picture of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.session import Session
from app.style.fonts import scaled
from app.timeline.axis import TimeAxis
from app.timeline.changes import KeyChange
from app.timeline.rows import Path, Row, RowSource, TimeBlock, item_of, lines
from app.timeline.sheet_commands import SheetCommands
from app.timeline.sheet_drags import BlockDrag, KeysDrag, SheetGrip, TimeDrag, drag_for, grip_at
from app.timeline.view import ZOOM, TimeView
from app.timeline.view_drag import take_hold
from engine.document import Document, Span

if TYPE_CHECKING:
    from app.timeline.keys import Flags, SheetKeys

NAMES, ROW, STEP = 190, 20, 14  # [logical px] width of names, height of a row, indent of a level
EDGE = 9.0  # [px] from the outermost chosen marks to the edges by which they are scaled


class DopeSheet(TimeView):
    """Rows of keys."""

    menu_asked = Signal(QPoint, object)  # where on the screen, and all that it is about
    key_commands: ClassVar[Mapping[str, str]] = {
        "pose.copy": "copy", "pose.paste": "paste", "edit.delete": "remove", "select.all": "choose_all",
        "select.none": "choose_none", "view.frame_selected": "frame", "view.frame_all": "show_all",
    }  # fmt: skip

    def __init__(
        self, session: Session, axis: TimeAxis, sources: Sequence[RowSource], parent: QWidget | None = None
    ) -> None:
        super().__init__(session, axis, parent)
        self.sources = sources
        self.keys: SheetKeys | None = None
        self.lines: list[int] = []  # numbers of the rows that are not folded away
        self.folded: set[Path] = set()
        self.commands = SheetCommands(self)
        self._block: Path | None = None  # the row of the chosen bar or marks
        self._followed: dict[RowSource, str | None] = {}  # what was chosen last of each, here or elsewhere
        self.setAccessibleName("Keys")
        self.verticalScrollBar().valueChanged.connect(self.redraw)
        session.selection_changed.connect(self.redraw)
        for source in sources:
            if source.changed is not None:
                source.changed.connect(partial(self._follow, source))

    def show_document(self, document: Document) -> None:
        """Show a document's keys; chosen ones that are still there stay chosen."""
        from app.timeline.keys import SheetKeys  # brings numpy

        self.keys, self._flags = SheetKeys.of(document, self.keys, sources=self.sources), None
        self._settle(committed=True)
        self.measure()
        self.choose(self.keys.picked(self.keys.flags(self.picked)))
        for source in self.sources:
            self._follow(source)

    @property
    def block(self) -> TimeBlock | None:
        """The chosen block, as it is now."""
        return None if self.chosen_row is None else self.chosen_row.block

    @property
    def chosen_row(self) -> Row | None:
        """The row of the chosen bar or marks, as it is now."""
        return next((row for row in self.rows if row.path == self._block), None)

    def choose_block(self, path: Path | None) -> None:
        """Choose the bar or the marks of a row, or none."""
        for source in self.sources:
            if path is not None and source.owns(path):
                source.choose(path[-1])
        if path != self._block:
            self._block = path
            self.redraw()
            self.chosen_changed.emit()

    # Where things are

    @property
    def is_filled(self) -> bool:
        return self.keys is not None

    @property
    def table(self) -> SheetKeys:
        assert self.keys is not None, "asked for once there are some"
        return self.keys

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, the folded ones too."""
        return () if self.keys is None else self.keys.rows

    @property
    def names_width(self) -> int:
        """Width of the column of names [px]."""
        return scaled(NAMES)

    @property
    def left(self) -> int:
        return self.names_width

    @property
    def row_height(self) -> int:
        """Height of a row [px]."""
        return scaled(ROW)

    @property
    def change(self) -> KeyChange | None:
        """The change that a drag makes to the chosen keys now."""
        return self.drag.change if isinstance(self.drag, KeysDrag) else None

    def y_of(self, line: int) -> int:
        """Return the upper edge of a line."""
        return line * self.row_height - self.verticalScrollBar().value()

    def line_at(self, y: float) -> int:
        """Return the line at a height, which may be beyond the last."""
        return int((y + self.verticalScrollBar().value()) // self.row_height)

    def row_at(self, y: float) -> int | None:
        """Return the number of the row at a height."""
        line = self.line_at(y)
        return self.lines[line] if 0 <= line < len(self.lines) else None

    def keys_in(self, box: QRectF) -> Flags:
        top, bottom = max(self.line_at(box.top()), 0), self.line_at(box.bottom())
        rows = self.lines[top : max(bottom + 1, 0)]
        return self.table.in_box(rows, self.time_at(box.left()), self.time_at(box.right()))

    def span_of(self, block: TimeBlock) -> Span | None:
        """Return the span with which a block is shown, as the drag has it; None: always."""
        return self.drag.span_of(block) if isinstance(self.drag, BlockDrag | TimeDrag) else block.span

    def seen_lines(self) -> Iterator[tuple[int, int]]:
        """Yield each line on the screen, and the number of its row."""
        for line in range(max(self.line_at(0), 0), min(self.line_at(self.viewport().height()) + 1, len(self.lines))):
            yield line, self.lines[line]

    def indent(self, row: Row) -> int:
        """Return the x of a row's name."""
        return scaled(18) + row.depth * scaled(STEP)

    def fold_place(self, line: int, row: Row) -> QRectF:
        """Return the rectangle of a row's fold arrow."""
        return QRectF(self.indent(row) - scaled(16), self.y_of(line), scaled(16), self.row_height)

    def is_selected(self, row: Row) -> bool:
        """Return True if the row's joint, holder or actor is selected."""
        item = item_of(row)
        return row.kind != "channel" and item is not None and item in self.session.selection

    def chosen_box(self) -> QRectF | None:
        """Return the box around the chosen keys, where they last longer than a moment: its left and right edge scale
        them."""
        extent = None if self.keys is None else self.keys.extent(self.flags)
        if extent is None or extent[0] == extent[1] or self.keys is None:
            return None
        change = self.change or KeyChange()
        left, right = sorted(self.x_of(change.new_time(time)) for time in extent)
        rows = set(self.keys.mark_row[self.keys.marked(self.flags)].tolist())
        found = [line for line, number in enumerate(self.lines) if number in rows]
        top, bottom = self.y_of(found[0]), self.y_of(found[-1] + 1)
        return QRectF(QPointF(left - EDGE, top + 1.0), QPointF(right + EDGE, bottom - 2.0))

    # What a person does

    def fold(self, path: Path, *, folded: bool) -> None:
        """Hide or show the rows below a row."""
        (self.folded.add if folded else self.folded.discard)(path)
        self.measure()
        self.redraw()

    def obey(self, command: str) -> None:
        getattr(self.commands, command)()

    def press(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if at.x() < self.names_width:
            self._press_name(at, modifiers)
        else:
            self.drag = drag_for(self, at, modifiers)

    def hover(self, at: QPointF) -> None:
        grip = grip_at(self, at) if at.x() >= self.names_width else SheetGrip()
        ends = grip.edge is not None or grip.end not in (None, "whole")
        shape = Qt.CursorShape.SizeHorCursor if ends else Qt.CursorShape.ArrowCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def measure(self) -> None:
        """List the visible lines, and set the scroll range."""
        self.lines = lines(self.rows, self.folded)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(len(self.lines) * self.row_height - self.viewport().height(), 0))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self.row_height)

    def paint(self, painter: QPainter) -> None:
        from app.timeline.sheet_painter import paint_sheet

        paint_sheet(painter, self)

    # Qt's events

    def minimumSizeHint(self) -> QSize:
        """Return the size of a name and two rows: a low dock may hold it."""
        return QSize(self.names_width + 80, 2 * self.row_height)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a tooltip of what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            from app.timeline.tips import tip_at

            QToolTip.showText(event.globalPos(), tip_at(self, QPointF(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the context menu of what is under the pointer, which is chosen first."""
        if self.keys is None or self.drag is not None:
            return
        at, about = QPointF(event.pos()), []
        grip = grip_at(self, at)
        number = self.row_at(at.y())
        block = self.rows[number].block if number is not None and at.x() < self.names_width else grip.block
        if block is not None:
            self.choose_block(block.path)
            about.append("block")
        elif grip.mark is not None and at.x() >= self.names_width:
            take_hold(self, self.keys.of_mark(grip.mark), Qt.KeyboardModifier.NoModifier)
        if self.commands.has_chosen:
            about.append("key")
        self.menu_asked.emit(event.globalPos(), (*about, "sheet"))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Choose all keys of a row by a double click on its name."""
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

    # How it is done

    def _follow(self, source: RowSource) -> None:
        """Choose what is chosen of a source in a view or in a dock; something new as soon as it has a row."""
        chosen, before = source.chosen, self._followed.get(source)
        paths = (each.path for each in self.rows if source.owns(each.path) and each.path[-1] == chosen)
        row = next(paths, None) if chosen != before else None
        if chosen != before and (row is not None or source.owns(self._block)):
            self._block = row
            self.chosen_changed.emit()
        self._followed[source] = chosen if row is not None or chosen is None else before
        self.redraw()

    def _press_name(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        number = self.row_at(at.y())
        if number is None:
            return
        row = self.rows[number]
        if self._is_arrow(number, at):
            self.fold(row.path, folded=row.path not in self.folded)
            return
        self.choose_block(row.path if row.kind in ("block", "marks") else None)
        item = item_of(row)
        if item is not None:
            adds = modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
            self.session.select(self.session.selection.toggled(item).items if adds else (item,))

    def _is_arrow(self, number: int, at: QPointF) -> bool:
        row = self.rows[number]
        return row.end > number + 1 and self.fold_place(self.line_at(at.y()), row).contains(at)
