"""PictureList: what a library keeps, each by name and with a picture, as Qt's views want it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPixmap

Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()


class Pictured(Protocol):
    """One thing of a library."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def path(self) -> Path:
        """The file that it is."""

    @property
    def picture(self) -> Path:
        """Where its picture is, if there is one."""

    @property
    def own(self) -> bool:
        """Whether it is a person's, who may rename and remove it."""


KeptT = TypeVar("KeptT", bound=Pictured)


class PictureList(QAbstractListModel, Generic[KeptT]):
    """Those of a library whose names hold what is searched for."""

    renamed = Signal(object, str)  # one of them, and the name that a person typed

    def __init__(self, about: Callable[[KeptT], str], *, mime: str = "") -> None:
        """`about` is what the tooltip says of one; `mime` under which its path is dragged elsewhere, if it can be."""
        super().__init__()
        self.mime = mime
        self._about = about
        self._all: tuple[KeptT, ...] = ()
        self._wanted = ""
        self._shown: list[KeptT] = []
        self._pictures: dict[Path, QPixmap] = {}

    def show(self, kept: tuple[KeptT, ...]) -> None:
        """Show these; pictures that are there are kept, those that were not are looked for again."""
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
        """Show those whose names hold every word of the text."""
        self._wanted = text
        self._fill()

    def kept_at(self, index: Index) -> KeptT:
        """What stands in a row."""
        return self._shown[index.row()]

    def index_of(self, kept: KeptT) -> QModelIndex:
        """Where one stands; an invalid index where it is not shown."""
        return self.index(self._shown.index(kept), 0) if kept in self._shown else QModelIndex()

    def picture_at(self, index: Index) -> QPixmap:
        """Its picture; a null one where there is none."""
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
        """What is carried when the first of these is dragged."""
        data = QMimeData()
        data.setData(self.mime, str(self.kept_at(indexes[0]).path).encode())
        return data
