"""Rules, efforts and the fixes for comparison: named, checked, and each of them does what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.tracking import compile_kinodynamics
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.options import about
from engine.targets.equations import PoseEquation, TimedGoal, Unmeetable
from engine.targets.fixes import FIXES, Layered, Stiffen
from engine.targets.inverse import Problem
from engine.targets.options import UPDATES, Effort, Scaled, Secant
from tests.engine.kinodynamics.moving import pendulum, waves


def problem(pose: Array | None = None) -> Problem:
    """A pendulum that swings slackly, and its keyed pose, or another, at 1 s."""
    mechanics = pendulum()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=1.5)))
    keyed = waves(mechanics, 2)
    second = TICKS_PER_SECOND
    wanted = keyed(np.array([float(second)]))[0, 0] if pose is None else pose
    bell = Bell(time=second, before=second // 2, after=second // 2)
    return Problem(
        kino=kino, keyed=keyed, goals=(TimedGoal(id="pose", bell=bell, equations=(PoseEquation(q=wanted),)),)
    )


@pytest.mark.parametrize("name", UPDATES)
def test_every_rule_has_a_label_and_a_source_and_can_be_made_of_its_defaults(name: str) -> None:
    made = UPDATES[name]()
    assert made.label
    assert made.source
    for told in about(made).values():
        assert told.label
        assert told.note


@pytest.mark.parametrize(
    "make",
    [
        lambda: Effort(iterations=0),
        lambda: Effort(tolerance=0.0),
        lambda: Effort(halvings=-1),
        lambda: Secant(stall=2.0),
        lambda: Scaled(most=0.5),
    ],
)
def test_values_out_of_range_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidArguments):
        make()


@pytest.mark.parametrize("name", FIXES)
@pytest.mark.parametrize("moved", [0.0, 0.2])
def test_both_fixes_hit_the_pose(name: str, moved: float) -> None:
    asked = problem()
    wanted = asked.keyed(np.array([float(TICKS_PER_SECOND)]))[0, 0] + moved
    asked = problem(wanted)
    plain, _ = asked.kino.simulate(np.array([float(TICKS_PER_SECOND)]), asked.keyed)
    found = FIXES[name]().poses(asked, np.array([float(TICKS_PER_SECOND)]))[0]
    assert np.abs(plain[0] - wanted).max() > 5e-3
    assert np.abs(found - wanted).max() < 1e-9


@pytest.mark.parametrize("name", FIXES)
def test_away_from_the_bell_both_fixes_leave_the_secondary_motion(name: str) -> None:
    asked = problem()
    times = np.array([0.3, 1.9]) * TICKS_PER_SECOND
    plain, _ = asked.kino.simulate(times, asked.keyed)
    assert np.array_equal(FIXES[name]().poses(asked, times), plain)


def test_stiffening_changes_what_lies_between_and_layering_moves_it_by_the_bell() -> None:
    asked = problem()
    times = np.array([0.8]) * TICKS_PER_SECOND
    plain, _ = asked.kino.simulate(times, asked.keyed)
    keyed = asked.keyed(times)[:, 0]
    stiff, layered = Stiffen().poses(asked, times), Layered().poses(asked, times)
    assert np.abs(stiff - keyed).max() < 0.9 * np.abs(plain - keyed).max()
    assert np.abs(layered - plain).max() > 1e-3


@pytest.mark.parametrize("name", FIXES)
def test_without_targets_both_fixes_leave_the_secondary_motion(name: str) -> None:
    asked, times = replace(problem(), goals=()), np.array([0.8, 1.0]) * TICKS_PER_SECOND
    assert np.array_equal(FIXES[name]().poses(asked, times), asked.kino.simulate(times, asked.keyed)[0])


@pytest.mark.parametrize("name", FIXES)
def test_neither_fix_leads_a_joint_beyond_its_limit(name: str) -> None:
    """What a pose lacks at the target is too much a little before, where the pendulum hangs nearer to its end."""
    mechanics = pendulum(limit=0.5)
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=3.0, gravity=0.0)))
    at = float(TICKS_PER_SECOND)

    def falling(times: Array) -> Array:
        motion = np.zeros((len(times), 2, 2))
        motion[:, 0, 1], motion[:, 1, 1] = 0.4 - 2.0 * (times / at - 0.8), -2.0
        return motion

    bell = Bell(time=int(at), before=int(at) // 2, after=int(at) // 2)
    equation = PoseEquation(q=np.array([0.0, 0.45]))
    asked = Problem(kino=kino, keyed=falling, goals=(TimedGoal(id="pose", bell=bell, equations=(equation,)),))
    times = np.linspace(0.7, 1.0, 31) * at
    found = FIXES[name]().poses(asked, times)[:, 1]
    assert np.abs(found).max() <= 0.5
    assert found[-1] == pytest.approx(0.45, abs=1e-9)
    if name == "layered":
        assert (found == 0.5).sum() > 3


@pytest.mark.parametrize("name", FIXES)
def test_fixes_refuse_a_pose_that_is_no_number(name: str) -> None:
    with pytest.raises(Unmeetable, match="finite numbers"):
        FIXES[name]().poses(problem(np.array([0.0, np.nan])), np.array([float(TICKS_PER_SECOND)]))
