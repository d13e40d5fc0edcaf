"""Pushing: what other systems do to what is simulated, step by step.

A system pushes what physics simulates (`System.pushes`): asked with the state at a step, its stage gives wrenches on
the bodies of free actors, which act over the step that comes. Physics at step n + 1 needs what pushes at n, which needs
physics up to n: so both are stepped in turn, and either may be asked first. Steps of physics are a whole number to each
step of whoever pushes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np

from engine.document import Document
from engine.dynamics import layout
from engine.dynamics.articulation import Articulation, State
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.motions import compute_frames
from engine.dynamics.resistance import DAMPING, KD, KP, RATE_WIDTH, SPRING
from engine.evaluation import MovingBodies, Pushes, Stage, Wrenches
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.physics.uses import is_simulated
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.systems import System, load, systems

_TURNS = (1, 2), (2, 0), (0, 1)
Ahead = Callable[[Array, int], State]  # the state some steps on, with wrenches on all joints, shape [joint_count, 6]


class Pusher(Protocol):
    """Something that pushes the bodies of one simulation."""

    def push(self, moving: MovingBodies) -> Wrenches:
        """Push over the step that comes."""

    def has_pushed(self, time: int) -> bool:
        """Tell whether it was asked for all steps before a tick."""


@dataclass(frozen=True, eq=False)
class StagePusher:
    """The stage of a system, for one document."""

    stage: Stage
    document: Document

    def push(self, moving: MovingBodies) -> Wrenches:
        """Push over the step that comes."""
        return self.stage.push(self.document, moving)

    def has_pushed(self, time: int) -> bool:
        """Tell whether it was asked for all steps before a tick."""
        return self.stage.has_pushed(self.document, time)


def pushing_systems(document: Document) -> list[tuple[System, Pushes]]:
    """List those that push what is simulated in a document, each with whom of that it pushes."""
    found = []
    simulated = {actor.id for actor in document.actors if is_simulated(actor)}
    for each in systems() if simulated else ():
        pushes = None if each.pushes is None else load(each.pushes)(document)
        if pushes is not None and pushes.actors & simulated:
            off_ground = tuple(body for body in pushes.off_ground if body.actor in simulated)
            found.append((each, replace(pushes, actors=pushes.actors & simulated, off_ground=off_ground)))
    return found


def divide_for(document: Document, steps: int) -> int:
    """How many steps a frame has, at least so many, so that steps of whoever pushes are whole numbers of them."""
    together = math.lcm(*(pushes.steps for _, pushes in pushing_systems(document)))
    return together * math.ceil(steps / together)


@dataclass(frozen=True, eq=False)
class Free:
    """An actor that is free: the numbers of its joints in the joined figure."""

    actor: str
    joints: slice


class SceneMoving:
    """The state of a simulation at a step, as those see it who push (`engine.evaluation.MovingBodies`)."""

    def __init__(
        self, articulation: Articulation, state: State, free: Sequence[Free], time: int, dt: float, ahead: Ahead
    ) -> None:
        self._articulation, self._state, self._free = articulation, state, tuple(free)
        self.time, self.dt, self._ahead = time, dt, ahead

    @cached_property
    def frames(self) -> dict[str, Array]:
        """World transforms of the joints of each free actor."""
        return self._frames_of(self._state)

    @cached_property
    def speeds(self) -> dict[str, Array]:
        """How fast the joints of each free actor move, and turn."""
        return self._speeds_of(self._state, self._state.qd)

    def respond(self, wrenches: Wrenches) -> dict[str, Array]:
        """How much wrenches over the step change the speeds."""
        change = self._accelerations(self.outside(wrenches)) - self._at_rest
        return self._speeds_of(self._state, self.dt * change)

    def responses(self, joints: Sequence[tuple[str, int]]) -> Array:
        """How much impulses on some joints change their speeds, all of them together."""
        mechanics, firsts = self._articulation.mechanics, {each.actor: each.joints.start for each in self._free}
        mass = np.empty((mechanics.rate_count, mechanics.rate_count))
        compute_mass_matrix(mechanics.ints, mechanics.floats, self._state.q, mechanics.new_work(), mass)
        mass += np.diag(self._diagonal)
        moved = self._jacobian[[firsts[actor] + joint for actor, joint in joints]].reshape(-1, mechanics.rate_count)
        found = moved @ np.linalg.solve(mass, moved.T)
        return np.asarray(0.5 * (found + found.T))

    def ahead(self, wrenches: Wrenches, steps: int) -> tuple[dict[str, Array], dict[str, Array]]:
        """Find the frames and speeds some steps on, under wrenches that stay."""
        state = self._ahead(self.outside(wrenches), steps)
        return self._frames_of(state), self._speeds_of(state, state.qd)

    def outside(self, wrenches: Wrenches) -> Array:
        """Pack wrenches on all joints, shape [joint_count, 6]; those on actors that are not free have no effect."""
        found = np.zeros((self._articulation.mechanics.joint_count, 6))
        for each in self._free:
            if each.actor in wrenches:
                given, rows = np.asarray(wrenches[each.actor]), found[each.joints]
                if given.shape != rows.shape or not np.isfinite(given).all():
                    allowed = f"finite numbers of shape {rows.shape}"
                    raise InvalidArguments(what=f"what pushes {each.actor}", value=given, allowed=allowed)
                rows[:] = given
        return found

    @cached_property
    def _diagonal(self) -> Array:
        """Diagonal that servos, springs, damping and torques that give way add to the mass matrix in a step."""
        count = self._articulation.mechanics.rate_count
        table = self._articulation.table[: count * RATE_WIDTH].reshape(-1, RATE_WIDTH)
        stiff = self.dt * (table[:, KP] + table[:, SPRING])
        return self.dt * (stiff + table[:, KD] + table[:, DAMPING]) + self._state.giving

    @cached_property
    def _at_rest(self) -> Array:
        return self._accelerations(np.zeros((self._articulation.mechanics.joint_count, 6)))

    def _accelerations(self, outside: Array) -> Array:
        mechanics = self._articulation.mechanics
        still, found = np.zeros(mechanics.rate_count), np.empty(mechanics.rate_count)
        compute_forward_dynamics(
            mechanics.ints,
            mechanics.floats,
            self._state.q,
            still,
            still,
            self._diagonal,
            outside,
            mechanics.new_work(),
            found,
        )
        return found

    def _frames_of(self, state: State) -> dict[str, Array]:
        rows = self._transforms(state)[0]
        frames = np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:ROW, None]), axis=2)
        return {each.actor: frames[each.joints] for each in self._free}

    def _speeds_of(self, state: State, qd: Array) -> dict[str, Array]:
        moved = self._jacobian if state is self._state else self._find_jacobian(state)
        speeds = moved @ qd
        return {each.actor: speeds[each.joints] for each in self._free}

    @cached_property
    def _jacobian(self) -> Array:
        return self._find_jacobian(self._state)

    def _find_jacobian(self, state: State) -> Array:
        """Speeds of all joints at unit rates, shape [joint_count, 6, rate_count]."""
        mechanics = self._articulation.mechanics
        ints, extra, count = mechanics.ints, len(mechanics.model.ints), mechanics.joint_count
        rows, work = self._transforms(state)
        origin, first = int(ints[extra + layout.ORIGIN]), int(ints[extra + layout.MOTIONS])
        motions = work[first : first + layout.MOTION_STRIDE * mechanics.rate_count].reshape(-1, layout.MOTION_STRIDE)
        at = int(ints[extra + layout.LINK_INTS])
        links = ints[at : at + layout.LINK_INT_STRIDE * count].reshape(-1, layout.LINK_INT_STRIDE)
        about = np.zeros((count, 6, mechanics.rate_count))  # turning, and velocity at the origin
        for out, (parent, start, end, *_) in zip(about, links.tolist(), strict=True):
            if parent >= 0:
                out[:] = about[parent]
            out[:, start:end] = motions[start:end].T
        away = rows[:, 9:ROW] - work[origin : origin + 3]
        moved = np.empty_like(about)
        moved[:, 3:] = about[:, :3]
        for axis, (one, two) in enumerate(_TURNS):
            moved[:, axis] = about[:, one] * away[:, two, None] - about[:, two] * away[:, one, None]
        moved[:, :3] += about[:, 3:]
        return moved

    def _transforms(self, state: State) -> tuple[Array, Array]:
        mechanics = self._articulation.mechanics
        work = mechanics.new_work()
        compute_frames(mechanics.ints, mechanics.floats, state.q, work)
        return mechanics.model.transforms(work), work
