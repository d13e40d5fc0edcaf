"""The library of sequences in the real window: flipbooks, applied mirrored, dropped, kept, renamed, removed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.features.sequences.library import KeptSequence, Manner, SequenceLibrary
from app.features.sequences.panel import SequencesPanel
from app.session import Item
from app.session.actors import human
from app.timeline.sheet import DopeSheet
from engine.document import Actor, Document, Key, Layer
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.edits import edit
from engine.formats.figure_toml import load_figure
from tests.gui.test_grabbing import at
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, move

pytestmark = pytest.mark.gui

ME, RATE = "me", (30, 1)
SHIPPED = [
    "Bow", "Breathe", "Crouch and rise", "Jump", "Sit down", "Turn the head", "Walk", "Walk in place", "Wave",
]  # fmt: skip
LEFT, RIGHT = "elbow_left.flexion", "elbow_right.flexion"
NONE, COPY = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """The one window with a figure, and a library that holds nothing of one's own."""
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))
    person = replace(human(Document()), id=ME, name="Me", layers=(Layer(id="pose"),))
    with window.anew(Document(actors=(person,), rate=RATE)) as made:
        library = made.session.of(SequenceLibrary)
        for known in (library._clips, library._asked, library._removed):
            known.clear()
        library._kept = library._chosen = None
        library.set_manner(Manner())
        library.changed.emit()
        made.session.select([Item(ME)])
        made.window.show_panel("sequences")
        made.until(lambda: panel(made).sequences.rowCount() > 0)
        made.settle()
        yield made


def panel(opened: Stage) -> SequencesPanel:
    found = opened.window.docks["sequences"].findChild(SequencesPanel)
    assert found is not None
    return found


def kept(opened: Stage, name: str) -> KeptSequence:
    return next(each for each in opened.session.of(SequenceLibrary).sequences if each.name == name)


def place(opened: Stage, name: str) -> QPoint:
    shown = panel(opened)
    index = shown.sequences.index_of(kept(opened, name))
    shown.grid.scrollTo(index)
    return shown.grid.visualRect(index).center()


def layers(opened: Stage) -> tuple[Layer, ...]:
    return opened.session.document.actor(ME).layers


def changed(opened: Stage, before: Document) -> Document:
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()
    return opened.session.document


def seen(opened: Stage, time: int, *names: str) -> list[float]:
    opened.session.set_playhead(time)
    opened.settle()
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    values = opened.session.posing.seen(ME)
    return [values[name] for name in names]


def do(opened: Stage, action: str) -> None:
    opened.window.menus.refresh()
    assert opened.window.menus.actions[action].isEnabled(), action
    opened.window.menus.actions[action].trigger()
    opened.until(lambda: opened.session.at_rest)


def plays(shown: SequencesPanel) -> bool:
    return shown.grid.is_playing


def double_click(opened: Stage, name: str) -> None:
    grid, where = panel(opened).grid.viewport(), place(opened, name)
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(grid, Qt.MouseButton.LeftButton, pos=where)


def drop(opened: Stage, name: str, on: QWidget, at: QPoint) -> bool:
    """Drag a sequence onto a place, as the screen's server hands it to the window; whether it was taken."""
    shown = panel(opened)
    data = shown.sequences.mimeData([shown.sequences.index_of(kept(opened, name))])
    window = on.window()
    where = on.mapTo(window, at)
    handle = window.windowHandle()
    button = Qt.MouseButton.LeftButton
    QApplication.sendEvent(handle, QDragEnterEvent(where, COPY, data, button, NONE))
    QApplication.sendEvent(handle, QDragMoveEvent(where, COPY, data, button, NONE))
    let_go = QDropEvent(QPointF(where), COPY, data, button, NONE)
    QApplication.sendEvent(handle, let_go)
    return let_go.isAccepted()


def test_what_ships_has_flipbooks_and_the_one_under_the_pointer_plays(opened: Stage) -> None:
    shown = panel(opened)
    names = [each.name for each in opened.session.of(SequenceLibrary).sequences]
    assert names == SHIPPED
    for row in range(len(SHIPPED)):
        strip = shown.sequences.picture_at(shown.sequences.index(row, 0))
        assert strip.width() >= 4 * strip.height() > 0
    where = place(opened, "Jump")
    assert not plays(shown)
    move(shown.grid.viewport(), where, held=False)
    assert plays(shown)
    first = shown.grid.grab(shown.grid.visualRect(shown.grid.indexAt(where))).toImage()
    opened.until(lambda: shown.grid.page >= 3)
    later = shown.grid.grab(shown.grid.visualRect(shown.grid.indexAt(where))).toImage()
    assert later != first
    move(shown.grid.viewport(), QPoint(shown.grid.width() - 3, shown.grid.height() - 3), held=False)
    assert not plays(shown)


