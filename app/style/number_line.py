"""NumberLine: a line for a number or a time, in which Space is left to the window until something is typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit


class NumberLine(QLineEdit):
    """A line whose text is no sentence: a Space that begins nothing plays, as everywhere else."""

    def event(self, event: QEvent) -> bool:
        """Leave the window its Space."""
        is_space = isinstance(event, QKeyEvent) and event.text() == " "
        if event.type() == QEvent.Type.ShortcutOverride and is_space and not self.isModified():
            event.ignore()
            return False
        return super().event(event)
