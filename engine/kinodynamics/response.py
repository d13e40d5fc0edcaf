"""Response to a jolt: the curve by which a window is chosen by hand, and the window that secondary motion suggests.

Source: Rahgoshay 2011, section 5.1: simulate the response to an impulse, and take the time after which it cannot be
seen. The impulse here is a keyed motion that stops dead: as seen from the keys each joint is then driven off at the
rate at which it was led, and all that an exact root does to what hangs from it is in the curve, too. The same pose
without a jolt is simulated beside it and taken away, so that sagging under gravity does not count.

Symbols: q coordinates, qd rates.
"""

from __future__ import annotations

import math

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.coordinates import compute_difference, integrate_coordinates, read_rates
from engine.kinodynamics.keyed import RATE, VALUE, Keyed
from engine.kinodynamics.tracking import KinoModel
from engine.kinodynamics.windows import InvalidWindow, history_window, inertial_loads, linearise
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

LONGEST = 5.0  # [s]


@dataclass(frozen=True, eq=False)
class Response:
    """The distance of every rate from where it would be without the jolt."""

    times: Array  # since the keyed motion stopped [s]
    sizes: Array  # [rad] or [m], shape [len(times), rate_count]
    window: float  # after which no size is above the least that is seen [s]; inf if that is not seen in these times


def impulse_response(kino: KinoModel, q: Array, qd: Array, least: Array, longest: float = LONGEST) -> Response:
    """A pose that the keys come to at rates qd [rad/s, m/s], and stop at; followed for at most `longest` [s]."""
    if not (math.isfinite(longest) and longest > 0.0):
        raise InvalidWindow(what="how long a jolt is followed", value=longest, allowed="above 0 s, finite")
    if not (np.asarray(least) > 0.0).all():
        raise InvalidWindow(what="the least motion that is seen", value=least, allowed="above 0")
    count = kino.mechanics.rate_count
    if np.shape(qd) != (count,) or not np.isfinite(qd).all():
        raise InvalidArguments(what="the rates of a jolt", value=qd, allowed=f"{count} finite numbers")
    steps = max(1, math.ceil(longest / kino.dt - 1e-9))
    times, moved = kino.path(0.0, steps, _stopping(kino, q, qd))
    _, at_rest = kino.path(0.0, steps, _stopping(kino, q, 0.0 * qd))
    sizes = np.empty((len(times), kino.mechanics.rate_count))
    for row, first, last in zip(sizes, at_rest, moved, strict=True):
        compute_difference(kino.mechanics.ints, first, last, row)
    seconds, sizes = times / TICKS_PER_SECOND, np.abs(sizes)
    seen = np.flatnonzero((sizes > least).any(axis=1))
    if len(seen) == 0:
        return Response(seconds, sizes, 0.0)
    last = int(seen[-1]) + 1
    return Response(seconds, sizes, float(seconds[last]) if last < len(seconds) else math.inf)


def suggest_window(kino: KinoModel, times: Array, keyed_of: Keyed, least: Array) -> float:
    """The window [s] after which a keyed motion with the accelerations that it has at these times [ticks] leaves less
    than `least` [rad, m] of what went before; about the pose in their middle. Infinite for what never comes to rest."""
    ends = np.sort(np.asarray(times, dtype=np.float64))
    if len(ends) == 0:
        raise InvalidArguments(what="the times of a motion whose window is suggested", value=[], allowed="one or more")
    beside = (ends[:, None] + 0.5 * kino.step_ticks * np.array([-1.0, 1.0])).ravel()
    motion = keyed_of(beside)
    kino.check_keys(beside[None], motion[None])
    rates = np.empty((len(motion), kino.mechanics.rate_count))
    for row, each in zip(rates, motion, strict=True):
        read_rates(kino.mechanics.ints, each[VALUE], each[RATE], row)
    largest = np.abs(rates[1::2] - rates[::2]).max(axis=0) / kino.dt
    q = np.ascontiguousarray(motion[len(motion) // 2, VALUE])
    linear = linearise(kino.mechanics, kino.gains, q)
    return history_window(linear, inertial_loads(kino.mechanics, q, largest)[linear.rates], least)


def _stopping(kino: KinoModel, q: Array, qd: Array) -> Keyed:
    """A keyed motion that comes to q at rates qd and stops there at 0."""
    ints = kino.mechanics.ints

    def keyed(times: Array) -> Array:
        motion = np.zeros((len(times), 2, len(q)))
        near = np.empty((2, len(q)))
        for row, time in zip(motion, times, strict=True):
            seconds = min(float(time), 0.0) / TICKS_PER_SECOND
            integrate_coordinates(ints, q, qd, seconds, row[VALUE])
            if time <= 0.0:
                for side, sign in enumerate((-1e-6, 1e-6)):
                    integrate_coordinates(ints, q, qd, seconds + sign, near[side])
                row[RATE] = (near[1] - near[0]) / 2e-6
        return motion

    return keyed
