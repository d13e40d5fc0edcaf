"""Slopes of keys: what `auto`, `flat` and `free` tangents mean, and two ways to set free ones.

An `auto` slope is the weighted harmonic mean of the secants on both sides, and zero where these have opposite signs
(Fritsch and Butland, A method for constructing local monotone piecewise cubic interpolants, 1984), so that no span
between auto keys overshoots its ends. At an end that is held it is zero, at one that goes on linearly it is the
limited three-point formula of the same scheme, and in a cycle the neighbour across the seam counts.

Symbols: h a span between keys [s], d its secant [unit/s]. Times are ticks.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from engine.document import Key, Track
from engine.document.motion import TICKS_PER_SECOND, Extrapolation
from engine.maths.arrays import Array

CYCLES: tuple[Extrapolation, ...] = ("cycle", "cycle_offset")


def slopes(track: Track) -> tuple[Array, Array]:
    """Slope before and after each key [unit/s], each of shape [key_count]."""
    keys = track.keys
    arriving = np.array([key.slope_in if key.tangent == "free" else 0.0 for key in keys])
    leaving = np.array([key.slope_out if key.tangent == "free" else 0.0 for key in keys])
    auto = [key.tangent == "auto" for key in keys]
    if any(auto) and len(keys) > 1:
        found = automatic_slopes(track)
        arriving[auto], leaving[auto] = found[auto], found[auto]
    return arriving, leaving


def automatic_slopes(track: Track) -> Array:
    """The slopes that every key would have if it were `auto`; two keys or more."""
    h, d = _spans(track.keys)
    if track.before in CYCLES or track.after in CYCLES:
        return _harmonic(np.append(h[-1], h), np.append(h, h[0]), np.append(d[-1], d), np.append(d, d[0]))
    found = np.zeros(len(track.keys))
    found[1:-1] = _harmonic(h[:-1], h[1:], d[:-1], d[1:])
    if track.before == "linear":
        found[0] = _end_slope(h, d)
    if track.after == "linear":
        found[-1] = _end_slope(h[::-1], d[::-1])
    return found


def kochanek_bartels(
    keys: tuple[Key, ...],
    *,
    tension: float = 0.0,
    continuity: float = 0.0,
    bias: float = 0.0,
    chosen: Collection[int] | None = None,
) -> tuple[Key, ...]:
    """The keys (or those at the `chosen` places) with free tangents by tension, continuity and bias.

    Kochanek and Bartels, Interpolating splines with local tension, continuity, and bias control, 1984, equations 8
    and 9, with the paper's correction for uneven spacing; an end key takes its only secant, less the tension.
    """
    if len(keys) < 2:
        return keys
    h, d = _spans(keys)
    loose = 1.0 - tension
    made = list(keys)
    for place in range(len(keys)) if chosen is None else sorted(chosen):
        if place in (0, len(keys) - 1):
            slope_in = slope_out = loose * float(d[0 if place == 0 else -1])
        else:
            before, after = h[place - 1] * d[place - 1], h[place] * d[place]
            scale = loose / (h[place - 1] + h[place])
            early, late = 1.0 + bias, 1.0 - bias
            slope_in = scale * (early * (1.0 - continuity) * before + late * (1.0 + continuity) * after)
            slope_out = scale * (early * (1.0 + continuity) * before + late * (1.0 - continuity) * after)
        made[place] = replace(keys[place], tangent="free", slope_in=float(slope_in), slope_out=float(slope_out))
    return tuple(made)


def catmull_rom(keys: tuple[Key, ...], *, chosen: Collection[int] | None = None) -> tuple[Key, ...]:
    """The keys with the slope of the chord between their neighbours: no tension, continuity or bias."""
    return kochanek_bartels(keys, chosen=chosen)


def _spans(keys: tuple[Key, ...]) -> tuple[Array, Array]:
    times = np.array([key.time for key in keys], dtype=np.int64)
    h = np.diff(times) / TICKS_PER_SECOND
    return h, np.diff([key.value for key in keys]) / h


def _harmonic(h0: Array, h1: Array, d0: Array, d1: Array) -> Array:
    same = np.sign(d0) * np.sign(d1) > 0.0
    w0, w1 = 2.0 * h1 + h0, h1 + 2.0 * h0
    safe0, safe1 = np.where(same, d0, 1.0), np.where(same, d1, 1.0)
    with np.errstate(over="ignore"):  # beside a slope of nearly nothing the mean is nothing
        return np.where(same, (w0 + w1) / (w0 / safe0 + w1 / safe1), 0.0)


def _end_slope(h: Array, d: Array) -> float:
    if len(h) == 1:
        return float(d[0])
    slope = ((2.0 * h[0] + h[1]) * d[0] - h[0] * d[1]) / (h[0] + h[1])
    if np.sign(slope) != np.sign(d[0]):
        return 0.0
    turns = np.sign(d[0]) != np.sign(d[1])
    return float(3.0 * d[0] if turns and abs(slope) > abs(3.0 * d[0]) else slope)
