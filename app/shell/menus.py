"""The menus and shortcuts, made from the table of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QMenuBar

from app.shell.actions import ACTIONS, ASKING_ALIKE, MENUS, Action
from app.shell.keymaps import Keys, keys_text, menu_keys
from app.style.apply import current_theme
from app.style.icons import icon
from app.style.shown_keys import show_keys

if TYPE_CHECKING:
    from app.shell.actions import Commands

CHANGING = tuple(line for line in ACTIONS if line.text or line.checked)


class Menus:
    """One QAction for each line of the table; what can be done is looked at as a menu opens, and by `refresh`."""

    def __init__(self, bar: QMenuBar, commands: Commands, keys: Mapping[str, Keys]) -> None:
        self.commands = commands
        self._keys: Mapping[str, Keys] = {}
        self._actions: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        self._openers: dict[str, QShortcut] = {}
        self._soon = QTimer(bar, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)
        for name in MENUS:
            menu = bar.addMenu(name)
            menu.setToolTipsVisible(True)
            opener = QShortcut(bar)  # as an ampersand would, but without the underline
            opener.activated.connect(partial(bar.setActiveAction, menu.menuAction()))
            self.menus[name], self._openers[name] = menu, opener
            for line in ACTIONS:
                if line.menu == name:
                    self._add(menu, line)
            menu.aboutToShow.connect(self.refresh)
            menu.aboutToShow.connect(self._explain)
        self.draw_icons()
        self.set_keys(keys)

    def set_keys(self, keys: Mapping[str, Keys]) -> None:
        """Other keys are on."""
        self._keys = keys
        for action in self._actions.values():
            action.setShortcuts([])  # all at first: two actions that swap their keys never share one
        for line in ACTIONS:
            self._actions[line.id].setShortcuts([QKeySequence(key) for key in keys[line.id]])
        opens = menu_keys(keys)
        for menu, opener in self._openers.items():
            opener.setKey(QKeySequence(opens.get(menu, "")))
        show_keys({action: keys_text(each) for action, each in keys.items()})

    @property
    def actions(self) -> Mapping[str, QAction]:
        """The QAction of each line by its id, up to date."""
        self.catch_up()
        return self._actions

    def refresh_soon(self) -> None:
        """Bring all up to date when the window comes to it: one change brings a dozen signals, a key may come next."""
        if not self._soon.isActive():
            self._soon.start()

    def catch_up(self) -> None:
        """Bring all up to date now, if that is still to come."""
        if self._soon.isActive():
            self.refresh()

    def refresh(self) -> None:
        """Bring texts, switches and what is enabled up to date, of those actions in which they ever change."""
        self._soon.stop()
        for lines in ASKING_ALIKE:
            is_possible = self.commands.can(lines[0])
            for line in lines:
                self._actions[line.id].setEnabled(is_possible)
        for line in CHANGING:
            action = self._actions[line.id]
            if line.text:
                action.setText(self.commands.text(line))
            if line.checked:
                action.setChecked(self.commands.is_on(line))

    def _explain(self) -> None:
        """Set the tooltips: what each does, and by which keys, or why it cannot be done now; a menu shows the first key
        itself."""
        for line in ACTIONS:
            others = keys_text(self._keys[line.id][1:])
            about = self.commands.why_not(line) or self.commands.about(line)
            self._actions[line.id].setToolTip(f"{about} Also {others}." if others else about)

    def draw_icons(self) -> None:
        """Draw the icons in the colours of the present theme."""
        for line in ACTIONS:
            if line.icon:
                self._actions[line.id].setIcon(icon(line.icon, current_theme()))

    def submenu(self, menu: str, name: str, *, before: str = "") -> QMenu:
        """Return a menu within a menu, made when it is first asked for; `before` is what it stands above: an action's
        id, or the name of another menu within that menu."""
        found = self.menus.get(f"{menu}/{name}")
        if found is None:
            found = QMenu(name, self.menus[menu])
            found.setToolTipsVisible(True)
            if before:
                other = self.menus.get(f"{menu}/{before}")
                self.menus[menu].insertMenu(other.menuAction() if other else self._actions[before], found)
            else:
                self.menus[menu].addMenu(found)
            self.menus[f"{menu}/{name}"] = found
        return found

    def _add(self, menu: QMenu, line: Action) -> None:
        begins_menu = bool(line.submenu) and f"{line.menu}/{line.submenu}" not in self.menus
        if line.begins_group and begins_menu:
            menu.addSeparator()
        place = self.submenu(line.menu, line.submenu) if line.submenu else menu
        if line.begins_group and not begins_menu:
            place.addSeparator()
        action = QAction(line.label, place)
        action.setCheckable(bool(line.checked))
        action.triggered.connect(self._caller(line))
        place.addAction(action)
        self._actions[line.id] = action

    def _caller(self, line: Action) -> Callable[[], None]:
        def run() -> None:
            self.commands.call(line)
            self.refresh_soon()

        return run
