"""Texts of the numbers along the axes of curves."""

from __future__ import annotations

import math


def mark(value: float, step: float) -> str:
    """Write a number along an axis, with as many digits as tell it from the next one."""
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0.0 else 0
    text = f"{value:.{min(digits, 9)}f}" if step >= 1e-4 and abs(value) < 1e6 else f"{value:.6g}"
    if float(text) == 0.0:
        text = text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")
