"""A pull by hand: recorded while time goes on, one entry of the history, let go where the time begins anew."""

from __future__ import annotations

import pytest

from app.features.soft.hand_pull import HandPull, may_pull
from engine.document import Document, Span
from engine.soft.pulls import SoftPull
from engine.soft.uses import soft_body
from tests.app.session.held import Held
from tests.engine.soft.bodies import soft_actor

FRAME = 705_600_000 // 30
SPOT, A, B = (0.1, 0.1, 0.1), (0.2, 0.1, 0.1), (0.3, 0.1, 0.1)


@pytest.fixture
def document() -> Document:
    return Document(actors=(soft_actor(),), play=Span(start=0, end=90 * FRAME))


@pytest.fixture
def pull(held: Held) -> HandPull:
    held.session.set_playhead(10 * FRAME)
    return HandPull(held.session, "jelly", SPOT, SPOT)


def kept(held: Held) -> tuple[SoftPull, ...]:
    body = soft_body(held.session.document.actor("jelly"))
    assert body is not None
    return body.pulls


def answer(held: Held) -> None:
    while held.worker.waiting("preview"):
        held.worker.answer("preview", newest=True)


def test_time_runs_while_it_pulls_and_each_place_counts_from_the_time_at_which_it_was_reached(
    held: Held, pull: HandPull
) -> None:
    session = held.session
    waits = [(session.player.playing, session.player.every_frame)]
    session.player._timer.stop()  # the test says what time it is
    for frame, place in ((11, A), (13, B)):
        session._put_playhead(frame * FRAME)
        pull.move(place)
        answer(held)
    session._put_playhead(15 * FRAME)
    pull.finish()
    answer(held)
    assert pull.is_over
    waits.append((session.player.playing, session.player.every_frame))
    assert waits == [(True, True), (True, False)]
    (found,) = kept(held)
    assert found.times == (10 * FRAME, 11 * FRAME, 13 * FRAME)
    assert (found.places, found.end, found.point) == ((SPOT, A, B), 15 * FRAME, SPOT)
    assert session.history.newest.label == "Pull Jelly"
    session.undo()
    assert kept(held) == ()


def test_the_engine_is_not_asked_again_before_it_has_answered(held: Held, pull: HandPull) -> None:
    held.session.player._timer.stop()
    pull.move(A)
    pull.move(B)
    assert held.worker.waiting("preview") == 1
    answer(held)
    pull.go_on()
    assert held.worker.waiting("preview") == 1
    answer(held)
    pull.go_on()
    assert held.worker.waiting("preview") == 0, "nothing new"


def test_it_lets_go_where_what_is_played_begins_anew(held: Held, pull: HandPull) -> None:
    session = held.session
    session.player._timer.stop()
    session._put_playhead(80 * FRAME)
    pull.move(A)
    answer(held)
    assert not pull.follow_time()
    session._put_playhead(2 * FRAME)
    assert pull.follow_time()
    answer(held)
    (found,) = kept(held)
    assert (found.times[-1], found.end) == (80 * FRAME, 90 * FRAME)


def test_one_that_is_given_up_changes_nothing_and_time_stands_again(held: Held, pull: HandPull) -> None:
    held.session.player._timer.stop()
    pull.move(A)
    answer(held)
    pull.give_up()
    assert kept(held) == ()
    assert not held.session.player.playing
    assert not held.session.player.every_frame


def test_there_is_no_pull_at_the_end_of_what_is_played(held: Held) -> None:
    assert may_pull(held.session)
    held.session.set_playhead(90 * FRAME)
    assert not may_pull(held.session)
