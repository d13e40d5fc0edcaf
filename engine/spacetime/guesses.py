"""Where a search begins: the straight line between what is demanded, and others about it, drawn from a seed.

Winzell 2004, section 6.1 shows what they do: a solver ends in the local minimum that its guess lies near.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.spacetime.bases import HAT, HERMITE
from engine.spacetime.layout import VariableLayout
from engine.spacetime.motions import PlannedMotion
from engine.spacetime.problem import MotionProblem

WAVES = 3
"""Sine waves over the whole time that a drawn guess adds."""


def straight_line(problem: MotionProblem, layout: VariableLayout) -> Array:
    """Variables of a motion that goes in straight lines between the values that coordinates are demanded to have;
    torques, forces and blows are nothing, or the nearest to it within their bounds."""
    found = np.clip(0.0, layout.lower, layout.upper)
    for i in range(len(problem.figure.coordinates)):
        times, values = _known(problem, i)
        if len(times):
            _put(problem, layout, i, lambda t, known=times, at=values: np.interp(t, known, at), found)
    found[layout.packed.lengths] = [stage.length for stage in problem.stages]
    guess: Array = found
    return guess


def drawn_guess(problem: MotionProblem, layout: VariableLayout, seed: int, *, amplitude: float = 2.0) -> Array:
    """Return the straight line, with sine waves added to the angles of all limbs that move [rad]."""
    generator = np.random.default_rng(seed)
    found = straight_line(problem, layout)
    for i in range(2, len(problem.figure.coordinates)):
        sizes = amplitude * generator.normal(size=WAVES) / np.arange(1, WAVES + 1)
        waves = np.zeros(len(found))
        _put(problem, layout, i, lambda t, a=sizes: _waves(t, a, layout.seconds), waves)
        found += np.where(layout.lower < layout.upper, waves, 0.0)
    kept: Array = np.clip(found, layout.lower, layout.upper)
    return kept


def sampled_guess(problem: MotionProblem, layout: VariableLayout, motion: PlannedMotion) -> Array:
    """Variables that follow another motion, stage by stage, whatever its pieces and lengths."""
    packed, found = layout.packed, np.clip(0.0, layout.lower, layout.upper)
    for number, stage in enumerate(problem.stages):
        length = float(motion.lengths[number])
        times = np.linspace(0.0, 1.0, stage.pieces + 1)
        read = [motion.stage_functions(number, time) for time in times]
        rates = [motion.stage_functions(number, time, order=1) for time in times]
        for i in range(packed.kinds.shape[1]):
            kind, first = int(packed.kinds[number, i]), int(packed.firsts[number, i])
            values = np.array([each[i] for each in read])
            if kind == HERMITE:
                step = length / stage.pieces
                found[first : first + 2 * len(times) : 2] = values
                found[first + 1 : first + 2 * len(times) : 2] = [step * each[i] for each in rates]
            elif kind == HAT:
                found[first : first + len(times)] = values
            else:
                found[first] = values.mean()
        found[packed.lengths[number]] = length
    kept: Array = np.clip(found, layout.lower, layout.upper)
    return kept


def _waves(t: Array, sizes: Array, seconds: float) -> Array:
    found: Array = np.sum([a * np.sin((k + 1) * np.pi * t / seconds) for k, a in enumerate(sizes)], axis=0)
    return found


def _known(problem: MotionProblem, coordinate: int) -> tuple[list[float], list[float]]:
    """Times and values that are demanded of a coordinate, or are those of a constant."""
    name, found = problem.figure.coordinates[coordinate], {}
    begin = 0.0
    for stage in problem.stages:
        representation = problem.representations(stage)[coordinate]
        if representation.stays:
            found[begin] = found[begin + stage.length] = representation.value
        for demand in problem.demands:
            if (demand.stage, demand.quantity, demand.of) == (
                stage.name,
                "value",
                name,
            ) and demand.least == demand.most:
                found[begin + demand.at * stage.length] = demand.least
        begin += stage.length
    times = sorted(found)
    return times, [found[time] for time in times]


def _put(problem: MotionProblem, layout: VariableLayout, function: int, path: object, out_variables: Array) -> None:
    """Set the coefficients of a function on all stages to a path over time; slopes from differences."""
    assert callable(path)
    packed, begin = layout.packed, 0.0
    for number, stage in enumerate(problem.stages):
        kind, first = int(packed.kinds[number, function]), int(packed.firsts[number, function])
        times = begin + np.linspace(0.0, stage.length, stage.pieces + 1)
        values = path(times)
        if kind == HERMITE:
            step = stage.length / stage.pieces
            small = 1e-3 * step
            before, after = np.maximum(times - small, begin), np.minimum(times + small, begin + stage.length)
            out_variables[first : first + 2 * len(times) : 2] = values
            out_variables[first + 1 : first + 2 * len(times) : 2] = (
                step * (path(after) - path(before)) / (after - before)
            )
        elif kind == HAT:
            out_variables[first : first + len(times)] = values
        else:
            out_variables[first] = np.mean(values)
        begin += stage.length
    kept = np.clip(out_variables, layout.lower, layout.upper)
    out_variables[:] = np.where(layout.lower < layout.upper, kept, out_variables)
