"""Row: widgets side by side in a panel, without margins."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.style.icon_button import IconButton


def row_of(*widgets: QWidget, narrow: type[QWidget] | tuple[type[QWidget], ...] = (QLabel, IconButton)) -> QWidget:
    """Lay widgets side by side; those of `narrow` kinds take no more room than they need."""
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(4)
    for widget in widgets:
        line.addWidget(widget, 0 if isinstance(widget, narrow) else 1)
    return row
