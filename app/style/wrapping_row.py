"""WrappingRow: groups of tools side by side, in as many lines as they need; the last ones stand at the right.

It may be as narrow as its widest group: a panel with many tools does not keep the window wide.
"""

from __future__ import annotations

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QLayoutItem, QWidget


class WrappingRow(QLayout):
    """Lays its items out in lines, each as wide as it asks for."""

    def __init__(self, *, gap: int, margins: QMargins) -> None:
        """`gap` [px] stands between two groups, half of it between two lines."""
        super().__init__()
        self._gap, self._items = gap, list[QLayoutItem]()
        self._at_end = 0
        self.setContentsMargins(margins)

    def add_group(self, *widgets: QWidget, spacing: int = 1, at_end: bool = False) -> None:
        """Add widgets that stay together; those at the end come last."""
        group = QWidget()
        row = QHBoxLayout(group)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(spacing)
        for each in widgets:
            row.addWidget(each)
        self._at_end += at_end
        self.addWidget(group)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), moved=False)

    def sizeHint(self) -> QSize:
        """Return the size of a single line."""
        sizes = [item.sizeHint() for item in self._items]
        wide = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return self._around(wide, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """Return the size of the largest group."""
        sizes = [item.minimumSize() for item in self._items]
        return self._around(
            *(max((getattr(size, side)() for size in sizes), default=0) for side in ("width", "height"))
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, moved=True)

    def _around(self, width: int, height: int) -> QSize:
        margins = self.contentsMargins()
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def _place(self, rect: QRect, *, moved: bool) -> int:
        """Return the height that is needed for a width, everything moved to its place if wanted."""
        margins = self.contentsMargins()
        inner = rect.marginsRemoved(margins)
        x, y, tall = inner.left(), inner.top(), 0
        first_at_end = len(self._items) - self._at_end
        for number, item in enumerate(self._items):
            size = item.sizeHint()
            if x > inner.left() and x + size.width() > inner.right() + 1:
                x, y, tall = inner.left(), y + tall + self._gap // 2, 0
            if number == first_at_end:
                rest = sum(each.sizeHint().width() + self._gap for each in self._items[number:]) - self._gap
                x = max(x, inner.right() + 1 - rest)
            if moved:
                item.setGeometry(QRect(x, y, size.width(), size.height()))
            x, tall = x + size.width() + self._gap, max(tall, size.height())
        return y + tall - rect.top() + margins.bottom()
