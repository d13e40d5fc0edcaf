"""TargetRows: targets of secondary motion in the timeline. One of its own is a bar that is eased from both ends to its
time, as wide as the bell that corrects for it; one that stands for many is a rule: a mark at each of its times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_words import COLOUR, met_text, rule_label, target_label, target_span
from app.style.theme import Theme
from app.timeline.axis import frame_text
from app.timeline.rows import Row, RowSource, TimeBlock
from engine.document import Actor, Document, Target
from engine.document.motion import ticks_per_frame
from engine.edits import Edit, edit

if TYPE_CHECKING:
    from app.features.secondary.rules import Rule
    from app.session import Session
    from app.timeline.sheet import DopeSheet
    from app.timeline.sheet_drags import SheetGrip
    from app.timeline.view_drag import ViewDrag


class TargetRows(RowSource):
    """Targets, and rules. What paints and drags them brings numpy: not loaded before the first paint."""

    place = 40
    looks: ClassVar = {
        "target": (COLOUR, "a target is led to"),
        "rule": (COLOUR, "keys are led to, or one frame of several"),
    }
    may_last = False

    def __init__(self, session: Session) -> None:
        self._current_targets = session.of(CurrentTargets)
        self.changed = self._current_targets.changed
        self._rules: dict[str, Rule] = {}  # by the target's id, kept for the next document

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        for target in () if actor.secondary is None else actor.secondary.targets:
            if target.source == "own":
                label, span = target_label(actor, target), target_span(target)
                yield self.bar(
                    TimeBlock(kind="target", actor=actor.id, id=target.id, label=label, span=span, mute=not target.on)
                )
            else:
                yield self._marks(document, actor, target)

    def _marks(self, document: Document, actor: Actor, target: Target) -> Row:
        from app.features.secondary.rules import Rule

        before = self._rules.get(target.id)
        rule = self._rules[target.id] = Rule.of(actor, target, document.rate, before)
        return Row(
            path=(actor.id, "rule", target.id), kind="marks", label=rule_label(target), depth=1, source=self,
            content=rule, muted=not target.on,
        )  # fmt: skip

    def removal(self, row: Row) -> Edit:
        return edit("remove_targets", actor=row.actor, targets=(row.path[-1],))

    @property
    def chosen(self) -> str | None:
        return self._current_targets.chosen

    def choose(self, id: str) -> None:
        self._current_targets.choose(id)

    def is_missed(self, row: Row) -> bool:
        return any(not each.met for each in self._current_targets.reports_of(row.path[-1]))

    def drag(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, grip: SheetGrip) -> ViewDrag | None:
        from app.features.secondary.row_drags import RuleDrag, TargetDrag

        row = grip.row
        assert row is not None, "dragged by a part of it"
        if row.block is None:
            return RuleDrag(sheet, at, modifiers, rule=row.content, grip=grip)  # type: ignore[arg-type]
        return TargetDrag(sheet, at, modifiers, row=row, end=grip.end or "whole")

    def grip_at(self, sheet: DopeSheet, row: Row, at: QPointF) -> SheetGrip | None:
        from app.features.secondary.rules import rule_at

        return rule_at(sheet, row, at)

    def paint(self, painter: QPainter, sheet: DopeSheet, row: Row, y: float, theme: Theme) -> None:
        from app.features.secondary.rules_painter import paint_rule

        paint_rule(painter, sheet, row.content, y, theme)  # type: ignore[arg-type]

    def tip(self, sheet: DopeSheet, row: Row, time: int) -> str:
        if row.block is None:
            from app.features.secondary.rules import rule_tip

            return rule_tip(sheet, self._current_targets, row.content, time)  # type: ignore[arg-type]
        rate, span = sheet.axis.rate, row.block.shown
        first, frames = frame_text(span.start + span.ease_in, rate), ticks_per_frame(rate)
        before, after = (round(each / frames, 2) for each in (span.ease_in, span.ease_out))
        text = f"{row.label}{', left out' if row.muted else ''}, at frame {first}\n"
        for report in self._current_targets.reports_of(row.block.id):
            text += f"{met_text(report)}\n"
        text += f"Eased in over {before:g} and out over {after:g} frames"
        return f"{text}\nDrag it in time, or an end for how long its correction is eased."
