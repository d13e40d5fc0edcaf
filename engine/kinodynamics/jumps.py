"""Jumps of the keyed motion within a step of the simulation: each rate is pulled as if from the jump's own time on.

A step reads keys at its end alone, and leads what is keyed by half a step: a stepped key would be felt a whole step too
early on average, and the sooner or later the window's steps happen to fall. So the goal of the step in which it jumps,
and that of the next one, count the jump by such a share that the joint by itself is where the closed form has it after
both; from then on it is there by itself, since its poles are exact.

With tau the time from the jump to the end of its step, h(t) what the joint has done of a unit jump t after it, k and p
as in `gains.py`: share = h(tau) / k, next share = (h(tau + dt) - (1 + p - k) h(tau)) / k.

Symbols: dt step [s].
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.coordinates import compute_difference, integrate_coordinates
from engine.kinodynamics.gains import ADDED, DAMPER, INERTIA, OWN, SPRING, ServoGains
from engine.maths.arrays import Array, IntArray

_LEAST = 1e-9
"""[rad] or [m] that is a jump, in the ticks on both sides of it."""


def shares_of(servo: Array, gains: ServoGains, dt: float, part: float) -> Array:
    """Find the shares by which the goals of a step and of the next one count a jump that comes when `part` of the step
    is left, shape [2, rate_count]; 1 where a joint follows exactly or not at all."""
    inertia, kp, added = servo[INERTIA], servo[SPRING] + servo[OWN], servo[ADDED]
    follows = (servo[SPRING] > 0.0) & np.isfinite(added) & (inertia > 0.0)
    shares = np.ones((2, len(kp)))
    whole = inertia[follows] + added[follows]
    k = kp[follows] * dt * dt / whole
    p = 1.0 - k - servo[DAMPER][follows] * dt / whole
    w = np.sqrt(kp[follows] / inertia[follows])
    ratio = gains.kd[follows] / (2.0 * np.sqrt(kp[follows] * inertia[follows]))
    first, second = (_risen(w, ratio, each * dt) for each in (part, part + 1.0))
    shares[0, follows] = first / k
    shares[1, follows] = (second - (1.0 + p - k) * first) / k
    return shares


def _risen(w: Array, ratio: Array, seconds: float) -> Array:
    """Compute how far a servo by itself has followed a unit jump so long after it."""
    root = np.sqrt((ratio * ratio - 1.0).astype(np.complex128))
    root = np.where(np.abs(root) < 1e-6, 1e-6, root)  # two equal poles, as of poles close together
    slow, fast = w * (-ratio + root), w * (-ratio - root)
    return np.asarray(1.0 - ((fast * np.exp(slow * seconds) - slow * np.exp(fast * seconds)) / (fast - slow)).real)


def place_jump(ints: IntArray, shares: Array, before: Array, after: Array, goals: Array) -> None:
    """Make the keyed values of a step and of the next one, [1 or 2, coordinates], count a jump from one pose to another
    by their shares."""
    jump = np.empty(shares.shape[1])
    compute_difference(ints, before, after, jump)
    if np.abs(jump).max(initial=0.0) > _LEAST:
        for row, share in zip(goals, shares, strict=False):
            integrate_coordinates(ints, row.copy(), jump * (share - 1.0), 1.0, row)
