"""Following: a panel that is brought up to date while it is seen; behind another tab it waits until it is raised."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


class Following(QWidget):
    """A panel that costs nothing while nobody sees it."""

    _seen = True
    _behind = False

    def refresh(self) -> None:
        """Show what is to be shown now."""
        raise NotImplementedError

    def follow(self) -> None:
        """What it shows has changed."""
        if self._seen:
            self.refresh()
        self._behind = not self._seen

    def set_seen(self, seen: bool) -> None:
        """Said by its dock: Qt counts what lies behind another tab as visible."""
        self._seen = seen
        if seen and self._behind:
            self.follow()
