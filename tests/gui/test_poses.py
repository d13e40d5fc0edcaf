"""Poses in the real window: copied and pasted, mirrored, blended from the library, keyed, kept as drafts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.features.poses.library import PoseLibrary
from app.features.poses.panel import PosesPanel
from app.session import Item
from app.shell.draft_frame import DraftFrame
from engine.document import Actor, Document, Key, Layer
from engine.document.drafts import draft_times
from engine.document.motion import frame_time
from engine.edits import edit
from engine.formats.figure_toml import load_figure
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui

ELBOW = "elbow_left.flexion"
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
FIRST, MIDDLE = 0, frame_time(15, (30, 1))


@pytest.fixture
def opened(the_window: OneWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))
    with the_window.begun() as open_stage:
        opened_human(open_stage)
        yield open_stage
        QGuiApplication.clipboard().clear()


def opened_human(opened: Stage) -> None:
    """Choose the whole human, so that nothing hangs on what is chosen by chance."""
    opened.session.select([Item(human(opened).id)])


def human(opened: Stage) -> Actor:
    return opened.session.document.actors[0]


def seen(opened: Stage, coordinate: str = ELBOW) -> float:
    """A coordinate in the picture."""
    return opened.session.posing.seen(human(opened).id)[coordinate]


def bend(opened: Stage, value: float = 1.0, coordinate: str = ELBOW) -> None:
    actor = human(opened)
    values = ((coordinate, value),)
    opened.session.do(edit("set_pose", actor=actor.id, layer=actor.layers[-1].id, values=values))
    opened.settle()


def key_ends(opened: Stage) -> None:
    """Keys of the elbow at frames 0 and 30."""
    actor = human(opened)
    keys = tuple((ELBOW, Key(frame_time(frame, (30, 1)), value)) for frame, value in ((0, 0.2), (30, 0.6)))
    opened.session.do(edit("set_keys", actor=actor.id, layer=actor.layers[-1].id, keys=keys))
    opened.settle()


def press(opened: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key for the picture."""
    target = opened.view.focusWidget() or opened.window
    QTest.keyClick(target, key, modifiers)


def changed(opened: Stage, before: Document) -> Document:
    """The document once it is another one."""
    opened.until(lambda: opened.session.document is not before)
    opened.settle()
    return opened.session.document


def go_to(opened: Stage, time: int) -> None:
    """Drag in the ruler to a time."""
    ruler = opened.window.transport.ruler
    x = round(ruler.x_of(time))
    drag(ruler, [QPoint(x + 9, 20), QPoint(x, 20)])
    opened.until(lambda: opened.session.playhead == time)
    opened.settle()
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)


def panel(opened: Stage) -> PosesPanel:
    dock = opened.window.docks["poses"]
    dock.raise_()
    found = dock.findChild(PosesPanel)
    assert found is not None
    opened.until(lambda: found.poses.rowCount() > 0)
    opened.settle()
    return found


def place_of(shown: PosesPanel, name: str) -> QPoint:
    """Where a pose's picture stands in the grid."""
    kept = next(each for each in shown._session.of(PoseLibrary).poses if each.pose.name == name)
    index = shown.poses.index_of(kept)
    shown.grid.scrollTo(index)
    return shown.grid.visualRect(index).center()


def test_a_pose_is_copied_reset_and_pasted_by_keys_and_each_is_undone(opened: Stage) -> None:
    bend(opened)
    posed = opened.session.document
    press(opened, Qt.Key.Key_C, CTRL)
    opened.until(lambda: "sinew_pose" in QGuiApplication.clipboard().text())
    press(opened, Qt.Key.Key_R, ALT)
    bare = changed(opened, posed)
    assert seen(opened) == 0.0
    press(opened, Qt.Key.Key_V, CTRL)
    pasted = changed(opened, bare)
    assert seen(opened) == 1.0
    assert pasted.digest == posed.digest
    opened.session.undo()
    assert opened.session.document is bare
    opened.session.undo()
    assert opened.session.document is posed


def test_a_pose_is_pasted_mirrored_and_flipped_back(opened: Stage) -> None:
    bend(opened)
    posed = opened.session.document
    press(opened, Qt.Key.Key_C, CTRL)
    opened.until(lambda: "sinew_pose" in QGuiApplication.clipboard().text())
    press(opened, Qt.Key.Key_V, CTRL | SHIFT)
    mirrored = changed(opened, posed)
    assert (seen(opened), seen(opened, "elbow_right.flexion")) == (0.0, 1.0)
    assert opened.session.history.entries[-1].label == "Paste pose mirrored"
    press(opened, Qt.Key.Key_M, CTRL)
    changed(opened, mirrored)
    assert (seen(opened), seen(opened, "elbow_right.flexion")) == (1.0, 0.0)
    opened.session.undo()
    assert opened.session.document is mirrored


