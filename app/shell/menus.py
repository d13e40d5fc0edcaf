"""The menus and shortcuts, made from the table of actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QMenuBar

from app.shell.actions import ACTIONS, MENUS, Action
from app.style.apply import current_theme
from app.style.icons import icon

if TYPE_CHECKING:
    from app.shell.actions import Commands


class Menus:
    """One QAction for each line of the table; what can be done is looked at as a menu opens, and by `refresh`."""

    def __init__(self, bar: QMenuBar, commands: Commands) -> None:
        self._commands = commands
        self.actions: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        for name, opened_by in MENUS.items():
            menu = bar.addMenu(name)
            key = QShortcut(QKeySequence(opened_by), bar)  # as an ampersand would, but without the underline
            key.activated.connect(partial(bar.setActiveAction, menu.menuAction()))
            self.menus[name] = menu
            for line in ACTIONS:
                if line.menu == name:
                    self._add(menu, line)
            menu.aboutToShow.connect(self.refresh)
        self.draw_icons()

    def refresh(self) -> None:
        """Bring texts, switches and what is enabled up to date."""
        for line in ACTIONS:
            action = self.actions[line.id]
            action.setEnabled(self._commands.can(line))
            action.setText(self._commands.text(line))
            if line.checked:
                action.setChecked(self._commands.is_on(line))

    def draw_icons(self) -> None:
        """In the colours of the present theme."""
        for line in ACTIONS:
            if line.icon:
                self.actions[line.id].setIcon(icon(line.icon, current_theme()))

    def submenu(self, menu: str, name: str, *, before: str = "") -> QMenu:
        """A menu within a menu, made when it is first asked for; `before` is the action that it stands above."""
        found = self.menus.get(f"{menu}/{name}")
        if found is None:
            found = QMenu(name, self.menus[menu])
            if before:
                self.menus[menu].insertMenu(self.actions[before], found)
            else:
                self.menus[menu].addMenu(found)
            self.menus[f"{menu}/{name}"] = found
        return found

    def _add(self, menu: QMenu, line: Action) -> None:
        place = self.submenu(line.menu, line.submenu) if line.submenu else menu
        if line.begins_group:
            place.addSeparator()
        action = QAction(line.label, place)
        action.setShortcuts([QKeySequence(key) for key in line.keys])
        action.setCheckable(bool(line.checked))
        action.triggered.connect(self._caller(line))
        place.addAction(action)
        self.actions[line.id] = action

    def _caller(self, line: Action) -> Callable[[], None]:
        def run() -> None:
            self._commands.call(line)
            self.refresh()

        return run
