"""Response of a window to small changes of the keyed motion it reads, to first order: all of them from one sweep back.

A step of `gains.py` about the motion that was simulated is linear in the keyed values g and rates r of its two ends.
With A and B the gradients of the inverse dynamics by place and velocity, W = (M_uu + D)^-1 over the rates u that servos
pull, e those that follow exactly, and primes for what is new:

    v'_u = v_u + W (dt (kp (g' - x - dt v) + kd' (r' - v) + c (r' - r) - A x - B v)_u - M_ue (r'_e - v_e)),
    x'_u = x_u + dt v'_u,   v'_e = r'_e,   x'_e = g'_e.

P and Q, what the end of the window owes to x and v, are carried from the end to the start; on the way each step's keyed
values and rates are given theirs. That is a few products of matrices a step, whatever the number of bells; by
simulations it is one window for each rate of each bell. M, A and B are taken anew every few steps, what stops take at
every step.

Joints' own springs are taken with A and B. Driven coordinates are left out of u: M, A and B are folded onto their
drivers, G^T M G with qd = G u, and they owe nothing of their own.

A stop is as stiff, and a drag as strong, as the step had them. That they grow, and that a joint stays on its limit
whatever its keys want, are left out: a joint whose answer were none would never be led off again. Nor do a ball's axes
turn. It is a model, off by 3 to 5 % where joints are free, and a step that it leads leaves a twentieth of the error;
the rest is learnt from the simulations that follow.

Symbols: M mass matrix, x, v value and rate, dt step [s]; kp, kd', c, D as in `gains.py`.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from engine.dynamics.batch import BatchWorkspace, invert_states, new_batch_workspace
from engine.dynamics.coordinates import compute_difference, nudge_coordinates
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.mechanics import Mechanics
from engine.kinodynamics.driven import accelerate, couple, write_shares
from engine.kinodynamics.following import pull_rates, pull_springs, read_aim, turn_rates
from engine.kinodynamics.gains import ADDED, ALONG, DAMPER, LACK, OWN, SPRING
from engine.kinodynamics.stops import BRAKE, keep_within, slow_rates, stop_rates
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass

_GROWN = 1e12
_STEP = 1e-5  # [rad or m], and per second, of finite differences
FINE, COARSE = 5, 10  # steps that share a mass matrix and gradients: H off by 3 to 5 %, by 7 to 9 % at half the cost


@dataclass(frozen=True, eq=False)
class _Step:
    """The matrices that some steps share; dt is in all but the first two. u: rates that servos pull."""

    inertia: Array  # M_uu + D, without stops
    carried: Array  # M_ue
    weight: Array  # A, rows u
    drag: Array  # B, rows u


class Tangent:
    """The sweep for one model, with its buffers."""

    def __init__(self, kino: KinoModel, every: int = FINE) -> None:
        self.kino, self.every = kino, every
        mechanics, count = kino.mechanics, kino.mechanics.rate_count
        self._work, self._room = mechanics.new_work(), new_batch_workspace(mechanics, 1)
        self._mass = np.empty((count, count))
        driven = np.zeros(count, dtype=bool)
        driven[[mechanics.model.figure.rate_index[dof.id] for dof in mechanics.model.figure.driven]] = True
        self._driven = driven
        self._exact = np.isinf(kino.servo[ADDED]) & ~driven
        self._led = ~(self._exact | driven)
        self._free = np.empty((0, 0))  # W without stops
        self.held = np.zeros(count)  # of each rate the share that a stop takes of the last step, at the last sweep

    def answers(self, goals: Array, path: Array, rates: IntArray) -> Generator[None, None, Array]:
        """Differentiate the values at a window's end by the keyed motion at each of its samples: shape [2, samples,
        rates, rate_count], of keyed values and of keyed rates; rows for the given rates alone. `goals`: what the window
        reads; `path`: the poses that it came to."""
        kino, count = self.kino, self.kino.mechanics.rate_count
        led, exact, dt = self._led, self._exact, kino.dt
        spring, damper, along, lack = (dt * kino.servo[row, led] for row in (SPRING, DAMPER, ALONG, LACK))
        poses = np.concatenate((goals[1, :1], path))
        keep_within(kino.mechanics.ints, kino.servo, poses[0])
        speeds = self._speeds(poses)
        found = np.zeros((2, kino.steps + 2, len(rates), count))
        place, shares = np.eye(count)[rates], write_shares(kino.mechanics, poses[-1])
        place = place if shares is None else place @ shares
        p, owed = place[:, led], np.zeros((len(rates), int(led.sum())))
        p_exact, owed_exact = place[:, exact], np.zeros((len(rates), int(exact.sum())))
        for step in range(kino.steps - 1, -1, -1):
            at = step + 2
            if (kino.steps - 1 - step) % self.every == 0:
                yield
                now = self._linearise(poses, speeds, max(step - self.every // 2, 0))
            w, stop, brake = self._braked(now, goals[step : step + 3], poses[step], speeds[max(step - 1, 0)])
            if step == kino.steps - 1:
                self.held[led] = 1.0 - np.diagonal(now.inertia) / (np.diagonal(now.inertia) + brake)
            owed = owed + dt * p
            middle, before = np.zeros((2, len(rates), count))  # by r', the mean of the keyed rates at both ends; by r
            if step == 0:
                middle[:, led] = owed = 0.5 * owed
            s = owed @ w
            if not np.abs(s).max(initial=0.0) < _GROWN:
                return found  # no answer of first order that is of use: what was read before is left out
            found[0, at][:, led] += s * spring
            found[0, at][:, exact] += p_exact
            middle[:, led] += s * (damper + along - lack)
            before[:, led] -= s * along
            by_exact = s @ now.carried
            middle[:, exact] += owed_exact - by_exact
            p = p - s * (spring + stop) - s @ now.weight[:, led]
            owed = owed - s * (dt * spring + damper + brake) - s @ now.drag[:, led]
            p_exact, owed_exact = -s @ now.weight[:, exact], by_exact - s @ now.drag[:, exact]
            found[1, at - 1 : at + 1] += 0.5 * middle
            found[1, max(at - 2, 0) : at] += 0.5 * before
        found[0, 1][:, led] += p
        found[0, 1][:, exact] += p_exact
        found[1, 0:2][:, :, led] += 0.5 * owed
        found[1, 0:2][:, :, exact] += 0.5 * owed_exact
        return found

    def _speeds(self, poses: Array) -> Array:
        """The rates of each step, shape [steps, rate_count]."""
        found = np.empty((len(poses) - 1, self.kino.mechanics.rate_count))
        for before, after, out in zip(poses[:-1], poses[1:], found, strict=True):
            compute_difference(self.kino.mechanics.ints, before, after, out)
        return np.asarray(found / self.kino.dt)

    def _linearise(self, poses: Array, speeds: Array, step: int) -> _Step:
        """About one step of the motion that was simulated."""
        mechanics, dt, led = self.kino.mechanics, self.kino.dt, self._led
        q, qd = poses[step], speeds[step]
        v = speeds[step - 1] if step else qd
        compute_mass_matrix(mechanics.ints, mechanics.floats, q, self._work, self._mass)
        by_place, by_speed = gradients(mechanics, q, 0.5 * (v + qd), (qd - v) / dt, self._room)
        own = self.kino.servo[OWN]
        if own.any():
            by_place, by_speed = by_place + np.diag(own), by_speed + dt * np.diag(own)
        mass, shares = self._mass, write_shares(mechanics, q)
        if shares is not None:
            extra = np.where(self._driven & np.isfinite(self.kino.servo[ADDED]), self.kino.servo[ADDED], 0.0)
            mass = shares.T @ (mass + np.diag(extra)) @ shares
            by_speed = by_speed + np.diag(np.where(self._driven, self.kino.servo[DAMPER], 0.0))
            by_place, by_speed = (shares.T @ each @ shares for each in (by_place, by_speed))
        inertia = mass[np.ix_(led, led)] + np.diag(self.kino.servo[ADDED, led])
        carried = mass[np.ix_(led, self._exact)]
        self._free = np.asarray(np.linalg.inv(inertia), dtype=np.float64)
        return _Step(inertia, carried, dt * by_place[led], dt * by_speed[led])

    def _braked(self, now: _Step, goals: Array, q: Array, v: Array) -> tuple[Array, Array, Array]:
        """W of a step with what its stops take: from one step to the next they change more than all else."""
        stop, brake = self._lean(goals, q, v)[:, self._led]
        if not brake.any():
            return self._free, stop, brake
        w = np.linalg.inv(now.inertia + np.diag(brake))
        return np.asarray(w, dtype=np.float64), stop, brake

    def _lean(self, goals: Array, q: Array, v: Array) -> Array:
        """Find the stiffness of the stops and, with the drag, the damping in a step that starts from q at the rates v,
        as `following.py` takes it: shape [2, rate_count]."""
        mechanics, servo, dt = self.kino.mechanics, self.kino.servo, self.kino.dt
        ints, rates = mechanics.ints, np.empty((8, mechanics.rate_count))
        last, here, ahead, apart, tau, diagonal, free, along = rates
        goal = np.empty_like(q)
        read_aim(ints, servo, goals[0], goal, last)
        read_aim(ints, servo, goals[1], goal, here)
        read_aim(ints, servo, goals[2], goal, ahead)
        along[:], ahead[:] = 0.5 * (last + here), 0.5 * (here + ahead)
        compute_difference(ints, q, goal, apart)
        turn_rates(ints, apart, ahead)
        pull_rates(servo, dt, apart, ahead, along, v, tau, diagonal)
        pull_springs(ints, servo, dt, q, ahead, v, tau)
        bodies, forces = (ints, mechanics.floats, self.kino.coupled), (tau, diagonal, self.kino.outside)
        workspace, layout = self.kino.works[0], self.kino.contact.layout[0]
        couple(bodies, q, v, 0.0, workspace, layout)
        accelerate(bodies, q, v, forces, self._work, workspace, layout, free)
        slow_rates(servo, dt, v, free, tau, diagonal)
        dragged, found, led = diagonal.copy(), np.zeros((2, mechanics.rate_count)), self._led
        stop_rates(ints, servo, dt, q, v, free, tau, diagonal)
        found[0, led] = (diagonal[led] - dragged[led]) / (dt + BRAKE)
        found[1, led] = diagonal[led] - servo[ADDED, led]
        return found


def gradients(mechanics: Mechanics, q: Array, qd: Array, qdd: Array, workspace: BatchWorkspace) -> tuple[Array, Array]:
    """Differentiate the inverse dynamics of a motion by place and by velocity, each [rate_count, rate_count]."""
    count = mechanics.rate_count
    places, speeds = np.tile(q, (2 * count + 1, 1)), np.tile(qd, (2 * count + 1, 1))
    nudge_coordinates(mechanics.ints, q, _STEP, np.empty(count), places[1 : count + 1])
    speeds[count + 1 :][np.diag_indices(count)] += _STEP
    found = invert_states(mechanics, places, speeds, np.tile(qdd, (2 * count + 1, 1)), workspace=workspace)
    by_place, by_speed = (found[1:] - found[0]).reshape(2, count, count) / _STEP
    return by_place.T, by_speed.T
