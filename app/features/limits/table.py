"""LimitTable: the limits of a figure, a line each: of what, how large, how much of the clip is inside."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from app.style.apply import current_theme
from app.style.fonts import number_font, scaled, text_font
from engine.queries.limit_table import LimitRow

ROW = 22
NUMBERS = (2, 3, 4)  # columns
COLUMNS = ("On", "Limit", "In clip", "Volume", "Memory", "Made of")
TIPS = (
    "Whether it holds in place of its hinges' own lower and upper limits; a click changes that",
    "Its name; a click shows it",
    "How much of what the figure does is inside",
    "How much of Euler space is allowed, in radians to the power of its angles",
    "What its field takes",
    "What it was made of, and its nodes",
)
_POWERS = ("", "", "²", "³", "⁴", "⁵")
Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()


def cells(row: LimitRow) -> tuple[str, ...]:
    """Return the cells of a line; empty where something is not known yet."""
    volume = "" if row.volume is None else f"{row.volume:.3g} rad{_POWERS[len(row.nodes)]}"
    memory = "" if row.bytes is None else in_bytes(row.bytes)
    inside = "" if row.inside is None else f"{100.0 * row.inside:.0f} %"
    nodes = " × ".join(map(str, dict.fromkeys(row.nodes))) if len(set(row.nodes)) > 1 else f"{row.nodes[0]}"
    power = _POWERS[len(row.nodes)] if len(set(row.nodes)) == 1 else ""
    return "", row.name, inside, volume, memory, f"{row.kind}, {nodes}{power}"


def in_bytes(count: int) -> str:
    """Write a size so that a person can picture it."""
    return f"{count / 1e3:.0f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"


class LimitRows(QAbstractTableModel):
    """The table as a view reads it."""

    toggled = Signal(str, bool)  # limit, on

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[LimitRow, ...] = ()

    def show_rows(self, rows: tuple[LimitRow, ...]) -> None:
        """Show these."""
        if rows is self.rows:
            return
        if [each.limit for each in rows] == [each.limit for each in self.rows]:
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return TIPS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_side(section) | Qt.AlignmentFlag.AlignVCenter)
        return COLUMNS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        found = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return found | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else found

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.rows):
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return cells(row)[column]
        if role == Qt.ItemDataRole.CheckStateRole and column == 0:
            return Qt.CheckState.Checked if row.on else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.problem or (cells(row)[column] if column else TIPS[0])
        if role == Qt.ItemDataRole.ForegroundRole:
            theme = current_theme()
            return QColor(theme.danger if row.problem else theme.text if row.on else theme.text_faint)
        if role == Qt.ItemDataRole.FontRole:
            return number_font() if column in NUMBERS else text_font()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_side(column) | Qt.AlignmentFlag.AlignVCenter)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != 0:
            return False
        row = self.rows[index.row()]
        self.toggled.emit(row.limit, not row.on)
        return True


class LimitTable(QTableView):
    """The lines; a click shows a limit."""

    chosen = Signal(str)

    def __init__(self, rows: LimitRows) -> None:
        super().__init__()
        self._rows = rows
        self.setModel(rows)
        self.setAccessibleName("Joint limits of the figure")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(scaled(ROW))
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setMinimumSectionSize(scaled(26))

    def sizeHint(self) -> QSize:
        return QSize(280, scaled(ROW) * 5)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, scaled(ROW) * 3)

    def light(self, limit: str) -> None:
        """Light the line of a limit."""
        found = next((row for row, each in enumerate(self._rows.rows) if each.limit == limit), -1)
        if found < 0:
            self.clearSelection()
        elif not self.selectionModel().isRowSelected(found, QModelIndex()):
            self.selectRow(found)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.column() != 0:
            self.chosen.emit(self._rows.rows[index.row()].limit)


def _side(column: int) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignRight if column in NUMBERS else Qt.AlignmentFlag.AlignLeft