@pytest.mark.parametrize("how", ["menu", "switch", "action"])
def test_a_sequence_is_applied_mirrored(opened: Stage, how: str) -> None:
    before, shown = opened.session.document, panel(opened)
    where, grid = place(opened, "Wave"), shown.grid.viewport()
    if how == "switch":
        QTest.mouseClick(shown.mirrored, Qt.MouseButton.LeftButton)
        double_click(opened, "Wave")
    elif how == "menu":
        menu = shown.menu_for(shown.grid.indexAt(where))
        menu.popup(grid.mapToGlobal(where))
        line = next(each for each in menu.actions() if each.text() == "Apply mirrored")
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(line).center())
        menu.close()
        menu.deleteLater()
    else:
        QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=where)
        do(opened, "sequence.apply_mirrored")
    after = changed(opened, before)
    assert opened.session.history.entries[-1].label == "Apply Wave mirrored"
    assert [layer.name for layer in layers(opened)] == ["Pose", "Wave"]
    mirrored = seen(opened, SECOND, LEFT, RIGHT)
    assert mirrored[0] > 1.0 > 0.3 > mirrored[1]
    opened.session.undo()
    assert opened.session.document is before
    opened.session.of(SequenceLibrary).set_manner(replace(opened.session.of(SequenceLibrary).manner, mirrored=False))
    assert not shown.mirrored.isChecked()
    opened.session.set_playhead(0)
    double_click(opened, "Wave")
    changed(opened, before)
    assert seen(opened, SECOND, RIGHT, LEFT) == pytest.approx(mirrored, abs=1e-9)
    assert after is not opened.session.document


def test_it_is_applied_at_the_playhead_by_key_so_often_and_with_ease(opened: Stage) -> None:
    before, shown = opened.session.document, panel(opened)
    start = frame_time(10, RATE)
    opened.session.set_playhead(start)
    for slider, number in ((shown.runs, "3"), (shown.ease_in, "2"), (shown.ease_out, "0")):
        slider.setFocus()
        QTest.keyClicks(slider, number)
        QTest.keyClick(opened.window.focusWidget(), Qt.Key.Key_Return)
    QTest.mouseClick(shown.grid.viewport(), Qt.MouseButton.LeftButton, pos=place(opened, "Walk"))
    QTest.keyClick(opened.window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    changed(opened, before)
    span = layers(opened)[-1].span
    assert span is not None
    assert (span.start, span.ease_in, span.ease_out) == (start, frame_time(2, RATE), 0)
    assert span.end - start == pytest.approx(3 * 16 / 15 * SECOND, rel=1e-6)
    (walked,) = seen(opened, span.end, "pelvis.move_z")
    assert walked == pytest.approx(3 * 1.24, abs=0.02)


def test_into_the_receiving_layer_and_on_selected_joints(opened: Stage) -> None:
    before, shown = opened.session.document, panel(opened)
    opened.session.select([Item(ME, "elbow_right")])
    QTest.mouseClick(shown.into, Qt.MouseButton.LeftButton)
    QTest.mouseClick(shown.grid.viewport(), Qt.MouseButton.LeftButton, pos=place(opened, "Wave"))
    do(opened, "sequence.apply_selected")
    changed(opened, before)
    assert [layer.name for layer in layers(opened)] == ["Pose"]
    assert [track.coordinate for track in layers(opened)[0].tracks] == [RIGHT]


def test_the_menu_lists_them_and_puts_one_on_the_figure(opened: Stage) -> None:
    before = opened.session.document
    above, menu = opened.window.menus.menus["Animate"], opened.window.menus.menus["Animate/Sequences"]
    above.popup(opened.window.mapToGlobal(QPoint(200, 30)))
    assert [action.text() for action in menu.actions() if action.text()] == SHIPPED
    above.close()
    menu.popup(opened.window.mapToGlobal(QPoint(200, 60)))
    line = next(each for each in menu.actions() if each.text() == "Turn the head")
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(line).center())
    changed(opened, before)
    assert layers(opened)[-1].name == "Turn the head"


def test_it_is_dropped_on_a_figure_and_on_a_time_and_nowhere_else(opened: Stage) -> None:
    other = replace(human(opened.session.document), id="you", name="You")
    opened.session.do(edit("add_actor", actor=other))
    opened.settle()
    before, view = opened.session.document, opened.view
    opened.window.docks["sequences"].setMinimumWidth(200)
    assert drop(opened, "Bow", view, at(opened, "pelvis", actor="you"))
    changed(opened, before)
    assert opened.session.document.actor("you").layers[-1].name == "Bow"
    assert layers(opened) == before.actor(ME).layers
    opened.window.show_panel("timeline")
    sheet = opened.window.docks["timeline"].findChild(DopeSheet)
    assert sheet is not None
    opened.until(lambda: sheet.keys is not None and sheet.isVisible())
    opened.settle()
    before, time = opened.session.document, frame_time(20, RATE)
    assert drop(opened, "Breathe", sheet.viewport(), QPoint(round(sheet.x_of(time)), 4))  # the row of the other
    changed(opened, before)
    layer = opened.session.document.actor("you").layers[-1]
    assert layer.span is not None
    assert (layer.name, layer.span.start) == ("Breathe", time)
    before = opened.session.document
    assert not drop(opened, "Bow", opened.window.menuBar(), QPoint(5, 5))
    assert opened.session.document is before


