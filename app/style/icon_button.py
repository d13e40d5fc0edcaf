"""IconButton: a flat button with one bundled icon, which follows the theme."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from app.style.apply import current_theme
from app.style.icons import icon
from app.style.shown_keys import with_key


class IconButton(QToolButton):
    """A small button that says in its tooltip what it does, and by which keys."""

    def __init__(
        self,
        name: str,
        tip: str,
        *,
        colour: str = "text_quiet",
        on: str = "accent",
        size: int = 14,
        action: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """`on` is the icon's colour while the button is checked; `action` the id of what does the same by a key."""
        super().__init__(parent)
        self._name, self._colour, self._on, self._tip, self._action = name, colour, on, "", action
        self.set_tip(tip)
        self.setAutoRaise(True)
        self.setIconSize(QSize(size, size))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._draw()

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        if name != self._name:
            self._name = name
            self._draw()

    def set_tip(self, tip: str) -> None:
        """Show another tooltip."""
        if tip != self._tip:
            self._tip = tip
            self.setToolTip(tip)
            self.setAccessibleName(tip)

    def event(self, event: QEvent) -> bool:
        """Name the present shortcut in the tooltip."""
        if event.type() == QEvent.Type.ToolTip and self._action:
            self.setToolTip(with_key(self._tip, self._action))
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw()

    def _draw(self) -> None:
        self.setIcon(icon(self._name, current_theme(), self._colour, self._on))
