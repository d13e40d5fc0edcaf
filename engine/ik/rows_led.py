"""Poses of one problem, side by side: each led from where it is, by descent alone, as if it were the only one.

For callers that need many poses at once, such as locks over a window of time. No other start is tried, nothing is
reported of the way, and nothing is decided by the clock; `engine.ik.solver.solve` with no other starts gives the same
pose, byte for byte. With Levenberg-Marquardt all of them are one call: a thread that enters and leaves a kernel for
each pose gives its turn to others in between, and each time waits for theirs.
"""

from __future__ import annotations

import math

import numpy as np

from engine.ik.layout import COUNT, COUNTS, FIELDS_END, SQUARES, STALLED, Packed
from engine.ik.levenberg import Levenberg, advance_levenberg
from engine.ik.problem import Problem
from engine.ik.region_kernels import keep_regions
from engine.ik.solver import Solver, slice_of
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel


def lead_rows(problem: Problem, solver: Solver, rows: Array, work: Array, iterations: int) -> Array:
    """Lead poses of the problem, rows of q, in place, each by up to so many iterations; 0 only looks at them. Returns
    by how much each then misses the goals, the square root of r^T r; 0 where all are within their tolerances."""
    if not np.isfinite(rows).all():
        raise InvalidArguments(what="the pose to start from", value="not a number", allowed="finite numbers")
    if iterations > 0:
        np.minimum(np.maximum(rows, problem.lower, out=rows), problem.upper, out=rows)
    left = np.empty(len(rows))
    if isinstance(solver, Levenberg):
        options = np.array([solver.damping, solver.least, solver.ease, solver.largest])
        lead_levenberg_rows(problem.packed, rows, work, options, iterations, slice_of(problem), left)
        return left
    for place, q in enumerate(rows):
        left[place] = _lead(problem, solver, q, work, iterations)
    return left


def _lead(problem: Problem, solver: Solver, q: Array, work: Array, iterations: int) -> float:
    """One pose, by any solver."""
    counts, worst, done = int(problem.ints[COUNTS]), math.inf, 0
    if iterations > 0 and problem.regions.listed:
        keep_regions(problem.ints, problem.regions.buffers, q.copy(), q)
    start = q.copy()
    work[counts : counts + COUNT] = 0.0
    while done < iterations:
        count = min(slice_of(problem), iterations - done)
        worst = solver.advance(problem, q, work, count)
        done += count
        if worst <= 1.0 or work[counts + STALLED] != 0.0:
            break
    if done > 0 and not (worst <= 1.0 or work[counts + SQUARES] < math.inf):
        q[:] = start
    if not worst <= 1.0:
        worst = solver.advance(problem, q.copy(), work, 0)
    return 0.0 if worst <= 1.0 else math.sqrt(work[counts + SQUARES])


@kernel
def lead_levenberg_rows(
    packed: Packed, rows: Array, work: Array, options: Array, iterations: int, most: int, out_left: Array
) -> None:
    """Every row by Levenberg-Marquardt, at most `most` iterations at a time. `options`: damping, least damping,
    ease and largest turn."""
    ints, regions = packed[2], packed[4]
    counts, start = ints[COUNTS], np.empty(rows.shape[1])
    for row in range(rows.shape[0]):
        q, worst, done = rows[row], math.inf, 0
        for each in range(q.shape[0]):
            start[each] = q[each]
        if iterations > 0 and ints[FIELDS_END] > 0:
            keep_regions(ints, regions, start, q)
            for each in range(q.shape[0]):
                start[each] = q[each]
        for each in range(COUNT):
            work[counts + each] = 0.0
        while done < iterations:
            count = min(most, iterations - done)
            worst = advance_levenberg(packed, q, work, count, options[0], options[1], options[2], options[3])
            done += count
            if worst <= 1.0 or work[counts + STALLED] != 0.0:
                break
        if done > 0 and not (worst <= 1.0 or work[counts + SQUARES] < math.inf):
            for each in range(q.shape[0]):
                q[each] = start[each]
        if not worst <= 1.0:
            worst = advance_levenberg(packed, q, work, 0, options[0], options[1], options[2], options[3])
        out_left[row] = 0.0 if worst <= 1.0 else math.sqrt(work[counts + SQUARES])
