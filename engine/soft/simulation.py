"""Simulation: the soft bodies of a scene, stepped from their start as far as they are asked for, and kept.

Step n stands at `tick(n)`; steps divide a frame evenly. Between two steps points go on straight, so that the shape at
any time is a function of the document and the time. A checkpoint is kept now and then, from which the same bytes
follow; the points of steps as far as memory goes, beyond that they are stepped again from the checkpoint before. An
edit at a time drops what comes after it, nothing else. Where a step diverges the last one that did not stays, and
`stopped` says why.

Where bodies push what physics simulates, physics asks for each step (`push`), with where that is; so it goes on first,
and what a step answered is kept for good.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.document.ticks import TICKS_PER_SECOND, ticks_per_frame
from engine.evaluation import MovingBodies, Wrenches
from engine.maths.arrays import Array
from engine.physics.simulation import MOST_BYTES, TooLong
from engine.runtime.bounded import Bounded
from engine.runtime.errors import Diverged
from engine.soft.accompanying import Accompanied
from engine.soft.compile import SoftScene
from engine.soft.coupling import Coupled, StepInputs, advanced, couple
from engine.soft.holding import hold, holders
from engine.soft.members import SoftMember
from engine.soft.poking import Poke, pokes
from engine.soft.running import Saved, SoftRun, Touches
from engine.soft.surroundings import Keyed, ModelOf

BETWEEN = 16  # steps between two checkpoints
LATEST = 12  # steps whose whole state is kept
SMOOTHING = 0.1  # of how long a step takes
KEPT = 256 * 2**20  # [bytes] of points
_OBJECTS, _PER_POINT = 4096, 128  # bytes of a checkpoint: what holds it, and of each point
_AHEAD = 8  # steps for which surroundings are worked out at once

Frames = Mapping[str, Array]
Pressing = Callable[[int, MovingBodies | None], Mapping[str, Array]]
"""What others do to bodies over the step that begins at a tick: forces on vertices of surfaces [N], by actor."""


class SoftMoment(NamedTuple):
    """A step, as far as it is kept."""

    points: NDArray[np.float32]  # [m] in the world, of all bodies
    speeds: NDArray[np.float32]  # [m/s]
    touches: Touches  # where something was touched on the way here
    alphas: Array  # of all segments
    worked: Array  # elastic energy [J], that of splines, iterations of Newton, the residual that they left


class SoftSimulation:
    """Used by one thread. `keyed` gives where other actors are at some times [ticks], `model_of` their figures."""

    def __init__(
        self,
        scene: SoftScene,
        keyed: Keyed,
        model_of: ModelOf,
        physics: Accompanied | None = None,
        pressing: Pressing | None = None,
    ) -> None:
        self.scene, self.keyed, self.model_of, self.physics = scene, keyed, model_of, physics
        self.pressing = pressing
        self._pressed: dict[int, NDArray[np.float32]] = {}  # forces of others on all points [N], by the step
        self.stopped: tuple[int, str] | None = None  # the last sound step, and what happened then
        self._step_ticks = ticks_per_frame(scene.rate) / scene.steps
        self.seconds: float | None = None  # that a step took of late, on this machine
        self._checkpoints: dict[int, Saved] = {}
        self._latest: Bounded[int, Saved] = Bounded(LATEST)  # of the last steps: a hand that pulls goes on from these
        self._front = -1  # the last step that is known
        self._live: SoftRun | None = None  # the state at the front
        self._kept: Bounded[int, SoftMoment] = Bounded(size=KEPT, size_of=_size)
        self._frames: Bounded[int, Frames] = Bounded(64)
        self._coupled: dict[int, Coupled] = {}  # by the step that it leads on from

    @property
    def known(self) -> int:
        """How many steps are known, the first among them."""
        return self._front + 1

    @property
    def said(self) -> tuple[str, ...]:
        """Notes for a person."""
        stopped = () if self.stopped is None else (self.stopped[1],)
        return (*stopped, *self.scene.notes, *self.scene.said)

    def tick(self, step: int) -> int:
        """The time of a step."""
        return self.scene.start + round(step * self._step_ticks)

    def reach(self, time: float) -> Generator[float, None, None]:
        """Step until the shapes at a time are known; yields the share that is done, step by step."""
        if time < self.scene.start:
            return
        wanted = self._step_of(time) + 1
        if self.stopped is None and self._front < wanted:
            self._check_room(wanted)
        first = self._front
        while self.stopped is None and self._front < wanted:
            before = self._front
            if self.physics is not None:
                yield from self.physics.reach(self.tick(before + 1))
            if self._front == before and self.stopped is None:
                self._reach_next()
            yield (self._front - first) / (wanted - first) if self.stopped is None else 1.0

    def points(self, time: float) -> Array:
        """All points at a time [ticks], shape [point_count, 3]; a fresh array."""
        if time < self.scene.start:
            return self._standing(time)
        for _ in self.reach(time):
            pass
        step = self._step_of(time)
        found = self._moment(step).points.astype(np.float64)
        share = (time - self.tick(step)) / (self.tick(step + 1) - self.tick(step))
        if share > 0.0:
            found += share * (self._moment(step + 1).points.astype(np.float64) - found)
        return found

    def moment(self, time: float) -> SoftMoment:
        """Give what is kept of the step at or before a time; the first for times before."""
        for _ in self.reach(max(time, self.scene.start)):
            pass
        return self._moment(max(self._step_of(time), 0))

    def known_moment(self, time: float) -> SoftMoment | None:
        """Give that where the step is known; None elsewhere."""
        step = self._step_of(time)
        return self._moment(step) if 0 <= step < self.known or (self.stopped is not None and step >= 0) else None

    def saved(self, step: int) -> Saved:
        """Make a checkpoint of a step that was reached."""
        return self._loaded(step).save()

    def kept_points(self, step: int) -> NDArray[np.float32] | None:
        """The points of a step, where they are still in memory; one that would be stepped again has none."""
        found = self._kept.get(step) if step < self.known else None
        return None if found is None else found.points

    def changed(
        self,
        time: float,
        scene: SoftScene,
        keyed: Keyed,
        physics: Accompanied | None = None,
        pressing: Pressing | None = None,
    ) -> SoftSimulation:
        """The simulation of other keys and activations, which differ from a time [ticks] on, with all before."""
        made = SoftSimulation(scene, keyed, self.model_of, physics, pressing)
        last = self._front
        while last >= 0 and not self.tick(last) < time:
            last -= 1
        made._checkpoints = {step: each for step, each in self._checkpoints.items() if step <= last}
        made.seconds = self.seconds
        for step, saved in self._latest.kept.items():
            if step <= last:
                made._latest.keep(step, saved)
        if last >= self._front:
            made._front, made.stopped = self._front, self.stopped
        else:
            made._front = max((*made._checkpoints, *made._latest.kept), default=-1)
        for step, moment in self._kept.kept.items():
            if step <= made._front:
                made._kept.keep(step, moment)
        made._coupled = {step: each for step, each in self._coupled.items() if step < made._front}
        made._pressed = {step: each for step, each in self._pressed.items() if step < made._front}
        return made

    def begin(self, moving: MovingBodies | None) -> None:
        """Make the first state, if there is none."""
        if self._front < 0:
            self._reach_next(moving)

    def _check_room(self, wanted: int) -> None:
        """Refuse steps up to a wanted one where the checkpoints to there are more than may be kept."""
        most = BETWEEN * MOST_BYTES // (_OBJECTS + _PER_POINT * len(self.scene.terms.model.masses))
        if wanted > most:
            length = self._step_ticks / TICKS_PER_SECOND
            raise TooLong(seconds=wanted * length, allowed=most * length, of="soft bodies")

    # Pushing

    def has_pushed(self, time: int) -> bool:
        """Tell whether it can say what it pushes with from a time [ticks] on."""
        return self.stopped is not None or self._pushing_at(time) <= max(self._front, 0)

    def push(self, moving: MovingBodies) -> Wrenches:
        """Push what physics simulates over its next step, as the step of the bodies does that it lies in."""
        step = self._pushing_at(moving.time)
        while self.stopped is None and self._front <= step:
            self._reach_next(moving if max(self._front, 0) == step else None)
        found = self._coupled.get(step)
        return {} if found is None else found.on(moving)

    def _pushing_at(self, time: int) -> int:
        """The step that a step of physics lies in, which begins at a time; below zero before the first."""
        return math.floor((time - self.scene.start + 1) / self._step_ticks)

    # Steps

    def _step_of(self, time: float) -> int:
        step = math.floor((time - self.scene.start) / self._step_ticks)
        return step + 1 if self.tick(step + 1) <= time else step

    def _moment(self, step: int) -> SoftMoment:
        """Give what is kept of a step that was reached, or of the last sound one; stepped again where that is gone."""
        if self.stopped is not None:
            step = min(step, self.stopped[0])
        found = self._kept.get(step)
        if found is None:
            at = max(each for each in self._checkpoints if each <= step)
            stepping = self.scene.load(self._checkpoints[at])
            self._kept.keep(at, self._made(stepping, at))
            for each in range(at, step):
                self._go_on(stepping, each)
                self._kept.keep(each + 1, self._made(stepping, each + 1))
            found = self._kept.get(step)
            assert found is not None, "it was just stepped"
        return found

    def _reach_next(self, moving: MovingBodies | None = None) -> None:
        """Make the first state, or one step on from the last; where that diverges all stops there."""
        if self._front < 0:
            before, now, after = (self._standing_at(step, moving) for step in (-1, 0, 1))
            speeds = _faster((now - before) / self.scene.dt, (after - now) / self.scene.dt)
            self._live = self.scene.begin(now, speeds)
        else:
            if self._live is None:
                self._live = self._loaded(self._front)
            began = perf_counter()
            try:
                self._go_on(self._live, self._front, moving)
            except Diverged as problem:
                self._live = None
                self.stopped = (self._front, f"The simulation stopped at {self._said_time(self._front)}: {problem}")
                return
            took = perf_counter() - began
            known = self.seconds  # of the first steps far too long, while kernels are loaded
            self.seconds = took if known is None or 2.0 * took < known else known + SMOOTHING * (took - known)
        self._front += 1
        saved = self._live.save()
        self._latest.keep(self._front, saved)
        if self._front % BETWEEN == 0:
            self._checkpoints[self._front] = saved
        self._kept.keep(self._front, self._made(self._live, self._front))

    def _loaded(self, step: int) -> SoftRun:
        """The state of a step, from the checkpoint before it."""
        known = {**self._checkpoints, **self._latest.kept}
        at = max(each for each in known if each <= step)
        stepping = self.scene.load(known[at])
        for each in range(at, step):
            self._go_on(stepping, each)
        return stepping

    def _go_on(self, stepping: SoftRun, step: int, moving: MovingBodies | None = None) -> None:
        """Step from one step to the next; as it was found where free actors were pushed, or finding it with these."""
        known = self._coupled.get(step)
        self._find_pressed(step, moving)
        if self.physics is None:
            stepping.step(*self._inputs(stepping, step, self._frames_at(step), self._frames_at(step + 1)))
        elif known is not None or moving is None or not moving.frames:
            before, after = ({}, {}) if known is None else (known.before, known.after)
            frames, then = self.physics.frames(self.tick(step), before), self.physics.frames(self.tick(step + 1), after)
            stepping.step(*self._inputs(stepping, step, frames, then))
        else:
            self._coupled[step] = self._couple(stepping, step, self.physics, moving)

    def _couple(self, stepping: SoftRun, step: int, physics: Accompanied, moving: MovingBodies) -> Coupled:
        """Make a step together with free actors."""
        earlier, until = self._coupled.get(step - 1), self.tick(step + 1)
        frames = physics.frames(self.tick(step), moving.frames)
        poked = tuple(pokes(self.scene.members, stepping.points, self.tick(step)))

        def inputs(after: Frames) -> StepInputs:
            return self._inputs(stepping, step, frames, physics.frames(until, after), poked)

        guess = {} if earlier is None else earlier.on(moving)
        held = holders(self.scene.holds, until)
        return couple(stepping, moving, self.scene.feet, guess, inputs, held, self.scene.dt)

    def _inputs(
        self, stepping: SoftRun, step: int, frames: Frames, then: Frames, poked: tuple[Poke, ...] | None = None
    ) -> StepInputs:
        """Give what a step takes from outside between two places of joints."""
        time = self.tick(step + 1)
        held = hold(self.scene.holds, frames, then, time, self.scene.dt)
        poked = tuple(pokes(self.scene.members, stepping.points, self.tick(step))) if poked is None else poked
        pressed = self._pressed.get(step)
        pushes = self.scene.nodal(time)
        if pressed is not None:
            pushes = pressed.astype(np.float64) if pushes is None else pushes + pressed
        return StepInputs(self.scene.alphas(time), self.scene.placed(frames, then), held, poked, pushes)

    def _find_pressed(self, step: int, moving: MovingBodies | None) -> None:
        """Ask what others do to the bodies over a step, unless it is known."""
        if self.pressing is None or step in self._pressed:
            return
        given = self.pressing(self.tick(step), moving)
        found = np.zeros((self.scene.members[-1].points.stop, 3), dtype=np.float32)
        for member in self.scene.members:
            forces = given.get(member.actor.id)
            if forces is not None:
                found[member.points] = member.carrying.spread(forces, len(member.masses))
        self._pressed[step] = found

    def _made(self, stepping: SoftRun, step: int) -> SoftMoment:
        return SoftMoment(
            stepping.points.astype(np.float32),
            stepping.speeds.astype(np.float32),
            stepping.touches,
            self.scene.alphas(self.tick(step)),
            stepping.worked,
        )

    def _said_time(self, step: int) -> str:
        return f"frame {self.tick(step) / ticks_per_frame(self.scene.rate):.1f}"

    # Surroundings

    def _frames_at(self, step: int) -> Frames:
        """World transforms of joints of other actors, and of those that the bodies are of, at a step."""
        found = self._frames.get(step)
        if found is None:
            steps = range(step, step + _AHEAD)
            rows = self.keyed([self.tick(each) for each in steps])
            for each, row in zip(steps, rows, strict=True):
                self._frames.keep(each, self.scene.surroundings.frames(row, self.model_of))
            found = self._frames.kept[step]
        return found

    def _standing_at(self, step: int, moving: MovingBodies | None = None) -> Array:
        if self.physics is None:
            frames = self._frames_at(step)
        else:
            seconds = 0.0 if moving is None else (self.tick(step) - moving.time) / TICKS_PER_SECOND
            free = {} if moving is None else advanced(moving.frames, moving.speeds, seconds)
            frames = self.physics.frames(self.tick(step), free)
        return self.scene.standing(frames, self.tick(step))

    def _standing(self, time: float) -> Array:
        (rows,) = self.keyed([time])
        return self.scene.standing(self.scene.surroundings.frames(rows, self.model_of), time)

    # Of one body

    def of(self, member: SoftMember, time: float) -> Array:
        """The points of one body at a time [ticks]."""
        return self.points(time)[member.points]


def _faster(before: Array, after: Array) -> Array:
    """Choose for each point the faster of two speeds, since keys that end or begin there are held on the other side."""
    slower = np.linalg.norm(before, axis=1) < np.linalg.norm(after, axis=1)
    return np.where(slower[:, None], after, before)


def _size(moment: SoftMoment) -> int:
    return 1000 + moment.points.nbytes + moment.speeds.nbytes
