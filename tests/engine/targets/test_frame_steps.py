"""Steps and windows for poses at every frame: which they are, when they are taken, and that it is said."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Document, Key, Layer, Target, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains, OwnGains, Secondary
from engine.evaluate.evaluator import Evaluator
from engine.formats.motion_toml import load_motion
from engine.runtime.progress import finish
from engine.targets import meeting
from engine.targets.actor_targets import ActorTargets
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet
from engine.targets.equations import PoseEquation, Residual
from engine.targets.frame_steps import fit_steps
from engine.targets.inverse import solve_gradually
from engine.targets.meeting import Met
from engine.targets.problem import TargetProblem
from engine.targets.solution import Progress
from tests.engine.evaluate.locked import human
from tests.engine.kinodynamics.moving import waves
from tests.engine.kinodynamics.test_secondary import pendulum
from tests.engine.targets.test_dense import poses, slack

FRAME = SECOND // 30
FRAMES = [FRAME * each for each in range(8)]
SLACK = Secondary(gains=Gains(tension=4.0, damping=0.5))


def test_steps_divide_a_frame_and_windows_forget_where_they_began() -> None:
    found = fit_steps(SLACK, pendulum().figure, FRAMES)
    assert found is not None
    assert found.step * 4 == FRAME
    assert found.window == 18 * FRAME
    assert found.window % found.steps == 0
    assert found.window // found.steps == found.step
    decay = 0.5 * 2.0 * np.pi * 4.0
    assert 0.9 < np.exp(-decay * found.window / SECOND) / 5e-4 < 1.2
    assert fit_steps(found, pendulum().figure, FRAMES) is None


@pytest.mark.parametrize(
    ("change", "frames"),
    [
        ({"gains": Gains(tension=8.0, damping=1.0)}, 9),  # as it is set
        ({"gains": Gains(tension=8.0, damping=0.25)}, 18),
        ({"gains": Gains(tension=8.0, damping=1.25)}, 9),  # twice as slow as critical
        ({"gains": Gains(tension=4.0, damping=0.5, relaxation=0.75)}, 36),
        ({"window": SECOND}, 30),
    ],
)
def test_windows_are_as_long_as_the_slowest_joint_takes(change: dict[str, object], frames: int) -> None:
    found = fit_steps(replace(SLACK, **change), pendulum().figure, FRAMES)  # type: ignore[arg-type]
    assert found is not None
    assert found.window == frames * FRAME


def test_times_that_are_rounded_are_of_one_frame() -> None:
    times = [round(each * SECOND / 29.97) for each in range(8)]
    found = fit_steps(SLACK, pendulum().figure, times)
    assert found is not None
    assert found.steps == 4 * 18
    assert abs(found.step * 4 - SECOND / 29.97) < 5
    assert fit_steps(found, pendulum().figure, times) is None


@pytest.mark.parametrize(
    ("secondary", "times"),
    [
        (SLACK, [0, SECOND // 5, SECOND]),  # no two are neighbouring frames
        (SLACK, [SECOND]),
        (replace(SLACK, gains=Gains(tension=1.0)), FRAMES),  # 2.4 s
        (replace(SLACK, gains=Gains(damping=0.0)), FRAMES),
        (replace(SLACK, gains=Gains(relaxation=1.0)), FRAMES),
        (replace(SLACK, gains=Gains(exact=True), window=9 * FRAME, step=FRAME // 4), FRAMES),
        (replace(SLACK, own=(OwnGains(joint=pendulum().figure.joints[-1].id, tension=0.1),)), FRAMES),
    ],
)
def test_what_has_no_such_step_or_window_stays_as_it_is_set(secondary: Secondary, times: list[int]) -> None:
    assert fit_steps(secondary, pendulum().figure, times) is None


def _swing() -> Document:
    """A pendulum with a key at every frame, each of which is a target."""
    keys = tuple(Key(time, 0.1 * np.sin(at)) for at, time in enumerate(FRAMES))
    tracks = tuple(Track(coordinate=each, keys=keys) for each in pendulum().figure.coordinates[-1:])
    secondary = replace(SLACK, targets=(Target(id="keys", source="keys"),))
    actor = replace(pendulum(), layers=(Layer(id="pose", tracks=tracks),), secondary=secondary)
    return Document(actors=(actor,))


@pytest.mark.parametrize(
    ("met", "settled", "searches", "kept", "fitted"),
    [
        ((8, 0, 0), (True, True), [True], 8, False),
        ((0, 6, 0), (False, True), [True, True], 6, True),
        ((0, 2, 1), (False, False), [True, True, False], 2, True),
        ((0, 2, 5), (False, False), [True, True, False], 5, False),
        ((3, 3, 4), (False, True), [True, True, False], 4, False),
    ],
)
def test_what_meets_most_is_kept_and_what_changes_is_said(
    monkeypatch: pytest.MonkeyPatch,
    met: tuple[int, int, int],
    settled: tuple[bool, bool],
    searches: list[bool],
    kept: int,
    fitted: bool,
) -> None:
    asked: list[bool] = []

    def searched(
        evaluator: Evaluator,
        actor_targets: ActorTargets,
        *,
        start: object = None,
        coarse: bool = False,
        hasty: bool = False,
    ) -> Generator[float, None, Met]:
        found, equation = Met(), PoseEquation(q=np.zeros(2))
        yield 0.5
        for at in range(len(actor_targets.goals)):
            missed = 0.0 if at < met[len(asked)] else 1.0
            found.residuals.append((Residual(str(at), equation, np.array([missed]), "rad"),))
            found.reasons.append("It is missed by {}." if missed else "")
        found.settled = settled[len(asked)] if hasty else True
        asked.append(hasty)
        return found

    monkeypatch.setattr(meeting, "meet_gradually", searched)
    shares, document = list[float](), _swing()
    steps = MeetTargets(actor="one", id="correction").work_through(Evaluator(), document)
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as stop:
            found: TargetsMet = stop.value
            break
    assert asked == searches
    assert shares == sorted(shares)
    secondary = found.edit.apply(document).actors[0].secondary
    assert secondary is not None
    assert (secondary.window == 18 * FRAME and secondary.step * 4 == FRAME) == fitted
    assert ("window of the simulation is now 600 ms and its step 8.33 ms" in found.note) == fitted
    assert len(found.targets) - len(found.missed) == kept


def test_progress_moves_with_each_pose_that_is_met() -> None:
    arm = slack("arm7", 8.0, 1.0)
    goals = poses(waves(arm.mechanics, 3, size=0.25, pace=4.0), *(1.0 + each / 30.0 for each in range(6)))
    problem = TargetProblem(kino=arm, keyed=waves(arm.mechanics, 3, size=0.25, pace=4.0), goals=goals, limited=True)
    told = [each for each in solve_gradually(problem) if isinstance(each, Progress)]
    assert len(told) > len(goals)


@pytest.mark.deep
def test_a_slack_walk_meets_every_key_but_where_a_knee_snaps_straight() -> None:
    tracks = load_motion("walk").layers[0].tracks
    secondary = replace(SLACK, targets=(Target(id="keys", source="keys"),))
    layer = Layer(id="pose", tracks=tracks)
    walker = Actor(id="one", name="Walker", figure=human(), layers=(layer,), secondary=secondary)
    found = finish(MeetTargets(actor="one", id="correction").work_through(Evaluator(), Document(actors=(walker,))))
    assert len(found.targets) == 33
    assert len(found.missed) == 2
    assert all("its stop" in each.text and each.missed < 0.05 for each in found.missed)
    assert "600 ms" in found.note
