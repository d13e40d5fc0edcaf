"""Keys, the palette, preferences and help in the real window, by real mouse and key events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QPushButton, QToolTip, QWidget

from app.session import Item
from app.shell.help_sheet import HelpSheet
from app.shell.keymap_page import KeymapPage
from app.shell.palette import Palette
from app.shell.preferences_sheet import PreferencesSheet
from app.style.apply import current_theme
from app.style.fonts import text_font
from app.style.theme import THEMES
from engine.document import Document
from engine.formats import sinew
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = [pytest.mark.gui, pytest.mark.pixels]

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
PLAIN, ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
Key = Qt.Key


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        QCursor.setPos(open_stage.window.mapToGlobal(QPoint(-5, -5)))
        yield open_stage


def press(opened: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    opened.until(opened.window.isActiveWindow)
    QTest.keyClick(opened.window.windowHandle(), key, modifiers)


S = TypeVar("S", bound=QDialog)


def sheet(opened: Stage, kind: type[S]) -> S:
    """The sheet of that kind, once it is on the screen."""
    opened.until(lambda: any(each.isVisible() for each in opened.window.findChildren(kind)))
    return next(each for each in opened.window.findChildren(kind) if each.isVisible())


def close(opened: Stage, dialogue: QDialog) -> None:
    button = next(each for each in dialogue.findChildren(QPushButton) if each.text().replace("&", "") == "Close")
    QTest.mouseClick(button, LEFT)
    opened.until(opened.window.isActiveWindow)


def palette(opened: Stage) -> Palette:
    press(opened, Key.Key_P, CTRL | SHIFT)
    found = QApplication.activePopupWidget()
    assert isinstance(found, Palette)
    return found


def canvas_of(opened: Stage) -> QWidget:
    found = opened.view.childAt(opened.view.rect().center())
    assert isinstance(found, QWidget)
    return found


def drag(widget: QWidget, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    """Right and down over the middle of the widget."""
    start = widget.rect().center() + QPoint(30, 30)
    QTest.mousePress(widget, button, modifiers, start)
    for step in (10, 25, 40):
        at = start + QPoint(step, step // 2)
        event = QMouseEvent(
            QMouseEvent.Type.MouseMove,
            QPointF(at),
            QPointF(widget.mapToGlobal(at)),
            Qt.MouseButton.NoButton,
            button,
            modifiers,
        )
        QApplication.sendEvent(widget, event)
    QTest.mouseRelease(widget, button, modifiers, start + QPoint(40, 20))


def choose(box: QComboBox, label: str) -> None:
    """Open the list of a box and choose a line with the keyboard."""
    box.setFocus()
    for _ in range(box.count()):
        QTest.keyClick(box, Key.Key_Up)
    for _ in range(box.count()):
        if box.currentText() == label:
            return
        QTest.keyClick(box, Key.Key_Down)
    raise AssertionError(f"{label} is not in the list")


def keys_of(opened: Stage, action: str) -> tuple[str, ...]:
    return opened.window.keys[action]


def chosen_in(found: Palette) -> str:
    return found.chosen.action.id if found.chosen is not None else ""


def selected(opened: Stage) -> tuple[Item, ...]:
    return opened.session.selection.items


def keys_page(opened: Stage) -> KeymapPage:
    press(opened, Key.Key_F1, CTRL)
    return sheet(opened, KeymapPage)


def remap(opened: Stage, page: KeymapPage, action: str, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    """Choose the line, press Change, press the key."""
    page.choose(action)
    QTest.mouseClick(page.change, LEFT)
    opened.until(page.field.hasFocus)
    QTest.keyClick(page.field, key, modifiers)


def test_a_key_is_changed_by_pressing_another_and_works_at_once_and_after_a_new_start(opened: Stage) -> None:
    page = keys_page(opened)
    remap(opened, page, "view.maximise", Key.Key_N)
    close(opened, page)
    press(opened, Key.Key_N)
    assert len(opened.view.panes()) == 1
    press(opened, Key.Key_M)
    assert len(opened.view.panes()) == 1, "the key that it had does nothing now"
    assert opened.window.menus.actions["view.maximise"].shortcut().toString() == "N"
    kept, warning = opened.window._kept.read()
    assert warning == ""
    assert kept.own_keys == {"view.maximise": ("N",)}


def test_a_key_that_another_action_has_asks_first_and_swaps(opened: Stage) -> None:
    page = keys_page(opened)
    remap(opened, page, "time.loop", Key.Key_M)
    assert "Maximise view" in page.message.text
    assert keys_of(opened, "view.maximise") == ("M", "Ctrl+Space"), "nothing is taken before it is agreed to"
    swap = next(each for each in page.message.findChildren(QPushButton) if each.text() == "Swap")
    QTest.mouseClick(swap, LEFT)
    assert keys_of(opened, "time.loop") == ("M",)
    assert keys_of(opened, "view.maximise") == ("Ctrl+L", "Ctrl+Space")
    close(opened, page)
    looping = opened.session.player.looping
    press(opened, Key.Key_M)
    assert opened.session.player.looping != looping
    press(opened, Key.Key_L, CTRL)
    assert len(opened.view.panes()) == 1


def test_a_conflict_that_is_put_away_and_an_escape_change_nothing(opened: Stage) -> None:
    page, before = keys_page(opened), opened.window.keys
    remap(opened, page, "time.loop", Key.Key_M)
    page.message.dismiss()
    remap(opened, page, "time.loop", Key.Key_Escape)
    assert page.isVisible()
    assert opened.window.keys == before


def test_keys_are_added_removed_and_reset(opened: Stage) -> None:
    page = keys_page(opened)
    page.choose("time.loop")
    QTest.mouseClick(page.add, LEFT)
    QTest.keyClick(page.field, Key.Key_F9)
    assert keys_of(opened, "time.loop") == ("Ctrl+L", "F9")
    QTest.mouseClick(page.remove, LEFT)
    assert keys_of(opened, "time.loop") == ()
    QTest.mouseClick(page.reset, LEFT)
    assert keys_of(opened, "time.loop") == ("Ctrl+L",)
    remap(opened, page, "time.loop", Key.Key_F9)
    QTest.mouseClick(page.reset_all, LEFT)
    assert keys_of(opened, "time.loop") == ("Ctrl+L",)
    assert not opened.window.preferences.own_keys


def test_actions_are_found_by_name_by_menu_and_by_pressing_a_key(opened: Stage) -> None:
    page = keys_page(opened)
    QTest.keyClicks(page.search, "maximise")
    assert [each.id for each in page.table.lines] == ["view.maximise"]
    page.search.clear()
    QTest.keyClicks(page.search, "look from")
    assert {"view.front", "view.top"} <= {each.id for each in page.table.lines}
    QTest.mouseClick(page.by_key, LEFT)
    QTest.keyClick(page.field, Key.Key_L, CTRL)
    assert [each.id for each in page.table.lines] == ["time.loop"]
    page.search.clear()
    assert len(page.table.lines) == len(opened.window.keys)


def test_the_key_sheet_is_written_as_one_page(opened: Stage, tmp_path: Path) -> None:
    page = keys_page(opened)
    page.write(tmp_path / "keys.html")
    text = (tmp_path / "keys.html").read_text(encoding="utf-8")
    assert "Maximise view" in text
    assert "Ctrl+Space" in text
    page.write(tmp_path / "keys.pdf")
    pdf = (tmp_path / "keys.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") == 1
    page.write(tmp_path / "none" / "keys.pdf")
    assert "cannot be written" in page.message.text


def test_the_blender_keymap_brings_its_keys_and_its_mouse(opened: Stage) -> None:
    opened.view.maximise(2)  # the front view, along an axis
    opened.settle()
    canvas, before = canvas_of(opened), opened.view.cameras[2]
    drag(canvas, MIDDLE)
    assert opened.view.cameras[2].azimuth == before.azimuth, "the industry's middle button keeps a front view"
    press(opened, Key.Key_Comma, CTRL | ALT)
    preferences = sheet(opened, PreferencesSheet)
    preferences.pages.setCurrentRow(1)
    choose(preferences.fields["keymap"], "Blender")
    close(opened, preferences)
    panned = opened.view.cameras[2]
    drag(canvas, MIDDLE)
    assert opened.view.cameras[2].azimuth != panned.azimuth
    turned = opened.view.cameras[2]
    drag(canvas, MIDDLE, CTRL)
    assert opened.view.cameras[2].distance != turned.distance
    press(opened, Key.Key_A)
    assert selected(opened) == (Item(opened.session.document.actors[0].id),)
    press(opened, Key.Key_A, ALT)
    assert not selected(opened)
    press(opened, Key.Key_3, Qt.KeyboardModifier.KeypadModifier)
    assert opened.view.cameras[2].azimuth == pytest.approx(1.5707963)
    assert opened.window._kept.read()[0].keymap == "blender"


def test_the_palette_runs_what_is_found_and_shows_it_first_the_next_time(opened: Stage) -> None:
    found = palette(opened)
    QTest.keyClicks(found.field, "add ball")
    assert chosen_in(found) == "add.ball"
    before = len(opened.session.document.actors)
    QTest.keyClick(found.field, Key.Key_Return)
    opened.until(lambda: len(opened.session.document.actors) == before + 1)
    again = palette(opened)
    assert chosen_in(again) == "add.ball"
    QTest.keyClick(again.field, Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


def test_the_palette_says_why_an_action_cannot_be_done_and_does_not_do_it(opened: Stage) -> None:
    found = palette(opened)
    QTest.keyClicks(found.field, "undo")
    assert chosen_in(found) == "edit.undo"
    assert "change to take back" in found.told.text()
    QTest.keyClick(found.field, Key.Key_Return)
    assert found.isVisible()
    found.field.clear()
    QTest.keyClicks(found.field, "xqzv")
    assert chosen_in(found) == ""
    assert "No action" in found.told.text()
    QTest.keyClick(found.field, Key.Key_Return)
    QTest.keyClick(found.field, Key.Key_Down)
    QTest.keyClick(found.field, Key.Key_Escape)
    assert QApplication.activePopupWidget() is None


def test_the_palette_opens_recent_files_and_ones_own_workspaces(opened: Stage, tmp_path: Path) -> None:
    session, path = opened.session, tmp_path / "quokka.sinew"
    sinew.write(path, Document(actors=session.document.actors[:1]))
    opened.window.files.open(path)
    opened.until(lambda: session.path == path)
    press(opened, Key.Key_N, CTRL)
    opened.until(lambda: session.path is None)
    found = palette(opened)
    QTest.keyClicks(found.field, "quokka")
    assert found.chosen is not None
    assert found.chosen.label == "Open quokka.sinew"
    assert found.told.text() == str(path)
    QTest.keyClick(found.field, Key.Key_Return)
    opened.until(lambda: session.path == path)
    opened.window.workspaces.save_as("Two screens")
    opened.window.workspaces.go_to("pose")
    found = palette(opened)
    QTest.keyClicks(found.field, "two scr")
    QTest.keyClick(found.field, Key.Key_Return)
    assert opened.window.workspaces.present == "Two screens"


def test_arrow_keys_walk_the_palette_and_a_click_chooses(opened: Stage) -> None:
    found = palette(opened)
    QTest.keyClicks(found.field, "look from")
    first = found.chosen
    QTest.keyClick(found.field, Key.Key_Down)
    assert found.chosen != first
    QTest.keyClick(found.field, Key.Key_Up)
    assert found.chosen == first
    found.field.clear()
    QTest.keyClicks(found.field, "add ball")
    row, before = found.list.visualRect(found.list.currentIndex()).center(), len(opened.session.document.actors)
    QTest.mouseClick(found.list.viewport(), LEFT, pos=row)
    opened.until(lambda: len(opened.session.document.actors) == before + 1)


def test_the_key_0_looks_from_where_a_new_scene_does(opened: Stage) -> None:
    first = opened.view.cameras[1]
    opened.view.maximise(1)
    press(opened, Key.Key_7)
    press(opened, Key.Key_5)
    assert opened.view.cameras[1].orthographic
    press(opened, Key.Key_0, Qt.KeyboardModifier.KeypadModifier)
    now = opened.view.cameras[1]
    assert (now.azimuth, now.elevation, now.orthographic) == (first.azimuth, first.elevation, False)


def test_a_theme_is_on_at_once_everywhere(opened: Stage) -> None:
    for label, theme in (("Light", "light"), ("Dark", "dark")):
        found = palette(opened)
        QTest.keyClicks(found.field, f"theme {label}")
        assert chosen_in(found) == f"view.theme_{theme}"
        QTest.keyClick(found.field, Key.Key_Return)
        opened.settle()
        assert current_theme() is THEMES[theme]
        assert opened.view.look.window == THEMES[theme].window
        shown = opened.grab().pixelColor(opened.window.width() - 20, opened.window.menuBar().height() // 2)
        assert shown.name() == THEMES[theme].window
        assert [name for name in THEMES if opened.window.menus.actions[f"view.theme_{name}"].isChecked()] == [theme]


def test_preferences_count_at_once(opened: Stage) -> None:
    press(opened, Key.Key_Comma, CTRL | ALT)
    preferences = sheet(opened, PreferencesSheet)
    height = opened.window.menuBar().sizeHint().height()
    choose(preferences.fields["text_scale"], "110%")  # the next one: each on the way counts at once, too
    assert text_font().pixelSize() == 13
    assert opened.window.menuBar().sizeHint().height() > height
    choose(preferences.fields["text_scale"], "100%")
    assert opened.window.menuBar().sizeHint().height() == height
    choose(preferences.fields["display"], "Bones")
    assert set(opened.view.displays) == {"bones"}
    choose(preferences.fields["extent"], "The whole figure")
    assert opened.session.reaching.terms.extent == "whole"
    preferences.fields["iterations"].setFocus()
    opened.until(preferences.fields["iterations"].hasFocus)
    preferences.fields["iterations"].selectAll()
    QTest.keyClicks(preferences.fields["iterations"], "40")
    QTest.keyClick(preferences.fields["iterations"], Key.Key_Tab)
    opened.until(lambda: opened.session.reaching.terms.iterations == 40)
    choose(preferences.fields["anti_aliasing"], "Always")
    assert opened.window.preferences.anti_aliasing == "on"
    for label, shadows in (("None", "off"), ("All", "full"), ("Automatic", "auto")):
        choose(preferences.fields["shadows"], label)
        assert opened.view.look.shadows == shadows
    close(opened, preferences)


def test_f1_tells_of_the_panel_under_the_pointer_and_elsewhere_how_to_begin(opened: Stage) -> None:
    canvas_of(opened).setFocus()
    for name in ("outliner", "timeline", "log"):
        dock = opened.window.docks[name]
        dock.raise_()
        opened.until(lambda dock=dock: not dock.visibleRegion().isEmpty())  # type: ignore[misc]
        QCursor.setPos(dock.widget().mapToGlobal(dock.widget().rect().center()))
        press(opened, Key.Key_F1)
        help_sheet = sheet(opened, HelpSheet)
        assert dock.windowTitle() in help_sheet.text.toPlainText().splitlines()[0]
        close(opened, help_sheet)
    QCursor.setPos(opened.window.mapToGlobal(QPoint(-5, -5)))
    opened.window.menuBar().setFocus()
    press(opened, Key.Key_F1)
    help_sheet = sheet(opened, HelpSheet)
    assert help_sheet.text.toPlainText().startswith("How to begin")
    assert "Alt + left button" in help_sheet.text.toPlainText()
    opened.window.prefer(keymap="blender")
    assert "Alt + left button" not in help_sheet.text.toPlainText()
    close(opened, help_sheet)


def test_tooltips_of_icons_and_menus_name_the_keys_that_are_on(opened: Stage) -> None:
    button = opened.window.transport.loop
    place = button.rect().center()
    for key in ("Ctrl+L", "F9"):
        QToolTip.hideText()
        opened.window.prefer(keys={"industry": {"time.loop": (key,)}})
        QTest.mouseMove(button, place + QPoint(1, 1))
        QTest.mouseMove(button, place)
        opened.until(lambda key=key: QToolTip.isVisible() and key in QToolTip.text())  # type: ignore[misc]
    QToolTip.hideText()
    menu = opened.window.menus.menus["View"]
    QTest.keyClick(opened.window.windowHandle(), Key.Key_V, ALT)
    opened.until(menu.isVisible)
    assert "Also Ctrl+Space" in opened.window.menus.actions["view.maximise"].toolTip()
    QTest.keyClick(menu, Key.Key_Escape)


def test_arrow_keys_stay_with_a_list_that_has_the_keyboard(opened: Stage) -> None:
    opened.window.prefer(keymap="blender")
    view = opened.window.docks["outliner"].widget().view  # type: ignore[attr-defined]
    view.setFocus()
    opened.until(view.hasFocus)
    view.setCurrentIndex(view.model().index(0, 0))
    before = opened.session.playhead
    press(opened, Key.Key_Down)
    assert view.currentIndex() != view.model().index(0, 0)
    press(opened, Key.Key_Right)
    assert opened.session.playhead == before
    canvas_of(opened).setFocus()
    press(opened, Key.Key_Right)
    assert opened.session.playhead > before


def test_tab_edits_the_figure_in_blenders_keymap_and_with_shift_switches_snapping(opened: Stage) -> None:
    opened.window.prefer(keymap="blender")
    actor = opened.session.document.actors[0].id
    opened.session.select([Item(actor)])
    opened.settle()
    canvas_of(opened).setFocus()
    press(opened, Key.Key_Tab)  # figure.edit
    opened.window.menus.refresh()
    assert opened.window.menus.actions["figure.edit"].isChecked()
    opened.settle()
    canvas_of(opened).setFocus()
    press(opened, Key.Key_Tab)
    opened.window.menus.refresh()
    assert not opened.window.menus.actions["figure.edit"].isChecked()
    canvas_of(opened).setFocus()
    press(opened, Key.Key_Tab, SHIFT)  # tool.snap
    assert opened.window.preferences.snaps
