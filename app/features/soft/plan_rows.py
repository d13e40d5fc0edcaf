"""SoftPlanRows: plans of soft bodies in the timeline: keyframes as marks, nodal forces as curves of what they
are in all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.features.soft.current_forces import CurrentForces
from app.features.soft.current_plan import CurrentPlan
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.plan_run import PlanRun
from app.features.soft.words import MET, keyframe_text
from app.session.selection import Item
from app.style.theme import Theme, mix
from app.style.units import FORCE
from app.timeline.axis import frame_text
from app.timeline.rows import Row, RowSource
from app.timeline.sheet_drags import SheetGrip
from app.timeline.view_drag import NEAR, ViewDrag
from engine.document import Actor, Document
from engine.edits import Edit, edit
from engine.runtime.errors import EngineError
from engine.soft.goals import SoftKeyframe, SoftPlan
from engine.soft.parts import NodalForces, SoftBody

if TYPE_CHECKING:
    from app.session import Session
    from app.timeline.sheet import DopeSheet

KEYFRAMES, FORCES = "soft_keyframes", "nodal_forces"
SIZE = 4.8  # [px] from the middle of a mark to its corners


class PlanLanes(QObject):
    """Says when what is seen of plans is another: what is chosen, or what a search has come to."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        for signal in (session.of(CurrentPlan).changed, session.of(CurrentForces).changed, session.of(PlanRun).told):
            signal.connect(self.changed)


class SoftPlanRows(RowSource):
    """Keyframes and nodal forces of soft bodies."""

    place = 16
    looks: ClassVar = {
        KEYFRAMES: ("accent", "a soft body is to be somewhere"),
        FORCES: ("warning", "nodal forces act on a soft body"),
    }
    may_last = False

    def __init__(self, session: Session) -> None:
        self._session, self._current, self._run = session, session.of(CurrentPlan), session.of(PlanRun)
        self._forces = session.of(CurrentForces)
        self.changed = session.of(PlanLanes).changed

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        plan = actor.part(SoftPlan) if actor.parts else None
        body = actor.part(SoftBody) if actor.parts else None
        if plan is not None and plan.keyframes:
            yield self._row(actor, KEYFRAMES, "keyframes", "Marks", plan)
        for each in () if body is None else body.forces:
            yield self._row(actor, FORCES, each.id, each.name, each, muted=each.mute)

    def removal(self, row: Row) -> Edit | None:
        if isinstance(row.content, NodalForces):
            return edit("remove_nodal_forces", actor=row.actor, forces=(row.content.id,))
        chosen = self._current.keyframe
        known = isinstance(row.content, SoftPlan) and chosen is not None and row.content.keyframe(chosen.id) is not None
        return edit("remove_soft_keyframes", actor=row.actor, keyframes=(chosen.id,)) if known and chosen else None

    @property
    def chosen(self) -> str | None:
        forces = self._forces.forces
        return None if forces is None else forces.id

    def choose(self, id: str) -> None:
        owner = next((each for each in self._session.document.actors if _has_forces(each, id)), None)
        if owner is not None:
            self._mean(owner.id)
            self._forces.choose(id)

    def is_missed(self, row: Row) -> bool:
        return isinstance(row.content, SoftPlan) and any(self._is_far(row, each) for each in row.content.keyframes)

    def grip_at(self, sheet: DopeSheet, row: Row, at: QPointF) -> SheetGrip | None:
        pointer, near = sheet.time_at(at.x()), NEAR * sheet.axis.ticks_per_pixel
        if isinstance(row.content, NodalForces):
            times = row.content.times
            return SheetGrip(row=row, time=round(pointer)) if times and times[0] <= pointer <= times[-1] else None
        found = self._nearest(row, pointer)
        return SheetGrip(row=row, time=found.time) if found is not None and abs(found.time - pointer) <= near else None

    def drag(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, grip: SheetGrip) -> ViewDrag | None:
        row = grip.row
        assert row is not None, "a part of a row"
        found = None if isinstance(row.content, NodalForces) else self._nearest(row, grip.time)
        if found is None:
            return StillPress(sheet, at, modifiers)
        self._mean(row.actor)
        self._current.choose(found.id)
        return KeyframeInTime(sheet, at, modifiers, row.actor, found)

    def tip(self, sheet: DopeSheet, row: Row, time: int) -> str:
        rate = sheet.axis.rate
        if isinstance(row.content, NodalForces):
            forces, now = row.content, row.content.acting(time)
            if now is None:
                return f"{row.label}: they do nothing at frame {frame_text(time, rate)}"
            x, y, z = now.sum(axis=0).tolist()
            most = FORCE.text(float(abs(now).max()))
            total = f"({x:.3g}, {y:.3g}, {z:.3g}) N at frame {frame_text(time, rate)}"
            return f"{row.label}: in all {total}, at most {most} along an axis, of {FORCE.text(forces.strongest)}"
        found = self._nearest(row, time)
        return "" if found is None else keyframe_text(found, self._run.missed(row.actor, found.time))

    def paint(self, painter: QPainter, sheet: DopeSheet, row: Row, y: float, theme: Theme) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, bottom = y + 2.0, y + sheet.row_height - 3.0
        if isinstance(row.content, NodalForces):
            _paint_forces(painter, sheet, row.content, top, bottom, theme)
        else:
            self._paint_marks(painter, sheet, row, 0.5 * (top + bottom), theme)
        painter.restore()

    def _paint_marks(self, painter: QPainter, sheet: DopeSheet, row: Row, middle: float, theme: Theme) -> None:
        chosen, held = self._current.keyframe, sheet.drag
        for each in row.content.keyframes if isinstance(row.content, SoftPlan) else ():
            time = held.time if isinstance(held, KeyframeInTime) and held.keyframe.id == each.id else each.time
            x, is_chosen = sheet.x_of(time), chosen is not None and chosen.id == each.id
            painter.setPen(QPen(QColor(theme.text if is_chosen else theme.field), 1.0))
            painter.setBrush(QColor(theme.danger if self._is_far(row, each) else theme.accent))
            if each.shape is None:
                painter.drawEllipse(QPointF(x, middle), SIZE - 0.6, SIZE - 0.6)
            else:
                corners = ((0.0, -SIZE), (SIZE, 0.0), (0.0, SIZE), (-SIZE, 0.0))
                painter.drawPolygon(QPolygonF([QPointF(x + dx, middle + dy) for dx, dy in corners]))

    def _mean(self, actor: str) -> None:
        """Select the body whose row it is."""
        owner = self._session.of(CurrentSoft).owner
        if owner is None or owner.id != actor:
            self._session.select([Item(actor)])

    def _is_far(self, row: Row, keyframe: SoftKeyframe) -> bool:
        return (self._run.missed(row.actor, keyframe.time) or 0.0) >= MET

    def _nearest(self, row: Row, time: float) -> SoftKeyframe | None:
        keyframes = row.content.keyframes if isinstance(row.content, SoftPlan) else ()
        return min(keyframes, key=lambda each: abs(each.time - time), default=None)

    def _row(self, actor: Actor, kind: str, id: str, label: str, content: object, *, muted: bool = False) -> Row:
        return Row(
            path=(actor.id, kind, id), kind="marks", label=label, depth=1, source=self, content=content, muted=muted
        )  # fmt: skip


