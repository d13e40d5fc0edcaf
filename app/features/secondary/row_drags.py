"""Drags of targets in the timeline: one in time, an end of its bell, or of the bells of all that a rule stands for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_words import target_span
from app.timeline.changes import BlockEnd
from app.timeline.rows import Row
from app.timeline.sheet_drags import BlockDrag
from app.timeline.view_drag import ViewDrag
from engine.document import Target
from engine.document.motion import ticks_per_frame

if TYPE_CHECKING:
    from app.features.secondary.rules import Rule
    from app.timeline.sheet import DopeSheet
    from app.timeline.sheet_drags import SheetGrip


class RuleDrag(ViewDrag):
    """Drags how long the targets of a rule are eased in or out; where targets are met always, the motion follows."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, rule: Rule, grip: SheetGrip
    ) -> None:
        super().__init__(sheet, at, modifiers)
        self._current_targets, self._actor, self._grip = sheet.session.of(CurrentTargets), rule.actor.id, grip
        first = self._current_targets.seen_target(self._actor, rule.target.id) or rule.target
        self._rule = replace(rule, target=first)
        self._least = round(ticks_per_frame(sheet.axis.rate))
        self._wanted: Target | None = None
        self.eases = rule.eases  # as it is dragged

    @property
    def id(self) -> str:
        """The id of the target that stands for many."""
        return self._rule.target.id

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        grip = self._grip
        if self._is_still(at) or grip.end is None:
            return
        before, after = self._rule.eases
        if grip.end == "start":
            before = max(grip.time - self._brought(grip.time - before, at), self._least)
        else:
            after = max(self._brought(grip.time + after, at) - grip.time, self._least)
        wanted = replace(self._rule.target, width=before, after=None if after == before else after)
        if wanted != self._wanted:
            self._wanted, self.eases = wanted, (before, after)
            self._show("Set width of targets", self._current_targets.dragged(self._actor, wanted))

    def release(self) -> None:
        gesture = self._gesture
        if not gesture.is_over and self._wanted is not None and self._current_targets.automatic:
            gesture.preview(self._current_targets.dragged(self._actor, self._wanted, ends=True))
        super().release()


class TargetDrag(BlockDrag):
    """Drags a target in time, or an end of its bell; where targets are met always, the motion follows."""

    def __init__(
        self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, row: Row, end: BlockEnd
    ) -> None:
        super().__init__(sheet, at, modifiers, row=row, end=end if end in ("start", "end") else "whole")
        self._current_targets = sheet.session.of(CurrentTargets)
        self._target = self._current_targets.seen_target(self._block.actor, self._block.id)
        self._wanted: Target | None = None

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at) or self._target is None:
            return
        wanted = dragged_target(self._target, self._end, self._brought(self._held, at), self._least)
        if wanted != self._wanted:
            self._wanted, self._shown = wanted, target_span(wanted)
            label = "Move target" if wanted.time != self._target.time else "Set width of target"
            self._show(label, self._current_targets.dragged(self._block.actor, wanted))

    def release(self) -> None:
        gesture = self._gesture
        if not gesture.is_over and self._wanted is not None and self._current_targets.automatic:
            gesture.preview(self._current_targets.dragged(self._block.actor, self._wanted, ends=True))
        super().release()


def dragged_target(target: Target, what: BlockEnd, time: int, least: int) -> Target:
    """Return a target with an end of its bell moved to a tick, or (`whole`) its beginning and the rest along. Each side
    of the bell lasts `least` ticks or more."""
    bell = target.bell_at(target.time)
    start, now, end = bell.start, bell.time, bell.end
    if what == "whole":
        start, now, end = time, time + bell.before, time + bell.before + bell.after
    elif what == "start":
        start = min(time, now - least)
    else:
        end = max(time, now + least)
    width, after = now - start, end - now
    return replace(target, time=now, width=width, after=None if target.after is None and after == width else after)