def test_a_pose_is_pasted_on_the_selected_joints_alone(opened: Stage) -> None:
    bend(opened)
    bend(opened, 0.5, "knee_left.flexion")
    press(opened, Qt.Key.Key_C, CTRL)
    opened.until(lambda: "sinew_pose" in QGuiApplication.clipboard().text())
    press(opened, Qt.Key.Key_R, ALT)
    opened.settle()
    bare = opened.session.document
    opened.session.select([Item(human(opened).id, "elbow_left")])
    press(opened, Qt.Key.Key_V, CTRL | ALT)
    changed(opened, bare)
    assert (seen(opened), seen(opened, "knee_left.flexion")) == (1.0, 0.0)


def test_selected_joints_are_mirrored_across_and_put_back_alone(opened: Stage) -> None:
    bend(opened)
    bend(opened, 0.5, "knee_left.flexion")
    before = opened.session.document
    opened.session.select([Item(human(opened).id, "elbow_left")])
    press(opened, Qt.Key.Key_M, CTRL | ALT)
    both = changed(opened, before)
    assert (seen(opened), seen(opened, "elbow_right.flexion"), seen(opened, "knee_right.flexion")) == (1.0, 1.0, 0.0)
    press(opened, Qt.Key.Key_R, ALT | SHIFT)
    changed(opened, both)
    assert (seen(opened), seen(opened, "elbow_right.flexion"), seen(opened, "knee_left.flexion")) == (0.0, 1.0, 0.5)


def test_nonsense_on_the_clipboard_changes_nothing_and_says_what_to_do(opened: Stage) -> None:
    before = opened.session.document
    for text in ("", "Dear Sir or Madam", '{"sinew_pose": 1}', "x" * 5_000_000):
        QGuiApplication.clipboard().setText(text)
        press(opened, Qt.Key.Key_V, CTRL)
        opened.until(lambda: any(entry.kind == "warning" for entry in opened.session.log))
        assert "Copy a pose first" in opened.session.log[-1].text
        assert opened.session.document is before
        assert opened.window.message.isVisible()
        opened.session.log.clear()
        opened.window.message.dismiss()


def test_text_fields_keep_copy_and_paste_to_themselves(opened: Stage) -> None:
    before, field = opened.session.document, panel(opened).search
    QGuiApplication.clipboard().setText("squat")
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_V, CTRL)
    assert field.text() == "squat"
    assert panel(opened).poses.rowCount() == 1
    assert opened.session.document is before
    assert not any("Copy a pose" in entry.text for entry in opened.session.log)


def test_a_pose_of_the_library_is_applied_by_a_double_click(opened: Stage) -> None:
    before, shown = opened.session.document, panel(opened)
    where = place_of(shown, "Squat")
    QTest.mouseClick(shown.grid.viewport(), Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(shown.grid.viewport(), Qt.MouseButton.LeftButton, pos=where)
    changed(opened, before)
    assert seen(opened, "knee_left.flexion") > 1.5
    assert opened.session.history.entries[-1].label == "Apply Squat"
    opened.session.undo()
    assert opened.session.document is before


@pytest.mark.parametrize("how", ["menu", "switch"])
def test_a_pose_of_the_library_is_applied_mirrored_and_on_the_selected_joints(opened: Stage, how: str) -> None:
    bend(opened)  # the left elbow, to keep in the library
    shown = panel(opened)
    count = shown.poses.rowCount()
    opened.window.docks["poses"].close()
    opened.until(lambda: not shown.isVisible())
    QTest.keyClick(opened.window, Qt.Key.Key_L, CTRL | SHIFT)
    opened.until(lambda: shown.poses.rowCount() == count + 1)
    assert shown.isVisible(), "it comes to the front, to be given a name"
    name = opened.session.of(PoseLibrary).poses[-1].pose.name
    QTest.keyClick(shown.grid, Qt.Key.Key_Escape)
    kept = opened.session.document
    put(opened, shown, name, how, shown.mirrored, "Apply mirrored")
    mirrored = changed(opened, kept)
    assert (seen(opened), seen(opened, "elbow_right.flexion")) == (0.0, 1.0)
    opened.session.select([Item(human(opened).id, "elbow_left")])
    opened.settle()
    put(opened, shown, name, how, shown.selected_only, "Apply to selected joints")
    changed(opened, mirrored)
    assert (seen(opened), seen(opened, "elbow_right.flexion")) == (1.0, 1.0)


def put(opened: Stage, shown: PosesPanel, name: str, how: str, switch: QWidget, line: str) -> None:
    """Apply a pose through a switch and a double click, or through the right button's menu."""
    where, grid = place_of(shown, name), shown.grid.viewport()
    if how == "switch":
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
        QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=where)
        QTest.mouseDClick(grid, Qt.MouseButton.LeftButton, pos=where)
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
        return
    menu = shown.menu_for(shown.grid.indexAt(where))
    menu.popup(grid.mapToGlobal(where))
    action = next(each for each in menu.actions() if each.text() == line)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    menu.close()
    menu.deleteLater()


