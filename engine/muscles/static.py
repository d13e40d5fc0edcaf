"""Static optimisation of a motion: activations with which muscles give the torques that it takes, frame by frame.

Of each frame: torques by inverse dynamics (`required.py`), lengths and rates of paths, what muscles would pull with,
and the least activations (`activations.py`) beginning from those of the frame before. What muscles do not give is the
reserve of a rate; rates that no muscle moves have nothing else.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from engine.document import Document, Figure
from engine.document.extent import play_extent
from engine.document.ticks import TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame
from engine.evaluation import Evaluation
from engine.maths.arrays import Array, IntArray
from engine.muscles.activations import SharedTorques, length_among_muscles, share_among_muscles, shared_torques
from engine.muscles.compiled import MuscledFigure
from engine.muscles.required import RequiredDynamics, held_rates
from engine.muscles.uses import required_muscles
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

RESERVE = 1.0  # [N m] or [N] of a reserve that costs as much as a muscle in full
MOST_FRAMES = 1_000_000
POWERS = {"squares": 2, "cubes": 3}
MOTORS = ("none", "still", "all")


@dataclass(frozen=True, kw_only=True)
class StaticOptimisation:
    """Whose muscles, over which time, and what is to be least."""

    actor: str
    start: int | None = None  # [ticks]; None: of what is played
    end: int | None = None
    rate: Rate | None = None  # of the frames; None: the document's
    cost: str = "squares"  # of activations that are to be least, or "cubes"
    motors: str = "none"  # in computed muscle control of which rates motors give what muscles lack, or "still", "all"

    def __post_init__(self) -> None:
        if self.motors not in MOTORS:
            what = "of what motors give what muscles lack"
            raise InvalidArguments(what=what, value=self.motors, allowed=" or ".join(MOTORS))
        if self.cost not in POWERS:
            what, allowed = "what of activations is to be least", " or ".join(POWERS)
            raise InvalidArguments(what=what, value=self.cost, allowed=allowed)

    def times(self, document: Document) -> list[int]:
        """The frames [ticks], the first at the start."""
        first, last = play_extent(document)
        start, end = first if self.start is None else self.start, last if self.end is None else self.end
        rate = self.rate or document.rate
        count = int((end - start) / ticks_per_frame(rate) + 1e-9) + 1
        if not 1 <= count <= MOST_FRAMES or end < start:
            value = (start / TICKS_PER_SECOND, end / TICKS_PER_SECOND)
            allowed = f"an end at or after the start, 1 to {MOST_FRAMES:,} frames"
            raise InvalidArguments(what="the time of the activations [s]", value=value, allowed=allowed)
        return [start + frame_time(each, rate) for each in range(count)]


@dataclass(frozen=True, kw_only=True)
class Lack:
    """A torque or force along a degree of freedom that muscles do not give."""

    rate: str  # its id
    name: str  # of joint and degree of freedom
    most: float  # [N m], of slides [N]
    time: int  # [ticks] at which that is
    required: float  # at most, over all frames
    turns: bool
    moved: bool  # by some muscle


@dataclass(frozen=True, eq=False)
class MuscleShares:
    """Activations of an actor's muscles at n times, and what they leave."""

    figure: Figure
    times: tuple[int, ...]
    muscles: tuple[str, ...]
    activations: Array  # shape [n, muscle_count]
    required: Array  # [N m] shape [n, rate_count], less what the ground gives
    reserves: Array  # of these what muscles do not give; of the root's rates the residual
    ground: Array  # [N] shape [n, 3]
    held: IntArray  # the rates of the root, if nobody asks muscles for them
    moved: IntArray  # the rates that some muscle moves
    unsolved: int  # frames whose programme did not come to an end
    motored: IntArray | None = None  # rates that the motion keeps still, of which motors give what muscles lack
    off: Array | None = None  # of each rate what the motion has more than was followed [rad], of slides [m]

    @property
    def turning(self) -> tuple[bool, ...]:
        """True of each rate that turns; the others slide."""
        return tuple(turns for _, turns in rate_names(self.figure))

    def lacks(self, *, root: bool = False) -> tuple[Lack, ...]:
        """List what is missing along each rate, the largest first; of the root's with `root`, else of all others."""
        most = np.abs(self.reserves).argmax(axis=0)
        chosen = self.held.tolist() if root else [
            rate for rate in range(self.required.shape[1]) if rate not in set(self.held.tolist())
        ]  # fmt: skip
        names = rate_names(self.figure)
        found = [
            Lack(
                rate=self.figure.rates[rate],
                name=names[rate][0],
                most=abs(float(self.reserves[most[rate], rate])),
                time=self.times[most[rate]],
                required=float(np.abs(self.required[:, rate]).max()),
                turns=names[rate][1],
                moved=rate in self.moved,
            )
            for rate in chosen
        ]
        return tuple(sorted(found, key=lambda each: -each.most))


