"""The list of displays that opens below a view's corner."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.scene.displays import DISPLAY_NAMES, DISPLAYS, Display


def display_menu(parent: QWidget, shown: Display, choose: Callable[[Display], None]) -> QMenu:
    """Make the menu, the display that is shown checked."""
    menu = QMenu(parent)
    menu.setObjectName("display")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for display in DISPLAYS:
        action = menu.addAction(DISPLAY_NAMES[display])
        action.setCheckable(True)
        action.setChecked(display == shown)
        action.triggered.connect(lambda _=False, each=display: choose(each))
    return menu
