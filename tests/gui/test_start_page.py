"""The start page, examples and recent files in the real window, by real mouse and key events."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.shell.recent_pictures import picture_of
from app.shell.start_page import StartPage
from app.shell.start_tiles import StartTile
from engine.document import Document
from engine.formats import sinew
from engine.queries.examples import EXAMPLES
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def opened(the_window: OneWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        monkeypatch.setenv("SINEW_CACHE", str(tmp_path / "cache"))  # the kernels' folder is chosen by now
        yield open_stage


def shown(opened: Stage) -> StartPage | None:
    return next((page for page in opened.window.findChildren(StartPage) if page.isVisible()), None)


def show(opened: Stage) -> StartPage:
    """By the menu, as a person would."""
    opened.window.menus.actions["help.start_page"].trigger()
    opened.until(lambda: shown(opened) is not None and isinstance(opened.window.focusWidget(), StartTile))
    page = shown(opened)
    assert page is not None
    return page


def press(opened: Stage, key: Qt.Key) -> None:
    focus = opened.window.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())


def tile(page: StartPage, name: str) -> StartTile:
    return next(each for each in (*page.recent.tiles, *page.examples.tiles) if each.text() == name)


def keep(opened: Stage, path: Path) -> Path:
    """Saved, and its picture taken."""
    opened.session.exchange.save(path)
    picture = picture_of(path)
    assert picture is not None
    opened.until(lambda: picture.exists())
    return picture


def test_escape_and_a_press_beside_close_the_page_and_leave_the_scene(opened: Stage) -> None:
    document = opened.session.document
    show(opened)
    press(opened, Qt.Key.Key_Escape)
    opened.until(lambda: shown(opened) is None)
    show(opened)
    click(opened.window.menuBar())
    opened.until(lambda: shown(opened) is None)
    page = show(opened)
    click(page.cross)
    opened.until(lambda: shown(opened) is None)
    assert opened.session.document is document
    assert opened.view.isAncestorOf(opened.window.focusWidget() or opened.window), "keys are for the picture again"


def test_a_press_on_the_page_itself_leaves_it_open(opened: Stage) -> None:
    page = show(opened)
    QTest.mouseClick(page, LEFT, pos=QPoint(6, page.height() // 2))
    QTest.mouseClick(page.area.viewport(), LEFT, pos=QPoint(3, 3))
    assert page.isVisible()


def test_arrows_go_from_tile_to_tile_and_enter_opens(opened: Stage) -> None:
    page = show(opened)
    first = page.examples.tiles[0]
    assert opened.window.focusWidget() is first
    press(opened, Qt.Key.Key_Right)
    assert opened.window.focusWidget() is page.examples.tiles[1]
    press(opened, Qt.Key.Key_Left)
    press(opened, Qt.Key.Key_Left)
    assert not isinstance(opened.window.focusWidget(), StartTile), "the buttons at the left are reached, too"
    press(opened, Qt.Key.Key_Right)
    page.examples.tiles[1].setFocus()
    press(opened, Qt.Key.Key_Return)
    opened.until(lambda: opened.session.history.entries[0].label == "Open example: A walk")
    assert shown(opened) is None


@pytest.mark.deep
def test_every_example_is_opened_by_its_action(opened: Stage) -> None:
    for example in EXAMPLES:
        opened.window.menus.actions[f"file.example_{example.id}"].trigger()
        label = f"Open example: {example.label}"
        opened.until(lambda label=label: opened.session.history.entries[0].label == label)  # type: ignore[misc]
        opened.settle()
        assert opened.session.path is None
        assert not opened.session.dirty
        assert not opened.window.preferences.recent
        assert opened.snapshot is not None
        assert all(lock.off < 1e-3 for lock in opened.snapshot.locks), "what an example holds is held"


def test_new_and_the_keymap_are_chosen_on_the_page(opened: Stage) -> None:
    page = show(opened)
    click(page.keymaps["blender"])
    assert opened.window.preferences.keymap == "blender"
    assert page.isVisible(), "it is not what one came for"
    page.shows.setFocus()
    press(opened, Qt.Key.Key_Space)
    assert not opened.window.preferences.start_page
    before = opened.session.document
    click(page.new)
    opened.until(lambda: opened.session.document is not before)
    assert shown(opened) is None


def test_saved_files_stand_on_the_page_with_pictures_and_are_opened(opened: Stage, tmp_path: Path) -> None:
    path = tmp_path / "mine.sinew"
    picture = keep(opened, path)
    assert picture.read_bytes().startswith(b"\x89PNG")
    before = opened.session.document
    opened.window.menus.actions["file.example_lamp"].trigger()
    opened.until(lambda: opened.session.document is not before)
    page = show(opened)
    click(tile(page, "mine.sinew"))
    opened.until(lambda: opened.session.path == path)
    assert shown(opened) is None


def test_a_file_that_has_gone_is_grey_and_can_be_removed(opened: Stage, tmp_path: Path) -> None:
    gone, there = tmp_path / "gone.sinew", tmp_path / "there.sinew"
    picture = keep(opened, gone)
    keep(opened, there)
    gone.unlink()
    page = show(opened)
    mine = tile(page, "gone.sinew")
    opened.until(lambda: mine.is_missing)
    assert not tile(page, "there.sinew").is_missing
    click(mine)
    assert page.isVisible()
    assert "not in" in opened.window.message.text
    mine.setFocus()
    press(opened, Qt.Key.Key_Delete)
    assert [Path(each).name for each in opened.window.preferences.recent] == ["there.sinew"]
    assert not picture.exists(), "its picture goes with it"
    assert opened.window.focusWidget() is tile(page, "there.sinew")


def test_an_opened_file_gets_its_picture_once_it_is_seen(opened: Stage, tmp_path: Path) -> None:
    path = tmp_path / "made elsewhere.sinew"
    sinew.write(path, Document())
    opened.window.files.open(path)
    picture = picture_of(path)
    assert picture is not None
    opened.until(lambda: picture.exists())


def test_the_page_keeps_to_the_middle_of_a_small_window(opened: Stage) -> None:
    page = show(opened)
    opened.window.resize(900, 600)
    QApplication.processEvents()
    opened.until(lambda: page.geometry().right() < opened.window.width())
    assert opened.window.rect().contains(page.geometry())
    assert abs(page.geometry().center().x() - opened.window.width() // 2) <= 2
