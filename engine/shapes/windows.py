"""The window of a surface: after how long what happened before can no longer be seen.

Source: Rahgoshay 2011, 5.2. A point that is k(t) keyed and x(t) simulated misses its keys by e = x - k,

    e'' + 2 g e' + w^2 e = -k'',    w = 2 pi tension, g = z w the decay.

After a velocity u at once, e = u e^(-g t) sin(r t) / r, r = sqrt(w^2 - g^2), under A e^(-g t) with A = u / r;
A e^(-g d) = x_min gives d = ln(A / x_min) / g, which is (5.6). Against the printed text:

- (5.1) has c, (5.3) to (5.5) call it b; here 2 g = c / m.
- (5.2), (5.4) and (5.5) hold where b^2 > 4 m k. Below, the root is imaginary: sinh becomes sin, r is
  sqrt(4 m k - b^2) / 2m, and A = 2 J / sqrt(4 m k - b^2).
- A e^(g t) is said to bound critical damping, too, where A is infinite; there e = u t e^(-g t) itself is the bound.
- g of (5.3) is below 0, so that ln(x_min / A) / g of (5.6) is above 0 only where A > x_min; else the window is 0.
- x''_max = J / (h m) is the velocity of a single step of h. Keys accelerate for longer: what a window forgets is
  the sum over all times before it, at most a times the integral of |e| from d on, a the greatest |k''|. With the bound
  above that is a e^(-g d) / (r g), so that A = a / (r g): the window here; the printed one is
  `impulse_window`.

Rigidity adds to the stiffness of how a cluster bends, at the same damping ratio: it decays faster and asks for less.
"""

from __future__ import annotations

import math

from engine.runtime.errors import InvalidArguments

_MOST = 60.0  # [s]


def impulse_window(tension: float, ratio: float, speed: float, least: float) -> float:
    """The window after a velocity [m/s] at once, (5.6), over-damped springs by both of their exponentials [s]."""
    return _window(tension, ratio, speed, least, history=False)


def history_window(tension: float, ratio: float, acceleration: float, least: float) -> float:
    """The window that forgets less than `least` [m] of keys that accelerate by at most so much [m/s2]; [s]."""
    return _window(tension, ratio, acceleration, least, history=True)


def bound(tension: float, ratio: float, time: float, *, history: bool) -> float:
    """The most that is left after a time [s] of a unit of velocity at once, or of acceleration all the time before."""
    w = 2.0 * math.pi * tension
    g = ratio * w
    gap = g * g - w * w
    if gap > 1e-9 * w * w:
        root = math.sqrt(gap)
        slow, fast = w * w / (g + root), g + root
        if history:
            return (math.exp(-slow * time) / slow - math.exp(-fast * time) / fast) / (2.0 * root)
        peak = 0.5 * math.log(fast / slow) / root
        late = max(time, peak)
        return (math.exp(-slow * late) - math.exp(-fast * late)) / (2.0 * root)
    if g == 0.0:
        return math.inf if history else 1.0 / w
    root = math.sqrt(max(-gap, 0.0))
    if history:
        flat = math.exp(-g * time) * (time + 1.0 / g) / g
        return min(flat, math.exp(-g * time) / (root * g)) if root > 0.0 else flat
    late = max(time, 1.0 / g)
    flat = late * math.exp(-g * late)
    return min(flat, math.exp(-g * time) / root) if root > 0.0 else flat


def _window(tension: float, ratio: float, size: float, least: float, *, history: bool) -> float:
    for what, value in (("the tension", tension), ("the least motion that is seen", least)):
        if not (math.isfinite(value) and value > 0.0):
            raise InvalidArguments(what=what, value=value, allowed="above 0, finite")
    for what, value in (("the damping ratio", ratio), ("the greatest acceleration or velocity", size)):
        if not (math.isfinite(value) and value >= 0.0):
            raise InvalidArguments(what=what, value=value, allowed="0 and above, finite")
    if size == 0.0 or size * bound(tension, ratio, 0.0, history=history) <= least:
        return 0.0
    early, late = 0.0, 1e-3
    while size * bound(tension, ratio, late, history=history) > least:
        early, late = late, 2.0 * late
        if late > _MOST:
            return math.inf
    while late - early > 1e-9 * late:
        middle = 0.5 * (early + late)
        if size * bound(tension, ratio, middle, history=history) > least:
            early = middle
        else:
            late = middle
    return late
