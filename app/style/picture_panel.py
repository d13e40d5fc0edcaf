"""PicturePanel: a library as a panel: pictures, a field that finds one by name, and the commands on an entry.

It knows no session: a panel of its kind says what the library holds and how one of it is put on what is selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QModelIndex, QPoint, QSize
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from app.style.apply import current_theme
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.icons import icon
from app.style.message_bar import MessageBar
from app.style.picture_grid import PictureGrid
from app.style.picture_list import KeptT
from app.style.search_field import SearchField

_InT = TypeVar("_InT", contravariant=True)


class Library(Protocol[_InT]):
    """A folder of entries that can be renamed, removed and restored."""

    def rename(self, kept: _InT, name: str) -> None:
        """Rename an entry of the person's own."""

    def remove(self, kept: _InT) -> None:
        """Move an entry of the person's own into the trash."""

    def restore(self) -> None:
        """Bring back the entry that was removed last."""


class PicturePanel(Following, Generic[KeptT]):
    """A grid of pictures with a search field and buttons."""

    nothing_found = ""

    def __init__(
        self,
        grid: PictureGrid[KeptT],
        library: Library[KeptT],
        *,
        find: str,
        keep: IconButton,
        switches: Sequence[IconButton] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`switches` follow those that every library has; `keep` adds what is seen to it."""
        super().__init__(parent)
        make_panel(self)
        self._grid, self._library = grid, library
        self.search, self.keep, self.message = SearchField(find), keep, MessageBar()
        self.mirrored = IconButton("flip-horizontal-2", "Left as right and right as left")
        self.selected_only = IconButton("bone", "On the selected joints alone")
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 8, 4)
        head.setSpacing(2)
        head.addWidget(self.search, 1)
        for switch in (self.mirrored, self.selected_only, *switches):
            switch.setCheckable(True)
            head.addWidget(switch)
        head.addWidget(keep)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(head)
        self._column.addWidget(grid, 1)
        self._column.addWidget(self.message)
        self.search.textChanged.connect(grid.pictures.search)
        grid.pictures.renamed.connect(library.rename)
        grid.doubleClicked.connect(lambda index: self.apply(grid.pictures.kept_at(index)))
        grid.removal_wanted.connect(lambda index: self._remove(grid.pictures.kept_at(index)))
        grid.customContextMenuRequested.connect(self._offer)
        self._behind = True  # looked up once it is seen

    def everything(self) -> tuple[KeptT, ...]:
        """Return all entries of the library."""
        raise NotImplementedError

    def has_joints(self) -> bool:
        """Return True if joints are selected."""
        raise NotImplementedError

    def apply(self, kept: KeptT, *, mirrored: bool | None = None, on_selected: bool | None = None) -> None:
        """Apply an entry to the selection; options that are not given are those of the switches."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        return QSize(220, 320)

    def refresh(self) -> None:
        """Show the library as it is now."""
        self._grid.pictures.show(self.everything())
        self._grid.hint = self.nothing_found
        self._grid.viewport().update()

    def menu_for(self, index: QModelIndex) -> QMenu:
        """Build the context menu of an entry."""
        menu, theme, kept = QMenu(self), current_theme(), self._grid.pictures.kept_at(index)
        menu.addAction("Apply").triggered.connect(lambda: self.apply(kept))
        mirror = menu.addAction(icon("flip-horizontal-2", theme), "Apply mirrored")
        mirror.triggered.connect(lambda: self.apply(kept, mirrored=True))
        some = menu.addAction(icon("bone", theme), "Apply to selected joints")
        some.triggered.connect(lambda: self.apply(kept, on_selected=True))
        some.setEnabled(self.has_joints())
        menu.addSeparator()
        rename = menu.addAction(icon("pencil", theme), "Rename")
        remove = menu.addAction(icon("trash-2", theme), "Remove")
        rename.triggered.connect(lambda: self._grid.edit(self._grid.pictures.index_of(kept)))
        remove.triggered.connect(lambda: self._remove(kept))
        for action in (rename, remove):
            action.setEnabled(kept.own)
        return menu

    def show_added(self, kept: KeptT) -> None:
        """Show the entry that was just kept, ready to be given a name."""
        if self._seen and self.isVisible():
            self.search.clear()
            index = self._grid.pictures.index_of(kept)
            self._grid.setCurrentIndex(index)
            self._grid.scrollTo(index)
            self._grid.edit(index)

    def set_ready(self, ready: bool) -> None:
        """Enable the panel once the engine can compute poses."""
        for widget in (self._grid, self.keep):
            widget.setEnabled(ready)

    def _offer(self, where: QPoint) -> None:
        index = self._grid.indexAt(where)
        if index.isValid():
            self._grid.setCurrentIndex(index)
            self.menu_for(index).popup(self._grid.viewport().mapToGlobal(where))

    def _remove(self, kept: KeptT) -> None:
        if not kept.own:
            self.message.say(f"{kept.name} comes with Sinew and stays.")
            return
        self._library.remove(kept)
        if kept not in self.everything():
            self.message.say(f"Removed {kept.name}.", do="Undo", act=self._library.restore)
