"""The player keeps to real time, whatever the pictures do."""

from __future__ import annotations

import pytest

from app.session.player import Player, frame_of, on_frame
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.runtime.errors import Diverged
from tests.app.session.held import Held

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


def test_backwards_the_end_follows_on_the_start_or_it_stops_there(hands: Hands) -> None:
    hands.player.play(0, SECOND, RATE, SECOND // 2, direction=-1)
    hands.wait(0.25)
    assert hands.places[-1] == on_frame(SECOND // 4, RATE)
    hands.wait(0.5)
    assert hands.places[-1] == on_frame(3 * SECOND // 4, RATE)
    hands.player.set_looping(False)
    hands.wait(0.8)
    assert hands.places[-1] == 0
    assert not hands.player.playing


def test_backwards_it_begins_at_the_end_where_it_stands_at_the_start(hands: Hands) -> None:
    hands.player.play(0, SECOND, RATE, 0, direction=-1)
    hands.wait(0.0)
    assert hands.places[-1] == SECOND
    hands.player.pause()


def test_asked_again_it_goes_twice_as_fast_and_the_other_way_at_once(hands: Hands) -> None:
    player = hands.player
    assert player.faster(1) == 1, "it stands"
    wishes = (1, 1, 1, 1, 1, 1, -1, -1)
    paces = []
    for command in wishes:
        player.play(0, SECOND, RATE, 0, direction=player.faster(command))
        paces.append(player.pace)
    assert paces == [1, 2, 4, 8, 16, 16, -1, -2]
    player.pause()
    player.play(0, 100 * SECOND, RATE, 0, direction=2)
    hands.wait(1.0)
    assert frame_of(hands.places[-1], RATE) == 60
    player.pause()


def test_every_frame_is_shown_and_waited_for(hands: Hands) -> None:
    hands.player.set_every_frame(True)
    hands.player.play(0, SECOND, RATE, 0)
    hands.wait(0.02)
    assert hands.places == [], "a frame lasts longer"
    hands.wait(0.02)
    hands.wait(0.3)
    hands.wait(0.3)
    assert [frame_of(place, RATE) for place in hands.places] == [1], "its picture is not there yet"
    hands.player.shown(hands.places[-1])
    hands.wait(0.0)
    assert [frame_of(place, RATE) for place in hands.places] == [1, 2]
    hands.wait(5.0)
    assert [frame_of(place, RATE) for place in hands.places] == [1, 2], "however long it takes"
    hands.player.pause()


def test_every_frame_goes_round_either_way(hands: Hands) -> None:
    hands.player.set_every_frame(True)
    for direction, expected in ((1, [29, 0, 1]), (-1, [0, 29, 28])):
        start = frame_time(28 if direction > 0 else 1, RATE)
        hands.places.clear()
        hands.player.play(0, SECOND, RATE, start, direction=direction)
        for _ in range(3):
            hands.wait(0.04)
            hands.player.shown(hands.places[-1])
        assert [frame_of(place, RATE) for place in hands.places] == expected
    hands.player.pause()


def test_what_is_played_changes_under_it(hands: Hands) -> None:
    hands.player.play(0, 10 * SECOND, RATE, 0)
    hands.wait(5.0)
    hands.player.follow(0, 2 * SECOND, (24, 1))
    hands.wait(0.0)
    assert hands.places[-1] <= 2 * SECOND
    hands.wait(0.5)
    assert hands.places[-1] == on_frame(hands.places[-1], (24, 1)) < SECOND
    hands.player.pause()


@pytest.mark.parametrize("engine", ["failing", "missing"])
def test_a_picture_that_will_never_come_is_not_waited_for(held: Held, starting: Held, engine: str) -> None:
    hands = held if engine == "failing" else starting
    hands.evaluator.problem = Diverged(what="this pose", value="nan") if engine == "failing" else None
    session, player = hands.session, hands.session.player
    player.set_every_frame(True)
    player.play(0, SECOND, RATE, 0)
    player.seek(0)
    for frame in (1, 2, 3):
        player._since -= 1.0
        player.step()
        assert session.playhead == frame_time(frame, RATE)
        player._since -= 1.0
        player.step()
        assert session.playhead == frame_time(frame, RATE), "it may still come"
        hands.worker.answer("pose", newest=True)
    player.pause()
