"""FileDrops: files may be dropped anywhere on the window and its floating panels, whatever lies under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

_ABOUT_HANDLES = (QEvent.Type.Show, QEvent.Type.WinIdChange)


class FileDrops(QObject):
    """Listens where Qt hands drags to a window, before they reach fields and lists that would take them as text."""

    def __init__(self, parent: QWidget, dropped: Callable[[Sequence[Path]], None]) -> None:
        super().__init__(parent)
        self._dropped = dropped
        self.watch(parent)

    def watch(self, window: QWidget) -> None:
        """Take files that are dropped on this window, too, whenever it is one."""
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self._listen(window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Files are taken, everything else goes its way."""
        kind = event.type()
        if kind in _ABOUT_HANDLES and isinstance(watched, QWidget):
            self._listen(watched)
        elif isinstance(event, QDropEvent) and kind in (
            QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop
        ):  # fmt: skip
            files = files_of(event.mimeData())
            if files:
                event.acceptProposedAction()
                if not isinstance(event, QDragMoveEvent):
                    self._dropped(files)
                return True
        return super().eventFilter(watched, event)

    def _listen(self, window: QWidget) -> None:
        handle = window.windowHandle()
        if handle is not None:
            handle.installEventFilter(self)


def files_of(dropped: QMimeData) -> list[Path]:
    """The files and folders of this machine among what is dropped."""
    return [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile() and url.toLocalFile()]
