"""DockTabs: the tabs of panels, none of them cut: names where all have room, else icons and the name of the front one.
A tip names each.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QTabBar, QWidget

from app.style.apply import current_theme
from app.style.icons import icon

BESIDE_NAME, BESIDE_ICON = 10, 2  # [px] left and right of it, as the style sheet has them
ICON, BESIDE_BUTTON = 14, 3  # [px]
RIGHT = QTabBar.ButtonPosition.RightSide


class DockTabs(QObject):
    """Shows names or icons in one bar of tabs, by its width. Qt writes the names again with each new layout of the
    panels: they stay in their tabs, and are not seen where icons are.
    """

    def __init__(self, bar: QTabBar, icons: Mapping[str, str]) -> None:
        """`icons` names that of each tab, by its text."""
        super().__init__(bar)
        self._bar, self._icons = bar, icons
        bar.setElideMode(Qt.TextElideMode.ElideNone)
        bar.currentChanged.connect(lambda _: self.fit())
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another width, another style."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.StyleChange):
            self.fit()
        return False

    def fit(self) -> None:
        """Choose among names alone, icons and the front name, and icons alone."""
        bar = self._bar
        names = [self._width(tab) for tab in range(bar.count())]
        if not names:
            return
        small = (len(names) - 1) * (ICON + 2 * BESIDE_ICON)
        front = names[max(0, bar.currentIndex())]
        shows = "none" if sum(names) <= bar.width() else "others" if front + small <= bar.width() else "all"
        for tab in range(bar.count()):
            is_named = shows == "none" or (shows == "others" and tab == bar.currentIndex())
            self._draw(tab, "" if is_named else self._icons.get(bar.tabText(tab), ""))
            button: QWidget | None = bar.tabButton(tab, RIGHT)
            if button is not None:
                button.setVisible(shows != "all")  # an icon fills its tab
        if bar.property("icons") != shows:
            bar.setProperty("icons", shows)
            bar.style().unpolish(bar)
            bar.style().polish(bar)
            bar.setIconSize(bar.iconSize())

    def _width(self, tab: int) -> int:
        """Measure a tab with its name, and the button beside it [px]."""
        button: QWidget | None = self._bar.tabButton(tab, RIGHT)
        beside = 0 if button is None else button.width() + BESIDE_BUTTON
        return self._bar.fontMetrics().horizontalAdvance(self._bar.tabText(tab)) + 2 * BESIDE_NAME + beside

    def _draw(self, tab: int, name: str) -> None:
        """Set the icon of a tab, unless it has it."""
        drawn = icon(name, current_theme()) if name else QIcon()
        if self._bar.tabIcon(tab).cacheKey() != drawn.cacheKey():
            self._bar.setTabIcon(tab, drawn)
