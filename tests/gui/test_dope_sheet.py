"""The dope sheet with real mouse and key events: choosing, moving, copying, scaling, deleting, folding, blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from app.features.history.panel import HistoryPanel
from app.session import Item
from app.session.actors import ball as ball_of
from app.session.actors import new_document
from app.timeline.panel import TimelinePanel
from app.timeline.sheet import DopeSheet
from engine.document import Attachment, Document, Key, Lock, Span, Track
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.edits import edit
from tests.beeps import beeping
from tests.engine.edits.scenery_examples import reference
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui
SECOND = TICKS_PER_SECOND
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ELBOW, KNEE = "elbow_left.flexion", "knee_left.flexion"


def keyed() -> Document:
    """A human with keys on an elbow and a knee, and a layer that counts for a while."""
    document = new_document()
    actor = document.actors[0]
    elbow = Track(coordinate=ELBOW, keys=(Key(0, 0.0), Key(SECOND, 1.5), Key(2 * SECOND, 0.2)))
    knee = Track(coordinate=KNEE, keys=(Key(0, 0.1, interpolation="linear"), Key(2 * SECOND, 0.8)))
    order = actor.figure.coordinate_index
    tracks = tuple(sorted((elbow, knee), key=lambda track: order[track.coordinate]))
    layer = replace(actor.layers[0], tracks=tracks, span=Span(start=0, end=3 * SECOND, ease_in=SECOND // 2))
    return replace(document.with_actor(replace(actor, layers=(layer,))), play=Span(start=0, end=4 * SECOND))


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    with window.anew(keyed()) as begun:
        yield begun


@pytest.fixture
def sheet(opened: Stage) -> DopeSheet:
    """The sheet in its dock, raised and tall enough for all rows; all of the motion is seen."""
    dock = opened.window.docks["timeline"]
    panel = dock.widget()
    assert isinstance(panel, TimelinePanel)
    opened.window.show_panel("timeline")
    opened.window.resizeDocks([dock], [360], Qt.Orientation.Vertical)
    opened.until(lambda: panel.sheet.keys is not None and panel.sheet.height() > 280)
    panel.sheet.commands.show_all()
    opened.settle()
    return panel.sheet


def row(sheet: DopeSheet, coordinate: str) -> int:
    """The line of a channel."""
    return next(line for line, number in enumerate(sheet.lines) if sheet.rows[number].coordinate == coordinate)


def at(sheet: DopeSheet, line: int, time: float) -> QPoint:
    """The middle of a line at a tick."""
    return QPoint(round(sheet.x_of(time)), sheet.y_of(line) + sheet.row_height // 2)


def times(opened: Stage, coordinate: str) -> list[int]:
    track = opened.session.document.actors[0].layers[0].track_of.get(coordinate)
    return [] if track is None else [key.time for key in track.keys]


def click(sheet: DopeSheet, place: QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mouseClick(sheet.viewport(), Qt.MouseButton.LeftButton, keys, place)


def hold(opened: Stage, *, span: Span | None) -> None:
    """Lock a foot, its height keyed."""
    tracks = (Track(coordinate="y", keys=(Key(0, 0.1), Key(SECOND, 0.12))),)
    lock = Lock(id="foot", name="Foot", joint="ankle_left", position=(0.1, 0.1, 0.0), span=span, tracks=tracks)
    opened.session.do(edit("add_lock", actor=opened.session.document.actors[0].id, lock=lock))
    opened.until(lambda: opened.session.at_rest)


def lock_line(sheet: DopeSheet) -> int:
    """The line of the lock's bar."""
    return next(line for line, number in enumerate(sheet.lines) if sheet.rows[number].holder == "foot")


def count(sheet: DopeSheet) -> int:
    return sum(len(each) for each in sheet.picked.values())


