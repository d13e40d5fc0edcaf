"""Scales: how quantities that the engine gives in SI units are read on screen."""

from __future__ import annotations

import math

from engine.runtime.quick_dataclass import dataclass

_POWERS = str.maketrans("23", "²³")


@dataclass(frozen=True)
class UnitScale:
    """A unit on screen: what is shown is the SI number times `factor`."""

    text: str
    factor: float = 1.0

    def number(self, value: float) -> str:
        """Format a number without its unit; with a true minus sign, or a dash where it is not known."""
        if not math.isfinite(value):
            return "–"
        shown = value * self.factor
        text = f"{shown:.1f}" if self.text in ("°", "cm") else f"{shown:.4g}"
        if float(text) == 0.0:
            text = text.removeprefix("-")
        return text.replace("-", "\N{MINUS SIGN}")


def scale_of(unit: str) -> UnitScale:
    """Return the scale of an SI unit: turns in degrees, lengths in centimetres, all else as it is."""
    if unit == "m":
        return UnitScale("cm", 100.0)
    if unit == "1":
        return UnitScale("")
    factor = math.degrees(1.0) if unit.startswith("rad") else 1.0
    return UnitScale(unit.replace("rad", "°").translate(_POWERS), factor)
