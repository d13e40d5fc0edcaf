"""Spacetime problems of soft bodies: run them forward under some controls, and find the gradient of what is wanted.

States are kept as far as memory goes; beyond that every k-th is, and those between are stepped again, segment by
segment, as the recursion comes to them: the same bytes follow from a state, so the gradient does not change. Time grows
linearly with the steps either way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft import newton
from engine.soft.control.backward import ACCURACY, Costate, StepTaken, step_back
from engine.soft.control.controls import Controls
from engine.soft.control.objective import KeyMiss, Objective, Parts, key_steps
from engine.soft.step import SoftModel, SoftState, SoftWork, StepGiven, StepReport, start, step

KEPT = 256 * 2**20  # [bytes] of states
_NOWHERE = KeyMiss(math.inf, math.inf)  # until a run comes to a keyframe


@dataclass(frozen=True, eq=False)
class StepSetting:
    """One step: the model for what is held in it, and what acts but for the controls."""

    model: SoftModel
    given: StepGiven


@dataclass(eq=False)
class ControlledRun:
    """A motion under some controls, as far as it is kept."""

    values: Array
    alphas: Array
    forces: Array | None
    states: dict[int, SoftState]  # by the steps made before
    settled: dict[int, Array]
    parts: Parts
    misses: dict[int, tuple[Array, Array]]  # gradients of keyframes by points and velocities, by step
    missed: list[KeyMiss]  # of each keyframe
    worst: float  # residual that a step has left

    @property
    def value(self) -> float:
        """The objective."""
        return self.parts.total


@dataclass(frozen=True, eq=False)
class ControlProblem:
    """Soft bodies that begin in a state, what may be chosen of them, and what is wanted of them; used by one thread."""

    settings: Sequence[StepSetting]  # of each step
    dt: float  # [s]
    begin: SoftState
    controls: Controls
    objective: Objective
    accuracy: float = ACCURACY  # of the linear systems of gradients
    most_bytes: int = KEPT
    _works: dict[int, SoftWork] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        count = len(self.settings)
        if count == 0 or len(self.controls.spread.knot) != count:
            raise InvalidArguments(
                what="the steps of controls", value=len(self.controls.spread.knot), allowed=f"{count}"
            )
        late = [key.step for key in self.objective.keys if key.step > count]
        if late:
            raise InvalidArguments(what="the steps of keyframes", value=late, allowed=f"1 to {count}")

    @property
    def every(self) -> int:
        """How many steps stand between two states that are kept."""
        state = self.begin
        size = 8 * (4 * state.x.size + state.grips.size)
        if size * len(self.settings) <= self.most_bytes:
            return 1
        return math.ceil(math.sqrt(len(self.settings)))

    def run(self, values: Array) -> ControlledRun:
        """Run forward under values of the controls."""
        given = np.ascontiguousarray(values, dtype=np.float64)
        if given.shape != self.controls.shape or not np.isfinite(given).all():
            raise InvalidArguments(what="controls", value=values, allowed=f"numbers of shape {self.controls.shape}")
        alphas, forces = self.controls.acting(given)
        effort, rate, _ = self.objective.of_controls(self._counted(given))
        keys, wanted = [0.0] * len(self.objective.keys), key_steps(self.objective.keys)
        run = ControlledRun(
            given, alphas, forces, {0: _copy(self.begin)}, {}, Parts(effort, rate, ()), {}, [_NOWHERE] * len(keys), 0.0
        )
        state = _copy(self.begin)
        for number in range(len(self.settings)):
            report = self._take(run, number, state)
            run.worst = max(run.worst, 0.0 if report.converged else report.residual)
            if (number + 1) % self.every == 0:
                run.states[number + 1] = _copy(state)
            for key in wanted.get(number + 1, ()):
                keys[key] = self._note(run, key, number + 1, state)
        run.parts = Parts(effort, rate, tuple(keys))
        return run

    def gradient(self, run: ControlledRun) -> Array:
        """Find the gradient of the objective by the values of the controls that a run was made with."""
        count, size = len(self.settings), self.begin.x.size
        alphas, forces = np.zeros_like(run.alphas), np.zeros((count, size if run.forces is not None else 0))
        costate = Costate.zero(self.settings[0].model)
        last, inside = count, dict[int, SoftState]()
        for number in range(count, 0, -1):
            if number == last and self.every > 1:
                last -= (last - 1) % self.every + 1
                inside = self._between(run, last, number)
            if number in run.misses:
                by_x, by_v = run.misses[number]
                costate = Costate(costate.x + by_x, costate.v + by_v, costate.holds)
            known = run.states if self.every == 1 else inside
            setting = self._setting(run, number - 1)
            taken = StepTaken(known[number - 1], setting.given, known[number], run.settled.get(number - 1))
            work = self._work(run, number - 1, known[number - 1])
            handed = step_back(setting.model, work, self.dt, taken, costate, self.accuracy)
            costate = handed.costate
            alphas[number - 1] = handed.alphas
            if run.forces is not None:
                forces[number - 1] = handed.forces
        _, _, slope = self.objective.of_controls(self._counted(run.values))
        return self.controls.gathered(alphas, forces) + slope / self.controls.units()

    def points(self, run: ControlledRun, steps: Sequence[int]) -> list[Array]:
        """Give all points after some steps, in ascending order; those that are not kept are stepped again."""
        found = []
        for wanted in steps:
            at = max(each for each in run.states if each <= wanted)
            states = {at: run.states[at]} if at == wanted else self._between(run, at, wanted)
            found.append(states[wanted].x.copy())
        return found

    def _counted(self, values: Array) -> Array:
        return np.asarray((values - self.controls.passive()) / self.controls.units())

    def _note(self, run: ControlledRun, key: int, number: int, state: SoftState) -> float:
        """Take down how far a keyframe is missed."""
        reach = self.objective.reach
        run.missed[key] = self.objective.keys[key].missed(state.x, state.v)
        missed, by_x, by_v = self.objective.keys[key].miss(state.x, state.v)
        before = run.misses.get(number, (0.0, 0.0))
        run.misses[number] = before[0] + reach * by_x, before[1] + reach * by_v
        return reach * missed

    def _between(self, run: ControlledRun, first: int, last: int) -> dict[int, SoftState]:
        """Step again from one kept state on."""
        found, state = {first: run.states[first]}, _copy(run.states[first])
        for number in range(first, last):
            self._take(run, number, state)
            found[number + 1] = _copy(state)
        return found

    def _setting(self, run: ControlledRun, number: int) -> StepSetting:
        setting = self.settings[number]
        alphas = run.alphas[number] if run.alphas.shape[1] else None
        return StepSetting(setting.model, setting.given._replace(alphas=alphas))

    def _work(self, run: ControlledRun, number: int, state: SoftState) -> SoftWork:
        """Give the workspace for a step, with its forces."""
        model = self.settings[number].model
        work = self._works.get(id(model))
        if work is None:
            work = self._works[id(model)] = start(model, state)
        pull = work.vectors.pull.reshape(-1, 3)
        pull[:] = model.options.gravity
        if run.forces is not None:
            pull += run.forces[number].reshape(-1, 3) / model.masses[:, None]
        return work

    def _take(self, run: ControlledRun, number: int, state: SoftState) -> StepReport:
        """Make one step."""
        setting, work = self._setting(run, number), self._work(run, number, state)
        report = step(setting.model, state, work, self.dt, **setting.given._asdict())
        if work.outcome[newton.RELAGGED]:
            run.settled[number] = work.vectors.settled.copy()
        return report


def _copy(state: SoftState) -> SoftState:
    return SoftState(state.x.copy(), state.v.copy(), state.a.copy(), state.grips.copy(), state.time)
