"""SpacetimeRows: planned motions in the timeline: stages as blocks, constraints as markers, torques as curves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from app.features.spacetime.choosing import choose_of
from app.features.spacetime.plan_rows import PlanRows
from app.features.spacetime.plan_words import COLOUR, constraint_tip, force_tip, meeting_tip, stage_tip
from app.style.theme import Theme
from app.timeline.axis import frame_text
from app.timeline.rows import Row
from engine.document import Actor, Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit, edit
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
    from app.timeline.sheet_drags import SheetGrip
    from app.timeline.view_drag import ViewDrag

STAGES, LENGTH, CONSTRAINT, MUSCLE = "plan_stages", "plan_length", "plan_constraint", "plan_torque"
MEETING, FORCE = "plan_meeting", "plan_force"


class SpacetimeRows(PlanRows):
    """Stages, constraints and muscles. What paints and drags them brings numpy: not loaded before the first paint."""

    place = 15
    looks: ClassVar = {
        STAGES: (COLOUR, "a motion is planned, stage by stage"),
        LENGTH: (COLOUR, "a stage of a free length may end"),
        CONSTRAINT: (COLOUR, "a constraint of a planned motion counts"),
        MEETING: (COLOUR, "a planned motion meets another"),
        FORCE: (COLOUR, "a force of one's own acts, or a blow comes"),
        MUSCLE: ("text_quiet", "a muscle of a planned motion pulls"),
    }
    may_last = False

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        plan = actor.part(Spacetime) if actor.parts else None
        if plan is None:
            return
        names = {dof.id: f"{joint.name}, {dof.name}" for joint in actor.figure.joints for dof in joint.dofs}
        yield self._row(actor, STAGES, actor.id, "Stages", 1, plan)
        for stage in plan.stages:
            if stage.is_free:
                yield self._row(actor, LENGTH, stage.id, f"{stage.name}, free length", 2, stage)
        for each in plan.constraints:
            yield self._row(actor, CONSTRAINT, each.id, each.name, 2, each, muted=not each.on)
        for meeting in plan.meetings:
            yield self._row(actor, MEETING, meeting.id, meeting.name, 2, meeting, muted=not meeting.on)
        for force in plan.forces:
            yield self._row(actor, FORCE, force.id, force.name, 2, force)
        for muscle in plan.muscles:
            yield self._row(actor, MUSCLE, muscle.dof, names.get(muscle.dof, muscle.dof), 2, muscle)

    def removal(self, row: Row) -> Edit | None:
        content, actor, chosen = row.content, row.actor, self._current.chosen
        if isinstance(content, SpacetimeConstraint):
            return edit("remove_spacetime_constraint", actor=actor, constraint=content.id)
        if isinstance(content, SpacetimeMeeting):
            return edit("remove_spacetime_meeting", actor=actor, meeting=content.id)
        if isinstance(content, SpacetimeForce):
            return edit("remove_spacetime_force", actor=actor, force=content.id)
        if isinstance(content, SpacetimeMuscle):
            return edit("remove_spacetime_muscles", actor=actor, dofs=(content.dof,))
        if isinstance(content, SpacetimeStage):
            length = content.length
            return edit("set_spacetime_length", actor=actor, stage=content.id, length=length)
        stages = content.stages if isinstance(content, Spacetime) else ()
        goes = len(stages) > 1 and any(each.id == chosen for each in stages)
        return edit("remove_spacetime_stage", actor=actor, stage=chosen) if goes else None

    @property
    def chosen(self) -> str | None:
        demanded, actor = self._current.constraint or self._current.meeting or self._current.force, self._current.actor
        if demanded is not None or self._current.chosen is None:
            return None if demanded is None else demanded.id
        return None if actor is None else actor.id

    def choose(self, id: str) -> None:
        plans = ((each.id, each.part(Spacetime)) for each in self._session.document.actors)
        actor = next((actor for actor, plan in plans if plan is not None and plan.holds(id)), None)
        if actor is not None:  # of a row of stages the press says which is chosen
            choose_of(self._session, actor, id)

    def grip_at(self, sheet: DopeSheet, row: Row, at: QPointF) -> SheetGrip | None:
        from app.features.spacetime.lane_drags import lane_grip

        return lane_grip(sheet, self, row, at)

    def drag(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, grip: SheetGrip) -> ViewDrag | None:
        from app.features.spacetime.lane_drags import lane_drag

        return lane_drag(sheet, self, at, modifiers, grip)

    def paint(self, painter: QPainter, sheet: DopeSheet, row: Row, y: float, theme: Theme) -> None:
        from app.features.spacetime.lane_painter import paint_lane

        paint_lane(painter, sheet, self, row, y, theme)

    def tip(self, sheet: DopeSheet, row: Row, time: int) -> str:
        times, content, rate = self.times(row), row.content, sheet.axis.rate
        document = self._session.document
        if isinstance(content, SpacetimeConstraint | SpacetimeMeeting):
            first, last = (frame_text(each, rate) for each in times.when(content))
            when = f"at frame {first}" if content.until is None else f"frames {first} to {last}"
            if isinstance(content, SpacetimeMeeting):
                return meeting_tip(document, content, self.missed(row), when)
            return constraint_tip(document.actor(row.actor), content, self.missed(row), when)
        if isinstance(content, SpacetimeForce):
            return force_tip(document.actor(row.actor), times.plan, content)
        if isinstance(content, SpacetimeMuscle):
            return self._torque_tip(row, content, time, frame_text(time, rate))
        number = times.stage_at(time)
        if not isinstance(content, SpacetimeStage) and number is None:
            return row.label
        stage = content if isinstance(content, SpacetimeStage) else times.plan.stages[number or 0]
        start, end = times.span(stage.id)
        return stage_tip(stage, (end - start) / TICKS_PER_SECOND, found=self.shows(row))

    def _torque_tip(self, row: Row, muscle: SpacetimeMuscle, time: int, frame: str) -> str:
        import numpy as np

        motion = self._current.motion_of(row.actor)
        torques = None if motion is None else motion.known_torques
        curve = None if torques is None else torques.get(muscle.dof)
        if motion is None or curve is None:
            return f"Torque of {row.label}: not found yet"
        now = float(np.interp(motion.seconds(time), motion.times, curve))
        most = float(np.abs(curve).max())
        return f"Torque of {row.label}: {now:.3g} N m at frame {frame}, at most {most:.3g} N m in all"

    def _row(
        self, actor: Actor, kind: str, id: str, label: str, depth: int, content: object, *, muted: bool = False
    ) -> Row:
        return Row(
            path=(actor.id, kind, id), kind="marks", label=label, depth=depth, source=self, content=content, muted=muted
        )  # fmt: skip
