"""StageTimes: when the stages of a planned motion are shown, in ticks. Stages of a free length are as long as they were
found, others as long as they are set."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Literal

from engine.document.ticks import TICKS_PER_SECOND, Rate, ticks_per_frame
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMeeting

StageEnd = Literal["start", "border", "least", "most", "whole"]


@dataclass(frozen=True)
class StageTimes:
    """A plan, and the ticks at which its stages begin, with that at which the last ends."""

    plan: Spacetime
    borders: tuple[int, ...]

    def span(self, stage: str) -> tuple[int, int]:
        """The ticks between which a stage stands."""
        at = self.number(stage)
        return self.borders[at], self.borders[at + 1]

    def number(self, stage: str) -> int:
        """The number of a stage."""
        return next(number for number, each in enumerate(self.plan.stages) if each.id == stage)

    def tick(self, stage: str, share: float) -> int:
        """The tick of a share of a stage."""
        start, end = self.span(stage)
        return start + round(share * (end - start))

    def when(self, constraint: SpacetimeConstraint | SpacetimeMeeting) -> tuple[int, int]:
        """The ticks of a constraint or a meeting: the same twice, where it is for a moment."""
        last = constraint.at if constraint.until is None else constraint.until
        return self.tick(constraint.stage, constraint.at), self.tick(constraint.stage, last)

    def free_ends(self, number: int) -> tuple[int, int] | None:
        """The ticks between which a stage of a free length may end; None of one that is fixed."""
        stage = self.plan.stages[number]
        if not stage.is_free:
            return None
        least, most = stage.lengths
        start = self.borders[number]
        return start + _ticks(least), start + _ticks(most)

    def stage_at(self, tick: float) -> int | None:
        """The number of the stage at a tick; None before and after all."""
        found = bisect_right(self.borders, tick) - 1
        return found if 0 <= found < len(self.plan.stages) else None

    def share(self, stage: str, tick: float, rate: Rate, *, snaps: bool) -> float:
        """The share of a stage that is nearest to a tick: at a frame, if it `snaps`, or at an end of the stage."""
        start, end = self.span(stage)
        length = max(end - start, 1)
        tick = min(max(tick, start), end)
        if snaps:
            frame = ticks_per_frame(rate)
            places = (start, end, min(max(round(tick / frame) * frame, start), end))
            tick = min(places, key=lambda each: abs(each - tick))
        return (tick - start) / length


def stage_times(plan: Spacetime, found: Mapping[str, float] | None = None) -> StageTimes:
    """When the stages of a plan are shown, those of a free length by their `found` lengths [s]."""
    borders, at = [plan.start], 0.0
    for stage in plan.stages:
        length, (least, most) = stage.length, stage.lengths
        if found is not None and stage.is_free:
            length = min(max(found.get(stage.id, length), least), most)
        at += length
        borders.append(plan.start + _ticks(at))
    return StageTimes(plan, tuple(borders))


def _ticks(seconds: float) -> int:
    return round(seconds * TICKS_PER_SECOND)
