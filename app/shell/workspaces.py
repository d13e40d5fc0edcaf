"""Workspaces: named arrangements of panels and views, those that Sinew begins with and a person's own.

A workspace is left as it is and found so again; reset lays it out as Sinew does. A person's own are kept as they were
saved and follow what is changed in them, too.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication

from app.features.feature import Side
from app.shell.arrangement import NAME_LENGTH, PLANS, Arrangement, on_screen
from app.shell.docks import AREAS

if TYPE_CHECKING:
    from app.shell.window import MainWindow

LAYOUT_VERSION = 2  # of the docks; a change of them makes older places meaningless


class Workspaces:
    """The arrangements of one window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._menu = window.menus.submenu("View", "Workspace")
        self._own: list[QAction] = []
        self._group = QActionGroup(self._menu)
        self.refresh()

    @property
    def present(self) -> str:
        """The name of the one that is on."""
        return self._window.preferences.placed_in

    @property
    def is_own(self) -> bool:
        """True if it is one that a person saved."""
        return self.present not in PLANS

    @property
    def own(self) -> list[str]:
        """The names of those that a person saved."""
        return sorted(each for each in self._window.preferences.workspaces if each not in PLANS)

    def go_to(self, name: str) -> None:
        """Leave the present one as it is, and go to another."""
        if name == self.present:
            return
        kept = {**self._window.preferences.workspaces, self.present: self.seen()}
        self._put(name, kept.get(name))
        self._window.prefer(workspaces=kept, placed_in=name)
        self.refresh()

    def reset(self) -> None:
        """Lay out the present one as Sinew does; one's own as the first is."""
        kept = {name: each for name, each in self._window.preferences.workspaces.items() if name != self.present}
        self._put(self.present, None)
        if self.is_own:
            kept[self.present] = self.seen()
        self._window.prefer(workspaces=kept)

    def save_as(self, name: str) -> None:
        """Keep what is seen under a name of one's own."""
        name = " ".join(name.split())[:NAME_LENGTH]
        if not name:
            return
        taken = {plan.label.casefold(): plan.label for plan in PLANS.values()} | {each: each for each in PLANS}
        if name.casefold() in taken:
            self._window.session.note(
                "warning", f"The workspace {name} comes with Sinew and is kept. Save yours under another name."
            )
            return
        kept = self._window.preferences.workspaces
        if self.present != name:
            kept = {**kept, self.present: kept.get(self.present, self.seen())}
        self._window.prefer(workspaces={**kept, name: self.seen()}, placed_in=name)
        self.refresh()

    def remove(self) -> None:
        """Forget the present one, which is one's own, and go back to the first."""
        gone, first = self.present, next(iter(PLANS))
        self.go_to(first)
        kept = {name: each for name, each in self._window.preferences.workspaces.items() if name != gone}
        self._window.prefer(workspaces=kept)
        self.refresh()

    def seen(self) -> Arrangement:
        """Return the present arrangement of panels and views."""
        viewport = self._window.viewport
        maximised = None if viewport is None else viewport.maximised
        return Arrangement(docks=packed(self._window.saveState(LAYOUT_VERSION)), maximised=maximised)

    def restore(self, docks: str) -> bool:
        """Put the docks where they stood; floating ones onto a screen that is there."""
        if not docks or not self._window.restoreState(unpacked(docks), LAYOUT_VERSION):
            return False
        self._window.dock_widths.forget()
        self._window.lower_area.forget()
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        for dock in self._window.docks.values():
            if dock.isFloating() and screens:
                dock.setGeometry(on_screen(dock.geometry(), screens))
        return True

    def refresh(self) -> None:
        """List one's own below those that Sinew begins with."""
        for action in self._own:
            self._menu.removeAction(action)
            action.deleteLater()
        self._own.clear()
        above = self._window.menus.actions["view.workspace_reset"]
        for name in self.own:
            action = QAction(name.replace("&", "&&"), self._menu)
            action.setCheckable(True)
            action.setChecked(name == self.present)
            action.triggered.connect(partial(self._choose, name))
            self._menu.insertAction(self._separator_above(above), action)
            self._own.append(action)

    def _separator_above(self, action: QAction) -> QAction:
        """Find the line that sets an action off in the menu; the action itself where there is none."""
        actions = self._menu.actions()
        place = actions.index(action)
        return actions[place - 1] if place and actions[place - 1].isSeparator() else action

    def _choose(self, name: str) -> None:
        self.go_to(name)
        self.refresh()
        self._window.menus.refresh_soon()

    def _put(self, name: str, kept: Arrangement | None) -> None:
        if kept is not None and self.restore(kept.docks):
            maximised = kept.maximised
        else:
            maximised = self._lay_out(name)
        if self._window.viewport is not None:
            self._window.viewport.maximise(maximised)

    def _lay_out(self, name: str) -> int | None:
        """Lay the panels out as Sinew does; return the view that then fills the picture."""
        window, plan, size = self._window, PLANS.get(name, next(iter(PLANS.values()))), self._window.size()
        first: dict[Side, str] = {}
        for place in window.places:
            dock = window.docks[place.name]
            dock.setFloating(False)
            window.addDockWidget(AREAS[place.side], dock)
            if place.side in first:
                window.tabifyDockWidget(window.docks[first[place.side]], dock)
            first.setdefault(place.side, place.name)
            dock.setVisible(place.name not in plan.away)
        for side in first:
            names = [each.name for each in window.places if each.side == side and each.name not in plan.away]
            way = Qt.Orientation.Vertical if side == "bottom" else Qt.Orientation.Horizontal
            if names:
                window.resizeDocks([window.docks[names[0]]], [plan.sizes[side]], way)
        for each in plan.raised:
            window.docks[each].raise_()
        layout = window.layout()
        assert layout is not None, "of a main window"
        layout.activate()  # docks stood side by side for a moment, which may have made the window wider
        window.resize(size)
        window.dock_widths.forget()
        window.lower_area.forget()
        return plan.maximised


def packed(state: QByteArray) -> str:
    """Write bytes as text."""
    return bytes(state.toBase64().data()).decode("ascii")


def unpacked(text: str) -> QByteArray:
    """Text as it was."""
    return QByteArray.fromBase64(text.encode("ascii"))
