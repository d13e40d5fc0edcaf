"""Play a motion's muscles and forces back through the equations of motion, step by step: Runge and Kutta's method.

The figure moves by M a = g + Q - (dp/dq) v alone; coordinates that stay on the stage stay. How far it comes
from the planned motion says how well the pieces of that obey physics. A stage that follows another starts with the
momentum that was handed on, which is that of the variational equations (`constraints`), not p at the rates there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.spacetime.bases import quadrature
from engine.spacetime.lagrangian import compute_curvature
from engine.spacetime.layout import PackedProblem
from engine.spacetime.motion_equations import set_slopes
from engine.spacetime.motions import PlannedMotion
from engine.spacetime.states import StateWork, new_state_work, read_state


@dataclass(frozen=True, eq=False)
class Played:
    """A stage as it was played."""

    times: Array  # [steps + 1], since the stage began [s]
    q: Array  # [steps + 1, coordinates]
    v: Array


@kernel
def set_accelerations(problem: PackedProblem, work: StateWork) -> None:
    """Set p to g + Q - (dp/dq) v, and `second` to the second derivatives of L, of the values and rates in the work."""
    n = problem.figure.parents.size + 2
    set_slopes(problem, work)
    compute_curvature(problem.figure, work.pairs, work.v, work.second)
    for i in range(n):
        work.p[i] = work.g[i]
        for j in range(n):
            work.p[i] -= work.second[n + i, j] * work.v[j]


def play_back(motion: PlannedMotion, stage: int, steps: int = 200) -> Played:
    """Start where a stage starts, and go to its end in so many steps or a few more: as many on each piece. Torques bend
    where pieces meet, and steps across that are of a lower order."""
    pieces = motion.problem.stages[stage].pieces
    steps = -(-steps // pieces) * pieces
    work, packed = new_state_work(motion.layout.packed), motion.layout.packed
    n, length = packed.rows.shape[1], float(motion.lengths[stage])
    free, dt = _free(motion, stage), length / steps

    def rates(share: float, q: Array, v: Array) -> Array:
        work.a[:], work.v[:] = motion.stage_functions(stage, share), 0.0
        work.a[:n], work.v[:n] = q, v
        set_accelerations(packed, work)
        mass = work.second[n:, n:][np.ix_(free, free)]
        found = np.zeros(n)
        found[free] = np.linalg.solve(mass, work.p[free])
        return found

    q, v = motion.stage_functions(stage, 0.0)[:n], first_rates(motion, stage)
    path = [(q, v)]
    for step in range(steps):
        begin, middle, end = step / steps, (step + 0.5) / steps, (step + 1) / steps
        a1 = rates(begin, q, v)
        v2 = v + 0.5 * dt * a1
        a2 = rates(middle, q + 0.5 * dt * v, v2)
        v3 = v + 0.5 * dt * a2
        a3 = rates(middle, q + 0.5 * dt * v2, v3)
        v4 = v + dt * a3
        a4 = rates(min(end, 1.0), q + dt * v3, v4)
        q = q + dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v = v + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        path.append((q, v))
    return Played(
        np.linspace(0.0, length, steps + 1),
        np.array([each[0] for each in path]),
        np.array([each[1] for each in path]),
    )


def first_rates(motion: PlannedMotion, stage: int) -> Array:
    """Rates with which a stage begins: those of its path, or by the momentum that was handed on to it."""
    work, packed, free = new_state_work(motion.layout.packed), motion.layout.packed, _free(motion, stage)
    n, v = packed.rows.shape[1], motion.stage_functions(stage, 0.0, order=1)
    if stage == 0:
        return v[:n]
    work.a[:], work.v[:] = motion.stage_functions(stage, 0.0), 0.0
    work.v[:n] = v[:n]
    set_accelerations(packed, work)
    mass, found = work.second[n:, n:][np.ix_(free, free)], np.zeros(n)
    found[free] = np.linalg.solve(mass, first_momentum(motion, stage)[free])
    return found


def _free(motion: PlannedMotion, stage: int) -> IntArray:
    """The coordinates that move on a stage."""
    given = motion.problem.representations(motion.problem.stages[stage])
    count = motion.layout.packed.rows.shape[1]
    return np.flatnonzero([not each.stays and each.kind != "single" for each in given[:count]]).astype(np.int32)


def first_momentum(motion: PlannedMotion, stage: int) -> Array:
    """Momentum at the beginning of a stage: what the trial function that is 1 there takes from its first piece."""
    packed, rule = motion.layout.packed, quadrature(motion.problem.rule)
    work, n = new_state_work(packed), packed.rows.shape[1]
    found = np.zeros(n)
    h = float(motion.lengths[stage]) / int(packed.counts[stage])
    for weight, bases in zip(rule.weights, rule.layers, strict=True):
        read_state(packed.kinds[stage], packed.firsts[stage], 0, bases, motion.x, h, work.a, work.v)
        set_slopes(packed, work)
        kinds = packed.kinds[stage, :n]
        found -= weight * (work.p * bases[1, kinds, 0] + h * work.g * bases[0, kinds, 0])
    return found
