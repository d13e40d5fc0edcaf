"""Play a motion's torques and forces back through the articulated dynamics, step by step: Runge and Kutta's method.

Torques of muscles are those that the plan needs at each time, forces those of the plan; what is free has none, what
stays on a stage stays. How far the figure comes from the plan says how well that obeys physics between the points where
its equations were asked for.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from engine.dynamics.forward import compute_forward_dynamics
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.runtime.progress import finish
from engine.spacetime.playback import Played
from engine.spacetime.spatial.layout import MUSCLE
from engine.spacetime.spatial.motions import SpatialMotion

NEAR, ASTRAY = 0.01, 0.5  # of how far a stage goes: off by less is as planned; by more, nothing holds it
_STEPS, _SLICE = 12, 20  # on each piece; between two looks of other work


def play_spatial_back(motion: SpatialMotion, stage: int, steps: int = 200) -> Played:
    """Start where a stage starts, and go to its end in so many steps or a few more: as many on each piece. Torques bend
    where pieces meet, and steps across that are of a lower order; what is unstable makes much of it."""
    pieces = motion.problem.stages[stage].pieces
    return finish(_steps(motion, stage, -(-steps // pieces) * pieces))


def _steps(motion: SpatialMotion, stage: int, steps: int) -> Generator[None, None, Played]:
    """Do so in slices."""
    player = _Player(motion, stage)
    length = float(motion.lengths[stage])
    dt = length / steps
    q, v = (motion.stage_coordinates(stage, 0.0, order=order) for order in (0, 1))
    path = [(q, v)]
    for step in range(steps):
        begin, middle, end = step / steps, (step + 0.5) / steps, (step + 1) / steps
        a1 = player.accelerations(begin, q, v)
        v2 = v + 0.5 * dt * a1
        a2 = player.accelerations(middle, q + 0.5 * dt * v, v2)
        v3 = v + 0.5 * dt * a2
        a3 = player.accelerations(middle, q + 0.5 * dt * v2, v3)
        v4 = v + dt * a3
        a4 = player.accelerations(min(end, 1.0), q + dt * v3, v4)
        q = q + dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v = v + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        path.append((q, v))
        if step % _SLICE == 0:
            yield
    times = np.linspace(0.0, length, steps + 1)
    return Played(times, np.array([each[0] for each in path]), np.array([each[1] for each in path]))


class _Player:
    """One stage's forces at any time."""

    def __init__(self, motion: SpatialMotion, stage: int) -> None:
        self.motion, self.stage = motion, stage
        self.mechanics, packed = motion.problem.figure.mechanics, motion.layout.packed
        self.driven = packed.roles[stage] == MUSCLE
        self.given = packed.given[stage]
        self.stays = packed.moving[stage] == 0
        self.diagonal = np.where(self.stays, np.inf, 0.0)
        self.work = self.mechanics.new_work()
        self.outside = np.zeros((self.mechanics.joint_count, 6))
        self.qdd = np.zeros(self.mechanics.rate_count)

    def accelerations(self, share: float, q: Array, v: Array) -> Array:
        """Return how the figure accelerates in a state, by the plan's forces of that time."""
        forces = self.motion.layout.packed.forces
        tau = np.where(self.driven, self.motion.stage_torques(self.stage, share), self.given)
        stiffness, rest = self.motion.layout.packed.tree.springs
        tau = np.where(self.stays, 0.0, tau + stiffness * (rest - q))
        sizes = self.motion.stage_forces(self.stage, share)
        self.outside[:] = 0.0
        self._run(q, v, tau)  # for where the bodies are
        for size, joint, place, direction in zip(sizes, forces.joints, forces.places, forces.directions, strict=True):
            row = (joint + 1) * ROW
            arm = self.work[row : row + 9].reshape(3, 3) @ place
            self.outside[joint, :3] += size * direction
            self.outside[joint, 3:] += size * np.cross(arm, direction)
        self._run(q, v, tau)
        return self.qdd.copy()

    def _run(self, q: Array, v: Array, tau: Array) -> None:
        mechanics = self.mechanics
        compute_forward_dynamics(
            mechanics.ints, mechanics.floats, q, v, tau, self.diagonal, self.outside, self.work, self.qdd
        )


def played_off(motion: SpatialMotion, stage: int, steps: int = 200) -> float:
    """Say how far a stage's motion comes from the plan, beside how far it goes."""
    return _off(motion, stage, play_spatial_back(motion, stage, steps))


def _off(motion: SpatialMotion, stage: int, played: Played) -> float:
    planned = np.array([motion.stage_coordinates(stage, share) for share in np.linspace(0.0, 1.0, len(played.q))])
    return float(np.abs(planned - played.q).max() / np.ptp(planned, axis=0).max())


def tell_playback(motion: SpatialMotion, names: Sequence[str]) -> Generator[None, None, str]:
    """Say of a motion which of its stages, by these names, its torques alone would take farthest off, and what helps;
    nothing where all come as planned. Worked out in slices."""
    worst, name = 0.0, ""
    with np.errstate(all="ignore"):
        for stage, given in enumerate(motion.problem.stages):
            played = yield from _steps(motion, stage, _STEPS * given.pieces)
            off = _off(motion, stage, played)
            if not off <= worst:  # or no number at all
                worst, name = off, names[stage]
    if worst <= NEAR:
        return ""
    if worst <= ASTRAY:
        return f" Played back from its torques alone {name} comes {worst:.1%} off: more pieces, or smoothness, help."
    return f" Played back from its torques alone {name} goes astray, for nothing holds it: let physics follow its keys."
