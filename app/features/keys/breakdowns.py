"""Breakdowns: three sliders that key what is selected between its neighbouring keys, each drag one entry."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.session import Session, keying
from app.session.gesture import NO_GESTURE
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from engine.commands.breakdown import LEAST, MOST, Towards

PERCENT = Unit(suffix=" %", words="percent", scale=100.0, decimals=0, step=1.0, coarse=10.0)
HALF = 0.5
SLIDERS: tuple[tuple[Towards, str, float, str], ...] = (
    ("between", "Between the keys", HALF, "0 % is the key before, 100 % the key after\nx = a + s (b − a)"),
    ("even", "Towards even", 0.0, "To where a straight line between the keys would be; below 0 % away from it"),
    ("rest", "Towards rest", 0.0, "To the rest pose; below 0 % away from it"),
)


class Breakdowns(QWidget):
    """The fields of breakdowns of what is selected, at the playhead."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._gesture = NO_GESTURE
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self.sliders: dict[Towards, ValueSlider] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(3)
        column.addWidget(self.about)
        for towards, label, start, tip in SLIDERS:
            slider = ValueSlider(label, unit=PERCENT)
            slider.set_limits(LEAST, MOST)
            slider.set_rest(start)
            slider.set_value(start)
            slider.applies_again = True
            slider.setToolTip(f"{tip}\nKeys at the playhead; drag beyond the ends to overshoot")
            slider.started.connect(partial(self._begin, towards))
            slider.moved.connect(partial(self._show, towards))
            slider.finished.connect(lambda: self._gesture.finish())
            slider.cancelled.connect(lambda: self._gesture.cancel())
            self.sliders[towards] = slider
            column.addWidget(slider)
        session.playhead_moved.connect(lambda time: self._put_back(every=True))
        session.selection_changed.connect(lambda selection: self._put_back(every=True))
        session.gesture_ended.connect(lambda: self._put_back(every=False))

    def refresh(self) -> None:
        """Say of what."""
        self.about.setText(f"Of {keying.meant(self._session)}")
        for slider in self.sliders.values():
            slider.setEnabled(bool(self._session.posing.targets()))

    def _begin(self, towards: Towards) -> None:
        self._gesture = self._session.begin_gesture("Breakdown")
        if self._gesture.is_over:
            self.sliders[towards].cancel()

    def _show(self, towards: Towards, share: float) -> None:
        command = keying.breakdown(self._session, share, towards)
        if command is not None and not self._gesture.is_over:
            self._gesture.label = command.label(self._session.document)
            self._gesture.preview(command)

    def _put_back(self, *, every: bool) -> None:
        """Sliders that say how far from what is seen begin anew; with another time or selection the first does, too."""
        if self._gesture is not NO_GESTURE and self._gesture.is_over:
            for slider in self.sliders.values():
                slider.cancel()  # a gesture that the engine ended
        for towards, _, start, _ in SLIDERS:
            if every or towards != "between":
                self.sliders[towards].set_value(start)
