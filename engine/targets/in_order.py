"""Poses at every frame, met one after the other.

Source: Rahgoshay 2011, Algorithm 2 and section 7.4: where every frame is a target, corrections are found from frame to
frame. What makes that exact here: the two bells of a pose begin at the pose before it, so that they move no earlier one
(`easing.ordered_basis`), and what earlier ones were given is known when a pose is reached. So each pose is a Newton
problem of its own, of as many equations as it asks for rates and of twice as many unknowns, with a Jacobian measured by
finite differences: a few hundred windows, where a Jacobian of all poses at once is tens of thousands. And one that
cannot be met spoils no other.

Places alone do not say how a pose is left. The least coefficients that meet one leave a light joint with a velocity
that the next has to take out again, and so on, from side to side. So of all that meet it those are taken that miss the
velocity between the neighbours least, over a frame, and differ least from the start, each by its weight: with N what
leaves places as they are,

    J s = e,    |gap (v - V s)|^2 + rho^2 |c + s - c0|^2 least over N.

A joint that comes to its stop faster than that lets it is left out of J, and comes as near as is cheap; so is a pose
that only joints which are too fast would meet: it keeps what the search began with.

Symbols: e, v what is missing of places and velocities [rad or m, per second]; J, V how a pose and the rates at its end
answer its coefficients c; s the step; c0 where the search began; mu, rho weights.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from engine.dynamics.coordinates import compute_difference
from engine.kinodynamics.gains import LOWER, UPPER
from engine.maths.arrays import Array, IntArray
from engine.motion.curve_kernels import TICKS
from engine.targets.easing import active_rates
from engine.targets.equations import PoseEquation
from engine.targets.nodes import Group
from engine.targets.options import Effort
from engine.targets.search_state import SearchState, error_of
from engine.targets.steering import Steering

Judge = Callable[[Array, float, float], Generator[None, None, str]]
"""Say which joint coefficients make too fast between two times [ticks]; nothing where none is."""

_STEP = 1e-6  # [rad or m] of finite differences
_RHO, _PRESSED = 0.05, 10.0  # weights; the second of what a stop holds back
_LARGEST = 2.0  # [rad or m] that a coefficient changes in a step
# mu, share of the step, and how much velocities count
_TRIALS = (
    (1e-9, 1.0, 1.0),
    (1e-5, 1.0, 1.0),
    (1e-5, 0.5, 1.0),
    (1e-5, 1.0, 0.0),
    (1e-5, 0.3, 0.0),
    (1e-3, 1.0, 1.0),
    (1e-3, 0.3, 1.0),
    (1e-2, 0.3, 0.0),
)
_WELL, _LESS = 0.6, 0.98  # of what is missing: a step that leaves less needs no other; one that leaves more helps not
_ITERATIONS = 12  # of one pose
_BACK = 4  # poses that are left without what makes the last of them too fast
_AT_STOP = 0.02  # [rad or m] from a limit: a value that is wanted there may be held back by the stop


class OrderedSearch:
    """One group of poses, some of them at every frame. `group` has the basis of `easing.ordered_basis`."""

    def __init__(
        self,
        group: Group,
        mobility: Array,
        effort: Effort,
        now: SearchState,
        judge: Judge | None = None,
        *,
        hasty: bool = False,
    ) -> None:
        """`judge`: what says whether joints are too fast; none may be, if it is given. `hasty`: whether to give up
        where most poses are left without what would make them so."""
        self._hasty = hasty
        self.group, self.effort, self.now, self._judge = group, effort, now, judge
        self.steering = Steering(group, mobility)
        count = group.model.rate_count
        self._rates: list[IntArray] = [
            np.flatnonzero(active_rates(node, count) & ~group.kino.gains.exact).astype(np.int32) for node in group.nodes
        ]
        self._speeds = self._wanted_speeds()
        self._held: list[NDArray[np.bool_]] = [np.zeros(len(rates), dtype=bool) for rates in self._rates]
        self.too_fast = [""] * len(group.nodes)

    def is_held_back(self, node: int) -> bool:
        """Tell whether a stop keeps a joint from the value that a node wants."""
        return bool(self._held[node].any())

    def steps(self) -> Iterator[float | None]:
        """Go over all poses once; None between short slices, after each pose the error that it began with, then the one
        that is left."""
        if self.now.error <= 1.0:
            return
        begun = self.now.wanted
        for node in range(len(self.group.nodes)):
            before = self.now.wanted
            yield from self._meet(node, begun)
            if self._judge is not None and node:
                yield from self._slow_down(self._judge, node, before)
            yield self.now.error
            if self._hasty and 2 * sum(map(bool, self.too_fast)) > len(self.group.nodes):
                break
        states = yield from self.group.all_states(self.now.wanted)
        if states is None or (error := error_of(self.group, self.effort, states)) >= self.now.error:
            self.now.wanted = begun
        else:
            self.now.states, self.now.error = states, error
        self.now.curve.append(self.now.error)
        yield self.now.error

    def without(self, first: int) -> Array:
        """Give the coefficients without those of the poses from one on."""
        found = self.now.wanted.copy()
        for node in range(first, len(self.group.nodes)):
            found[self._rows(node)] = 0.0
        return found

    def _slow_down(self, judge: Judge, node: int, before: Array) -> Generator[None, None, None]:
        """Leave a pose with what does not make joints too fast: all, what it began with, half of that, or nothing; then
        the poses before it with nothing, too, for what they began goes on."""
        times = [float(each.time) for each in self.group.nodes]
        said = yield from judge(self.now.wanted, times[node - 1], times[node])
        if not said:
            return
        for back in range(min(_BACK, node)):
            for earlier in range(node - back, node + 1):
                self.too_fast[earlier] = self.too_fast[earlier] or said
            for share in (1.0, 0.5, 0.0):
                self.now.wanted = before.copy()
                self.now.wanted[self._rows(node)] *= share
                for earlier in range(node - back, node):
                    self.now.wanted[self._rows(earlier)] = 0.0
                if not (yield from judge(self.now.wanted, times[node - back - 1], times[node])):
                    return

    def _meet(self, node: int, begun: Array) -> Generator[None, None, None]:
        """Newton's method for the coefficients of one pose, from where the search began; then from none, since a joint
        that these press into its stop answers nothing; the nearer of both."""
        if not len(self._rates[node]):
            return
        left, rows = (yield from self._improve(node, begun)), self._rows(node)
        if left <= self.effort.tolerance or not begun[rows].any():
            return
        nearest, held = self.now.wanted, self._held[node]
        self.now.wanted, self._held[node] = nearest.copy(), np.zeros_like(held)
        self.now.wanted[rows] = 0.0
        if (yield from self._improve(node, self.now.wanted)) >= left:
            self.now.wanted, self._held[node] = nearest, held

    def _improve(self, node: int, begun: Array) -> Generator[None, None, float]:
        """Iterate on one pose; the most that it is missed by in the end, what stops hold back included."""
        rates, rows = self._rates[node], self._rows(node)
        row = np.repeat(rows, len(rates))
        rate = np.tile(rates, len(rows)).astype(np.int32)
        gap = self.group.nodes[node].bump.bell.before / TICKS
        e, v, at = yield from self._missing(node, self.now.wanted)
        for _ in range(_ITERATIONS):
            counts = ~self._held[node]
            missing = float(np.abs(e[counts]).max(initial=0.0))
            if missing <= self.effort.tolerance:
                break
            answers = yield from self._measure(node, row, rate, at)
            candidates = _Steps(answers, counts, e, v, gap, (begun - self.now.wanted)[row, rate])
            size = float(np.linalg.norm(e[counts]))
            best: tuple[float, Array, tuple[Array, Array, tuple[Array, Array]]] | None = None
            for mu, share, speeds in _TRIALS:
                wanted = self.now.wanted.copy()
                wanted[row, rate] += share * candidates.step(mu, speeds)
                found = yield from self._missing(node, wanted)
                left = float(np.linalg.norm(found[0][counts]))
                if np.isfinite(left) and (best is None or left < best[0]):
                    best = left, wanted, found
                if best is not None and best[0] < _WELL * size:
                    break
            if best is not None and best[0] < size:
                self.now.wanted, (e, v, at) = best[1], best[2]
            if (best is None or best[0] > _LESS * size) and not self._leave_out(node, e):
                break
        return float(np.abs(e).max())

    def _leave_out(self, node: int, e: Array) -> bool:
        """Leave out what a stop may hold back; tell whether there is anything."""
        places = np.array(self.steering.places)[self._rates[node]]
        servo, goal = self.group.kino.servo[:, self._rates[node]], self._pose(node)
        wanted = np.where(places >= 0, goal[places], 0.0)
        into = ((wanted - servo[LOWER] < _AT_STOP) & (e < 0.0)) | ((servo[UPPER] - wanted < _AT_STOP) & (e > 0.0))
        fresh = into & (places >= 0) & (np.abs(e) > self.effort.tolerance) & ~self._held[node]
        self._held[node] = self._held[node] | fresh
        return bool(fresh.any())

    def _measure(
        self, node: int, row: IntArray, rate: IntArray, at: tuple[Array, Array]
    ) -> Generator[None, None, tuple[Array, Array]]:
        """J and V."""
        rates, ints = self._rates[node], self.group.model.ints
        moved, faster = np.empty((2, len(row), len(rates)))
        between = np.empty(self.group.model.rate_count)
        for first in range(0, len(row), self.group.batch):
            columns = np.arange(first, min(first + self.group.batch, len(row)))
            trials = np.repeat(self.now.wanted[None], len(columns), axis=0)
            trials[np.arange(len(columns)), row[columns], rate[columns]] += _STEP
            for column, q, qd in zip(columns, *self.group.ends(node, trials), strict=True):
                compute_difference(ints, at[0], q, between)
                moved[column], faster[column] = between[rates] / _STEP, (qd - at[1])[rates] / _STEP
            yield
        return moved.T, faster.T

    def _missing(self, node: int, wanted: Array) -> Generator[None, None, tuple[Array, Array, tuple[Array, Array]]]:
        """e and v of a pose, and where it is and how fast."""
        q, qd = self.group.ends(node, wanted[None])
        yield
        e = np.empty(self.group.model.rate_count)
        compute_difference(self.group.model.ints, q[0], self._pose(node), e)
        return e[self._rates[node]], (self._speeds[node] - qd[0])[self._rates[node]], (q[0], qd[0])

    def _rows(self, node: int) -> IntArray:
        """The rows of the basis that are a pose's own."""
        basis, count = self.group.basis, len(self.group.nodes)
        owner = [bump if bump < count else basis.owners[bump - count] for bump, _ in basis.rows]
        return np.flatnonzero(np.array(owner) == node).astype(np.int32)

    def _pose(self, node: int) -> Array:
        """The pose that a node asks for; where several ask for the same, the one that is asked for last."""
        first, *others = [
            each for goal in self.group.nodes[node].goals for each in goal.equations if isinstance(each, PoseEquation)
        ]
        found = first.q.copy()
        for other in others:
            e = np.zeros(self.group.model.rate_count)
            compute_difference(self.group.model.ints, found, other.q, e)
            places = [self.steering.places[rate] for rate in (other.rates or ()) if self.steering.places[rate] >= 0]
            found[places] = other.q[places]
        return found

    def _wanted_speeds(self) -> list[Array]:
        """The velocities between the neighbours of each pose; at rest in the first, which nothing leads to."""
        poses, times = [self._pose(node) for node in range(len(self.group.nodes))], self.group.nodes
        found = [np.zeros(self.group.model.rate_count)]
        for node in range(1, len(poses)):
            last, e = min(node + 1, len(poses) - 1), np.empty(self.group.model.rate_count)
            compute_difference(self.group.model.ints, poses[node - 1], poses[last], e)
            found.append(e * (TICKS / (times[last].time - times[node - 1].time)))
        return found


