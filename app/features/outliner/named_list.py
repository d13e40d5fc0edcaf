"""NamedList: a short list under a small heading, gone while it is empty: selection sets, reference pictures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QListWidget, QListWidgetItem, QMenu, QVBoxLayout, QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, scaled, text_font
from app.style.icons import icon

ROW_HEIGHT = 24
MOST_ROWS = 6  # more are scrolled to
IdRole = Qt.ItemDataRole.UserRole
Row = tuple[str, str, str, bool]  # id, name, icon, whether it is pale


class NamedList(QWidget):
    """Names that are clicked, renamed, removed and asked about."""

    clicked = Signal(str)  # id
    renamed = Signal(str, str)  # id, new name: a request, which the document may refuse
    removed = Signal(str)
    asked = Signal(str, QMenu)  # the menu of a row is about to open

    def __init__(self, heading: str) -> None:
        super().__init__()
        self.list = _List()
        self.list.setAccessibleName(heading)
        self.list.setIconSize(QSize(14, 14))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        title = QLabel(heading)
        title.setFont(text_font(SMALL))
        title.setProperty("faint", True)
        title.setContentsMargins(12, 4, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(2)
        column.addWidget(title)
        column.addWidget(self.list)
        self._rows: tuple[Row, ...] = ()
        self.list.itemClicked.connect(lambda item: self.clicked.emit(item.data(IdRole)))
        self.list.itemChanged.connect(self._rename)
        self.list.delete_pressed.connect(self._remove)
        self.list.customContextMenuRequested.connect(self._offer)
        self.hide()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these, in their order."""
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        theme, chosen = current_theme(), self.chosen
        self.list.blockSignals(True)
        self.list.clear()
        for id, name, picture, pale in rows:
            item = QListWidgetItem(icon(picture, theme, "text_quiet"), name)
            item.setData(IdRole, id)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setForeground(QColor(theme.text_faint if pale else theme.text))
            item.setSizeHint(QSize(0, scaled(ROW_HEIGHT)))
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.list.setFixedHeight(scaled(ROW_HEIGHT) * min(len(rows), MOST_ROWS) + 2)
        self.choose(chosen)
        self.setVisible(bool(rows))

    @property
    def chosen(self) -> str:
        """The id of the row that is lit; empty if none is."""
        item = self.list.currentItem()
        return str(item.data(IdRole)) if item is not None else ""

    def choose(self, id: str) -> None:
        """Light a row, or none."""
        ids = [row[0] for row in self._rows]
        self.list.setCurrentRow(ids.index(id) if id in ids else -1)

    def menu_for(self, id: str) -> QMenu:
        """Make the menu of a row."""
        menu, theme = QMenu(self), current_theme()
        self.choose(id)
        self.asked.emit(id, menu)
        rename = menu.addAction(icon("pencil", theme), "Rename")
        rename.triggered.connect(lambda: self.list.editItem(self.list.currentItem()))
        menu.addAction(icon("trash-2", theme), "Remove").triggered.connect(lambda: self.removed.emit(id))
        return menu

    def _offer(self, where: QPoint) -> None:
        item = self.list.itemAt(where)
        if item is not None:
            menu = self.menu_for(str(item.data(IdRole)))
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.list.viewport().mapToGlobal(where))

    def _rename(self, item: QListWidgetItem) -> None:
        id, name = str(item.data(IdRole)), item.text().strip()
        old = next(row[1] for row in self._rows if row[0] == id)
        if name and name != old:
            self.renamed.emit(id, name)
        else:
            item.setText(old)

    def _remove(self) -> None:
        if self.chosen:
            self.removed.emit(self.chosen)


class _List(QListWidget):
    delete_pressed = Signal()

    def event(self, event: QEvent) -> bool:
        """Delete means what is lit here, not what is selected in the views."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and _deletes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _deletes(event):
            self.delete_pressed.emit()
            return
        super().keyPressEvent(event)


def _deletes(event: QKeyEvent) -> bool:
    return event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
