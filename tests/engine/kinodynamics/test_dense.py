"""Whole poses close together are met, and no slice of the search is long."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np
import pytest

from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.aims import Aim, PointWant, PoseWant, State, find_point
from engine.kinodynamics.corrections import Corrections
from engine.kinodynamics.dense import dense_basis, is_dense
from engine.kinodynamics.gains import EXACT, LOWER, UPPER, JointGains, compile_gains
from engine.kinodynamics.inverse import Problem, Solution, room_of, solve, solve_gradually
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.nodes import BATCH, Group, gather_nodes
from engine.kinodynamics.options import Effort
from engine.kinodynamics.secant import displacement_between
from engine.kinodynamics.tangent import Tangent
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.model.compile import Array, compile_model
from engine.runtime.progress import finish
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


def poses(keyed: Keyed, *times: float) -> tuple[Aim, ...]:
    return tuple(Aim(id=str(at), bell=bell(at), wants=(PoseWant(q=pose(keyed, at)),)) for at in times)


def solved(kino: KinoModel, keyed: Keyed, *aims: Aim, iterations: int = 10) -> Solution:
    return solve(Problem(kino=kino, keyed=keyed, aims=aims, effort=Effort(iterations=iterations)))


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

    aims = poses(moving, 1.0, 1.2, 1.4, 1.6)
    found = solved(kino, moving, *aims)
    assert found.met
    assert found.simulations < 71 * len(aims)  # one measurement by finite differences alone takes three times that
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


def test_poses_alone_that_are_tied_are_dense(arm: KinoModel, keyed: Keyed) -> None:
    tied = poses(keyed, 1.0, 1.2)
    x, y, z = find_point(arm.mechanics.model, pose(keyed, 1.2), HAND, TIP, room_of(arm)).tolist()
    point = Aim(id="p", bell=bell(1.2), wants=(PointWant(joint=HAND, local=TIP, position=(x, y, z)),))
    assert is_dense(gather_nodes(tied))
    assert not is_dense(gather_nodes(tied[:1]))
    assert not is_dense(gather_nodes((tied[0], point)))
    assert not is_dense(gather_nodes(tied, [bell(1.1)]))
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
    aims = [
        replace(aim, wants=(PoseWant(q=pose(keyed, float(aim.id)), rates=rates),))
        for aim, rates in zip(poses(keyed, 1.0, 1.15, 1.3), asked, strict=True)
    ]
    found = solved(arm, keyed, *aims)
    assert found.met
    for row, amounts in enumerate(found.corrections[0].coefficients):
        assert set(np.flatnonzero(amounts)) == set(asked[row % 3])


def test_what_follows_exactly_is_left_as_it_is_keyed(arm: KinoModel, keyed: Keyed) -> None:
    gains = compile_gains(arm.mechanics, JointGains(tension=3.0), {"j2": EXACT})
    kino = compile_kinodynamics(arm.mechanics, gains)
    found = solved(kino, keyed, *poses(keyed, 1.0, 1.2, 1.4))
    assert found.met
    assert not found.corrections[0].coefficients[:, 1].any()
    aims = poses(keyed, 1.0, 1.2, 1.4)
    moved = pose(keyed, 1.2)
    moved[1] += 0.1
    elsewhere = (aims[0], replace(aims[1], wants=(PoseWant(q=moved),)), aims[2])
    assert solved(kino, keyed, *elsewhere).met


def test_contradictory_poses_among_others_end_between_and_the_others_are_met(arm: KinoModel, keyed: Keyed) -> None:
    aims, apart = poses(keyed, 1.0, 1.2, 1.4), np.zeros(7)
    apart[3] = 0.1
    other = Aim(id="other", bell=bell(1.2), wants=(PoseWant(q=pose(keyed, 1.2) + apart),))
    found = solved(arm, keyed, *aims, other, iterations=20)
    reports = {report.aim: report for report in found.reports}
    assert not reports["1.2"].met
    assert not reports["other"].met
    assert reports["1.2"].misses[0].size == pytest.approx(0.05, abs=1e-5)
    assert max(reports[name].misses[0].size for name in ("1.0", "1.4")) < 1e-5
    assert reports["other"].text


def test_groups_of_poses_that_are_far_apart_are_solved_apart_with_the_same_bytes(arm: KinoModel, keyed: Keyed) -> None:
    first, second = poses(keyed, 1.0, 1.2), poses(keyed, 4.0, 4.3)
    together = solved(arm, keyed, *first, *second)
    assert len(together.groups) == 2
    for aims, corrections in zip((first, second), together.corrections, strict=True):
        assert solved(arm, keyed, *aims).corrections[0].wanted.tobytes() == corrections.wanted.tobytes()


def test_no_slice_simulates_more_than_a_batch(arm: KinoModel, keyed: Keyed) -> None:
    counted: list[int] = []
    follow = Group._follow

    def counting(self: Group, goals: Array) -> Array:
        counted[-1] += len(goals)
        return follow(self, goals)

    def most(*aims: Aim) -> int:
        steps: Generator[object, None, Solution] = solve_gradually(Problem(kino=arm, keyed=keyed, aims=aims))
        counted[:] = [0]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Group, "_follow", counting)
            for _ in steps:
                counted.append(0)
        return max(counted)

    tip = find_point(arm.mechanics.model, pose(keyed, 1.3), HAND, TIP, room_of(arm))
    x, y, z = (tip + np.array((0.3, 0.3, 0.0))).tolist()
    far = Aim(id="far", bell=bell(1.3), wants=(PointWant(joint=HAND, local=TIP, position=(x, y, z)),))
    assert 1 < most(*poses(keyed, *(1.0 + 0.05 * np.arange(20)))) <= BATCH
    assert 1 < most(*poses(keyed, 1.0), far) <= BATCH


def test_answers_to_first_order_are_those_of_simulations_away_from_stops(arm: KinoModel, keyed: Keyed) -> None:
    free = replace(arm, servo=arm.servo.copy())
    free.servo[LOWER], free.servo[UPPER] = -np.inf, np.inf
    nodes = gather_nodes(poses(keyed, 1.0, 1.2, 1.4))
    group = Group(free, keyed, nodes, room_of(arm), dense_basis(nodes))
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
            assert isinstance(moved, State)
            measured[row, :, rate] = displacement_between(group, state, moved)[0] / 1e-5
    assert np.linalg.norm(looked - measured) < 0.05 * np.linalg.norm(measured)
    assert np.linalg.norm(measured[0]) > 0.1 * np.linalg.norm(measured)


def test_solved_poses_begin_where_they_ended(arm: KinoModel, keyed: Keyed) -> None:
    aims = poses(keyed, 1.0, 1.2, 1.4)
    first = solved(arm, keyed, *aims)
    again = solve(Problem(kino=arm, keyed=keyed, aims=aims, start=first.corrections[0]))
    assert again.iterations == 0
    assert again.met
    assert np.array_equal(again.corrections[0].wanted, first.corrections[0].wanted)


def test_what_a_person_changed_of_the_correction_stays_as_far_as_the_poses_let_it(arm: KinoModel, keyed: Keyed) -> None:
    aims = poses(keyed, 1.0, 1.2, 1.4)
    first = solved(arm, keyed, *aims).corrections[0]
    change = np.zeros_like(first.wanted)
    change[1] = np.linspace(-0.2, 0.2, 7)
    edited = Corrections(first.basis, first.wanted + change)
    found = solve(Problem(kino=arm, keyed=keyed, aims=aims, start=edited))
    assert found.met
    left = found.corrections[0].wanted - first.wanted
    assert float((left * change).sum()) > 0.3 * float((change * change).sum())


def test_the_same_poses_have_the_same_bytes(arm: KinoModel, keyed: Keyed) -> None:
    first, second = (solved(arm, keyed, *poses(keyed, 1.0, 1.2, 1.4)).corrections[0].wanted for _ in range(2))
    assert first.tobytes() == second.tobytes()
