"""The player keeps to real time, whatever the pictures do."""

from __future__ import annotations

import pytest

from app.session.player import Player, frame_of, on_frame
from engine.document.motion import TICKS_PER_SECOND, frame_time

RATE = (30, 1)
SECOND = TICKS_PER_SECOND


class Hands:
    """A clock that a test sets, and the places where the playhead was put."""

    def __init__(self) -> None:
        self.now = 0.0
        self.places: list[int] = []
        self.player = Player(self.places.append, clock=lambda: self.now)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.player.step()


@pytest.fixture
def hands(qapp: object) -> Hands:
    return Hands()


def test_late_looks_at_the_clock_drop_frames_and_keep_the_time(hands: Hands) -> None:
    hands.player.play(0, 10 * SECOND, RATE, 0)
    for seconds in (0.1, 0.7, 0.05):
        hands.wait(seconds)
    assert [frame_of(place, RATE) for place in hands.places] == [3, 24, 25]
    hands.player.pause()


def test_it_stands_on_whole_frames(hands: Hands) -> None:
    hands.player.play(0, 10 * SECOND, (30000, 1001), 0)
    for _ in range(40):
        hands.wait(0.0171)
    assert all(place == on_frame(place, (30000, 1001)) for place in hands.places)
    hands.player.pause()


def test_the_start_follows_on_the_end_or_it_stops_there(hands: Hands) -> None:
    hands.player.play(0, SECOND, RATE, 0)
    hands.wait(1.5)
    assert frame_of(hands.places[-1], RATE) == 15
    hands.player.set_looping(False)
    hands.wait(0.6)
    assert hands.places[-1] == SECOND
    assert not hands.player.playing


def test_speed_changes_without_a_jump(hands: Hands) -> None:
    hands.player.play(0, 100 * SECOND, RATE, 0)
    hands.wait(1.0)
    hands.player.set_speed(0.5)
    hands.wait(0.0)
    assert frame_of(hands.places[-1], RATE) == 30
    hands.wait(1.0)
    assert frame_of(hands.places[-1], RATE) == 45
    hands.player.pause()


def test_it_begins_at_the_playhead_or_at_the_start(hands: Hands) -> None:
    hands.player.play(SECOND, 2 * SECOND, RATE, SECOND + SECOND // 2)
    hands.wait(0.0)
    assert frame_of(hands.places[-1], RATE) == 45
    hands.player.pause()
    hands.player.play(SECOND, 2 * SECOND, RATE, 2 * SECOND)
    hands.wait(0.0)
    assert hands.places[-1] == SECOND
    hands.player.pause()


def test_a_frame_begins_on_its_own_tick() -> None:
    for rate in ((24, 1), (30, 1), (30000, 1001), (7, 3)):
        for frame in (-5, 0, 1, 7, 1000):
            time = frame_time(frame, rate)
            assert frame_of(time, rate) == frame
            assert frame_of(time - 1, rate) == frame - 1
