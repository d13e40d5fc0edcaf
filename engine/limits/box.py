"""Limits of single coordinates: P(q) = max(min(q, upper), lower)  (Engell-Norregard 2012, equation 40).

q: coordinates [rad, m]; a limit that is not there is infinite.
"""

from __future__ import annotations

from engine.runtime.jit import kernel


@kernel
def clamp_coordinate(q: float, lower: float, upper: float) -> float:
    """The nearest allowed value."""
    return min(max(q, lower), upper)