def right_edge(sheet: DopeSheet) -> QPoint:
    """The edge of the box around the chosen keys."""
    box = sheet.chosen_box()
    assert box is not None
    return QPoint(round(box.right()), round(box.center().y()))


def pick(opened: Stage, sheet: DopeSheet, place: QPoint, action: str) -> None:
    """Press the right button at a place and click on an action of the menu that opens."""
    widget = sheet.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    menu = next(each for each in opened.window.findChildren(QMenu, "context") if each.isVisible())
    wanted = opened.window.menus.actions[action]
    for inside in (each.menu() for each in menu.actions()):
        if isinstance(inside, QMenu) and wanted in inside.actions():
            QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(inside.menuAction()).center())
            opened.until(inside.isVisible)
            menu = inside
    assert wanted in menu.actions(), [each.text() for each in menu.actions()]
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(wanted).center())
    opened.until(lambda: opened.session.at_rest)


def settled(opened: Stage, sheet: DopeSheet) -> None:
    opened.until(lambda: sheet.drag is None and opened.session.at_rest)


def test_a_click_chooses_a_key_and_modifiers_add_and_turn_about(opened: Stage, sheet: DopeSheet) -> None:
    elbow, knee = row(sheet, ELBOW), row(sheet, KNEE)
    click(sheet, at(sheet, elbow, SECOND))
    assert count(sheet) == 1
    click(sheet, at(sheet, knee, 0), SHIFT)
    assert count(sheet) == 2
    click(sheet, at(sheet, elbow, SECOND), CONTROL)
    assert [channel.coordinate for channel in sheet.picked] == [KNEE]
    click(sheet, at(sheet, elbow, 2.5 * SECOND))
    assert count(sheet) == 0


def test_a_mark_of_the_actor_is_all_keys_below_it_and_a_box_takes_what_it_holds(
    opened: Stage, sheet: DopeSheet
) -> None:
    click(sheet, at(sheet, 0, 2 * SECOND))
    assert {channel.coordinate for channel in sheet.picked} == {ELBOW, KNEE}
    elbow = row(sheet, ELBOW)
    drag(sheet.viewport(), [at(sheet, elbow, 0.5 * SECOND), at(sheet, elbow, 2.5 * SECOND)])
    assert [sorted(each) for each in sheet.picked.values()] == [[SECOND, 2 * SECOND]]


def test_the_box_around_chosen_keys_covers_nothing_in_it(opened: Stage, sheet: DopeSheet) -> None:
    place = at(sheet, row(sheet, ELBOW), 0.52 * SECOND)
    before = sheet.viewport().grab().toImage().pixelColor(place)
    sheet.commands.choose_all()
    assert sheet.viewport().grab().toImage().pixelColor(place) == before


def test_a_drag_moves_keys_on_frames_as_one_entry_and_keeps_them_chosen(opened: Stage, sheet: DopeSheet) -> None:
    elbow, before = row(sheet, ELBOW), len(opened.session.history.entries)
    start, rate = at(sheet, elbow, SECOND), opened.session.document.rate
    far = at(sheet, elbow, 1.4 * SECOND)
    drag(sheet.viewport(), [start, (start + far) / 2, far])
    settled(opened, sheet)
    moved = times(opened, ELBOW)[1]
    assert moved == sheet.axis.snapped(moved)
    assert abs(moved - 1.4 * SECOND) <= frame_time(1, rate)
    assert [entry.label for entry in opened.session.history.entries[before:]] == ["Move keys"]
    assert [sorted(each) for each in sheet.picked.values()] == [[moved]]
    opened.session.undo()
    assert times(opened, ELBOW) == [0, SECOND, 2 * SECOND]


def test_ctrl_drags_a_copy(opened: Stage, sheet: DopeSheet) -> None:
    elbow = row(sheet, ELBOW)
    drag(sheet.viewport(), [at(sheet, elbow, SECOND), at(sheet, elbow, 1.5 * SECOND)], modifiers=CONTROL)
    settled(opened, sheet)
    assert len(times(opened, ELBOW)) == 4
    assert opened.session.history.entries[-1].label == "Copy keys"


