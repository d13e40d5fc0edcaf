"""A periodic motion of the skeleton as poses, evenly spaced over a cycle: its rates, its slow parts, and the numbers by
which a search changes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from scipy.interpolate import CubicSpline

from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import write_driven_motion
from engine.runtime.quick_dataclass import dataclass

PERIOD, STRIDE, COUNT = 16.0 / 15.0, 1.25, 32  # [s], [m], poses of a cycle
GRAVITY = 9.80665
SPINE = {
    "lumbar": tuple(f"lumbar{number}" for number in (5, 4, 3, 2, 1)),
    "thoracic": tuple(f"thoracic{number}" for number in range(12, 0, -1)),
}
LITTLE = 1e-5  # the gain below which a search ends


@dataclass(frozen=True, eq=False)
class Change:
    """One number that a search finds: a harmonic of some coordinates, or of how feet are set."""

    spread: Array | None  # of coordinates, shape [coordinate_count]
    shape: Array  # over the cycle, shape [COUNT]
    usual: float
    step: str = ""  # the field of `Steps`


class PeriodicMotion:
    """The skeleton in `COUNT` poses of a cycle that goes on by `STRIDE`."""

    def __init__(self) -> None:
        self.figure = load_figure("anatomy")
        self.model = compile_model(self.figure)
        self.index = self.figure.coordinate_index
        self.forward = self.index["sacrum.move_z"]
        self.mechanics: Mechanics = compile_mechanics(self.model, gravity=(0.0, -GRAVITY, 0.0), massless=True)
        times = np.arange(COUNT + 1) * PERIOD / COUNT
        spline = CubicSpline(times, np.vstack((np.eye(COUNT), np.eye(COUNT)[:1])), bc_type="periodic")
        self._rates, self._accelerations = spline(times[:-1], 1), spline(times[:-1], 2)

    def motion(self, q: Array) -> Array:
        """Poses with rates and accelerations, shape [COUNT, 3, coordinate_count]."""
        even = self.evened(q)
        found = np.ascontiguousarray(np.stack((q, self._rates @ even, self._accelerations @ even), axis=1))
        found[:, 1, self.forward] += STRIDE / PERIOD
        driven = self.model.driven
        if driven is not None:
            write_driven_motion(driven.ints, driven.floats, found)
        return found

    def evened(self, q: Array) -> Array:
        """The poses without their way."""
        even = q.copy()
        even[:, self.forward] -= STRIDE * np.arange(COUNT) / COUNT
        return even

    def slow(self, q: Array, most: int) -> Array:
        """Leave out harmonics above the most."""
        parts = np.fft.rfft(self.evened(q), axis=0)
        parts[most + 1 :] = 0.0
        found: Array = np.fft.irfft(parts, COUNT, axis=0)
        found[:, self.forward] += STRIDE * np.arange(COUNT) / COUNT
        return found

    def changed(self, q: Array, x: Array, changes: Sequence[Change]) -> Array:
        """The poses with harmonics added."""
        found = q.copy()
        for value, each in zip(x.tolist(), changes, strict=True):
            if each.spread is not None:
                found += value * each.shape[:, None] * each.spread
        return found

    def one(self, name: str) -> Array:
        """A coordinate alone."""
        found = np.zeros(len(self.figure.coordinates))
        found[self.index[name]] = 1.0
        return found

    def spine(self, group: str, way: str) -> Array:
        """A bend of a part of the spine, shared out by ranges."""
        found = np.zeros(len(self.figure.coordinates))
        for joint in SPINE[group]:
            dof = self.figure.coordinate_dof[f"{joint}.{way}"]
            found[self.index[dof.id]] = (dof.upper or 0.0) - (dof.lower or 0.0)
        return np.asarray(found / found.sum())


def harmonics(spread: Array, most: Sequence[int], usual: float, mean: float = 0.0) -> list[Change]:
    """Cosine and sine of some harmonics of coordinates, with their mean if it may change."""
    turns = 2.0 * np.pi * np.arange(COUNT) / COUNT
    found = [Change(spread, np.ones(COUNT), mean)] if mean else []
    for each in most:
        found.extend(Change(spread, wave(each * turns), usual) for wave in (np.cos, np.sin))
    return found


class Searched(Protocol):
    """What `least_squares` asks of a search."""

    changes: tuple[Change, ...]

    def residuals(self, x: Array) -> Array:
        """What is to be small."""
        ...

    def keep(self, x: Array) -> None:
        """Begin from there next time."""
        ...


def least_squares(search: Searched, most: int, told: Callable[[str], None] = print) -> Array:
    """Damped least squares from no change on."""
    x, damping = np.zeros(len(search.changes)), 1e-2
    search.keep(x)
    error = search.residuals(x)
    sizes = [1e-3 * each.usual for each in search.changes]
    for _ in range(most):
        cost, ways = float(error @ error), zip(sizes, np.eye(len(x)), strict=True)
        slopes = np.stack([(search.residuals(x + size * one) - error) / size for size, one in ways], axis=1)
        square = slopes.T @ slopes
        for _ in range(9):
            step = -np.linalg.solve(square + damping * np.diag(np.diag(square)), slopes.T @ error)
            tried = search.residuals(x + step)
            if float(tried @ tried) < cost:
                break
            damping *= 5.0
        else:
            break
        x, damping = x + step, max(0.2 * damping, 1e-6)
        search.keep(x)
        error = search.residuals(x)
        told(f"{cost:.1f} -> {float(error @ error):.1f}")
        if cost - float(error @ error) < LITTLE * cost:
            break
    return x
