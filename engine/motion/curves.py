"""Tracks packed for the kernels: times, and the coefficients of every span between keys.

A cubic span is the Hermite cubic of its ends' values and slopes. Where a tangent's weight is not 1/3 it is a Bezier
curve in time and value with inner points (w0 h, v0 + w0 h m0) and (h - w1 h, v1 - w1 h m1), after which value is no
longer a polynomial of time. Weights are kept `WEIGHT_MARGIN` away from 0 and 1, where the rate would be infinite.

Symbols: h a span [s], v values, m slopes [unit/s], w weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.document import Track
from engine.document.motion import THIRD, TICKS_PER_SECOND, Extrapolation
from engine.maths.arrays import Array
from engine.motion.curve_kernels import CYCLE, CYCLE_OFFSET, HOLD, LINEAR, SPAN, evaluate_times
from engine.motion.tangents import slopes

Ticks = NDArray[np.int64]

WEIGHT_MARGIN = 1e-4

CODES: dict[Extrapolation, int] = {"hold": HOLD, "linear": LINEAR, "cycle": CYCLE, "cycle_offset": CYCLE_OFFSET}


def pack_track(track: Track) -> Array:
    """One read-only buffer, as `engine.motion.curve_kernels` describes it."""
    keys = track.keys
    times = np.array([key.time for key in keys], dtype=np.int64)
    values = np.array([key.value for key in keys])
    tangents = slopes(track)
    spans = _pack_spans(track, times, values, tangents)
    first_slope, last_slope = _end_slopes(track, spans, times, tangents)
    header = [
        len(keys),
        CODES[track.before],
        CODES[track.after],
        times[0],
        times[-1],
        values[0],
        values[-1],
        first_slope,
        last_slope,
    ]
    packed = np.concatenate((np.array(header, dtype=np.float64), times.astype(np.float64), spans.ravel()))
    packed.flags.writeable = False
    return packed


def evaluate_track(track: Track, times: Array) -> Array:
    """Value, rate and acceleration at many times [ticks], shape [len(times), 3]."""
    rows = np.empty((len(times), 3))
    evaluate_times(pack_track(track), 0, np.ascontiguousarray(times, dtype=np.float64), rows)
    return rows


def _pack_spans(track: Track, times: Ticks, values: Array, tangents: tuple[Array, Array]) -> Array:
    keys = track.keys
    spans = np.zeros((len(keys) - 1, SPAN))
    if not len(spans):
        return spans
    arriving, leaving = tangents
    h, dv = np.diff(times) / TICKS_PER_SECOND, np.diff(values)
    kinds = np.array([key.interpolation for key in keys[:-1]])
    cubic, linear = kinds == "cubic", kinds == "linear"
    m0, m1 = h * leaving[:-1], h * arriving[1:]
    w0 = np.clip([key.weight_out for key in keys[:-1]], WEIGHT_MARGIN, 1.0 - WEIGHT_MARGIN)
    w1 = np.clip([key.weight_in for key in keys[1:]], WEIGHT_MARGIN, 1.0 - WEIGHT_MARGIN)
    weighted = cubic & ((np.abs(w0 - THIRD) > 1e-15) | (np.abs(w1 - THIRD) > 1e-15))
    y1, y2 = w0 * m0, dv - w1 * m1
    spans[:, 0] = values[:-1]
    spans[:, 1] = np.where(weighted, 3.0 * y1, np.where(cubic, m0, np.where(linear, dv, 0.0)))
    spans[:, 2] = np.where(weighted, 3.0 * (y2 - 2.0 * y1), np.where(cubic, 3.0 * dv - 2.0 * m0 - m1, 0.0))
    spans[:, 3] = np.where(weighted, dv - 3.0 * y2 + 3.0 * y1, np.where(cubic, m0 + m1 - 2.0 * dv, 0.0))
    spans[:, 4] = np.where(weighted, w0, -1.0)
    spans[:, 5] = np.where(weighted, 1.0 - w1, -1.0)
    return spans


def _end_slopes(track: Track, spans: Array, times: Ticks, tangents: tuple[Array, Array]) -> tuple[float, float]:
    """The slopes with which the curve begins and ends [unit/s]: a linear extrapolation goes on with them."""
    keys = track.keys
    if len(keys) == 1:
        free = keys[0].tangent == "free"
        return (keys[0].slope_in, keys[0].slope_out) if free else (0.0, 0.0)
    arriving, leaving = tangents
    ends = []
    for place, slope in ((0, leaving[0]), (-1, arriving[-1])):
        secant = spans[place, 1] * TICKS_PER_SECOND / (times[1] - times[0] if place == 0 else times[-1] - times[-2])
        kind = keys[0].interpolation if place == 0 else keys[-2].interpolation
        ends.append(float(slope if kind == "cubic" else secant if kind == "linear" else 0.0))
    return ends[0], ends[1]