def test_keys_dropped_on_keys_replace_them_and_a_line_says_so(opened: Stage, sheet: DopeSheet) -> None:
    elbow = row(sheet, ELBOW)
    drag(sheet.viewport(), [at(sheet, elbow, SECOND), at(sheet, elbow, 2 * SECOND)])
    settled(opened, sheet)
    assert times(opened, ELBOW) == [0, 2 * SECOND]
    assert any("1 key was replaced" in entry.text for entry in opened.session.log)
    assert "1 key was replaced" in opened.window.status.pointer.text


def test_an_edge_of_the_box_scales_what_is_chosen_over_keys_that_stay(opened: Stage, sheet: DopeSheet) -> None:
    elbow = row(sheet, ELBOW)
    drag(sheet.viewport(), [at(sheet, elbow, -0.1 * SECOND), at(sheet, elbow, 1.2 * SECOND)])
    edge = right_edge(sheet)
    drag(sheet.viewport(), [edge, edge + QPoint(40, 0), edge + at(sheet, 0, 3 * SECOND) - at(sheet, 0, SECOND)])
    settled(opened, sheet)
    assert times(opened, ELBOW) == [0, 2 * SECOND, 3 * SECOND], "the key in between stays"
    assert opened.session.history.entries[-1].label == "Scale keys"


def test_scaling_to_no_length_changes_nothing_and_says_so(opened: Stage, sheet: DopeSheet) -> None:
    sheet.commands.choose_all()
    before, edge = opened.session.document, right_edge(sheet)
    box = sheet.chosen_box()
    assert box is not None
    drag(sheet.viewport(), [edge, edge + QPoint(40, 0), edge - QPoint(round(box.width()) + 100, 0)])
    settled(opened, sheet)
    assert opened.session.document is before
    assert "no length" in opened.window.status.pointer.text
    assert "no length" in opened.session.log[-1].text


def test_a_key_dragged_forth_and_back_changes_nothing_and_the_next_drag_works(opened: Stage, sheet: DopeSheet) -> None:
    elbow, before = row(sheet, ELBOW), opened.session.document
    start, far = at(sheet, elbow, SECOND), at(sheet, elbow, 1.5 * SECOND)
    drag(sheet.viewport(), [start, far, start])
    settled(opened, sheet)
    assert opened.session.document is before
    drag(sheet.viewport(), [start, far])
    settled(opened, sheet)
    assert abs(times(opened, ELBOW)[1] - 1.5 * SECOND) <= frame_time(1, before.rate)


def test_keys_are_copied_pasted_at_the_playhead_and_deleted(opened: Stage, sheet: DopeSheet) -> None:
    click(sheet, at(sheet, row(sheet, ELBOW), SECOND))
    sheet.setFocus()
    opened.session.set_playhead(3 * SECOND)
    QTest.keyClick(sheet, Qt.Key.Key_C, CONTROL)
    QTest.keyClick(sheet, Qt.Key.Key_V, CONTROL)
    opened.until(lambda: opened.session.at_rest)
    assert times(opened, ELBOW) == [0, SECOND, 2 * SECOND, 3 * SECOND]
    QTest.keyClick(sheet, Qt.Key.Key_Delete)
    opened.until(lambda: opened.session.at_rest)
    assert times(opened, ELBOW) == [0, 2 * SECOND, 3 * SECOND]


