"""LowerArea: the panels below the views get room when one of them is asked for, unless a hand made them low."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.style.fonts import scaled

BELOW = Qt.DockWidgetArea.BottomDockWidgetArea
ROOM = 240  # [logical px] with which a panel can be worked in; one that says so needs less
TABS = 32  # [logical px] of the tabs, which count as part of the area
MOST_SHARE = 0.45  # of the height of the window


class LowerArea(QObject):
    """Remembers the height that a hand has given to it."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._by_hand: int | None = None  # [px]
        self._due: QDockWidget | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._give)
        for dock in docks.values():
            dock.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take notice where a hand drags the border of the area."""
        if isinstance(event, QResizeEvent) and isinstance(watched, QDockWidget) and self._is_below(watched):
            is_held = bool(QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton)
            if is_held and event.oldSize().height() != event.size().height():
                self._by_hand = event.size().height()
        return False

    def forget(self) -> None:
        """The panels were laid out anew: no hand has made them low."""
        self._by_hand = None

    def give_room(self, dock: QDockWidget) -> None:
        """Make the area high enough for a panel that was brought to the front, once the layout is done."""
        if self._is_below(dock) and self._by_hand is None:
            self._due = dock
            self._soon.start()

    def _give(self) -> None:
        dock, self._due = self._due, None
        panel = None if dock is None else dock.widget()
        if dock is None or panel is None or not self._is_below(dock):
            return
        hint = panel.sizeHint().height()
        wanted = min(scaled(ROOM) if hint <= 0 else min(hint, scaled(ROOM)), int(MOST_SHARE * self._window.height()))
        if panel.height() < wanted:
            self._window.resizeDocks([dock], [wanted + scaled(TABS)], Qt.Orientation.Vertical)

    def _is_below(self, dock: QDockWidget) -> bool:
        return self._window.dockWidgetArea(dock) == BELOW and not dock.isFloating()
