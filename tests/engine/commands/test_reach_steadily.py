"""Drags in small steps to where a limb reaches and beyond, and back: joints turn by and by, and catch up at rest."""

from __future__ import annotations

import numpy as np
import pytest

from engine.commands.reach import PullHandle, Reach
from engine.document import Document
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import PositionGoal
from engine.ik.methods import Terms
from engine.locks.drag_turns import forced, hinges_of, poses_between, turn_between
from engine.maths.arrays import Array
from tests.engine.commands.test_reach import person, place, spot
from tests.engine.commands.test_reach_naturally import body, pose

pytestmark = pytest.mark.usefixtures("unhurried")
STEP = 0.01  # [m]
ON, OFF = 1.0, 0.0


class Hand:
    """Moves one handle of a person, and knows how far joints turned with each move [degrees]."""

    def __init__(self, document: Document, id: str) -> None:
        self.document, self.id, self.reach = document, id, Reach(Evaluator())
        self.shown, self.start, self.state = pose(document), place(document, id), ""
        self.turns: list[float] = []

    def move(self, by: Array) -> None:
        """Move it so far from where it began."""
        x, y, z = (self.start + by).tolist()
        goals = (PositionGoal(spot=spot(self.document, self.id), target=(x, y, z)),)
        request = PullHandle(drag="one", actor="me", goals=goals, terms=Terms(milliseconds=50.0))
        *_, reached = self.reach.answer(self.document, 0, request, skins=False)
        assert reached is not None
        found = pose(reached.snapshot.document)
        figure = self.document.actor("me").figure
        self.turns.append(float(np.degrees(turn_between([figure], [self.shown], [found]))))
        self.shown, self.state = found, reached.outcome.report.state


@pytest.mark.parametrize("natural", [ON, OFF])
@pytest.mark.parametrize(
    ("id", "way"),
    [
        ("hand_left", (0.7, 0.57, -0.42)),
        ("hand_right", (-0.7, 0.7, 0.0)),
        ("foot_left", (0.7, 0.7, 0.0)),
        ("foot_right", (0.0, 0.3, -0.95)),
    ],
)
def test_no_joint_leaps_on_the_way_beyond_reach_and_back(id: str, way: Vector3, natural: float) -> None:
    hand = Hand(body(natural=natural, floor=natural == ON), id)
    far = np.concatenate((np.arange(0.5, 0.8, STEP), np.arange(0.8, 0.5, -STEP)))
    for away in far:
        hand.move(away * np.array(way))
    turns = np.array(hand.turns[1:])  # the first move is long
    assert turns.max() < np.degrees(forced(STEP)) + 2.0
    assert (turns > 10.0).mean() < 0.1  # a limb that was straight bends as it is asked to


def test_where_it_rests_joints_turn_on_to_where_a_drag_ends() -> None:
    way = np.array([-0.8, 0.24, 0.4])
    straight, stepped = (Hand(body(natural=ON, floor=True), "hand_left") for _ in range(2))
    straight.move(0.47 * way)
    for away in np.arange(0.45, 0.475, STEP):
        stepped.move(away * way)
    assert stepped.state == "on the way"
    for _ in range(20):
        if stepped.state == "reached":
            break
        stepped.move(0.47 * way)
    assert straight.state == stepped.state == "reached"
    assert stepped.shown == pytest.approx(straight.shown, abs=1e-9)


def test_a_share_of_the_way_is_that_share_of_each_turn_and_stays_within_limits() -> None:
    figure = person().actors[0].figure
    random, hinges = np.random.default_rng(3), hinges_of(figure)
    low, high = np.maximum(hinges.lower, -3.0), np.minimum(hinges.upper, 3.0)
    for _ in range(5):
        before, after = (low + (0.25 + 0.5 * random.random((2, len(low)))) * (high - low)).copy()
        whole = turn_between([figure], [before], [after])
        (found,) = poses_between([figure], [before], [after], 0.1)
        assert np.abs(found - np.clip(found, hinges.lower, hinges.upper)).max() == 0.0
        assert turn_between([figure], [before], [found]) <= 0.1 * whole + 0.01
        (same,) = poses_between([figure], [before], [after], 1.0)
        assert turn_between([figure], [same], [after]) < 1e-6
