"""Drawing of curves: a frame with its grid and numbers, and the traces of the series of one unit.

Lines are solid where they come from the curves, dashed where they are differences, grey where an edit is not worked out
yet. Brings numpy: imported once there is a plot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.features.plot.lines import FRESH, ROUGH, STALE, extent, lines
from app.features.plot.look import mark
from app.style.apply import current_theme
from app.style.chart import ChartFrame, Marks, Trace
from app.style.fonts import SMALL, scaled
from app.style.hues import hue
from app.style.scales import scale_of
from app.style.theme import mix
from engine.document.motion import TICKS_PER_SECOND
from engine.measure import ticks_between

if TYPE_CHECKING:
    from app.features.plot.curves import CurvesView
    from app.features.plot.plotting import Series

PITCH = 22  # [logical px] between numbers of a frame, at least


def frame_of(view: CurvesView, place: int, unit: str, seconds: Sequence[float]) -> ChartFrame:
    """Return the frame of a unit."""
    theme, scale, axis = current_theme(), scale_of(unit), view.axis
    rows = [(row, series) for row, series in view.rows if series.unit == unit]
    found = extent((series for _, series in rows), axis.start, axis.end)
    low, high = (0.0, 1.0) if found is None else (found[0] * scale.factor, found[1] * scale.factor)
    marks = () if found is None else _marks(low, high, view.frame_rect(place).height())
    nought = Trace(x=view.span, y=(0.0, 0.0), colour=theme.line, width=1.0)
    traces = [trace for row, series in rows for trace in _traces(view, series, hue(row, on_dark=theme.is_dark))]
    return ChartFrame(
        across=view.span,
        up=(low, high),
        traces=[nought, *traces],
        marks=[(value, text) for value, text in marks if text],
        lines=[value for value, _ in marks],
        upright=seconds,
        unit=scale.text,
    )


def _traces(view: CurvesView, series: Series, colour: str) -> Iterator[Trace]:
    """Yield a trace for each way in which numbers are known: stretches of it with gaps between."""
    theme, factor = current_theme(), scale_of(series.unit).factor
    start, second = view.axis.start, (view.axis.end - view.axis.start) / view.across
    found = lines(series, view.axis.start, view.axis.end, view.across)
    for kind in (STALE, ROUGH, FRESH):
        parts = [part for points, each in found if each == kind for part in (points, np.full((1, 2), np.nan))]
        if parts:
            points = np.concatenate(parts)
            yield Trace(
                x=(start + points[:, 0] * second) / TICKS_PER_SECOND,
                y=points[:, 1] * factor,
                colour=mix(theme.field, theme.text_faint, 0.6) if kind == STALE else colour,
                width=1.0,
                dashed=kind == ROUGH,
            )


def _marks(low: float, high: float, height: float) -> Marks:
    """Round numbers up a frame; nothing is written where it would stand over the frame's edge."""
    found = ticks_between(low, high, max(2, int(height / scaled(PITCH))))
    step = found[1] - found[0] if len(found) > 1 else abs(found[0]) if found and found[0] else 1.0
    edge = scaled(SMALL) * 0.6 * (high - low) / height
    return [(value, mark(value, step) if low + edge <= value <= high - edge else "") for value in found]
