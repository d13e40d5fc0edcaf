"""ResponsePlot: how far joints are off after a jolt, against time, and where the window ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from app.style.apply import current_theme
from app.style.chart import ChartFrame, ChartView, Marks, Trace
from app.style.units import ANGLE, LENGTH, TIME, Unit
from engine.kinodynamics.queries.suggest_window import WindowFound

PIXELS = Unit(suffix=" px", words="pixels", scale=1.0, decimals=0, step=1.0, coarse=10.0)
UNITS = {"angle": ANGLE, "pixels": PIXELS, "length": LENGTH}
SHOWN = (0.5, 1.0, 2.0, 3.0)  # [s] one of these is how wide the plot is


class ResponsePlot(ChartView):
    """The curve of the last jolt."""

    def __init__(self) -> None:
        super().__init__("Angle off after a jolt, against time", height=132)
        self.found: WindowFound | None = None
        self._window = 0.0
        self.setToolTip(
            "How far the joints are from where they would be, after their keys came at 4 rad/s and stopped dead.\n"
            "Dashed: the smallest that is seen. Upright: the window of now"
        )

    def show_response(self, found: WindowFound | None) -> None:
        """Draw this one."""
        if found is not self.found:
            self.found = found
            unit = ANGLE if found is None else UNITS[found.wanted.unit]
            self.setAccessibleDescription("" if found is None else f"at most {unit.text(float(found.sizes.max()))}")
            self.draw()

    def show_window(self, seconds: float) -> None:
        """Show where the present window ends [s]."""
        if seconds != self._window:
            self._window = seconds
            self.draw()

    @property
    def extent(self) -> tuple[float, float]:
        """The time [s] and the angle [rad] at the ends of the axes."""
        if self.found is None:
            return SHOWN[0], math.radians(1.0)
        end = max(self._window, min(self.found.settled, SHOWN[-1]))
        wide = next((each for each in SHOWN if end <= 0.9 * each), SHOWN[-1])
        return wide, 1.1 * max(float(self.found.sizes.max()), 1.5 * self.found.wanted.least)

    @property
    def scale_text(self) -> str:
        """The upper end of the axis, in words; empty without a jolt."""
        return "" if self.found is None else UNITS[self.found.wanted.unit].text(self.extent[1])

    def frames(self) -> Sequence[ChartFrame]:
        theme, (wide, high) = current_theme(), self.extent
        marks = [(0.0, "0"), (high, self.scale_text)]
        frame = ChartFrame(across=(0.0, wide), up=(0.0, high), marks=marks, upright=[0.5 * wide])
        if self.found is None:
            return [frame]
        least = (self.found.wanted.least, self.found.wanted.least)
        traces = [Trace(x=(0.0, wide), y=least, colour=theme.text_faint, width=1.0, dashed=True)]
        if 0.0 < self._window <= wide:
            traces.append(Trace(x=(self._window,) * 2, y=(0.0, high), colour=theme.text_quiet, width=1.0))
        traces.append(Trace(x=self.found.times, y=self.found.sizes, colour=theme.accent))
        return [replace(frame, traces=traces)]

    def below(self) -> Marks:
        wide = self.extent[0]
        return [(0.0, "0"), (0.5 * wide, TIME.text(0.5 * wide)), (wide, TIME.text(wide))]