def test_dragging_a_picture_blends_live_as_one_entry_and_escape_drops_it(opened: Stage) -> None:
    before, shown = opened.session.document, panel(opened)
    grid, where = shown.grid.viewport(), place_of(shown, "Squat")
    QTest.mousePress(grid, Qt.MouseButton.LeftButton, pos=where)
    for way in (20, 60, 100):
        move(grid, where + QPoint(way, 0))
    opened.until(lambda: opened.session.shown is not before)
    assert shown.grid.share == 0.5
    full = dict(zip(*_squat(opened), strict=True))["knee_left.flexion"]
    opened.until(lambda: abs(seen(opened, "knee_left.flexion") - 0.5 * full) < 1e-9)
    QTest.mouseRelease(grid, Qt.MouseButton.LeftButton, pos=where + QPoint(100, 0))
    blended = changed(opened, before)
    assert opened.session.history.entries[-1].label == "Blend Squat 50 %"
    assert len(opened.session.history.entries) == 2
    QTest.mousePress(grid, Qt.MouseButton.LeftButton, pos=where)
    move(grid, where + QPoint(150, 0))
    opened.until(lambda: opened.session.shown is not blended)
    QTest.keyClick(shown.grid, Qt.Key.Key_Escape)
    opened.until(lambda: opened.session.shown is blended)
    QTest.mouseRelease(grid, Qt.MouseButton.LeftButton, pos=where + QPoint(150, 0))
    opened.settle()
    assert opened.session.document is blended
    opened.session.undo()
    assert opened.session.document is before


def _squat(opened: Stage) -> tuple[list[str], tuple[float, ...]]:
    pose = next(each.pose for each in opened.session.of(PoseLibrary).poses if each.pose.name == "Squat")
    return [name for name, _, _ in pose.names], pose.values


def test_a_blend_goes_beyond_the_pose_and_no_further_than_its_end(opened: Stage) -> None:
    before, shown = opened.session.document, panel(opened)
    grid, where = shown.grid.viewport(), place_of(shown, "T")
    drag(grid, [where, where + QPoint(100, 0), where + QPoint(900, 0)])
    changed(opened, before)
    assert opened.session.history.entries[-1].label == "Blend T 120 %"


def test_the_present_pose_is_kept_renamed_removed_and_brought_back(opened: Stage, tmp_path: Path) -> None:
    bend(opened)
    shown = panel(opened)
    count = shown.poses.rowCount()
    opened.window.docks["poses"].close()
    opened.until(lambda: not shown.isVisible())
    QTest.keyClick(opened.window, Qt.Key.Key_L, CTRL | SHIFT)
    opened.until(lambda: shown.poses.rowCount() == count + 1)
    assert shown.isVisible(), "it comes to the front, to be given a name"
    kept = opened.session.of(PoseLibrary).poses[-1]
    assert kept.picture.stat().st_size > 1000
    editor = shown.grid.viewport().findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "Elbow bent")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    opened.until(lambda: opened.session.of(PoseLibrary).poses[-1].pose.name == "Elbow bent")
    assert (tmp_path / "poses" / "Elbow bent.pose.toml").exists()
    shown.grid.setFocus()
    shown.grid.setCurrentIndex(shown.poses.index_of(opened.session.of(PoseLibrary).poses[-1]))
    QTest.keyClick(shown.grid, Qt.Key.Key_Delete)
    opened.until(lambda: shown.poses.rowCount() == count)
    assert opened.session.document.actors  # Del was the grid's own
    assert shown.message.isVisible()
    QTest.mouseClick(shown.message._button, Qt.MouseButton.LeftButton)
    opened.until(lambda: shown.poses.rowCount() == count + 1)
    assert (tmp_path / "poses" / "Elbow bent.png").exists()


