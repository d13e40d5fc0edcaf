"""Form: fields of a dataclass as sliders, lists and switches, made from what they tell of themselves
(`engine.runtime.options`). What is changed goes to a callback; `EditForm` makes edits of the document of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.session import Session
from app.session.hand import Hand
from app.session.typed_time import time_names
from app.style.icon_button import IconButton
from app.style.units import ANGLE, SHARE, TIME, Unit
from app.style.value_slider import ValueSlider
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit
from engine.runtime.options import About

MANY_POWERS = 300.0  # limits that are further apart than this ratio are shown on a logarithmic scale
_SCALES = {"m": (1000.0, " mm", "millimetres"), "s": (1000.0, " ms", "milliseconds")}  # how SI units are shown
_UNITS = {"rad": ANGLE, "ticks": TIME, "share": SHARE}

Take = Callable[[str, Any], object]
Row = str | tuple[str | QWidget, ...]


class FieldForm(QWidget):
    """One field for each option; `take` is given the name and the value of one that is changed."""

    def __init__(
        self,
        options: Mapping[str, tuple[About, Any]],
        take: Take,
        *,
        rows: Iterable[Row] | None = None,
        units: Mapping[str, Unit] | None = None,
        named: Callable[[str], str] = str,
        resets: bool = True,
    ) -> None:
        """Show `options` with the values that a reset goes to, each in a row of its own where `rows` tells nothing
        else. `units` are those that differ from what the options say, `named` gives what a screen reader says."""
        super().__init__()
        self._options, self._take, self._units, self._named = dict(options), take, units or {}, named
        self._resets = resets
        self._shown: dict[str, Callable[[Any], None]] = {}
        self._usual = {name: usual for name, (_, usual) in options.items()}
        self.fields: dict[str, Any] = {}
        self.resets: dict[str, IconButton] = {}
        self.rows: dict[str, QWidget] = {}
        self._begin()
        for row in options if rows is None else rows:
            self.add(*((row,) if isinstance(row, str) else row))

    def show_values(self, values: Any, *, usual: Any = None) -> None:
        """Show the values of a dataclass, or of those that a mapping has, as they are now; `usual`: what a reset goes
        to."""
        found = values if isinstance(values, Mapping) else vars(values)
        if usual is not None:
            self._usual |= {name: getattr(usual, name) for name in self._usual}
        for name in self._shown.keys() & found.keys():
            self._shown[name](found[name])
            if name in self.resets:
                self.resets[name].setEnabled(found[name] != self._usual[name])

    def set_row_visible(self, name: str, visible: bool) -> None:
        """Show a field, or hide one that has no effect now."""
        self.rows[name].setVisible(visible)

    def narrow(self) -> None:
        """Let lists of choices be narrower than their longest one: the inspector is not wide."""
        for field in self.fields.values():
            if isinstance(field, QComboBox):
                field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
                field.setMinimumContentsLength(4)

    def add(self, *fields: str | QWidget, label: str | None = None, name: str = "") -> None:
        """Add a row of fields and of other widgets; without a `label` it has that of its first field. `name`: of a row
        without fields."""
        widgets: list[QWidget] = []
        for field in fields:
            if isinstance(field, QWidget):
                widgets.append(field)
                continue
            option, usual = self._options[field]
            made = self.fields[field] = self._field(field, option, usual)
            if label is None and field == fields[0] and not isinstance(made, QCheckBox | ValueSlider):
                label = option.label
            widgets.append(made)
            if self._resets and not isinstance(made, QCheckBox | QLineEdit):
                widgets.append(self._reset(field, option))
        row = self._row(label or "", widgets)
        self.rows |= {each: row for each in (*fields, name) if isinstance(each, str) and each}

    def _begin(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 4 if self._resets else 0)
        self._column.setSpacing(3)

    def _field(self, name: str, option: About, usual: Any) -> QWidget:
        if option.choices:
            return self._choice(name, option, usual)
        return self._switch(name, option, usual) if isinstance(usual, bool) else self._number(name, option, usual)

    def _choice(self, name: str, option: About, usual: Any) -> QComboBox:
        box, texts = QComboBox(), dict(zip(option.choices, option.labels, strict=False))
        box.setAccessibleName(self._named(option.label))
        for choice in option.choices:
            box.addItem(texts.get(choice, capital(str(choice)).replace("_", " ")))
        usually = f"\nUsually: {texts.get(usual, capital(str(usual)))}" if self._resets else ""
        box.setToolTip(option.note + usually)
        box.activated.connect(lambda place: self._take(name, option.choices[place]))
        self._shown[name] = lambda value: box.setCurrentIndex(
            option.choices.index(value) if value in option.choices else -1
        )
        return box

    def _switch(self, name: str, option: About, usual: bool) -> QCheckBox:
        switch = QCheckBox(option.label)
        switch.setAccessibleName(self._named(option.label))
        switch.setToolTip(f"{option.note}\nUsually {'on' if usual else 'off'}".strip() if self._resets else option.note)
        switch.clicked.connect(lambda on: self._take(name, on))
        self._shown[name] = switch.setChecked
        return switch

    def _number(self, name: str, option: About, usual: float) -> QWidget:
        scale = TICKS_PER_SECOND if option.unit == "ticks" else 1
        unit = self._units.get(name) or unit_of(option, float(usual), whole=isinstance(usual, int))
        slider = ValueSlider(option.label, unit=unit)
        slider.setAccessibleName(self._named(option.label))
        least, most = (None if end is None else end / scale for end in (option.least, option.most))
        slider.set_limits(least, most)
        lines = [option.note] if option.note else []
        if "frames" in unit.names:
            lines.append("Type seconds, as 1.6, or a frame, as 48 f.")
        if least is not None and most is not None:
            lines.append(f"From {unit.text(least)} to {unit.text(most)}")
        if self._resets:
            lines.append(f"Usually {unit.text(usual / scale)}")
        slider.setToolTip("\n".join(lines))
        show = self._tie(name, option, slider, lambda value: round(value * scale) if isinstance(usual, int) else value)

        def show_number(value: float) -> None:
            slider.set_rest(self._usual[name] / scale)
            show(value / scale)

        self._shown[name] = show_number
        show_number(usual)
        return slider

    def _tie(
        self, name: str, option: About, slider: ValueSlider, read: Callable[[float], Any]
    ) -> Callable[[float], None]:
        """Take what a slider is moved to; return how it shows a value."""
        slider.moved.connect(lambda value: self._take(name, read(value)))
        return slider.set_value

    def _reset(self, name: str, option: About) -> IconButton:
        button = self.resets[name] = IconButton("rotate-ccw", f"Reset: {option.label}")
        button.clicked.connect(lambda: self._go_back(name))
        return button

    def _go_back(self, name: str) -> None:
        field = self.fields[name]
        if isinstance(field, ValueSlider):
            field.reset()
        else:
            self._take(name, self._usual[name])

    def _row(self, label: str, widgets: list[QWidget]) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        if label:
            name = QLabel(label)
            name.setProperty("quiet", True)
            line.addWidget(name)
        for widget in widgets:
            line.addWidget(widget, 1 if isinstance(widget, ValueSlider | QComboBox) else 0)
        self._column.addWidget(row)
        return row


class EditForm(FieldForm):
    """A form that changes the document: a drag of a slider is one gesture and one entry of the history."""

    def __init__(
        self,
        session: Session,
        options: Mapping[str, tuple[About, Any]],
        make_edit: Callable[[str, Any], Edit | None],
        *,
        entry: Callable[[str], str] = lambda label: f"Set {label.lower()}",
        plays_on: bool = False,
        **shown: Any,
    ) -> None:
        """`make_edit` gives the edit that sets a field, or None where there is nothing to change; `entry` is what the
        history says of a drag; see `Hand` for `plays_on`."""
        self._session, self._make_edit, self._entry, self._plays_on = session, make_edit, entry, plays_on
        self.hands: dict[str, Hand] = {}
        timed = replace(TIME, names=time_names(session.document.rate))  # a time may be typed as a frame, too
        units = {name: timed for name, (option, _) in options.items() if option.unit == "ticks"}
        super().__init__(options, self._do, units=units | dict(shown.pop("units", None) or {}), **shown)

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for hand in self.hands.values():
            hand.settle()

    def _do(self, name: str, value: Any) -> None:
        change = self._make_edit(name, value)
        if change is not None:
            self._session.do(change)

    def _tie(
        self, name: str, option: About, slider: ValueSlider, read: Callable[[float], Any]
    ) -> Callable[[float], None]:
        def make(value: float) -> Any:
            return self._make_edit(name, read(value))

        hand = self.hands[name] = Hand(
            self._session, slider, label=self._entry(option.label), make_edit=make, plays_on=self._plays_on
        )
        return hand.show


def unit_of(about: About, usual: float, *, whole: bool = False) -> Unit:
    """Return the unit of a number: angles in degrees, lengths in millimetres, times in milliseconds, others as they
    are."""
    if about.unit in _UNITS:
        return _UNITS[about.unit]
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


def capital(text: str) -> str:
    """Write a choice as a person reads it."""
    return text[:1].upper() + text[1:]


def _raised(unit: str) -> str:
    return unit.replace("2", "²").replace("3", "³")
