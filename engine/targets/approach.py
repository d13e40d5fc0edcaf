"""Start of the search for places with velocities: the keys of a figure that comes to where it is wanted and has never
swung.

To be at a place with a velocity asks of a slack limb that it has stopped swinging, and a swing of a second does not
stop within a window of a third of one. What does is a motion that gathers its velocity on the way to the place alone:
with q the nearest pose at the place, inside of its limits, and v the least rates of the velocity, the limb is to go

    x(t) = q + v h (exp((t - T) / h) - 1)    over the window that ends at T,

which is q itself where the velocity is 0. Its keys x_K + f are where servos give the torques of inverse dynamics,
kp (x_K + f - x) + kd (x_K + f - x)' = tau(x, x', x''); f is fitted to that by the bells of the basis, rate by rate
(least squares, with a ridge). Not exact: a window begins on its keys, off by what tau asks for, stops press, and what
the target does not claim swings on. From there the search has little left to do.

Symbols: q, v pose and rates; tau torques [N m or N]; f correction [rad or m]; T the time of the target; h [s].
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.batch import invert_states, new_batch_workspace
from engine.dynamics.coordinates import compute_difference, integrate_coordinates, read_rates
from engine.kinodynamics.keyed import Keyed
from engine.maths.arrays import Array
from engine.motion.curve_kernels import TICKS
from engine.targets.equations import BodyVelocityEquation, KinodynamicState
from engine.targets.nodes import Group
from engine.targets.steering import Steering

_RIDGE = 1e-4  # of the largest number on the diagonal
_GATHERED = 0.1  # [s] in which a velocity comes about


def approach(group: Group, steering: Steering, state: KinodynamicState, keyed: Keyed) -> Array:
    """Find the coefficients by rows of a basis that is free, for the one node of a group; `state`: where it is now."""
    kino, end = group.kino, float(group.nodes[0].time)
    times = np.unique(kino.samples(np.array([end - 0.5 * kino.step_ticks, end])))
    path, rates, tau = _way(group, steering, state, (times - end) / TICKS)
    motion, off = keyed(times), np.empty((2, *rates.shape))
    for pose, on_way, out in zip(motion[:, 0], path, off[0], strict=True):
        compute_difference(kino.mechanics.ints, pose, on_way, out)
    for row, out in zip(motion, off[1], strict=True):
        read_rates(kino.mechanics.ints, row[0], row[1], out)
    off[1] = rates - off[1]
    terms = group.basis.values(times)[:2] @ group.basis.solve
    found, kp, kd = np.zeros((terms.shape[2], rates.shape[1])), kino.gains.kp, kino.gains.kd
    for rate in np.flatnonzero(np.isfinite(kp) & (kp > 0.0) & (steering.mobilities[0] > 0.0)):
        lag = kd[rate] / kp[rate]
        drive = terms[0] + lag * terms[1]
        normal = drive.T @ drive
        normal[np.diag_indices_from(normal)] += _RIDGE * float(np.diagonal(normal).max(initial=1e-12))
        wanted = off[0, :, rate] + lag * off[1, :, rate] + tau[:, rate] / kp[rate]
        found[:, rate] = np.linalg.solve(normal, drive.T @ wanted)
    return found


def _way(group: Group, steering: Steering, state: KinodynamicState, times: Array) -> tuple[Array, Array, Array]:
    """The poses of the way, their rates and torques at some times before the target [s]."""
    mechanics = group.kino.mechanics
    q, e = np.empty_like(state.q), steering.displacement(0, state)[0]
    integrate_coordinates(mechanics.ints, state.q, e, 1.0, q)
    equations = [equation for goal in group.nodes[0].goals for equation in goal.equations]
    bodies = [np.array(each.velocity) for each in equations if isinstance(each, BodyVelocityEquation)]
    v = steering.least_rates(0, KinodynamicState(q), np.concatenate(bodies), np.zeros(mechanics.rate_count))
    share = np.exp(times / _GATHERED)
    path = np.empty((len(times), len(q)))
    for each, out in zip(share, path, strict=True):
        integrate_coordinates(mechanics.ints, q, v, _GATHERED * (each - 1.0), out)
    rates = share[:, None] * v
    tau = invert_states(mechanics, path, rates, rates / _GATHERED, workspace=new_batch_workspace(mechanics, 1))
    return path, rates, tau
