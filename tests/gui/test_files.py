"""Files in the real window: dropped, asked about, imported, exported, and the sheet of formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QDialogButtonBox, QDoubleSpinBox, QLabel, QLineEdit

from app.session import Item
from app.shell.export_sheet import ExportSheet
from app.shell.file_chooser import FileChooser
from app.shell.formats_sheet import FormatsSheet
from app.shell.import_sheet import ImportSheet
from engine.commands.bring_in import read_contents
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from engine.formats.conventions import rest_box
from engine.formats.table import FORMATS, readers
from tests.engine.commands.test_bring_in import file_of
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
OK, CANCEL = QDialogButtonBox.StandardButton.Ok, QDialogButtonBox.StandardButton.Cancel

D = TypeVar("D", bound=QDialog)


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        yield open_stage


def drop(opened: Stage, *paths: Path) -> None:
    """As a file manager does it: enter, then let go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy = Qt.DropAction.CopyAction
    QApplication.sendEvent(opened.window, QDragEnterEvent(QPoint(200, 200), copy, data, LEFT, PLAIN))
    QApplication.sendEvent(opened.window, QDropEvent(QPointF(200, 200), copy, data, LEFT, PLAIN))


def shown(opened: Stage, kind: type[D]) -> D:
    """The dialogue of that kind, once it can be seen."""

    def there() -> list[D]:
        return [each for each in opened.window.findChildren(kind) if each.isVisible()]

    opened.until(lambda: bool(there()))
    return there()[-1]


def last(opened: Stage) -> tuple[str, str]:
    """Kind and text of the log's last line."""
    return next(((entry.kind, entry.text) for entry in reversed(opened.session.log)), ("", ""))


def click(buttons: QDialogButtonBox, which: QDialogButtonBox.StandardButton) -> None:
    QTest.mouseClick(buttons.button(which), LEFT)


def choose(box: QComboBox, text: str) -> None:
    """By keys, as a person types in a list."""
    box.setFocus()
    for _ in range(box.count()):
        QTest.keyClick(box, Qt.Key.Key_Up)
    while box.currentText() != text:
        before = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() > before, f"{text} is not in the list"


def type_time(box: QDoubleSpinBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Tab)


def clip(folder: Path, name: str, chest: str = "0 85 0") -> Path:
    return file_of(folder, chest).rename(folder / name)


def test_a_file_is_imported_by_the_menu_into_the_scene_that_is_open(opened: Stage, tmp_path: Path) -> None:
    opened.window.menus.actions["file.import"].trigger()
    name = shown(opened, FileChooser).findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    QTest.keyClicks(name, str(clip(tmp_path, "walk.bvh")))
    QTest.keyClick(name, Qt.Key.Key_Return)
    click(shown(opened, ImportSheet).buttons, OK)
    opened.until(lambda: len(opened.session.document.actors) == 2)


def test_a_dropped_clip_is_asked_about_and_its_height_follows_the_unit(opened: Stage, tmp_path: Path) -> None:
    first = opened.session.document
    drop(opened, clip(tmp_path, "walk.bvh"))
    sheet = shown(opened, ImportSheet)
    assert opened.session.document is first
    assert sheet.size_line.text() == "1.70 m tall, Y up"
    choose(sheet.unit, "inch")
    assert sheet.size_line.text() == "4.32 m tall, Y up"
    choose(sheet.unit, "Custom scale")
    sheet.scale.selectAll()
    QTest.keyClicks(sheet.scale, "0.005")
    assert sheet.size_line.text() == "0.85 m tall, Y up"
    choose(sheet.up, "Z")
    assert sheet.size_line.text() == "0 mm tall, Z up"
    choose(sheet.up, "Y")
    click(sheet.buttons, OK)
    opened.until(lambda: len(opened.session.document.actors) == 2)
    assert rest_box(opened.session.document.actors[1].figure)[1] == pytest.approx(0.85)
    opened.settle()


def test_a_scale_that_makes_no_sense_cannot_be_taken(opened: Stage, tmp_path: Path) -> None:
    drop(opened, clip(tmp_path, "walk.bvh"))
    sheet = shown(opened, ImportSheet)
    choose(sheet.unit, "Custom scale")
    sheet.scale.selectAll()
    QTest.keyClicks(sheet.scale, "0")
    assert not sheet.buttons.button(OK).isEnabled()
    assert sheet.scale.property("wrong")
    assert isinstance(sheet.scale, QLineEdit)
    QTest.keyClicks(sheet.scale, ".01")
    assert sheet.buttons.button(OK).isEnabled()
    click(sheet.buttons, CANCEL)


@pytest.mark.parametrize("way", ["button", "escape"])
def test_cancel_changes_nothing(opened: Stage, tmp_path: Path, way: str) -> None:
    first = opened.session.document
    drop(opened, clip(tmp_path, "walk.bvh"))
    sheet = shown(opened, ImportSheet)
    if way == "button":
        click(sheet.buttons, CANCEL)
    else:
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
    opened.until(lambda: last(opened) == ("note", "walk.bvh was not imported"))
    assert opened.session.document is first
    assert not opened.session.dirty


