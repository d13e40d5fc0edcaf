"""Docks: where each panel stands at first, and how it is put there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from app.style.following import Following

Side = Literal["left", "right", "bottom"]
AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
SIZES = {"left": 220, "right": 300, "bottom": 120}  # [logical px] across


@dataclass(frozen=True)
class Place:
    """A panel and the side on which it stands until a person moves it; several on one side share it as tabs."""

    name: str  # kept in the preferences
    title: str
    side: Side
    panel: QWidget


def add_docks(window: QMainWindow, places: Sequence[Place]) -> dict[str, QDockWidget]:
    """A dock for each panel, by name. The picture and the panels below it stand between the two sides."""
    area = Qt.DockWidgetArea
    for corner, beside in (
        (Qt.Corner.TopLeftCorner, area.LeftDockWidgetArea),
        (Qt.Corner.BottomLeftCorner, area.LeftDockWidgetArea),
        (Qt.Corner.TopRightCorner, area.RightDockWidgetArea),
        (Qt.Corner.BottomRightCorner, area.RightDockWidgetArea),
    ):
        window.setCorner(corner, beside)
    window.setTabPosition(area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
    docks: dict[str, QDockWidget] = {}
    first: dict[Side, QDockWidget] = {}
    for place in places:
        dock = QDockWidget(place.title, window)
        dock.setObjectName(place.name)
        dock.setWidget(place.panel)
        if isinstance(place.panel, Following):
            dock.visibilityChanged.connect(place.panel.set_seen)
        if [each.side for each in places].count(place.side) > 1:
            dock.setTitleBarWidget(QWidget())  # its tab is its title
        window.addDockWidget(AREAS[place.side], dock)
        if place.side in first:
            window.tabifyDockWidget(first[place.side], dock)
        first.setdefault(place.side, dock)
        docks[place.name] = dock
    for side, dock in first.items():
        dock.raise_()
        way = Qt.Orientation.Vertical if side == "bottom" else Qt.Orientation.Horizontal
        window.resizeDocks([dock], [SIZES[side]], way)
    return docks
