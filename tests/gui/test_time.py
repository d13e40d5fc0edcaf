"""Time in the real window, by real keys, menus and the mouse: playing either way, keys, what is played, frame rates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from app.session import Item
from app.session.actors import new_document
from app.session.player import frame_of
from app.timeline.ruler import KEPT, Ruler
from app.timeline.time_field import TimeField
from app.timeline.time_head import TimeHead
from engine.commands.bring_in import BroughtIn
from engine.document import Document, Key, Span, Track
from engine.document.extent import play_extent
from engine.document.key_times import key_times
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from engine.queries.fill_pictures import Kept, fill_pictures
from tests.gui.test_scenery import choose, press
from tests.one_window import OneWindow
from tests.stage import PATIENCE, Stage, drag, move

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
RATE = (30, 1)
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


def waving() -> Document:
    """A human whose elbow is keyed at 0, 1 and 2 seconds, its other elbow at 1.5."""
    document = new_document()
    actor = document.actors[0]
    left = Track(coordinate="elbow_left.flexion", keys=(Key(0, 0.0), Key(SECOND, 1.5), Key(2 * SECOND, 0.2)))
    right = Track(coordinate="elbow_right.flexion", keys=(Key(3 * SECOND // 2, 0.5),))
    layer = replace(actor.layers[0], tracks=(left, right))
    return document.with_actor(replace(actor, layers=(layer,)))


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """The waving human at the start, nothing selected, everything as it is at first."""
    with the_window.begun(waving()) as begun:
        yield begun


def person(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def ruler(opened: Stage) -> Ruler:
    return opened.window.transport.ruler


def frame(opened: Stage) -> int:
    return frame_of(opened.session.playhead, opened.session.document.rate)


def said(opened: Stage) -> str:
    return opened.session.log[-1].text


def test_j_k_and_l_play_backwards_stop_and_play_faster(opened: Stage) -> None:
    player, pace = opened.session.player, opened.window.transport.pace
    opened.session.set_playhead(SECOND)
    press(opened, Qt.Key.Key_L)
    assert (player.playing, player.pace, pace.text()) == (True, 1.0, "")
    opened.until(lambda: opened.session.playhead > SECOND)
    press(opened, Qt.Key.Key_L)
    assert (player.pace, pace.text()) == (2.0, "2×")
    press(opened, Qt.Key.Key_J)
    assert (player.pace, pace.text()) == (-1.0, "\N{MINUS SIGN}1×")
    before = opened.session.playhead
    opened.until(lambda: opened.session.playhead < before)
    press(opened, Qt.Key.Key_J)
    assert player.pace == -2.0
    press(opened, Qt.Key.Key_K)
    assert (player.playing, pace.text()) == (False, "")
    stopped = opened.session.playhead
    opened.settle()
    assert opened.session.playhead == stopped
    press(opened, Qt.Key.Key_Space)
    assert player.pace == 1.0, "Space plays forwards as it always did"


def test_keys_of_what_is_selected_are_gone_to_one_after_the_other(opened: Stage) -> None:
    session = opened.session
    places = []
    for _ in range(4):
        press(opened, Qt.Key.Key_Period, ALT)
        places.append(session.playhead)
    assert places == [SECOND, 3 * SECOND // 2, 2 * SECOND, 2 * SECOND]
    assert "no key after frame 60" in said(opened)
    session.select([Item(person(opened), "elbow_left")])
    QTest.mouseClick(opened.window.transport.key_before, Qt.MouseButton.LeftButton)
    assert session.playhead == SECOND, "the other elbow's key is passed over"
    press(opened, Qt.Key.Key_Comma, ALT)
    press(opened, Qt.Key.Key_Comma, ALT)
    assert session.playhead == 0
    assert "no key of what is selected before frame 0" in said(opened)
    QTest.mouseClick(opened.window.transport.key_after, Qt.MouseButton.LeftButton)
    assert session.playhead == SECOND


def test_the_range_begins_and_ends_at_the_playhead_and_is_cleared(opened: Stage) -> None:
    session = opened.session
    session.set_playhead(frame_time(10, RATE))
    press(opened, Qt.Key.Key_I)
    session.set_playhead(frame_time(40, RATE))
    press(opened, Qt.Key.Key_O)
    assert play_extent(session.document) == (frame_time(10, RATE), frame_time(40, RATE))
    press(opened, Qt.Key.Key_I)
    assert play_extent(session.document) == (frame_time(10, RATE), frame_time(40, RATE)), "an empty range is refused"
    assert "from frame 40 to frame 40" in opened.window.message.text
    press(opened, Qt.Key.Key_L)
    opened.until(lambda: session.playhead < frame_time(40, RATE))
    assert session.playhead >= frame_time(10, RATE)
    press(opened, Qt.Key.Key_X, ALT)
    assert session.document.play is None
    session.undo()
    assert session.document.play is not None


def test_the_range_is_that_of_the_keys_of_what_is_selected(opened: Stage) -> None:
    session, human = opened.session, opened.session.document.actors[0]
    turn = human.figure.joint("neck").dofs[0].id
    keys = ((turn, Key(SECOND // 2, 0.1)), (turn, Key(SECOND, 0.2)))
    session.do(edit("set_keys", actor=human.id, layer=human.layers[0].id, keys=keys))
    session.select([Item(person(opened), "neck")])
    choose(opened, "time.range_keys")
    assert play_extent(session.document) == (SECOND // 2, SECOND)
    session.select([Item(person(opened), "elbow_right")])
    choose(opened, "time.range_keys")
    assert play_extent(session.document) == (SECOND // 2, SECOND), "one key is no range"
    assert "no keys at two different times" in opened.window.message.text


def test_ends_of_the_range_are_dragged_in_the_ruler_as_one_entry(opened: Stage) -> None:
    session, bar = opened.session, ruler(opened)
    y, entries = round(bar.band_y) + 3, session.history.position
    path = [QPoint(round(bar.x_of(share * SECOND)), y) for share in (2.0, 1.8, 1.5)]
    drag(bar, path)
    assert play_extent(session.document) == (0, 3 * SECOND // 2)
    assert session.history.position == entries + 1
    assert session.playhead == 0, "an end was dragged, not the playhead"
    drag(bar, [QPoint(round(bar.x_of(share * SECOND)), y) for share in (1.5, 0.5, -1.0)])
    assert play_extent(session.document) == (0, frame_time(1, RATE)), "a range is a frame at least"


def test_a_range_is_drawn_with_shift_and_escape_lets_go_of_it(opened: Stage) -> None:
    session, bar = opened.session, ruler(opened)
    middle = bar.height() // 2
    path = [QPoint(round(bar.x_of(share * SECOND)), middle) for share in (1.5, 1.0, 0.5)]
    drag(bar, path, modifiers=SHIFT)
    assert play_extent(session.document) == (SECOND // 2, 3 * SECOND // 2)
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, SHIFT, path[0])
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    here = session.playhead
    move(bar, path[2])
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, SHIFT, path[1])
    assert play_extent(session.document) == (SECOND // 2, 3 * SECOND // 2)
    assert session.playhead == here, "nothing follows the button until its next press"


def test_the_range_is_dragged_in_the_head_of_the_timeline(opened: Stage) -> None:
    opened.window.show_panel("timeline")
    opened.settle()
    head = opened.window.findChild(TimeHead)
    assert head is not None
    axis, session = head._axis, opened.session
    axis.show_range(-SECOND // 4, 3 * SECOND)
    left = head._x_of(0) - axis.x_of(0)
    y = head.height() - 4
    drag(head, [QPoint(round(left + axis.x_of(share * SECOND)), y) for share in (2.0, 2.3, 2.5)])
    assert play_extent(session.document) == (0, 5 * SECOND // 2), "beyond all keys, too"
    drag(head, [QPoint(round(left + axis.x_of(share * SECOND)), 5) for share in (0.5, 1.0)])
    assert session.playhead == SECOND
    assert play_extent(session.document) == (0, 5 * SECOND // 2)
    end = QPoint(round(left + axis.x_of(2.5 * SECOND)), y)
    QTest.mousePress(head, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    QTest.keyClick(opened.window.focusWidget() or opened.window, Qt.Key.Key_Escape)
    move(head, end - QPoint(60, 0))
    QTest.mouseRelease(head, Qt.MouseButton.LeftButton)
    assert (play_extent(session.document), session.playhead) == ((0, 5 * SECOND // 2), SECOND)


def type_time(field: TimeField, text: str) -> None:
    """By the mouse and the keys."""
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    assert field.selectedText() == field.text()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_the_time_is_typed_as_a_frame_or_in_seconds_beyond_the_last_key_too(opened: Stage) -> None:
    session, bar = opened.session, opened.window.transport
    type_time(bar.now, "45")
    assert (session.playhead, bar.now.text()) == (frame_time(45, RATE), "45")
    type_time(bar.now, "10 s")
    assert session.playhead == 10 * SECOND
    assert ruler(opened).x_of(10 * SECOND) < ruler(opened).width(), "the ruler reaches as far"
    type_time(bar.now, "+=15")
    assert frame(opened) == 315
    type_time(bar.now, "soon")
    assert frame(opened) == 315
    assert opened.window.message.text == "“soon” is no time. Type a frame, as 48, or seconds, as 1.6 s."
    QTest.keyClick(bar.now, Qt.Key.Key_Escape)
    assert (bar.now.text(), bar.now.hasFocus()) == ("315", False)
    choose(opened, "time.seconds")
    type_time(bar.now, "1.49")
    assert (frame(opened), bar.now.text()) == (45, "1.50"), "the nearest frame"
    press(opened, Qt.Key.Key_Space)
    assert session.player.playing, "the keyboard is the window's again"


def test_start_and_end_are_typed_and_one_that_leaves_nothing_is_refused_in_words(opened: Stage) -> None:
    session, bar = opened.session, opened.window.transport
    assert (bar.first.text(), bar.last.text(), bar.whole.isVisible()) == ("0", "60", False)
    type_time(bar.last, "150")
    type_time(bar.first, "15")
    assert session.document.scene_range == Span(start=SECOND // 2, end=5 * SECOND)
    type_time(bar.last, "10")
    assert play_extent(session.document) == (SECOND // 2, 5 * SECOND)
    assert opened.window.message.text.startswith("Its start is at frame 15, so frame 10 would leave nothing to play.")
    assert bar.last.text() == "150"
    press(opened, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert session.playhead == 5 * SECOND, "beyond the last key"
    session.set_playhead(SECOND)
    press(opened, Qt.Key.Key_I)
    assert (bar.first.text(), bar.whole.isVisible()) == ("30", True)
    type_time(bar.last, "60")
    assert session.document.play == Span(start=SECOND, end=2 * SECOND), "of the play range, while there is one"
    QTest.mouseClick(bar.whole, Qt.MouseButton.LeftButton)
    assert (bar.first.text(), bar.last.text(), bar.whole.isVisible()) == ("15", "150", False)
    session.undo()
    session.undo()
    session.undo()
    assert session.document.scene_range == Span(start=SECOND // 2, end=5 * SECOND)


def test_the_scene_begins_and_ends_at_the_playhead_and_fits_its_keys(opened: Stage) -> None:
    session = opened.session
    session.set_playhead(5 * SECOND)
    choose(opened, "time.scene_end")
    session.set_playhead(SECOND)
    choose(opened, "time.scene_start")
    assert session.document.scene_range == Span(start=SECOND, end=5 * SECOND)
    choose(opened, "time.scene_end")
    assert "The scene cannot last from frame 30 to frame 30" in opened.window.message.text
    choose(opened, "time.scene_fit")
    assert session.document.scene_range == Span(start=0, end=2 * SECOND)
    session.do(edit("remove_actor", actor=person(opened)))
    choose(opened, "time.scene_fit")
    assert "has no keys at two different times" in opened.window.message.text


def test_the_end_of_the_scene_is_dragged_in_and_out_beside_that_of_the_play_range(opened: Stage) -> None:
    session, bar = opened.session, ruler(opened)
    session.do(edit("set_scene_range", start=0, end=4 * SECOND))
    y = round(bar.band_y) + 3

    def drag_end(start: float, end: float) -> None:
        drag(bar, [QPoint(round(bar.x_of(share * SECOND)), y) for share in (start, 0.5 * (start + end), end)])

    drag_end(4.0, 3.0)
    assert session.document.scene_range == Span(start=0, end=3 * SECOND)
    drag_end(3.0, 3.2)
    assert session.document.scene_range == Span(start=0, end=frame_time(96, RATE)), "there is room to drag it out"
    session.do(edit("set_play_range", start=0, end=SECOND))
    drag_end(1.0, 1.5)
    drag_end(3.2, 2.5)
    assert session.document.play == Span(start=0, end=3 * SECOND // 2)
    assert session.document.scene_range == Span(start=0, end=5 * SECOND // 2)


def test_a_new_scene_lasts_five_seconds_whatever_is_keyed_and_imported_motion_makes_it_longer(opened: Stage) -> None:
    session = opened.session
    choose(opened, "file.new")
    opened.until(lambda: session.document.scene_range is not None)
    assert session.document.scene_range == Span(start=0, end=5 * SECOND)
    session.set_playhead(frame_time(15, RATE))
    press(opened, Qt.Key.Key_S)
    opened.until(lambda: bool(key_times(session.document)))
    assert opened.window.transport.last.text() == "150", "it does not shrink to the key"
    moving = waving().actors[0]
    slow = edit("stretch_ranges", parts=((moving.id, "pose", None),), start=0, end=2 * SECOND, length=8 * SECOND)
    (moving,) = slow.apply(Document(actors=(moving,))).actors
    session.exchange.take(Path("a.bvh"), BroughtIn(document=None, actor=moving, rate=None, notes=()))
    opened.until(lambda: len(session.document.actors) == 2)
    assert session.document.scene_range == Span(start=0, end=8 * SECOND)
    session.undo()
    assert len(session.document.actors) == 1
    assert session.document.scene_range == Span(start=0, end=5 * SECOND)


def test_the_rate_changes_under_keys_that_keep_their_time_until_they_are_snapped(opened: Stage) -> None:
    session = opened.session
    before = session.document.actors[0].layers
    for rate in (24, 60, 25):
        choose(opened, f"time.rate_{rate}")
        assert session.document.rate == (rate, 1)
        assert session.document.actors[0].layers is before
    assert "1 key falls between frames" in opened.window.message.text, "1.5 s is no frame of 25 a second"
    choose(opened, "time.snap_keys")
    times = [key.time for key in session.document.actors[0].layers[0].tracks[1].keys]
    assert times == [frame_time(38, (25, 1))]
    opened.window.menus.refresh()
    assert not opened.window.menus.actions["time.snap_keys"].isEnabled()
    session.undo()
    assert session.document.actors[0].layers is before
    choose(opened, "time.rate_30")
    assert opened.window.menus.actions["time.rate_30"].isChecked()


def test_a_rate_is_typed_and_what_is_none_is_refused_by_name(opened: Stage) -> None:
    session, field = opened.session, opened.window.transport.rate
    choose(opened, "time.rate_other")
    line = opened.window.focusWidget()
    assert line is not None
    QTest.keyClicks(line, "12.5")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert session.document.rate == (25, 2)
    assert field.currentText() == "12.5 fps"
    choose(opened, "time.rate_other")
    QTest.keyClicks(line, "quick")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert session.document.rate == (25, 2)
    assert "“quick” is no frame rate" in opened.window.message.text
    assert field.currentText() == "12.5 fps"


def test_times_are_told_in_seconds_everywhere_and_that_is_kept(opened: Stage) -> None:
    bar = opened.window.transport
    opened.session.set_playhead(SECOND)
    assert bar.clock.text() == "1.00 s"
    before = numbers_of(ruler(opened))
    choose(opened, "time.seconds")
    assert bar.clock.text() == "frame 30"
    assert numbers_of(ruler(opened)) != before
    assert opened.window.preferences.seconds
    choose(opened, "time.seconds")
    assert numbers_of(ruler(opened)) == before


def numbers_of(ruler: Ruler) -> QImage:
    """What a ruler shows above the bar that tells which frames are worked out, which goes on meanwhile."""
    image = ruler.grab().toImage()
    return image.copy(0, 0, image.width(), image.height() - round(2 * KEPT))


def test_every_frame_is_shown_in_turn_or_frames_are_left_out(opened: Stage) -> None:
    session, shown = opened.session, list[int]()
    choose(opened, "time.every_frame")
    session.player.set_looping(False)
    opened.hear(session.snapshot_ready, lambda snapshot: shown.append(frame_of(snapshot.time, RATE)))
    session.player.set_speed(4.0)
    press(opened, Qt.Key.Key_Space)
    opened.until(lambda: not session.player.playing)
    opened.until(lambda: 60 in shown)
    session.player.set_speed(1.0)
    assert sorted(set(shown)) == list(range(1, 61)), "at four times the speed, none is left out"


def test_what_plays_is_deleted_and_something_else_plays_on(opened: Stage) -> None:
    session = opened.session
    press(opened, Qt.Key.Key_L)
    opened.until(lambda: session.playhead > 0)
    session.select([Item(person(opened))])
    press(opened, Qt.Key.Key_Delete)
    opened.until(lambda: session.at_rest)
    assert not session.document.actors
    assert session.player.playing
    opened.until(lambda: opened.snapshot is not None and not opened.snapshot.bodies)
    session.undo()
    opened.until(lambda: opened.snapshot is not None and bool(opened.snapshot.bodies))
    layer = session.document.actors[0].layers[0].id
    session.do(edit("remove_layer", actor=person(opened), layer=layer))
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.document is session.document)
    assert session.player.playing


def states(opened: Stage) -> list[str]:
    """Of the frames that are played, as stretches."""
    return [each.state for each in opened.session.kept_pictures.stretches]


def bar_colour(opened: Stage, seconds: float) -> str:
    """The colour of the bar along the ruler, where it tells of a time."""
    bar = ruler(opened)
    image = bar.grab().toImage()
    scale = image.width() / bar.width()
    return image.pixelColor(round(bar.x_of(seconds * SECOND) * scale) + 2, image.height() - 2).name()


def test_a_bar_tells_which_frames_are_worked_out_and_which_an_edit_touched(
    opened: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, theme = opened.session, opened.window.theme
    session.do(edit("set_play_range", start=0, end=20 * SECOND))
    press(opened, Qt.Key.Key_L)
    opened.until(lambda: states(opened) == ["fresh"])
    press(opened, Qt.Key.Key_K)
    opened.settle()
    assert bar_colour(opened, 1.2) == theme.good
    told: list[list[str]] = []
    heard = Event()

    def in_step(*asked: Any, **how: Any) -> Iterator[Kept | None]:
        """Goes on once the window has heard of stale frames: it hears of the last answer alone."""
        for kept in fill_pictures(*asked, **how):
            yield kept
            if kept is not None and any(each.state == "stale" for each in kept.stretches):
                heard.wait(PATIENCE)

    def hear() -> None:
        told.append(states(opened))
        heard.set()

    monkeypatch.setattr("app.session.kept_pictures.fill_pictures", in_step)
    opened.hear(session.kept_pictures.changed, hear)
    key = ("elbow_left.flexion", Key(2 * SECOND, 0.7))
    session.do(edit("set_keys", actor=person(opened), layer=session.document.actors[0].layers[0].id, keys=(key,)))
    opened.until(lambda: bool(told) and told[-1] == ["fresh"])
    assert told[0][:2] == ["fresh", "stale"], "from the key before it on it was touched, and no picture before that"


def test_frames_are_worked_out_while_it_plays_and_not_before(opened: Stage) -> None:
    session = opened.session
    session.do(edit("set_play_range", start=0, end=30 * SECOND))
    opened.until(lambda: any(each.last > 29 * SECOND for each in session.kept_pictures.stretches))
    assert states(opened)[-1:] == ["missing"]
    assert bar_colour(opened, 29.0) == opened.window.theme.line
    press(opened, Qt.Key.Key_L)
    opened.until(lambda: states(opened) == ["fresh"])
    assert session.playhead < 20 * SECOND, "ahead of the playhead"
