"""Drags of the dope sheet: moves and scales keys, drags bars, inserts and removes time, draws a box.

The sheet itself shows keys, ends and time where the drag has them, without waiting for the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, Qt

from app.session.gesture import NO_GESTURE
from app.timeline.changes import BlockEnd, KeyChange, TimeChange, dragged_span, scaled_to
from app.timeline.rows import Row, TimeBlock
from app.timeline.view_drag import CONTROL, NEAR, SHIFT, BoxDrag, ViewDrag, take_hold
from engine.document import Span
from engine.document.motion import ticks_per_frame

if TYPE_CHECKING:
    from app.timeline.keys import Picked
    from app.timeline.sheet import DopeSheet

EDGE_NEAR = 4.0  # [px] within which an edge of the chosen keys is hit
NO_LENGTH = "Keys cannot be scaled to no length at all: nothing was changed. Stop before the other edge."


class SheetGrip(NamedTuple):
    """The part at a place: an edge of the chosen keys, a part of a bar or of a row of marks, or a mark of keys; else
    nothing."""

    edge: tuple[int, int] | None = None  # the tick of the edge, and of the other
    row: Row | None = None
    end: BlockEnd | None = None  # None: the bar that has no span, which is chosen and not dragged, or a mark itself
    time: int = 0  # of the mark in a row of marks
    mark: int | None = None  # of keys

    @property
    def block(self) -> TimeBlock | None:
        """The bar."""
        return None if self.row is None else self.row.block


class KeysDrag(ViewDrag):
    """Moves the chosen keys, copies them with Ctrl, or scales them by an edge."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, time: int, fixed: int | None = None,
        clicked: Picked | None = None,
    ) -> None:  # fmt: skip
        """`time` is the tick that is held; with a `fixed` one the keys are scaled."""
        super().__init__(sheet, at, modifiers, clicked=clicked)
        self.change: KeyChange | None = None
        self._sheet, self._time, self._fixed = sheet, time, fixed
        self._to_nothing = False  # scaled to no length, which changes nothing

    @property
    def landed(self) -> Picked | None:
        return None if self.change is None else self.change.picked(self.picked)

    @property
    def expected(self) -> int:
        copies = self.change is not None and self.change.copies
        return super().expected + (sum(map(len, self.picked.values())) if copies else 0)

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        wanted = self._brought(self._time, at)
        if self._fixed is not None:
            found = scaled_to(self._fixed, self._time, wanted)
            self._to_nothing = found is None
            label, change = "Scale keys", found or KeyChange()
        else:
            copies = bool(self._modifiers & CONTROL)
            label, change = "Copy keys" if copies else "Move keys", KeyChange(ticks=wanted - self._time, copies=copies)
        if change != self.change:
            self.change = change
            self._preview(label, change.edit(self.picked))

    def release(self) -> None:
        super().release()
        if self._to_nothing:
            self._sheet.say(NO_LENGTH)


