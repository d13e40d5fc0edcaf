"""Axes of plots: where a value lies, linear or logarithmic, and which values are named on the axis."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class AxisScale:
    """Values from `low` to `high` laid over pixels from `first` to `last`."""

    low: float
    high: float
    first: float
    last: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a value; one beyond the ends lies on the nearer end."""
        low, high, value = (self._part(each) for each in (self.low, self.high, value))
        share = min(max((value - low) / (high - low), 0.0), 1.0)
        return self.first + share * (self.last - self.first)

    def ticks(self) -> list[float]:
        """Round values, about six of them; powers of ten on a logarithmic axis."""
        if self.log:
            low, high = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            return [10.0**power for power in range(low, high + 1, max(1, (high - low) // 8))]
        rough = (self.high - self.low) / 6.0
        power = 10.0 ** math.floor(math.log10(rough))
        step = power * next(each for each in (1.0, 2.0, 5.0, 10.0) if each * power >= rough)
        first, count = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [each * step for each in range(first, count + 1)]

    def _part(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.log else value


def spread(values: Iterable[float], *, first: float, last: float, log: bool = False) -> AxisScale:
    """The scale that holds all finite values (all positive ones, where it is logarithmic)."""
    kept = [each for each in values if math.isfinite(each) and (each > 0.0 or not log)]
    low, high = (min(kept), max(kept)) if kept else (1.0, 10.0)
    if log:
        low, high = 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high) - 1e-9)
        return AxisScale(low=low, high=high if high > low else 10.0 * low, first=first, last=last, log=True)
    room = 0.05 * (high - low) or 1.0
    return AxisScale(low=low - room, high=high + room, first=first, last=last)


def label(value: float) -> str:
    """A value on an axis."""
    return f"{value:.4g}"
