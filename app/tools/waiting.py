"""WaitingMessage: tells a person, over the picture, that a command waits for its kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session.preparing import POSING
from app.session.session import POSE, PREVIEW

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session


class WaitingMessage(QObject):
    """Keeps the overlay message of one viewport in step with the commands that wait."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._drag_waits = False
        session.engine.preparing.changed.connect(self._show)
        for signal in (session.snapshot_ready, session.preview_changed, session.gesture_ended, session.engine_changed):
            signal.connect(self._show)

    def show_drag(self, waits: bool) -> None:
        """Show or hide that a dragged body or handle has to wait."""
        self._drag_waits = waits
        self._show()

    def _show(self, *_: object) -> None:
        engine = self._session.engine
        if self._drag_waits:  # for posing by hand, then for a fresh picture
            self._viewport.show_message(self._text(engine.waits_for(POSE) or POSING, "your drag begins by itself"))
        elif name := engine.waits_for(PREVIEW):
            self._viewport.show_message(self._text(name, "what you do is shown then, by itself"))
        elif name := engine.waits_for(POSE):
            self._viewport.show_message(self._text(name, "the picture follows by itself"))
        else:
            self._viewport.show_message("")

    def _text(self, name: str, then: str) -> str:
        preparing = self._session.engine.preparing
        left = preparing.time_left(name)
        return f"Preparing {preparing.purpose(name)}{left and f', {left}'}; {then}"
