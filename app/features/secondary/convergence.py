"""ConvergencePlot: how the error of a search for a correction fell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.style.apply import current_theme
from app.style.chart import ChartFrame, ChartView, Marks, Trace, power_text

LEAST, MOST = 1e-3, 1e12  # parts of what is allowed that are drawn
INSET = 0.03  # of the frame, left and right of the line


class ConvergencePlot(ChartView):
    """The error after each iteration, in parts of what is allowed: below the line every target is met."""

    def __init__(self) -> None:
        super().__init__("Convergence: the error after each iteration", height=84)
        self.curve: tuple[float, ...] = ()
        self.setToolTip(
            "The error after each iteration, in parts of what is allowed, 10 times less for each step down.\n"
            "Below the dashed line every target is met"
        )

    def show_curve(self, curve: tuple[float, ...]) -> None:
        """Draw this one."""
        if curve != self.curve:
            self.curve = curve
            self.draw()

    @property
    def count_text(self) -> str:
        """The number of iterations, in words."""
        count = max(len(self.curve) - 1, 0)
        return {0: "no iteration", 1: "1 iteration"}.get(count, f"{count} iterations")

    @property
    def decades(self) -> tuple[int, int]:
        """The powers of ten at the upper and the lower end of the axis."""
        logs = self._logs
        return max(1, *(math.ceil(each) for each in logs), 1), min(-1, *(math.floor(each) for each in logs), -1)

    @property
    def _logs(self) -> list[float]:
        return [
            math.log10(min(max(each, LEAST), MOST)) if math.isfinite(each) else math.log10(MOST) for each in self.curve
        ]

    def frames(self) -> Sequence[ChartFrame]:
        theme, (top, bottom), logs = current_theme(), self.decades, self._logs
        span = max(len(logs) - 1, 1)
        across = (-INSET * span, (1.0 + INSET) * span)
        met = Trace(x=across, y=(0.0, 0.0), colour=theme.text_faint, width=1.0, dashed=True)
        error = Trace(x=range(len(logs)), y=logs, colour=theme.accent, dots="all")
        marks = [(top, power_text(top)), (0.0, "met")]
        return [ChartFrame(across=across, up=(bottom - 0.2, top + 0.2), traces=[met, error], marks=marks)]

    def below(self) -> Marks:
        return [(max(len(self.curve) - 1, 1) / 2.0, self.count_text)]
