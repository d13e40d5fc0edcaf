"""Chart: numbers of several lines at the same places along one axis, as files hold them: the CSV, NPZ and SVG of any
plot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.measure.series import Series
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True, eq=False)
class ChartLine:
    """One line of a chart."""

    label: str
    unit: str  # empty: a number without one
    values: Array  # not a number where the line has ended
    note: str = ""  # what is to be known of it

    @property
    def title(self) -> str:
        """Label and unit."""
        return f"{self.label} [{self.unit}]" if self.unit else self.label


@dataclass(frozen=True, kw_only=True, eq=False)
class Chart:
    """Lines over one axis."""

    axis: str  # with its unit: time [s]
    places: Array  # rising
    lines: tuple[ChartLine, ...]
    steep: bool = False  # values above 0 that are drawn on a logarithmic scale

    def __post_init__(self) -> None:
        if not self.lines or not len(self.places):
            raise InvalidArguments(what="the curves of a plot", value="none", allowed="one or more, with a place each")


def chart_of(series: Sequence[Series]) -> Chart:
    """Series that are whole as a chart; refused without numbers, of different times, or with times that are not worked
    out."""
    for each in series:
        if not np.array_equal(each.times, series[0].times):
            raise InvalidArguments(what=f"the times of {each.label}", value="others", allowed="those of all series")
        if not each.fresh.all() or not np.isfinite(each.values).all():
            missing = int((~each.fresh | ~np.isfinite(each.values)).sum())
            allowed = "a plot that is worked out: wait until it is whole"
            raise InvalidArguments(what=f"times of {each.label} without a number", value=missing, allowed=allowed)
    places = series[0].times / TICKS_PER_SECOND if series else np.zeros(0)
    lines = tuple(
        ChartLine(label=" ".join(each.label.split()), unit=each.unit, values=each.values, note=_note(each))
        for each in series
    )
    return Chart(axis="time [s]", places=places, lines=lines)


def _note(series: Series) -> str:
    rough = int(series.by_differences.sum())
    notes = [series.caution] if series.caution else []
    if rough:
        notes.append(f"by differences at {rough} of {len(series.times)} times")
    return "; ".join(" ".join(each.split()) for each in notes)
