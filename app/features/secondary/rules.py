"""Rules of the dope sheet: targets that stand for many, at keys, at marked keys or one each few frames.

A rule is one row with a mark at each of its times, which are worked out from the tracks and never set by a person, who
sets how long all of them are eased in and out. There is no item for a mark: times are one array for each rule, of which
the visible part is painted and the nearest is found. Brings numpy: not loaded before the first paint.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.features.secondary.target_words import met_text
from app.timeline.axis import frame_text
from app.timeline.sheet_drags import SheetGrip
from app.timeline.view_drag import NEAR
from engine.document import Actor, Target
from engine.document.motion import Rate, ticks_per_frame
from engine.document.target_times import shown_times
from engine.runtime.quick_dataclass import dataclass
from engine.targets.queries.mark_targets import spot_name

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from app.features.secondary.current_targets import CurrentTargets
    from app.timeline.changes import BlockEnd
    from app.timeline.rows import Row
    from app.timeline.sheet import DopeSheet

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rule:
    """A target that stands for many, and its times."""

    actor: Actor
    target: Target
    rate: Rate
    times: Ints  # [ticks], rising

    @classmethod
    def of(cls, actor: Actor, target: Target, rate: Rate, before: Rule | None) -> Rule:
        """Make the rule of a target; where its layers are those of `before`, times are not worked out again."""
        if before is None or before.actor.layers is not actor.layers or (before.target, before.rate) != (target, rate):
            return cls(actor, target, rate, np.array(shown_times(actor, target, rate), dtype=np.int64))
        return before if before.actor is actor else replace(before, actor=actor)

    @property
    def eases(self) -> tuple[int, int]:
        """The lengths of the ease in and out of each target [ticks]."""
        return self.target.width, self.target.width if self.target.after is None else self.target.after

    def nearest(self, time: float) -> int | None:
        """Return the one of its times that is nearest to a tick."""
        if not len(self.times):
            return None
        place = int(np.searchsorted(self.times, time))
        around = self.times[max(place - 1, 0) : place + 1]
        return int(around[np.argmin(np.abs(around - time))])


def rule_at(sheet: DopeSheet, row: Row, at: QPointF) -> SheetGrip | None:
    """Return the part of a rule at a place: an end of the ease of a mark in the lower part of its row, else a mark or
    its bell."""
    rule = row.content
    assert isinstance(rule, Rule), "made by TargetRows"
    pointer, reach = sheet.time_at(at.x()), NEAR * sheet.axis.ticks_per_pixel
    before, after = rule.eases
    mark = rule.nearest(pointer)
    if mark is None:
        return None
    upper = at.y() < sheet.y_of(sheet.line_at(at.y())) + 0.4 * sheet.row_height
    if upper and abs(mark - pointer) <= reach:
        return SheetGrip(row=row, time=mark)
    ends: list[tuple[float, BlockEnd, int]] = []
    for end, by in (("start", -before), ("end", after)):
        time = rule.nearest(pointer - by)
        assert time is not None, "there is a mark"
        ends.append((abs(time + by - pointer), "start" if end == "start" else "end", time))
    way, found, time = min(ends)
    if way <= reach:
        return SheetGrip(row=row, time=time, end=found)
    inside = mark - before - reach < pointer < mark + after + reach
    return SheetGrip(row=row, time=mark) if inside else None


def rule_tip(sheet: DopeSheet, current_targets: CurrentTargets, rule: Rule, time: int) -> str:
    """Return the tooltip of a mark of a rule: its goal, and by how much it is missed."""
    owner, target, rate = rule.actor, rule.target, sheet.axis.rate
    who = owner.name if target.joint is None else spot_name(owner, target.joint)
    lines = [f"{who} is to be {_goal_text(target)}, at frame {frame_text(time, rate)}"]
    reports = current_targets.reports_of(rule.target.id)
    report = next((each for each in reports if each.time == time), None)
    if not target.on:
        lines.append("Off: it is not met")
    elif report is not None:
        lines.append(met_text(report))
    else:
        own = any(each.time == time for each in current_targets.targets if each.source == "own")
        lines.append("A target of its own counts here" if own and reports else "Not met since the last change")
    before, after = (round(each / ticks_per_frame(rate), 2) for each in rule.eases)
    lines.append(f"Eased in over {before:g} and out over {after:g} frames; drag an end for all of them.")
    return "\n".join(lines)


def _goal_text(target: Target) -> str:
    turns = target.kind == "turn"
    place, fast = "turned" if turns else "where", "turning as fast" if turns else "as fast"
    if not target.place:
        return f"{fast} as its keys have it"
    have = "as its keys have it" if turns else "its keys have it"
    return f"{place} {have}{f', and {fast}' if target.velocity else ''}"
