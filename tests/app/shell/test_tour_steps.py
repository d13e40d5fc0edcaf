"""The steps of the first scene, and where its card stands, without a window."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QSize

from app.shell.actions import ACTIONS
from app.shell.help_sheet import asked_for
from app.shell.tour_card import corners, covered
from app.shell.tour_steps import LAST, STEPS, TourState, TourStep
from engine.document.motion import TICKS_PER_SECOND

BEGINNING = TourState(
    directions=((0.0, 0.0),), dragged=None, held=False, locked=frozenset(), keyed=(), time=0, playing=False
)


def step(title: str) -> TourStep:
    return next(each for each in STEPS if each.title == title)


def test_nothing_is_done_as_the_first_scene_begins_and_keys_are_named_of_actions_that_are_there() -> None:
    known = {action.id for action in ACTIONS}
    for each in (*STEPS, LAST):
        assert not each.done(BEGINNING, BEGINNING)
        assert each.aside(BEGINNING) == "" or each.title in ("Go on in time", "Export a video")
        assert set(asked_for(each.text)) <= known


def test_a_lock_on_something_else_than_a_foot_is_told_and_does_not_count() -> None:
    hand = replace(BEGINNING, locked=frozenset({"wrist_left"}))
    assert not step("Pin a foot").done(BEGINNING, hand)
    assert "Now click a foot" in step("Pin a foot").aside(hand)
    assert "beside it" in step("Pin a foot").aside(replace(BEGINNING, held=True))
    assert step("Pin a foot").done(BEGINNING, replace(hand, locked=frozenset({"wrist_left", "toes_right"})))


def test_time_goes_on_once_it_is_a_quarter_second_from_every_key() -> None:
    keyed = replace(BEGINNING, keyed=(0,))
    for seconds, done in ((0.1, False), (0.25, True), (2.0, True)):
        now = replace(keyed, time=round(seconds * TICKS_PER_SECOND))
        assert step("Go on in time").done(keyed, now) == done


def test_a_pose_that_did_not_become_a_second_key_says_what_to_do() -> None:
    again, keyed = step("Pose, and key again"), replace(BEGINNING, keyed=(0,), dragged="pelvis")
    assert "Go on in time first" in again.aside(keyed)
    assert "set a key" in again.aside(replace(keyed, time=TICKS_PER_SECOND))
    assert again.done(keyed, replace(keyed, keyed=(0, TICKS_PER_SECOND)))


def test_an_export_of_what_does_not_move_says_what_to_do_first() -> None:
    last = step("Export a video")
    assert "set a second key" in last.aside(replace(BEGINNING, keyed=(0,)))
    assert last.aside(replace(BEGINNING, keyed=(0, TICKS_PER_SECOND))) == ""
    assert last.done(BEGINNING, replace(BEGINNING, exported=True))


def test_the_card_goes_to_a_corner_of_the_picture_where_no_joint_is() -> None:
    picture, size = QRect(100, 50, 600, 400), QSize(200, 120)
    spots = list(corners(picture, size))
    assert all(picture.contains(QRect(spot, size)) for spot in spots)
    feet = [spots[0] + QPoint(50, 50), spots[1] + QPoint(10, 10)]
    free = [spot for spot in spots if not covered(QRect(spot, size), feet)]
    assert free == spots[2:]
    assert covered(QRect(spots[0], size), [spots[0] - QPoint(5, 5)]), "a joint has flesh about it"


def test_a_drag_that_missed_the_pointer_is_told_and_does_not_count() -> None:
    for title, joint in (("Drag a hand", "wrist_left"), ("Drag the pelvis", "pelvis")):
        missed = replace(BEGINNING, dragged=joint, missed=0.642)
        assert not step(title).done(BEGINNING, missed)
        assert "642 mm" in step(title).aside(missed)
        assert step(title).done(BEGINNING, replace(missed, missed=0.01))
        assert step(title).aside(replace(missed, missed=0.01)) == ""


def test_the_view_is_turned_in_each_way_that_there_is() -> None:
    assert "{orbit}" in step("Look around").text
    assert "cube" in step("Look around").text, "many desktops keep Alt and a drag for themselves"
