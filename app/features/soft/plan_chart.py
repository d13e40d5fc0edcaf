"""PlanChart: how the objective of a search for a motion fell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.style.apply import current_theme
from app.style.chart import ChartFrame, ChartView, Marks, Trace, power_text

INSET = 0.03  # of the frame, left and right of the line
LEAST = 1e-12  # that is drawn


class PlanChart(ChartView):
    """The objective after each iteration, on a scale of tens; it rises where another keyframe begins to count."""

    def __init__(self) -> None:
        super().__init__("Search: the objective after each iteration", height=84)
        self.curve: tuple[float, ...] = ()
        self.setToolTip(
            "What effort and missed keyframes cost, after each iteration, 10 times less for each step down.\n"
            "It rises where another keyframe begins to count"
        )

    def show_curve(self, curve: Sequence[float]) -> None:
        """Draw this one."""
        if tuple(curve) != self.curve:
            self.curve = tuple(curve)
            self.draw()

    @property
    def count_text(self) -> str:
        """The number of iterations, in words."""
        count = max(len(self.curve) - 1, 0)
        return {0: "no iteration", 1: "1 iteration"}.get(count, f"{count} iterations")

    def frames(self) -> Sequence[ChartFrame]:
        if not self.curve:
            return []
        theme, logs = current_theme(), [math.log10(max(each, LEAST)) for each in self.curve]
        bottom, top = math.floor(min(logs)), max(math.ceil(max(logs)), math.floor(min(logs)) + 1)
        span = max(len(logs) - 1, 1)
        line = Trace(x=range(len(logs)), y=logs, colour=theme.accent, dots="all")
        return [
            ChartFrame(
                across=(-INSET * span, (1.0 + INSET) * span),
                up=(bottom - 0.2, top + 0.2),
                traces=[line],
                marks=[(each, power_text(each)) for each in (top, bottom)],
                lines=list(range(bottom, top + 1)),
            )
        ]

    def below(self) -> Marks:
        return [(max(len(self.curve) - 1, 1) / 2.0, self.count_text)] if self.curve else []
