"""The curve of an activation spline as a line, for whoever draws it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.soft.curves import sample_curve

STEPS = 12  # of a line, from control point to control point
MOST = 600


@lru_cache(maxsize=256)
def spline_line(points: tuple[Vector3, ...], curve: str) -> Array:
    """Compute a line along the curve of some control points [m], shape [count, 3]; one point alone is all of it.
    Kept, and read-only."""
    controls = np.array(points, dtype=np.float64).reshape(-1, 3)
    if len(controls) > 1:
        kind = "catmull-rom" if curve == "catmull_rom" else "b-spline"
        controls = sample_curve(controls, kind, min(STEPS * (len(controls) - 1) + 1, MOST))  # type: ignore[arg-type]
    controls.flags.writeable = False
    return controls
