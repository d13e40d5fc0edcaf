"""Legend: the curves that are shown, their colours, and their numbers at the playhead. A click mutes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.style.apply import current_theme
from app.style.fonts import number_font, scaled, text_font
from app.style.hues import hue
from app.style.scales import scale_of
from engine.measure import Quantity

if TYPE_CHECKING:
    from app.features.plot.plotting import Series

ROW, SWATCH = 22, 14
Index = QModelIndex | QPersistentModelIndex
_NOTHING = QModelIndex()
NumberRole = Qt.ItemDataRole.UserRole


class Legend(QAbstractListModel):
    """The curves as a view reads them."""

    muted_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.series: tuple[Series, ...] = ()
        self.muted: set[tuple[Quantity, str]] = set()  # with what they are called
        self.names: tuple[str, ...] = ()
        self._numbers: list[str] = []

    def show_series(self, series: Sequence[Series], names: Sequence[str], time: int) -> None:
        """Show these, called so, with their numbers at a time."""
        if [each.quantity for each in series] == [each.quantity for each in self.series] and tuple(names) == self.names:
            self.series = tuple(series)
        else:
            self.beginResetModel()
            self.series, self.names, self._numbers = tuple(series), tuple(names), []
            self.endResetModel()
        self.show_time(time)

    def show_time(self, time: int) -> None:
        """Show the numbers at a time."""
        if not self.series:
            return
        from app.features.plot.lines import value_at  # brings numpy, which is there by now

        numbers = []
        for each in self.series:
            scale = scale_of(each.unit)
            numbers.append(f"{scale.number(value_at(each, time))} {scale.text}".strip())
        if numbers != self._numbers:
            self._numbers = numbers
            self.dataChanged.emit(self.index(0), self.index(len(numbers) - 1))

    def is_muted(self, row: int) -> bool:
        """True if a curve is left out of the drawing."""
        return self._key(row) in self.muted

    def toggle(self, row: int) -> None:
        """Leave a curve out of the drawing, or show it again."""
        if 0 <= row < len(self.series):
            self.muted ^= {self._key(row)}
            self.dataChanged.emit(self.index(row), self.index(row))
            self.muted_changed.emit()

    def _key(self, row: int) -> tuple[Quantity, str]:
        return self.series[row].quantity, self.series[row].label

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self.series)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.series):
            return None
        name = self.names[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == NumberRole:
            return self._numbers[index.row()] if self._numbers else ""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{name}: {index.data(NumberRole)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            series = self.series[index.row()]
            rough = int(series.by_differences.sum())
            dashed = f"Dashed: by differences of what is seen, at {rough} frames" if rough else ""
            return "\n".join(each for each in (name, dashed, series.caution) if each)
        return None


class LegendView(QListView):
    """The list; a click or Enter mutes a curve."""

    def __init__(self, legend: Legend) -> None:
        super().__init__()
        self._legend = legend
        self.setModel(legend)
        self.setItemDelegate(_Row(self))
        self.setAccessibleName("Curves shown")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 2 * scaled(ROW))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._legend.toggle(self.indexAt(event.position().toPoint()).row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._legend.toggle(self.currentIndex().row())
            return
        super().keyPressEvent(event)


class _Row(QStyledItemDelegate):
    """Draws a colour, a name and a number."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, scaled(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        legend, theme, bounds = index.model(), current_theme(), QRect(option.rect)
        assert isinstance(legend, Legend)
        muted = legend.is_muted(index.row())
        painter.save()
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(bounds, QColor(theme.hover))
        y = bounds.center().y() + 1
        painter.setPen(
            QPen(QColor(theme.text_faint if muted else hue(index.row(), on_dark=theme.is_dark)), 1.0 if muted else 2.0)
        )
        painter.drawLine(bounds.left() + 8, y, bounds.left() + 8 + SWATCH, y)
        painter.setFont(number_font())
        number, right = str(index.data(NumberRole)), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        width = painter.fontMetrics().horizontalAdvance(number)
        inner = bounds.adjusted(8 + SWATCH + 8, 0, -8, 0)
        painter.setPen(QColor(theme.text_faint if muted else theme.text))
        painter.drawText(inner, right, number)
        painter.setFont(text_font())
        painter.setPen(QColor(theme.text_faint if muted else theme.text_quiet))
        inner.setRight(inner.right() - width - 8)
        name = painter.fontMetrics().elidedText(
            legend.names[index.row()], Qt.TextElideMode.ElideMiddle, max(inner.width(), 0)
        )
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, name)
        painter.restore()
