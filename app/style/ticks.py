"""Ticks: the round angles that are labelled along an axis of a picture."""

from __future__ import annotations

import math

STEPS = (5, 10, 15, 30, 45, 60, 90, 180)  # [degrees] between two numbers


def ticks(lower: float, upper: float, most: int) -> list[int]:
    """Return round angles [degrees] between two [rad], that many or fewer."""
    low, high = math.degrees(lower), math.degrees(upper)
    step = next((each for each in STEPS if (high - low) / each <= max(most, 1)), STEPS[-1])
    return list(range(math.ceil(low / step - 1e-6) * step, math.floor(high / step + 1e-6) * step + 1, step))


def angle_text(degrees: int) -> str:
    """Format an angle for an axis."""
    return f"{degrees}°".replace("-", "\N{MINUS SIGN}")