def test_several_at_once_with_one_answer_for_all(opened: Stage, tmp_path: Path) -> None:
    drop(opened, clip(tmp_path, "a.bvh"), clip(tmp_path, "b.bvh"), clip(tmp_path, "c.bvh"))
    sheet = shown(opened, ImportSheet)
    assert sheet.for_all.isVisible()
    assert "2 .bvh files" in sheet.for_all.text()
    QTest.mouseClick(sheet.for_all, LEFT, pos=QPoint(10, sheet.for_all.height() // 2))
    choose(sheet.unit, "mm")
    click(sheet.buttons, OK)
    opened.until(lambda: len(opened.session.document.actors) == 4)
    tall = [rest_box(actor.figure)[1] for actor in opened.session.document.actors[1:]]
    assert tall == pytest.approx([0.17, 0.17, 0.17])
    opened.settle()


def test_do_not_ask_again_is_kept_in_the_preferences(opened: Stage, tmp_path: Path) -> None:
    drop(opened, clip(tmp_path, "a.bvh"))
    sheet = shown(opened, ImportSheet)
    assert not sheet.for_all.isVisible()
    QTest.mouseClick(sheet.for_kind, LEFT, pos=QPoint(10, sheet.for_kind.height() // 2))
    click(sheet.buttons, OK)
    opened.until(lambda: len(opened.session.document.actors) == 2)
    drop(opened, clip(tmp_path, "b.bvh"))
    opened.until(lambda: len(opened.session.document.actors) == 3)
    assert list(opened.window.preferences.imports) == [".bvh"]
    opened.window.menus.refresh()
    opened.window.menus.actions["file.ask_again"].trigger()
    assert not opened.window.preferences.imports
    opened.settle()


def test_what_was_imported_is_in_view(opened: Stage, tmp_path: Path) -> None:
    path = clip(tmp_path, "far.bvh")
    path.write_text(path.read_text().replace("0 0 0 0 0 0 0 0 0", "4000 0 0 0 0 0 0 0 0"))
    drop(opened, path)
    click(shown(opened, ImportSheet).buttons, OK)
    opened.until(lambda: len(opened.session.document.actors) == 2)
    opened.settle()
    opened.until(lambda: opened.view.cameras[0].target[0] > 10.0)


def test_the_selected_actor_is_exported_after_a_list_of_what_is_lost(opened: Stage, tmp_path: Path) -> None:
    assert opened.window.menus.actions["file.export"].isEnabled(), "with nothing selected it is about all"
    opened.session.do(edit("set_scene_range", start=0, end=5 * TICKS_PER_SECOND))
    document = opened.session.document
    opened.session.select([Item(opened.session.document.actors[0].id)])
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    sheet = shown(opened, ExportSheet)
    assert "shapes of bodies" in sheet.lost.text()
    assert (sheet.start.value(), sheet.end.value(), sheet.frames.text()) == (0.0, 5.0, "151 frames, 30 a second")
    type_time(sheet.end, "60")
    choose(sheet.rate, "60")
    assert sheet.frames.text() == "121 frames, 60 a second"
    choose(sheet.kind, "Sinew document (.sinew)")
    assert sheet.frames.text() == "None: this format holds no motion in frames"
    assert sheet.lost.text() == "Nothing is left out."
    assert not sheet.unit.isEnabled()
    choose(sheet.kind, "BVH motion (.bvh)")
    choose(sheet.unit, "m")
    click(sheet.buttons, OK)
    chooser = shown(opened, FileChooser)
    assert chooser.selectedNameFilter() == "BVH motion (*.bvh)"
    name = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    name.setText(str(tmp_path / "out"))
    QTest.keyClick(name, Qt.Key.Key_Return)
    opened.until(lambda: (tmp_path / "out.bvh").exists())
    opened.until(lambda: last(opened) == ("note", "Exported out.bvh"))
    contents = read_contents(tmp_path / "out.bvh")
    figure, (layer,) = contents.figure, contents.layers
    assert figure is not None
    assert layer.samples is not None
    assert (layer.samples.frame_count, layer.samples.rate) == (121, (60, 1))
    assert rest_box(figure)[1] == pytest.approx(0.01 * rest_box(opened.session.document.actors[0].figure)[1], rel=0.01)
    assert opened.session.document is document


def test_an_export_that_fails_says_what_to_do(opened: Stage, tmp_path: Path) -> None:
    from engine.formats.format import Options

    opened.session.exchange.export(tmp_path / "none" / "a.bvh", [opened.session.document.actors[0].id], Options())
    opened.until(lambda: last(opened)[0] == "error")
    assert "there is no such folder. Choose a folder that is there." in last(opened)[1]
    assert opened.window.message.isVisible()


def test_the_sheet_of_formats_lists_them_all(opened: Stage) -> None:
    opened.window.menus.actions["help.formats"].trigger()
    sheet = shown(opened, FormatsSheet)
    words = [label.text() for label in sheet.findChildren(QLabel)]
    for each in FORMATS:
        assert each.name in words
        assert each.about in words
        assert each.limits in words
    assert len(readers()) < words.count("read and written") + words.count("read") + 1
    sheet.close()
