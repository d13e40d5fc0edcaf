"""RuleDrag: drags an end of the ease of a rule, for all its targets; else a press chooses the rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.timeline.view_drag import ViewDrag
from engine.document import Target
from engine.document.motion import ticks_per_frame

if TYPE_CHECKING:
    from app.timeline.rules import RuleGrip
    from app.timeline.sheet import DopeSheet


class RuleDrag(ViewDrag):
    """Drags how long the targets of a rule are eased in or out; where targets are met always, the motion follows."""

    def __init__(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, *, grip: RuleGrip) -> None:
        super().__init__(sheet, at, modifiers)
        self._aiming = sheet.session.targets
        first = self._aiming.seen_target(grip.rule.actor, grip.rule.target.id) or grip.rule.target
        self._grip = replace(grip, rule=replace(grip.rule, target=first))
        self._least = round(ticks_per_frame(sheet.axis.rate))
        self._wanted: Target | None = None
        self.eases = grip.rule.eases  # as it is dragged

    @property
    def id(self) -> str:
        """The id of the target that stands for many."""
        return self._grip.rule.target.id

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        grip = self._grip
        if self._is_still(at) or grip.end is None:
            return
        before, after = grip.rule.eases
        if grip.end == "start":
            before = max(grip.time - self._brought(grip.time - before, at), self._least)
        else:
            after = max(self._brought(grip.time + after, at) - grip.time, self._least)
        wanted = replace(grip.rule.target, width=before, after=None if after == before else after)
        if wanted != self._wanted:
            self._wanted, self.eases = wanted, (before, after)
            self._show("Set width of targets", self._aiming.dragged(grip.rule.actor, wanted))

    def release(self) -> None:
        gesture = self._gesture
        if not gesture.is_over and self._wanted is not None and self._aiming.automatic:
            gesture.preview(self._aiming.dragged(self._grip.rule.actor, self._wanted, ends=True))
        super().release()
