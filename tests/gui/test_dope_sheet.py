"""The dope sheet with real mouse and key events: choosing, moving, copying, scaling, deleting, folding, blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.session.actors import new_document
from app.timeline.panel import TimelinePanel
from app.timeline.sheet import DopeSheet
from engine.document import Document, Key, Span, Track
from engine.document.motion import TICKS_PER_SECOND, frame_time
from tests.stage import Stage, drag, move, stage

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


@pytest.fixture
def opened(qapp: object) -> Iterator[Stage]:
    with stage(keyed(), size=(1600, 1000)) as open_stage:
        yield open_stage


@pytest.fixture
def sheet(opened: Stage) -> DopeSheet:
    """The sheet in its dock, raised and tall enough for all rows."""
    dock = opened.window.docks["timeline"]
    panel = dock.widget()
    assert isinstance(panel, TimelinePanel)
    opened.window.show_panel("timeline")
    opened.window.resizeDocks([dock], [360], Qt.Orientation.Vertical)
    opened.until(lambda: panel.sheet.keys is not None and panel.sheet.height() > 280)
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


def count(sheet: DopeSheet) -> int:
    return sum(len(each) for each in sheet.picked.values())


def settled(opened: Stage, sheet: DopeSheet) -> None:
    opened.until(lambda: sheet.hand is None and opened.session.at_rest)


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
    sheet.choose_all()
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


def test_an_edge_of_the_box_scales_and_stops_before_the_other(opened: Stage, sheet: DopeSheet) -> None:
    sheet.choose_all()
    box = sheet.chosen_box()
    assert box is not None
    edge = QPoint(round(box.right()), round(box.center().y()))
    drag(sheet.viewport(), [edge, edge + QPoint(40, 0), edge - QPoint(round(box.width()) + 300, 0)])
    settled(opened, sheet)
    frame = frame_time(1, opened.session.document.rate)
    assert times(opened, KNEE) == [0, frame]
    assert opened.session.history.entries[-1].label == "Scale keys"


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


def test_escape_lets_go_of_a_drag_and_nothing_has_changed(opened: Stage, sheet: DopeSheet) -> None:
    elbow, before = row(sheet, ELBOW), opened.session.document
    QTest.mousePress(sheet.viewport(), Qt.MouseButton.LeftButton, pos=at(sheet, elbow, SECOND))
    move(sheet.viewport(), at(sheet, elbow, 1.5 * SECOND))
    assert sheet.hand is not None
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
