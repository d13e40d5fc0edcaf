"""The torques that a motion takes of muscles: inverse dynamics of what is seen, less what the ground gives.

tau = M(q) q'' + c(q, q') - J^T f  of `engine.dynamics.batch`, f being the forces of the ground: those that were
measured (`engine.dynamics.measured`) while they were, else estimated ones (`ground.py`), and less what the springs of
joints (`Dof.spring`) and bushings (`engine.bushings`) pull with. Rates and accelerations are
those of the curves where nothing else moves the actor; where something does they are differences over 1 ms, of a
simulation over a quarter of a frame, between whose steps bodies go on evenly.

What a driven coordinate takes is its drivers'. What tau is at the root's rates nobody gives: the residual. Where the
root holds still, as in a figure that is bolted down, it has no rates, and where muscles hold on to the ground they are
asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.bushings.forces import BushingForces
from engine.bushings.uses import acting_bushings
from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.document.measured_forces import MeasuredForces
from engine.document.ticks import TICKS_PER_SECOND, ticks_per_frame
from engine.dynamics.batch import invert_states
from engine.dynamics.coordinates import compute_difference, read_rates
from engine.dynamics.measured import acting_at
from engine.dynamics.mechanics import compile_mechanics, placed
from engine.evaluation import Evaluation
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import ROW
from engine.model.driven_kernels import fold_states
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.ground import GroundForces, root_rates
from engine.muscles.parts import Muscles
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class RequiredTorques:
    """A motion at n times and what it takes."""

    q: Array  # shape [n, coordinate_count]
    qd: Array  # shape [n, rate_count]
    qdd: Array
    torques: Array  # [N m], of slides [N]: less what the ground and springs give, shape [n, rate_count]
    ground: Array  # [N] of the ground on the whole figure, shape [n, 3]


class RequiredDynamics:
    """Inverse dynamics of an actor's motion in a document; used by one thread."""

    def __init__(self, evaluation: Evaluation, document: Document, actor: str) -> None:
        self._evaluation, self._document = evaluation, without_drafts(document)
        owner = self._document.actor(actor)
        check_carried(owner)
        self._owner, self._needed = owner, self._document.with_all_that_hold(actor)
        self.world = self._document.part(PhysicsWorld) or PhysicsWorld()
        pull = (0.0, -self.world.gravity, 0.0)
        bare = compile_mechanics(evaluation.model(owner), gravity=pull, massless=True)
        self.mechanics = placed(bare, owner.placement.position, owner.placement.rotation)
        ground = GroundForces(self.mechanics, friction=self.world.ground_friction, gravity=self.world.gravity)
        self._ground = ground if self.world.ground and ground.is_possible else None
        base = rotation_matrix(owner.placement.rotation).ravel()
        self._base = np.concatenate((base, owner.placement.position))
        self._measured = owner.part(MeasuredForces)
        acting = acting_bushings(owner)
        self._bushings = BushingForces(evaluation.model(owner), acting) if acting else None

    def at(self, times: Sequence[int]) -> RequiredTorques:
        """Work out what the motion takes at some times [ticks]."""
        return self.taken(times, *self.moving(times))

    def taken(self, times: Sequence[int], q: Array, qd: Array, qdd: Array) -> RequiredTorques:
        """Work out what it takes to move so at some times [ticks]: coordinates, rates and accelerations, a row each."""
        mechanics = self.mechanics
        known, outside = self.measured(times, q)
        torques = invert_states(mechanics, q, qd, qdd, outside)
        if self._ground is not None and not known.all():
            root, ground = torques[:, self._ground.root_rates], self._ground
            for row in np.flatnonzero(~known).tolist():
                outside[row] = ground.found(q[row], qd[row], self._base, root[row])
            torques = invert_states(mechanics, q, qd, qdd, outside)
        figure = mechanics.model.figure
        for dof in (each for each in figure.dofs if each.spring > 0.0):
            torques[:, figure.rate_index[dof.id]] -= dof.spring * (dof.neutral - q[:, figure.coordinate_index[dof.id]])
        if self._bushings is not None:
            for row in range(len(q)):
                torques[row] -= self._bushings.torques(q[row], qd[row])
        carried = outside[:, :, :3].sum(axis=1)
        driven = mechanics.model.driven
        if driven is not None:
            fold_states(driven.ints, driven.floats, q, torques)
        return RequiredTorques(q, qd, qdd, torques, carried)

    def measured(self, times: Sequence[int], q: Array) -> tuple[NDArray[np.bool_], Array]:
        """At which times [ticks] something was measured, and what it does to the bodies of a figure that stands so,
        shape [n, joint_count, 6]."""
        mechanics, part = self.mechanics, self._measured
        model = mechanics.model
        if part is None:
            return np.zeros(len(q), dtype=bool), np.zeros((len(q), mechanics.joint_count, 6))
        frames, state = np.empty((len(q), mechanics.joint_count, ROW)), model.new_state()
        state[:ROW] = self._base
        for row, pose in enumerate(np.ascontiguousarray(q)):
            compute_forward_kinematics(model.ints, model.floats, pose, state)
            frames[row] = model.transforms(state)
        turns, places = frames[:, :, :9].reshape(len(q), -1, 3, 3), frames[:, :, 9:]
        acting = acting_at(part, model.figure, times, turns, places)
        return acting.known, acting.wrenches(places)

    def moving(self, times: Sequence[int]) -> tuple[Array, Array, Array]:
        """Coordinates, rates and accelerations at some times [ticks]."""
        ints, shape = self.mechanics.ints, (len(times), self.mechanics.rate_count)
        qd, qdd = np.empty(shape), np.empty(shape)
        needed, id = self._needed, self._owner.id
        if needed.together or any(each.swings for each in needed.actors):
            away = round(ticks_per_frame(self._document.rate) / 4)
            near = [time + side * away for time in times for side in (-1, 0, 1)]
            poses = self._evaluation.coordinates(needed, id, near).reshape(len(times), 3, -1)
            seconds, one, two = away / TICKS_PER_SECOND, np.empty(shape[1]), np.empty(shape[1])
            for row, (before, now, after) in enumerate(poses):
                compute_difference(ints, before, now, one)
                compute_difference(ints, now, after, two)
                qd[row], qdd[row] = (one + two) / (2.0 * seconds), (two - one) / seconds**2
            return np.ascontiguousarray(poses[:, 1]), qd, qdd
        found = np.array([self._evaluation.motion_at(needed, id, time) for time in times])
        q = np.ascontiguousarray(found[:, 0])
        for row in range(len(times)):
            read_rates(ints, q[row], found[row, 1], qd[row])
            read_rates(ints, q[row], found[row, 2], qdd[row])
        return q, qd, qdd


def held_rates(actor: Actor, muscles: Muscles) -> IntArray:
    """The rates that muscles are not asked for: those of the roots, unless some hold on to the ground."""
    if any(point.joint is None for muscle in muscles.muscles for point in muscle.points):
        return np.zeros(0, dtype=np.int32)
    return root_rates(actor.figure)


def check_carried(actor: Actor) -> None:
    """Refuse one that hangs on another: what carries it moves it in a way that its own coordinates do not tell."""
    if actor.attachments:
        allowed = "one that hangs on no other: bake its motion first"
        raise InvalidArguments(what="the actor whose muscles are to be activated", value=actor.name, allowed=allowed)
