"""Drags of the dope sheet: moves and scales keys, drags blocks and targets, inserts and removes time, draws a box.

The sheet itself shows keys, ends and time where the drag has them, without waiting for the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, Qt

from app.session.gesture import NO_GESTURE
from app.timeline.changes import BlockEnd, KeyChange, TimeChange, dragged_span, dragged_target, scaled_to, span_edit
from app.timeline.rows import TimeBlock, target_span
from app.timeline.rule_drag import RuleDrag
from app.timeline.view_drag import CONTROL, NEAR, SHIFT, BoxDrag, ViewDrag, take_hold
from engine.document import Span, Target
from engine.document.motion import ticks_per_frame

if TYPE_CHECKING:
    from app.timeline.keys import Picked
    from app.timeline.rules import RuleGrip
    from app.timeline.sheet import DopeSheet

EDGE_NEAR = 4.0  # [px] within which an edge of the chosen keys is hit
NO_LENGTH = "Keys cannot be scaled to no length at all: nothing was changed. Stop before the other edge."


class SheetGrip(NamedTuple):
    """The part at a place: an edge of the chosen keys, a part of a block or of a rule, or a mark; else nothing."""

    edge: tuple[int, int] | None = None  # the tick of the edge, and of the other
    block: TimeBlock | None = None
    end: BlockEnd | None = None  # None: the block that has no span, which is chosen and not dragged
    mark: int | None = None
    rule: RuleGrip | None = None


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
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, block: TimeBlock, end: BlockEnd
    ) -> None:
        super().__init__(sheet, at, modifiers)
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
            self._preview(f"Set span of {self._block.label}", span_edit(self._block, span))


class TargetDrag(BlockDrag):
    """Drags a target in time, or an end of its bell; where targets are met always, the motion follows."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, block: TimeBlock, end: BlockEnd
    ) -> None:
        super().__init__(sheet, at, modifiers, block=block, end=end if end in ("start", "end") else "whole")
        self._aiming, self._target = sheet.session.targets, target_of(sheet, block)
        self._wanted: Target | None = None

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at) or self._target is None:
            return
        wanted = dragged_target(self._target, self._end, self._brought(self._held, at), self._least)
        if wanted != self._wanted:
            self._wanted, self._shown = wanted, target_span(wanted)
            label = "Move target" if wanted.time != self._target.time else "Set width of target"
            self._show(label, self._aiming.dragged(self._block.actor, wanted))

    def release(self) -> None:
        gesture = self._gesture
        if not gesture.is_over and self._wanted is not None and self._aiming.automatic:
            gesture.preview(self._aiming.dragged(self._block.actor, self._wanted, ends=True))
        super().release()


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
    held = grip.block if grip.rule is None else grip.rule.rule
    sheet.choose_block(None if held is None else held.path)
    if grip.rule is not None:
        return RuleDrag(sheet, at, modifiers, grip=grip.rule)
    if grip.block is not None and grip.end is not None:
        if grip.block.kind == "target":
            return TargetDrag(sheet, at, modifiers, block=grip.block, end=grip.end)
        return BlockDrag(sheet, at, modifiers, block=grip.block, end=grip.end)
    if grip.mark is None:
        return BoxDrag(sheet, at, modifiers)
    clicked = take_hold(sheet, sheet.table.of_mark(grip.mark), modifiers)
    return KeysDrag(sheet, at, modifiers, time=int(sheet.table.mark_time[grip.mark]), clicked=clicked)


def target_of(sheet: DopeSheet, block: TimeBlock) -> Target | None:
    """The target that a block stands for."""
    return sheet.session.targets.seen_target(block.actor, block.id)


def grip_at(sheet: DopeSheet, at: QPointF) -> SheetGrip:
    """Return the part at a place."""
    from app.timeline.rules import rule_at  # brings numpy

    edge = _edge_at(sheet, at)
    number = sheet.row_at(at.y())
    if edge is not None or number is None or sheet.keys is None:
        return SheetGrip(edge=edge)
    if sheet.rows[number].rule is not None:
        return SheetGrip(rule=rule_at(sheet, at))
    block = sheet.rows[number].block
    end = None if block is None else _end_at(sheet, block, at, sheet.y_of(sheet.line_at(at.y())))
    if end is not None:
        return SheetGrip(block=block, end=end)
    mark = sheet.keys.mark_at(number, sheet.time_at(at.x()), NEAR * sheet.axis.ticks_per_pixel)
    if mark is not None:
        return SheetGrip(mark=mark)
    if block is not None and block.shown.start < sheet.time_at(at.x()) < block.shown.end:
        return SheetGrip(block=block, end=None if block.span is None else "whole")
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
