"""WornPushes: what a soft body does to the figure that wears it, for the figure's secondary motion.

The body is stepped along the locked motion of the figure, below secondary motion, over one window that is as long as
the figure's own and the body's before it. So a frame needs one run, reads nothing that the figure's swinging moves, and
stands by itself: one step of Picard's iteration, which a figure that the body swings far would want more of. Windows
end at steps of the body that are counted from time 0, so that times between two frames share one.

What is mere weight of the body is kept apart: shares of its mass, of points by how near they are to what each joint
holds, under gravity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.document.ticks import ticks_per_frame
from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded
from engine.runtime.errors import Diverged
from engine.runtime.progress import finish
from engine.soft.coupling import answers
from engine.soft.driving import DrivenFrames
from engine.soft.holding import Holds, hold, holders
from engine.soft.poking import pokes
from engine.soft.windowed import WindowedBody

_KEPT = 1024  # runs


class WornPushes:
    """Pushes of one body on one actor; used by one thread. `followed`: where joints are below secondary motion."""

    def __init__(self, body: WindowedBody, actor: str, followed: DrivenFrames) -> None:
        self.body, self.actor, self.followed = body, actor, followed
        self._step_ticks = ticks_per_frame(body.scene.rate) / body.scene.steps
        self._kept: Bounded[tuple[int, int], tuple[Array, Array]] = Bounded(_KEPT)

    def over(self, times: Array) -> tuple[Array, Array]:
        """Wrenches on the joints at some times, and how much of them is weight: [len(times), joint_count, 6]."""
        end = math.ceil(float(times[-1]) / self._step_ticks - 1e-6)
        count = max(2, math.ceil((end * self._step_ticks - float(times[0])) / self._step_ticks - 1e-6) + 1)
        pushed, weight = self._kept.find((end, count), lambda: self._worked_out(end, count))
        place = np.clip(count - 1 - (end - times / self._step_ticks), 0.0, count - 1.0)
        first = np.minimum(place.astype(np.int64), count - 2)
        share = (place - first)[:, None, None]
        found = [each[first] + share * (each[first + 1] - each[first]) for each in (pushed, weight)]
        return found[0], found[1]

    def keep_from(self, other: WornPushes, spans: Sequence[tuple[float, float]]) -> None:
        """Keep runs of another version of the body where nothing that they read differs: outside of these spans, in
        which the body itself is seen otherwise."""
        for (end, count), found in other._kept.kept.items():
            first, last = (end - count) * self._step_ticks, (end + 1) * self._step_ticks
            if not any(start <= last and first <= until for start, until in spans):
                self._kept.keep((end, count), found)

    def _worked_out(self, end: int, count: int) -> tuple[Array, Array]:
        """Step up to the end; give the wrenches of the last steps, so many."""
        body, scene = self.body, self.body.scene
        steps = body.count + count
        ticks = [round((end - steps + each) * self._step_ticks) for each in range(-1, steps + 1)]
        frames = finish(self.followed.read(ticks))
        holds = body.holds_at(ticks[1])
        before, now, after = (holds.standing(frames[each], ticks[each]) for each in range(3))
        running = scene.begin(now, (after - before) / (2.0 * scene.dt))
        pushed = np.zeros((2, count, len(frames[0][self.actor]), 6))
        for each in range(1, steps + 1):
            then, time = frames[each + 1], ticks[each + 1]
            held = hold((holds,), frames[each], then, time, scene.dt)
            pulled = tuple(pokes(scene.members, running.points, ticks[each]))
            try:
                running.step(scene.alphas(time), scene.placed(frames[each], then), held, pulled, scene.nodal(time))
            except Diverged:
                break
            row = each - 1 - body.count
            if row >= 0:
                found = answers(running, {self.actor: then[self.actor]}, scene.feet, holders((holds,), time))
                pushed[0, row] += found.get(self.actor, 0.0)
                self._weigh(holds, running.points, then[self.actor], pushed[1, row])
        return pushed[0], pushed[1]

    def _weigh(self, holds: Holds, points: Array, frames: Array, out: Array) -> None:
        """Add the weight that the joints of the actor carry."""
        gravity, masses = np.array((0.0, -self.body.scene.gravity, 0.0)), self.body.member.masses
        for attachment, share in holds.shares:
            if attachment.target == self.actor:
                joint = self.body.member.joint_of[attachment.id]
                weights = (masses * share)[:, None] * gravity
                out[joint, :3] += weights.sum(axis=0)
                out[joint, 3:] += np.cross(points - frames[joint, :, 3], weights).sum(axis=0)