def test_a_motion_is_kept_with_a_flipbook_renamed_removed_and_brought_back(opened: Stage, tmp_path: Path) -> None:
    shown = panel(opened)
    keys = tuple((LEFT, Key(frame_time(frame, RATE), value)) for frame, value in ((0, 0.2), (20, 1.4), (40, 0.2)))
    opened.session.do(edit("set_keys", actor=ME, layer="pose", keys=keys))
    opened.settle()
    count = shown.sequences.rowCount()
    do(opened, "sequence.keep")
    opened.until(lambda: shown.sequences.rowCount() == count + 1)
    made = opened.session.of(SequenceLibrary).sequences[-1]
    opened.until(lambda: made.picture.exists())
    opened.until(lambda: not shown.sequences.picture_at(shown.sequences.index_of(made)).isNull())
    assert opened.session.snapshot is opened.snapshot  # the picture that is shown is the document's again
    editor = shown.grid.viewport().findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "Curl")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    opened.until(lambda: opened.session.of(SequenceLibrary).sequences[-1].name == "Curl")
    assert (tmp_path / "sequences" / "Curl.motion.toml").exists()
    assert (tmp_path / "sequences" / "Curl.png").exists()
    shown.grid.setFocus()
    shown.grid.setCurrentIndex(shown.sequences.index_of(opened.session.of(SequenceLibrary).sequences[-1]))
    QTest.keyClick(shown.grid, Qt.Key.Key_Delete)
    opened.until(lambda: shown.sequences.rowCount() == count)
    assert opened.session.document.actors  # Del was the grid's own
    QTest.mouseClick(shown.message._button, Qt.MouseButton.LeftButton)
    opened.until(lambda: shown.sequences.rowCount() == count + 1)
    opened.session.do(edit("clear_tracks", actor=ME, layer="pose"))
    before = opened.session.document
    double_click(opened, "Curl")
    changed(opened, before)
    assert seen(opened, frame_time(20, RATE), LEFT) == pytest.approx([1.4])


def test_keeping_a_long_motion_shows_how_far_it_is_and_is_cancelled_by_the_cross(opened: Stage, tmp_path: Path) -> None:
    end, job = frame_time(9000, RATE), opened.window.status.job
    keys = tuple((LEFT, Key(time, value)) for time, value in ((0, 0.2), (end, 1.4)))
    opened.session.do(edit("set_keys", actor=ME, layer="pose", keys=keys))
    opened.session.select([Item(ME, "ankle_left")])
    do(opened, "lock.position")
    opened.session.select([Item(ME)])
    opened.settle()
    do(opened, "sequence.keep")
    opened.until(lambda: job.text.text() == "Keeping Me motion" and job.bar.value() > 0)
    assert job.isVisible()
    QTest.mouseClick(job.cancel, Qt.MouseButton.LeftButton)
    assert not job.isVisible()
    opened.settle()
    assert not any((tmp_path / "sequences").glob("*"))
    assert [each.name for each in opened.session.of(SequenceLibrary).sequences] == SHIPPED


def test_a_flipbook_that_cannot_be_written_is_said_and_not_asked_for_again(opened: Stage, tmp_path: Path) -> None:
    said: list[bool] = []
    draw, snapshot = opened.session.of(SequenceLibrary).photograph, opened.snapshot
    assert draw is not None
    assert snapshot is not None
    draw(tmp_path / "none" / "Mine.png", (snapshot,), lambda: said.append(True))
    opened.until(lambda: any("could not be written" in entry.text for entry in opened.session.log))
    opened.settle()
    assert said == []


def test_a_figure_of_other_joints_says_what_it_lacks(opened: Stage) -> None:
    lamp = Actor(id="lamp", name="Lamp", figure=load_figure("lamp"), layers=(Layer(id="lamp_pose"),))
    opened.session.do(edit("add_actor", actor=lamp))
    opened.session.select([Item("lamp")])
    opened.settle()
    before = opened.session.document
    double_click(opened, "Turn the head")
    opened.until(
        lambda: any("Lamp cannot take this sequence" in e.text or "Lamp has no" in e.text for e in opened.session.log)
    )
    opened.until(lambda: opened.session.at_rest)
    if opened.session.document is not before:
        assert len(opened.session.document.actor("lamp").layers[-1].tracks) < 4


def test_a_file_that_cannot_be_read_is_said_and_changes_nothing(opened: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "sequences"
    folder.mkdir()
    (folder / "Broken.motion.toml").write_text("name = ")
    opened.session.of(SequenceLibrary)._kept = None
    opened.session.of(SequenceLibrary).changed.emit()
    before = opened.session.document
    double_click(opened, "Broken")
    opened.until(lambda: any("Broken.motion.toml" in entry.text for entry in opened.session.log))
    opened.until(lambda: opened.session.at_rest)
    assert opened.session.document is before
