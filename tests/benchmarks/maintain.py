"""Ten constraints on the human while a hand is dragged for 60 s at 60 Hz: drift and processor time of a step, for an
ordinary set and for one that is redundant and nearly singular (legs held at both ends), and what keeping function
blocks gains where the hand is dragged by its arm alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from time import thread_time

import numpy as np

from engine.document.chains import chain
from engine.document.values import Quaternion, Vector3
from engine.formats.figure_toml import load_figure
from engine.ik.goals import Goal, LineGoal, MeetGoal, OrientationGoal, PlaneGoal, PoseGoal, PositionGoal, Spot
from engine.ik.maintain import Dragging, DragReport, Maintain, Spring
from engine.ik.problem import Participant, compile_problem
from engine.maths.rotations import matrix_to_quaternion
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from tests.benchmarks.harness import Row, percentile
from tests.engine.ik.test_maintain import human_problem, knees, ten_constraints

NAME = "maintain"

FRAMES, RATE, AGAIN = 3600, 60.0, 5
HAND = "wrist_left"


def rest_frames() -> tuple[dict[str, Vector3], dict[str, Quaternion]]:
    """Where the joints are at rest, and how they are turned."""
    figure = load_figure("human")
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, model.rest, state)
    where: dict[str, Vector3] = {}
    turned: dict[str, Quaternion] = {}
    for joint, row in zip(figure.joints, model.transforms(state), strict=True):
        q = np.empty(4)
        matrix_to_quaternion(np.ascontiguousarray(row[:9].reshape(3, 3)), q)
        where[joint.id] = (float(row[9]), float(row[10]), float(row[11]))
        turned[joint.id] = (float(q[0]), float(q[1]), float(q[2]), float(q[3]))
    return where, turned


def constraints() -> list[Goal]:
    """Both feet in place and flat, toes on the floor, a hand on a rail, knees apart, shoulders level, back upright."""
    where, turned = rest_frames()

    def here(joint: str) -> Spot:
        return Spot(actor="me", joint=joint)

    left, right = np.array(where["knee_left"]), np.array(where["knee_right"])
    x, y, z = (left - right).tolist()
    feet: list[Goal] = [
        PoseGoal(spot=here(f"ankle_{side}"), position=where[f"ankle_{side}"], rotation=turned[f"ankle_{side}"])
        for side in ("left", "right")
    ]
    return [
        *feet,
        PlaneGoal(spot=here("toes_left"), point=where["toes_left"], normal=(0.0, 1.0, 0.0)),
        PositionGoal(spot=here("toes_right"), target=where["toes_right"]),
        LineGoal(spot=here("wrist_right"), point=where["wrist_right"], direction=(0.0, 0.0, 1.0)),
        MeetGoal(first=here("knee_left"), second=Spot(actor="me", joint="knee_right", point=(x, y, z))),
        OrientationGoal(spot=here("upper_spine"), target=turned["upper_spine"], axes=("j",)),
        OrientationGoal(spot=here("head"), target=turned["head"]),
        PlaneGoal(spot=here("pelvis"), point=where["pelvis"], normal=(1.0, 0.0, 0.0)),
        PlaneGoal(spot=here("elbow_right"), point=where["elbow_right"], normal=(1.0, 0.0, 0.0)),
    ]


def start(*, arm_alone: bool = False, caching: bool = True) -> Dragging:
    """A drag from the rest pose."""
    figure = load_figure("human")
    movable = chain(figure, HAND, "joint", up_to="collar_left") if arm_alone else None
    task = PositionGoal(spot=Spot(actor="me", joint=HAND), target=rest_frames()[0][HAND])
    participant = Participant(actor="me", figure=figure, movable=movable)
    problem = compile_problem([participant], constraints(), tasks=[task])
    dragging = Maintain().start(problem, [compile_model(figure).rest])
    dragging.caching = caching
    return dragging


def pull_again(frames: int) -> tuple[list[float], float, float, DragReport]:
    """The redundant ones, the same drag a few times: of each step the least time, as on an idle machine."""
    runs = [pull(start(), frames) for _ in range(AGAIN)]
    return [min(each) for each in zip(*(run[0] for run in runs), strict=True)], *runs[0][1:]


def pull(dragging: Dragging, frames: int) -> tuple[list[float], float, float, DragReport]:
    """Processor times of the steps [s], the largest errors of the constraints [m, rad], and the last report."""
    (x, y, z), times, off, turned = rest_frames()[0][HAND], [], 0.0, 0.0
    for frame in range(frames):
        angle = 2.0 * math.pi * frame / (2.0 * RATE)
        target = (x + 0.2 * math.sin(angle), y + 0.3 * math.sin(0.37 * angle), z + 0.3 * math.sin(0.61 * angle))
        began = thread_time()
        dragging.step((Spring(task=0, target=target),), 1.0 / RATE)
        times.append(thread_time() - began)
        found = dragging.report().constraints
        off, turned = max(off, *(each.off for each in found)), max(turned, *(each.turned for each in found))
    return times[1:], off, turned, dragging.report()


def step_row(what: str, times: list[float], told: DragReport) -> Row:
    """The median, and how far the others are from it."""
    longer = 100.0 * sum(each > 5e-4 for each in times) / len(times)
    return Row(
        what=what,
        measured=1e3 * percentile(times, 0.5),
        unit="ms",
        asked="at most 0.5 ms",
        note=f"{longer:.1f}% take longer, at most {1e3 * max(times):.2f} ms; {told.counts.factored} factors",
    )


def measure() -> Iterator[Row]:
    """The rows."""
    pull(start(), 2)
    problem, pose = human_problem(knees(ten_constraints()))
    times, off, turned, told = pull(Maintain().start(problem, [pose]), FRAMES)
    yield step_row("a step with the ten constraints of the tests", times, told)
    yield Row(what="their drift over 60 s at 60 Hz", measured=1e3 * off, unit="mm", asked="at most 0.1 mm")
    yield Row(what="the same of axes", measured=math.degrees(turned), unit="degrees", asked="at most 0.01")
    times, off, turned, told = pull_again(FRAMES)
    yield step_row("a step with ten that are redundant and nearly singular", times, told)
    yield Row(what="their drift over 60 s at 60 Hz", measured=1e3 * off, unit="mm", asked="at most 0.1 mm")
    yield Row(what="the same of axes", measured=math.degrees(turned), unit="degrees", asked="at most 0.01")
    kept, plain = start(arm_alone=True), start(arm_alone=True, caching=False)
    with_blocks, without = pull(kept, 600), pull(plain, 600)
    counts = with_blocks[3].counts
    yield Row(
        what="the same drag by the arm alone, function blocks kept",
        measured=1e3 * percentile(with_blocks[0], 0.5),
        unit="ms",
        peer="nothing kept",
        peer_measured=1e3 * percentile(without[0], 0.5),
        allowed=1.0,
        note=f"{counts.blocks} of {counts.requested} blocks computed",
    )
