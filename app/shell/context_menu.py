"""The context menu: of the table of actions what can be done with what is selected, where the pointer is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QWidget

from app.features.action import Context
from app.session import Item, Session
from app.shell.actions import ACTIONS, Action
from app.shell.menus import Menus
from app.style.apply import current_theme
from app.style.icons import icon

if TYPE_CHECKING:
    from app.scene import Viewport

_SUBMENU_ICONS = {"Pin": "lock"}


class ContextMenu:
    """Makes menus of the actions of one window."""

    def __init__(self, session: Session, menus: Menus, parent: QWidget) -> None:
        self._session, self._menus, self._parent = session, menus, parent

    def open_at(self, viewport: Viewport, at: QPointF) -> QMenu | None:
        """Choose the symbol or the body at a point of a viewport, unless it is chosen, and show what can be done."""
        self._choose(viewport, at)
        return self.open(viewport.mapToGlobal(at).toPoint())

    def open_at_pointer(self) -> QMenu | None:
        """Open the menu of what is selected, where the pointer is over the window, else in the middle of it."""
        pointer, window = QCursor.pos(), self._parent
        inside = window.rect().contains(window.mapFromGlobal(pointer))
        return self.open(pointer if inside else window.mapToGlobal(window.rect().center()))

    def _choose(self, viewport: Viewport, at: QPointF) -> None:
        from app.scene.held_symbols import HELD  # here, for the window is painted before numpy is loaded

        found, pick = viewport.symbol_at(at, HELD), viewport.pick(at)
        if found is not None:
            item = Item(found.marker.owner, found.marker.part, found.marker.id)
        elif pick is not None and pick.owner in self._session.document.actor_index:
            actor = self._session.document.actor(pick.owner)
            item = Item(pick.owner, None if actor.figure.is_prop else pick.part)
            if pick.added is not None:
                item = Item(pick.owner, actor.joint_of(pick.added), pick.added)
        else:
            self._session.select(())
            return
        if item not in self._session.selection:
            self._session.select([item])

    def open(self, at: QPoint) -> QMenu | None:
        """Show it at a place of the screen; None, and nothing is shown, where nothing can be done."""
        menu = QMenu(self._parent)
        menu.setObjectName("context")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu)
        if menu.isEmpty():
            menu.deleteLater()
            return None
        menu.popup(at)
        return menu

    def fill(self, menu: QMenu, about: Context | None = None) -> None:
        """Add what can be done with what is selected, or with something else that is shown."""
        self._menus.refresh()
        meant = {about} if about is not None else contexts_of(self._session, self._session.selection.items)
        inside: dict[str, QMenu] = {}
        last: Action | None = None
        for line in ACTIONS:
            if meant.isdisjoint(line.contexts) or not self._menus.actions[line.id].isEnabled():
                continue
            place = menu
            if line.submenu and about is None:
                place = inside.get(line.submenu) or self._submenu(menu, line.submenu)
                inside[line.submenu] = place
            if not place.isEmpty() and (line.begins_group or (last is not None and last.menu != line.menu)):
                place.addSeparator()
            place.addAction(self._menus.actions[line.id])
            last = line

    def _submenu(self, menu: QMenu, name: str) -> QMenu:
        found = QMenu(name, menu)
        if name in _SUBMENU_ICONS:
            found.setIcon(icon(_SUBMENU_ICONS[name], current_theme()))
        menu.addMenu(found)
        return found


def contexts_of(session: Session, items: Iterable[Item]) -> set[Context]:
    """List the contexts of items, as far as actions ask; a prop is its one part, and no items are the ground."""
    about: set[Context] = set()
    for item in items:
        if item.added is not None:
            about.add("lock")
        elif item.part is not None:
            about.add("part")
        else:
            about.add("actor")
            if session.document.actor(item.actor).figure.is_prop:
                about.add("part")
    return about or {"ground"}
