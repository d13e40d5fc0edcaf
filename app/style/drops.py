"""Drops: what may be dropped on a window and its floating panels, whatever lies under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

_ABOUT_HANDLES = (QEvent.Type.Show, QEvent.Type.WinIdChange)
_ABOUT_DROPS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class Drops(QObject):
    """Listens where Qt hands drags to a window, before they reach fields and lists that would take them as text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._windows: dict[QObject, QWidget] = {}
        self.watch(parent)

    def watch(self, window: QWidget) -> None:
        """Take what is dropped on this window, too, whenever it is one."""
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self._listen(window)

    def take(self, window: QWidget, event: QDropEvent) -> bool:
        """Take a drag that is meant for it, and what is dropped; True if it was."""
        raise NotImplementedError

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is meant for it; everything else goes its way."""
        if isinstance(event, QDropEvent) and event.type() in _ABOUT_DROPS:
            window = watched if isinstance(watched, QWidget) else self._windows.get(watched)
            if window is not None and self.take(window, event):
                return True
        elif isinstance(watched, QWidget) and event.type() in _ABOUT_HANDLES:
            self._listen(watched)
        return False

    def _listen(self, window: QWidget) -> None:
        handle = window.windowHandle()
        if handle is not None:
            self._windows[handle] = window
            handle.installEventFilter(self)
