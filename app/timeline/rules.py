"""Rules of the dope sheet: targets that stand for many, at keys, at marked keys or one each few frames.

A rule is one row with a mark at each of its times, which are worked out from the tracks and never set by a person, who
sets how long all of them are eased in and out. There is no item for a mark: times are one array for each rule, of which
the visible part is painted and the nearest is found. Brings numpy: not loaded before the first paint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from app.timeline.axis import frame_text
from app.timeline.rows import Path, Row
from app.timeline.view_drag import NEAR
from engine.document import Document, Layer, Target
from engine.document.motion import Rate, ticks_per_frame
from engine.document.target_times import shown_times
from engine.targets.queries.mark_targets import spot_name

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from app.timeline.sheet import DopeSheet
    from engine.targets.commands.meet_targets import TargetMet

Ints = NDArray[np.int64]
RuleEnd = Literal["start", "end"]


@dataclass(frozen=True, eq=False)
class Rule:
    """A target that stands for many, and its times."""

    actor: str
    target: Target
    times: Ints  # [ticks], rising
    layers: tuple[Layer, ...]  # what they were worked out from
    rate: Rate

    @property
    def path(self) -> Path:
        """The path of its row."""
        return self.actor, "rule", self.target.id

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


@dataclass(frozen=True)
class RuleGrip:
    """The part of a rule at a place: one of its times, and the end of its ease, if that is hit."""

    rule: Rule
    time: int
    end: RuleEnd | None


def rules_of(document: Document, rows: tuple[Row, ...], before: dict[Path, Rule]) -> dict[Path, Rule]:
    """Return the rules of a document by their rows; those whose layers are the ones of `before` are not worked out
    again."""
    found: dict[Path, Rule] = {}
    for row in rows:
        if row.rule is None:
            continue
        actor, old = document.actor(row.actor), before.get(row.path)
        if old is not None and old.target == row.rule and old.layers is actor.layers and old.rate == document.rate:
            found[row.path] = old
        else:
            times = np.array(shown_times(actor, row.rule, document.rate), dtype=np.int64)
            found[row.path] = Rule(actor.id, row.rule, times, actor.layers, document.rate)
    return found


def rule_at(sheet: DopeSheet, at: QPointF) -> RuleGrip | None:
    """Return the rule at a place: an end of the ease of a mark in the lower part of its row, else a mark or its
    bell."""
    number = sheet.row_at(at.y())
    rule = None if number is None or at.x() < sheet.left else sheet.rules.get(sheet.rows[number].path)
    if rule is None:
        return None
    pointer, reach = sheet.time_at(at.x()), NEAR * sheet.axis.ticks_per_pixel
    before, after = rule.eases
    mark = rule.nearest(pointer)
    if mark is None:
        return None
    upper = at.y() < sheet.y_of(sheet.line_at(at.y())) + 0.4 * sheet.row_height
    if upper and abs(mark - pointer) <= reach:
        return RuleGrip(rule, mark, None)
    ends: list[tuple[float, RuleEnd, int]] = []
    for end, by in (("start", -before), ("end", after)):
        time = rule.nearest(pointer - by)
        assert time is not None, "there is a mark"
        ends.append((abs(time + by - pointer), "start" if end == "start" else "end", time))
    way, found, time = min(ends)
    if way <= reach:
        return RuleGrip(rule, time, found)
    inside = mark - before - reach < pointer < mark + after + reach
    return RuleGrip(rule, mark, None) if inside else None


def met_text(report: TargetMet) -> str:
    """Report in words if a target was met."""
    return "Met" if report.met else f"Missed by {report.amount}. {report.text}"


def rule_tip(sheet: DopeSheet, grip: RuleGrip) -> str:
    """Return the tooltip of a mark of a rule: its goal, and by how much it is missed."""
    rule, rate = grip.rule, sheet.axis.rate
    owner, target = sheet.session.document.actor(rule.actor), rule.target
    who = owner.name if target.joint is None else spot_name(owner, target.joint)
    lines = [f"{who} is to be {_goal_text(target)}, at frame {frame_text(grip.time, rate)}"]
    reports = sheet.session.targets.reports_of(rule.target.id)
    report = next((each for each in reports if each.time == grip.time), None)
    if not target.on:
        lines.append("Off: it is not met")
    elif report is not None:
        lines.append(met_text(report))
    else:
        own = any(each.time == grip.time for each in sheet.session.targets.targets if each.source == "own")
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