def test_keys_of_the_window_choose_and_show_keys_while_the_sheet_has_the_keyboard(
    opened: Stage, sheet: DopeSheet
) -> None:
    selected = opened.session.selection
    click(sheet, at(sheet, row(sheet, ELBOW), 2.5 * SECOND))
    window = opened.window.windowHandle()
    QTest.keyClick(window, Qt.Key.Key_A, CONTROL)
    assert count(sheet) == 5
    QTest.keyClick(window, Qt.Key.Key_F)
    assert 0 > sheet.axis.start > -SECOND
    assert 2 * SECOND < sheet.axis.end < 3 * SECOND
    QTest.keyClick(window, Qt.Key.Key_A, CONTROL | SHIFT)
    assert count(sheet) == 0
    QTest.keyClick(window, Qt.Key.Key_Home)
    assert sheet.axis.end > 4 * SECOND
    assert opened.session.selection == selected


def test_the_menu_copies_pastes_deletes_chooses_and_shows(opened: Stage, sheet: DopeSheet) -> None:
    elbow, empty = at(sheet, row(sheet, ELBOW), SECOND), at(sheet, row(sheet, KNEE), 3.5 * SECOND)
    pick(opened, sheet, elbow, "timeline.copy")
    opened.session.set_playhead(3 * SECOND)
    pick(opened, sheet, empty, "timeline.paste")
    assert times(opened, ELBOW) == [0, SECOND, 2 * SECOND, 3 * SECOND]
    pick(opened, sheet, elbow, "timeline.delete")
    assert times(opened, ELBOW) == [0, 2 * SECOND, 3 * SECOND]
    pick(opened, sheet, empty, "timeline.choose_all")
    assert count(sheet) == 5
    drag(sheet.viewport(), [at(sheet, row(sheet, KNEE), 1.8 * SECOND), at(sheet, row(sheet, KNEE), 2.2 * SECOND)])
    pick(opened, sheet, at(sheet, row(sheet, KNEE), 2 * SECOND), "timeline.frame_chosen")
    assert SECOND < sheet.axis.start < 2 * SECOND < sheet.axis.end < 3 * SECOND
    pick(opened, sheet, at(sheet, row(sheet, KNEE), 2 * SECOND), "timeline.show_all")
    assert sheet.axis.start < 0
    assert sheet.axis.end > 4 * SECOND


def test_the_menu_fills_the_spans_after_chosen_keys_as_one_entry(opened: Stage, sheet: DopeSheet) -> None:
    first = opened.session.document
    for kind, wanted in {
        "auto": ("cubic", "auto"), "flat": ("cubic", "flat"), "free": ("cubic", "free"),
        "spline": ("cubic", "free"), "linear": ("linear", "auto"), "stepped": ("stepped", "auto"),
    }.items():  # fmt: skip
        pick(opened, sheet, at(sheet, 0, 0), f"timeline.{kind}")
        tracks = opened.session.document.actors[0].layers[0].track_of
        assert {(each.keys[0].interpolation, each.keys[0].tangent) for each in tracks.values()} == {wanted}, kind
        if opened.session.document is not first:
            opened.session.undo()
            opened.settle()
        assert opened.session.document is first, f"{kind} is one entry"


def test_chosen_keys_are_marked_for_targets_and_unmarked(opened: Stage, sheet: DopeSheet) -> None:
    first = opened.session.document
    for marked in (True, False):
        pick(opened, sheet, at(sheet, 0, 0), "targets.mark_keys")
        tracks = opened.session.document.actors[0].layers[0].track_of
        assert {key.mark for track in tracks.values() for key in track.keys if key.time == 0} == {marked}
        assert not any(key.mark for track in tracks.values() for key in track.keys if key.time != 0)
    assert opened.session.document == first


