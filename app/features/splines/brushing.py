"""RegionBrushBar: the brush that paints the region of the chosen spline: paint or erase, its radius and strength."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.features.splines.current_splines import LEAST_BRUSH, MOST_BRUSH, CurrentSplines, Hold
from app.features.splines.painted import PaintedRegion
from app.session import Session
from app.style.icon_button import IconButton
from app.style.units import LENGTH, SHARE
from app.style.value_slider import ValueSlider

KINDS: tuple[tuple[Hold, str, str, str], ...] = (
    ("paint", "pencil", "Paint: drag over the body", "activation.paint"),
    ("erase", "eraser", "Erase: drag over the body", "activation.erase"),
)


class RegionBrushBar(QWidget):
    """The brush in the hand."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._current, self._painted = session.of(CurrentSplines), session.of(PaintedRegion)
        self.buttons: dict[Hold, IconButton] = {}
        for hold, name, tip, action in KINDS:
            button = self.buttons[hold] = IconButton(name, tip, action=action)
            button.setCheckable(True)
            button.clicked.connect(lambda on, hold=hold: self._current.take(hold if on else ""))
        self.whole, self.nothing = QPushButton("All"), QPushButton("None")
        self.whole.setToolTip("Paint all of the body")
        self.nothing.setToolTip("Paint nothing of the body, to begin anew")
        self.whole.clicked.connect(lambda: self._painted.fill(1.0))
        self.nothing.clicked.connect(lambda: self._painted.fill(0.0))
        self.radius = ValueSlider("Brush", unit=replace(LENGTH, logarithmic=True))
        self.radius.set_limits(LEAST_BRUSH, MOST_BRUSH)
        self.radius.setToolTip("Radius of the brush\nw = (1 - (r / radius)\N{SUPERSCRIPT TWO})\N{SUPERSCRIPT TWO}")
        self.strength = ValueSlider("Strength", unit=SHARE)
        self.strength.set_limits(0.0, 1.0)
        self.strength.setToolTip("How much a touch paints or takes")
        for slider, name in ((self.radius, "radius"), (self.strength, "strength")):
            slider.set_rest(self._current.brush.strength if name == "strength" else self._current.brush_radius)
            slider.moved.connect(lambda value, name=name: self._current.set_brush(**{name: value}))
        self._arrange()
        self._current.held_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the brush as it is."""
        for hold, button in self.buttons.items():
            button.setChecked(self._current.hold == hold)
        self.radius.set_value(self._current.brush_radius)
        self.strength.set_value(self._current.brush.strength)

    def _arrange(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(2)
        for button in self.buttons.values():
            line.addWidget(button)
        for each in (self.whole, self.nothing):
            line.addWidget(each, 1)
        sliders = QHBoxLayout()
        sliders.setSpacing(4)
        sliders.addWidget(self.radius, 1)
        sliders.addWidget(self.strength, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 4)
        column.setSpacing(3)
        column.addLayout(line)
        column.addLayout(sliders)
