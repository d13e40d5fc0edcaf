"""WindowedBody: secondary motion of a soft body without history (Rahgoshay 2011, chapter 3 and 4.6).

The shape at t is where a simulation from t - window has come to at t. There the body stands in its rest shape, carried
rigidly by the joints that it is attached to, with their velocity; from there on it is stepped like any soft body. What
is read lies between t - window, less a step for that velocity, and t: a frame alone has the same bytes as in sequence,
an edit is felt no longer than the window, and nothing is saved but shapes that were asked for. Steps count back from t,
so that frames read the same ticks, and a time between frames has steps of its own.

A body is alone in its window: it touches the ground and obstacles, no other soft body. A window that diverges gives the
rest shape carried rigidly to t, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from engine.document import Document
from engine.document.motion import weight
from engine.document.ticks import ticks_per_frame
from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded
from engine.runtime.errors import Diverged
from engine.soft.compile import SoftScene, compile_scene
from engine.soft.driving import DrivenFrames
from engine.soft.holding import Holds, hold
from engine.soft.members import SoftMember
from engine.soft.poking import pokes
from engine.soft.running import NO_TOUCHES, Touches
from engine.soft.simulation import SoftMoment, SoftSimulation
from engine.soft.uses import alone, soft_world

TOLERANCE = 1e-6  # of the residual of a step
KEPT = 128 * 2**20  # [bytes] of shapes


class WindowShape(NamedTuple):
    """A body at a time."""

    points: Array  # [m] in the world, shape [point_count, 3]
    speeds: Array  # [m/s]
    touches: Touches
    worked: Array  # of the last step, as `SoftMoment` has it
    stopped: str  # why the window could not be stepped through; empty where it could


class WindowedBody:
    """One body; used by one thread. `scene` is compiled of it alone."""

    def __init__(self, scene: SoftScene, followed: DrivenFrames) -> None:
        self.scene, self.followed = scene, followed
        (self.member,) = scene.members
        self.count = step_count(self.member.body.window, scene.dt)
        self._step_ticks = ticks_per_frame(scene.rate) / scene.steps
        self.seconds: float | None = None  # that a step took of late, on this machine
        self._holds: dict[tuple[str, ...], Holds] = {}
        self._kept: Bounded[float, WindowShape] = Bounded(size=KEPT, size_of=_size)

    @property
    def said(self) -> tuple[str, ...]:
        """Tell a person why windows could not be stepped, and what was held."""
        stopped = next((each.stopped for each in reversed(self._kept.kept.values()) if each.stopped), "")
        return (*filter(None, (stopped,)), *self.scene.notes, *self.scene.said)

    def reach(self, time: float) -> Generator[float, None, None]:
        """Work out the shape at a time; yields the share that is done, slice by slice."""
        if time not in self._kept.kept:
            self._kept.keep(time, (yield from self._worked_out(time)))

    def shape(self, time: float) -> WindowShape:
        """The body at a time [ticks]."""
        for _ in self.reach(time):
            pass
        found = self._kept.get(time)
        assert found is not None, "it was worked out just now"
        return found

    def points(self, time: float) -> Array:
        """The points at a time, shape [point_count, 3]; a fresh array."""
        return self.shape(time).points.copy()

    def of(self, member: SoftMember, time: float) -> Array:
        """The points of a body at a time: of its own, the only one."""
        return self.points(time)[member.points]

    def moment(self, time: float) -> SoftMoment:
        """Give what simulations with a clock keep of a step, for a time."""
        shape = self.shape(time)
        points, speeds = shape.points.astype(np.float32), shape.speeds.astype(np.float32)
        return SoftMoment(points, speeds, shape.touches, self.scene.alphas(time), shape.worked)

    def known_moment(self, time: float) -> SoftMoment | None:
        """Give that where the shape is known; None elsewhere."""
        return self.moment(time) if time in self._kept.kept else None

    def carried(self, time: float) -> Array:
        """The points at a time in the rest shape, carried rigidly by what drives the body [m]."""
        return self.holds_at(time).standing(self.followed.at(round(time)), time)

    def keep_from(self, other: WindowedBody, spans: list[tuple[float, float]]) -> None:
        """Keep shapes of another version of the body where nothing that is seen differs: outside of these spans."""
        for time, shape in other._kept.kept.items():
            if not any(start <= time <= end for start, end in spans):
                self._kept.keep(time, shape)

    def _worked_out(self, time: float) -> Generator[float, None, WindowShape]:
        scene, count = self.scene, self.count
        ticks = [round(time) - round((count - each) * self._step_ticks) for each in range(-1, count + 1)]
        frames = yield from self.followed.read(ticks)
        holds = self.holds_at(ticks[1])
        before, now, after = (holds.standing(frames[each], ticks[each]) for each in range(3))
        running, took = scene.begin(now, (after - before) / (2.0 * scene.dt)), 0.0
        try:
            for each in range(1, count + 1):
                began = perf_counter()
                held = hold((holds,), frames[each], frames[each + 1], ticks[each + 1], scene.dt)
                placed = scene.placed(frames[each], frames[each + 1])
                pulled = tuple(pokes(scene.members, running.points, ticks[each]))
                end = ticks[each + 1]
                running.step(scene.alphas(end), placed, held, pulled, scene.nodal(end))
                took += perf_counter() - began
                yield each / count
        except Diverged as problem:
            standing = holds.standing(frames[-1], time)
            why = f"The window before frame {time / ticks_per_frame(scene.rate):.1f} cannot be stepped: {problem}"
            return WindowShape(standing, np.zeros_like(standing), NO_TOUCHES, np.zeros(4), why)
        self.seconds = took / count
        return WindowShape(running.points.copy(), running.speeds.copy(), running.touches, running.worked, "")

    def holds_at(self, time: float) -> Holds:
        """Find what leads the points in a window that begins at a time; kept by which attachments hold then."""
        ids = tuple(each.id for each in self.member.body.attachments if weight(each.span, time) > 0.0)
        if ids not in self._holds:
            self._holds[ids] = Holds(self.member, -math.inf, time)
        return self._holds[ids]


SteppedBody = SoftSimulation | WindowedBody  # what steps a body


def compile_alone(document: Document, actor: str) -> SoftScene:
    """Compile one body of a document for windows: its steps are solved further than others, since targets look at
    places to a micrometre, and at velocities."""
    document, world = alone(document, actor), soft_world(document)
    return compile_scene(document.with_part(replace(world, tolerance=min(world.tolerance, TOLERANCE))))


def step_count(window: float, dt: float) -> int:
    """How many steps a window [s] has."""
    return max(1, math.ceil(window / dt - 1e-9))


def _size(shape: WindowShape) -> int:
    return 1000 + shape.points.nbytes + shape.speeds.nbytes
