"""Where a search for a motion in space begins: the straight line between what is demanded, or another motion."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from engine.maths.arrays import Array
from engine.maths.quaternions import turned
from engine.spacetime.spatial.layout import LAME, SpatialLayout
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.splines import fit_spline, greville

WAVES, MOST_DRAWN = 3, 2.0  # sine waves that a drawn guess adds, and how large they are at most [rad]


class MotionLike(Protocol):
    """Functions of time on stages."""

    @property
    def lengths(self) -> Array: ...

    def stage_functions(self, stage: int, share: float, *, order: int = 0) -> Array:
        """All functions at a share of a stage, or their rates."""
        ...


def straight_spatial_line(problem: SpatialProblem, layout: SpatialLayout) -> Array:
    """Variables of a motion that goes in straight lines between the values that coordinates are demanded to have;
    forces and blows are nothing, or the nearest to it within their bounds."""
    found = np.clip(0.0, layout.lower, layout.upper)
    packed = layout.packed
    begins = np.cumsum([0.0] + [stage.length for stage in problem.stages])
    for i, name in enumerate(problem.figure.coordinates):
        times, values = _known(problem, i, name)
        if not times:
            continue
        for piece, (stage, number) in enumerate(packed.pieces):
            if packed.moving[stage, i]:
                given = problem.stages[stage]
                shares = greville(given.pieces)[number : number + 4]
                columns = packed.columns[piece, 4 * i : 4 * i + 4]
                found[columns] = np.interp(begins[stage] + shares * given.length, times, values)
    found[packed.lengths] = [stage.length for stage in problem.stages]
    _carry(problem, layout, found)
    guess: Array = np.clip(found, layout.lower, layout.upper)
    return guess


def drawn_spatial_guess(problem: SpatialProblem, layout: SpatialLayout, seed: int) -> Array:
    """Return the straight line, with sine waves over the whole time added to all turns that move [rad]: of half their
    range, if that is less than in a plane."""
    generator, packed = np.random.default_rng(seed), layout.packed
    found = straight_spatial_line(problem, layout)
    least, most = problem.figure.bounds
    begins = np.cumsum([0.0] + [stage.length for stage in problem.stages])
    waves = np.arange(1, WAVES + 1)
    for i in np.flatnonzero(problem.figure.turns):
        sizes = min(MOST_DRAWN, 0.5 * float(most[i] - least[i])) * generator.normal(size=WAVES) / waves
        added = np.zeros(len(found))
        for piece, (stage, number) in enumerate(packed.pieces):
            if packed.moving[stage, i]:
                given = problem.stages[stage]
                shares = greville(given.pieces)[number : number + 4]
                times = (begins[stage] + shares * given.length) / begins[-1]
                columns = packed.columns[piece, 4 * i : 4 * i + 4]
                added[columns] = np.sin(np.pi * np.outer(times, waves)) @ sizes
        found += np.where(layout.lower < layout.upper, added, 0.0)
    kept: Array = np.clip(found, layout.lower, layout.upper)
    return kept


def _carry(problem: SpatialProblem, layout: SpatialLayout, out_variables: Array) -> None:
    """Let what is free fall where no force pushes, and forces that push against gravity carry the weight elsewhere."""
    packed, gravity = layout.packed, layout.packed.tree.gravity
    names = problem.figure.coordinates
    falls = [(i, float(gravity @ axis)) for i, axis in _slides(problem)]
    weight = problem.figure.mass * float(np.linalg.norm(gravity))
    up = -gravity / max(float(np.linalg.norm(gravity)), 1e-12)
    for number, stage in enumerate(problem.stages):
        acting = [f for f, each in enumerate(problem.forces) if problem.force(stage, each.name).kind != "constant"]
        lifts = [max(0.0, float(np.dot(up, problem.forces[f].direction))) for f in acting]
        pieces = np.flatnonzero(packed.pieces[:, 0] == number)
        if sum(lifts) > 0.0:
            for f, lift in zip(acting, lifts, strict=True):
                at = 4 * len(names) + 2 * f
                columns = packed.columns[pieces, at : at + packed.hat_counts[number, f]]
                out_variables[columns] = weight / sum(lifts) if lift > 0.0 else 0.0
            continue
        for i, fall in falls:
            if packed.moving[number, i] and packed.roles[number, i] == LAME and fall:
                shares = greville(stage.pieces)
                rise = -0.5 * fall * stage.length**2 * shares * (1.0 - shares)
                for within, piece in enumerate(pieces):
                    columns = packed.columns[piece, 4 * i : 4 * i + 4]
                    new = [0, 1, 2, 3] if within == 0 else [3]
                    out_variables[columns[new]] += rise[within : within + 4][new]


def _slides(problem: SpatialProblem) -> list[tuple[int, Array]]:
    """Coordinates of the root that are slides before all turns, and along what."""
    found = []
    root = problem.figure.hinged.joints[0]
    for dof in root.dofs:
        if dof.kind != "slide":
            break
        axis = np.array(turned(root.rest, dof.axis))
        found.append((problem.figure.coordinate(dof.id), axis))
    return found


def sampled_spatial_guess(problem: SpatialProblem, layout: SpatialLayout, motion: MotionLike) -> Array:
    """Variables that follow another motion of the same functions, stage by stage, whatever its pieces."""
    packed, found = layout.packed, np.clip(0.0, layout.lower, layout.upper)
    first = 0
    for number, stage in enumerate(problem.stages):
        pieces = stage.pieces
        shares = np.linspace(0.0, 1.0, pieces + 1)
        read = np.array([motion.stage_functions(number, share) for share in shares])
        length, n = float(motion.lengths[number]), len(problem.figure.coordinates)
        begins, ends = (length * motion.stage_functions(number, end, order=1)[:n] for end in (0.0, 1.0))
        coefficients = fit_spline(pieces, read[:, :n], (begins, ends))
        first_force = n + len(problem.muscles)
        for piece in range(pieces):
            columns = packed.columns[first + piece]
            for i in np.flatnonzero(packed.moving[number]):
                found[columns[4 * i : 4 * i + 4]] = coefficients[piece : piece + 4, i]
            for f in range(len(problem.forces)):
                at, count = 4 * n + 2 * f, int(packed.hat_counts[number, f])
                found[columns[at : at + count]] = read[piece : piece + count, first_force + f]
        first += pieces
        found[packed.lengths[number]] = length
        found[layout.blows[number]] = motion.stage_functions(number, 1.0)[first_force + len(problem.forces) :]
    kept: Array = np.clip(found, layout.lower, layout.upper)
    return kept


def _known(problem: SpatialProblem, i: int, name: str) -> tuple[list[float], list[float]]:
    """Times and values that are demanded of a coordinate, or are those of a constant."""
    found: dict[float, float] = {}
    begin = 0.0
    for stage in problem.stages:
        given = problem.coordinate(stage, name)
        if given.stays:
            found[begin] = found[begin + stage.length] = given.value
        for demand in problem.demands:
            of = (demand.stage, demand.quantity, demand.of) == (stage.name, "value", name)
            if of and demand.least == demand.most:
                found[begin + demand.at * stage.length] = demand.least
        begin += stage.length
    times = sorted(found)
    return times, [found[time] for time in times]
