"""The least value of a short sum of sinusoids over an interval,

    h(x) = a cos x + b sin x + c cos 2x + d sin 2x,   lower <= x <= upper.

A squared length of rows that are affine in cos x and sin x has this form. Without the second harmonic the minimum is
atan2(-b, -a); with it h has up to two minima: both are bracketed by samples and found by Newton's method, kept inside
its bracket.

x: [rad]. An interval longer than a turn is looked at from -pi to pi.
"""

from __future__ import annotations

import math

from engine.runtime.jit import kernel

_SAMPLES = 16
_NEGLIGIBLE = 1e-12


@kernel
def sum_sinusoids(a: float, b: float, c: float, d: float, x: float) -> float:
    """h(x)."""
    cosine, sine = math.cos(x), math.sin(x)
    return a * cosine + b * sine + c * (cosine * cosine - sine * sine) + 2.0 * d * cosine * sine


@kernel
def minimise_sinusoid(a: float, b: float, lower: float, upper: float) -> float:
    """Find where a cos x + b sin x is least: its minimum, or the better end where that lies outside."""
    best = math.atan2(-b, -a)
    for turns in range(3):
        x = best + 2.0 * math.pi * (turns if turns < 2 else -1)
        if lower <= x <= upper:
            return x
    at_lower, at_upper = a * math.cos(lower) + b * math.sin(lower), a * math.cos(upper) + b * math.sin(upper)
    return lower if at_lower <= at_upper else upper


@kernel
def narrow_sinusoids(a: float, b: float, c: float, d: float, lower: float, x: float, upper: float) -> float:
    """The minimum of h near x, between two bounds beyond which h is no less."""
    for _ in range(60):
        cosine, sine = math.cos(x), math.sin(x)
        twice, both = cosine * cosine - sine * sine, 2.0 * cosine * sine
        slope = b * cosine - a * sine + 2.0 * (d * twice - c * both)
        curvature = -a * cosine - b * sine - 4.0 * (c * twice + d * both)
        if slope > 0.0:
            upper = x
        else:
            lower = x
        following = x - slope / curvature if curvature > 0.0 else lower - 1.0
        if not lower <= following <= upper:
            following = 0.5 * (lower + upper)
        if abs(following - x) <= 1e-15 or upper - lower <= 1e-15:
            break
        x = following
    return x


@kernel
def minimise_sinusoids(a: float, b: float, c: float, d: float, lower: float, upper: float) -> float:
    """Find where h is least; 0, or the bound nearest to it, where h is flat."""
    size = abs(a) + abs(b) + abs(c) + abs(d)
    if size <= 1e-300:
        return min(max(0.0, lower), upper)
    if abs(c) + abs(d) <= _NEGLIGIBLE * size:
        return minimise_sinusoid(a, b, lower, upper)
    lower, upper = max(lower, -math.pi), min(upper, math.pi)
    width = (upper - lower) / _SAMPLES
    best = lower
    least = sum_sinusoids(a, b, c, d, lower)
    before, here = math.inf, least
    for each in range(_SAMPLES + 1):
        x = lower + each * width
        after = sum_sinusoids(a, b, c, d, x + width) if each < _SAMPLES else math.inf
        if here <= before and here <= after:
            found = narrow_sinusoids(a, b, c, d, max(lower, x - width), x, min(upper, x + width))
            value = sum_sinusoids(a, b, c, d, found)
            if value < least:
                best, least = found, value
        before, here = here, after
    at_upper = sum_sinusoids(a, b, c, d, upper)
    return upper if at_upper < least else best
