"""QuantityModel: the list of what can be plotted. Ticked is what is shown, pale what the selection does not have."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.features.plot.plotting import SORTS, Sort
from app.style.apply import current_theme
from app.style.fonts import SMALL, scaled, text_font
from app.style.icons import icon
from engine.runtime.quick_dataclass import dataclass

HEADINGS = ("Angles and slides", "Inverse dynamics", "Point: the joint", "Point: its handle", "Whole figure")
ROW = 22
Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()


@dataclass(frozen=True)
class QuantityLine:
    """A heading, or one sort of quantity below it."""

    text: str
    sort: Sort | None = None


def _heading(sort: Sort) -> str:
    of = sort.about.of
    if sort.about.of_forces:
        return HEADINGS[1]
    return HEADINGS[0 if of == "coordinate" else 4 if of == "figure" else 3 if sort.handle else 2]


def _label(sort: Sort) -> str:
    return f"{sort.about.label} {sort.component}".strip()


def lines_for(search: str) -> Iterator[QuantityLine]:
    """Yield the sorts of whose name or heading some words begin with the words of a search, below their headings."""
    words = search.casefold().split()
    for heading in HEADINGS:
        own = [each for each in SORTS.values() if _heading(each) == heading]
        found = [each for each in own if _is_meant(f"{heading} {_label(each)}".casefold().split(), words)]
        if found:
            yield QuantityLine(heading)
            yield from (QuantityLine(_label(each), each) for each in found)


def _is_meant(named: list[str], words: list[str]) -> bool:
    return all(any(each.startswith(word) for each in named) for word in words)


class QuantityModel(QAbstractListModel):
    """The list as a view reads it."""

    toggled = Signal(str)  # name of a sort

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines = tuple(lines_for(""))
        self._chosen: frozenset[str] = frozenset()
        self._there: frozenset[str] = frozenset(SORTS)

    def search(self, text: str) -> None:
        """Show only what is called so."""
        self.beginResetModel()
        self.lines = tuple(lines_for(text))
        self.endResetModel()

    def show_chosen(self, chosen: frozenset[str], there: frozenset[str]) -> None:
        """Tick these; those that are not `there` are pale."""
        if (chosen, there) != (self._chosen, self._there):
            self._chosen, self._there = chosen, there
            if self.lines:
                self.dataChanged.emit(self.index(0), self.index(len(self.lines) - 1))

    def is_pale(self, line: QuantityLine) -> bool:
        """True if nothing that is selected has it."""
        return line.sort is not None and line.sort.name not in self._there

    def toggle(self, row: int) -> None:
        """Tick or untick a row."""
        sort = self.lines[row].sort if 0 <= row < len(self.lines) else None
        if sort is not None:
            self.toggled.emit(sort.name)

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self.lines)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not 0 <= index.row() < len(self.lines) or self.lines[index.row()].sort is None:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.lines):
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        if line.sort is None:
            return None
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if line.sort.name in self._chosen else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.sort.about.note
        return None


class ChoicesView(QListView):
    """The list; a click or Enter ticks a row."""

    def __init__(self, choices: QuantityModel) -> None:
        super().__init__()
        self._choices = choices
        self.setModel(choices)
        self.setItemDelegate(_QuantityDelegate(self))
        self.setAccessibleName("What can be plotted")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:
        return QSize(100, 2 * scaled(ROW))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._choices.toggle(self.indexAt(event.position().toPoint()).row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choices.toggle(self.currentIndex().row())
            return
        super().keyPressEvent(event)


class _QuantityDelegate(QStyledItemDelegate):
    """Draws a heading, or a tick and a name."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, scaled(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        choices, theme, bounds = index.model(), current_theme(), option.rect
        assert isinstance(choices, QuantityModel)
        line, middle = choices.lines[index.row()], Qt.AlignmentFlag.AlignVCenter
        painter.save()
        painter.setFont(text_font(SMALL) if line.sort is None else text_font())
        if line.sort is None:
            painter.setPen(QColor(theme.text_faint))
            painter.drawText(bounds.adjusted(10, 2, -4, 0), middle, line.text)
            painter.restore()
            return
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(bounds, QColor(theme.hover))
        if index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked:
            side = scaled(12)
            icon("check", theme, "text_faint" if choices.is_pale(line) else "accent").paint(
                painter, bounds.left() + 10, bounds.center().y() - side // 2 + 1, side, side
            )
        painter.setPen(QColor(theme.text_faint if choices.is_pale(line) else theme.text))
        inner = bounds.adjusted(10 + scaled(18), 0, -4, 0)
        painter.drawText(
            inner, middle, painter.fontMetrics().elidedText(line.text, Qt.TextElideMode.ElideRight, inner.width())
        )
        painter.restore()
