"""L-BFGS within bounds: one iterate after the other, so that whoever asks may look, stop, and keep any of them.

Directions are those of the two-loop recursion (Nocedal 1980) among the values that no bound holds back; steps go along
the projection onto the bounds, halved until the objective falls by enough (Bertsekas 1982). Where a run diverges the
objective counts as infinite, and the step is shorter.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator
from typing import Generic, Protocol, TypeVar

import numpy as np

from engine.maths.arrays import Array, BoolArray
from engine.runtime.errors import Diverged
from engine.runtime.quick_dataclass import dataclass

_ENOUGH = 1e-4  # of the slope that the objective must fall by
_HALVINGS = 30
_CURVED = 1e-10  # of the sizes of a pair, that its curvature must have


class Valued(Protocol):
    """A run under some values."""

    @property
    def value(self) -> float:
        """The objective."""


RunT = TypeVar("RunT", bound=Valued)  # of what is run


class Runs(Protocol[RunT]):
    """A problem that runs under values, and then knows its gradient."""

    def run(self, values: Array) -> RunT:
        """Run it."""

    def gradient(self, run: RunT) -> Array:
        """Find the gradient by the values."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DescentChoices:
    """How far L-BFGS goes."""

    iterations: int = 100
    memory: int = 12  # pairs
    gradient: float = 1e-6  # share of the first projected gradient at which it ends
    fall: float = 1e-9  # share of the objective by which an iteration must bring it down
    first: float = 0.1  # length of the first step, in units of the values


@dataclass(frozen=True, eq=False)
class DescentIterate(Generic[RunT]):
    """Where the search stands."""

    number: int
    values: Array
    run: RunT
    slope: float  # norm of the projected gradient
    runs: int  # so far


def descend(
    problem: Runs[RunT], first: Array, lower: Array, upper: Array, choices: DescentChoices | None = None
) -> Generator[DescentIterate[RunT], None, None]:
    """Go down from values; yields the first and every better one."""
    chosen = DescentChoices() if choices is None else choices
    values = np.clip(first, lower, upper)
    run = problem.run(values)
    gradient = problem.gradient(run)
    pairs: deque[tuple[Array, Array]] = deque(maxlen=chosen.memory)
    runs, began = 1, _projected(values, gradient, lower, upper)
    yield DescentIterate(0, values, run, began, runs)
    for number in range(1, chosen.iterations + 1):
        if _projected(values, gradient, lower, upper) <= chosen.gradient * began:
            return
        free = ~(((values <= lower) & (gradient > 0.0)) | ((values >= upper) & (gradient < 0.0)))
        way = _direction(gradient, pairs, free, chosen.first)
        found, tried = _search(problem, values, run, gradient, way, lower, upper)
        runs += tried
        if found is None and pairs:
            pairs.clear()
            way = _direction(gradient, pairs, free, chosen.first)
            found, tried = _search(problem, values, run, gradient, way, lower, upper)
            runs += tried
        if found is None:
            return
        after, after_run = found
        after_gradient = problem.gradient(after_run)
        moved, turned = after - values, after_gradient - gradient
        if np.sum(moved * turned) > _CURVED * np.linalg.norm(moved) * np.linalg.norm(turned):
            pairs.append((moved, turned))
        fell = run.value - after_run.value
        values, run, gradient = after, after_run, after_gradient
        yield DescentIterate(number, values, run, _projected(values, gradient, lower, upper), runs)
        if fell <= chosen.fall * abs(run.value):
            return


def _projected(values: Array, gradient: Array, lower: Array, upper: Array) -> float:
    return float(np.linalg.norm(values - np.clip(values - gradient, lower, upper)))


def _direction(gradient: Array, pairs: deque[tuple[Array, Array]], free: BoolArray, first: float) -> Array:
    """Apply the approximate inverse to the gradient, among free values."""
    way = -gradient * free
    kept = []
    for moved, turned in reversed(pairs):
        s, y = moved * free, turned * free
        bent = float(np.sum(s * y))
        if bent <= _CURVED * float(np.linalg.norm(s) * np.linalg.norm(y)):
            continue
        share = float(np.sum(s * way)) / bent
        way = way - share * y
        kept.append((s, y, bent, share))
    if kept:
        s, y, bent, _ = kept[0]
        way = way * (bent / float(np.sum(y * y)))
    else:
        way = way * (first / max(float(np.linalg.norm(way)), 1e-300))
    for s, y, bent, share in reversed(kept):
        way = way + (share - float(np.sum(y * way)) / bent) * s
    return np.asarray(way)


def _search(
    problem: Runs[RunT], values: Array, run: RunT, gradient: Array, way: Array, lower: Array, upper: Array
) -> tuple[tuple[Array, RunT] | None, int]:
    """Halve a step along the projection until the objective falls by enough; with how many runs that took."""
    length = 1.0
    for tried in range(1, _HALVINGS + 1):
        after = np.clip(values + length * way, lower, upper)
        slope = float(np.sum(gradient * (after - values)))
        if slope >= 0.0:
            return None, tried - 1
        try:
            after_run = problem.run(after)
            value = after_run.value
        except Diverged:
            value = math.inf
        if value <= run.value + _ENOUGH * slope:
            return (after, after_run), tried
        bent = 2.0 * (value - run.value - slope) if math.isfinite(value) else math.inf
        length *= min(0.5, max(0.1, -slope / bent)) if bent > 0.0 else 0.5
    return None, _HALVINGS
