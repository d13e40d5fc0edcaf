"""Drags of planned motions in the timeline: borders of stages, ends of free lengths, constraints within their stage.

While a drag lasts the rows are painted with the plan as its edit makes it, without waiting for the engine.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, Qt

from app.features.spacetime.choosing import choose_of
from app.features.spacetime.plan_rows import PlanRows
from app.features.spacetime.stage_times import StageEnd, StageTimes
from app.timeline.changes import BlockEnd
from app.timeline.rows import Row
from app.timeline.sheet_drags import SheetGrip
from app.timeline.view_drag import NEAR, SHIFT, ViewDrag
from engine.document.ticks import TICKS_PER_SECOND, ticks_per_frame
from engine.edits import Edit, edit
from engine.runtime.errors import EngineError
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeConstraint,
    SpacetimeForce,
    SpacetimeMeeting,
    SpacetimeMuscle,
    SpacetimeStage,
)

if TYPE_CHECKING:
    from app.timeline.sheet import DopeSheet


class StageGrip(NamedTuple):
    """A part of the row of stages: a border, or an end of a free length, of the stage of a number; or its whole."""

    end: StageEnd
    number: int
    tick: int  # where it stands


class PlanDrag(ViewDrag):
    """A drag that changes a planned motion."""

    def __init__(
        self, sheet: DopeSheet, source: PlanRows, at: QPointF, modifiers: Qt.KeyboardModifier, row: Row
    ) -> None:
        super().__init__(sheet, at, modifiers)
        self._sheet, self.row, self.times = sheet, row, source.times(row)
        self._source = source
        self._edit: Edit | None = None

    @property
    def plan(self) -> Spacetime:
        """The plan as it is dragged."""
        return self.times.plan

    def _try(self, label: str, wanted: Edit) -> None:
        """Preview an edit; what the document refuses leaves the plan as it was dragged before."""
        document = self._sheet.session.document
        if wanted == self._edit or self.row.actor not in document.actor_index:
            return
        try:
            plan = wanted.apply(document).actor(self.row.actor).part(Spacetime)
        except EngineError:
            return
        if plan is not None and self._preview(label, wanted):
            self._edit = wanted
            self.times = self._source.times(self.row, plan)


class StageDrag(PlanDrag):
    """Drags a border of a stage, an end of its free length, or all stages in time."""

    def __init__(
        self,
        sheet: DopeSheet,
        source: PlanRows,
        at: QPointF,
        modifiers: Qt.KeyboardModifier,
        row: Row,
        grip: StageGrip,
    ) -> None:
        super().__init__(sheet, source, at, modifiers, row)
        self._grip, self._first = grip, self.times

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        grip, first, actor = self._grip, self._first, self.row.actor
        if grip.end in ("start", "whole"):
            begin = self._brought(first.borders[0], at)
            self._try("Move planned motion", edit("set_spacetime", actor=actor, start=begin))
            return
        wanted = self._brought(grip.tick, at)
        stage = first.plan.stages[grip.number]
        frame = ticks_per_frame(self._sheet.axis.rate)
        seconds = max(wanted - first.borders[grip.number], frame) / TICKS_PER_SECOND
        if grip.end == "border":
            last = grip.number + 1 == len(first.plan.stages)
            shifts = last or not modifiers & SHIFT
            change = edit("move_spacetime_border", actor=actor, stage=stage.id, length=seconds, shifts=shifts)
            self._try(f"Set length of {stage.name}", change)
            return
        least, most = stage.lengths
        least, most = (min(seconds, most), most) if grip.end == "least" else (least, max(seconds, least))
        length = min(max(stage.length, least), most)
        wanted_edit = edit(
            "set_spacetime_length", actor=actor, stage=stage.id, length=length, least_length=least, most_length=most
        )
        self._try(f"Set how {'short' if grip.end == 'least' else 'long'} {stage.name} may be", wanted_edit)


class ConstraintDrag(PlanDrag):
    """Drags a constraint or a meeting in time, within its stage, or an end of its range."""

    def __init__(
        self,
        sheet: DopeSheet,
        source: PlanRows,
        at: QPointF,
        modifiers: Qt.KeyboardModifier,
        row: Row,
        constraint: SpacetimeConstraint | SpacetimeMeeting,
        end: BlockEnd,
    ) -> None:
        super().__init__(sheet, source, at, modifiers, row)
        self._constraint, self._end = constraint, end
        self._first, (self._start, self._last) = self.times, self.times.when(constraint)

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        held, axis = self._constraint, self._sheet.axis
        by = (at.x() - self._from.x()) * axis.ticks_per_pixel

        def share(tick: float) -> float:
            return self._first.share(held.stage, tick, axis.rate, snaps=axis.snapping)

        begin, until = held.at, held.until
        if self._end == "whole" and until is not None:
            length = until - begin
            begin = min(share(self._start + by), 1.0 - length)
            until = begin + length
        elif self._end == "end" and until is not None:
            until = max(share(self._last + by), begin)
        else:
            begin = share(self._start + by)
            begin = begin if until is None else min(begin, until)
        until, actor = None if until is None else min(until, 1.0), self.row.actor
        if isinstance(held, SpacetimeMeeting):
            change = edit("put_spacetime_meeting", actor=actor, meeting=replace(held, at=begin, until=until))
        else:
            change = edit(
                "move_spacetime_constraint", actor=actor, constraint=held.id, stage=held.stage, at=begin, until=until
            )
        self._try(f"Move {held.name} in time", change)


def stage_grip(sheet: DopeSheet, times: StageTimes, at: QPointF, *, found: bool) -> StageGrip | None:
    """Find the part of the row of stages at a place. A free length that was `found` has no border to be dragged."""
    pointer = sheet.time_at(at.x())
    borders = [StageGrip("start", 0, times.borders[0])]
    for number, stage in enumerate(times.plan.stages):
        if not (found and stage.is_free):
            borders.append(StageGrip("border", number, times.borders[number + 1]))
    inside = times.stage_at(pointer)
    whole = None if inside is None else StageGrip("whole", inside, round(pointer))
    return _nearest(sheet, borders, pointer) or whole


def length_grip(sheet: DopeSheet, times: StageTimes, stage: str, at: QPointF) -> StageGrip | None:
    """Find the end of a free length at a place."""
    number = times.number(stage)
    ends = times.free_ends(number) or (0, 0)
    grips = [StageGrip("least", number, ends[0]), StageGrip("most", number, ends[1])]
    return _nearest(sheet, grips, sheet.time_at(at.x()))


def _nearest(sheet: DopeSheet, grips: list[StageGrip], pointer: float) -> StageGrip | None:
    best = min(grips, key=lambda each: abs(each.tick - pointer))
    return best if abs(best.tick - pointer) <= NEAR * sheet.axis.ticks_per_pixel else None


def lane_grip(sheet: DopeSheet, source: PlanRows, row: Row, at: QPointF) -> SheetGrip | None:
    """Return the part of a row of a planned motion at a place."""
    times, content = source.times(row), row.content
    pointer = round(sheet.time_at(at.x()))
    within = min(max(pointer, times.borders[0]), times.borders[-1] - 1)
    if isinstance(content, (SpacetimeMuscle, SpacetimeForce)):
        return SheetGrip(row=row, time=pointer) if within == pointer else None
    if isinstance(content, (SpacetimeConstraint, SpacetimeMeeting)):
        start, last = times.when(content)
        near = NEAR * sheet.axis.ticks_per_pixel
        if content.until is not None and last > start + near:
            if abs(last - pointer) <= near:
                return SheetGrip(row=row, end="end", time=last)
            if abs(start - pointer) <= near:
                return SheetGrip(row=row, end="start", time=start)
        return SheetGrip(row=row, time=start) if start - near <= pointer <= last + near else None
    grip = _stage_grip_of(sheet, source, row, at)
    if grip is None:
        ends = times.free_ends(times.number(content.id)) if isinstance(content, SpacetimeStage) else None
        inside = ends is not None and ends[0] <= pointer <= ends[1]
        return SheetGrip(row=row, time=pointer) if inside else None
    return SheetGrip(row=row, time=within, end="whole" if grip.end == "whole" else "end")


def lane_drag(
    sheet: DopeSheet, source: PlanRows, at: QPointF, modifiers: Qt.KeyboardModifier, grip: SheetGrip
) -> ViewDrag:
    """Begin the drag of a part of a row of a planned motion."""
    row = grip.row
    assert row is not None, "a part of a row"
    if isinstance(row.content, SpacetimeMeeting) and row.content.blow:
        return StillDrag(sheet, at, modifiers)  # it is where a stage ends
    if isinstance(row.content, (SpacetimeConstraint, SpacetimeMeeting)):
        return ConstraintDrag(sheet, source, at, modifiers, row, row.content, grip.end or "whole")
    part = (
        None if isinstance(row.content, (SpacetimeMuscle, SpacetimeForce)) else _stage_grip_of(sheet, source, row, at)
    )
    if part is None:
        return StillDrag(sheet, at, modifiers)
    choose_of(sheet.session, row.actor, source.times(row).plan.stages[part.number].id)
    return StageDrag(sheet, source, at, modifiers, row, part)


class StillDrag(ViewDrag):
    """A press on what is not dragged, which chooses its row."""

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        pass


def _stage_grip_of(sheet: DopeSheet, source: PlanRows, row: Row, at: QPointF) -> StageGrip | None:
    times = source.times(row)
    if isinstance(row.content, SpacetimeStage):
        return length_grip(sheet, times, row.content.id, at)
    return stage_grip(sheet, times, at, found=source.shows(row))
