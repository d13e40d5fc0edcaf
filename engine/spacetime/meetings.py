"""When a moment of one plan comes in another: meetings stand in the plan of one actor, whose stages say when. Knows
documents alone."""

from __future__ import annotations

from engine.spacetime.parts import Spacetime

BORDER = 4
"""Ticks beside an end of a stage within which a time is that end: lengths are rounded to ticks."""


def moment_of(plan: Spacetime, tick: int, *, later: bool = False) -> tuple[str, float] | None:
    """The stage of a plan at a tick, and which share of it has passed; None outside of the plan. Where two stages meet
    it is the end of the earlier one, or the begin of the `later` one."""
    borders = plan.borders
    if not borders[0] - BORDER <= tick <= borders[-1] + BORDER:
        return None
    last = len(plan.stages) - 1
    for at, end in enumerate(borders[1:]):
        if tick < end - BORDER or at == last or (tick <= end + BORDER and not later):
            begin = borders[at]
            share = (tick - begin) / (end - begin)
            near = 0.0 if abs(tick - begin) <= BORDER else 1.0 if abs(tick - end) <= BORDER else share
            return plan.stages[at].id, near
    raise AssertionError("the last stage has the rest")
