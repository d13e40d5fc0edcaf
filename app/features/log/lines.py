"""LogList: the lines of the log, the newest 5,000 of them, of the kinds that a person wants to see."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.session import LOG_KEPT, LogEntry

KINDS = ("edit", "note", "warning", "error")
ICONS = {
    "edit": ("pencil", "text_faint"),
    "note": ("info", "accent"),
    "warning": ("triangle-alert", "warning"),
    "error": ("circle-alert", "danger"),
}
DROPPED_AT_ONCE = 100  # the oldest go in lots, so that a busy log does not move its list with every line
EntryRole = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()


class LogList(QAbstractListModel):
    """The entries as a list view reads them."""

    def __init__(self, entries: Iterable[LogEntry] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[LogEntry] = list(entries)[-LOG_KEPT:]
        self._kinds = frozenset(KINDS)
        self._seen = list(self._all)

    @property
    def seen(self) -> tuple[LogEntry, ...]:
        """The entries that the filter lets through, oldest first."""
        return tuple(self._seen)

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to filter."""
        return not self._all

    def add(self, entry: LogEntry) -> None:
        """Write a line; beyond the bound the oldest go."""
        self._all.append(entry)
        if entry.kind in self._kinds:
            self.beginInsertRows(QModelIndex(), len(self._seen), len(self._seen))
            self._seen.append(entry)
            self.endInsertRows()
        if len(self._all) > LOG_KEPT:
            self._drop_oldest()

    def clear(self) -> None:
        """Forget all lines."""
        self.beginResetModel()
        self._all.clear()
        self._seen.clear()
        self.endResetModel()

    def show_kinds(self, kinds: Iterable[str]) -> None:
        """Let only these kinds through."""
        self.beginResetModel()
        self._kinds = frozenset(kinds)
        self._seen = [entry for entry in self._all if entry.kind in self._kinds]
        self.endResetModel()

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self._seen)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self._seen):
            return None
        entry = self._seen[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == EntryRole:
            return entry
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{entry.text}\n{entry.line}" if entry.line else entry.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.kind}: {entry.text} {entry.line}".strip()
        return None

    def _drop_oldest(self) -> None:
        gone = self._all[:DROPPED_AT_ONCE]
        del self._all[:DROPPED_AT_ONCE]
        count = sum(entry.kind in self._kinds for entry in gone)
        if count:
            self.beginRemoveRows(QModelIndex(), 0, count - 1)
            del self._seen[:count]
            self.endRemoveRows()


def as_text(entries: Iterable[LogEntry]) -> str:
    """Entries for the clipboard: those with a line of Python as that line, the others as a comment."""
    return "\n".join(entry.line or "# " + entry.text.replace("\n", "\n# ") for entry in entries)
