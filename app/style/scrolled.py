"""Scrolled: a panel in a frameless area that scrolls up and down."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.style.grounds import make_panel


def fill_scrolled(panel: QWidget, inside: QWidget) -> QScrollArea:
    """Fill a panel with an area in which a widget scrolls; the area takes no keys."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    column = QVBoxLayout(panel)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(area)
    return area


def scrolled_column(panel: QWidget, *, spacing: int = 4) -> QVBoxLayout:
    """Fill a panel with a column that scrolls, with the margins of all panels."""
    ground = QWidget()
    make_panel(ground)
    column = QVBoxLayout(ground)
    column.setContentsMargins(12, 6, 12, 12)
    column.setSpacing(spacing)
    fill_scrolled(panel, ground)
    return column
