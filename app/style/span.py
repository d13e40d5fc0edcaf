"""ValueRange: limits of a value, and how far a drag, a key or a notch of the wheel moves it."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt

from app.style.units import Unit, floor_of
from engine.runtime.quick_dataclass import dataclass

FINE = 0.1
UNLIMITED_STEPS_PER_PIXEL = 0.5
RATIO_PER_STEP = 1.1  # of a logarithmic scale
STEPS_PER_PIXEL = 2.0  # at most, so that a field with far limits can still be set by hand


@dataclass(frozen=True, kw_only=True)
class ValueRange:
    """Limits [SI] of a value in a unit, None for none. Ctrl makes every step ten times finer, Shift snaps to round
    numbers."""

    unit: Unit
    lower: float | None = None
    upper: float | None = None

    def clamped(self, value: float) -> float:
        """Return the nearest value within the limits."""
        if self.lower is not None and value < self.lower:
            return self.lower
        return self.upper if self.upper is not None and value > self.upper else value

    def snapped(self, value: float) -> float:
        """Return the nearest round number."""
        if self.unit.logarithmic:
            return float(f"{value:.0e}")
        grid = self.unit.coarse / self.unit.scale
        return round(value / grid) * grid

    def dragged(self, value: float, pixels: float, width: float, modifiers: Qt.KeyboardModifier) -> float:
        """Return the value after a drag over some of the `width` pixels between the limits."""
        if self.unit.logarithmic and self.upper is not None:
            floor = floor_of(self.lower)
            ratio = (self.upper / floor) ** (pixels * _fineness(modifiers) / max(1.0, width))
            return self.clamped(max(value, floor) * ratio)
        step = self.unit.step / self.unit.scale
        if self.lower is None or self.upper is None:
            per_pixel = step * UNLIMITED_STEPS_PER_PIXEL
        else:
            per_pixel = min((self.upper - self.lower) / max(1.0, width), step * STEPS_PER_PIXEL)
        return self.clamped(value + pixels * per_pixel * _fineness(modifiers))

    def stepped(self, value: float, count: float, modifiers: Qt.KeyboardModifier) -> float:
        """Return the value after some steps."""
        if self.unit.logarithmic:
            tenfold = modifiers & Qt.KeyboardModifier.ShiftModifier
            ratio = 10.0 if tenfold else RATIO_PER_STEP
            return self.clamped(max(value, floor_of(self.lower)) * math.pow(ratio, count * _fineness(modifiers)))
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            return self.clamped(self.snapped(value + count * self.unit.coarse / self.unit.scale))
        return self.clamped(value + count * self.unit.step / self.unit.scale * _fineness(modifiers))


def _fineness(modifiers: Qt.KeyboardModifier) -> float:
    return FINE if modifiers & Qt.KeyboardModifier.ControlModifier else 1.0
