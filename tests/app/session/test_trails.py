"""What a session shows of other times: it follows document, playhead and selection, and asks for nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.session.selection import Item
from app.session.trails import KEY, Choice
from engine.document import Document, Handle, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.model.trails import TrailPicture
from tests.app.session.conftest import small_document
from tests.app.session.held import Held

ARM, LOWER = Item("arm"), Item("arm", "lower")
TRAILS, ONIONS = Choice(trails=True), Choice(onions=True, before=1, after=2)


@pytest.fixture
def document() -> Document:
    """The arm with a hand, moving for a second."""
    found = small_document()
    arm = found.actor("arm")
    figure = replace(arm.figure, handles=(Handle(id="hand", name="Hand", joint="lower", point=(0.0, 0.4, 0.0)),))
    track = Track(coordinate="upper.turn", keys=(Key(0, 0.0), Key(SECOND, 0.5)))
    return found.with_actor(replace(arm, figure=figure, layers=(Layer(id="pose", tracks=(track,)),)))


def shown(held: Held) -> TrailPicture:
    assert held.worker.waiting(KEY) == 1
    held.worker.answer(KEY)
    assert held.session.trails.picture is not None
    return held.session.trails.picture


def test_nothing_is_asked_for_until_it_is_wanted_and_something_is_selected(held: Held) -> None:
    held.session.select([LOWER])
    held.session.set_playhead(SECOND)
    assert held.worker.waiting(KEY) == 0
    held.session.select([])
    held.session.trails.choose(replace(TRAILS, onions=True))
    assert held.worker.waiting(KEY) == 0
    held.session.select([LOWER])
    assert held.worker.waiting(KEY) == 1


def test_a_trail_is_of_the_handle_of_what_is_selected_over_what_is_played(held: Held) -> None:
    held.session.trails.choose(TRAILS)
    held.session.select([LOWER])
    (trail,) = shown(held).trails
    assert (trail.owner, trail.part, trail.point) == ("arm", "lower", (0.0, 0.4, 0.0))
    assert (trail.times[0], trail.times[-1]) == (0, SECOND)
    held.session.select([ARM])
    assert held.worker.waiting(KEY) == 0, "all of the arm has the one handle"
    held.session.select([Item("arm", "upper"), LOWER, Item("box")])
    assert [(trail.owner, trail.part) for trail in shown(held).trails] == [
        ("arm", "upper"),
        ("arm", "lower"),
        ("box", held.session.document.actor("box").figure.joints[0].id),
    ]


def test_a_short_trail_goes_with_the_playhead(held: Held) -> None:
    held.session.trails.choose(replace(TRAILS, around=3))
    held.session.select([LOWER])
    shown(held)
    held.session.set_playhead(SECOND // 2)
    (trail,) = shown(held).trails
    assert len(trail.times) == 7
    assert trail.times[3] == SECOND // 2


def test_onion_skins_are_of_what_is_selected_or_of_everyone(held: Held) -> None:
    held.session.trails.choose(ONIONS)
    held.session.select([LOWER])
    held.session.set_playhead(SECOND // 2)
    held.worker.answer(KEY, newest=True)
    picture = held.session.trails.picture
    assert picture is not None
    assert picture.trails == ()
    assert sorted((each.bodies.owner, each.number) for each in picture.onions) == [("arm", -1), ("arm", 1), ("arm", 2)]
    held.session.trails.choose(replace(ONIONS, everyone=True))
    assert {each.bodies.owner for each in shown(held).onions} == {"arm", "box"}


def test_an_edit_a_preview_and_the_playhead_are_followed_and_nothing_is_asked_twice(held: Held) -> None:
    session = held.session
    session.trails.choose(TRAILS)
    session.select([LOWER])
    shown(held)
    session.select([LOWER])
    session.set_playhead(session.playhead)
    session.trails.choose(TRAILS)
    assert held.worker.waiting(KEY) == 0
    gesture = session.begin_gesture("Turn")
    gesture.preview(edit("set_key", actor="arm", layer="pose", coordinate="upper.turn", time=SECOND, value=0.7))
    held.worker.answer("preview")
    assert shown(held).document is session.shown is not session.document
    gesture.finish()
    assert session.shown is session.document
    assert held.worker.waiting(KEY) == 0, "what is committed was seen"
    session.undo()
    assert shown(held).document is session.document


def test_what_is_pulled_at_a_key_is_shown_there_until_it_is_let_go(held: Held) -> None:
    session = held.session
    session.trails.choose(TRAILS)
    session.select([LOWER])
    assert shown(held).onions == ()
    session.trails.pull("arm", SECOND)
    (onion,) = shown(held).onions
    assert (onion.bodies.owner, onion.time) == ("arm", SECOND)
    session.trails.pull("arm", SECOND)
    assert held.worker.waiting(KEY) == 0
    session.trails.pull(None)
    assert shown(held).onions == ()


def test_switched_off_it_goes_at_once_and_a_late_answer_is_dropped(held: Held) -> None:
    trails, told = held.session.trails, list[object]()
    trails.choose(TRAILS)
    held.session.select([LOWER])
    picture = shown(held)
    trails.changed.connect(lambda: told.append(trails.picture))
    trails.choose(Choice())
    assert trails.picture is None
    assert told[-1] is None
    assert KEY in held.worker.cancelled
    held.worker.publish(KEY, 99, replace(picture))
    held.session.engine.answered.emit(KEY, held.worker.latest(KEY))
    assert trails.picture is None


def test_while_a_figure_is_edited_there_are_none(held: Held) -> None:
    held.session.trails.choose(TRAILS)
    held.session.select([LOWER])
    shown(held)
    held.session.edit_figure("arm")
    assert held.session.trails.picture is None
    held.session.edit_figure(None)
    assert held.worker.waiting(KEY) == 1


def test_before_the_engine_is_ready_nothing_is_asked_for(starting: Held) -> None:
    starting.session.trails.choose(TRAILS)
    starting.session.select([LOWER])
    assert starting.worker.waiting(KEY) == 0
    starting.make_ready()
    assert starting.worker.waiting(KEY) == 1
