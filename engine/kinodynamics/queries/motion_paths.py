"""Motion paths: where a point of a body goes as it is keyed, as it is seen with secondary motion, and by full dynamics.

The three curves of Rahgoshay 2011, figures 3-1 and 3-2. The first two have a place for each frame. What is keyed is as
its ghost shows it: layers, without what corrections add, and locks. Full dynamics is one simulation from the first of
these frames on, with the same gains and corrections: what secondary motion without history stands in for. It touches
what secondary motion touches, knows no locks of its own, and ends after `MOST_STEPS` or where it breaks.

Runs on the engine's thread in slices; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.document.motion import frame_time, ticks_per_frame
from engine.document.values import Vector3
from engine.edits.poses import as_keyed
from engine.ik.goals import Spot
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.model.compile import Model

PathKind = Literal["keyed", "secondary", "dynamics"]
PATH_KINDS: tuple[PathKind, ...] = ("keyed", "secondary", "dynamics")
MOST_FRAMES, MOST_STEPS = 900, 500
SLICE = 0.004  # [s] of a step
_TOGETHER = 32  # samples of the keyed motion that are read at once
Steps = Generator[None, None, None]


@dataclass(frozen=True, kw_only=True, eq=False)
class MotionPath:
    """The path of a point of a body."""

    owner: str  # id of the actor
    part: str  # id of the joint
    point: Vector3  # [m] in the joint's frame
    kind: PathKind
    times: NDArray[np.int64]  # [ticks] rising, shape [count]
    points: NDArray[np.float32]  # [m] in the world, shape [count, 3]


@dataclass(frozen=True, eq=False)
class PathsFound:
    """The paths of one document."""

    document: Document
    paths: tuple[MotionPath, ...]


def follow_paths(
    evaluator: Evaluation,
    document: Document,
    spots: Sequence[Spot],
    span: tuple[int, int],
    *,
    clock: Callable[[], float] = perf_counter,
) -> Generator[PathsFound | None, None, None]:
    """The paths over a span [ticks] of the spots whose actors swing; None between steps, at last all of them."""
    document = without_drafts(document)
    times, found = frames_in(document, span), list[MotionPath]()
    chosen = [spot for spot in spots if _swings(document, spot)]
    for id in dict.fromkeys(spot.actor for spot in chosen):
        own = [spot for spot in chosen if spot.actor == id]
        following = _Following(evaluator, document, document.actor(id), own, times)
        steps, began = following.steps(), clock()
        for _ in steps:
            if clock() - began >= SLICE:
                yield None
                began = clock()
        found += following.paths()
    yield PathsFound(document, tuple(found))


def frames_in(document: Document, span: tuple[int, int]) -> NDArray[np.int64]:
    """The ticks of the frames of a span, its first ones where they are too many."""
    import numpy as np

    first, last = span
    length = ticks_per_frame(document.rate)
    begin, end = math.ceil(first / length), math.floor(last / length)
    ticks = [frame_time(frame, document.rate) for frame in range(begin, min(end, begin + MOST_FRAMES - 1) + 1)]
    inside = [tick for tick in ticks if first <= tick <= last]
    return np.array(inside or [first], dtype=np.int64)


class _Following:
    """The paths of one actor, as they come to be."""

    def __init__(
        self, evaluator: Evaluation, document: Document, owner: Actor, spots: Sequence[Spot], times: NDArray[np.int64]
    ) -> None:
        from engine.kinodynamics.ghosts import keyed_alone

        self._evaluator, self._owner, self._spots, self._times = evaluator, owner, spots, times
        self._seen_in = document.with_all_that_hold(owner.id)
        self._keyed_in = keyed_alone(document.with_actor(as_keyed(owner)), owner)
        self._found: dict[PathKind, tuple[NDArray[np.int64], NDArray[np.float32]]] = {}

    def steps(self) -> Steps:
        """Work them out; what is simulated comes last, so that what breaks there is left out alone."""
        try:
            for kind, document in (("keyed", self._keyed_in), ("secondary", self._seen_in)):
                yield from self._over_frames("keyed" if kind == "keyed" else "secondary", document)
            yield from self._simulated()
        except EngineError:
            return  # the picture of that time says why

    def paths(self) -> tuple[MotionPath, ...]:
        """Return the paths that were worked out."""
        return tuple(
            MotionPath(
                owner=spot.actor, part=spot.joint, point=spot.point, kind=kind, times=times, points=points[number]
            )
            for number, spot in enumerate(self._spots)
            for kind, (times, points) in self._found.items()
        )

    def _over_frames(self, kind: PathKind, document: Document) -> Steps:
        import numpy as np

        from engine.model.compile import ROW

        model = self._evaluator.model(self._owner)
        state, points = model.new_state(), np.empty((len(self._spots), len(self._times), 3), dtype=np.float32)
        for number, time in enumerate(self._times.tolist()):
            row = self._evaluator.rows(document, time)[self._owner.id]
            state[:ROW] = row[:ROW]
            self._read(model, np.ascontiguousarray(row[ROW:]), state, points[:, number])
            yield
        self._found[kind] = (self._times, points)

    def _simulated(self) -> Steps:
        import numpy as np

        from engine.kinodynamics.secondary import secondaries_of

        secondaries, owner, document = secondaries_of(self._evaluator), self._owner, self._seen_in
        group = next(group for group in document.groups if any(each.id == owner.id for each in group))
        kino = secondaries.model(owner)
        keyed = secondaries.keyed(document, group, owner, kino)
        first, last = float(self._times[0]), float(self._times[-1])
        steps = min(math.ceil((last - first) / kino.step_ticks), MOST_STEPS)
        if steps < 1:
            return
        wanted = first + kino.step_ticks * np.arange(-1.0, steps + 1.0)
        rows = []
        for start in range(0, len(wanted), _TOGETHER):
            rows.append(keyed(wanted[start : start + _TOGETHER])[:, :2])
            yield
        motion = np.concatenate(rows)
        times, path = kino.path(first, steps, lambda _: motion)
        yield
        model, workspace = kino.mechanics.model, kino.new_state()
        points = np.empty((len(self._spots), len(path), 3), dtype=np.float32)
        for number, q in enumerate(path):
            self._read(model, q, workspace, points[:, number])
            if number % _TOGETHER == 0:
                yield
        self._found["dynamics"] = (np.round(times).astype(np.int64), points)

    def _read(self, model: Model, q: Array, state: Array, out_points: NDArray[np.float32]) -> None:
        """Write the position of each spot in a pose; `state` is placed."""
        from engine.model.kinematics import compute_forward_kinematics

        compute_forward_kinematics(model.ints, model.floats, q, state)
        frames = model.transforms(state)
        for number, spot in enumerate(self._spots):
            frame = frames[model.figure.joint_index[spot.joint]]
            out_points[number] = frame[:9].reshape(3, 3) @ spot.point + frame[9:]


def _swings(document: Document, spot: Spot) -> bool:
    if spot.actor not in document.actor_index:
        return False
    actor = document.actor(spot.actor)
    return actor.swings and actor.visible and spot.joint in actor.figure.joint_index
