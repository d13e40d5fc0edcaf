"""The punches that ship look like punches: they meet what is wanted at speed, go on beyond it and come back, on feet
that stay, within all limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.ticks import ticks_per_frame
from engine.evaluate.evaluator import Evaluator
from engine.experiments.kinodynamic_punch import BOXER, FIST, KNUCKLES, PLACE, STRIKE
from engine.experiments.meeting import keyed_example
from engine.maths.arrays import Array
from engine.model.compile import ROW, compile_model
from engine.queries.examples import example
from engine.targets.actor_targets import compile_targets
from engine.targets.inverse import solve
from engine.targets.options import Effort
from engine.targets.problem import TargetProblem
from engine.targets.solution import Solution

BALL = "ball"
WAY = (0.03, 0.155, 0.9875)  # of the fast punch, unit within 1e-4
SPEED = 7.7  # [m/s] of the fast punch
LONG = 2.4  # [s]
RATE = 120  # [Hz]
AT_STRIKE = round(STRIKE * RATE)
BOTH = ("punch", "fast_punch")


@dataclass(frozen=True, eq=False)
class Watched:
    """All of a document's motion."""

    q: Array  # [rad, m], shape [time, coordinate]
    joints: Array  # where they are [m], shape [time, joint, 3]
    fist: Array  # the knuckles [m], shape [time, 3]
    ball: Array  # its middle [m], shape [time, 3]

    @property
    def velocities(self) -> Array:
        """Of the fist [m/s]."""
        return np.asarray(np.gradient(self.fist, 1.0 / RATE, axis=0))


def watch(document: Document) -> Watched:
    evaluator = Evaluator()
    times = [round(n * SECOND / RATE) for n in range(round(LONG * RATE) + 1)]
    bodies = np.array([evaluator.joint_transforms(document, BOXER, time) for time in times])
    poles = np.array([evaluator.joint_transforms(document, BALL, time)[1] for time in times])
    hand = bodies[:, document.actor(BOXER).figure.joint_index[FIST]]
    top = document.actor(BALL).figure.joints[1].shapes[1].centre  # type: ignore[union-attr]
    return Watched(
        q=np.array([evaluator.rows(document, time)[BOXER][ROW:] for time in times]),
        joints=bodies[:, :, :, 3],
        fist=hand[:, :, 3] + hand[:, :, :3] @ np.array(KNUCKLES),
        ball=poles[:, :, 3] + poles[:, :, :3] @ np.array(top),
    )


@cache
def watched(name: str) -> Watched:
    return watch(example(name).build())


@cache
def full_steps_and_halves() -> tuple[Solution, Solution]:
    actor_targets = compile_targets(Evaluator(), keyed_example("fast_punch"), BOXER)
    full, halved = (
        solve(
            TargetProblem(
                kino=actor_targets.kino,
                keyed=actor_targets.keyed,
                goals=actor_targets.goals,
                effort=Effort(halvings=halvings),
            )
        )
        for halvings in (0, Effort().halvings)
    )
    return full, halved


def angle(name: str, coordinate: str) -> Array:
    return np.asarray(
        np.degrees(watched(name).q[:, example(name).build().actor(BOXER).figure.coordinate_index[coordinate]])
    )


@pytest.mark.parametrize("name", BOTH)
def test_what_is_wanted_at_the_strike_is_met_as_it_is_shipped(name: str) -> None:
    document, evaluator = example(name).build(), Evaluator()
    actor_targets = compile_targets(evaluator, document, BOXER)
    (only,) = actor_targets.goals
    assert only.bell.time == STRIKE * SECOND
    residuals = actor_targets.residuals(evaluator, document, only)
    assert len(residuals) == (2 if name == "fast_punch" else 1)
    for residual in residuals:
        assert residual.size <= (1e-4 if residual.is_velocity else 1e-6), residual.unit
    assert np.linalg.norm(watched(name).fist[AT_STRIKE] - PLACE) <= 1e-6


def test_the_fast_punch_has_its_velocity_by_differences_of_frames_too() -> None:
    found = watched("fast_punch").velocities[AT_STRIKE]
    assert found == pytest.approx(SPEED * np.array(WAY), abs=0.4)
    assert np.linalg.norm(found) > 1.2 * np.linalg.norm(watched("punch").velocities[AT_STRIKE])


@pytest.mark.parametrize("name", BOTH)
def test_it_is_keyed_to_hit_and_misses_by_secondary_motion_alone(name: str) -> None:
    loose = keyed_example(name)
    boxer = loose.actor(BOXER)
    assert boxer.secondary is not None
    stiff = loose.with_actor(replace(boxer, secondary=replace(boxer.secondary, on=False)))
    evaluator, time = Evaluator(), round(STRIKE * SECOND)

    def missed(document: Document) -> float:
        hand = evaluator.joint_transforms(document, BOXER, time)[boxer.figure.joint_index[FIST]]
        return float(np.linalg.norm(hand[:, 3] + hand[:, :3] @ np.array(KNUCKLES) - PLACE))

    assert missed(stiff) < 2e-3
    assert missed(loose) > 0.1


