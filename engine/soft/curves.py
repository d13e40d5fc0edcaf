"""Curves of activation splines: points that equidistant parameters give (Engell-Norregard 2012, 70 and 75).

Catmull-Rom goes through its control points, as does the last of them on either side mirrored (Catmull and Rom 1974); a
cubic B-spline is clamped, so that it begins and ends in them and lies within their hull (de Boor 1978). Two control
points make a line of either. The parameter s runs from 0 to 1 along a curve.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments

Curve = Literal["catmull-rom", "b-spline"]
CURVES: tuple[Curve, ...] = ("catmull-rom", "b-spline")
MOST_SAMPLES = 1000
MOST_CONTROLS = 1000


def sample_curve(controls: Array, curve: Curve, count: int) -> Array:
    """Compute `count` points of a curve, equidistant in its parameter, shape [count, 3] (75)."""
    controls = np.asarray(controls, dtype=np.float64)
    if controls.ndim != 2 or controls.shape[1] != 3 or not 2 <= len(controls) <= MOST_CONTROLS:
        allowed = f"2 to {MOST_CONTROLS} points of three coordinates"
        raise InvalidArguments(what="the control points of a spline", value=controls.tolist(), allowed=allowed)
    if not np.isfinite(controls).all():
        raise InvalidArguments(what="a control point", value=controls.tolist(), allowed="finite coordinates")
    if not 2 <= count <= MOST_SAMPLES:
        raise InvalidArguments(what="the points of a spline", value=count, allowed=f"2 to {MOST_SAMPLES}")
    if curve not in CURVES:
        raise InvalidArguments(what="the curve of a spline", value=curve, allowed=", ".join(CURVES))
    places = np.linspace(0.0, 1.0, count)
    return _catmull_rom(controls, places) if curve == "catmull-rom" else _b_spline(controls, places)


def _catmull_rom(controls: Array, places: Array) -> Array:
    padded = np.vstack((2.0 * controls[0] - controls[1], controls, 2.0 * controls[-1] - controls[-2]))
    spans = len(controls) - 1
    span = np.minimum((places * spans).astype(np.int64), spans - 1)
    u = (places * spans - span)[:, None]
    before, start, end, after = (padded[span + each] for each in range(4))
    first, second = end - before, 2.0 * before - 5.0 * start + 4.0 * end - after
    third = 3.0 * (start - end) + after - before
    return np.asarray(start + 0.5 * u * (first + u * (second + u * third)))


def _b_spline(controls: Array, places: Array) -> Array:
    """Evaluate by de Boor's recursion, all places at once."""
    degree = min(3, len(controls) - 1)
    spans = len(controls) - degree
    knots = np.concatenate((np.zeros(degree), np.linspace(0.0, 1.0, spans + 1), np.ones(degree)))
    span = np.minimum((places * spans).astype(np.int64), spans - 1) + degree
    work = [controls[span - degree + each] for each in range(degree + 1)]
    for level in range(1, degree + 1):
        for each in range(degree, level - 1, -1):
            low, high = knots[span - degree + each], knots[span + 1 + each - level]
            share = ((places - low) / (high - low))[:, None]
            work[each] = (1.0 - share) * work[each - 1] + share * work[each]
    return np.asarray(work[degree])