class BlockDrag(ViewDrag):
    """Drags a block, one of its ends or the end of an ease; a block that lasts always gets a span by that."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, row: Row, end: BlockEnd
    ) -> None:
        super().__init__(sheet, at, modifiers)
        block, self._row = row.block, row
        assert block is not None, "dragged by a part of it"
        self._least = round(ticks_per_frame(sheet.axis.rate))
        span = block.shown
        self._block, self._span, self._end = block, span, end
        self._held = {
            "start": span.start, "whole": span.start, "end": span.end, "ease_in": span.start + span.ease_in,
            "ease_out": span.end - span.ease_out,
        }[end]  # fmt: skip
        self._shown: Span | None = block.span

    def span_of(self, block: TimeBlock) -> Span | None:
        """Return the span with which a block is shown; None: always."""
        return self._shown if block.path == self._block.path else block.span

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        span = dragged_span(self._span, self._end, self._brought(self._held, at), self._least)
        if span != self._shown or self._gesture is NO_GESTURE:
            self._shown = span
            assert self._row.source is not None, "a bar has one"
            self._preview(f"Set span of {self._block.label}", self._row.source.span_edit(self._block, span))


class TimeDrag(ViewDrag):
    """Inserts time by a drag to the right, removes what it passes over to the left, in all that actors do."""

    def __init__(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        super().__init__(sheet, at, modifiers)
        self._sheet = sheet
        actors, everyone = sheet.commands.actors
        time = sheet.axis.snapped(sheet.time_at(at.x()))
        self.change = TimeChange(actors=actors, time=time, length=0, play=everyone)

    def span_of(self, block: TimeBlock) -> Span | None:
        """Return the span with which a block is shown; None: always."""
        moves = block.span is not None and block.actor in self.change.actors
        return self.change.new_span(block.span) if moves and block.span is not None else block.span

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at) or not self.change.actors:
            return
        wanted = self._sheet.axis.snapped(self._sheet.time_at(at.x()))
        change = TimeChange(
            actors=self.change.actors, time=self.change.time, length=wanted - self.change.time, play=self.change.play
        )
        if change != self.change:
            self.change = change
            self._preview("Insert time" if change.length > 0 else "Remove time", change.edit)


def drag_for(sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier) -> ViewDrag:
    """Return the drag that a press begins: of an edge of the chosen keys, of a part of a block, of a mark, else of a
    box."""
    if modifiers & CONTROL and modifiers & SHIFT:
        return TimeDrag(sheet, at, modifiers)
    grip = grip_at(sheet, at)
    if grip.edge is not None:
        return KeysDrag(sheet, at, modifiers, time=grip.edge[0], fixed=grip.edge[1])
    row = grip.row
    sheet.choose_block(None if row is None else row.path)
    if row is not None and row.source is not None and (row.block is None or grip.end is not None):
        drag = row.source.drag(sheet, at, modifiers, grip)
        return drag or BlockDrag(sheet, at, modifiers, row=row, end=grip.end or "whole")
    if grip.mark is None:
        return BoxDrag(sheet, at, modifiers)
    clicked = take_hold(sheet, sheet.table.of_mark(grip.mark), modifiers)
    return KeysDrag(sheet, at, modifiers, time=int(sheet.table.mark_time[grip.mark]), clicked=clicked)


def grip_at(sheet: DopeSheet, at: QPointF) -> SheetGrip:
    """Return the part at a place."""
    edge = _edge_at(sheet, at)
    number = sheet.row_at(at.y())
    if edge is not None or number is None or sheet.keys is None:
        return SheetGrip(edge=edge)
    row, block = sheet.rows[number], sheet.rows[number].block
    if row.kind == "marks" and row.source is not None:
        return (row.source.grip_at(sheet, row, at) if at.x() >= sheet.left else None) or SheetGrip()
    end = None if block is None else _end_at(sheet, block, at, sheet.y_of(sheet.line_at(at.y())))
    if end is not None:
        return SheetGrip(row=row, end=end)
    mark = sheet.keys.mark_at(number, sheet.time_at(at.x()), NEAR * sheet.axis.ticks_per_pixel)
    if mark is not None:
        return SheetGrip(mark=mark)
    if block is not None and block.shown.start < sheet.time_at(at.x()) < block.shown.end:
        return SheetGrip(row=row, end=None if block.span is None else "whole")
    return SheetGrip()


def _edge_at(sheet: DopeSheet, at: QPointF) -> tuple[int, int] | None:
    """Return the tick of the edge at a place, and that of the other."""
    box = sheet.chosen_box()
    if box is None or not box.top() <= at.y() <= box.bottom():
        return None
    first, last = sheet.table.extent(sheet.flags) or (0, 0)
    if abs(at.x() - box.right()) <= EDGE_NEAR:
        return last, first
    return (first, last) if abs(at.x() - box.left()) <= EDGE_NEAR else None


def _end_at(sheet: DopeSheet, block: TimeBlock, at: QPointF, top: int) -> BlockEnd | None:
    """Return the end of a block at a place: in the upper half of its row those of eases, which may lie on its own."""
    span = block.shown
    places: list[tuple[BlockEnd, int]] = [("start", span.start), ("end", span.end)]
    eases: list[tuple[BlockEnd, int]] = [("ease_in", span.start + span.ease_in), ("ease_out", span.end - span.ease_out)]
    upper = at.y() < top + 0.4 * sheet.row_height
    for end, time in (*eases, *places) if upper else places:
        if abs(sheet.x_of(time) - at.x()) <= NEAR:
            return end
    return None
