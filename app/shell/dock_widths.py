"""DockWidths: a side that had to give way in a narrow window gets its width back as soon as there is room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow

SIDES = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)


class DockWidths(QObject):
    """Remembers how wide each side was made, by a hand or a workspace."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, tuple(docks.values())
        self._wanted: dict[Qt.DockWidgetArea, int] = {}
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._look)
        window.installEventFilter(self)
        for dock in self._docks:
            dock.installEventFilter(self)

    @property
    def wanted(self) -> Sequence[int]:
        """The widths to come back to, from the left [px]."""
        return [self._wanted[side] for side in SIDES if side in self._wanted]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look once the layout is done."""
        if event.type() == QEvent.Type.Resize:
            self._soon.start()
        return False

    def forget(self) -> None:
        """Take widths as they are from now on: the panels were laid out anew."""
        self._wanted.clear()
        self._soon.start()

    def _look(self) -> None:
        """Remember what a hand drags or what is wider than before; else give back what is lacking, as far as what lies
        between the sides has more than it needs."""
        seen = {side: dock for side in SIDES if (dock := self._shown(side)) is not None}
        dragged = bool(QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        for side, dock in seen.items():
            self._wanted[side] = dock.width() if dragged else max(self._wanted.get(side, 0), dock.width())
        middle = self._window.centralWidget()
        assert middle is not None, "of a main window"
        room, widths = middle.width() - middle.minimumSizeHint().width(), []
        for side, dock in seen.items():
            more = max(0, min(self._wanted[side] - dock.width(), room))
            room -= more
            widths.append(dock.width() + more)
        if any(width > dock.width() for width, dock in zip(widths, seen.values(), strict=True)):
            self._window.resizeDocks(list(seen.values()), widths, Qt.Orientation.Horizontal)

    def _shown(self, side: Qt.DockWidgetArea) -> QDockWidget | None:
        """The dock that is seen at a side; of several among tabs, the one in front."""
        standing: Sequence[QDockWidget] = [
            each
            for each in self._docks
            if self._window.dockWidgetArea(each) == side and each.isVisible() and not each.isFloating()
        ]
        return next((each for each in standing if not each.visibleRegion().isEmpty()), None)
