"""The menu of sequences: those of the library by name, filled as it opens."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QIcon, QPixmap
from PySide6.QtWidgets import QMenu

from app.features.sequences.library import KeptSequence, SequenceLibrary
from app.style.flipbook import page_of


class SequenceMenu(QObject):
    """Each of them with a picture of its flipbook; choosing one puts it on what is selected."""

    def __init__(self, menu: QMenu, library: SequenceLibrary) -> None:
        super().__init__(menu)
        self._menu, self._library = menu, library
        self._icons: dict[Path, QIcon] = {}
        library.changed.connect(lambda: self._icons.clear())
        above = menu.parent()
        assert isinstance(above, QMenu), "a menu within a menu"
        above.aboutToShow.connect(self.fill)  # an empty menu would not open

    def fill(self) -> None:
        """List what there is now."""
        self._menu.clear()
        before: KeptSequence | None = None
        for kept in self._library.sequences:
            if before is not None and kept.own and not before.own:
                self._menu.addSeparator()
            action = QAction(self._icon(kept), kept.name.replace("&", "&&"), self._menu)
            action.setToolTip("Put it on what is selected, from the playhead on")
            action.triggered.connect(partial(self._put, kept))
            self._menu.addAction(action)
            before = kept

    def _icon(self, kept: KeptSequence) -> QIcon:
        if kept.path not in self._icons:
            strip = QPixmap(str(kept.picture))
            self._icons[kept.path] = QIcon() if strip.isNull() else QIcon(strip.copy(page_of(strip)))
        return self._icons[kept.path]

    def _put(self, kept: KeptSequence, _: bool = False) -> None:
        self._library.put(kept)