def test_a_draft_stays_when_the_frame_is_left_and_shows_again_on_coming_back(opened: Stage) -> None:
    key_ends(opened)
    keyed = opened.session.document
    press(opened, Qt.Key.Key_K, CTRL | SHIFT)
    assert not opened.session.posing.auto_key
    go_to(opened, MIDDLE)
    before = seen(opened)
    press(opened, Qt.Key.Key_R, ALT)
    drafted = changed(opened, keyed)
    assert drafted.actors[0].layers[-1].tracks == keyed.actors[0].layers[-1].tracks
    assert draft_times(drafted) == (MIDDLE,)
    frame = opened.view.findChild(DraftFrame)
    assert frame is not None
    assert frame.isVisible()
    assert seen(opened) == 0.0
    with_frame = opened.grab()
    go_to(opened, FIRST)
    assert not frame.isVisible()
    assert opened.grab() != with_frame
    assert seen(opened) == 0.2
    assert opened.session.document is drafted
    go_to(opened, MIDDLE)
    assert frame.isVisible()
    assert seen(opened) == 0.0
    opened.session.undo()
    opened.settle()
    assert not frame.isVisible()
    assert seen(opened) == before


def test_a_draft_is_found_keyed_or_thrown_away(opened: Stage) -> None:
    key_ends(opened)
    opened.session.posing.set_auto_key(False)
    go_to(opened, MIDDLE)
    before = opened.session.document
    press(opened, Qt.Key.Key_R, ALT)
    drafted = changed(opened, before)
    go_to(opened, FIRST)
    press(opened, Qt.Key.Key_N, ALT)
    opened.until(lambda: opened.session.playhead == MIDDLE)
    opened.settle()
    press(opened, Qt.Key.Key_D, ALT | SHIFT)
    assert changed(opened, drafted).digest == before.digest
    opened.session.undo()
    assert opened.session.document is drafted
    opened.settle()
    press(opened, Qt.Key.Key_D, ALT)
    keyed = changed(opened, drafted)
    assert draft_times(keyed) == ()
    assert seen(opened) == 0.0
    assert MIDDLE in [key.time for key in keyed.actors[0].layers[-1].track_of[ELBOW].keys]
    opened.session.undo()
    assert opened.session.document is drafted


def test_a_slider_of_a_figure_with_keys_keys_or_drafts_as_the_button_says(opened: Stage) -> None:
    key_ends(opened)
    opened.session.select([Item(human(opened).id, "elbow_left")])
    go_to(opened, MIDDLE)
    shown = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert shown is not None
    assert isinstance(shown.page, Page)
    slider = shown.page.fields[0].sliders[0]
    assert slider.value == pytest.approx(seen(opened), abs=1e-9)
    before = opened.session.document
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.3, 0.35, 0.45)])
    keyed = changed(opened, before)
    times = [key.time for key in keyed.actors[0].layers[-1].track_of[ELBOW].keys]
    assert times == [0, MIDDLE, frame_time(30, (30, 1))]
    opened.session.undo()
    opened.settle()
    button = opened.window.transport.auto_key
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not opened.session.posing.auto_key
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.3, 0.35, 0.45)])
    drafted = changed(opened, before)
    assert draft_times(drafted) == (MIDDLE,)
    QTest.mouseClick(opened.window.transport.key_draft, Qt.MouseButton.LeftButton)
    assert draft_times(changed(opened, drafted)) == ()


def test_keys_are_set_to_what_is_seen_of_all_joints_or_of_the_selected(opened: Stage) -> None:
    bend(opened)
    before = opened.session.document
    opened.session.select([Item(human(opened).id, "elbow_left")])
    press(opened, Qt.Key.Key_S, SHIFT)
    some = changed(opened, before)
    assert [track.coordinate for track in some.actors[0].layers[-1].tracks] == [ELBOW]
    opened.session.select([Item(human(opened).id)])
    press(opened, Qt.Key.Key_S)
    every = changed(opened, some)
    assert len(every.actors[0].layers[-1].tracks) == len(human(opened).figure.coordinates)
    assert every.actors[0].layers[-1].track_of[ELBOW].keys == (Key(0, 1.0),)
    opened.session.undo()
    assert opened.session.document is some


def test_a_pose_finds_the_joints_of_another_figure_by_name_and_tells_what_it_lacks(opened: Stage) -> None:
    bend(opened)
    press(opened, Qt.Key.Key_C, CTRL)
    opened.until(lambda: "sinew_pose" in QGuiApplication.clipboard().text())
    lamp = Actor(id="lamp", name="Lamp", figure=load_figure("lamp"), layers=(Layer(id="lamp_pose"),))
    opened.session.do(edit("add_actor", actor=lamp))
    opened.session.select([Item("lamp")])
    opened.settle()
    before = opened.session.document
    press(opened, Qt.Key.Key_V, CTRL)
    opened.until(lambda: any("cannot take this pose" in entry.text for entry in opened.session.log))
    assert opened.session.document is before
