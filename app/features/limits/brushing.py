"""BrushBar: what a drag over a limit does: turn the view, or pull, push or smooth the boundary."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from app.features.limits.current_limit import CurrentLimit
from app.style.icon_button import IconButton
from app.style.units import ANGLE, SHARE
from app.style.value_slider import ValueSlider
from engine.document.limit import BrushKind

KINDS: tuple[tuple[BrushKind | None, str, str, str], ...] = (
    (None, "rotate-3d", "Turn the view", "limit.turn"),
    ("pull", "plus", "Pull the boundary outwards", "limit.pull"),
    ("push", "minus", "Push the boundary inwards", "limit.push"),
    ("smooth", "waves", "Smooth the boundary", "limit.smooth"),
)
SMALLEST, LARGEST = math.radians(2.0), math.radians(90.0)


class BrushBar(QWidget):
    """The brush in the hand."""

    def __init__(self, current: CurrentLimit) -> None:
        super().__init__()
        self._current = current
        self.buttons: dict[BrushKind | None, IconButton] = {}
        self._group = QButtonGroup(self)
        for kind, name, tip, action in KINDS:
            button = IconButton(name, tip, action=action)
            button.setCheckable(True)
            button.clicked.connect(lambda on=False, kind=kind: current.set_brush(kind=kind))
            self._group.addButton(button)
            self.buttons[kind] = button
        self.mirror = QComboBox()
        self.mirror.setAccessibleName("Mirror strokes in")
        self.mirror.setToolTip("Each stroke is drawn again where this angle has the other sign")
        self.mirror.activated.connect(lambda place: current.set_brush(mirror=place - 1 if place > 0 else None))
        self.radius, self.strength = ValueSlider("Radius", unit=ANGLE), ValueSlider("Strength", unit=SHARE)
        self.radius.set_limits(SMALLEST, LARGEST)
        self.radius.set_rest(current.brush.radius)
        self.radius.setToolTip("Within this way of a stroke the boundary moves\nw = (1 − (r / radius)²)²")
        self.strength.set_limits(0.0, 1.0)
        self.strength.set_rest(current.brush.strength)
        self.strength.setToolTip("How much a stroke does; at 100 % it moves the boundary by half the radius")
        self.radius.moved.connect(lambda value: current.set_brush(radius=value))
        self.strength.moved.connect(lambda value: current.set_brush(strength=value))
        self._arrange()
        current.brush_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the brush as it is."""
        brush = self._current.brush
        self.buttons[brush.kind].setChecked(True)
        self.radius.set_value(brush.radius)
        self.strength.set_value(brush.strength)
        for each in (self.radius, self.strength, self.mirror):
            each.setEnabled(brush.kind is not None)
        self._show_mirror()

    def show_hinges(self, names: tuple[str, ...]) -> None:
        """Show the angles that strokes may be mirrored in."""
        wanted = ["Not mirrored", *(f"Mirrored in {name}" for name in names)]
        if [self.mirror.itemText(place) for place in range(self.mirror.count())] != wanted:
            self.mirror.clear()
            self.mirror.addItems(wanted)
            self._show_mirror()

    def _show_mirror(self) -> None:
        mirror = self._current.brush.mirror
        self.mirror.setCurrentIndex(0 if mirror is None or mirror + 1 >= self.mirror.count() else mirror + 1)

    def _arrange(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(2)
        for button in self.buttons.values():
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(self.mirror)
        sliders = QHBoxLayout()
        sliders.setSpacing(4)
        sliders.addWidget(self.radius, 1)
        sliders.addWidget(self.strength, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 2, 8, 6)
        column.setSpacing(3)
        column.addLayout(line)
        column.addLayout(sliders)
