"""A fair reference for inverse kinodynamics: which targets a Newton iteration on finite differences finds.

Levenberg's iteration on the misses r of one target by the corrections x of the rates that may move it, with the slopes
J from forward differences of whole windows in each iteration,

    d = -J^T (J J^T + mu |r|^2 1)^-1 r,

mu a fifth after a step that lessens the error and six times as much after one that does not. It shares nothing with
`engine.targets.search` but the simulation and what is missed. It begins without corrections; where a pose that
meets the target statically differs from the secondary motion; half way there; and twice by chance about that pose. Each
start has all simulations to itself, and what a target asks for at one trial counts as one, also where a velocity takes
three windows. A target that one of the starts finds within the tolerances is reachable.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.targets.equations import TimedGoal
from engine.targets.nodes import Group, gather_nodes
from engine.targets.options import Effort
from engine.targets.steering import Steering, mobility_of

SIMULATIONS = 500
_STEP = 1e-4  # [rad] of finite differences
_CHANCES, _ABOUT, _SEED = 2, 0.15, 23  # starts by chance; [rad] about the pose
_FIRST, _LEAST, _MOST = 1e-2, 1e-8, 1e12  # of mu


class Newton:
    """One target."""

    def __init__(self, kino: KinoModel, keyed: Keyed, goal: TimedGoal) -> None:
        self.group = Group(kino, keyed, gather_nodes([goal]), kino.new_state())
        self.steering = Steering(self.group, mobility_of(kino.gains))
        self.rates, self.rows, self.effort = self.steering.rates[0], len(self.group.basis.rows), Effort()

    def finds(self, simulations: int = SIMULATIONS) -> bool:
        """Whether one of the starts comes to the target."""
        return any(self._iterate(start, simulations) for start in self._starts())

    def _starts(self) -> Iterator[Array]:
        nothing = np.zeros((self.rows, len(self.rates)))
        yield nothing.ravel()
        state = self.group.states(0, self._wanted(nothing.ravel()))[0]
        if state is None:
            return
        pose, rng = nothing.copy(), np.random.default_rng(_SEED)
        pose[0] = self.steering.displacement(0, state)[0][self.rates]
        yield pose.ravel()
        yield 0.5 * pose.ravel()
        for _ in range(_CHANCES):
            about = pose.copy()
            about[0] += _ABOUT * rng.normal(size=len(self.rates))
            yield about.ravel()

    def _iterate(self, x: Array, simulations: int) -> bool:
        """From x, until `simulations` have been spent; misses in tolerances."""
        last = self.group.simulations + simulations * len(self.group.nodes[0].ends)
        r, mu = self._missed(x[None])[0], _FIRST
        while self.group.simulations < last and np.abs(r).max() > 1.0 and np.isfinite(r).all():
            j = (self._missed(x + _STEP * np.eye(len(x))) - r).T / _STEP
            normal = j @ j.T
            scale = float(np.trace(normal)) / len(r)
            if not np.isfinite(scale) or scale == 0.0:
                return False
            while self.group.simulations < last:
                damping = mu * min(float(r @ r), scale) + 1e-12 * scale
                d = -j.T @ np.linalg.solve(normal + damping * np.eye(len(r)), r)
                tried = self._missed((x + d)[None])[0]
                if np.linalg.norm(tried) < np.linalg.norm(r):
                    x, r, mu = x + d, tried, max(0.2 * mu, _LEAST)
                    break
                mu *= 6.0
                if mu > _MOST:
                    return False
        return bool(np.linalg.norm(r) <= 1.0)

    def _wanted(self, x: Array) -> Array:
        found = np.zeros((len(np.atleast_2d(x)), self.rows, self.group.model.rate_count))
        found[:, :, self.rates] = np.atleast_2d(x).reshape(-1, self.rows, len(self.rates))
        return found

    def _missed(self, x: Array) -> Array:
        found = []
        for state in self.group.states(0, self._wanted(x)):
            if state is None:
                found.append(np.full(1, np.inf))
                continue
            residuals = self.group.residuals(0, state)
            found.append(
                np.concatenate([residual.error / self._tolerance(residual.is_velocity) for residual in residuals])
            )
        most = max(len(each) for each in found)
        return np.array([each if len(each) == most else np.full(most, np.inf) for each in found])

    def _tolerance(self, is_velocity: bool) -> float:
        return self.effort.velocity_tolerance if is_velocity else self.effort.tolerance
