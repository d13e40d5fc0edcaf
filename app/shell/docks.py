"""Docks: where each panel stands at first, and how it is put there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QWidget

from app.features.feature import Dock, Side
from app.session import Session
from app.shell.dock_tabs import DockTabs
from app.style.panel_dock import PanelDock

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
SIZES: Mapping[Side, int] = {"left": 230, "right": 328, "bottom": 120}  # [logical px] across


def add_docks(window: QMainWindow, session: Session, places: Sequence[Dock]) -> dict[str, PanelDock]:
    """Add a dock for each panel, by name. The picture and the panels below it stand between the two sides."""
    area = Qt.DockWidgetArea
    for corner, beside in (
        (Qt.Corner.TopLeftCorner, area.LeftDockWidgetArea),
        (Qt.Corner.BottomLeftCorner, area.LeftDockWidgetArea),
        (Qt.Corner.TopRightCorner, area.RightDockWidgetArea),
        (Qt.Corner.BottomRightCorner, area.RightDockWidgetArea),
    ):
        window.setCorner(corner, beside)
    window.setTabPosition(area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
    docks: dict[str, PanelDock] = {}
    first: dict[Side, PanelDock] = {}
    for place in places:
        dock = PanelDock(place.title, window, partial(place.panel, session))
        dock.setObjectName(place.name)
        window.addDockWidget(AREAS[place.side], dock)
        if place.side in first:
            window.tabifyDockWidget(first[place.side], dock)
        first.setdefault(place.side, dock)
        docks[place.name] = dock
    _Titles(window, docks.values(), {place.title: place.icon for place in places})
    for side, dock in first.items():
        dock.raise_()
        way = Qt.Orientation.Vertical if side == "bottom" else Qt.Orientation.Horizontal
        window.resizeDocks([dock], [SIZES[side]], way)
    return docks


class _Titles(QObject):
    """A dock among tabs has its tab as its title; one that stands alone or floats has a bar. A double click on a tab
    makes its dock float.
    """

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget], icons: Mapping[str, str]) -> None:
        super().__init__(window)
        self._window, self._icons = window, icons
        self._none = {dock: QWidget(dock) for dock in docks}
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        for dock, none in self._none.items():
            none.hide()
            dock.setTitleBarWidget(none)
            for signal in (dock.topLevelChanged, dock.visibilityChanged, dock.dockLocationChanged):
                signal.connect(lambda *_: self._soon.start())

    def _follow(self) -> None:
        for dock, none in self._none.items():
            beside = (each for each in self._window.tabifiedDockWidgets(dock) if not each.isHidden())
            wanted = none if not dock.isFloating() and any(beside) else None
            if dock.titleBarWidget() is not wanted:
                dock.setTitleBarWidget(wanted)  # type: ignore[arg-type]
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if bar.isVisible() and not self._is_whole(bar):
                bar.hide()  # Qt leaves one behind where a third dock joins two; it shows beside the views
            if not bar.property("floats"):
                bar.setProperty("floats", True)
                bar.tabBarDoubleClicked.connect(lambda _, bar=bar: _float(self._window, bar))
                DockTabs(bar, self._icons)
            for tabs in bar.findChildren(DockTabs):
                tabs.fit()

    def _is_whole(self, bar: QTabBar) -> bool:
        """True if it holds a tab for each dock that is among its tabs now."""
        named = {dock.windowTitle(): dock for dock in self._none}
        first = named.get(bar.tabText(0)) if bar.count() else None
        if first is None:
            return bar.count() > 0
        beside = [each for each in self._window.tabifiedDockWidgets(first) if not each.isHidden()]
        return bar.count() > len(beside)


def _float(window: QMainWindow, bar: QTabBar) -> None:
    """Float the panel that the first of two clicks brought to the front; its tab may lie elsewhere since."""
    for dock in window.findChildren(QDockWidget):
        if dock.windowTitle() == bar.tabText(bar.currentIndex()) and not dock.isFloating():
            dock.setFloating(True)
            return