@pytest.mark.parametrize("name", BOTH)
def test_keys_lie_on_frames_and_frames_on_steps(name: str) -> None:
    document = example(name).build()
    frame, secondary = ticks_per_frame(document.rate), document.actor(BOXER).secondary
    keys = [key for actor in document.actors for layer in actor.layers for each in layer.tracks for key in each.keys]
    assert len(keys) > 300
    assert all(key.time % frame == 0 for key in keys)
    assert secondary is not None
    assert frame % secondary.step == secondary.window % secondary.step == 0


@pytest.mark.parametrize("name", BOTH)
def test_the_fist_is_fast_where_it_hits(name: str) -> None:
    speeds = np.linalg.norm(watched(name).velocities, axis=1)
    assert speeds[AT_STRIKE] > 5.0
    assert speeds[AT_STRIKE] > 0.75 * speeds.max(), "it is not braked before"
    assert abs(int(speeds.argmax()) - AT_STRIKE) < 0.05 * RATE
    assert speeds[: round(0.4 * RATE)].max() < 0.1 * speeds[AT_STRIKE], "it comes from rest"


@pytest.mark.parametrize("name", BOTH)
def test_it_goes_on_beyond_the_target_and_comes_back(name: str) -> None:
    found = watched(name)
    way = found.velocities[AT_STRIKE] / np.linalg.norm(found.velocities[AT_STRIKE])
    beyond = (found.fist - PLACE) @ way
    after = beyond[AT_STRIKE : AT_STRIKE + RATE // 5]
    assert 0.08 < after.max() < 0.3
    assert beyond[:AT_STRIKE].max() < 0.0, "it comes from one side"
    bend = angle(name, "elbow_right.flexion")
    assert bend[0] > 100.0
    assert bend[AT_STRIKE : AT_STRIKE + RATE // 5].min() < 40.0
    assert bend[round(1.8 * RATE) :].min() > 100.0
    assert np.linalg.norm(found.fist[round(1.8 * RATE)] - found.fist[0]) < 0.1
    assert np.abs(found.q[-1] - found.q[0]).max() < np.radians(1.0), "it may go on from the start"


@pytest.mark.parametrize("name", BOTH)
def test_no_limit_is_passed(name: str) -> None:
    model = compile_model(example(name).build().actor(BOXER).figure)
    q = watched(name).q
    assert (q >= model.lower - 1e-9).all()
    assert (q <= model.upper + 1e-9).all()


@pytest.mark.parametrize("name", BOTH)
def test_both_feet_are_planted_and_the_heel_of_the_right_one_comes_up(name: str) -> None:
    index = example(name).build().actor(BOXER).figure.joint_index
    places = watched(name).joints
    for joint in ("ankle_left", "toes_left", "toes_right"):
        assert np.ptp(places[:, index[joint]], axis=0).max() < 1e-3, joint
    heel = places[:, index["ankle_right"], 1]
    assert heel[AT_STRIKE] - heel[0] > 0.03


@pytest.mark.parametrize("name", BOTH)
def test_weight_hips_and_shoulders_go_into_it_one_after_the_other(name: str) -> None:
    found, index = watched(name), example(name).build().actor(BOXER).figure.joint_index
    ahead = found.joints[:, index["pelvis"], 2]
    assert ahead[AT_STRIKE] - ahead[round(0.72 * RATE)] > 0.1
    across = found.joints[:, index["shoulder_right"]] - found.joints[:, index["shoulder_left"]]
    hips = found.joints[:, index["hip_right"]] - found.joints[:, index["hip_left"]]
    turns = [np.unwrap(np.arctan2(each[:, 2], -each[:, 0])) for each in (hips, across)]
    before, after = round(0.72 * RATE), AT_STRIKE + round(0.05 * RATE)
    for turn in turns:
        assert turn[after] - turn[before] > np.radians(45.0)
    half = [int(np.argmax(turn[before:] > 0.5 * (turn[before] + turn[after]))) for turn in turns]
    assert half[0] < half[1], "the hips lead"


@pytest.mark.parametrize("name", BOTH)
def test_nothing_pops(name: str) -> None:
    found, figure = watched(name), example(name).build().actor(BOXER).figure
    jerks = np.linalg.norm(np.diff(found.joints, 2, axis=0), axis=2) * RATE * RATE
    assert jerks.max() < 400.0, "a fist of 7.7 m/s that is stopped within a decimetre"
    slow = [figure.joint_index[each] for each in ("pelvis", "knee_left", "knee_right", "head", "ankle_right")]
    assert jerks[:, slow].max() < 90.0


@pytest.mark.parametrize("name", BOTH)
def test_the_ball_flies_off_from_the_fist_and_never_meets_it_again(name: str) -> None:
    found = watched(name)
    away = np.linalg.norm(found.ball - found.fist, axis=1)
    assert away[AT_STRIKE] == pytest.approx(0.115, abs=1e-3)
    assert away.min() > 0.11
    assert found.ball[:AT_STRIKE] == pytest.approx(np.broadcast_to(found.ball[0], (AT_STRIKE, 3)))
    assert found.ball[AT_STRIKE:, 2].max() - found.ball[0, 2] > 0.2


def test_half_steps_meet_the_fast_punch_sooner_than_full_steps() -> None:
    full, halved = full_steps_and_halves()
    assert halved.met
    assert halved.iterations < full.iterations
    for report in halved.reports:
        for residual in report.residuals:
            assert residual.size <= (1e-4 if residual.is_velocity else 1e-6)
    curve = halved.groups[0].curve
    assert (np.diff(curve) <= 0.0).all(), "no step makes it worse"
