"""FileChooser: Qt's file dialogue in our icons. The system's own is not used, so that every platform shows one look."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDir, QFileInfo
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QSplitter, QToolButton, QWidget

from app.style.apply import current_theme
from app.style.icons import icon

SIZE = (760, 480)
SIDEBAR = 150
BUTTONS = {
    "backButton": "chevron-left",
    "forwardButton": "chevron-right",
    "toParentButton": "chevron-up",
    "newFolderButton": "plus",
    "listModeButton": "grid-2x2",
    "detailModeButton": "list-tree",
}


class FileChooser(QFileDialog):
    """Chooses one file of a kind."""

    def __init__(self, parent: QWidget, title: str, folder: Path, kind: str) -> None:
        super().__init__(parent, title, QDir.rootPath(), kind)
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self._icons = _Icons()  # Qt keeps no reference of its own
        self.setIconProvider(self._icons)
        self.setDirectory(str(folder))  # only now: a folder that was shown before keeps Qt's own icon
        self.resize(*SIZE)
        for name, drawing in BUTTONS.items():
            button = self.findChild(QToolButton, name)
            if isinstance(button, QToolButton):
                button.setIcon(icon(drawing, current_theme()))
        splitter = self.findChild(QSplitter)
        if isinstance(splitter, QSplitter):
            splitter.setSizes([SIDEBAR, SIZE[0] - SIDEBAR])


class _Icons(QAbstractFileIconProvider):
    """Folders and files in the theme's colours."""

    def icon(self, what: QAbstractFileIconProvider.IconType | QFileInfo) -> QIcon:
        kinds = QAbstractFileIconProvider.IconType
        is_file = what.isFile() if isinstance(what, QFileInfo) else what == kinds.File
        return icon("file" if is_file else "folder-open", current_theme())
