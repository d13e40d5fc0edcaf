"""Auto-key's switch and frame, keys of one channel, keys taken away, breakdowns: by real keys and mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.session import Item
from app.session.actors import new_document
from app.shell.draft_frame import AutoKeyFrame
from app.style.value_slider import ValueSlider
from engine.document import Document, Key
from engine.document.motion import frame_time
from engine.edits import edit
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
ELBOW, KNEE = "elbow_left.flexion", "knee_left.flexion"
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
LAST, MIDDLE = frame_time(30, (30, 1)), frame_time(15, (30, 1))


def keyed() -> Document:
    """A human whose elbow and knee have keys at frames 0 and 30."""
    document = new_document()
    actor = document.actors[0]
    values = {ELBOW: (0.2, 1.0), KNEE: (0.1, 0.5)}
    keys = tuple(
        (name, Key(time, value)) for name in values for time, value in zip((0, LAST), values[name], strict=True)
    )
    return edit("set_keys", actor=actor.id, layer=actor.layers[-1].id, keys=keys).apply(document)


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(keyed()) as open_stage:
        yield open_stage


def times(opened: Stage, coordinate: str) -> list[int]:
    track = opened.session.document.actors[0].layers[-1].track_of.get(coordinate)
    return [] if track is None else [key.time for key in track.keys]


def press(opened: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(opened.window.focusWidget() or opened.window, key, modifiers)


def go_to(opened: Stage, time: int) -> None:
    opened.session.set_playhead(time)
    opened.settle()
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)


def changed(opened: Stage, before: Document) -> Document:
    opened.until(lambda: opened.session.document is not before)
    opened.settle()
    return opened.session.document


def choose(opened: Stage, *joints: str) -> None:
    opened.session.select(Item(opened.session.document.actors[0].id, joint) for joint in joints)
    opened.settle()


def test_the_switch_says_in_words_and_red_whether_poses_become_keys(opened: Stage) -> None:
    switch = opened.window.transport.auto_key
    frame = opened.view.findChild(AutoKeyFrame)
    assert frame is not None
    assert (switch.isChecked(), switch.words, frame.isVisible()) == (True, "Auto-key", True)
    opened.draw()
    place = opened.view.mapTo(opened.window, QPoint(1, opened.view.height() // 2))
    edge = opened.grab().pixelColor(place)
    assert edge.red() - edge.blue() > 60  # seen, not only shown: nothing lies over it
    on = switch.grab().toImage()
    press(opened, Qt.Key.Key_K, CTRL | SHIFT)
    assert (switch.isChecked(), switch.words, frame.isVisible()) == (False, "No auto-key", False)
    off, width = switch.grab().toImage(), switch.sizeHint().width()
    dots = [image.pixelColor(12, image.height() // 2) for image in (on, off)]
    assert dots[0].red() - dots[0].blue() > 60
    assert abs(dots[1].red() - dots[1].blue()) < 30
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert opened.session.posing.auto_key
    assert frame.isVisible()
    assert switch.sizeHint().width() == width


def test_the_frame_about_the_views_goes_where_nothing_has_keys(opened: Stage) -> None:
    frame = opened.view.findChild(AutoKeyFrame)
    assert frame is not None
    actor = opened.session.document.actors[0]
    before = opened.session.document
    opened.session.do(edit("clear_tracks", actor=actor.id, layer=actor.layers[-1].id))
    changed(opened, before)
    assert not frame.isVisible()
    opened.session.undo()
    opened.settle()
    assert frame.isVisible()
    opened.session.do(edit("freeze_actor", actor=actor.id, frozen=True))
    assert not frame.isVisible(), "no pose of it becomes keys"
    opened.session.undo()
    assert frame.isVisible()


def test_the_channel_of_the_slider_that_has_the_keyboard_is_keyed_alone(opened: Stage) -> None:
    choose(opened, "shoulder_left")
    page = opened.window.docks["inspector"].findChild(InspectorPanel).page  # type: ignore[union-attr]
    assert isinstance(page, Page)
    slider = page.fields[0].sliders[1]
    assert isinstance(slider, ValueSlider)
    assert slider.channel is not None
    slider.setFocus()
    before = opened.session.document
    press(opened, Qt.Key.Key_S, ALT | SHIFT)
    after = changed(opened, before)
    added = {track.coordinate for track in after.actors[0].layers[-1].tracks} - {ELBOW, KNEE}
    assert added == {slider.channel[1]}
    opened.session.undo()
    assert opened.session.document is before


def test_the_channel_of_the_one_joint_that_is_selected_is_keyed_and_without_one_it_says_what_to_do(
    opened: Stage,
) -> None:
    opened.session.select([])
    go_to(opened, MIDDLE)
    before = opened.session.document
    press(opened, Qt.Key.Key_S, ALT | SHIFT)
    opened.until_told("Point at a slider")
    assert opened.session.document is before
    choose(opened, "elbow_left")
    press(opened, Qt.Key.Key_S, ALT | SHIFT)
    changed(opened, before)
    assert times(opened, ELBOW) == [0, MIDDLE, LAST]
    assert times(opened, KNEE) == [0, LAST]


def test_keys_at_the_playhead_go_of_the_selected_joints_and_of_all(opened: Stage) -> None:
    choose(opened, "elbow_left")
    before = opened.session.document
    press(opened, Qt.Key.Key_Delete, CTRL)
    some = changed(opened, before)
    assert (times(opened, ELBOW), times(opened, KNEE)) == ([LAST], [0, LAST])
    opened.session.select([Item(some.actors[0].id)])
    go_to(opened, LAST)
    press(opened, Qt.Key.Key_Delete, CTRL)
    changed(opened, some)
    assert (times(opened, ELBOW), times(opened, KNEE)) == ([], [0])
    go_to(opened, MIDDLE)
    press(opened, Qt.Key.Key_Delete, CTRL)
    opened.until_told("No key of what is selected")


def test_a_breakdown_keys_halfway_between_the_neighbours_and_says_so_where_there_are_none(opened: Stage) -> None:
    choose(opened, "elbow_left", "knee_left")
    before = opened.session.document
    go_to(opened, MIDDLE)
    press(opened, Qt.Key.Key_B)
    after = changed(opened, before)
    tracks = after.actors[0].layers[-1].track_of
    assert [tracks[name].keys[1].value for name in (ELBOW, KNEE)] == pytest.approx([0.6, 0.3], abs=1e-12)
    assert opened.session.history.entries[-1].label == "Breakdown 50 %"
    opened.session.undo()
    assert opened.session.document is before
    go_to(opened, LAST)
    press(opened, Qt.Key.Key_B)
    opened.until_told("stands before and after this time")
    assert opened.session.document is before
