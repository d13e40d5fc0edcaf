"""Efforts: the forces that a motion takes: inverse dynamics of what is seen, and what is left at the root.

Source: Featherstone 2008, Rigid Body Dynamics Algorithms, 5.1 to 5.3 (recursive Newton-Euler); Newton's and Euler's
laws of each body j, its centre c and its inertia I about it, g the pull of gravity:

    F = m (a_c - g),    N = (c - p) x F + R I R^T alpha + omega x R I R^T omega    about its joint's origin p

Torques come from q, q' and q'' by `engine.dynamics.batch` where the curves move the actor. Where locks, attachments
or secondary motion count, what the actor hangs on may carry it in any way, which its own coordinates do not tell: there
the bodies' F and N, from the motion that is seen in the world, are put on the figure at rest as what acts from outside,
turned round; what holds it then is J^T (F, N), the same torques (5.1 with no other terms left).

The residual is the sum of F, and of N about the root's origin, over all bodies: with no other contact it is what the
ground, a support or a hand must give. Forces that were measured act on their bodies while they were measured
(`engine.dynamics.measured`), and the residual is what they leave. No other force of the ground is known here, so
without them torques of joints that bear it are those of limbs that hang free.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Figure
from engine.document.measured_forces import MeasuredForces
from engine.dynamics.batch import invert_states
from engine.dynamics.measured import acting_at
from engine.dynamics.mechanics import Mechanics, compile_mechanics, placed, with_gravity
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross
from engine.measure.masses import Masses
from engine.measure.moving import Moving, speeds_of
from engine.measure.quantities import GRAVITY
from engine.model.compile import Model
from engine.model.driven_kernels import fold_states
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

_WRENCH = (slice(0, 3), slice(3, 6))  # force and torque
_MECHANICS: Bounded[str, Mechanics] = Bounded(64)


@dataclass(frozen=True, eq=False)
class Efforts:
    """Forces that an actor's motion takes at n times."""

    actor: Actor
    model: Model
    moving: Moving
    masses: Masses
    times: Sequence[int]  # [ticks] n of them

    @cached_property
    def speeds(self) -> Array:
        """qd and qdd, shape [n, 2, rate_count]."""
        return speeds_of(self.model.figure, self.moving.coordinates)

    @cached_property
    def torques(self) -> Array:
        """tau [N m], of slides [N], shape [n, rate_count]; what drives others bears what they take, by f'."""
        torques = np.empty((len(self.moving.coordinates), self.model.rate_count))
        held = self.moving.by_differences
        if not held.all():
            q, speeds = self.moving.coordinates[~held, 0], self.speeds[~held]
            outside = None if self.measured is None else self.measured[~held]
            torques[~held] = invert_states(self._placed, q, speeds[:, 0], speeds[:, 1], outside)
        if held.any():
            torques[held] = self._resolve(np.flatnonzero(held))
        driven = self.model.driven
        if driven is not None:
            fold_states(driven.ints, driven.floats, np.ascontiguousarray(self.moving.coordinates[:, 0]), torques)
        return torques

    @cached_property
    def forces(self) -> tuple[Array, Array]:
        """F [N] and N [N m] of each body, about its joint's origin, shapes [n, joint_count, 3]."""
        moving, masses = self.moving, self.masses
        pull = np.array([0.0, -GRAVITY, 0.0])
        force = masses.bodies.mass[:, None] * (masses.centres[2] - pull)
        spun = masses.turned_by_inertia(moving.turning_rates) + cross(moving.turning, masses.spins)
        return force, cross(masses.centres[0] - moving.positions, force) + spun

    @cached_property
    def measured(self) -> Array | None:
        """The measured force on each body [N], [N m] about its joint's origin, shape [n, joint_count, 6]."""
        part, moving = self.actor.part(MeasuredForces), self.moving
        if part is None:
            return None
        acting = acting_at(part, self.model.figure, self.times, moving.rotations, moving.positions)
        return acting.wrenches(moving.positions)

    @cached_property
    def residual_force(self) -> Array:
        """[N], shape [n, 3]."""
        given = 0.0 if self.measured is None else self.measured[:, :, :3].sum(axis=1)
        return np.asarray(self.forces[0].sum(axis=1) - given)

    @cached_property
    def residual_torque(self) -> Array:
        """[N m] about the root's origin, shape [n, 3]."""
        force, moment = self.forces
        if self.measured is not None:
            force, moment = force - self.measured[:, :, :3], moment - self.measured[:, :, 3:]
        arms = self.moving.positions - self.moving.positions[:, :1]
        return np.asarray((moment + cross(arms, force)).sum(axis=1))

    @cached_property
    def _placed(self) -> Mechanics:
        return placed(_mechanics(self.model), self.actor.placement.position, self.actor.placement.rotation)

    @cached_property
    def _floating(self) -> Mechanics:
        return with_gravity(_mechanics(self.model), (0.0, 0.0, 0.0))

    def _resolve(self, rows: NDArray[np.signedinteger]) -> Array:
        """Times at which something else may carry the actor, which stands elsewhere than its placement says."""
        q, still = np.ascontiguousarray(self.moving.coordinates[rows, 0]), np.zeros((len(rows), self.model.rate_count))
        state, carried = self.model.new_state(), np.empty((len(rows), 3, 3))
        for row, pose, out in zip(rows, q, carried, strict=True):
            compute_forward_kinematics(self.model.ints, self.model.floats, pose, state)
            out[:] = self.moving.rotations[row, 0] @ self.model.transforms(state)[0, :9].reshape(3, 3).T
        pushes = [-each[rows] for each in self.forces]
        if self.measured is not None:
            pushes = [each + self.measured[rows, :, part] for each, part in zip(pushes, _WRENCH, strict=True)]
        outside = np.concatenate([each @ carried for each in pushes], axis=2)
        return invert_states(self._floating, q, still, still, outside)


def rate_of(figure: Figure, coordinate: str) -> int:
    """The place among the rates of a coordinate that has one: of a ball's four x, y and z."""
    at = 0
    for dof in figure.dofs:
        if coordinate in dof.coordinates:
            return at + dof.coordinates.index(coordinate) - (dof.kind == "ball")
        at += 3 if dof.kind == "ball" else 1
    raise KeyError(coordinate)


def _mechanics(model: Model) -> Mechanics:
    """Pack the mechanics under the gravity of the energies; kept by the figure's content."""
    # A freedom without mass has no acceleration of its own, but here it is given.
    gravity = (0.0, -GRAVITY, 0.0)
    return _MECHANICS.find(model.figure.digest, lambda: compile_mechanics(model, gravity=gravity, massless=True))
