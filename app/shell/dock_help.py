"""DockHelp: a small button beside the name of the dock that is in front, which opens the page of help about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabBar, QWidget

from app.shell.dock_tabs import DockTabs
from app.style.icon_button import IconButton

SIDE, BESIDE = 18, 50  # [px] of the button; left of the buttons that a dock's own bar has at its right end
RIGHT = QTabBar.ButtonPosition.RightSide


class DockHelp(QObject):
    """Follows the docks of one window: a dock among tabs has its button in its tab, one with a bar in that."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget], explain: Callable[[str], object]) -> None:
        super().__init__(window)
        self._window, self._docks, self._explain = window, docks, explain
        self._in_bars: dict[QDockWidget, IconButton] = {}
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        self._watched: set[int] = set()
        self._turned = QElapsedTimer()  # since another tab was in front
        self._turned.start()
        for dock in docks.values():
            dock.installEventFilter(self)
            for signal in (dock.topLevelChanged, dock.visibilityChanged, dock.dockLocationChanged):
                signal.connect(lambda *_: self._soon.start())

    def button_of(self, name: str) -> IconButton | None:
        """Return the button of a dock, if it is seen."""
        dock = self._docks[name]
        for bar in self._bars():
            for tab in range(bar.count()):
                button = bar.tabButton(tab, RIGHT)
                if bar.tabText(tab) == dock.windowTitle() and isinstance(button, IconButton):
                    return button
        own = self._in_bars.get(dock)
        return own if own is not None and own.isVisible() else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the button at the right end of a dock's own bar."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QDockWidget) and watched in self._in_bars:
            self._place(watched)
        return False

    def _follow(self) -> None:
        names = {dock.windowTitle(): name for name, dock in self._docks.items()}
        for bar in self._bars():
            if id(bar) not in self._watched:
                self._watched.add(id(bar))
                bar.currentChanged.connect(lambda *_: self._turn())
                bar.destroyed.connect(partial(self._watched.discard, id(bar)))
            for tab in range(bar.count()):
                button: QWidget | None = bar.tabButton(tab, RIGHT)
                if tab != bar.currentIndex() and button is not None:
                    bar.setTabButton(tab, RIGHT, None)
                    button.deleteLater()
                elif tab == bar.currentIndex() and button is None and bar.tabText(tab) in names:
                    bar.setTabButton(tab, RIGHT, self._make(names[bar.tabText(tab)]))
            for tabs in bar.findChildren(DockTabs):
                tabs.fit()
        for name, dock in self._docks.items():
            if dock.titleBarWidget() is None and not dock.isHidden():
                if dock not in self._in_bars:
                    self._in_bars[dock] = self._make(name)
                    self._in_bars[dock].setParent(dock)
                self._place(dock)
                self._in_bars[dock].show()
            elif dock in self._in_bars:
                self._in_bars[dock].hide()

    def _bars(self) -> list[QTabBar]:
        found = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [bar for bar in found if bar.isVisible()]

    def _make(self, name: str) -> IconButton:
        button = IconButton(
            "circle-help", f"Help about {self._docks[name].windowTitle()}", colour="text_faint", size=13
        )
        button.setFixedSize(SIDE, SIDE)
        button.clicked.connect(lambda: self._click(name))
        return button

    def _turn(self) -> None:
        """Another tab is in front."""
        self._turned.start()
        self._soon.start()

    def _click(self, name: str) -> None:
        """Explain it, unless this is the second of two clicks, the first of which brought the tab to the front."""
        if self._turned.hasExpired(QApplication.doubleClickInterval()):
            self._explain(name)

    def _place(self, dock: QDockWidget) -> None:
        panel = dock.widget()
        height = panel.y() if panel is not None else 2 * SIDE
        self._in_bars[dock].move(dock.width() - BESIDE - SIDE, max((height - SIDE) // 2, 0))
        self._in_bars[dock].raise_()
