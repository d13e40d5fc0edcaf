"""Searching: corrections of one group of targets, improved iteration by iteration (Rahgoshay 2011, Algorithm 2).

The error of a group is the root of the sum of squares of its misses, each in parts of its tolerance. The rules of the
source go over the targets one by one (Gauss-Seidel): a trial with Delta x_i + e_i, the factor that the rule reads from
it, a step. The rules with a matrix take all targets of the group together. Each halves a step that does not lessen the
error (section 7.2); what has lessened it least after all is kept as the nearest result.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from engine.maths.arrays import Array
from engine.targets.equations import KinodynamicState, PoseEquation, PoseVelocityEquation, Residual
from engine.targets.nodes import Group
from engine.targets.options import Effort, Printed, Scaled, Secant, Sensitivity, Update
from engine.targets.search_state import SearchState, allowed_of, error_of, part_of
from engine.targets.secant import Answers, Unknowns, displacement_between, list_unknowns
from engine.targets.steering import Steering
from engine.targets.tangent import COARSE, Tangent

_LESS = 1.0 - 1e-9
_WELL = 0.3  # of the error: a first trial that leaves less needs no other
_TRIES = 2  # iterations in vain, each from freshly measured answers, before a search gives up
_LONGER, _LEARNING = 2, 4  # iterations that tied targets may take more; that say little of their pace
_DAMPINGS = (1e-3, 1e-2, 1e-1)  # of least steps, tried in turn
_MOMENT = 0.1  # [s] in which a change of slope counts as one of value
_SMALL = (0.3, 0.1, 0.03)  # of least steps, where none that goes all the way lessens the error


class Search:
    """One group of targets, one rule."""

    def __init__(
        self, group: Group, mobility: Array, update: Update, effort: Effort, now: SearchState, *, levers: bool = False
    ) -> None:
        self.group, self.update, self.effort, self.now = group, update, effort, now
        self.steering, self._led = Steering(group, mobility, levers=levers), True
        equations = [equation for node in group.nodes for goal in node.goals for equation in goal.equations]
        self._bodies = not all(isinstance(equation, PoseEquation | PoseVelocityEquation) for equation in equations)

    def steps(self) -> Iterator[float | None]:
        """Iterations, each with the error that it left, until all is met, nothing helps, or they have run out; None
        between short slices of one."""
        advance = self._source_steps() if not _has_matrix(self.update) else self._matrix_steps()
        for _ in range(self.effort.iterations):
            if self.now.error <= 1.0:
                return
            going = None
            while going is None:
                going = next(advance, False)
                if going is None:
                    yield None
            self.now.curve.append(self.now.error)
            yield self.now.error
            if not going:
                return

    def _take(self, wanted: Array, states: list[KinodynamicState], error: float) -> None:
        self.now.wanted, self.now.states, self.now.error = wanted, states, error

    def _try_halves(self, step: Array) -> Generator[None, None, tuple[Array, list[KinodynamicState], float] | None]:
        """The step, or the first of its halves that lessens the error, with what it led to."""
        share = 1.0
        best: tuple[Array, list[KinodynamicState], float] | None = None
        for _ in range(self.effort.halvings + 1):
            wanted = self.now.wanted + share * step
            states = yield from self.group.all_states(wanted)
            if states is not None:
                error = error_of(self.group, self.effort, states)
                if error < _LESS * self.now.error:
                    return wanted, states, error
                if best is None or error < best[2]:
                    best = (wanted, states, error)
            share *= 0.5
        return best

    def _matrix_steps(self) -> Iterator[bool | None]:
        """Secant and sensitivity: all nodes together. A secant begins with one factor, where velocities are wanted with
        measured answers, where targets are tied with answers to first order. Where it lags it takes those anew, and at
        last measured ones."""
        unknowns = list_unknowns(self.group, self.steering.rates)
        answers = Answers(self.group, unknowns, self._ease(unknowns))
        secant = self.update if isinstance(self.update, Secant) else None
        tied, slopes = len(self.group.nodes) > 1, any(node.bump.slope for node in self.group.nodes)
        sure = not self.group.kino.touches and tied  # that answers to first order are any good
        measured, in_vain = secant is None or secant.measured or (slopes and not tied) or (tied and not sure), 0
        fresh = looked = sure and not measured
        if not measured and not tied:
            yield from self._guess(answers)
        while True:
            if measured:
                yield from self._measure(answers)
            elif fresh:
                yield from answers.look(self.now.wanted, Tangent(self.group.kino, COARSE))
            before = self.now.error
            yield from self._step(answers)
            if measured and 1.0 < self.now.error < _LESS * before:
                yield from self._step(answers)  # measuring costs most: it serves for two steps (Shamanskii 1967)
            in_vain = in_vain + 1 if measured and self.now.error >= _LESS * before else 0
            lags = secant is not None and self._lags(before, secant)
            measured = secant is None or (lags and (looked or not sure))
            fresh = lags and not measured
            looked = fresh or (looked and lags)
            yield in_vain < _TRIES

    def _lags(self, before: float, secant: Secant) -> bool:
        """Tell whether the pace of the last iteration would not meet the equations in time. Of several targets the
        first steps, which learn what answers to first order leave out, say little."""
        tied, done = len(self.group.nodes) > 1, len(self.now.curve)
        pace, left = self.now.error / before, secant.within - done + (_LONGER if tied else 0)
        telling = left > 0 and (not tied or done > _LEARNING)
        return pace > secant.stall or (telling and self.now.error * pace**left > 1.0)

    def _step(self, answers: Answers) -> Generator[None, None, None]:
        """Try steps until one lessens the error well, or the last has been tried; take the best."""
        displacements = []
        for node, state in enumerate(self.now.states):
            displacements.append(self.steering.displacement(node, state))
            yield
        rows = self._rows(answers)
        yield
        best: tuple[float, Array, list[KinodynamicState], bool] | None = None
        for count, (led, step) in enumerate(self._candidates(answers, rows, answers.pick(displacements))):
            yield
            wanted = self.now.wanted + answers.spread(step)
            states = yield from self.group.all_states(wanted)
            error = np.inf if states is None else error_of(self.group, self.effort, states)
            if states is not None and (best is None or error < best[0]):
                best = (error, wanted, states, led)
            if best is not None and (best[0] < _WELL * self.now.error or (count and best[0] < _LESS * self.now.error)):
                break
        if best is None:
            return
        error, wanted, states, self._led = best
        step = (wanted - self.now.wanted)[answers.unknowns.row, answers.unknowns.rate]
        moved = self._moved(answers, states)
        if error < _LESS * self.now.error:
            self._take(wanted, states, error)
        answers.improve(step, moved)

    def _candidates(self, answers: Answers, rows: Array, e: Array) -> Iterator[tuple[bool, Array]]:
        """Steps to try, with whether they are led: the kind that was better last time first, then smaller ones. Where
        whole poses alone are wanted every step is led: a damped one would leave what answers least as it is."""
        whole = answers.led_step(e, rows)
        for led in (self._led, not self._led):
            if led:
                yield True, whole
            elif self._bodies:
                yield False, answers.least_step(e, rows, _DAMPINGS[0])
        for halving in range(1, self.effort.halvings + 1):
            yield True, whole * 0.5**halving
            if self._bodies:
                yield False, answers.least_step(e, rows, _DAMPINGS[min(halving, len(_DAMPINGS) - 1)])
        for damping in _DAMPINGS if self._bodies and self.effort.halvings else ():
            for share in _SMALL:
                yield False, answers.least_step(e, rows, damping) * share

    def _ease(self, unknowns: Unknowns) -> Array:
        """Weigh how readily unknowns change: the squares of mobilities, so that each goes by a like part of its range,
        and 1 for rates that poses claim; slopes by what they change within a moment."""
        own = np.array(
            [self.steering.mobilities[node][rate] for node, rate in zip(unknowns.node, unknowns.rate, strict=True)]
        )
        own = np.where(own > 0.0, own**2, 1.0)
        return np.where(unknowns.order == 1, own / _MOMENT**2, own)

    def _rows(self, answers: Answers) -> Array:
        """Build the matrix from displacements of all nodes to all equations, a column for each unknown."""
        found = []
        for node, state in enumerate(self.now.states):
            rows = self.steering.rows(node, state)
            all_rows = np.zeros((len(rows), len(answers.unknowns.node)))
            own = answers.unknowns.of(node)
            all_rows[:, own] = rows[:, answers.unknowns.order[own], answers.unknowns.rate[own]]
            found.append(all_rows)
        return np.concatenate(found)

    def _moved(self, answers: Answers, states: list[KinodynamicState]) -> Array:
        pairs = zip(self.now.states, states, strict=True)
        return answers.pick([displacement_between(self.group, before, after) for before, after in pairs])

    def _measure(self, answers: Answers) -> Generator[None, None, None]:
        unknowns = answers.unknowns
        upper, lower = self.group.model.upper, self.group.model.lower
        inward = np.ones(len(unknowns.node))
        for each, (node, rate) in enumerate(zip(unknowns.node, unknowns.rate, strict=True)):
            place = self.steering.places[rate]
            if place >= 0:
                value = self.now.states[node].q[place]
                inward[each] = -1.0 if upper[place] - value < value - lower[place] else 1.0
        yield from answers.measure(self.now.wanted, self.now.states, inward)

    def _guess(self, answers: Answers) -> Generator[None, None, None]:
        """H as one number for all: of one trial, the projection's factor."""
        displacements = [self.steering.displacement(node, state) for node, state in enumerate(self.now.states)]
        e = answers.pick(displacements)
        states = yield from self.group.all_states(self.now.wanted + answers.spread(e))
        if states is None:
            return
        d = self._moved(answers, states)
        factor = float(e @ d) / max(float(e @ e), 1e-300)
        answers.matrix *= factor if factor > 0.0 else 1.0
        answers.improve(e, d)

    def _source_steps(self) -> Iterator[bool | None]:
        """Projection, as derived, as printed, or by coordinates: node after node."""
        unknowns = list_unknowns(self.group, self.steering.rates)
        answers = Answers(self.group, unknowns, np.ones(len(unknowns.node)))
        while True:
            before = self.now.error
            for node in range(len(self.group.nodes)):
                state = self.now.states[node]
                if (
                    max((part_of(residual, self.effort) for residual in self.group.residuals(node, state)), default=0.0)
                    <= 1.0
                ):
                    continue
                step = self._factored(answers, node, state)
                yield None
                tried = yield from self._try_halves(answers.spread(step))
                if tried is not None and (tried[2] < self.now.error or len(self.group.nodes) > 1):
                    self._take(*tried)
            yield self.now.error < _LESS * before

    def _factored(self, answers: Answers, node: int, state: KinodynamicState) -> Array:
        """The step of one node by the rule: e times its factor or factors."""
        e = self.steering.displacement(node, state)
        own, u = answers.unknowns.of(node), answers.unknowns
        step = np.zeros(len(u.node))
        step[own] = e[u.order[own], u.rate[own]]
        trial = self.group.states(node, (self.now.wanted + answers.spread(step))[None])[0]
        if trial is None:
            return 0.5 * step
        m = np.concatenate([residual.error / self._unit(residual) for residual in self.group.residuals(node, state)])
        left = np.concatenate([residual.error / self._unit(residual) for residual in self.group.residuals(node, trial)])
        change = m - left
        squares = float(change @ change)
        if squares == 0.0:
            return step
        if isinstance(self.update, Printed):
            return step * float(m @ change / np.sqrt(squares))
        factor = float(m @ change) / squares
        if isinstance(self.update, Scaled):
            d = displacement_between(self.group, state, trial)[u.order[own], u.rate[own]]
            with np.errstate(divide="ignore", invalid="ignore"):
                own_factors = np.where(d != 0.0, step[own] / d, factor)
            most = abs(factor) * self.update.most
            step[own] *= np.clip(own_factors, abs(factor) / self.update.most, most)
            return step
        return step * factor

    def _unit(self, residual: Residual) -> float:
        """Return the unit of an error of a place or of a velocity, so that they may be added."""
        if isinstance(self.update, Printed):
            return 1.0
        return allowed_of(residual, self.effort)


def _has_matrix(update: Update) -> bool:
    return isinstance(update, Secant | Sensitivity)
