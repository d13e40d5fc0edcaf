"""TankSizeFields: how wide, high and deep a tank is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.session import Session
from app.session.hand import Hand
from app.style.units import LENGTH
from app.style.value_slider import ValueSlider
from engine.edits import Edit, edit
from engine.water.parts import AXES, WaterTank

LARGEST = 10.0  # [m] that a slider reaches
MakeEdit = Callable[[str, Any], Edit | None]


class TankSizeFields(QWidget):
    """Three sliders."""

    def __init__(self, session: Session, make_edit: MakeEdit) -> None:
        super().__init__()
        self._tank, self._make_edit = WaterTank(), make_edit
        self.sliders = [ValueSlider(name, unit=LENGTH) for name in ("Width", "Height", "Depth")]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        self._hands = []
        for axis, slider in enumerate(self.sliders):
            slider.setAccessibleName(f"How {AXES[axis]} the tank is")
            slider.setToolTip("Of the tank, inside; its sides can be dragged in the views, too")
            hand = Hand(session, slider, label="Set size of tank", make_edit=partial(self._edit, axis), plays_on=True)
            self._hands.append(hand)
            column.addWidget(slider)

    def show_tank(self, tank: WaterTank) -> None:
        """Show how large a tank is; it is no smaller than its grid may be, and higher than its water."""
        self._tank = tank
        for hand, slider, value, lowest in zip(self._hands, self.sliders, tank.size, tank.least_size, strict=True):
            slider.set_limits(lowest, max(LARGEST, value))
            hand.show(value)

    def _edit(self, axis: int, value: float) -> Edit:
        size = list(self._tank.size)
        size[axis] = value
        return self._make_edit("size", (size[0], size[1], size[2])) or edit("set_water_tank", actor="")
