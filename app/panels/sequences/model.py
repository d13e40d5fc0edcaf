"""SequenceList: the sequences of the library whose names hold what is searched for, as Qt's views want them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPixmap

from app.session import KeptSequence
from app.session.sequences import MIME

Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()


class SequenceList(QAbstractListModel):
    """Names and flipbooks."""

    renamed = Signal(object, str)  # KeptSequence, and the name that a person typed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[KeptSequence, ...] = ()
        self._wanted = ""
        self._shown: list[KeptSequence] = []
        self._strips: dict[str, QPixmap] = {}

    def show(self, sequences: tuple[KeptSequence, ...]) -> None:
        """Show these; flipbooks that are there are kept."""
        kept = {str(each.path) for each in sequences}
        drawn = {path: strip for path, strip in self._strips.items() if path in kept and not strip.isNull()}
        if sequences != self._all:
            self._strips, self._all = drawn, sequences
            self._fill()
        elif len(drawn) < len(self._strips):
            self._strips = drawn
            if self._shown:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, 0))

    def search(self, text: str) -> None:
        """Show those whose names hold every word of the text."""
        self._wanted = text
        self._fill()

    def kept_at(self, index: Index) -> KeptSequence:
        """The sequence of a row."""
        return self._shown[index.row()]

    def index_of(self, kept: KeptSequence) -> QModelIndex:
        """Where a sequence stands; an invalid index where it is not shown."""
        return self.index(self._shown.index(kept), 0) if kept in self._shown else QModelIndex()

    def strip_at(self, index: Index) -> QPixmap:
        """Its flipbook, poses side by side in squares; a null one where there is none yet."""
        kept = self.kept_at(index)
        if str(kept.path) not in self._strips:
            self._strips[str(kept.path)] = QPixmap(str(kept.picture))
        return self._strips[str(kept.path)]

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
            whose = "Your own" if kept.own else "Comes with Sinew"
            how = "Double-click to apply at the playhead, or drag it onto a figure or the timeline."
            return f"{kept.name}\n{whose}. {how}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and self.kept_at(index).own else flags

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(self.kept_at(index), str(value))
        return True

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """What is carried when the first of these is dragged."""
        data = QMimeData()
        data.setData(MIME, str(self.kept_at(indexes[0]).path).encode())
        return data