def test_time_is_inserted_as_long_as_the_chosen_keys_last_and_removed_again(opened: Stage, sheet: DopeSheet) -> None:
    elbow, before = row(sheet, ELBOW), len(opened.session.history.entries)
    drag(sheet.viewport(), [at(sheet, elbow, 0.5 * SECOND), at(sheet, elbow, 2.5 * SECOND)])
    pick(opened, sheet, at(sheet, elbow, SECOND), "timeline.insert_time")
    assert times(opened, ELBOW) == [0, SECOND, 2 * SECOND, 3 * SECOND]
    assert times(opened, KNEE)[-1] == 3 * SECOND
    document = opened.session.document
    assert document.actors[0].layers[0].span == Span(start=0, end=4 * SECOND, ease_in=SECOND // 2)
    assert document.play == Span(start=0, end=5 * SECOND)
    assert [entry.label for entry in opened.session.history.entries[before:]] == ["Insert time"]
    drag(sheet.viewport(), [at(sheet, elbow, 0.7 * SECOND), at(sheet, elbow, 2.3 * SECOND)])
    pick(opened, sheet, at(sheet, elbow, SECOND), "timeline.remove_time")
    assert times(opened, ELBOW) == [0, SECOND, 2 * SECOND]
    assert opened.session.document.play == Span(start=0, end=4 * SECOND)


def test_inserted_time_takes_the_sound_along_and_says_so_and_that_of_one_actor_leaves_it(
    opened: Stage, sheet: DopeSheet
) -> None:
    opened.session.do(edit("set_sound", sound=beeping(start=SECOND)))
    opened.session.do(edit("set_play_range", start=SECOND, end=2 * SECOND))
    pick(opened, sheet, at(sheet, row(sheet, ELBOW), 3.5 * SECOND), "timeline.insert_time")
    sound = opened.session.document.sound
    assert sound is not None
    assert sound.start == 2 * SECOND
    told = "Inserted 30 frames at frame 30: everything after it moved along, and so did the sound."
    assert opened.window.status.pointer.text == told
    opened.session.do(edit("add_actor", actor=ball_of(Document())))
    opened.session.select([Item(opened.session.document.actors[0].id)])
    opened.session.do(edit("set_play_range", start=0, end=SECOND))
    pick(opened, sheet, at(sheet, row(sheet, ELBOW), 4.5 * SECOND), "timeline.remove_time")
    assert opened.session.document.sound == sound
    assert "Removed 30 frames at frame 0: all that " in opened.window.status.pointer.text
    assert "sound and videos are where they were" in opened.window.status.pointer.text


def test_on_a_screen_of_finer_pixels_it_is_painted_anew(sheet: DopeSheet, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet.grab()
    ratios, paint = list[float](), sheet.paint

    def noted(painter: QPainter) -> None:
        ratios.append(painter.device().devicePixelRatio())
        paint(painter)

    monkeypatch.setattr(sheet, "paint", noted)
    sheet.grab()
    monkeypatch.setattr(sheet, "devicePixelRatioF", lambda: 1.5)
    for _ in range(2):
        sheet.grab()
    assert ratios == [1.5]


def test_of_inserted_time_it_is_told_only_where_that_is_the_step_just_done(opened: Stage, sheet: DopeSheet) -> None:
    opened.session.do(edit("set_sound", sound=beeping(start=SECOND)))
    opened.session.do(edit("add_reference", reference=reference(Random(1))))
    opened.session.do(edit("set_play_range", start=SECOND, end=2 * SECOND))
    pick(opened, sheet, at(sheet, row(sheet, ELBOW), 3.5 * SECOND), "timeline.insert_time")
    told, inserted = list[str](), opened.session.document
    opened.hear(sheet.reported, told.append)
    opened.window.show_panel("history")
    panel = opened.window.docks["history"].widget()
    assert isinstance(panel, HistoryPanel)
    opened.settle()
    for line in (0, panel.entries.rowCount() - 1):
        place = panel.view.visualRect(panel.entries.index(line)).center()
        QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        opened.settle()
        assert opened.session.history.position == line
    assert opened.session.document is inserted
    assert told == []
    opened.session.undo()
    opened.session.redo()
    opened.until(lambda: opened.session.document is inserted)
    assert [line.partition(":")[0] for line in told] == ["Inserted 30 frames at frame 30"]


def test_without_chosen_keys_the_play_range_says_which_time_is_meant(opened: Stage, sheet: DopeSheet) -> None:
    opened.session.do(edit("set_play_range", start=SECOND, end=int(1.5 * SECOND)))
    opened.window.menus.refresh()
    action = opened.window.menus.actions["timeline.remove_time"]
    assert action.text() == "Remove time: 15 frames at frame 30"
    pick(opened, sheet, at(sheet, row(sheet, ELBOW), 3.5 * SECOND), "timeline.remove_time")
    assert times(opened, ELBOW)[-1] == int(1.5 * SECOND)
    assert opened.session.document.play is None
    opened.window.menus.refresh()
    assert not action.isEnabled(), "neither keys are chosen nor is a play range set"


def test_a_drag_with_ctrl_and_shift_inserts_time_or_takes_out_what_it_runs_over(
    opened: Stage, sheet: DopeSheet
) -> None:
    elbow, before, both = row(sheet, ELBOW), len(opened.session.history.entries), CONTROL | SHIFT
    path = [at(sheet, elbow, time * SECOND) for time in (1.5, 2.0, 2.5)]
    drag(sheet.viewport(), path, modifiers=both)
    settled(opened, sheet)
    frame = frame_time(1, opened.session.document.rate)
    assert abs(times(opened, ELBOW)[-1] - 3 * SECOND) <= 2 * frame
    assert opened.session.document.play is not None
    assert abs(opened.session.document.play.end - 5 * SECOND) <= 2 * frame
    drag(sheet.viewport(), path[::-1], modifiers=both)
    settled(opened, sheet)
    assert abs(times(opened, ELBOW)[-1] - 2 * SECOND) <= 2 * frame
    assert [entry.label for entry in opened.session.history.entries[before:]] == ["Insert time", "Remove time"]


def test_a_lock_that_holds_always_gets_a_span_by_its_end_and_loses_it_by_the_menu(
    opened: Stage, sheet: DopeSheet
) -> None:
    hold(opened, span=None)
    line = lock_line(sheet)
    drag(sheet.viewport(), [at(sheet, line, 4 * SECOND), at(sheet, line, 3 * SECOND), at(sheet, line, 2.5 * SECOND)])
    settled(opened, sheet)
    span = opened.session.document.actors[0].locks[0].span
    assert span is not None
    assert span.start == 0
    assert abs(span.end - 2.5 * SECOND) <= frame_time(1, opened.session.document.rate)
    assert opened.session.history.entries[-1].label == "Set span of Foot"
    pick(opened, sheet, at(sheet, line, 0.3 * SECOND), "timeline.always")
    assert opened.session.document.actors[0].locks[0].span is None


def test_keys_of_a_lock_are_dragged_as_others_are(opened: Stage, sheet: DopeSheet) -> None:
    hold(opened, span=Span(start=0, end=3 * SECOND))
    line = lock_line(sheet) + 1
    assert sheet.rows[sheet.lines[line]].label == "Y"
    drag(sheet.viewport(), [at(sheet, line, SECOND), at(sheet, line, 1.5 * SECOND)])
    settled(opened, sheet)
    moved = opened.session.document.actors[0].locks[0].track_of["y"].keys[1].time
    assert abs(moved - 1.5 * SECOND) <= frame_time(1, opened.session.document.rate)
    click(sheet, QPoint(sheet.names_width - 20, sheet.y_of(line - 1) + 8))
    assert [item.added for item in opened.session.selection.items] == ["foot"]


def test_a_bar_of_what_is_held_is_dragged_by_its_ends_and_as_a_whole(opened: Stage, sheet: DopeSheet) -> None:
    session, human = opened.session, opened.session.document.actors[0]
    ball = ball_of(Document())
    session.do(edit("add_actor", actor=ball))
    span = Span(start=SECOND, end=3 * SECOND)
    grip = Attachment(id="grip", joint=ball.figure.joints[0].id, target=human.id, target_joint="wrist_left", span=span)
    session.do(edit("attach_actor", actor=ball.id, attachment=grip))
    settled(opened, sheet)
    line = next(
        line for line, number in enumerate(sheet.lines) if sheet.rows[number].path[1:] == ("attachment", "grip")
    )
    sheet.verticalScrollBar().setValue(sheet.verticalScrollBar().maximum())
    drag(sheet.viewport(), [at(sheet, line, 3 * SECOND), at(sheet, line, 3.5 * SECOND)])
    settled(opened, sheet)
    drag(sheet.viewport(), [at(sheet, line, 2 * SECOND), at(sheet, line, 1.5 * SECOND)])
    settled(opened, sheet)
    moved = session.document.actor(ball.id).attachments[0].span
    assert moved is not None
    frame = frame_time(1, session.document.rate)
    assert abs(moved.start - 0.5 * SECOND) <= frame
    assert abs(moved.end - 3 * SECOND) <= 2 * frame


def test_keys_stand_between_frames_once_snapping_is_off(opened: Stage, sheet: DopeSheet) -> None:
    elbow = row(sheet, ELBOW)
    panel = opened.window.docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    QTest.mouseClick(panel.snaps, Qt.MouseButton.LeftButton)
    start = at(sheet, elbow, SECOND)
    drag(sheet.viewport(), [start, start + QPoint(20, 0), start + QPoint(37, 0)])
    settled(opened, sheet)
    assert times(opened, ELBOW)[1] == SECOND + round(37 * sheet.axis.ticks_per_pixel)
    pick(opened, sheet, at(sheet, elbow, 3 * SECOND), "timeline.snap")
    assert panel.snaps.isChecked()


def test_keys_are_pasted_onto_the_selected_actor_and_what_does_not_fit_is_said(opened: Stage, sheet: DopeSheet) -> None:
    session, human = opened.session, opened.session.document.actors[0]
    other = replace(human, id="other", name="Other", layers=(replace(human.layers[0], tracks=()),))
    ball = ball_of(Document())
    for actor in (other, ball):
        session.do(edit("add_actor", actor=actor))
    settled(opened, sheet)
    click(sheet, at(sheet, row(sheet, ELBOW), SECOND))
    sheet.setFocus()
    QTest.keyClick(sheet, Qt.Key.Key_C, CONTROL)
    session.set_playhead(3 * SECOND)
    session.select([Item("other")])
    QTest.keyClick(sheet, Qt.Key.Key_V, CONTROL)
    opened.until(lambda: session.at_rest)
    assert [key.time for key in session.document.actor("other").layers[0].track_of[ELBOW].keys] == [3 * SECOND]
    before = session.document
    session.select([Item(ball.id)])
    QTest.keyClick(sheet, Qt.Key.Key_V, CONTROL)
    opened.until(lambda: session.at_rest)
    assert session.document is before
    assert "no place there: Left elbow" in opened.window.status.pointer.text


def test_the_pointer_says_value_time_and_kind_of_a_key_and_the_span_of_a_bar(opened: Stage, sheet: DopeSheet) -> None:
    def told(place: QPoint) -> str:
        event = QHelpEvent(QEvent.Type.ToolTip, place, sheet.viewport().mapToGlobal(place))
        QApplication.sendEvent(sheet.viewport(), event)
        return QToolTip.text()

    one = told(at(sheet, row(sheet, ELBOW), SECOND))
    assert one.splitlines() == [
        "Left elbow, Flexion: 85.9° (Pose)", "Frame 30, 1.00 s", "Smooth, tangents that follow the neighbours",
    ]  # fmt: skip
    assert told(at(sheet, 0, 0)).splitlines() == ["2 keys", "Frame 0, 0.00 s", "Keys of several kinds"]
    bar = next(line for line, number in enumerate(sheet.lines) if sheet.rows[number].block is not None)
    assert told(at(sheet, bar, 2 * SECOND)).startswith("Layer Pose: frames 0 to 90\nEased in over 15 and out over 0")


def test_what_is_done_behind_another_tab_is_done_to_the_document_of_now(opened: Stage, sheet: DopeSheet) -> None:
    sheet.commands.choose_all()
    opened.window.show_panel("log")
    opened.until(lambda: sheet.visibleRegion().isEmpty())
    actor = opened.session.document.actors[0]
    opened.session.do(edit("clear_tracks", actor=actor.id, layer=actor.layers[0].id, coordinates=(ELBOW,)))
    opened.window.menus.refresh()
    opened.window.menus.actions["timeline.delete"].trigger()
    opened.until(lambda: opened.session.at_rest)
    assert (times(opened, ELBOW), times(opened, KNEE)) == ([], [])
    assert not [entry for entry in opened.session.log if entry.kind == "error"]


def test_escape_lets_go_of_a_drag_and_nothing_has_changed(opened: Stage, sheet: DopeSheet) -> None:
    elbow, before = row(sheet, ELBOW), opened.session.document
    QTest.mousePress(sheet.viewport(), Qt.MouseButton.LeftButton, pos=at(sheet, elbow, SECOND))
    move(sheet.viewport(), at(sheet, elbow, 1.5 * SECOND))
    assert sheet.drag is not None
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    QTest.mouseRelease(sheet.viewport(), Qt.MouseButton.LeftButton, pos=at(sheet, elbow, 1.5 * SECOND))
    settled(opened, sheet)
    assert opened.session.document is before


def test_the_arrow_folds_a_row_and_a_name_selects_its_joint(opened: Stage, sheet: DopeSheet) -> None:
    every = len(sheet.lines)
    place = sheet.fold_place(0, sheet.rows[0]).center().toPoint()
    click(sheet, place)
    assert sheet.lines == [0]
    click(sheet, place)
    assert len(sheet.lines) == every
    elbow = row(sheet, ELBOW)
    click(sheet, QPoint(sheet.names_width - 20, sheet.y_of(elbow) + 8))
    assert [item.part for item in opened.session.selection.items] == [sheet.rows[sheet.lines[elbow]].joint]


def test_the_end_of_a_block_and_its_ease_are_dragged(opened: Stage, sheet: DopeSheet) -> None:
    line = next(line for line, number in enumerate(sheet.lines) if sheet.rows[number].block is not None)
    low, high = QPoint(0, sheet.row_height // 4), QPoint(0, -sheet.row_height // 3)
    drag(sheet.viewport(), [at(sheet, line, 3 * SECOND) + low, at(sheet, line, 2.5 * SECOND) + low])
    settled(opened, sheet)
    span = opened.session.document.actors[0].layers[0].span
    assert span is not None
    assert abs(span.end - 2.5 * SECOND) <= frame_time(1, opened.session.document.rate)
    drag(sheet.viewport(), [at(sheet, line, 0.5 * SECOND) + high, at(sheet, line, SECOND) + high])
    settled(opened, sheet)
    eased = opened.session.document.actors[0].layers[0].span
    assert eased is not None
    assert (eased.start, eased.end) == (span.start, span.end)
    assert abs(eased.ease_in - SECOND) <= frame_time(1, opened.session.document.rate)


def test_the_wheel_with_ctrl_zooms_about_the_pointer(opened: Stage, sheet: DopeSheet) -> None:
    place = at(sheet, 1, SECOND)
    before, scale = sheet.time_at(place.x()), sheet.axis.ticks_per_pixel
    event = QWheelEvent(
        QPointF(place), QPointF(sheet.viewport().mapToGlobal(place)), QPoint(), QPoint(0, 120),
        Qt.MouseButton.NoButton, CONTROL, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(sheet.viewport(), event)
    assert sheet.axis.ticks_per_pixel < scale
    assert sheet.time_at(place.x()) == pytest.approx(before)
