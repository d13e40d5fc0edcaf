"""Hands of the dope sheet: what a press of the left button takes hold of, and what a drag makes of it.

A drag of keys or of a block's end is one gesture of the session: its pictures are previews, letting go commits one
entry. The sheet itself shows keys where the hand has them, without waiting for the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt

from app.session.gesture import Gesture
from app.timeline.changes import BlockEnd, Change, dragged_span, scaled_to, span_edit
from app.timeline.rows import Block
from engine.document import Span
from engine.document.motion import ticks_per_frame
from engine.edits import Edit

if TYPE_CHECKING:
    from app.timeline.keys import Picked
    from app.timeline.sheet import DopeSheet

NEAR = 7.0  # [px] within which a mark or an end is hit
EDGE_NEAR = 4.0  # [px] within which an edge of the chosen keys is hit
STILL = 3.0  # [px] that a click may move
SEVERAL = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class Hand:
    """What the left button holds, from its press to the end of what it began."""

    def __init__(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        self._sheet, self._from, self._modifiers = sheet, at, modifiers
        self._gesture: Gesture | None = None
        self._released = False

    @property
    def ended(self) -> bool:
        """Whether nothing is left to wait for."""
        return self._released if self._gesture is None else self._gesture.state == "ended"

    @property
    def landed(self) -> Picked | None:
        """The keys to be chosen once it is committed; None: those that are."""
        return None

    def span_of(self, block: Block) -> Span | None:
        """The span with which a block is shown."""
        return block.span

    def move(self, at: QPointF) -> None:
        """The pointer went somewhere."""
        raise NotImplementedError

    def release(self) -> None:
        """Let go."""
        self._released = True
        if self._gesture is not None:
            self._gesture.finish()

    def cancel(self) -> None:
        """Let go and leave everything as it was."""
        self._released = True
        if self._gesture is not None:
            self._gesture.cancel()

    def _preview(self, label: str, edit: Edit) -> None:
        self._gesture = self._gesture or self._sheet.session.begin_gesture(label)
        self._gesture.preview(edit)

    def _is_still(self, at: QPointF) -> bool:
        return self._gesture is None and (at - self._from).manhattanLength() <= STILL

    @property
    def _least(self) -> int:
        return round(ticks_per_frame(self._sheet.axis.rate))


class BoxHand(Hand):
    """Draws a box; the keys in it are chosen. Shift adds them, Ctrl turns each about; without a box all are let go."""

    def __init__(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        super().__init__(sheet, at, modifiers)
        self.box = QRectF(at, at)

    def move(self, at: QPointF) -> None:
        self.box = QRectF(self._from, at).normalized()

    def release(self) -> None:
        super().release()
        sheet = self._sheet
        if sheet.keys is None or sheet.flags is None:
            return
        top, bottom = max(sheet.line_at(self.box.top()), 0), sheet.line_at(self.box.bottom())
        start, end = sheet.time_at(self.box.left()), sheet.time_at(self.box.right())
        found = sheet.keys.in_box(sheet.lines[top : max(bottom + 1, 0)], start, end)
        if self._modifiers & Qt.KeyboardModifier.ControlModifier:
            found = sheet.flags ^ found
        elif self._modifiers & Qt.KeyboardModifier.ShiftModifier:
            found = sheet.flags | found
        sheet.choose(sheet.keys.picked(found))


class KeysHand(Hand):
    """Moves the chosen keys, copies them with Ctrl, or scales them by an edge. A click alone chooses."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, time: int, fixed: int | None = None,
        clicked: Picked | None = None,
    ) -> None:  # fmt: skip
        """`time` is the tick that is held; with a `fixed` one the keys are scaled; `clicked` are those of the mark."""
        super().__init__(sheet, at, modifiers)
        self.change: Change | None = None
        self._time, self._fixed, self._clicked = time, fixed, clicked
        self._picked = dict(sheet.picked)
        self._there = 0 if sheet.keys is None else len(sheet.keys.time)

    @property
    def landed(self) -> Picked | None:
        return None if self.change is None else self.change.picked(self._picked)

    @property
    def expected(self) -> int:
        """How many keys there will be, if none takes the place of another."""
        copies = self.change is not None and self.change.copies
        return self._there + (sum(map(len, self._picked.values())) if copies else 0)

    def move(self, at: QPointF) -> None:
        if self._is_still(at):
            return
        axis = self._sheet.axis
        wanted = axis.snapped(self._time + (at.x() - self._from.x()) * axis.ticks_per_pixel)
        if self._fixed is not None:
            label, change = "Scale keys", scaled_to(self._fixed, self._time, wanted, self._least)
        else:
            copies = bool(self._modifiers & Qt.KeyboardModifier.ControlModifier)
            label, change = "Copy keys" if copies else "Move keys", Change(ticks=wanted - self._time, copies=copies)
        if change != self.change:
            self.change = change
            self._preview(label, change.edit(self._picked))

    def release(self) -> None:
        super().release()
        sheet = self._sheet
        if self._gesture is None and self._clicked is not None and sheet.keys is not None and sheet.flags is not None:
            if self._modifiers & Qt.KeyboardModifier.ControlModifier:
                sheet.choose(sheet.keys.picked(sheet.flags & ~sheet.keys.flags(self._clicked)))
            elif not self._modifiers & SEVERAL:
                sheet.choose(self._clicked)


