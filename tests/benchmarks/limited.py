"""Inverse kinematics of the human within fields, beside the same within boxes (Engell-Norregard 2012, figure 21).

Hands and feet are led along ways through poses that both allow; each frame begins with the pose of the one before it,
as in the source. The fields are the figure's boxes with a bite taken out of each, and regions around samples. Processor
time; some frames of one kind, then of the next, so that each has its memory at hand as in use.

Where a start ends short of its goals, others are tried: boxes and fields have corners at different places, so which
frames those are is chance, and one of them costs as much as thirty others. Beside the 99th percentile of all frames
stands that of the frames that reached their goals from the pose before, as all do in the source. A drag stays near the
pose that is there and follows other starts over several frames.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import thread_time

import numpy as np

from engine.document import Figure
from engine.formats.figure_toml import load_figure
from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.region_kernels import measure_regions
from engine.ik.solver import Budget, FrameMemory, new_work, solve
from engine.locks.drag import TURN_PER_METRE
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from tests.benchmarks.harness import Row, percentile
from tests.conformance.goal_sets import spot_at
from tests.engine.ik.regions import KINDS, with_fields

NAME = "limited"
FRAMES, IN_TURN, SEEDS = 600, 20, (8, 9, 10, 11)
DRAGS = range(8, 20)  # ways of drags: their 99th percentile is that of few frames, which are chance
LED = ("wrist_left", "wrist_right", "ankle_left", "ankle_right")
ASKED, ASKED_OF_DRAGS = 1.5, 3.0  # of the time within boxes, at the median; in a drag, at the 99th percentile
LEAST_TURN = math.radians(5.0)  # that a drag may turn joints in a frame; TURN_PER_METRE where that is more


def poses(figure: Figure, seed: int = SEEDS[0]) -> list[Array]:
    """A smooth way of all hinges within the middle of their limits."""
    model, chance = compile_model(figure), np.random.default_rng(seed)
    free = np.isfinite(model.upper - model.lower)
    middle = np.where(free, 0.5 * (np.where(free, model.lower + model.upper, 0.0)), model.rest)
    half = np.where(free, 0.5 * np.where(free, model.upper - model.lower, 0.0), 0.0)
    rates, phases = chance.uniform(0.5, 2.0, len(middle)), chance.uniform(0.0, 6.0, len(middle))
    times = np.linspace(0.0, 12.0, FRAMES)
    return [middle + 0.8 * half * np.sin(rates * time + phases) for time in times]


@dataclass
class Found:
    """What the frames of one kind of limits came to."""

    times: list[float] = field(default_factory=list)  # [s]
    starts: list[int] = field(default_factory=list)  # other starts of each
    missed: int = 0
    outside: float = -math.inf  # [rad], the farthest

    def share(self, share: float, *, direct: bool = False) -> float:
        """A percentile of the times; `direct`: of the frames that needed no other start."""
        pairs = zip(self.times, self.starts, strict=True)
        return percentile([time for time, starts in pairs if not (direct and starts)], share)


def measure() -> Iterator[Row]:
    """Frames within each kind of limit; the answers are looked at, too."""
    figure = load_figure("human")
    found, drags = ({kind: Found() for kind in ("boxes", *KINDS)} for _ in range(2))
    for seed in DRAGS:
        way = poses(figure, seed)
        if seed in SEEDS:
            _follow(figure, way, found, drag=False)
        _follow(figure, way, drags, drag=True)
    for kind in KINDS:
        missed, by_boxes = drags[kind].missed, drags["boxes"].missed
        yield Row(
            what=f"frame of a drag within {kind} fields, 99th percentile",
            measured=drags[kind].share(0.99),
            unit="s",
            asked="at most 3x",
            peer="boxes",
            peer_measured=drags["boxes"].share(0.99),
            allowed=ASKED_OF_DRAGS,
            note=f"{len(drags[kind].times)} frames, {missed} end short of their goals ({by_boxes} within boxes)",
        )
        other = sum(each > 0 for each in found[kind].starts), sum(each > 0 for each in found["boxes"].starts)
        note = f"{len(found[kind].times)} frames, {other[0]} with other starts ({other[1]} within boxes)"
        for what, share, direct, asked, allowed in (
            ("median", 0.5, False, "at most 1.5x", ASKED),
            ("99th percentile", 0.99, False, "less", None),
            ("99th percentile without other starts", 0.99, True, "less", None),
        ):
            yield Row(
                what=f"frame within {kind} fields, {what}",
                measured=found[kind].share(share, direct=direct),
                unit="s",
                asked=asked,
                peer="boxes",
                peer_measured=found["boxes"].share(share, direct=direct),
                allowed=allowed,
                note=f"{note}; farthest outside {found[kind].outside:.1e} rad",
            )


def _follow(figure: Figure, way: list[Array], out_found: dict[str, Found], *, drag: bool) -> None:
    """One way, within each kind of limits in turn."""
    targets = np.array([[spot_at(figure, q, Spot(actor="me", joint=joint))[0] for joint in LED] for q in way])
    figures = {kind: figure if kind == "boxes" else with_fields(figure, kind, way) for kind in out_found}
    problems = {kind: problem(each) for kind, each in figures.items()}
    works = {kind: new_work(each, Levenberg()) for kind, each in problems.items()}
    now, memories = dict.fromkeys(problems, way[0]), {kind: FrameMemory() for kind in problems}
    steps = np.linalg.norm(np.diff(targets, axis=0, prepend=targets[:1]), axis=2).max(axis=1)
    budget = Budget(milliseconds=1e4)
    for first in range(0, FRAMES, IN_TURN):
        for kind, each in problems.items():
            mine = out_found[kind]
            # The frame before them once more, untimed: what the others left in the caches is not looked at.
            for place, frame in enumerate((max(first - 1, 0), *range(first, first + IN_TURN))):
                each.set_targets(targets[frame])
                near = min(math.pi, max(LEAST_TURN, TURN_PER_METRE * float(steps[frame]))) if drag else None
                memory, memories[kind].moves = memories[kind], drag
                began = thread_time()
                answer = solve(
                    each, [now[kind]], Levenberg(), budget=budget, near=near, work=works[kind], memory=memory
                )
                if place > 0:
                    mine.times.append(thread_time() - began)
                    mine.starts.append(answer.starts)
                    mine.missed += answer.state != "reached"
                now[kind] = answer.poses[0]
                mine.outside = max(mine.outside, measure_regions(each.regions.buffers, answer.q))


def problem(figure: Figure) -> Problem:
    """Hands and feet of a human to be led to places."""
    goals = [PositionGoal(spot=Spot(actor="me", joint=joint), target=(0.0, 1.0, 0.0)) for joint in LED]
    return compile_problem([Participant(actor="me", figure=figure)], goals)
