"""Ticks: round numbers along an axis."""

from __future__ import annotations

import math

_STEPS = (1.0, 2.0, 5.0, 10.0)


def ticks_between(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from one to another: steps of 1, 2 or 5 times a power of ten, no more than `most` spans."""
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * each for each in _STEPS if power * each >= raw * (1.0 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [each * step for each in range(first, last + 1)]
