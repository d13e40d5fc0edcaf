"""Inverse kinodynamics: targets are hit by the secondary motion itself, and what cannot be hit is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics, placed
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.errors import InvalidArguments
from engine.targets.equations import (
    Equation,
    PointEquation,
    PointVelocityEquation,
    PoseEquation,
    PoseVelocityEquation,
    TimedGoal,
    TurnEquation,
    Unmeetable,
    find_point,
)
from engine.targets.inverse import measure_goals, solve
from engine.targets.nodes import gather_nodes, part_nodes, read_before
from engine.targets.options import UPDATES, Effort, Printed, Projection, Secant, Sensitivity
from engine.targets.problem import NullSpaceEdit, TargetProblem
from engine.targets.solution import Solution
from engine.targets.steering import body_rows
from tests.benchmarks.hitting import Punch
from tests.benchmarks.newton import Newton
from tests.benchmarks.reachable import still
from tests.engine.kinodynamics.moving import spinning, waves
from tests.engine.kinodynamics.test_touching import RADIUS, UPRIGHT, ball, led, touching

HAND, TIP = 7, (0.0, 0.12, 0.0)


@pytest.fixture(scope="module")
def arm() -> KinoModel:
    """A slack arm of seven hinges."""
    mechanics = compile_mechanics(compile_model(load_figure("arm7")))
    return compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=3.0, damping=0.6)))


@pytest.fixture(scope="module")
def keyed(arm: KinoModel) -> Keyed:
    """Swinging well within the limits."""
    return waves(arm.mechanics, 3, size=0.25, pace=4.0)


def bell(seconds: float, width: float = 0.4) -> Bell:
    return Bell(
        time=round(seconds * TICKS_PER_SECOND),
        before=round(width * TICKS_PER_SECOND),
        after=round(width * TICKS_PER_SECOND),
    )


def keyed_pose(keyed: Keyed, seconds: float) -> Array:
    return np.asarray(keyed(np.array([seconds * TICKS_PER_SECOND]))[0, 0])


def point(arm: KinoModel, q: Array, moved: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> PointEquation:
    """The tip of the hand where it is at a pose, and a little farther."""
    x, y, z = (find_point(arm.mechanics.model, q, HAND, TIP, arm.new_state()) + moved).tolist()
    return PointEquation(joint=HAND, local=TIP, position=(x, y, z))


def solved(arm: KinoModel, keyed: Keyed, *goals: TimedGoal, update: str = "secant", iterations: int = 10) -> Solution:
    effort = Effort(iterations=iterations)
    return solve(TargetProblem(kino=arm, keyed=keyed, goals=goals, update=UPDATES[update](), effort=effort))


@pytest.mark.parametrize("width", [0.4, 0.5, 1.0, 2.0])
def test_a_keyed_point_is_hit_within_ten_iterations(arm: KinoModel, keyed: Keyed, width: float) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0, width), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    (before,), (after,) = (
        measure_goals(arm, motion, (goal,))[0] for motion in (keyed, solved(arm, keyed, goal).correct(arm, keyed))
    )
    assert before.size > 1e-2
    assert after.size < 1e-6


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(each, marks=pytest.mark.deep) for each in range(4, 10))])
def test_targets_that_newton_finds_are_hit(arm: KinoModel, keyed: Keyed, seed: int) -> None:
    way = np.random.default_rng(seed).normal(size=3)
    x, y, z = (0.25 * way / np.linalg.norm(way)).tolist()
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0), (x, y, z)),))
    if not Newton(arm, keyed, goal).finds():
        pytest.skip("no Newton iteration finds corrections for it")
    assert solved(arm, keyed, goal).met


def test_random_targets_of_a_punch_are_reachable_and_hit_within_ten_iterations() -> None:
    punch = Punch()
    goals = [punch.goal(place) for place in punch.targets(12)[::2]]
    reachable = [Newton(punch.kino, punch.keyed, goal).finds() for goal in goals]
    hit = [punch.solve(goal, Secant()).met for goal in goals]
    assert sum(reachable) >= 5
    assert all(hit)


@pytest.mark.parametrize(("tension", "damping", "width"), [(1.5, 0.7, 1.0), (1.5, 0.7, 2.0), (3.0, 0.4, 1.0)])
def test_random_targets_of_slack_arms_with_wide_eases_are_hit_within_ten_iterations(
    tension: float, damping: float, width: float
) -> None:
    punch = Punch(tension, damping)
    assert all(punch.solve(punch.goal(place, width), Secant()).met for place in Punch().targets(4))


def test_a_fist_is_brought_to_rest_at_random_places() -> None:
    punch = Punch()
    goals = [still(punch.goal(place)) for place in punch.targets(4)]
    hit = [punch.solve(goal, Secant()) for goal in goals]
    assert sum(found.met for found in hit) >= 3
    assert all(len(found.reports[0].residuals) == 2 for found in hit)


@pytest.mark.parametrize("rule", ["secant", "sensitivity", "projection", "scaled"])
def test_every_rule_that_is_free_of_scale_hits(arm: KinoModel, keyed: Keyed, rule: str) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    assert solved(arm, keyed, goal, update=rule, iterations=30).met


def test_the_printed_projection_slows_down_as_it_comes_near(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    printed, right = (solved(arm, keyed, goal, update=rule, iterations=20) for rule in ("printed", "projection"))
    curve = printed.groups[0].curve
    assert not printed.met
    assert right.met
    assert (curve[11:] > 0.7 * curve[10:-1]).all()  # like 1 / n, not geometrically


def test_the_secant_needs_fewer_simulations_than_the_others(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    counts = {
        rule: solved(arm, keyed, goal, update=rule, iterations=30).simulations
        for rule in ("secant", "sensitivity", "projection")
    }
    assert counts["secant"] < min(counts["sensitivity"], counts["projection"])


def test_a_whole_pose_is_hit(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="pose", bell=bell(1.0), equations=(PoseEquation(q=keyed_pose(keyed, 1.0)),))
    found = solved(arm, keyed, goal)
    q, _ = arm.simulate(np.array([float(goal.bell.time)]), found.correct(arm, keyed))
    assert found.met
    assert np.abs(q[0] - keyed_pose(keyed, 1.0)).max() < 1e-6


def test_a_pose_of_balls_is_hit() -> None:
    mechanics = spinning()
    gains = compile_gains(mechanics, JointGains(tension=2.0), {"root": JointGains(tension=2.0)})
    kino, keyed = compile_kinodynamics(mechanics, gains), waves(mechanics, 1, size=0.2)
    goal = TimedGoal(id="pose", bell=bell(1.0), equations=(PoseEquation(q=keyed_pose(keyed, 1.0)),))
    found = solved(kino, keyed, goal)
    q, _ = kino.simulate(np.array([float(goal.bell.time)]), found.correct(kino, keyed))
    assert found.met
    assert np.abs(np.abs((q[0].reshape(2, 4) * keyed_pose(keyed, 1.0).reshape(2, 4)).sum(axis=1)) - 1.0).max() < 1e-12


def test_position_and_velocity_are_met_together_by_the_trajectory_itself(arm: KinoModel, keyed: Keyed) -> None:
    still = PointVelocityEquation(joint=HAND, local=TIP, velocity=(0.0, 0.0, 0.0))
    goal = TimedGoal(id="grasp", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)), still))
    found = solved(arm, keyed, goal)
    assert found.met
    around = goal.bell.time + np.array([-1e-3, 1e-3]) * TICKS_PER_SECOND
    q, _ = arm.simulate(around, found.correct(arm, keyed))
    far, near = (find_point(arm.mechanics.model, each, HAND, TIP, arm.new_state()) for each in q[::-1])
    assert np.linalg.norm(far - near) / 2e-3 < 1e-2  # over a frame of 2 ms, of a velocity that is 0 only at its middle


def test_the_velocity_of_a_pose_is_met(arm: KinoModel, keyed: Keyed) -> None:
    rates = np.full(arm.mechanics.rate_count, 0.3)
    goal = TimedGoal(id="speed", bell=bell(1.0), equations=(PoseVelocityEquation(qd=rates),))
    found = solved(arm, keyed, goal)
    _, velocity = arm.velocities(np.array([float(goal.bell.time)]), found.correct(arm, keyed))
    assert found.met
    assert np.abs(velocity[0] - rates).max() < 1.1e-4


def test_a_turn_is_met(arm: KinoModel, keyed: Keyed) -> None:
    other = np.clip(keyed_pose(keyed, 1.0) + 0.2, arm.mechanics.model.lower, arm.mechanics.model.upper)
    room = arm.new_state()
    find_point(arm.mechanics.model, other, HAND, TIP, room)
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(room[(HAND + 1) * 12 :][:9].reshape(3, 3)).as_quat().tolist()
    goal = TimedGoal(id="turn", bell=bell(1.0), equations=(TurnEquation(joint=HAND, rotation=(w, x, y, z)),))
    assert solved(arm, keyed, goal).met


def three(arm: KinoModel, keyed: Keyed, apart: float) -> tuple[TimedGoal, ...]:
    times = (1.0, 1.0 + apart, 1.0 + 2.0 * apart)
    return tuple(TimedGoal(id=str(t), bell=bell(t), equations=(point(arm, keyed_pose(keyed, t)),)) for t in times)


def test_targets_in_close_proximity_are_all_met(arm: KinoModel, keyed: Keyed) -> None:
    found = solved(arm, keyed, *three(arm, keyed, 0.2))
    assert len(found.groups) == 1
    assert found.met


def test_targets_far_apart_are_solved_apart_with_the_same_result(arm: KinoModel, keyed: Keyed) -> None:
    goals = three(arm, keyed, 1.5)
    together = solved(arm, keyed, *goals)
    assert len(together.groups) == 3
    for index, goal in enumerate(goals):
        alone = solved(arm, keyed, goal)
        assert np.array_equal(alone.corrections[0].wanted, together.corrections[index].wanted)


def test_groups_are_tied_through_windows_not_through_bells_alone(arm: KinoModel) -> None:
    equation: tuple[Equation, ...] = (PointEquation(joint=HAND, position=(0.0, 0.0, 0.0)),)
    apart = 0.4 + arm.window  # from where on the first bell ends before the second window begins

    def groups(gap: float) -> int:
        goals = [TimedGoal(id=str(t), bell=bell(t), equations=equation) for t in (1.0, 1.0 + gap)]
        return len(part_nodes(gather_nodes(goals), read_before(arm)))

    assert groups(apart - 0.02) == 1
    assert groups(apart + 0.05) == 2


def test_contradictory_targets_end_between_them_with_a_sentence(arm: KinoModel, keyed: Keyed) -> None:
    pose = keyed_pose(keyed, 1.0)
    goals = [
        TimedGoal(id=name, bell=bell(1.0), equations=(point(arm, pose, (0.0, side, 0.0)),))
        for name, side in (("one", 0.05), ("other", -0.05))
    ]
    found = solved(arm, keyed, *goals)
    assert not found.met
    assert all(report.residuals[0].size == pytest.approx(0.05, abs=2e-3) for report in found.reports)
    assert all("nearest" in report.text for report in found.reports)


def test_what_is_out_of_reach_is_neared_and_said(arm: KinoModel, keyed: Keyed) -> None:
    equation = PointEquation(joint=HAND, local=TIP, position=(0.0, 5.0, 0.0))
    found = solved(arm, keyed, TimedGoal(id="far", bell=bell(1.0), equations=(equation,)), iterations=20)
    (report,) = found.reports
    assert not report.met
    assert report.residuals[0].size < 1.05 * report.out_of_reach
    assert "No pose" in report.text


def test_a_wish_at_a_target_is_followed_as_far_as_it_does_not_move_the_hand(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    first = solved(arm, keyed, goal)
    rows = body_rows(arm.mechanics.model, keyed_pose(keyed, 1.0), HAND, TIP, arm.new_state())[:3]
    change = np.linalg.svd(rows)[2][-1]  # moves joints and, to first order, not the hand
    change *= 0.3 / np.linalg.norm(change)
    wanted = NullSpaceEdit(bell=bell(1.0), change=change)
    edited = solve(
        TargetProblem(kino=arm, keyed=keyed, goals=(goal,), start=first.corrections[0], null_space_edits=(wanted,))
    )
    moved = edited.corrections[0].wanted[0] - first.corrections[0].wanted[0]
    assert edited.met
    assert float(moved @ change) > 0.6 * float(change @ change)


def test_a_wish_beside_a_target_is_followed_and_the_target_stays_hit(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    first = solved(arm, keyed, goal)
    change = NullSpaceEdit(bell=bell(1.2), change=np.linspace(-0.2, 0.3, arm.mechanics.rate_count))
    edited = solve(
        TargetProblem(kino=arm, keyed=keyed, goals=(goal,), start=first.corrections[0], null_space_edits=(change,))
    )
    time = np.array([float(change.bell.time)])
    moved = edited.corrections[0].at(time)[0, 0] - first.corrections[0].at(time)[0, 0]
    assert edited.met
    assert np.abs(moved - change.change).max() < 1e-9


def test_a_solved_problem_starts_where_it_ended(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    first = solved(arm, keyed, goal)
    again = solve(TargetProblem(kino=arm, keyed=keyed, goals=(goal,), start=first.corrections[0]))
    assert again.iterations == 0
    assert again.met


def test_the_same_problem_has_the_same_bytes(arm: KinoModel, keyed: Keyed) -> None:
    goals = three(arm, keyed, 0.3)
    first, second = (solved(arm, keyed, *goals).corrections[0].wanted for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_what_moves_is_what_is_soft(arm: KinoModel, keyed: Keyed) -> None:
    exact = JointGains(tension=float("inf"))
    gains = compile_gains(arm.mechanics, JointGains(tension=3.0), {"j2": exact})
    kino = compile_kinodynamics(arm.mechanics, gains)
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(kino, keyed_pose(keyed, 1.0)),))
    found = solved(kino, keyed, goal)
    assert found.met
    assert found.corrections[0].wanted[0, 1] == 0.0
    assert np.abs(found.corrections[0].wanted[0, 2:6]).min() > 0.0


def test_aims_at_what_is_not_there_are_refused(arm: KinoModel, keyed: Keyed) -> None:
    good = TimedGoal(id="hit", bell=bell(1.0), equations=(PointEquation(joint=HAND, position=(0.0, 1.0, 0.0)),))
    bad: list[tuple[Equation, ...]] = [
        (),
        (PointEquation(joint=99, position=(0.0, 0.0, 0.0)),),
        (PointEquation(joint=HAND, position=(float("nan"), 0.0, 0.0)),),
        (PoseEquation(q=np.zeros(3)),),
        (PoseEquation(q=keyed_pose(keyed, 1.0), rates=(99,)),),
    ]
    for equations in bad:
        with pytest.raises(Unmeetable, match="hit"):
            solved(arm, keyed, replace(good, equations=equations))
    with pytest.raises(InvalidArguments, match="only once"):
        solved(arm, keyed, good, good)


def test_rules_compare_on_one_problem_by_their_curves(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="hit", bell=bell(1.0), equations=(point(arm, keyed_pose(keyed, 1.0)),))
    for update in (Secant(), Sensitivity(), Projection(), Printed()):
        found = solve(TargetProblem(kino=arm, keyed=keyed, goals=(goal,), update=update, effort=Effort(iterations=4)))
        curve = found.groups[0].curve
        assert len(curve) == found.iterations + 1
        assert (np.diff(curve) <= 0.0).all()
        assert curve[-1] == pytest.approx(found.reports[0].residuals[0].size / 1e-6, rel=1e-6)


def test_a_target_below_the_ground_is_missed_by_what_is_said_and_the_sentence_tells_of_contact() -> None:
    mechanics = placed(ball(), (0.0, 0.0, 0.0), UPRIGHT)
    bell = Bell(time=TICKS_PER_SECOND, before=TICKS_PER_SECOND // 2, after=TICKS_PER_SECOND // 2)
    goal = TimedGoal(id="low", bell=bell, equations=(PointEquation(joint=0, position=(0.0, RADIUS - 0.03, 0.0)),))
    found = {}
    for contact in (False, True):
        kino = touching(mechanics, contact=contact, ball=JointGains(tension=3.0))
        keyed = led((0.0, RADIUS + 0.1, 0.0), (0.0, 0.0, 0.0))
        problem = TargetProblem(kino=kino, keyed=keyed, goals=(goal,), effort=Effort(iterations=10))
        found[contact] = solve(problem).reports[0]
    assert found[False].met
    assert not found[True].met
    assert found[True].residuals[0].size == pytest.approx(0.03, abs=2e-3)
    assert "jumps" in found[True].text
    assert "mm" in found[True].text
