"""Simulation: the water of one tank, stepped from its start as far as it is asked for, and kept frame by frame.

Steps divide a frame evenly, and a step is divided further where the flow is fast: what is seen at a time is a function
of the document and the time, not of the display. Water is seen as it stands at the frame at or before a time. What is
kept has bounds: beyond them the least useful checkpoints go, and a frame is stepped again from the one before. Frames
that were baked are read from the disk. Where a step diverges the last sound one stays, and `stopped` says why.

Where water pushes what physics simulates, physics asks for each step (`push`), with where that is; so it goes on first.
What each step answered is kept with the frame. Where a frame has to be stepped again physics goes back, too.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from time import perf_counter
from typing import Protocol

import numpy as np

from engine.document.ticks import ticks_per_frame
from engine.evaluation import MovingBodies, Wrenches
from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded
from engine.runtime.errors import Diverged, EngineError
from engine.water.baked_file import BakedFile
from engine.water.compile import TankScene
from engine.water.moments import WaterMoment, unpack_moment
from engine.water.pushing import Alongside
from engine.water.surroundings import BodyPlaces
from engine.water.tank_run import Saved, TankRun

BETWEEN = 24  # frames between two checkpoints at first
KEPT = 256 * 2**20  # [bytes] of moments
CHECKPOINTS = 256 * 2**20  # [bytes] of states
SOFT = 8  # steps whose forces on soft bodies are kept
SMOOTHING = 0.1  # of how long a frame takes


class BodiesAt(Protocol):
    """Where what is in the water is at a time [ticks]."""

    def __call__(self, time: float) -> BodyPlaces: ...


class WaterSimulation:
    """Used by one thread."""

    def __init__(
        self,
        scene: TankScene,
        bodies_at: BodiesAt,
        baked: BakedFile | None = None,
        alongside: Alongside | None = None,
    ) -> None:
        self.scene, self.bodies_at, self.baked, self.alongside = scene, bodies_at, baked, alongside
        self.stopped: tuple[int, str] | None = None  # the last sound frame, and what happened then
        self.seconds: float | None = None  # that a frame took of late, on this machine
        self._frame_ticks = ticks_per_frame(scene.rate)
        self._checkpoints: dict[int, Saved] = {}
        self._between = BETWEEN
        self._live: tuple[int, TankRun] | None = None  # a state, and the frame that it is at or on its way from
        self._going: Generator[float, None, None] | None = None  # that way
        self._part = 0  # steps on that way, where physics goes along
        self._pushes: dict[int, Array] = {}  # on joints that physics moves, by the step, counted from the start
        self._soft: Bounded[int, Mapping[str, Array]] = Bounded(SOFT)  # on vertices of soft bodies, likewise
        self._took = 0.0  # [s] on it so far
        self._kept: Bounded[int, WaterMoment] = Bounded(size=KEPT, size_of=lambda each: each.bytes)

    @property
    def said(self) -> tuple[str, ...]:
        """Notes for a person."""
        return () if self.stopped is None else (self.stopped[1],)

    def tick(self, frame: float) -> int:
        """The time of a frame, counted from the start."""
        return self.scene.start + round(frame * self._frame_ticks)

    def frame_of(self, time: float) -> int:
        """The frame at or before a time; the first for times before."""
        frame = math.floor((time - self.scene.start) / self._frame_ticks)
        return max(frame + 1 if self.tick(frame + 1) <= time else frame, 0)

    def reach(self, time: float) -> Generator[float, None, None]:
        """Step until the frame at a time is known; yields the share that is done."""
        wanted = self.frame_of(time)
        if self.known(wanted) is not None:
            return
        if self.alongside is not None:
            yield from self._reach_alongside(self.alongside, self._nearest(wanted), wanted)
            if self.stopped is None and self._kept.get(wanted) is None:  # physics goes some steps beyond
                self._nearest(wanted)
                self._moment_here(wanted)
            return
        first: int | None = None
        while self.stopped is None and self.known(wanted) is None:  # others may ask for another frame in between
            at = self._nearest(wanted)
            first = at if first is None else min(first, at)
            if at == wanted:
                self._moment_here(wanted)
            else:
                part = self._advance(at)
                yield (at - first + part) / (wanted - first)

    def moment(self, time: float) -> WaterMoment:
        """Give the water at a time; where it was stopped before, the last sound one."""
        for _ in self.reach(time):
            pass
        return self._given(self.frame_of(time))

    def known(self, frame: int) -> WaterMoment | None:
        """Give a frame that is kept in memory or on the disk."""
        if self.stopped is not None:
            frame = min(frame, self.stopped[0])
        found = self._kept.get(frame)
        if found is None and self.baked is not None:
            self.baked.look()
            content = self.baked.frame(frame)
            if content is not None:
                try:
                    found = self._kept.keep(frame, unpack_moment(content))
                except ValueError:
                    self.baked.frames.pop(frame, None)
        return found

    def run_at(self, frame: int) -> TankRun:
        """The state at a frame, to be stepped on by the caller. Raises `Diverged` where it was stopped before."""
        while (at := self._nearest(frame)) < frame:
            self._advance(at)
            if self.stopped is not None:
                raise Diverged(what="the water of this tank", value=self.stopped[1])
        found, self._live, self._going = self._live, None, None
        assert found is not None, "it was just reached"
        return found[1]

    def keep_states(self, between: int) -> None:
        """Keep the states at frames that lie so far apart."""
        self._between = between

    def state(self, frame: int) -> Saved:
        """The state at one of these that was just passed."""
        return self._checkpoints[frame]

    def changed(
        self,
        time: float,
        scene: TankScene,
        bodies_at: BodiesAt,
        baked: BakedFile | None,
        alongside: Alongside | None = None,
    ) -> WaterSimulation:
        """The simulation of other motions, which differ from a time [ticks] on, with all frames before."""
        made = WaterSimulation(scene, bodies_at, baked, alongside)
        made.seconds, made._between = self.seconds, self._between
        same = [each for each in self._kept.kept if self.tick(each) < time]
        for frame in same:
            made._kept.keep(frame, self._kept.kept[frame])
        made._checkpoints = {frame: each for frame, each in self._checkpoints.items() if self.tick(frame) < time}
        made._pushes = {step: each for step, each in self._pushes.items() if self._step_tick(step + 1) < time}
        if self._live is not None and self._going is None and self._step_tick(self._front) < time:
            made._live, made._part, self._live, self._part = self._live, self._part, None, 0
        if self.stopped is not None and self.tick(self.stopped[0] + 1) < time:
            made.stopped = self.stopped
        return made

    # Pushing

    def has_pushed(self, time: int) -> bool:
        """Tell whether it can say what it pushes with from a time [ticks] on."""
        step = self._pushing_at(time)
        return self.stopped is not None or step <= self._front or self._pushed_in(step) is not None

    def push(self, moving: MovingBodies) -> Wrenches:
        """Push what physics simulates over its next step, as the step of the water does that it lies in."""
        step = self._pushing_at(moving.time)
        found = self._pushed_in(step) if step >= 0 else None
        if step < 0 or self.alongside is None:
            return {}
        if found is None and self.stopped is None and (self._live is None or self._front > step):
            self._nearest(step // self.scene.steps)
        while found is None and self.stopped is None and self._front <= step:
            self._step_alongside(self.alongside, moving if self._front == step else None)
            found = self._pushes.get(step)
        return {} if found is None else self.scene.links.wrenches(found, moving)

    def push_soft(self, time: int, moving: MovingBodies | None) -> Mapping[str, Array]:
        """Push soft bodies over their step that begins at a tick, as the step of the water does that it lies in."""
        step = self._pushing_at(time)
        if step < 0 or self.alongside is None or not self.scene.links.soft:
            return {}
        found = self._soft.get(step)
        if found is None and self.stopped is None and (self._live is None or self._front > step):
            self._nearest(step // self.scene.steps)
        while found is None and self.stopped is None and self._front <= step:
            asked = moving is not None and self._front == self._pushing_at(moving.time)
            self._step_alongside(self.alongside, moving if asked else None)
            found = self._soft.get(step)
        return {} if found is None else found

    @property
    def _front(self) -> int:
        """Steps made up to the state that is taken up, where physics goes along."""
        return 0 if self._live is None else self._live[0] * self.scene.steps + self._part

    def _step_tick(self, step: int) -> int:
        return self.tick(step / self.scene.steps)

    def _pushing_at(self, time: int) -> int:
        """The step that a step of physics lies in, which begins at a time; below zero before the first."""
        return math.floor((time - self.scene.start + 1) * self.scene.steps / self._frame_ticks)

    def _pushed_in(self, step: int) -> Array | None:
        """Give what a step did to joints, where that is known."""
        if step in self._pushes or step < 0:
            return self._pushes.get(step)
        frame, part = divmod(step, self.scene.steps)
        if self.baked is None or frame + 1 not in self.baked.frames:
            return None
        moment = self.known(frame + 1)
        return moment.pushes[part] if moment is not None and part < len(moment.pushes) else None

    def _reach_alongside(self, alongside: Alongside, at: int, wanted: int) -> Generator[float, None, None]:
        """Step to a frame, physics going first."""
        count = (wanted - at) * self.scene.steps
        while self.stopped is None and self._live is not None and self._live[0] < wanted:
            before = self._front
            yield from alongside.reach(self._step_tick(before + 1))
            if self._front == before and self.stopped is None:
                self._step_alongside(alongside, None)
            yield min((self._front - at * self.scene.steps) / count, 1.0)

    def _step_alongside(self, alongside: Alongside, moving: MovingBodies | None) -> None:
        """Make one step, with what physics simulates where it is free; where it diverges all stops there."""
        assert self._live is not None, "it was taken up"
        (frame, run), step, scene = self._live, self._front, self.scene
        if self._part == 0:
            if self._kept.get(frame) is None:
                self._moment_here(frame)
            run.begin_frame()
            self._took = 0.0
        began = perf_counter()
        try:
            before, now = alongside.bodies(self._step_tick(step), self._step_tick(step + 1), moving)
            soft = alongside.soft(self._step_tick(step), moving)
            pushed = scene.links.together(moving, soft, scene.grid, scene.dt, np.array(scene.model.gravity))
            for _ in run.step(before, now, scene.dt, pushed):
                pass
        except EngineError as problem:
            self._live, self._part = None, 0
            self.stopped = (frame, f"The water stopped at {self._said_time(frame)}: {problem}")
            return
        self._pushes[step] = run.pushes[-1]
        self._soft.keep(step, run.soft)
        self._part += 1
        self._took += perf_counter() - began
        if self._part == scene.steps:
            self._live, self._part = (frame + 1, run), 0
            self._note_time()
            if (frame + 1) % self._between == 0:
                self._checkpoints[frame + 1] = run.save()
                self._thin()

    # Steps

    def _given(self, frame: int) -> WaterMoment:
        found = self.known(frame)
        if found is None:
            assert self.stopped is not None, "it was just reached"
            self._nearest(self.stopped[0])
            found = self._moment_here(self.stopped[0])
        return found

    def _nearest(self, wanted: int) -> int:
        """Take up the last state at or before a frame that is known; its frame."""
        known = [frame for frame in self._checkpoints if frame <= wanted]
        stored = [frame for frame in self.baked.states if frame <= wanted] if self.baked is not None else []
        best = max((*known, *stored), default=-1)
        if self._live is not None and best <= self._live[0] <= wanted:
            return self._live[0]
        self._going = None
        content = self.baked.state(best) if self.baked is not None and best in stored else None
        if best in self._checkpoints:
            run = self.scene.load(self._checkpoints[best])
        elif content is not None:
            run = self.scene.load(self.scene.unpack(content))
        else:
            best, run = 0, self.scene.begin(self._first_bodies())
            self._checkpoints[0] = run.save()
        self._live, self._part = (best, run), 0
        self._pushes = {step: each for step, each in self._pushes.items() if step < self._front}
        for step in [each for each in self._soft.kept if each >= self._front]:
            self._soft.drop(step)
        return best

    def _advance(self, frame: int) -> float:
        """Step on from a frame, by as little as can be; the share of the way to the next that is done. Where that
        diverges all stops there."""
        assert self._live is not None, "the caller took it up"
        run = self._live[1]
        if self._going is None:
            if self._kept.get(frame) is None:
                self._moment_here(frame)
            self._going, self._took = self.steps_of(frame, run), 0.0
        began = perf_counter()
        try:
            part = next(self._going, None)
        except EngineError as problem:
            self._live = self._going = None
            self.stopped = (frame, f"The water stopped at {self._said_time(frame)}: {problem}")
            return 1.0
        self._took += perf_counter() - began
        if part is not None:
            return part
        self._going, self._live = None, (frame + 1, run)
        self._note_time()
        if (frame + 1) % self._between == 0:
            self._checkpoints[frame + 1] = run.save()
            self._thin()
        return 1.0

    def _note_time(self) -> None:
        """Note how long a frame took; the first ones take far too long, while kernels are loaded."""
        took, known = self._took, self.seconds
        self.seconds = took if known is None or 2.0 * took < known else known + SMOOTHING * (took - known)

    def steps_of(self, frame: int, run: TankRun) -> Generator[float, None, None]:
        """Make the steps from one frame to the next; yields the share that is done."""
        count = self.scene.steps
        for step in range(count):
            before, now = (self.bodies_at(self.tick(frame + each / count)) for each in (step, step + 1))
            for part in run.step(before, now, self.scene.dt):
                yield (step + part) / count

    def _moment_here(self, frame: int) -> WaterMoment:
        """Keep what is seen of the state that is taken up."""
        assert self._live is not None, "it was taken up"
        assert self._live[0] == frame, "at that frame"
        return self._kept.keep(frame, self._live[1].moment())

    def _thin(self) -> None:
        """Drop every second checkpoint where all of them take too much."""
        sizes = [sum(each.nbytes for each in saved.values()) for saved in self._checkpoints.values()]
        if sum(sizes) > CHECKPOINTS and len(sizes) > 2:
            self._between *= 2
            self._checkpoints = {frame: each for frame, each in self._checkpoints.items() if frame % self._between == 0}

    def _first_bodies(self) -> BodyPlaces:
        if self.alongside is None:
            return self.bodies_at(self.tick(0))
        return self.alongside.bodies(self.tick(0), self.tick(0), None)[0]

    def _said_time(self, frame: int) -> str:
        return f"frame {self.tick(frame) / self._frame_ticks:.0f}"
