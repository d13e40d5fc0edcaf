"""Grounds: paints a plain widget in the background colour of panels."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def make_panel(widget: QWidget) -> None:
    """Paint a widget in the background colour of panels, wherever it is put."""
    widget.setProperty("panel", True)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
