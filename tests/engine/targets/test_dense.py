"""Whole poses close together are met, and no slice of the search is long."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.gains import EXACT, LOWER, UPPER, JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.progress import finish
from engine.targets.active_equations import ask
from engine.targets.banded import Band, factor_bands, multiply_bands, solve_bands
from engine.targets.corrections import Corrections, add_to_motion
from engine.targets.easing import CLOSE, dense_basis, is_dense, narrowed, narrowed_ease
from engine.targets.equations import (
    KinodynamicState,
    PointEquation,
    PointVelocityEquation,
    PoseEquation,
    PoseVelocityEquation,
    TimedGoal,
    TurnVelocityEquation,
    find_point,
)
from engine.targets.feeding import feed_forward
from engine.targets.inverse import solve, solve_gradually
from engine.targets.nodes import BATCH, Group, gather_nodes
from engine.targets.options import Effort
from engine.targets.problem import NullSpaceEdit, TargetProblem
from engine.targets.secant import displacement_between
from engine.targets.solution import Solution
from engine.targets.tangent import Tangent
from tests.engine.kinodynamics.moving import spinning, waves

HAND, TIP = 7, (0.0, 0.12, 0.0)


def slack(name: str, tension: float, damping: float) -> KinoModel:
    mechanics = compile_mechanics(compile_model(load_figure(name)), massless=True)
    return compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=tension, damping=damping)))


@pytest.fixture(scope="module")
def arm() -> KinoModel:
    """A slack arm of seven hinges."""
    return slack("arm7", 3.0, 0.6)


@pytest.fixture(scope="module")
def keyed(arm: KinoModel) -> Keyed:
    """Swinging well within the limits."""
    return waves(arm.mechanics, 3, size=0.25, pace=4.0)


def bell(seconds: float, width: float = 0.4) -> Bell:
    time, wide = (round(each * TICKS_PER_SECOND) for each in (seconds, width))
    return Bell(time=time, before=wide, after=wide)


def pose(keyed: Keyed, seconds: float) -> Array:
    return np.asarray(keyed(np.array([seconds * TICKS_PER_SECOND]))[0, 0])


def poses(keyed: Keyed, *times: float) -> tuple[TimedGoal, ...]:
    return tuple(TimedGoal(id=str(at), bell=bell(at), equations=(PoseEquation(q=pose(keyed, at)),)) for at in times)


def solved(kino: KinoModel, keyed: Keyed, *goals: TimedGoal, iterations: int = 10) -> Solution:
    return solve(TargetProblem(kino=kino, keyed=keyed, goals=goals, effort=Effort(iterations=iterations)))


@pytest.mark.parametrize("gap", [0.1, 0.15, 0.2, 0.3, 0.4])
def test_whole_poses_close_together_are_met_by_what_is_seen(arm: KinoModel, keyed: Keyed, gap: float) -> None:
    times = 1.0 + gap * np.arange(5)
    found = solved(arm, keyed, *poses(keyed, *times))
    assert len(found.groups) == 1
    assert found.met
    ends = np.rint(times * TICKS_PER_SECOND)
    wanted = keyed(ends)[:, 0]
    assert np.abs(arm.simulate(ends, found.correct(arm, keyed))[0] - wanted).max() < 1e-6
    assert np.abs(arm.simulate(ends, keyed)[0] - wanted).max() > 0.05


def test_four_poses_of_the_human_a_fifth_of_a_second_apart_take_few_simulations() -> None:
    kino = slack("human", 4.0, 0.5)
    model = kino.mechanics.model
    limited = np.isfinite(model.lower) & np.isfinite(model.upper)
    middle = np.where(limited, 0.5 * np.where(limited, model.lower + model.upper, 0.0), model.rest)
    rng = np.random.default_rng(0)
    height, phase, speed = 0.05 * rng.normal(size=len(middle)), *rng.uniform(1.0, 6.0, size=(2, len(middle)))

    def moving(times: Array) -> Array:
        turn = speed * np.asarray(times)[:, None] / TICKS_PER_SECOND + phase
        return np.stack((middle + height * np.sin(turn), height * speed * np.cos(turn)), axis=1)

    goals = poses(moving, 1.0, 1.2, 1.4, 1.6)
    found = solved(kino, moving, *goals)
    assert found.met
    assert found.simulations < 71 * len(goals)  # one measurement by finite differences alone takes three times that
    amounts = np.abs(found.corrections[0].coefficients).max()
    assert amounts < 1.0  # [rad]; with a bell for each pose alone the first step is one of 30 rad


def test_second_bells_stay_within_the_first_ones_and_lie_between_the_times(keyed: Keyed) -> None:
    nodes = gather_nodes(poses(keyed, 1.0, 1.1, 1.5, 1.9))
    basis = dense_basis(nodes)
    assert basis.free
    for first, second in zip(basis.bumps[:4], basis.bumps[4:], strict=True):
        assert second.bell.start >= first.bell.start
        assert second.bell.end <= first.bell.end
        assert first.bell.start < second.bell.time < first.bell.time
    assert not {bump.bell.time for bump in basis.bumps[4:]} & {node.time for node in nodes}


def test_poses_that_are_tied_are_dense_whatever_is_tied_beside_them(arm: KinoModel, keyed: Keyed) -> None:
    tied = poses(keyed, 1.0, 1.2)
    x, y, z = find_point(arm.mechanics.model, pose(keyed, 1.2), HAND, TIP, arm.new_state()).tolist()
    point = TimedGoal(id="p", bell=bell(1.2), equations=(PointEquation(joint=HAND, local=TIP, position=(x, y, z)),))
    assert is_dense(gather_nodes(tied))
    assert not is_dense(gather_nodes(tied[:1]))
    assert not is_dense(gather_nodes((tied[0], point)))
    assert is_dense(gather_nodes(tied, [bell(1.1)]))
    assert is_dense(gather_nodes((*tied, point)))
    assert solved(arm, keyed, tied[0], point).met


def test_poses_of_balls_close_together_are_met() -> None:
    mechanics = spinning()
    gains = compile_gains(mechanics, JointGains(tension=2.0), {"root": JointGains(tension=2.0)})
    kino, moving = compile_kinodynamics(mechanics, gains), waves(mechanics, 1, size=0.2)
    found = solved(kino, moving, *poses(moving, 1.0, 1.2, 1.4))
    assert found.met
    assert len(found.corrections[0].basis.bumps) == 6


def test_a_rate_is_corrected_by_the_bells_of_targets_that_ask_for_it(arm: KinoModel, keyed: Keyed) -> None:
    asked = ((0, 1, 2), (3, 4), (0, 5, 6))
    goals = [
        replace(goal, equations=(PoseEquation(q=pose(keyed, float(goal.id)), rates=rates),))
        for goal, rates in zip(poses(keyed, 1.0, 1.15, 1.3), asked, strict=True)
    ]
    found = solved(arm, keyed, *goals)
    assert found.met
    for row, amounts in enumerate(found.corrections[0].coefficients):
        assert set(np.flatnonzero(amounts)) == set(asked[row % 3])


def test_what_follows_exactly_is_left_as_it_is_keyed(arm: KinoModel, keyed: Keyed) -> None:
    gains = compile_gains(arm.mechanics, JointGains(tension=3.0), {"j2": EXACT})
    kino = compile_kinodynamics(arm.mechanics, gains)
    found = solved(kino, keyed, *poses(keyed, 1.0, 1.2, 1.4))
    assert found.met
    assert not found.corrections[0].coefficients[:, 1].any()
    goals = poses(keyed, 1.0, 1.2, 1.4)
    moved = pose(keyed, 1.2)
    moved[1] += 0.1
    elsewhere = (goals[0], replace(goals[1], equations=(PoseEquation(q=moved),)), goals[2])
    assert solved(kino, keyed, *elsewhere).met


def test_contradictory_poses_among_others_end_between_and_the_others_are_met(arm: KinoModel, keyed: Keyed) -> None:
    goals, apart = poses(keyed, 1.0, 1.2, 1.4), np.zeros(7)
    apart[3] = 0.1
    other = TimedGoal(id="other", bell=bell(1.2), equations=(PoseEquation(q=pose(keyed, 1.2) + apart),))
    found = solved(arm, keyed, *goals, other, iterations=20)
    reports = {report.goal: report for report in found.reports}
    assert not reports["1.2"].met
    assert not reports["other"].met
    assert reports["1.2"].residuals[0].size == pytest.approx(0.05, abs=1e-5)
    assert max(reports[name].residuals[0].size for name in ("1.0", "1.4")) < 1e-5
    assert reports["other"].text


def test_groups_of_poses_that_are_far_apart_are_solved_apart_with_the_same_bytes(arm: KinoModel, keyed: Keyed) -> None:
    first, second = poses(keyed, 1.0, 1.2), poses(keyed, 4.0, 4.3)
    together = solved(arm, keyed, *first, *second)
    assert len(together.groups) == 2
    for goals, corrections in zip((first, second), together.corrections, strict=True):
        assert solved(arm, keyed, *goals).corrections[0].wanted.tobytes() == corrections.wanted.tobytes()


def test_no_slice_simulates_more_than_a_batch(arm: KinoModel, keyed: Keyed) -> None:
    counted: list[int] = []
    follow = Group._follow

    def counting(self: Group, goals: Array) -> Array:
        counted[-1] += len(goals)
        return follow(self, goals)

    def most(*goals: TimedGoal) -> int:
        steps: Generator[object, None, Solution] = solve_gradually(TargetProblem(kino=arm, keyed=keyed, goals=goals))
        counted[:] = [0]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Group, "_follow", counting)
            for _ in steps:
                counted.append(0)
        return max(counted)

    tip = find_point(arm.mechanics.model, pose(keyed, 1.3), HAND, TIP, arm.new_state())
    x, y, z = (tip + np.array((0.3, 0.3, 0.0))).tolist()
    far = TimedGoal(id="far", bell=bell(1.3), equations=(PointEquation(joint=HAND, local=TIP, position=(x, y, z)),))
    assert 1 < most(*poses(keyed, *(1.0 + 0.05 * np.arange(20)))) <= BATCH
    assert 1 < most(*poses(keyed, 1.0), far) <= BATCH


def test_answers_to_first_order_are_those_of_simulations_away_from_stops(arm: KinoModel, keyed: Keyed) -> None:
    free = replace(arm, servo=arm.servo.copy())
    free.servo[LOWER], free.servo[UPPER] = -np.inf, np.inf
    nodes = gather_nodes(poses(keyed, 1.0, 1.2, 1.4))
    group = Group(free, keyed, nodes, arm.new_state(), dense_basis(nodes))
    wanted, every = np.zeros((6, 7)), np.arange(7, dtype=np.int32)
    state = group.states(1, wanted[None])[0]
    assert state is not None
    looked, _ = finish(group.answers(1, wanted, Tangent(free), every))
    measured = np.zeros_like(looked)
    for row in range(6):
        for rate in range(7):
            trial = wanted.copy()
            trial[row, rate] = 1e-5
            moved = group.states(1, trial[None])[0]
            assert isinstance(moved, KinodynamicState)
            measured[row, :, rate] = displacement_between(group, state, moved)[0] / 1e-5
    assert np.linalg.norm(looked - measured) < 0.05 * np.linalg.norm(measured)
    assert np.linalg.norm(measured[0]) > 0.1 * np.linalg.norm(measured)


def test_solved_poses_begin_where_they_ended(arm: KinoModel, keyed: Keyed) -> None:
    goals = poses(keyed, 1.0, 1.2, 1.4)
    first = solved(arm, keyed, *goals)
    again = solve(TargetProblem(kino=arm, keyed=keyed, goals=goals, start=first.corrections[0]))
    assert again.iterations == 0
    assert again.met
    assert np.array_equal(again.corrections[0].wanted, first.corrections[0].wanted)


def test_what_a_person_changed_of_the_correction_stays_as_far_as_the_poses_let_it(arm: KinoModel, keyed: Keyed) -> None:
    goals = poses(keyed, 1.0, 1.2, 1.4)
    first = solved(arm, keyed, *goals).corrections[0]
    change = np.zeros_like(first.wanted)
    change[1] = np.linspace(-0.2, 0.2, 7)
    edited = Corrections(first.basis, first.wanted + change)
    found = solve(TargetProblem(kino=arm, keyed=keyed, goals=goals, start=edited))
    assert found.met
    left = found.corrections[0].wanted - first.wanted
    assert float((left * change).sum()) > 0.3 * float((change * change).sum())


def test_the_same_poses_have_the_same_bytes(arm: KinoModel, keyed: Keyed) -> None:
    first, second = (solved(arm, keyed, *poses(keyed, 1.0, 1.2, 1.4)).corrections[0].wanted for _ in range(2))
    assert first.tobytes() == second.tobytes()


FRAME = 1.0 / 30.0


def missed(kino: KinoModel, keyed: Keyed, found: Solution, times: NDArray[np.floating]) -> float:
    ends = np.rint(times * TICKS_PER_SECOND)
    return float(np.abs(kino.simulate(ends, found.correct(kino, keyed))[0] - keyed(ends)[:, 0]).max())


def test_poses_at_every_frame_are_met_with_narrowed_eases(arm: KinoModel, keyed: Keyed) -> None:
    times = 1.0 + FRAME * np.arange(16)
    found = solved(arm, keyed, *poses(keyed, *times))
    assert found.met
    assert missed(arm, keyed, found, times) < 1e-6
    ends = np.rint(times * TICKS_PER_SECOND)
    assert np.abs(arm.simulate(ends, keyed)[0] - keyed(ends)[:, 0]).max() > 0.05
    (group,) = found.groups
    assert group.narrowed == 16
    assert group.ease == 2 * round(FRAME * TICKS_PER_SECOND)


def test_a_pose_at_one_frame_that_cannot_be_met_leaves_the_others_met(keyed: Keyed) -> None:
    arm = slack("arm7", 8.0, 1.0)
    times = 1.0 + FRAME * np.arange(10)
    goals = list(poses(keyed, *times))
    thrown = pose(keyed, times[5]).copy()
    thrown[3] = arm.servo[UPPER, 3] - 1e-3  # from the middle of its range to its stop, and back, within two frames
    goals[5] = replace(goals[5], equations=(PoseEquation(q=thrown),))
    found = solve(TargetProblem(kino=arm, keyed=keyed, goals=tuple(goals), limited=True))
    met = [report.met for report in found.reports]
    assert sum(met) >= 8
    assert not met[5]
    assert "{}" not in found.reports[5].text
    ends = np.rint(times * TICKS_PER_SECOND)
    off = np.abs(arm.simulate(ends, found.correct(arm, keyed))[0] - keyed(ends)[:, 0]).max(axis=1)
    assert (off[met] < 1e-6).all()


def test_what_is_seen_between_poses_at_every_frame_stays_near_the_keys(arm: KinoModel, keyed: Keyed) -> None:
    times = 1.0 + FRAME * np.arange(16)
    found = solved(arm, keyed, *poses(keyed, *times))
    between = times[:-1] + 0.5 * FRAME
    assert missed(arm, keyed, found, between) < 0.2 * missed(arm, keyed, solved(arm, keyed), between)


def test_eases_are_narrowed_only_towards_poses_that_are_close_and_ask_for_the_same(keyed: Keyed) -> None:
    far, step = gather_nodes(poses(keyed, 1.0, 1.1, 1.3)), TICKS_PER_SECOND // 100
    assert narrowed(far, 7, step) == far
    assert narrowed_ease(far) == (0, 0)
    near = gather_nodes(poses(keyed, 1.0, 1.05, 1.5))
    first, second, third = narrowed(near, 7, step)
    wide, gap = near[0].bump.bell.before, near[1].time - near[0].time
    assert gap < CLOSE
    assert (first.bump.bell.before, first.bump.bell.after) == (wide, 2 * gap)
    assert (second.bump.bell.before, second.bump.bell.after) == (2 * gap, wide)
    assert third is near[2]
    one, other = poses(keyed, 1.0, 1.05)
    apart = [
        replace(goal, equations=(PoseEquation(q=pose(keyed, 1.0), rates=rates),))
        for goal, rates in ((one, (0, 1)), (other, (2, 3)))
    ]
    nodes = gather_nodes(apart)
    assert narrowed(nodes, 7, step) == nodes


def test_no_ease_is_narrower_than_two_steps(keyed: Keyed) -> None:
    step = TICKS_PER_SECOND // 100
    first, second = narrowed(gather_nodes(poses(keyed, 1.0, 1.004)), 7, step)
    assert first.bump.bell.after == second.bump.bell.before == 2 * step


def test_inverse_dynamics_brings_poses_at_every_frame_near(arm: KinoModel, keyed: Keyed) -> None:
    times = 1.0 + FRAME * np.arange(24)
    nodes = narrowed(gather_nodes(poses(keyed, *times)), 7, arm.step_ticks)
    basis = dense_basis(nodes)
    fed = finish(feed_forward(arm, keyed, basis, [node.time for node in nodes]))
    ends, ints = np.rint(times[12:] * TICKS_PER_SECOND), arm.mechanics.ints
    wanted = keyed(ends)[:, 0]

    def moved(at: Array) -> Array:
        return add_to_motion(ints, keyed(at), Corrections(basis, fed).at(at)[:2])

    before, after = (np.abs(arm.simulate(ends, each)[0] - wanted).mean() for each in (keyed, moved))
    assert after < 0.35 * before


def counting(keyed: Keyed, asked: list[int]) -> Keyed:
    """The same motion; notes for how many times it is asked."""

    def moved(times: Array) -> Array:
        asked.append(len(times))
        return keyed(times)

    return moved


def test_poses_far_apart_are_fed_in_their_windows_alone(arm: KinoModel, keyed: Keyed) -> None:
    day, most = 86_400.0, 3 * (2 * arm.window_ticks // arm.step_ticks + 4)
    near, far = (gather_nodes(poses(keyed, 1.0, after)) for after in (1.05, day))
    for nodes, windows in ((near, 1.3), (far, 2.0)):
        asked = list[int]()
        basis = dense_basis(narrowed(nodes, 7, arm.step_ticks))
        fed = finish(feed_forward(arm, counting(keyed, asked), basis, [node.time for node in nodes]))
        assert np.abs(fed).max() > 0.0
        assert sum(asked) <= windows * most


def test_what_would_take_too_much_memory_is_not_fed(
    arm: KinoModel, keyed: Keyed, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = gather_nodes(poses(keyed, 1.0, 1.05))
    monkeypatch.setattr("engine.targets.feeding._MOST", 100)
    asked = list[int]()
    fed = finish(feed_forward(arm, counting(keyed, asked), dense_basis(nodes), [node.time for node in nodes]))
    assert not fed.any()
    assert not asked


def test_one_pose_a_moment_after_a_wish_is_met(arm: KinoModel, keyed: Keyed) -> None:
    change = NullSpaceEdit(bell=bell(0.95), change=np.linspace(-0.1, 0.1, 7))
    found = solve(TargetProblem(kino=arm, keyed=keyed, goals=poses(keyed, 1.0), null_space_edits=(change,)))
    assert found.met
    assert missed(arm, keyed, found, np.array([1.0])) < 1e-6


def test_poses_with_a_wish_between_them_are_met_and_the_wish_stays(arm: KinoModel, keyed: Keyed) -> None:
    change = np.linspace(-0.1, 0.1, 7)
    goals = poses(keyed, 1.0, 1.1, 1.2, 1.3)
    wanted = NullSpaceEdit(bell=bell(1.15), change=change)
    effort = Effort(iterations=15)
    found = solve(TargetProblem(kino=arm, keyed=keyed, goals=goals, null_space_edits=(wanted,), effort=effort))
    assert found.met
    assert missed(arm, keyed, found, 1.0 + 0.1 * np.arange(4)) < 1e-6
    at = np.array([float(wanted.bell.time)])
    assert np.allclose(sum(each.at(at)[0, 0] for each in found.corrections), change, atol=1e-9)
    still = replace(wanted, change=0.0 * change)
    problem = TargetProblem(kino=arm, keyed=keyed, goals=goals, null_space_edits=(still,), start=found.corrections[0])
    again = solve(problem)
    assert again.iterations == 0
    assert np.allclose(again.corrections[0].at(at)[0, 0], change, atol=1e-9)


def test_poses_with_a_point_tied_to_them_are_met_together(arm: KinoModel, keyed: Keyed) -> None:
    reached = find_point(arm.mechanics.model, pose(keyed, 1.25), HAND, TIP, arm.new_state())
    x, y, z = (reached + np.array((0.02, -0.02, 0.01))).tolist()
    point = TimedGoal(id="p", bell=bell(1.25), equations=(PointEquation(joint=HAND, local=TIP, position=(x, y, z)),))
    found = solved(arm, keyed, *poses(keyed, 1.0, 1.1, 1.2, 1.3), point, iterations=15)
    assert len(found.groups) == 1
    assert found.met
    q, _ = arm.simulate(np.array([1.25 * TICKS_PER_SECOND]), found.correct(arm, keyed))
    assert np.linalg.norm(find_point(arm.mechanics.model, q[0], HAND, TIP, arm.new_state()) - (x, y, z)) < 1e-6


def test_velocities_of_all_kinds_count_in_parts_of_their_own_tolerance(arm: KinoModel, keyed: Keyed) -> None:
    equations = (
        PoseEquation(q=pose(keyed, 1.0)),
        PoseVelocityEquation(qd=np.zeros(7)),
        PointVelocityEquation(joint=HAND, velocity=(0.0, 0.0, 0.0)),
        TurnVelocityEquation(joint=HAND, velocity=(0.0, 0.0, 0.0)),
    )
    (node,) = gather_nodes((TimedGoal(id="all", bell=bell(1.0), equations=equations),))
    effort = Effort()
    slow = effort.tolerance / effort.velocity_tolerance
    assert ask(node, np.ones(7, dtype=bool), effort).scale.tolist() == [1.0] * 7 + [slow] * 13


def test_a_joint_that_snaps_to_its_limit_is_told_of_and_all_else_is_met(arm: KinoModel, keyed: Keyed) -> None:
    """It is a tenth of a radian from its limit a frame before: its stop brakes it."""
    times, upper = 1.0 + FRAME * np.arange(9), float(arm.servo[UPPER, 3]) - 0.002
    goals = []
    for index, goal in enumerate(poses(keyed, *times)):
        q = pose(keyed, float(times[index])).copy()
        q[3] = upper if index == 5 else upper - 0.1
        goals.append(replace(goal, equations=(PoseEquation(q=q),)))

    def bent(at: Array) -> Array:
        motion = np.asarray(keyed(at)).copy()
        motion[:, 0, 3], motion[:, 1, 3] = upper - 0.1, 0.0
        return motion

    found = solved(arm, bent, *goals, iterations=25)
    reports = found.reports
    assert [report.met for report in reports] == [index != 5 for index in range(9)]
    assert "stop" in reports[5].text
    error = np.abs(reports[5].residuals[0].error)
    assert int(np.argmax(error)) == 3
    assert np.delete(error, 3).max() < 1e-6


def test_banded_least_steps_are_those_of_the_whole_matrix() -> None:
    rng, mu = np.random.default_rng(4), 0.3
    bands = [Band(rng.normal(size=(3 + node % 2, 8)), 5 * node) for node in range(9)]
    whole = np.zeros((sum(len(band.values) for band in bands), 48))
    at = 0
    for band in bands:
        whole[at : at + len(band.values), band.first : band.last] = band.values
        at += len(band.values)
    e = rng.normal(size=len(whole))
    factor = finish(factor_bands(finish(multiply_bands(bands)), mu))
    wanted = np.linalg.solve(whole @ whole.T + mu * np.eye(len(whole)), e)
    assert np.allclose(solve_bands(factor, e), wanted, rtol=0.0, atol=1e-12)
    assert max(row.shape[1] for row in factor.rows) <= 8  # two nodes at most are tied
