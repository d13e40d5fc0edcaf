"""LaneHand: a slider sets the constant, a key at the playhead, or keys along the time that is played."""

from __future__ import annotations

import pytest

from app.lanes.current_lanes import CurrentLanes
from app.lanes.hand import LaneHand
from app.lanes.lane import Lane
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.soft.parts import ActivationSpline, SoftBody
from tests.app.session.held import Held


def spline(held: Held, id: str) -> ActivationSpline:
    body = held.session.document.actor("worm").part(SoftBody)
    assert body is not None
    found = body.spline(id)
    assert found is not None
    return found


def lane(held: Held, id: str) -> Lane:
    return next(each for each in held.session.of(CurrentLanes).listed() if each.id == id)


def settle(held: Held) -> None:
    """Let the worker answer whatever a gesture has asked for."""
    while held.worker.waiting("preview"):
        held.worker.answer("preview", newest=True)


@pytest.fixture
def hand(held: Held) -> LaneHand:
    return held.session.of(LaneHand)


def test_a_constant_is_set_in_one_entry_and_held_to_what_alpha_may_be(held: Held, hand: LaneHand) -> None:
    entries = len(held.session.history.entries)
    assert hand.begin(lane(held, "middle"))
    for value in (0.9, 0.8, -4.0):
        hand.move(value)
    assert hand.held == ("worm", "middle")
    hand.finish()
    settle(held)
    assert spline(held, "middle").alpha == 0.1
    assert len(held.session.history.entries) == entries + 1
    assert hand.held is None


def test_where_alpha_is_keyed_a_key_is_set_at_the_playhead(held: Held, hand: LaneHand) -> None:
    held.session.set_playhead(SECOND // 4)
    hand.begin(lane(held, "upper"))
    hand.move(0.8)
    hand.finish()
    settle(held)
    track = spline(held, "upper").track
    assert track is not None
    assert (SECOND // 4, 0.8) in [(key.time, key.value) for key in track.keys]


def test_what_an_expression_tells_is_not_set_by_hand(held: Held, hand: LaneHand) -> None:
    held.session.do(edit("set_activation", actor="worm", spline="middle", activation="expression", expression="1 + t"))
    assert not hand.begin(lane(held, "middle"))
    assert "expression" in held.session.log[-1].text


@pytest.mark.parametrize(("id", "least", "most"), [("middle", 0.7, 1.0), ("biceps", 0.2, 0.5)])
def test_recorded_values_become_few_keys_over_the_time_that_passed(
    held: Held, hand: LaneHand, id: str, least: float, most: float
) -> None:
    session, entries = held.session, len(held.session.history.entries)
    session.of(CurrentLanes).record(True)
    session.play()
    hand.begin(lane(held, id))
    hand.move(most)
    for step in range(31):
        hand.move(most - 0.3 * min(step, 30 - step) / 15.0)
        session.set_playhead(step * SECOND // 30)
    assert hand.recording
    hand.finish()
    session.player.pause()
    settle(held)
    made = lane(held, id)
    assert made.told == "keys"
    assert 3 <= len(made.keys) <= 9
    assert min(key.value for key in made.keys) == pytest.approx(least, abs=0.02)
    assert made.keys[-1].time == SECOND
    assert len(session.history.entries) == entries + 1


def test_recording_ends_where_what_is_played_begins_anew(held: Held, hand: LaneHand) -> None:
    session = held.session
    session.of(CurrentLanes).record(True)
    session.play()
    hand.begin(lane(held, "middle"))
    hand.move(0.9)
    for time in (SECOND // 2, SECOND, 0):
        session.set_playhead(time)
    assert not hand.recording
    settle(held)
    track = spline(held, "middle").track
    assert track is not None
    assert max(key.time for key in track.keys) == SECOND
