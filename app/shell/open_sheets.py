"""The sheets of a window, each made when it is asked for; and what F1 is about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QWidget

from app.features.table import FEATURES
from app.shell.actions import Action

if TYPE_CHECKING:
    from app.shell.help_sheet import HelpSheet, HelpTopic
    from app.shell.palette import PaletteRow
    from app.shell.window import MainWindow


class Sheets:
    """Opens them over one window. Help stays open beside it, the others are closed before work goes on."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._help: HelpSheet | None = None

    def show_about(self) -> None:
        """Versions and licence."""
        from app.shell.sheets import AboutSheet

        viewport = self._window.viewport
        graphics = viewport.graphics if viewport is not None else None
        AboutSheet(self._window, f"{graphics.version}, {graphics.renderer}" if graphics else "").open()

    def show_formats(self) -> None:
        """Show what is read and written."""
        from app.shell.formats_sheet import FormatsSheet

        FormatsSheet(self._window).open()

    def show_keys(self) -> None:
        """Show all keys."""
        from app.shell.keymap_page import KeymapPage

        KeymapPage(self._window).open()

    def show_preferences(self, topic: str = "Appearance") -> None:
        """Show the preferences."""
        from app.shell.preferences_sheet import PreferencesSheet

        PreferencesSheet(self._window, topic).open()

    def open_palette(self) -> None:
        """List every action by name."""
        from app.shell.palette import Palette

        window, recent = self._window, self._window.preferences.recent_actions
        palette = Palette(window, window.menus.commands, window.keys, recent, self._run, self._listed())
        palette.open_over(window)

    def _listed(self) -> Iterator[PaletteRow]:
        """List what menus list by name: recent files, and workspaces of one's own."""
        from app.shell.palette import PaletteRow

        window = self._window
        for path in map(Path, window.preferences.recent):
            label = f"Open {path.name}"
            run = partial(window.files.open, path)
            action = Action(id="file.recent", label=label, menu="File", call=run, submenu="Open recent")
            yield PaletteRow(action, label, (), str(path), "", run)
        for name in window.workspaces.own:
            present = "This workspace is on." if name == window.workspaces.present else ""
            run = partial(window.workspaces.go_to, name)
            action = Action(id="view.workspace", label=name, menu="View", call=run, submenu="Workspace")
            yield PaletteRow(action, name, (), "A workspace of your own", present, run)

    def _run(self, action: Action) -> None:
        self._window.remember_action(action.id)
        self._window.menus.actions[action.id].trigger()

    def show_help(self, about: str = "") -> None:
        """Explain a panel, else what the pointer is over, else what has the keyboard; else how to begin."""
        about = about or self._asked_about()
        if self._help is None:
            from app.shell.help_sheet import HelpSheet

            self._help = HelpSheet(self._window, self._topics(), self._window.keymap, self._window.keys)
            self._help.destroyed.connect(self._forget_help)
        self._help.turn_to(about)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    def refresh(self) -> None:
        """Other keys are on."""
        if self._help is not None:
            self._help.show_keys(self._window.keymap, self._window.keys)

    def _forget_help(self) -> None:
        self._help = None

    def _panels(self) -> list[tuple[str, str, QWidget]]:
        window = self._window
        views = [] if window.viewport is None else [("views", "Views", window.viewport)]
        docks = [(name, dock.windowTitle(), dock.widget()) for name, dock in window.docks.items()]
        return [*views, ("transport", "Transport", window.transport), *docks]

    def _topics(self) -> list[HelpTopic]:
        from app.shell.help_sheet import HelpTopic
        from app.shell.tour_card import TourCard

        topics = [HelpTopic(name, title, getattr(panel, "help_text", "")) for name, title, panel in self._panels()]
        more = [HelpTopic(*page) for feature in FEATURES for page in feature.help]
        return [HelpTopic("tour", "First scene", TourCard.help_text), *topics, *more]

    def _asked_about(self) -> str:
        """Return the name of the panel; that of the first scene lies over the views."""
        tour: list[tuple[str, str, QWidget]] = []
        if self._window.tour is not None:
            tour.append(("tour", "", self._window.tour.card))
        for widget in (QApplication.widgetAt(QCursor.pos()), self._window.focusWidget()):
            for name, _, panel in (*tour, *self._panels()):
                if widget is not None and (widget is panel or panel.isAncestorOf(widget)):
                    return name
        return "general"
