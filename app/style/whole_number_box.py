"""WholeNumberBox: a spin box for a whole number, in which Space is left to the window, since no number has one."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSpinBox


class WholeNumberBox(QSpinBox):
    """A spin box."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.text() == " ":
            event.ignore()
            return False
        return super().event(event)
