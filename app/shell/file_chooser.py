"""FileChooser: Qt's file dialogue in our icons. The system's own is not used, so that every platform shows one look."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDir, QFileInfo
from PySide6.QtGui import QAbstractFileIconProvider, QIcon, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QFileSystemModel,
    QLineEdit,
    QSplitter,
    QToolButton,
    QWidget,
)

from app.session.filing import SUFFIX, with_suffix
from app.style.apply import current_theme
from app.style.icons import icon
from app.style.sheet import fit_on_screen

SIZE = (760, 480)
SIDEBAR = 150
ENDINGS = (SUFFIX, ".sinewlog", ".csv", ".npz", ".svg", ".sto")  # of which a dialogue writes one and no other
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
        line = self.findChild(QLineEdit, "fileNameEdit")
        if isinstance(line, QLineEdit):
            line.textChanged.connect(self._forget_chosen)
        splitter = self.findChild(QSplitter)
        if isinstance(splitter, QSplitter):
            splitter.setSizes([SIDEBAR, SIZE[0] - SIDEBAR])

    def showEvent(self, event: QShowEvent) -> None:
        """Be whole on a small screen."""
        super().showEvent(event)
        if not event.spontaneous():
            fit_on_screen(self)

    def accept(self) -> None:
        """Give the name its ending first, so that Qt asks about the very file that would be replaced."""
        line, ending = self.findChild(QLineEdit, "fileNameEdit"), self.defaultSuffix()
        is_new = self.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        if is_new and f".{ending}" in ENDINGS and isinstance(line, QLineEdit):
            typed = Path(line.text())
            whole = with_suffix(typed, f".{ending}") if typed.name else typed
            if whole != typed and not (Path(self.directory().absolutePath()) / typed).is_dir():
                line.setText(str(whole))
        super().accept()

    def _forget_chosen(self, text: str) -> None:
        """Take the path that is typed, not the file that was chosen in the list before."""
        if "/" in text or "\\" in text:
            for view in self.findChildren(QAbstractItemView):
                if view.objectName() in ("listView", "treeView") and not _is_chosen(view, text):
                    view.clearSelection()


def _is_chosen(view: QAbstractItemView, path: str) -> bool:
    """True if it is the very file that Qt has marked in the list, and then names without its folder."""
    chosen = {each.data(QFileSystemModel.Roles.FilePathRole) for each in view.selectionModel().selectedIndexes()}
    return {Path(each) for each in chosen if each} == {Path(path)}


class _Icons(QAbstractFileIconProvider):
    """Folders and files in the theme's colours."""

    def icon(self, what: QAbstractFileIconProvider.IconType | QFileInfo) -> QIcon:
        kinds = QAbstractFileIconProvider.IconType
        is_file = what.isFile() if isinstance(what, QFileInfo) else what == kinds.File
        return icon("file" if is_file else "folder-open", current_theme())
