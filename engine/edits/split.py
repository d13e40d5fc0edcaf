"""A key set on a curve so that its shape stays.

A plain cubic span splits into two plain cubics with the value and slope found there; a weighted one is a Bezier curve
in time and value, split by de Casteljau's construction, which gives new slopes and weights. An `auto` key whose slope
the new neighbour would change becomes `free` with the slope it had. Beyond the ends a held or linear track goes on
in linear spans.

Exact to rounding for weights whose sum over a span is at most 1 and none of which is nearer to 0 or 1 than the margin
that evaluation keeps; a span beyond that may need a weight above 1, which is cut to 1.

Symbols: h a span [s], u the parameter of a weighted span, x shares of time, y values.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Key, Track
from engine.document.motion import THIRD, TICKS_PER_SECOND
from engine.runtime.errors import InvalidDocument

if TYPE_CHECKING:
    from engine.maths.arrays import Array

_MARGIN = 1e-4  # as engine.motion.curves.WEIGHT_MARGIN


def has_key(track: Track, time: int) -> bool:
    """Tell whether one of the keys stands on the tick."""
    place = bisect_left(track.keys, time, key=lambda key: key.time)
    return place < len(track.keys) and track.keys[place].time == time


def key_on_curve(track: Track, time: int) -> Track:
    """The track with a key on the tick and the same values at all times; the identical track where there is one."""
    if has_key(track, time):
        return track
    first, last = track.keys[0], track.keys[-1]
    early = time < first.time
    if early or time > last.time:
        if (track.before if early else track.after) in ("cycle", "cycle_offset"):
            allowed = f"{first.time} to {last.time} ticks, the keys of a cycle"
            raise InvalidDocument(what=f"the time of a new key of {track.coordinate}", value=time, allowed=allowed)
        return _keep_slopes(track, _outside(track, time))
    place = bisect_left(track.keys, time, key=lambda key: key.time) - 1
    arriving, leaving = _slopes(track)
    middle = _split(track.keys[place], track.keys[place + 1], float(leaving[place]), float(arriving[place + 1]), time)
    return _keep_slopes(track, (*track.keys[:place], *middle, *track.keys[place + 2 :]))


def end_slope(track: Track, *, first: bool) -> float:
    """The slope [unit/s] with which the curve begins or ends; what a linear extrapolation goes on with."""
    key = track.keys[0 if first else -1]
    if len(track.keys) == 1:
        return (key.slope_in if first else key.slope_out) if key.tangent == "free" else 0.0
    start, end = track.keys[:2] if first else track.keys[-2:]
    if start.interpolation == "cubic":
        arriving, leaving = _slopes(track)
        return float(leaving[0] if first else arriving[-1])
    seconds = (end.time - start.time) / TICKS_PER_SECOND
    return (end.value - start.value) / seconds if start.interpolation == "linear" else 0.0


def _outside(track: Track, time: int) -> tuple[Key, ...]:
    early = time < track.keys[0].time
    end = track.keys[0 if early else -1]
    goes_on = (track.before if early else track.after) == "linear"
    slope = end_slope(track, first=early) if goes_on else 0.0
    value = end.value + slope * ((time - end.time) / TICKS_PER_SECOND)
    made = Key(time, value, interpolation="linear", tangent="free", slope_in=slope, slope_out=slope)
    if early:
        return (made, *track.keys)
    return (*track.keys[:-1], replace(end, interpolation="linear"), replace(made, interpolation=end.interpolation))


def _split(start: Key, end: Key, m0: float, m1: float, time: int) -> tuple[Key, Key, Key]:
    share = (time - start.time) / (end.time - start.time)
    h, dv = (end.time - start.time) / TICKS_PER_SECOND, end.value - start.value
    if start.interpolation == "stepped":
        return start, Key(time, start.value, interpolation="stepped", tangent="flat"), end
    if start.interpolation == "linear":
        slope = dv / h
        value = start.value + share * dv
        return start, Key(time, value, interpolation="linear", tangent="free", slope_in=slope, slope_out=slope), end
    w0, w1 = (min(max(each, _MARGIN), 1.0 - _MARGIN) for each in (start.weight_out, end.weight_in))
    if abs(w0 - THIRD) > 1e-15 or abs(w1 - THIRD) > 1e-15:
        return _split_weighted(start, end, m0, m1, time)
    a, b, c = h * m0, 3.0 * dv - 2.0 * h * m0 - h * m1, h * m0 + h * m1 - 2.0 * dv
    value = start.value + share * (a + share * (b + share * c))
    slope = (a + share * (2.0 * b + share * 3.0 * c)) / h
    return start, Key(time, value, tangent="free", slope_in=slope, slope_out=slope), end


def _split_weighted(start: Key, end: Key, m0: float, m1: float, time: int) -> tuple[Key, Key, Key]:
    share = (time - start.time) / (end.time - start.time)
    h, dv = (end.time - start.time) / TICKS_PER_SECOND, end.value - start.value
    w0, w1 = (min(max(each, _MARGIN), 1.0 - _MARGIN) for each in (start.weight_out, end.weight_in))
    u = _solve(share, w0, 1.0 - w1)
    x01, x012, x, x123, x23 = _casteljau((0.0, w0, 1.0 - w1, 1.0), u)
    _, y012, y, y123, _ = _casteljau((0.0, w0 * h * m0, dv - w1 * h * m1, dv), u)
    slope = (y123 - y012) / ((x123 - x012) * h)
    made = Key(
        time,
        start.value + y,
        tangent="free",
        slope_in=slope,
        slope_out=slope,
        weight_in=_weight((x - x012) / x),
        weight_out=_weight((x123 - x) / (1.0 - x)),
    )
    before = replace(start, weight_out=_weight(x01 / x))
    return before, made, replace(end, weight_in=_weight((1.0 - x23) / (1.0 - x)))


def _casteljau(points: tuple[float, float, float, float], u: float) -> tuple[float, float, float, float, float]:
    """The inner points of both halves and the point between them."""
    p0, p1, p2, p3 = points
    p01, p12, p23 = p0 + u * (p1 - p0), p1 + u * (p2 - p1), p2 + u * (p3 - p2)
    p012, p123 = p01 + u * (p12 - p01), p12 + u * (p23 - p12)
    return p01, p012, p012 + u * (p123 - p012), p123, p23


def _solve(share: float, x1: float, x2: float) -> float:
    """The u at which a share of the time has passed: Newton's method, kept in bounds."""
    low, high, u = 0.0, 1.0, share
    for _ in range(80):
        v = 1.0 - u
        error = 3.0 * u * v * v * x1 + 3.0 * u * u * v * x2 + u**3 - share
        if error == 0.0:
            break
        low, high = (low, u) if error > 0.0 else (u, high)
        steepness = 3.0 * (v * v * x1 + 2.0 * u * v * (x2 - x1) + u * u * (1.0 - x2))
        ahead = u - error / steepness if steepness > 1e-12 else -1.0
        if not low < ahead < high:
            ahead = 0.5 * (low + high)
        if abs(ahead - u) < 2e-16:
            break
        u = ahead
    return u


def _weight(weight: float) -> float:
    return min(max(weight, 0.0), 1.0)


def _keep_slopes(old: Track, keys: tuple[Key, ...]) -> Track:
    """The new keys, those of the old ones made free whose automatic slope would not be what it was."""
    new = replace(old, keys=keys)
    arriving, leaving = _slopes(old)
    before = {key.time: (float(arriving[n]), float(leaving[n])) for n, key in enumerate(old.keys)}
    arriving, leaving = _slopes(new)
    kept = []
    for place, key in enumerate(keys):
        was = before.get(key.time)
        if was is not None and key.tangent == "auto" and was != (float(arriving[place]), float(leaving[place])):
            key = replace(key, tangent="free", slope_in=was[0], slope_out=was[1])
        kept.append(key)
    return replace(old, keys=tuple(kept))


def _slopes(track: Track) -> tuple[Array, Array]:
    """Slopes into and out of every key. Loaded here, with numpy, which the window is painted without."""
    from engine.motion.tangents import slopes

    return slopes(track)
