"""OptionFields: options as sliders and lists, made from what they tell of themselves; no option is named here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.style.icon_button import IconButton
from app.style.units import ANGLE, Unit
from app.style.value_slider import ValueSlider
from engine.ik.methods import Value
from engine.runtime.options import About

MANY_POWERS = 300.0  # limits that are further apart than this ratio are shown on a logarithmic scale
_SCALES = {"m": (1000.0, " mm", "millimetres"), "s": (1000.0, " ms", "milliseconds")}  # how SI units are shown


class OptionFields(QWidget):
    """One field for each option of a card."""

    changed = Signal(str, object)  # name, value

    def __init__(self, options: Mapping[str, tuple[About, Value]]) -> None:
        """`options` with the values that a reset goes to."""
        super().__init__()
        self._fields: dict[str, Callable[[Value], None]] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 4)
        self._column.setSpacing(3)
        for name, (about, usual) in options.items():
            if about.choices:
                self._add_choice(name, about, usual)
            else:
                self._add_number(name, about, usual)

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show the values as they are now."""
        for name, value in values.items():
            self._fields[name](value)

    def _add_number(self, name: str, about: About, usual: Value) -> None:
        whole = isinstance(usual, int)
        rest = float(usual)
        slider = ValueSlider(about.label, unit=unit_of(about, rest, whole=whole))
        slider.set_limits(about.least, about.most)
        slider.set_rest(rest)
        slider.setToolTip(explain(about, slider_unit=unit_of(about, rest, whole=whole), usual=rest))
        slider.moved.connect(lambda value: self.changed.emit(name, round(value) if whole else value))
        reset = IconButton("rotate-ccw", f"Reset: {about.label}")
        reset.clicked.connect(slider.reset)

        def show(value: Value) -> None:
            slider.set_value(float(value))
            reset.setEnabled(float(value) != rest)

        self._fields[name] = show
        self._add_row(slider, reset)

    def _add_choice(self, name: str, about: About, usual: Value) -> None:
        box = QComboBox()
        box.setAccessibleName(about.label)
        box.setToolTip(f"{about.note}\nUsually: {capital(str(usual))}")
        for choice in about.choices:
            box.addItem(capital(choice), choice)
        box.activated.connect(lambda place: self.changed.emit(name, box.itemData(place)))
        reset = IconButton("rotate-ccw", f"Reset: {about.label}")
        reset.clicked.connect(lambda: self.changed.emit(name, usual))

        def show(value: Value) -> None:
            box.setCurrentIndex(box.findData(value))
            reset.setEnabled(value != usual)

        self._fields[name] = show
        label = QLabel(about.label)
        label.setProperty("quiet", True)
        self._add_row(label, box, reset)

    def _add_row(self, *widgets: QWidget) -> None:
        line = QHBoxLayout()
        line.setSpacing(4)
        for widget in widgets:
            line.addWidget(widget, 1 if isinstance(widget, ValueSlider | QComboBox) else 0)
        self._column.addLayout(line)


def unit_of(about: About, usual: float, *, whole: bool = False) -> Unit:
    """Return the unit of a number: angles in degrees, lengths in millimetres, times in milliseconds, others as they
    are."""
    if about.unit == "rad":
        return ANGLE
    suffix = f" {_raised(about.unit)}" if about.unit else ""
    scale, suffix, words = _SCALES.get(about.unit, (1.0, suffix, about.unit))
    least, most = about.least or 0.0, about.most
    lowest = least if least > 0.0 else usual
    wide = not whole and most is not None and 0.0 < MANY_POWERS * lowest < most
    decimals = 0 if whole else 1 if (most or 1.0) * scale >= 10.0 else 2
    step = 10.0**-decimals
    return Unit(
        suffix=suffix, words=words, scale=scale, decimals=decimals, step=step, coarse=10 * step, logarithmic=wide
    )


def explain(about: About, *, slider_unit: Unit, usual: float) -> str:
    """Write the tooltip of a number: what it is, how far it goes, and what it usually is."""
    lines = [about.note]
    if about.least is not None and about.most is not None:
        lines.append(f"From {slider_unit.text(about.least)} to {slider_unit.text(about.most)}")
    return "\n".join((*lines, f"Usually {slider_unit.text(usual)}"))


def capital(text: str) -> str:
    """Write a choice as a person reads it."""
    return text[:1].upper() + text[1:]


def _raised(unit: str) -> str:
    return unit.replace("2", "²").replace("3", "³")
