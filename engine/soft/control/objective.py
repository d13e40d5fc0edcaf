"""Objectives of controlled motion: how dear the controls are, and how far bodies are from keyframes (Engell-Norregard
2012, 104 to 106, and section 28).

    squares   phi = |a|^2 / 2 + beta / 2 sum_j |a^j - a^{j-1}|_1 + mu / 2 sum_i w_i |q^i - goal_i|^2       (104, 105)
    sparse    the same with (|a|_1)^2 in the place of |a|^2 / 2                                            (106)

with the 1-norm smoothed, |u| ~ sqrt(u^2 + eps^2) - eps. (106) lets the rate term run over all numbers of a, which
would take the last spline's difference to the first one's at the next time: here j counts times, and numbers of the
same control are compared. a is counted from what leaves a body passive, in units that each control has.

q^i are sums of points, S x: all points of a body (a pose), or its centre of mass alone; and their velocities, where a
keyframe has those.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft.goals import EFFORTS, Effort


class KeyMiss(NamedTuple):
    """By how much a keyframe is missed: roots of weighted mean squares; zero of what it does not want."""

    place: float  # [m]
    velocity: float  # [m/s]


@dataclass(frozen=True, kw_only=True, eq=False)
class Keyframe:
    """Where sums of points are to be after so many steps, and how fast."""

    step: int  # 1 is the end of the first step
    rows: csr_array  # S, shape [row_count, point_count]
    places: Array | None = None  # [m], shape [row_count, 3]
    velocities: Array | None = None  # [m/s]
    weights: Array  # w_i of each row
    time: float = 1.0  # [s] that a difference of velocity counts for
    counts: bool = True  # False: it is looked at, and not wanted yet

    def __post_init__(self) -> None:
        count = self.rows.shape[0]
        for what, value, shape in (
            ("the places of a keyframe", self.places, (count, 3)),
            ("the velocities of a keyframe", self.velocities, (count, 3)),
            ("the weights of a keyframe", self.weights, (count,)),
        ):
            if value is not None and (value.shape != shape or not np.isfinite(value).all()):
                raise InvalidArguments(what=what, value=value, allowed=f"finite numbers of shape {shape}")
        if self.places is None and self.velocities is None:
            raise InvalidArguments(what="a keyframe", value="nothing", allowed="places, velocities, or both")
        if self.step < 1 or (self.weights < 0.0).any():
            allowed = "a step from 1 on, and weights not below zero"
            raise InvalidArguments(what="a keyframe", value=(self.step, self.weights), allowed=allowed)

    def miss(self, x: Array, v: Array) -> tuple[float, Array, Array]:
        """Compute sum w |S x - goal|^2 / 2, velocities included, with its gradient by points and velocities."""
        if not self.counts:
            return 0.0, np.zeros(x.size), np.zeros(x.size)
        total, gradients = 0.0, []
        for state, goal, scale in ((x, self.places, 1.0), (v, self.velocities, self.time)):
            if goal is None:
                gradients.append(np.zeros(x.size))
                continue
            away = scale * (self.rows @ state.reshape(-1, 3) - goal)
            total += 0.5 * float(self.weights @ np.sum(away * away, axis=1))
            gradients.append(np.asarray(scale * (self.rows.T @ (self.weights[:, None] * away))).ravel())
        return total, gradients[0], gradients[1]

    def missed(self, x: Array, v: Array) -> KeyMiss:
        """Compute by how much it is missed."""
        whole = max(float(self.weights.sum()), 1e-300)
        found = []
        for state, goal in ((x, self.places), (v, self.velocities)):
            away = 0.0 if goal is None else np.sum((self.rows @ state.reshape(-1, 3) - goal) ** 2, axis=1)
            found.append(math.sqrt(float(np.sum(self.weights * away)) / whole))
        return KeyMiss(*found)


def pose_key(
    step: int,
    places: Array,
    *,
    first: int = 0,
    count: int | None = None,
    masses: Array | None = None,
    velocities: Array | None = None,
    weight: float = 1.0,
    time: float = 1.0,
) -> Keyframe:
    """Make a keyframe of all points of a body, those from `first` on among `count` of the scene: each counts by its
    share of the masses, or fully where there are none."""
    size = len(places)
    rows = csr_array((np.ones(size), (np.arange(size), first + np.arange(size))), (size, count or size))
    weights = np.full(size, weight) if masses is None else weight * masses / masses.sum()
    return Keyframe(step=step, rows=rows, places=places, velocities=velocities, weights=weights, time=time)


def centre_key(
    step: int,
    place: Array,
    masses: Array,
    *,
    first: int = 0,
    count: int | None = None,
    velocity: Array | None = None,
    weight: float = 1.0,
    time: float = 1.0,
) -> Keyframe:
    """Make a keyframe of the centre of mass of a body."""
    size = len(masses)
    shares = masses / masses.sum()
    rows = csr_array((shares, (np.zeros(size, np.int64), first + np.arange(size))), (1, count or size))
    velocities = None if velocity is None else np.reshape(velocity, (1, 3))
    return Keyframe(
        step=step, rows=rows, places=np.reshape(place, (1, 3)), velocities=velocities,
        weights=np.array([weight]), time=time,
    )  # fmt: skip


class Parts(NamedTuple):
    """An objective in parts, weights included."""

    effort: float
    rate: float
    keys: tuple[float, ...]  # of each keyframe

    @property
    def total(self) -> float:
        """phi."""
        return self.effort + self.rate + sum(self.keys)


@dataclass(frozen=True, kw_only=True, eq=False)
class Objective:
    """All that is wanted of a motion."""

    keys: tuple[Keyframe, ...]
    reach: float = 1.0  # mu, of keyframes
    effort: Effort = "squares"
    dear: float = 1.0  # of effort
    calm: float = 0.0  # beta, of the rate of controls
    smoothing: float = 1e-3  # eps of the 1-norms, in units of the controls

    def __post_init__(self) -> None:
        if self.effort not in EFFORTS:
            raise InvalidArguments(what="the effort of a motion", value=self.effort, allowed=", ".join(EFFORTS))
        numbers = (self.reach, self.dear, self.calm)
        if not (np.isfinite(numbers).all() and min(numbers) >= 0.0 and 0.0 < self.smoothing < np.inf):
            allowed = "weights not below zero, and a smoothing above"
            raise InvalidArguments(
                what="the weights of an objective", value=(*numbers, self.smoothing), allowed=allowed
            )

    def of_controls(self, a: Array) -> tuple[float, float, Array]:
        """Compute effort and rate of controls, shape [control_count, time_count], with their gradient by these."""
        smooth = np.sqrt(a * a + self.smoothing**2)
        if self.effort == "squares":
            effort, slope = 0.5 * float(np.sum(a * a)), a.copy()
        else:
            size = float(np.sum(smooth - self.smoothing))
            effort, slope = size * size, 2.0 * size * a / smooth
        steps = np.diff(a, axis=1)
        rates = np.sqrt(steps * steps + self.smoothing**2)
        rate, turn = 0.5 * float(np.sum(rates - self.smoothing)), 0.5 * steps / rates
        slope = self.dear * slope
        slope[:, 1:] += self.calm * turn
        slope[:, :-1] -= self.calm * turn
        return self.dear * effort, self.calm * rate, slope


def key_steps(keys: tuple[Keyframe, ...]) -> dict[int, list[int]]:
    """List the keyframes of each step, by number."""
    found: dict[int, list[int]] = {}
    for number, key in enumerate(keys):
        found.setdefault(key.step, []).append(number)
    return found
