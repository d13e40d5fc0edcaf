"""The menu of recent files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu


class RecentMenu:
    """Files that were opened or saved, newest first, by name; the folder is in the tooltip and the status text."""

    def __init__(self, menu: QMenu, open: Callable[[Path], None]) -> None:
        self._menu = menu
        self._open = open
        menu.setToolTipsVisible(True)

    def show_paths(self, paths: Sequence[str]) -> None:
        """List these."""
        self._menu.clear()
        self._menu.menuAction().setEnabled(bool(paths))
        for text in paths:
            action = QAction(Path(text).name.replace("&", "&&"), self._menu)
            action.setToolTip(text)
            action.triggered.connect(self._opener(Path(text)))
            self._menu.addAction(action)

    def _opener(self, path: Path) -> Callable[[], None]:
        return lambda: self._open(path)
