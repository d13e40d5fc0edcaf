"""PictureList: the entries of a library, by name and picture, as a list model for Qt's views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPixmap

Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()


class Pictured(Protocol):
    """An entry of a library."""

    @property
    def name(self) -> str:
        """The name of the entry."""

    @property
    def path(self) -> Path:
        """The file of the entry."""

    @property
    def picture(self) -> Path:
        """The file of its picture, if it has one."""

    @property
    def own(self) -> bool:
        """True if the entry is the person's own, who may rename and remove it."""


KeptT = TypeVar("KeptT", bound=Pictured)


class PictureList(QAbstractListModel, Generic[KeptT]):
    """The entries of a library whose names match the search."""

    renamed = Signal(object, str)  # one of them, and the name that a person typed

    def __init__(self, about: Callable[[KeptT], str], *, mime: str = "") -> None:
        """`about` gives the tooltip of an entry; `mime` is the type under which its path is dragged elsewhere, if it
        can be."""
        super().__init__()
        self.mime = mime
        self._about = about
        self._all: tuple[KeptT, ...] = ()
        self._wanted = ""
        self._shown: list[KeptT] = []
        self._pictures: dict[Path, QPixmap] = {}

    def show(self, kept: tuple[KeptT, ...]) -> None:
        """Show these entries; loaded pictures are kept, missing ones are looked for again."""
        paths = {each.path for each in kept}
        there = {path: found for path, found in self._pictures.items() if path in paths and not found.isNull()}
        lacked = len(there) < len(self._pictures)
        self._pictures = there
        if kept != self._all:
            self._all = kept
            self._fill()
        elif lacked and self._shown:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, 0))

    def search(self, text: str) -> None:
        """Show the entries whose names hold every word of the text."""
        self._wanted = text
        self._fill()

    def kept_at(self, index: Index) -> KeptT:
        """Return the entry of a row."""
        return self._shown[index.row()]

    def index_of(self, kept: KeptT) -> QModelIndex:
        """Return the index of an entry; an invalid one where it is not shown."""
        return self.index(self._shown.index(kept), 0) if kept in self._shown else QModelIndex()

    def picture_at(self, index: Index) -> QPixmap:
        """Return the picture of an entry; a null one where there is none."""
        kept = self.kept_at(index)
        if kept.path not in self._pictures:
            self._pictures[kept.path] = QPixmap(str(kept.picture))
        return self._pictures[kept.path]

    def _fill(self) -> None:
        words = self._wanted.casefold().split()
        self.beginResetModel()
        self._shown = [each for each in self._all if all(word in each.name.casefold() for word in words)]
        self.endResetModel()

    # Qt's model

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        kept = self.kept_at(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return kept.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{kept.name}\n{'Your own' if kept.own else 'Comes with Sinew'}. {self._about(kept)}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.mime:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and self.kept_at(index).own else flags

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(self.kept_at(index), str(value))
        return True

    def mimeTypes(self) -> list[str]:
        return [self.mime] if self.mime else []

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the path of the first entry, to be dragged elsewhere."""
        data = QMimeData()
        data.setData(self.mime, str(self.kept_at(indexes[0]).path).encode())
        return data
