"""Rounds of meeting targets: what locks make of moved aims is learned, and what fixed moves miss is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Target
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.experiments.kinodynamic_locks import aiming, sinking
from engine.maths.arrays import Array
from engine.runtime.progress import finish
from engine.targets.commands.meet_targets import MeetTargets, TargetsMet
from engine.targets.outer_iterations import InverseProducts, OuterIterations

START = np.array((30.0, -20.0, 10.0))
TURNING = np.array(((0.3, 0.9, 0.0), (-0.9, 0.2, 0.4), (0.1, -0.3, 1.4)))  # what is off falls by this times the move


def left_after(count: int, off: Callable[[Array], Array]) -> list[float]:
    """What rounds are off by, moved as they say."""
    rounds, at, nearest, found = OuterIterations(), np.zeros(3), np.zeros(3), list[float]()
    for _ in range(count):
        now = off(at)
        nearer = not found or np.linalg.norm(now) < min(found)
        nearest = at if nearer else nearest
        found.append(float(np.linalg.norm(now)))
        at = nearest + rounds.move(now, met=True, nearest=bool(nearer))
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
    rng, inverse = np.random.default_rng(1), InverseProducts()
    for _ in range(5):
        moved, nearer = rng.normal(size=(2, 4))
        assert inverse.learn(moved, nearer)
        assert inverse.apply(nearer) == pytest.approx(moved, abs=1e-9)
    before = inverse.apply(np.ones(4))
    assert not inverse.learn(np.zeros(4), np.ones(4))
    assert inverse.apply(np.ones(4)).tobytes() == before.tobytes()


def test_an_aim_that_the_solver_misses_stays_and_no_move_is_far() -> None:
    rounds = OuterIterations()
    assert rounds.move(START, met=False, nearest=True).tolist() == [0.0, 0.0, 0.0]
    assert rounds.move(START, met=True, nearest=False).tolist() == (0.5 * START).tolist(), "nothing is learned of it"
    far = rounds.move(0.999 * START, met=True, nearest=True)
    assert np.linalg.norm(far) == pytest.approx(9.99 * np.linalg.norm(START)), "nearly nothing was gained"


def test_a_round_that_tells_nothing_and_comes_no_nearer_is_tried_again_with_half_of_the_move() -> None:
    rounds = OuterIterations()
    whole = rounds.move(START, met=True, nearest=True)
    assert whole.tolist() == START.tolist()
    assert not rounds.move(2.0 * START, met=False, nearest=False).any()
    assert rounds.move(START, met=True, nearest=False).tolist() == (0.25 * whole).tolist()


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


def test_a_foot_that_a_lock_holds_back_does_not_keep_the_hand_from_being_met() -> None:
    evaluator = Evaluator()
    actor = sinking(evaluator, "stiff feet")
    document, _ = aiming(evaluator, actor, "hand", np.array((0.6, 0.0, 0.8)))
    asked = document.actor("one").secondary
    assert asked is not None
    (x, y, z), (hand,) = actor.locks[0].position, asked.targets
    foot = Target(id="foot", kind="point", joint="ankle_left", position=(x, y, z + 0.1), time=2 * TICKS_PER_SECOND)
    both = replace(document.actor("one"), secondary=replace(asked, targets=(hand, foot)))
    change = MeetTargets(actor="one", id="correction")
    found = finish(change.work_through(evaluator, document.with_actor(both)))
    assert found.targets[0].missed <= 1e-5, "the foot alone is held back; it may not be pushed by ever faster toes"
    assert found.targets[1].missed == pytest.approx(0.1, abs=1e-3)
