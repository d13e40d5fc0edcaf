"""SearchChart: how objective and worst violation went from iteration to iteration."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.style.apply import current_theme
from app.style.chart import ChartFrame, ChartView, Marks, Trace, power_text

LEAST, MOST = 1e-9, 1e9  # of what is drawn
NEXT_TO_NOTHING = 1e-6  # of the largest objective
INSET = 0.03  # of the frame, left and right of the lines


class SearchChart(ChartView):
    """Both after each iteration, 10 times less for each step down."""

    def __init__(self) -> None:
        super().__init__("Search: objective and worst violation after each iteration", height=92)
        self.objectives: tuple[float, ...] = ()
        self.violations: tuple[float, ...] = ()
        self.at = -1  # the iterate that is looked at
        self.setToolTip(
            "After each iteration: the objective, what is to be least (the brighter line), and the demand that is "
            "missed most (dashed), each 10 times less for a step down"
        )

    def show_search(self, current: CurrentSpacetime) -> None:
        """Draw the last search."""
        iterates = current.iterates
        objectives = tuple(each.objective for each in iterates)
        violations = tuple(each.violation for each in iterates)
        at = next((at for at, each in enumerate(iterates) if each is current.motion), -1)
        if (objectives, violations, at) != (self.objectives, self.violations, self.at):
            self.objectives, self.violations, self.at = objectives, violations, at
            self.draw()

    def frames(self) -> Sequence[ChartFrame]:
        theme = current_theme()
        least = NEXT_TO_NOTHING * max(self.objectives, default=0.0)
        lines = [_logs(self.violations), _logs(each if each > least else 0.0 for each in self.objectives)]
        every = [each for line in lines for each in line if not math.isnan(each)] or [0.0]
        top, bottom = max(math.ceil(max(every)), -7), math.floor(min(every))
        bottom = min(bottom, top - 2)
        span = max(len(self.objectives) - 1, 1)
        count = range(len(self.objectives))
        traces = [
            Trace(x=count, y=lines[0], colour=theme.text_faint, width=1.2, dashed=True),
            Trace(x=count, y=lines[1], colour=theme.accent, dots="last" if _is_drawn(lines[1]) else "none"),
        ]
        if self.at >= 0:
            traces.append(Trace(x=(self.at, self.at), y=(bottom, top), colour=theme.text_quiet, width=1.0))
        marks = [(top, power_text(top)), (bottom, power_text(bottom))]
        across = (-INSET * span, (1.0 + INSET) * span)
        return [ChartFrame(across=across, up=(bottom - 0.2, top + 0.2), traces=traces, marks=marks)]

    def below(self) -> Marks:
        count = len(self.objectives) - 1
        return [(max(count, 1) / 2.0, f"{max(count, 0)} iteration{'' if count == 1 else 's'}")]


def _is_drawn(line: Sequence[float]) -> bool:
    """Tell whether the last of its points is within what is drawn."""
    return bool(line) and not math.isnan(line[-1])


def _logs(values: Iterable[float]) -> list[float]:
    """Powers of ten of sizes, kept within what is drawn; no number where one is too small for that."""
    sizes = [min(abs(each), MOST) if math.isfinite(each) else MOST for each in values]
    return [math.log10(each) if each > LEAST else math.nan for each in sizes]
