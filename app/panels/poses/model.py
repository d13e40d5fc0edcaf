"""PoseList: the poses of the library whose names hold what is searched for, as Qt's views want them."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QPixmap

from app.session import KeptPose

Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()


class PoseList(QAbstractListModel):
    """Names and pictures."""

    renamed = Signal(object, str)  # KeptPose, and the name that a person typed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[KeptPose, ...] = ()
        self._wanted = ""
        self._shown: list[KeptPose] = []
        self._pictures: dict[str, QPixmap] = {}

    def show(self, poses: tuple[KeptPose, ...]) -> None:
        """Show these; pictures of files that are still there are kept."""
        if poses != self._all:
            kept = {str(each.path) for each in poses}
            self._pictures = {path: picture for path, picture in self._pictures.items() if path in kept}
            self._all = poses
            self._fill()

    def search(self, text: str) -> None:
        """Show those whose names hold every word of the text."""
        self._wanted = text
        self._fill()

    def kept_at(self, index: Index) -> KeptPose:
        """The pose of a row."""
        return self._shown[index.row()]

    def index_of(self, kept: KeptPose) -> QModelIndex:
        """Where a pose stands; an invalid index where it is not shown."""
        return self.index(self._shown.index(kept), 0) if kept in self._shown else QModelIndex()

    def picture_at(self, index: Index) -> QPixmap:
        """Its picture; a null one where there is none."""
        kept = self.kept_at(index)
        if str(kept.path) not in self._pictures:
            self._pictures[str(kept.path)] = QPixmap(str(kept.picture))
        return self._pictures[str(kept.path)]

    def _fill(self) -> None:
        words = self._wanted.casefold().split()
        self.beginResetModel()
        self._shown = [each for each in self._all if all(word in each.pose.name.casefold() for word in words)]
        self.endResetModel()

    # Qt's model

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        kept = self.kept_at(index)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return kept.pose.name
        if role == Qt.ItemDataRole.ToolTipRole:
            whose = "Your own" if kept.own else "Comes with Sinew"
            how = "Double-click to apply, drag to the right to blend."
            return f"{kept.pose.name}\n{whose}, of {kept.pose.figure}. {how}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and self.kept_at(index).own else flags

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(self.kept_at(index), str(value))
        return True
