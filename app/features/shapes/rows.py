"""ShapeRows: keyed shapes as rows of marks in the timeline, and targets of surfaces as bars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.features.shapes.current_surface import CurrentSurface
from app.features.shapes.row_drags import ShapeKeyDrag, nearest_key
from app.features.shapes.words import COLOUR, missed_text
from app.style.theme import Theme, mix
from app.timeline.axis import frame_text
from app.timeline.rows import Row, RowSource, TimeBlock
from app.timeline.sheet_drags import SheetGrip
from engine.document import Actor, Document, Span
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.shapes.parts import BlendShape, BlendShapes, ShapeTarget

if TYPE_CHECKING:
    from app.session import Session
    from app.timeline.sheet import DopeSheet
    from app.timeline.view_drag import ViewDrag

LEAST = TICKS_PER_SECOND // 50  # [ticks] of an ease
SIZE = 4.5  # [px] from the middle of a mark to its corners


class ShapeRows(RowSource):
    """Shapes that are keyed, and targets."""

    place = 45
    looks: ClassVar = {
        "shape_target": (COLOUR, "a surface reaches a target"),
        "shape_keys": ("text_quiet", "a shape is keyed"),
    }
    may_last = False

    def __init__(self, session: Session) -> None:
        self._session, self._current = session, session.of(CurrentSurface)
        self.changed = self._current.changed

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        surface = actor.part(BlendShapes) if actor.parts else None
        if surface is None:
            return
        for target in surface.targets:
            yield self.bar(
                TimeBlock(
                    kind="shape_target", actor=actor.id, id=target.id, label=target.name, span=target_span(target),
                    mute=target.mute,
                )
            )  # fmt: skip
        for shape in surface.shapes:
            if shape.track is not None:
                yield Row(
                    path=(actor.id, "shape_keys", shape.id), kind="marks", label=shape.name, depth=1, source=self,
                    content=shape, muted=shape.mute,
                )  # fmt: skip

    def span_edit(self, block: TimeBlock, span: Span | None) -> Edit:
        old, target = block.shown, self._target(block.actor, block.id)
        assert span is not None, "it never lasts always"
        assert target is not None, "a row of it"
        moved = span.start - old.start
        if moved == span.end - old.end:
            return edit("set_shape_target", actor=block.actor, target=block.id, time=target.time + moved)
        before, after = max(target.time - span.start, LEAST), max(span.end - target.time, LEAST)
        return edit("set_shape_target", actor=block.actor, target=block.id, before=before, after=after)

    def removal(self, row: Row) -> Edit | None:
        if row.block is None:
            return None  # a key is taken away where its slider is
        return edit("remove_shape_target", actor=row.actor, target=row.path[-1])

    @property
    def chosen(self) -> str | None:
        target = self._current.target
        return None if target is None else target.id

    def choose(self, id: str) -> None:
        self._current.choose(id)

    def is_missed(self, row: Row) -> bool:
        told = self._current.told
        found = None if told is None or told.actor != row.actor else told.told(row.path[-1])
        return found is not None and not found.met

    def drag(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, grip: SheetGrip) -> ViewDrag | None:
        row = grip.row
        assert row is not None, "dragged by a part of it"
        if row.block is not None:
            return None
        assert isinstance(row.content, BlendShape), "made by rows"
        return ShapeKeyDrag(sheet, at, modifiers, actor=row.actor, shape=row.content, time=grip.time)

    def grip_at(self, sheet: DopeSheet, row: Row, at: QPointF) -> SheetGrip | None:
        assert isinstance(row.content, BlendShape), "made by rows"
        time = nearest_key(sheet, row.content, at)
        return None if time is None else SheetGrip(row=row, time=time)

    def paint(self, painter: QPainter, sheet: DopeSheet, row: Row, y: float, theme: Theme) -> None:
        shape = row.content
        assert isinstance(shape, BlendShape), "made by rows"
        assert shape.track is not None, "only keyed shapes have rows"
        drag, middle = sheet.drag, y + 0.5 * sheet.row_height
        held = drag.times if isinstance(drag, ShapeKeyDrag) and drag.shape == shape.id else None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.field), 1.0))
        for key in shape.track.keys:
            time = key.time if held is None or key.time != held[0] else held[1]
            x = sheet.x_of(time)
            if sheet.left - SIZE <= x <= sheet.viewport().width() + SIZE:
                share = 0.35 if row.muted else 0.45 + 0.55 * min(abs(key.value), 1.0)
                painter.setBrush(QColor(mix(theme.field, theme.text_quiet, share)))
                corners = (-SIZE, 0.0), (0.0, -SIZE), (SIZE, 0.0), (0.0, SIZE)
                painter.drawPolygon(QPolygonF([QPointF(x + dx, middle + dy) for dx, dy in corners]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def tip(self, sheet: DopeSheet, row: Row, time: int) -> str:
        if isinstance(row.content, BlendShape):
            keys = () if row.content.track is None else row.content.track.keys
            value = next((each.value for each in keys if each.time == time), None)
            if value is None:
                return row.label
            return f"{row.label}: {value:.2f} at frame {frame_text(time, sheet.axis.rate)}\nDrag it in time"
        target, told = self._target(row.actor, row.path[-1]), self._current.told
        if target is None:
            return ""
        found = None if told is None or told.actor != row.actor else told.told(target.id)
        text = missed_text(found, target, swings=self._current.motion.on)
        where = frame_text(target.time, sheet.axis.rate)
        return f"{target.name}, at frame {where}\n{text}\nDrag it in time, or an end for how long it is eased."

    def _target(self, actor: str, id: str) -> ShapeTarget | None:
        document = self._session.document
        surface = document.actor(actor).part(BlendShapes) if actor in document.actor_index else None
        return None if surface is None else surface.target(id)


def target_span(target: ShapeTarget) -> Span:
    """The span of a target's correction; both its eases end at the target's time."""
    bell = target.bell
    return Span(start=bell.start, end=bell.end, ease_in=bell.before, ease_out=bell.after)
