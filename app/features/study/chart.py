"""StudyChart: one result of a study's rows against one of its parameters; a line for each choice of the others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from app.style.apply import current_theme
from app.style.chart import TOP, ChartFrame, ChartView, Marks, Trace
from app.style.fonts import scaled
from app.style.hues import hues
from engine.measure import ticks_between

MOST_LINES = 12  # more are drawn as points alone
PITCH = 22  # [px] between numbers beside the frame, at least
APART = 50  # [px] between those below it
Rows = Sequence[tuple[tuple[object, ...], tuple[float, ...]]]
Lines = list[tuple[tuple[object, ...], list[tuple[float, float]]]]  # points, by the values of the other parameters


class StudyChart(ChartView):
    """The chart of a table."""

    def __init__(self) -> None:
        super().__init__("A result of the study against a parameter")
        self._rows: Rows = ()
        self._across = self._up = 0
        self._lines: Lines = []

    def show_rows(self, rows: Rows, across: int, up: int) -> None:
        """Draw the result at the place `up` against the parameter at the place `across`."""
        self._rows = [each for each in rows if each[1] and _is_number(each[0][across])] if rows else ()
        self._across, self._up = across, up
        self._lines = self._sorted_into_lines()
        found = f"{len(self._rows)} rows; from {self.reach[1][0]:.4g} to {self.reach[1][1]:.4g}" if self._rows else ""
        self.setAccessibleDescription(found)
        self.draw()

    @property
    def points(self) -> list[list[tuple[float, float]]]:
        """The points of each line, from left to right; all in one where they are too many lines."""
        return [points for _, points in self._lines]

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The colour of each line, and the values of the other parameters there; nothing where there is one line."""
        theme, lines = current_theme(), self._lines
        names = [", ".join(f"{each:.4g}" if isinstance(each, float) else str(each) for each in key) for key, _ in lines]
        return list(zip(hues(len(names), on_dark=theme.is_dark), names, strict=True)) if len(lines) > 1 else []

    def _sorted_into_lines(self) -> Lines:
        lines: dict[tuple[object, ...], list[tuple[float, float]]] = {}
        for values, numbers in self._rows:
            others = tuple(each for place, each in enumerate(values) if place != self._across)
            point = (float(str(values[self._across])), numbers[self._up])
            lines.setdefault(others, []).append(point)
        several = [(key, sorted(points)) for key, points in lines.items()]
        if len(several) > MOST_LINES:
            return [((), sorted(each for _, line in several for each in line))]
        return sorted(several, key=lambda each: tuple((isinstance(one, str), one) for one in each[0]))

    @property
    def reach(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """From where to where it goes, across and up."""
        x, y = zip(*(point for line in self.points for point in line), strict=True)
        return _around(x), _around(y)

    def frames(self) -> Sequence[ChartFrame]:
        if not self._rows:
            return []
        theme, (across, up) = current_theme(), self.reach
        lines = self.points
        apart = len(lines) == 1 and len({x for x, _ in lines[0]}) < len(lines[0])
        traces = [
            Trace(
                x=[each[0] for each in _broken(line, apart)],
                y=[each[1] for each in _broken(line, apart)],
                colour=colour,
                dots="all",
            )
            for line, colour in zip(lines, hues(len(lines), on_dark=theme.is_dark), strict=True)
        ]
        beside = ticks_between(*up, most=max(1, int((self.bottom - scaled(TOP)) / scaled(PITCH))))
        below = [place for place, _ in self.below()]
        return [
            ChartFrame(
                across=across,
                up=up,
                traces=traces,
                marks=[(each, f"{each:.4g}") for each in beside],
                lines=beside,
                upright=below,
            )
        ]

    def below(self) -> Marks:
        if not self._rows:
            return []
        most = max(1, int((self.width() - scaled(60)) / scaled(APART)))
        return [(each, f"{each:.4g}") for each in ticks_between(*self.reach[0], most=most)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _around(values: Iterable[float]) -> tuple[float, float]:
    """A little more than all of them."""
    several = list(values)
    low, high = min(several), max(several)
    room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return low - room, high + room


def _broken(line: Sequence[tuple[float, float]], apart: bool) -> list[tuple[float, float]]:
    """The points, each by itself where no line goes through them."""
    nowhere = (math.nan, math.nan)
    return [each for point in line for each in (point, nowhere)] if apart else list(line)
