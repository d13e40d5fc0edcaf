"""Units: how numbers that the engine holds in SI are shown and typed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field

from engine.runtime.quick_dataclass import dataclass

WHOLE, MILLIONS = 1e3, 1e9  # between these numbers over many powers of ten are written out


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A unit on screen: what is shown is the SI value times `scale`."""

    suffix: str  # with its leading space where there is one
    words: str  # for a screen reader
    scale: float
    decimals: int
    step: float  # one arrow key, in what is shown
    coarse: float  # the grid that Shift snaps to, in what is shown
    names: Mapping[str, float] = field(default_factory=dict)  # what a typed unit is worth in what is shown
    logarithmic: bool = False  # for numbers over many powers of ten: equal ways are equal ratios

    def number(self, value: float) -> str:
        """Format a value without its unit; with a true minus sign, and never a minus before zero."""
        shown = value * self.scale
        if self.logarithmic and WHOLE <= abs(shown) < MILLIONS:
            text = f"{float(f'{shown:.3g}'):,.0f}"
        else:
            text = f"{shown:.3g}".replace("e-0", "e-") if self.logarithmic else f"{shown:.{self.decimals}f}"
            text = text.removeprefix("-") if float(text) == 0.0 else text
        return text.replace("-", "\N{MINUS SIGN}")

    def text(self, value: float) -> str:
        """Format a value with its unit."""
        return self.number(value) + self.suffix

    def spoken(self, value: float) -> str:
        """Format a value for a screen reader."""
        return f"{self.number(value)} {self.words}".strip()

    def typed(self, value: float) -> str:
        """Format a value to start editing from, precise enough that leaving it alone changes nothing that can be
        seen."""
        if self.logarithmic:
            return f"{value * self.scale:.6g}"
        text = f"{value * self.scale:.{self.decimals + 2}f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text

    def share(self, value: float, lower: float, upper: float) -> float:
        """Return the place of a value between two limits [SI], 0 to 1."""
        if self.logarithmic:
            floor = floor_of(lower)
            return math.log(max(value, floor) / floor) / math.log(upper / floor)
        return (value - lower) / (upper - lower)


def floor_of(lower: float | None) -> float:
    """Return the value at which a logarithmic scale begins."""
    return lower if lower is not None and lower > 0.0 else 1e-12


_TIMES = {"ms": 0.001, "s": 1.0, "min": 60.0}
_TURNS = {"deg": 1.0, "rad": 180.0 / math.pi, "pi": math.pi}
_LENGTHS_CM = {"mm": 0.1, "cm": 1.0, "m": 100.0, "pi": math.pi}

ANGLE = Unit(suffix="°", words="degrees", scale=180.0 / math.pi, decimals=1, step=1.0, coarse=5.0, names=_TURNS)
TIME = Unit(suffix=" s", words="seconds", scale=1.0, decimals=2, step=0.05, coarse=0.5, names=_TIMES)
LENGTH = Unit(suffix=" cm", words="centimetres", scale=100.0, decimals=1, step=1.0, coarse=5.0, names=_LENGTHS_CM)
TORQUE = Unit(suffix=" N m", words="newton metres", scale=1.0, decimals=2, step=0.1, coarse=1.0)
FORCE = Unit(suffix=" N", words="newtons", scale=1.0, decimals=1, step=1.0, coarse=10.0)
SHARE = Unit(suffix=" %", words="percent", scale=100.0, decimals=0, step=5.0, coarse=25.0)
COUNT = Unit(suffix="", words="", scale=1.0, decimals=0, step=1.0, coarse=50.0)
FRAMES = Unit(suffix=" f", words="frames", scale=1.0, decimals=0, step=1.0, coarse=5.0)


def size_of(count: int) -> str:
    """Bytes as people count them."""
    if count >= 10**9:
        return f"{count / 1e9:.3g} GB"
    return f"{count / 1e6:.1f} MB" if count >= 10**6 else f"{max(count // 1000, 1)} kB"
