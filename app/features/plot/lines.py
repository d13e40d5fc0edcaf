"""Lines: the numbers of a series as lines on the screen, over the times that are seen.

Where there are more times than columns of pixels a column shows its least and its largest number, so that no peak is
lost. Brings numpy: for use once there is a plot.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from app.features.plot.plotting import Series

Array = NDArray[np.float64]
NOTHING, FRESH, ROUGH, STALE = range(4)


def lines(series: Series, start: float, end: float, width: float) -> list[tuple[Array, int]]:
    """Points (x [px], number) of each stretch of times that are known alike, and how: fresh, by differences, stale."""
    part = seen(series, start, end)
    x = np.asarray((series.times[part] - start) * (width / (end - start)), dtype=np.float64)
    values, kinds = series.values[part], _kinds(series, part)
    bounds = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    found = []
    for low, high in pairwise(bounds):
        if high > low and kinds[low] != NOTHING:
            stop = high + 1 if high < len(kinds) and kinds[high] != NOTHING else high
            found.append((thinned(x[low:stop], values[low:stop]), int(kinds[low])))
    return found


def seen(series: Series, start: float, end: float) -> slice:
    """Return the times between two, and one more on each side."""
    first, last = np.searchsorted(series.times, (start, end), side="left").tolist()
    return slice(max(first - 1, 0), last + 1)


def thinned(x: Array, values: Array) -> Array:
    """Points, no more than two for each column of pixels that holds several."""
    if len(x) <= 2.0 * (x[-1] - x[0]) + 2.0:
        return np.stack((x, values), axis=1)
    starts = np.concatenate(([0], np.flatnonzero(np.diff(np.floor(x))) + 1))
    low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    rises = values[np.append(starts[1:], len(x)) - 1] >= values[starts]
    found = np.empty((2 * len(starts), 2))
    found[:, 0] = np.repeat(x[starts], 2)
    found[0::2, 1], found[1::2, 1] = np.where(rises, low, high), np.where(rises, high, low)
    return found


def extent(several: Iterable[Series], start: float, end: float) -> tuple[float, float] | None:
    """Return the least and the largest number that is seen, a little apart even where all are the same."""
    parts = [each.values[seen(each, start, end)] for each in several]
    known = [part[np.isfinite(part)] for part in parts]
    known = [part for part in known if len(part)]
    if not known:
        return None
    low, high = min(float(part.min()) for part in known), max(float(part.max()) for part in known)
    slack = 0.06 * (high - low)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-3):
        slack = max(0.5 * abs(low), 1e-3)
    return low - slack, high + slack


def value_at(series: Series, time: int) -> float:
    """Return the number at a time; between two frames on the straight line between theirs; none outside."""
    place = int(np.searchsorted(series.times, time))
    if place < len(series.times) and int(series.times[place]) == time:
        return float(series.values[place])
    if not 0 < place < len(series.times):
        return float("nan")
    part = slice(place - 1, place + 1)
    return float(np.interp(time, series.times[part], series.values[part]))


def _kinds(series: Series, part: slice) -> NDArray[np.int8]:
    found = np.full(len(series.values[part]), FRESH, dtype=np.int8)
    found[series.by_differences[part]] = ROUGH
    found[~series.fresh[part]] = STALE
    found[~np.isfinite(series.values[part])] = NOTHING
    return found
