"""Following: a panel that is brought up to date while it is seen; behind another tab it waits until it is raised."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


class Following(QWidget):
    """A panel that costs nothing while nobody sees it."""

    _seen = True
    _behind = False

    def refresh(self) -> None:
        """Show the present state."""
        raise NotImplementedError

    def follow(self) -> None:
        """Refresh now if the panel is seen, else when it is next raised."""
        if self._seen:
            self.refresh()
        self._behind = not self._seen

    def set_seen(self, seen: bool) -> None:
        """Take over from the dock if the panel is seen: Qt counts what lies behind another tab as visible."""
        self._seen = seen
        if seen and self._behind:
            self.follow()
