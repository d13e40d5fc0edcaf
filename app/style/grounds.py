"""Grounds: what makes a plain widget the ground of a panel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def make_panel(widget: QWidget) -> None:
    """Let a widget be painted in the colour of panels, wherever it is put."""
    widget.setProperty("panel", True)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
