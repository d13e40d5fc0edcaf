"""Computed muscle control: activations that follow a motion when they are played forward through physics.

Source: Thelen, Anderson and Delp 2003, Generating dynamic simulations of movement using computed muscle control. Each
`PERIOD` T the figure, as it has come to stand and move, is to accelerate by

    q''* = q''_m(t + T) + k_v (q'_m - q') + k_p (q_m - q)

with what the motion m has then, so that what is off dies away as of a critically damped spring. Torques for that, by
inverse dynamics where it will be at t + T, are shared out by static optimisation (`activations.py`) within what
activations can come to in the period: from their present values by no and by full excitation (`step_activation`).
They go straight to there while physics steps (`engine.physics.simulation`), with its ground, its limits and its tissue.

Rates that no muscle moves are pushed by what is missing there, as by motors: so is a root that moves freely, by a motor
that is bolted to the world. Without it the figure would fall; it is the root's residual. If it is wanted, motors give
what muscles lack of rates that the motion keeps still, as locked joints would, or of all rates, as OpenSim's reserves
do: activations then follow a motion that is too much for muscles. Motors, too, go straight from period to period.
Forces that were measured on the figure (`engine.document.measured_forces`) push it in place of contact with the ground.

k_p = 100 and k_v = 20 are that source's. With motors they are 2500 and 100, half as fast as the period lets through,
and physics takes steps of `FINE` at most: light bodies under strong muscles, such as feet, stray otherwise, since
forces fall so fast with the rate there that an error of torque is one of the rate.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from engine.document import Actor, Document, Key, Track
from engine.document.measured_forces import MeasuredForces
from engine.document.ticks import TICKS_PER_SECOND
from engine.dynamics.coordinates import compute_difference, integrate_coordinates
from engine.dynamics.measured import wrenches_at
from engine.dynamics.resistance import DAMPING, RATE_WIDTH, Resistance, compile_rates
from engine.evaluation import Evaluation, MovingBodies, Wrenches
from engine.maths.arrays import Array, IntArray
from engine.muscles.compiled import MuscledFigure
from engine.muscles.driving import MuscleDrive
from engine.muscles.excitation import FALLING, RISING
from engine.muscles.hill import step_activation
from engine.muscles.parts import MuscleActivations
from engine.muscles.required import RequiredDynamics, held_rates
from engine.muscles.static import FrameSharing, MuscleShares, StaticOptimisation
from engine.muscles.uses import required_muscles
from engine.physics.driving import compile_drivers
from engine.physics.parts import Physics, PhysicsWorld, TorqueCurves
from engine.physics.pushing import Pusher, StagePusher, pushing_systems
from engine.physics.scene import compile_scene
from engine.physics.simulation import SceneSimulation
from engine.physics.stage import NAME as PHYSICS
from engine.runtime.quick_dataclass import dataclass

PERIOD = TICKS_PER_SECOND // 100  # [ticks] T
GAINS, ASSISTED = (100.0, 20.0), (2500.0, 100.0)  # [1/s2], [1/s] k_p and k_v, alone and with motors
FINE = 0.0005  # [s] of a step of physics, with motors
MUSCLES = "muscles"  # the system whose drive follows
STILL = 1e-4  # [rad], [m]: what a motion moves by less, it keeps still


class FollowingDrive(MuscleDrive):
    """Muscles that are activated so that their figure follows a motion, and what it came to; used by one thread."""

    def __init__(
        self, figure: MuscledFigure, dynamics: RequiredDynamics, sharing: FrameSharing, held: IntArray, motors: IntArray
    ) -> None:
        """`motors` give what muscles lack of some rates, beside those that no muscle moves."""
        super().__init__(figure, MuscleActivations())
        self._dynamics, self._sharing, self.held = dynamics, sharing, held
        self.helped = len(motors) > 0
        self._stiff, self._damped = ASSISTED if self.helped else GAINS
        self._alone = np.union1d(np.setdiff1d(np.arange(figure.model.rate_count), sharing.moved), motors)
        count = figure.model.rate_count
        table = compile_rates(dynamics.mechanics, None, Resistance())[: RATE_WIDTH * count].reshape(count, RATE_WIDTH)
        self._damping = table[:, DAMPING].copy()
        self.times: list[int] = []
        self.activations: list[Array] = []
        self.required: list[Array] = []
        self.reserves: list[Array] = []
        self.ground: list[Array] = []
        self.off: list[Array] = []  # of each rate what the motion has more

    def begin(self, start: int) -> None:
        """Be activated as the motion takes it at a time [ticks], from which on it is followed."""
        moved = self._dynamics.moving([start])
        taken = self._dynamics.taken([start], *moved)
        active, left, _ = self._sharing.share(moved[0][0], moved[1][0], taken.torques[0])
        self._note(start, active, taken.torques[0], left, taken.ground[0], np.zeros(len(left)))

    def torques(self, time: float, q: Array, qd: Array, dt: float) -> tuple[Array, Array]:
        """Give what the muscles pull with, and what is missing where motors are."""
        torque, giving = super().torques(time, q, qd, dt)
        torque[self._alone] += self._along(time, self.reserves)[self._alone]
        return torque, giving

    def active(self, time: float, q: Array, qd: Array, dt: float) -> Array:
        """Go on to where the present period leads; at its end begin the next."""
        begin = time - 0.5 * dt * TICKS_PER_SECOND
        while begin >= self.times[-1] - 0.25 * dt * TICKS_PER_SECOND:
            self._lead(np.ascontiguousarray(q), np.ascontiguousarray(qd))
        return self._along(time, self.activations)

    def _along(self, time: float, noted: list[Array]) -> Array:
        """Go straight from what was noted at the begin of the present period to that of its end."""
        share = (time - self.times[-2]) / (self.times[-1] - self.times[-2])
        found: Array = noted[-2] + share * (noted[-1] - noted[-2])
        return found

    def _lead(self, q: Array, qd: Array) -> None:
        """Find activations for the end of the period that begins."""
        now, seconds = self.times[-1], PERIOD / TICKS_PER_SECOND
        (wanted, _), (speed, _), (_, ahead) = self._dynamics.moving([now, now + PERIOD])
        off, ints = np.empty(len(qd)), self._dynamics.mechanics.ints
        compute_difference(ints, q, wanted, off)
        change = ahead + self._damped * (speed - qd) + self._stiff * off
        pose, rate = np.empty_like(q), qd + seconds * change
        integrate_coordinates(ints, q, qd + 0.5 * seconds * change, seconds, pose)
        taken = self._dynamics.taken([now + PERIOD], pose[None], rate[None], change[None])
        required = taken.torques[0] + self._damping * rate
        for muscle, present in enumerate(self.activations[-1]):
            for side, excitation in enumerate((0.0, 1.0)):
                reached = step_activation(excitation, present, RISING, FALLING, seconds)
                self._sharing.bounds[2 * muscle + side] = reached
        active, left, _ = self._sharing.share(pose, rate, required)
        self._note(now + PERIOD, active, required, left, taken.ground[0], off)

    def _note(self, time: int, active: Array, required: Array, left: Array, ground: Array, off: Array) -> None:
        self.times.append(time)
        self.activations.append(active)
        self.required.append(required)
        self.reserves.append(left)
        self.ground.append(ground)
        self.off.append(off)


@dataclass(frozen=True, eq=False)
class MeasuredPusher:
    """Pushes an actor with the forces that were measured on it (`engine.physics.pushing.Pusher`)."""

    actor: Actor
    measured: MeasuredForces

    def push(self, moving: MovingBodies) -> Wrenches:
        """Push over the step that comes."""
        id, middle = self.actor.id, moving.time + 0.5 * moving.dt * TICKS_PER_SECOND
        return {id: wrenches_at(self.measured, self.actor.figure, middle, moving.frames[id])}

    def has_pushed(self, time: int) -> bool:
        """Tell that nothing is forgotten."""
        return True


def follow_motion(
    evaluation: Evaluation, document: Document, figure: MuscledFigure, wanted: StaticOptimisation
) -> Generator[float, None, MuscleShares]:
    """Find activations that follow the keys of an actor when they are played through physics; yields the share that is
    done every few steps. Times are multiples of the period from the start, whatever rate is wanted."""
    owner = document.actor(wanted.actor)
    muscles = required_muscles(owner)
    times = wanted.times(document)
    led = document.with_actor(owner.with_part(Physics(role="obstacle")))
    held = held_rates(owner, muscles)
    sharing = FrameSharing(figure, held.tolist(), wanted.cost)
    dynamics = RequiredDynamics(evaluation, led, wanted.actor)
    motors = motored_rates(dynamics, times, wanted.motors)
    drive = FollowingDrive(figure, dynamics, sharing, held, motors)
    drive.begin(times[0])
    simulation = _simulation(evaluation, document, owner, drive, (times[0], times[-1]))
    yield from simulation.reach(times[-1])
    count = int(np.searchsorted(drive.times, times[-1])) + 1  # the last period ends there or later
    return MuscleShares(
        figure=owner.figure,
        times=tuple(drive.times[:count]),
        muscles=tuple(each.id for each in muscles.muscles),
        activations=np.array(drive.activations[:count]).clip(0.0, 1.0),
        required=np.array(drive.required[:count]),
        reserves=np.array(drive.reserves[:count]),
        ground=np.array(drive.ground[:count]),
        held=held,
        moved=sharing.moved,
        unsolved=0,
        off=np.array(drive.off[:count]),
        motored=motors if wanted.motors == "still" else None,
    )


def motored_rates(dynamics: RequiredDynamics, times: Sequence[int], motors: str) -> IntArray:
    """The rates of which motors give what muscles lack: none, those that a motion keeps still, or all."""
    if motors == "none":
        return np.zeros(0, dtype=np.int32)
    poses = dynamics.moving(times)[0]
    moved, off = np.zeros((len(poses), dynamics.mechanics.rate_count)), np.empty(dynamics.mechanics.rate_count)
    for row, pose in enumerate(poses):
        compute_difference(dynamics.mechanics.ints, poses[0], pose, off)
        moved[row] = off
    still = np.ptp(moved, axis=0) < (STILL if motors == "still" else np.inf)
    found: IntArray = np.flatnonzero(still).astype(np.int32)
    return found


def _simulation(
    evaluation: Evaluation, document: Document, owner: Actor, drive: FollowingDrive, times: tuple[int, int]
) -> SceneSimulation:
    """The scene with the actor let go at the first time, moved by its muscles and nothing else; a root's hinges stay
    hinges where it is pushed. Where forces were measured until the last time, they push it in place of the ground."""
    start, measured = times[0], owner.part(MeasuredForces)
    free = owner.with_part(Physics(start=start))
    if measured is not None:
        free = free.with_part(replace(measured, felt=False))  # they push below
    if measured is not None and not all(
        any(each.start <= time <= each.end for each in measured.forces) for time in times
    ):
        measured = None
    roots = [dof for joint in owner.figure.joints if joint.parent is None for dof in joint.dofs if dof.kind == "hinge"]
    if roots and len(drive.held):
        tracks = tuple(Track(coordinate=dof.id, keys=(Key(start, 0.0),)) for dof in roots)
        free = free.with_part(TorqueCurves(id="residual", tracks=tracks, tissue=True))
    world = document.part(PhysicsWorld) or PhysicsWorld()
    step = min(world.step, FINE) if drive.helped else world.step
    world = replace(world, step=step, ground=world.ground and measured is None)
    trial = document.with_actor(free).with_part(world)
    scene = compile_scene(trial)
    pushers: list[Pusher] = [StagePusher(evaluation.stage(each.name), trial) for each, _ in pushing_systems(trial)]
    if measured is not None:
        pushers.append(MeasuredPusher(owner, measured))
    drivers = compile_drivers(trial, scene, evaluation, {(owner.id, MUSCLES): drive})
    return SceneSimulation(scene, lambda times: evaluation.rows_at(trial, times, below=PHYSICS), pushers, None, drivers)
