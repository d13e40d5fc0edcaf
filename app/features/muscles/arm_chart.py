"""ArmChart: the moment arm of the chosen muscle over the range of a degree of freedom."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.style.apply import current_theme
from app.style.chart import ChartFrame, ChartView, Marks, Trace
from engine.muscles.queries.arms import ArmCurve

LEAST = 0.005  # [m] that the plot reaches at least


class ArmChart(ChartView):
    """One curve, and where the figure stands on it."""

    def __init__(self) -> None:
        super().__init__("Moment arm of the chosen muscle, over a joint's range", height=120)
        self.curve: ArmCurve | None = None
        self._turns = True
        self.setToolTip("By how much the path shortens for each radian, r = −dl/dq, all other joints as they are now")

    def show_curve(self, curve: ArmCurve | None, *, turns: bool) -> None:
        """Draw this one; of a hinge, or of a slide."""
        if (curve, turns) != (self.curve, self._turns):
            self.curve, self._turns = curve, turns
            self.setAccessibleDescription("" if curve is None else self.now_text)
            self.draw()

    @property
    def now_text(self) -> str:
        """The moment arm of now, in words."""
        if self.curve is None:
            return ""
        arm = self.curve.now_arm
        return (f"{1000.0 * arm:.1f} mm" if self._turns else f"{arm:.3f}").replace("-", "\N{MINUS SIGN}")

    def frames(self) -> Sequence[ChartFrame]:
        curve, theme = self.curve, current_theme()
        if curve is None:
            return []
        scale = 1000.0 if self._turns else 1.0
        arms = [scale * each for each in curve.arms]
        reach = 0.12 * max(max(arms) - min(arms), scale * LEAST)
        low, high = min(min(arms) - reach, 0.0), max(max(arms) + reach, 0.0)
        across = self._across(curve.values[0]), self._across(curve.values[-1])
        now = self._across(min(max(curve.now, curve.values[0]), curve.values[-1]))
        frame = ChartFrame(
            across=across,
            up=(low, high),
            traces=[
                Trace(x=across, y=(0.0, 0.0), colour=theme.text_faint, width=1.0),
                Trace(x=(now, now), y=(low, high), colour=theme.text_quiet, width=1.0, dashed=True),
                Trace(x=[self._across(each) for each in curve.values], y=arms, colour=theme.accent),
                Trace(x=(now,), y=(scale * curve.now_arm,), colour=theme.accent, dots="all"),
            ],
            marks=_marks(min(arms), max(arms)) if self._turns else [(0.0, "0")],
            unit="mm" if self._turns else "",
        )
        return [frame]

    def below(self) -> Marks:
        if self.curve is None:
            return []
        ends = self.curve.values[0], self.curve.values[-1]
        unit = "\N{DEGREE SIGN}" if self._turns else " cm"
        return [(self._across(each), f"{self._across(each):.0f}{unit}") for each in ends]

    def _across(self, value: float) -> float:
        return math.degrees(value) if self._turns else 100.0 * value


def _marks(least: float, most: float) -> Marks:
    """Name 0, and the end that is farther from it."""
    far = most if most >= -least else least
    return [(0.0, "0"), *([(far, f"{far:.0f}".replace("-", "\N{MINUS SIGN}"))] if abs(far) >= 0.5 else [])]
