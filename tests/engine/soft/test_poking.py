"""Hands that pull: a body follows the hand, is let go, and what it did before stays as it was, byte for byte."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Document
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.physics.parts import PhysicsWorld
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import SoftWorld
from engine.soft.poking import hold_of, pokes
from engine.soft.pulls import SoftPull
from engine.soft.simulation import SoftSimulation
from engine.soft.stage import SoftStage

SECOND = 705_600_000
CORNER = (0.1, 0.1, 0.1)  # of the body, at rest


def floating(*pulls: SoftPull) -> Document:
    """A cube of 0.2 m without gravity, in the middle."""
    body = replace(soft_box((0.2, 0.2, 0.2), (2, 2, 2), young=5e4), pulls=pulls)
    world = (PhysicsWorld(gravity=0.0, ground=False), SoftWorld(step=1.0 / 30.0))
    return Document(actors=(soft_actor("jelly", "Jelly", body),), parts=world)


def simulation(evaluator: Evaluator, document: Document) -> SoftSimulation:
    stage = evaluator.stage("soft")
    assert isinstance(stage, SoftStage)
    found = stage.simulation(document)
    assert found is not None
    return found


def hand(*places: tuple[float, float, float], start: int = 0, end: int = 2 * SECOND) -> SoftPull:
    times = tuple(start + each * SECOND // 30 for each in range(len(places)))
    return SoftPull(id="hand", point=CORNER, times=times, places=places, end=end)


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator()


def test_a_body_follows_the_hand_and_comes_to_rest_at_it(evaluator: Evaluator) -> None:
    found = simulation(evaluator, floating(hand((0.4, 0.1, 0.1), end=4 * SECOND)))
    points = found.points(4 * SECOND)
    spot = hold_of(found.scene.members[0], CORNER).spot.carried(points)[0]
    assert spot == pytest.approx((0.4, 0.1, 0.1), abs=0.01)
    assert np.ptp(points, axis=0).max() < 0.3, "it is not torn"


def test_a_hand_where_the_spot_is_moves_nothing(evaluator: Evaluator) -> None:
    found = simulation(evaluator, floating(hand(CORNER)))
    assert found.points(SECOND) == pytest.approx(found.points(0), abs=1e-9)


def test_one_that_is_let_go_keeps_its_speed(evaluator: Evaluator) -> None:
    found = simulation(evaluator, floating(hand((0.5, 0.1, 0.1), end=SECOND // 5)))
    middles = [found.points(time)[:, 0].mean() for time in (SECOND // 2, SECOND, 3 * SECOND // 2)]
    first, second = np.diff(middles)
    assert first > 0.02
    assert second == pytest.approx(first, rel=0.1), "nothing holds it any more"


def test_the_forces_of_a_hand_sum_to_its_spring_and_have_its_torque(evaluator: Evaluator) -> None:
    found = simulation(evaluator, floating(hand((0.2, 0.3, 0.0))))
    member, shape = found.scene.members[0], found.points(0)
    given = list(pokes(found.scene.members, shape, 0))
    forces = np.array([stiffness * (place - shape[point]) for point, place, stiffness, _ in given])
    hold = hold_of(member, CORNER)
    way = np.array((0.2, 0.3, 0.0)) - hold.spot.carried(shape)[0]
    stiffness = member.masses.sum() * (2.0 * np.pi * 2.0) ** 2
    assert forces.sum(axis=0) == pytest.approx(stiffness * way)
    middle = hold.shares @ shape[hold.points]
    at = np.array([shape[point] for point, *_ in given])
    assert np.cross(at, forces).sum(axis=0) == pytest.approx(np.cross(middle, stiffness * way))


def test_a_hand_that_goes_on_steps_nothing_again_and_gives_the_bytes_of_a_whole_recording(evaluator: Evaluator) -> None:
    places = [(0.1 + 0.01 * each, 0.1, 0.1) for each in range(12)]
    document, pull = floating(), hand(places[0])
    for number, place in enumerate(places):
        time = number * SECOND // 30
        pull = pull.moved_to(time, place, 2 * SECOND)
        document = edit("put_soft_pull", actor="jelly", pull=pull).apply(document)
        live = simulation(evaluator, document)
        assert live.known >= number, "as far as was seen"
        live.points(time + SECOND // 30)
    alone = simulation(Evaluator(), floating(hand(*places)))
    for time in (SECOND // 10, 11 * SECOND // 30, 2 * SECOND):
        assert live.points(time).tobytes() == alone.points(time).tobytes()


def test_how_long_a_step_takes_is_told_once_one_was_made(evaluator: Evaluator) -> None:
    found, taken = simulation(Evaluator(), floating()), list[float | None]()
    for time in (-1, SECOND // 10):
        found.points(time)
        taken.append(found.seconds)
    first, then = taken
    assert first is None
    assert then is not None
    assert 0.0 < then < 10.0


def test_a_wide_hand_draws_its_spot_out_less_and_a_strong_one_is_quicker(evaluator: Evaluator) -> None:
    def seen(*, tension: float = 2.0, reach: float = 0.25) -> tuple[float, float]:
        pull = replace(hand((0.4, 0.1, 0.1), end=4 * SECOND), tension=tension, reach=reach)
        found = simulation(evaluator, floating(pull))
        points = found.points(SECOND // 5)
        spot = hold_of(found.scene.members[0], CORNER).spot.carried(points)[0]
        return float(spot[0]), float(np.ptp(points[:, 0]))

    usual, wide, strong = seen(), seen(reach=1.0), seen(tension=6.0)
    assert wide[1] < usual[1] - 0.02
    assert strong[0] > usual[0] + 0.05