class _Steps:
    """Steps of one pose for several mu."""

    def __init__(
        self, answers: tuple[Array, Array], counts: NDArray[np.bool_], e: Array, v: Array, gap: float, back: Array
    ) -> None:
        self._by_place, self._by_speed, self._counts = *answers, counts
        self._e, self._v, self._gap, self._back = e, v, gap, back
        self._u, self._s, whole = np.linalg.svd(self._by_place[counts])
        self._w, self._null = whole[: len(self._s)].T, whole[len(self._s) :].T
        out = self._by_place[~counts]
        rows = np.concatenate((gap * self._by_speed, _RHO * np.eye(len(back)), _PRESSED * out)) @ self._null
        self._inverse = np.linalg.pinv(rows)

    def step(self, mu: float, speeds: float) -> Array:
        """The step, no larger than may be; how much velocities count, 0 to 1."""
        found = self._w @ ((self._u.T @ self._e[self._counts]) * self._s / (self._s**2 + mu))
        out = self._by_place[~self._counts]
        rest = (
            self._gap * (self._v - self._by_speed @ found),
            _RHO * (self._back - found),
            _PRESSED * (self._e[~self._counts] - out @ found),
        )
        found = found + speeds * self._null @ (self._inverse @ np.concatenate(rest))
        return np.asarray(found * min(1.0, _LARGEST / max(float(np.abs(found).max(initial=0.0)), 1e-12)))
