"""The file dialogue wears our icons."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
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
