"""The file dialogue wears our icons."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot

from app.shell.file_chooser import FileChooser
from app.style.apply import apply_theme
from app.style.icons import icon
from app.style.theme import dark

pytestmark = pytest.mark.gui
SIZE = QSize(14, 14)


def test_the_folder_that_it_opens_in_has_our_icon_each_time(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    apply_theme(qapp, dark)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    ours = icon("folder-open", dark).pixmap(SIZE).toImage()
    for _ in range(2):
        chooser = FileChooser(window, "Open", tmp_path, "Any (*)")
        chooser.open()
        box = chooser.findChild(QComboBox, "lookInCombo")
        assert isinstance(box, QComboBox)
        qtbot.waitUntil(lambda box=box: box.currentText() == str(tmp_path))  # type: ignore[misc]
        assert box.itemIcon(box.currentIndex()).pixmap(SIZE).toImage() == ours
        chooser.close()
        chooser.deleteLater()


def test_a_path_that_is_typed_counts_not_the_file_that_is_marked(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "walk.sinew").touch()
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    chooser = FileChooser(window, "Save", tmp_path, "Any (*)")
    chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    chooser.selectFile("walk.sinew")
    chooser.open()
    view = chooser.findChild(QListView, "listView")
    name = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(view, QListView)
    assert isinstance(name, QLineEdit)
    qtbot.waitUntil(lambda: bool(view.selectedIndexes()))
    name.setText(str(tmp_path / "mine.sinew"))
    assert [Path(each).name for each in chooser.selectedFiles()] == ["mine.sinew"]
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert not chooser.isVisible()
    chooser.deleteLater()


@pytest.mark.parametrize(
    ("typed", "ending", "expected"),
    [
        ("walk.v2", "sinew", "walk.v2.sinew"),
        ("walk", "sinew", "walk.sinew"),
        ("walk.SINEW", "sinew", "walk.SINEW"),
        ("walk.html", "pdf", "walk.html"),
    ],
)
def test_a_name_has_its_ending_before_it_is_asked_about(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, typed: str, ending: str, expected: str
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    chooser = FileChooser(window, "Save", tmp_path, "Any (*)")
    chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    chooser.setDefaultSuffix(ending)
    chooser.open()
    name = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    name.setText(typed)
    chooser.accept()
    assert not chooser.isVisible()
    assert [Path(each) for each in chooser.selectedFiles()] == [tmp_path / expected]
    chooser.deleteLater()
