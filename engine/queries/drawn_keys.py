"""Keys of a curve that was drawn by hand: few cubic ones with tangents of their own accord, within a tolerance. No
kernel.

Keys are put in greedily: the first and the last place of the line, then time after time the place where the curve of
the keys so far is furthest from the line, until it is within the tolerance at each place or there are too many.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document import Key, Track
from engine.maths.arrays import Array
from engine.queries.outline import Outline

MOST_KEYS = 200


def drawn_keys(line: Sequence[tuple[int, float]], tolerance: float) -> tuple[Key, ...]:
    """Find keys whose curve stays within a tolerance of a line of ticks and values; of places on one tick the last
    counts."""
    by_time = dict(line)
    if not by_time:
        return ()
    times = np.array(sorted(by_time), dtype=np.int64)
    values = np.array([by_time[time] for time in times.tolist()])
    chosen = sorted({0, len(times) - 1})
    while len(chosen) < min(MOST_KEYS, len(times)):
        away = np.abs(_curve(times, values, chosen) - values)
        away[chosen] = 0.0
        worst = int(np.argmax(away))
        if away[worst] <= tolerance:
            break
        chosen = sorted({*chosen, worst})
    return _keys(times, values, chosen)


def _keys(times: NDArray[np.int64], values: Array, chosen: list[int]) -> tuple[Key, ...]:
    return tuple(Key(int(times[each]), float(values[each])) for each in chosen)


def _curve(times: NDArray[np.int64], values: Array, chosen: list[int]) -> Array:
    track = Track(coordinate="drawn", keys=_keys(times, values, chosen))
    return Outline.of(track).values_at(times.astype(np.float64))
