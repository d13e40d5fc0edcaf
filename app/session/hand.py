"""Hand: ties a slider to the session. One drag, one typed number or one held key is one gesture and one undo entry."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.session.gesture import NO_GESTURE, EditOrCommand
from app.session.session import Session
from app.style.value_slider import ValueSlider


class Hand(QObject):
    """The way from a slider to edits, and back from the document to the slider. Belongs to its slider."""

    def __init__(
        self,
        session: Session,
        slider: ValueSlider,
        *,
        label: str,
        make_edit: Callable[[float], EditOrCommand],
        plays_on: bool = False,
    ) -> None:
        """Connect a slider; what `plays_on` is seen in a motion that goes on playing while it is dragged."""
        super().__init__(slider)
        self._plays_on = plays_on
        self._session, self._slider, self._label, self._make_edit = session, slider, label, make_edit
        self._gesture = NO_GESTURE
        self._true_value = slider.value
        slider.started.connect(self._begin)
        slider.moved.connect(self._preview)
        slider.finished.connect(lambda: self._gesture.finish())
        slider.cancelled.connect(lambda: self._gesture.cancel())

    @property
    def busy(self) -> bool:
        """True if a gesture is on its way: what the slider shows is then newer than any document."""
        return not self._gesture.is_over

    def show(self, value: float) -> None:
        """Show the document's value, unless a gesture of this slider is on its way."""
        self._true_value = value
        if not self.busy:
            self._slider.cancel()  # a gesture that the engine ended
            self._slider.set_value(value)

    def settle(self) -> None:
        """After trouble: show the document's value, if no gesture is on its way."""
        self.show(self._true_value)

    def _begin(self) -> None:
        self._gesture = self._session.begin_gesture(self._label, plays_on=self._plays_on)
        if not self.busy:
            self._slider.cancel()

    def _preview(self, value: float) -> None:
        if self.busy:
            self._gesture.preview(self._make_edit(value))
