"""FileDrops: files that are dropped on the window or a floating panel are opened, wherever they are let go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.style.drops import Drops


class FileDrops(Drops):
    """Files, anywhere."""

    def __init__(self, parent: QWidget, dropped: Callable[[Sequence[Path]], None]) -> None:
        self._dropped = dropped
        super().__init__(parent)

    def take(self, window: QWidget, event: QDropEvent) -> bool:
        files = files_of(event.mimeData())
        if files:
            event.acceptProposedAction()
            if not isinstance(event, QDragMoveEvent):
                self._dropped(files)
        return bool(files)


def files_of(dropped: QMimeData) -> list[Path]:
    """Return the files and folders of this machine among what is dropped."""
    return [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile() and url.toLocalFile()]
