"""Rounds of meeting targets: what locks make of moved aims is learned, and what fixed moves miss is met."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.evaluate.evaluator import Evaluator
from engine.evaluate.rounds import Inverse, Rounds
from engine.experiments.kinodynamic_locks import aiming, sinking
from engine.jobs.meet_targets import MeetTargets, TargetsMet
from engine.model.compile import Array
from engine.runtime.progress import finish

ALL = np.ones(3, dtype=np.bool_)
START = np.array((30.0, -20.0, 10.0))
TURNING = np.array(((0.3, 0.9, 0.0), (-0.9, 0.2, 0.4), (0.1, -0.3, 1.4)))  # what is off falls by this times the move


def left_after(count: int, off: Callable[[Array], Array]) -> list[float]:
    """What rounds are off by, moved as they say."""
    rounds, at, nearest, found = Rounds(), np.zeros(3), np.zeros(3), list[float]()
    for _ in range(count):
        now = off(at)
        nearer = not found or np.linalg.norm(now) < min(found)
        nearest = at if nearer else nearest
        found.append(float(np.linalg.norm(now)))
        rounds.saw(now, ALL, nearest=bool(nearer))
        at = nearest + rounds.move()
    return found


def test_moves_by_what_is_off_would_not_come_near_and_those_that_are_learned_do() -> None:
    at = np.zeros(3)
    for _ in range(12):
        at = at + (START - TURNING @ at)
    assert np.linalg.norm(START - TURNING @ at) > 5.0
    assert min(left_after(12, lambda at: START - TURNING @ at)) < 1e-6


def test_where_locks_let_all_through_the_first_move_is_the_last() -> None:
    assert left_after(2, lambda at: START - at)[1] < 1e-12


def test_what_bends_is_met_too() -> None:
    found = left_after(12, lambda at: START - TURNING @ (at + 1e-3 * at * at))
    assert min(found) < 1e-4 * found[0]


def test_the_inverse_takes_each_difference_to_its_move_and_leaves_nothing_of_what_tells_nothing() -> None:
    rng, inverse = np.random.default_rng(1), Inverse()
    for _ in range(5):
        moved, nearer = rng.normal(size=(2, 4))
        assert inverse.learn(moved, nearer)
        assert inverse.apply(nearer) == pytest.approx(moved, abs=1e-9)
    before = inverse.apply(np.ones(4))
    assert not inverse.learn(np.zeros(4), np.ones(4))
    assert inverse.apply(np.ones(4)).tobytes() == before.tobytes()


def test_aims_that_the_solver_misses_stay_and_no_move_is_far() -> None:
    rounds, first = Rounds(), np.array((True, True, False))
    rounds.saw(START, first, nearest=True)
    assert rounds.move().tolist() == [30.0, -20.0, 0.0]
    rounds.saw(START + np.array((-0.1, 0.1, 7.0)), first, nearest=True)
    move = rounds.move()
    assert move[2] == 0.0
    assert np.linalg.norm(move) == pytest.approx(10.0 * np.hypot(29.9, 19.9)), "nearly nothing was gained"


def test_a_round_that_tells_nothing_and_comes_no_nearer_is_tried_again_with_half_of_the_move() -> None:
    rounds = Rounds()
    rounds.saw(START, ALL, nearest=True)
    whole = rounds.move()
    rounds.saw(2.0 * START, ~ALL, nearest=False)
    assert rounds.move().tolist() == (0.5 * whole).tolist()


def held(way: Array, locks: str) -> TargetsMet:
    """A target 6 cm beside the right hand of a human that sinks on locked feet."""
    evaluator = Evaluator()
    document, _ = aiming(evaluator, sinking(evaluator, locks), "hand", way / np.linalg.norm(way))
    return finish(MeetTargets(actor="one", id="correction").work_through(evaluator, document))


@pytest.mark.parametrize("way", [(-0.79, 0.55, 0.27), (-0.62, 0.67, 0.42)])
def test_a_hand_is_met_where_locked_turns_of_the_feet_move_the_pelvis(way: tuple[float, float, float]) -> None:
    found = held(np.array(way), "stiff feet and turns")
    assert found.met, found.text
    assert found.targets[0].missed <= 1e-6


def test_where_feet_may_turn_rounds_are_as_few_as_they_were() -> None:
    found = held(np.array((-0.79, 0.55, 0.27)), "stiff feet")
    assert found.met
    assert found.iterations <= 12
