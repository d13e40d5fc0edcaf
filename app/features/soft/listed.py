"""Short lists of a dock: items that know an id, as high as they have rows."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.style.fonts import scaled

ROW, MOST_ROWS = 22, 5  # [logical px] of a row; rows that are seen at once
ID = Qt.ItemDataRole.UserRole


def item_of(text: str, id: str) -> QListWidgetItem:
    """Make an item of a list."""
    item = QListWidgetItem(text)
    item.setData(ID, id)
    item.setSizeHint(QSize(0, scaled(ROW)))
    return item


def fit(list_: QListWidget) -> None:
    """Let a list be as high as its rows, but for those that are scrolled to."""
    rows = min(list_.count(), MOST_ROWS)
    list_.setFixedHeight(rows * scaled(ROW) + 2 * list_.frameWidth() + 4)
    list_.setVisible(rows > 0)
