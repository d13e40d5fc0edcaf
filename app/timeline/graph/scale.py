"""ValueScale: the values that the graph shows from its lower to its upper edge, in the units in which they are read."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal

NUMBER_GAP = 44.0  # [px] between numbered lines, at least
FINEST, COARSEST = 1e-7, 1e6  # shown units across a pixel
FARTHEST = 1e9
FIT_MARGIN = 0.12  # of the height, above and below what is fitted
LEAST_RANGE = 1e-3  # fitted where values do not differ


class ValueScale(QObject):
    """Values from below to above: `low` stands at the lower edge, `per_pixel` is how far out it is zoomed."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.snapping = False  # dragged values stand on whole units
        self.low, self.per_pixel, self.height = -90.0, 180.0, 1.0

    def y_of(self, shown: float) -> float:
        """Return the y of a value [px]."""
        return self.height - (shown - self.low) / self.per_pixel

    def value_at(self, y: float) -> float:
        """Return the value at a y."""
        return self.low + (self.height - y) * self.per_pixel

    def snapped(self, shown: float) -> float:
        """Return the nearest whole unit, or the value itself where snapping is off."""
        return float(round(shown)) if self.snapping else shown

    def lines(self) -> Iterator[float]:
        """Return the round values that are numbered; no more than the height has room for."""
        step = self.step
        first = math.ceil(self.low / step)
        last = math.floor((self.low + self.height * self.per_pixel) / step)
        return (place * step for place in range(first, last + 1))

    @property
    def step(self) -> float:
        """The step between numbered lines: 1, 2 or 5 of a power of ten."""
        least = NUMBER_GAP * self.per_pixel
        power = 10.0 ** math.floor(math.log10(least))
        return next(power * each for each in (1.0, 2.0, 5.0, 10.0) if power * each >= least)

    def set_height(self, height: float) -> None:
        """Set the height on the screen [px]; the same values are shown."""
        if height > 0.0 and height != self.height:
            per_pixel = self.per_pixel * self.height / height
            self.height = height
            self._put(self.low, per_pixel, always=True)

    def fit(self, low: float, high: float) -> None:
        """Show these values, with some margin."""
        middle, reach = 0.5 * (low + high), max(high - low, LEAST_RANGE * max(1.0, abs(low))) * (0.5 + FIT_MARGIN)
        self._put(middle - reach, 2.0 * reach / self.height)

    def zoom(self, factor: float, y: float) -> None:
        """Show `factor` times as much; the value at `y` stays where it is."""
        per_pixel = min(max(self.per_pixel * factor, FINEST), COARSEST)
        self._put(self.value_at(y) - (self.height - y) * per_pixel, per_pixel)

    def pan(self, pixels: float) -> None:
        """Scroll by so many pixels down."""
        self._put(self.low + pixels * self.per_pixel, self.per_pixel)

    def _put(self, low: float, per_pixel: float, *, always: bool = False) -> None:
        per_pixel = min(max(per_pixel, FINEST), COARSEST)
        low = min(max(low, -FARTHEST), FARTHEST)
        if always or (low, per_pixel) != (self.low, self.per_pixel):
            self.low, self.per_pixel = low, per_pixel
            self.changed.emit()