class BlockHand(Hand):
    """Drags a block, one of its ends or the end of an ease."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, block: Block, span: Span, end: BlockEnd
    ) -> None:  # fmt: skip
        super().__init__(sheet, at, modifiers)
        self._block, self._span, self._end = block, span, end
        self._held = {
            "start": span.start, "whole": span.start, "end": span.end, "ease_in": span.start + span.ease_in,
            "ease_out": span.end - span.ease_out,
        }[end]  # fmt: skip
        self._shown = span

    def span_of(self, block: Block) -> Span | None:
        same = (block.actor, block.kind, block.id) == (self._block.actor, self._block.kind, self._block.id)
        return self._shown if same else block.span

    def move(self, at: QPointF) -> None:
        if self._is_still(at):
            return
        axis = self._sheet.axis
        wanted = axis.snapped(self._held + (at.x() - self._from.x()) * axis.ticks_per_pixel)
        span = dragged_span(self._span, self._end, wanted, self._least)
        if span != self._shown or self._gesture is None:
            self._shown = span
            self._preview(f"Set span of {self._block.label}", span_edit(self._block, span))


def hand_for(sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier) -> Hand:
    """What a press takes hold of: an edge of the chosen keys, a block, a mark; else it begins a box."""
    edge = _edge_at(sheet, at)
    if edge is not None:
        return KeysHand(sheet, at, modifiers, time=edge[0], fixed=edge[1])
    number = sheet.row_at(at.y())
    if number is None or sheet.keys is None or sheet.flags is None:
        return BoxHand(sheet, at, modifiers)
    block = sheet.rows[number].block
    if block is not None and block.span is not None:
        end = _end_at(sheet, block.span, at, sheet.y_of(sheet.line_at(at.y())))
        if end is not None:
            return BlockHand(sheet, at, modifiers, block=block, span=block.span, end=end)
    mark = sheet.keys.mark_at(number, sheet.time_at(at.x()), NEAR * sheet.axis.ticks_per_pixel)
    if mark is None:
        return BoxHand(sheet, at, modifiers)
    clicked = sheet.keys.of_mark(mark)
    were_chosen = bool(sheet.flags[clicked].all())
    if not were_chosen:
        sheet.choose(sheet.keys.picked(sheet.flags | clicked if modifiers & SEVERAL else clicked))
    again = sheet.keys.picked(clicked) if were_chosen else None  # a click on what is chosen acts as it is let go
    return KeysHand(sheet, at, modifiers, time=int(sheet.keys.mark_time[mark]), clicked=again)


def _edge_at(sheet: DopeSheet, at: QPointF) -> tuple[int, int] | None:
    """The tick of the edge that is hit, and that of the other."""
    box = sheet.chosen_box()
    if box is None or sheet.keys is None or sheet.flags is None or not box.top() <= at.y() <= box.bottom():
        return None
    first, last = sheet.keys.extent(sheet.flags) or (0, 0)
    if abs(at.x() - box.right()) <= EDGE_NEAR:
        return last, first
    return (first, last) if abs(at.x() - box.left()) <= EDGE_NEAR else None


def _end_at(sheet: DopeSheet, span: Span, at: QPointF, top: int) -> BlockEnd | None:
    """The part of a block that is hit: in the upper half of its row the ends of eases, which may lie on its own."""
    places: list[tuple[BlockEnd, int]] = [("start", span.start), ("end", span.end)]
    eases: list[tuple[BlockEnd, int]] = [("ease_in", span.start + span.ease_in), ("ease_out", span.end - span.ease_out)]
    upper = at.y() < top + 0.4 * sheet.row_height
    for end, time in (*eases, *places) if upper else places:
        if abs(sheet.x_of(time) - at.x()) <= NEAR:
            return end
    return "whole" if span.start < sheet.time_at(at.x()) < span.end else None
