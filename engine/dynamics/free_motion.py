"""The first part of a step: where forces are taken, and the rates that a step leads to without any impulse.

Which stepper takes them where: `step.py`.
"""

from __future__ import annotations

import math

from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.resistance import Buffers, Stepped, write_resistances
from engine.dynamics.step_layout import (
    BACKWARD,
    DIAGONAL,
    METHOD,
    MIDPOINT,
    OUTSIDE,
    Q_AT,
    QD_AT,
    QD_NEXT,
    QDD,
    RATES,
    REACH,
    REPEATS,
    SEMI_IMPLICIT,
    SETTLED,
    TAU,
    WAY,
)
from engine.maths.arrays import Array, IntArray
from engine.model.compile import COORDINATE_COUNT, JOINT_COUNT, RATE_COUNT
from engine.runtime.jit import kernel


@kernel
def move_freely(stepped: Stepped, buffers: Buffers, dt: float) -> float:
    """QD_NEXT without any impulse; the factors of the pose where forces are taken; the time h that is left from it."""
    (ints, floats, _, _, _, options), (state, offsets, work, dynamics) = stepped, buffers
    coordinates, rates, joints = ints[COORDINATE_COUNT], ints[RATE_COUNT], ints[JOINT_COUNT]
    q, qd = state[:coordinates], state[offsets[RATES] : offsets[RATES] + rates]
    outside = state[offsets[OUTSIDE] : offsets[OUTSIDE] + 6 * joints].reshape((-1, 6))
    q_at, qd_at = work[offsets[Q_AT] : offsets[Q_AT] + coordinates], work[offsets[QD_AT] : offsets[QD_AT] + rates]
    qdd, qd_next = work[offsets[QDD] : offsets[QDD] + rates], work[offsets[QD_NEXT] :]
    tau, diagonal = work[offsets[TAU] :], work[offsets[DIAGONAL] :]
    method = int(options[METHOD])
    h = 0.5 * dt if method == MIDPOINT else dt
    integrate_coordinates(ints, q, qd, dt - h, q_at)
    write_resistances(stepped, buffers, q_at, qd, h, dt)
    way = work[offsets[WAY] :]
    for rate in range(rates):
        qd_at[rate], way[rate] = qd[rate], 0.0
    compute_forward_dynamics(ints, floats, q_at, qd_at, tau, diagonal, outside, dynamics, qdd)
    before = math.inf
    for _ in range(int(options[REPEATS]) if method != SEMI_IMPLICIT else 0):
        changed = 0.0
        for rate in range(rates):
            ahead = qd[rate] + (0.5 * dt if method == MIDPOINT else dt) * qdd[rate]
            changed = max(changed, abs(ahead - qd_at[rate]))
            qd_at[rate] = ahead
        if changed <= options[SETTLED]:
            break
        astray = changed > before
        before = changed
        # Where the step is too long for the repetition to close in, forces are those at hand.
        for rate in range(rates if astray else 0):
            qd_at[rate] = qd[rate]
        if method == BACKWARD:
            for rate in range(rates):
                way[rate] = 0.0 if astray else qd_at[rate]
            integrate_coordinates(ints, q, way, dt, q_at)
        compute_forward_dynamics(ints, floats, q_at, qd_at, tau, diagonal, outside, dynamics, qdd)
        if astray:
            break
    free_rates(rates, state, offsets, work, dt)
    for rate in range(rates):
        work[offsets[REACH] + rate] = abs(qd_next[rate])
    return h


@kernel
def free_rates(rates: int, state: Array, offsets: IntArray, work: Array, dt: float) -> None:
    """QD_NEXT without any impulse."""
    for rate in range(rates):
        work[offsets[QD_NEXT] + rate] = state[offsets[RATES] + rate] + dt * work[offsets[QDD] + rate]


@kernel
def ahead_of(options: Array, state: Array, offsets: IntArray, work: Array) -> Array:
    """The pose that the new rates go on from."""
    return state if int(options[METHOD]) == BACKWARD else work[offsets[Q_AT] :]