class StillPress(ViewDrag):
    """A press on a curve, which chooses its row."""

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        pass


class KeyframeInTime(ViewDrag):
    """Drags a keyframe in time."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, actor: str, keyframe: SoftKeyframe
    ) -> None:
        super().__init__(sheet, at, modifiers)
        self._sheet, self._actor, self.keyframe, self.time = sheet, actor, keyframe, keyframe.time

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Lead it to a time, on a frame while the magnet is on; not onto another one."""
        if self._is_still(at):
            return
        axis = self._sheet.axis
        wanted = self.keyframe.time + (at.x() - self._from.x()) * axis.ticks_per_pixel
        time = axis.snapped(wanted) if axis.snapping else round(wanted)
        change = edit("move_soft_keyframe", actor=self._actor, keyframe=self.keyframe.id, time=time)
        plan = self._sheet.session.document.actor(self._actor).part(SoftPlan)
        taken = plan is not None and any(each.time == time and each.id != self.keyframe.id for each in plan.keyframes)
        if time == self.time or taken:
            return
        try:
            change.apply(self._sheet.session.document)
        except EngineError:
            return
        if self._preview(change.label(self._sheet.session.document), change):
            self.time = time


def _has_forces(actor: Actor, id: str) -> bool:
    body = actor.part(SoftBody) if actor.parts else None
    return body is not None and body.nodal(id) is not None


def _paint_forces(
    painter: QPainter, sheet: DopeSheet, forces: NodalForces, top: float, bottom: float, theme: Theme
) -> None:
    """Paint what forces are in all along x, y and z, about the middle of the row."""
    if forces.values is None:
        return
    along = forces.values.array.sum(axis=1)
    middle, half = 0.5 * (top + bottom), 0.5 * (bottom - top)
    left, right = (sheet.x_of(each) for each in (forces.times[0], forces.times[-1]))
    painter.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)), QColor(mix(theme.field, theme.warning, 0.1)))
    painter.setPen(QPen(QColor(mix(theme.field, theme.text_faint, 0.6)), 1.0))
    painter.drawLine(QPointF(left, middle), QPointF(right, middle))
    scale = half / max(float(abs(along).max()), 1e-9)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for axis, name in ((2, "axis_z"), (0, "axis_x"), (1, "axis_y")):
        points = list[QPointF]()
        for time, force in zip(forces.times, along[:, axis].tolist(), strict=True):
            if forces.form == "held" and points:
                points.append(QPointF(sheet.x_of(time), points[-1].y()))
            points.append(QPointF(sheet.x_of(time), middle - scale * force))
        painter.setPen(QPen(QColor(mix(theme.field, theme.token(name), 0.45 if forces.mute else 1.0)), 1.3))
        painter.drawPolyline(QPolygonF(points))
