"""CurvePlot: the residual of a solve against its iterations, on a logarithmic scale, one line for each method."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.style.apply import current_theme
from app.style.chart import ChartFrame, ChartView, Marks, Trace, decades
from engine.runtime.quick_dataclass import dataclass

LEAST = 1e-12  # what a residual of 0 is drawn as
INSET = 0.02  # of the frame, left and right of the lines


@dataclass(frozen=True)
class ResidualLine:
    """Residuals after each iteration, above 0."""

    name: str
    values: tuple[float, ...]
    second: bool = False  # drawn dashed, in quiet ink


class CurvePlot(ChartView):
    """The curves of the last solve."""

    def __init__(self) -> None:
        super().__init__("Residual against iterations", height=132)
        self.lines: tuple[ResidualLine, ...] = ()
        self.setToolTip(
            "Residual against iterations of the last start: the root of r·r, in metres where goals are places"
        )

    def show_lines(self, lines: Sequence[ResidualLine]) -> None:
        """Draw these."""
        self.lines = tuple(lines)
        lengths = (
            f"{each.name}: {len(each.values)} iterations, {each.values[-1]:.2g}" for each in lines if each.values
        )
        self.setAccessibleDescription("; ".join(lengths))
        self.draw()

    @property
    def powers(self) -> tuple[int, int]:
        """The powers of ten at the lower and the upper end."""
        values = [max(value, LEAST) for line in self.lines for value in line.values]
        if not values:
            return -4, 0
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return (low, high) if high > low else (low, low + 1)

    @property
    def longest(self) -> int:
        """The number of iterations along the plot."""
        return max((len(line.values) for line in self.lines), default=0)

    def frames(self) -> Sequence[ChartFrame]:
        theme, span, (low, high) = current_theme(), max(self.longest - 1, 1), self.powers
        traces = [
            Trace(
                x=range(1, len(line.values) + 1),
                y=[math.log10(max(value, LEAST)) for value in line.values],
                colour=theme.text_faint if line.second else theme.accent,
                dashed=line.second,
                dots="last",
            )
            for line in sorted(self.lines, key=lambda line: not line.second)
        ]
        across = (1.0 - INSET * span, 1.0 + (1.0 + INSET) * span)
        marks = decades(low, high, most=6)
        lines = [power for power, _ in marks]
        return [ChartFrame(across=across, up=(low - 0.1, high + 0.1), traces=traces, marks=marks, lines=lines)]

    def below(self) -> Marks:
        if not self.longest:
            return [(1.5, "no solve yet")]
        last = self.longest
        return [(1.0, "1"), ((1.0 + last) / 2.0, "iterations"), (last, str(last))] if last > 1 else [(1.0, "1")]
