"""ShownBushings: whether the views show bushings."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.session import Session


class ShownBushings(QObject):
    """Of one session."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.are_shown = True

    def show(self, shown: bool) -> None:
        """Show them, or hide them."""
        if shown != self.are_shown:
            self.are_shown = shown
            self.changed.emit()