class FrameSharing:
    """Shares the torques of one frame after another among the muscles of a figure; used by one thread."""

    def __init__(self, figure: MuscledFigure, held: Sequence[int], cost: str) -> None:
        self.figure, paths = figure, figure.paths
        self.shared: SharedTorques = shared_torques(paths, tuple(held))
        order = np.flatnonzero(self.shared.places >= 0)
        self.moved: IntArray = order[np.argsort(self.shared.places[order])].astype(np.int32)  # in order of elimination
        self._how = figure.force_model, POWERS[cost]
        self._strengths = figure.strengths.ravel()
        self.reserve = np.full(self.shared.count, RESERVE)
        self.bounds = np.tile([0.0, 1.0], paths.count)
        self._work = np.zeros(length_among_muscles(paths, self.shared))
        self._answer = np.zeros(self.shared.count), np.zeros(paths.count), np.zeros(self.shared.count)

    def share(self, q: Array, qd: Array, required: Array) -> tuple[Array, Array, int]:
        """Share the torques of a pose: activations; reserves of all rates; the number of steps that it took, below 0
        where it did not come to an end."""
        lengths, gradient = self.figure.entries(np.ascontiguousarray(q))
        paths = self.figure.paths
        rates: Array = np.bincount(paths.rows, gradient * qd[paths.columns], minlength=paths.count).astype(np.float64)
        count = share_among_muscles(
            self._how, self.shared.ints, self._strengths, (lengths, gradient, rates),
            np.ascontiguousarray(required[self.moved]), self.reserve, self.bounds, self._work, self._answer,
        )  # fmt: skip
        reserves = np.array(required)
        reserves[self.moved] = self._answer[2]
        return self._answer[1].copy(), reserves, count


def optimise_motion(
    evaluation: Evaluation, document: Document, figure: MuscledFigure, wanted: StaticOptimisation
) -> Generator[float, None, MuscleShares]:
    """Find the activations; yields the share that is done after each frame."""
    owner = document.actor(wanted.actor)
    muscles = required_muscles(owner)
    times, dynamics = wanted.times(document), RequiredDynamics(evaluation, document, wanted.actor)
    held = held_rates(owner, muscles)
    sharing = FrameSharing(figure, held.tolist(), wanted.cost)
    found, required, reserves, ground, unsolved = [], [], [], [], 0
    for done, time in enumerate(times, start=1):
        taken = dynamics.at([time])
        active, left, count = sharing.share(taken.q[0], taken.qd[0], taken.torques[0])
        found.append(active)
        required.append(taken.torques[0])
        reserves.append(left)
        ground.append(taken.ground[0])
        unsolved += count < 0
        yield done / len(times)
    return MuscleShares(
        figure=owner.figure,
        times=tuple(times),
        muscles=tuple(each.id for each in muscles.muscles),
        activations=np.array(found),
        required=np.array(required),
        reserves=np.array(reserves),
        ground=np.array(ground),
        held=held,
        moved=sharing.moved,
        unsolved=unsolved,
    )


def rate_names(figure: Figure) -> list[tuple[str, bool]]:
    """Name each rate by its joint and its degree of freedom, and say whether it turns."""
    found = []
    for joint in figure.joints:
        for dof in joint.dofs:
            for rate in dof.rates:
                axis = f" {rate.rpartition('.')[2]}" if dof.kind == "ball" else ""
                found.append((f"{joint.name}, {dof.name.lower()}{axis}", dof.kind != "slide"))
    return found
