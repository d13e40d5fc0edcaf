"""How curves look: their colours, and their units and numbers as they are read on screen."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.style.theme import Theme

DARK = ("#5ab4f0", "#f0913f", "#3fc79a", "#e08fc0", "#e6d04a", "#a99cf5", "#d0d3d8")
LIGHT = ("#0072b2", "#c24e00", "#00805e", "#a23b7a", "#7d6400", "#5b4fc4", "#3a3a3a")
_POWERS = str.maketrans("23", "²³")


@dataclass(frozen=True)
class Scale:
    """A unit on screen: what is shown is the SI number times `factor`."""

    text: str
    factor: float = 1.0

    def number(self, value: float) -> str:
        """A number without its unit; with a true minus sign, and none where it is not known."""
        if not math.isfinite(value):
            return "–"
        shown = value * self.factor
        text = f"{shown:.1f}" if self.text in ("°", "cm") else f"{shown:.4g}"
        if float(text) == 0.0:
            text = text.removeprefix("-")
        return text.replace("-", "\N{MINUS SIGN}")


def scale_of(unit: str) -> Scale:
    """How an SI unit is shown: turns in degrees, lengths in centimetres, all else as it is."""
    if unit == "m":
        return Scale("cm", 100.0)
    if unit == "1":
        return Scale("")
    factor = math.degrees(1.0) if unit.startswith("rad") else 1.0
    return Scale(unit.replace("rad", "°").translate(_POWERS), factor)


def colour_of(place: int, theme: Theme) -> str:
    """The colour of the curve at a place of the legend."""
    colours = DARK if theme.is_dark else LIGHT
    return colours[place % len(colours)]


def mark(value: float, step: float) -> str:
    """A number along an axis, with as many digits as tell it from the next one."""
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0.0 else 0
    text = f"{value:.{min(digits, 9)}f}" if step >= 1e-4 and abs(value) < 1e6 else f"{value:.6g}"
    if float(text) == 0.0:
        text = text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")
