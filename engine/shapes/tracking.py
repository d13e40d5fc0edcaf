"""ShapeModel: a surface compiled, and how its control points follow their keyed places up to any time.

x(t) is where a simulation from k(t - window), with its velocity, has come to at t (Rahgoshay 2011, chapter 3), k being
the keyed control points in the world. All vertices are the keyed surface moved by what the control points have come to
beside their keyed places, spread by their weights. Times of a window are t less whole steps, so that frames share them;
each window is worked out alone, in numbers that do not depend on others beside it.

Where a key jumps between the first step and one beside it, the velocity that a window begins with is taken from the
other side.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Protocol

import numpy as np

from engine.document.ticks import TICKS_PER_SECOND, Rate, ticks_per_frame
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.errors import Diverged
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.controls import ControlPoints, control_points
from engine.shapes.following import follow_shape, spring_step
from engine.shapes.parts import BlendShapes

GRAVITY = 9.81  # [m/s2]


class KeyedSurface(Protocol):
    """How a surface is keyed, at times in ticks."""

    def weights(self, times: Array) -> Array:
        """Of each shape, shape [len(times), shape_count]."""

    def frames(self, times: Array) -> Array:
        """Of the joint that carries it, world from joint, shape [len(times), 3, 4]."""

    def jumps(self, start: float, end: float) -> bool:
        """Tell whether anything may jump after the start, up to the end."""

    def moved(self, times: Array, *, controls: bool) -> Array | None:
        """Give what corrections add in the world [m], at control points or vertices, shape [len(times), count, 3]."""


@dataclass(frozen=True, eq=False)
class ShapeModel:
    """A surface, whatever its keys, and the steps of its windows."""

    surface: BlendShapes
    step: int  # [ticks]
    steps: int  # of a window

    @property
    def dt(self) -> float:
        """The step [s]."""
        return self.step / TICKS_PER_SECOND

    @cached_property
    def base(self) -> Array:
        """The vertices without any shape [m]."""
        return self.surface.positions.array.astype(np.float64)

    @cached_property
    def controls(self) -> ControlPoints:
        """The vertices that are simulated."""
        return control_points(self.surface)

    @cached_property
    def offsets(self) -> tuple[tuple[IntArray, Array], ...]:
        """The vertices that each shape moves, and by how much; none of a muted one."""
        none = np.zeros(0, dtype=np.int32), np.zeros((0, 3))
        return tuple(
            none if each.mute else (each.vertices.array, each.offsets.array.astype(np.float64))
            for each in self.surface.shapes
        )

    @cached_property
    def control_base(self) -> Array:
        """The control points without any shape [m]."""
        return np.ascontiguousarray(self.base[self.controls.vertices])

    @cached_property
    def control_offsets(self) -> Array:
        """How each shape moves them, shape [shape_count, point_count, 3]."""
        found = np.zeros((len(self.offsets), *self.control_base.shape))
        for out, (vertices, offsets) in zip(found, self.offsets, strict=True):
            whole = np.zeros_like(self.base)
            whole[vertices] = offsets
            out[:] = whole[self.controls.vertices]
        return found

    @cached_property
    def _spring(self) -> Array:
        motion = self.surface.motion
        return spring_step(motion.tension, motion.ratio, GRAVITY * motion.gravity, self.dt)

    @cached_property
    def _goal(self) -> tuple[IntArray, IntArray, Array, Array]:
        """The clusters, and how strongly they draw points to their goals; no cluster without rigidity."""
        motion, controls = self.surface.motion, self.controls
        u = 2.0 * math.pi * motion.rigidity
        damp = motion.ratio * u * self.dt
        pull = np.array([0.5 * u * u * self.dt, -math.expm1(-damp), -math.expm1(-2.0 * damp)])
        goal = np.concatenate((pull, controls.masses))
        if motion.rigidity == 0.0:
            none = np.zeros(0, dtype=np.int32)
            return np.zeros(1, dtype=np.int32), none, np.zeros(0), goal
        return controls.starts, controls.members, controls.shares, goal

    # Keyed places

    def local(self, weights: Array) -> Array:
        """All vertices in the frame of the joint, of one row of weights [m]."""
        found = self.base.copy()
        for weight, (vertices, offsets) in zip(weights.tolist(), self.offsets, strict=True):
            if weight != 0.0:
                found[vertices] += weight * offsets
        return found

    def keyed_vertices(self, keyed: KeyedSurface, time: float) -> Array:
        """The keyed surface with its corrections at a time [m], in the world."""
        times = np.array([float(time)])
        found = placed(self.local(keyed.weights(times)[0])[None], keyed.frames(times))[0]
        moved = keyed.moved(times, controls=False)
        return np.asarray(found if moved is None else found + moved[0])

    def keyed_controls(self, keyed: KeyedSurface, times: Array) -> Array:
        """The keyed control points with their corrections, shape [len(times), point_count, 3]."""
        weights = keyed.weights(times)
        local = np.tile(self.control_base, (len(times), 1, 1))
        for column, offsets in zip(weights.T, self.control_offsets, strict=True):
            if column.any():
                local += column[:, None, None] * offsets
        found = placed(local, keyed.frames(times))
        moved = keyed.moved(times, controls=True)
        return found if moved is None else found + moved

    # Simulated ones

    def window(self, time: float) -> Array:
        """The times that a window reads [ticks], a step before its beginning first."""
        return time + self.step * np.arange(-(self.steps + 1), 1, dtype=np.float64)

    def simulate(self, keyed: KeyedSurface, time: float) -> tuple[Array, Array]:
        """Where the control points have come to at a time, and where they are keyed then; both in the world [m]."""
        times = self.window(time)
        places = self.keyed_controls(keyed, times)
        beside = np.array([keyed.jumps(times[0], times[1]), keyed.jumps(times[1], times[2])])
        return self.follow(places, beside), places[-1]

    def follow(self, places: Array, jumps: BoolArray) -> Array:
        """Where points have come to that follow places of a window [m]."""
        starts, members, shares, goal = self._goal
        return self._followed(places, jumps, (starts, members, shares, goal))

    def answer(self, values: Array) -> Array:
        """Find what a point comes to that its own spring alone draws after each column of values at the times of a
        window, without weight; shape [columns]."""
        spring = self._spring.copy()
        spring[4:6] = 0.0
        places = np.zeros((len(values), values.shape[1], 3))
        places[:, :, 0] = values
        none = np.zeros(0, dtype=np.int32)
        free = (np.zeros(1, dtype=np.int32), none, np.zeros(0), np.zeros(3 + values.shape[1]))
        return np.asarray(self._followed(places, np.zeros(2, dtype=np.bool_), free, spring)[:, 0])

    def _followed(
        self,
        places: Array,
        jumps: BoolArray,
        clusters: tuple[IntArray, IntArray, Array, Array],
        spring: Array | None = None,
    ) -> Array:
        x, v = places[1].copy(), _first_rate(places, jumps, self.dt)
        work = np.zeros((3 + len(x), 3))
        starts, members, shares, goal = clusters
        used = self._spring if spring is None else spring
        if not follow_shape(np.ascontiguousarray(places[1:]), used, starts, members, shares, goal, work, x, v):
            raise Diverged(what="the control points of a surface", value="a number that is not finite")
        return np.asarray(x)

    def vertices(self, keyed: KeyedSurface, time: float) -> Array:
        """The surface as it is seen at a time [m], in the world."""
        x, k = self.simulate(keyed, time)
        return self.keyed_vertices(keyed, time) + self.controls.carried(x - k)


def compile_shapes(surface: BlendShapes, rate: Rate) -> ShapeModel:
    """Compile a surface; steps divide a frame of the document evenly."""
    frame = ticks_per_frame(rate)
    step = max(1, int(frame / math.ceil(frame / surface.motion.step)))
    return ShapeModel(surface, step, max(1, math.ceil(surface.motion.window / step)))


def placed(local: Array, frames: Array) -> Array:
    """Places of a joint's frame in the world, shape [count, points, 3]; each is the same alone as beside others."""
    turns, shifts = frames[:, None, :, :3], frames[:, None, :, 3]
    found = turns[..., 0] * local[..., 0, None]
    found += turns[..., 1] * local[..., 1, None]
    found += turns[..., 2] * local[..., 2, None]
    found += shifts
    return np.asarray(found)


def _first_rate(places: Array, jumps: BoolArray, dt: float) -> Array:
    """The rates with which a window begins, by differences over the sides without a jump [m/s]."""
    before, after = bool(jumps[0]), bool(jumps[1]) or len(places) < 3
    if before and after:
        return np.zeros_like(places[0])
    first, last = 1 if before else 0, 1 if after else 2
    return np.asarray((places[last] - places[first]) / ((last - first) * dt))
