"""Start of the search for poses at every frame: the correction that inverse dynamics gives.

A joint whose servo has the stiffness kp and the damping kd follows its keys x exactly where the servo gives the torque
that the motion takes: kp f + kd f' = tau(x, x', x''), of inverse dynamics with the gravity that each body feels. f is
fitted by bells, rate by rate, at every half step of the windows that end in poses (least squares, with a ridge so that
bells that lie over each other stay small): what lies between poses far apart is read by none of them and costs nothing.
Where even that would be more than `_MOST` numbers, the search begins without it. Not exact: a window begins off its
keys by f, its steps are not infinitesimal, stops press, and before the first pose there is no bell. The search mends
that; from no correction at all it would have to find its way over several rad of light joints that heavy ones throw
about.

Symbols: q, qd, qdd keyed motion; tau torques [N m or N]; f correction [rad or m].
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from engine.dynamics.batch import BatchWorkspace, invert_states, new_batch_workspace
from engine.dynamics.coordinates import read_rates
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.motion.curve_kernels import TICKS
from engine.targets.corrections import Basis

_RIDGE = 1e-3  # of the largest number on the diagonal
_TOGETHER = 32  # times a slice
_MOST = 10_000_000  # values of terms at times, three of each are held [80 MB each]


def feed_forward(kino: KinoModel, keyed: Keyed, basis: Basis, poses: Sequence[int]) -> Generator[None, None, Array]:
    """Coefficients by rows of a basis that is free, for poses at some times [ticks], in order."""
    found, spans = np.zeros((len(basis.rows), len(kino.gains.kp))), _spans(kino, poses)
    if sum(end - start for start, end in spans) * len(basis.rows) > _MOST:
        return found
    halves = np.concatenate([np.arange(start, end, dtype=np.float64) for start, end in spans])
    times = poses[0] - kino.window_ticks + halves * (kino.step_ticks // 2)
    torques, workspace = np.empty((len(times), kino.mechanics.rate_count)), new_batch_workspace(kino.mechanics, 1)
    for start in range(0, len(times), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        torques[part] = _torques(kino, keyed, times[part], workspace)
        yield
    terms = basis.values(times)
    kp, kd = kino.gains.kp, kino.gains.kd
    for rate in np.flatnonzero(np.isfinite(kp) & (kp > 0.0)):
        drive = terms[0] + kd[rate] / kp[rate] * terms[1]
        normal = drive.T @ drive
        normal[np.diag_indices_from(normal)] += _RIDGE * float(np.diagonal(normal).max(initial=1e-12))
        found[:, rate] = np.linalg.solve(normal, drive.T @ (torques[:, rate] / kp[rate]))
        yield
    return found


def _spans(kino: KinoModel, poses: Sequence[int]) -> list[tuple[int, int]]:
    """From which half step to which, counted from the first window on, the windows of poses reach; joined."""
    half, spans = kino.step_ticks // 2, list[tuple[int, int]]()
    for time in poses:
        start, end = (time - poses[0]) // half, -((poses[0] - kino.window_ticks - time - kino.step_ticks) // half)
        if spans and start <= spans[-1][1]:
            start, _ = spans.pop()
        spans.append((start, end))
    return spans


def _torques(kino: KinoModel, keyed: Keyed, times: Array, workspace: BatchWorkspace) -> Array:
    """tau at some times; accelerations are differences over half a step."""
    mechanics, apart = kino.mechanics, kino.step_ticks // 4
    motions = [keyed(times + by) for by in (-apart, 0, apart)]
    rates = np.empty((3, len(times), mechanics.rate_count))
    for motion, rows in zip(motions, rates, strict=True):
        for each, row in zip(motion, rows, strict=True):
            read_rates(mechanics.ints, each[0], each[1], row)
    qdd = (rates[2] - rates[0]) * (TICKS / (2.0 * apart))
    return invert_states(mechanics, motions[1][:, 0], rates[1], qdd, workspace=workspace)
