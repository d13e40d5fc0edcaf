"""Trial: a change that is shown and waits to be kept. Time goes on meanwhile; whatever else is done takes it away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.gesture import NO_GESTURE

if TYPE_CHECKING:
    from app.session.gesture import EditOrCommand
    from app.session.session import Session


class Trial(QObject):
    """One change at a time, of one panel."""

    changed = Signal()  # whether there is one, and what is reported of it

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._gesture = NO_GESTURE
        session.gesture_ended.connect(self._look)
        session.preview_changed.connect(lambda document: self.changed.emit() if self.open else None)

    @property
    def open(self) -> bool:
        """True if a change is shown, or on its way."""
        return not self._gesture.is_over

    @property
    def keeping(self) -> bool:
        """True if what is shown is being worked out to be kept: nothing of it can be changed any more."""
        return self.open and not self._gesture.yields

    @property
    def report(self) -> object:
        """The engine's report of the change that is shown."""
        return self._session.report if self.open else None

    def show(self, label: str, command: EditOrCommand) -> None:
        """Show a change in the place of the one before, unless that is being kept; `label` is what the history says."""
        if self.keeping:
            return
        if not self.open:
            self._gesture = self._session.begin_gesture(label, plays_on=True, yields=True)
        self._gesture.label = label
        self._gesture.preview(command)
        self.changed.emit()

    def keep(self) -> None:
        """Keep what is shown, once it is."""
        if self.open:
            self._gesture.finish()
            self.changed.emit()

    def drop(self) -> None:
        """Show the document as it is."""
        self._gesture.cancel()
        self._look()

    def _look(self) -> None:
        if self._gesture is not NO_GESTURE and not self.open:
            self._gesture = NO_GESTURE
            self.changed.emit()
