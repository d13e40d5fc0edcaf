"""HistoryPanel: what was done, oldest first; a click goes there, and what was undone waits, greyed, below."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.session import Entry, Session
from app.style.apply import current_theme
from app.style.following import Following
from app.style.fonts import scaled, text_font
from app.style.grounds import make_panel

Index = QModelIndex | QPersistentModelIndex
PlaceRole = Qt.ItemDataRole.UserRole  # -1 past, 0 present, 1 undone
ROW_HEIGHT = 25
RAIL = 19  # where the line with the marks runs
_NOTHING = QModelIndex()


class HistoryList(QAbstractListModel):
    """The entries of the session's history."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._entries: tuple[Entry, ...] = session.history.entries
        self._position = session.history.position

    @property
    def position(self) -> int:
        """Row of the present document."""
        return self._position

    def follow(self) -> None:
        """Take over what changed in the history since last time."""
        new, old = self._session.history.entries, self._entries
        shift = self._dropped(old, new)
        if shift:
            self.beginRemoveRows(QModelIndex(), 0, shift - 1)
            self._entries = old = old[shift:]
            self.endRemoveRows()
        same = 0
        while same < min(len(old), len(new)) and old[same] is new[same]:
            same += 1
        if same < len(old):
            self.beginRemoveRows(QModelIndex(), same, len(old) - 1)
            self._entries = old[:same]
            self.endRemoveRows()
        if same < len(new):
            self.beginInsertRows(QModelIndex(), same, len(new) - 1)
            self._entries = new
            self.endInsertRows()
        self._position = self._session.history.position
        if new:
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self._entries):
            return None
        entry, place = self._entries[index.row()], index.row() - self._position
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.label
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.line or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.label}, {'present' if place == 0 else 'undone' if place > 0 else 'done'}"
        if role == PlaceRole:
            return (place > 0) - (place < 0)
        return None

    @staticmethod
    def _dropped(old: tuple[Entry, ...], new: tuple[Entry, ...]) -> int:
        """Count the oldest entries that are no longer kept."""
        if not old or not new or old[0] is new[0]:
            return 0
        return next((place for place, entry in enumerate(old) if entry is new[0]), 0)


class _HistoryView(QListView):
    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("History")
        self.setItemDelegate(_HistoryDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(lambda _: self.chosen.emit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
            return
        super().keyPressEvent(event)


class _HistoryDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, scaled(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, bounds = current_theme(), QRect(option.rect)
        place, last = int(index.data(PlaceRole)), index.model().rowCount() - 1
        painter.save()
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(bounds, QColor(theme.hover))
        if place == 0:
            painter.fillRect(bounds, QColor(theme.selection))
        middle, x = bounds.center().y() + 0.5, bounds.left() + RAIL
        top = bounds.top() if index.row() > 0 else middle
        bottom = bounds.bottom() + 1.0 if index.row() < last else middle
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(x - 0.5, top, 1.0, bottom - top), QColor(theme.line))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent if place == 0 else theme.text_faint if place < 0 else theme.line))
        size = 8.0 if place == 0 else 5.0
        painter.drawEllipse(QRectF(x - 0.5 * size, middle - 0.5 * size, size, size))
        font = text_font(weight=QFont.Weight.Medium if place == 0 else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(QColor((theme.text_quiet, theme.text, theme.text_faint)[place + 1]))
        frame = bounds.adjusted(RAIL + 15, 0, -10, 0)
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, frame.width())
        painter.drawText(frame, Qt.AlignmentFlag.AlignVCenter, text)
        if option.state & QStyle.StateFlag.State_HasFocus and option.state & QStyle.StateFlag.State_Selected:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(theme.accent))
            painter.drawRect(QRectF(bounds).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.restore()


class HistoryPanel(Following):
    """The list of what was done."""

    title = "History"
    help_text = """
<p>Every change, the newest last. Click a line to go back to the document as it was then, and on a later one to return:
nothing is lost until you change something else.</p>
<p>{edit.undo} goes one step back, {edit.redo} one step on.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self.entries = HistoryList(session, self)
        self.view = _HistoryView()
        self.view.setModel(self.entries)
        self.view.chosen.connect(lambda: session.go_to(self.view.currentIndex().row()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        session.history_changed.connect(self.follow)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(260, 130)

    def refresh(self) -> None:
        """Show the entries as they are now."""
        self.entries.follow()
        present = self.entries.index(self.entries.position)
        self.view.setCurrentIndex(present)
        self.view.scrollTo(present)
