"""How many sub-steps a step of given length takes.

Water may cross `courant` cells in a sub-step. The speed that counts is the largest of water and solids, with what
gravity can add over the step: u + g dt, as long as the free fall across the tank is not passed. Sub-steps divide the
step evenly, so that they follow from the state at its beginning alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import Diverged, InvalidArguments


def fastest(velocities: Sequence[Array]) -> float:
    """Give the largest speed along an axis [m/s], infinite where something is no number."""
    most = 0.0
    for each in velocities:
        if each.size:
            least, largest = float(each.min()), float(each.max())
            if not (math.isfinite(least) and math.isfinite(largest)):
                return math.inf
            most = max(most, -least, largest)
    return most


def substeps(speed: float, pull: float, dt: float, spacing: float, courant: float, most: int) -> int:
    """Give the number of sub-steps of a step of dt [s], for a speed [m/s] and an acceleration [m/s^2]."""
    if not math.isfinite(speed):
        raise Diverged(what="the fastest velocity of the water", value=speed)
    count = max(1, math.ceil((speed + pull * dt) * dt / (courant * spacing) - 1e-9))
    if count > most:
        raise InvalidArguments(
            what="the number of sub-steps of one step of water",
            value=count,
            allowed=f"at most {most}: water at {speed:.3g} m/s crosses cells of {spacing:.3g} m; "
            "take shorter steps, larger cells or more sub-steps",
        )
    return count


def parts(dt: float, count: int) -> Array:
    """Give the lengths of sub-steps [s]."""
    return np.full(count, dt / count)
