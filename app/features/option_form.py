"""OptionForm: the fields of a part of the document as sliders, lists and switches, made from what they tell of
themselves (`engine.runtime.options`); a drag of a slider is one gesture and one entry of the history."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.features.option_fields import capital, explain, unit_of
from app.session import Session
from app.session.hand import Hand
from app.style.icon_button import IconButton
from app.style.value_slider import ValueSlider
from engine.edits import Edit
from engine.runtime.options import About, about


class OptionForm(QWidget):
    """Shows a part and changes it. `make_edit` gives the edit that sets a field, or None where there is nothing to
    change; `usual` has the values that a reset goes to."""

    def __init__(
        self,
        session: Session,
        usual: Any,
        make_edit: Callable[[str, object], Edit | None],
        *,
        names: Collection[str] | None = None,
    ) -> None:
        super().__init__()
        self._session, self._usual, self._make_edit = session, usual, make_edit
        self._shown: dict[str, Callable[[Any], None]] = {}
        self._rows: dict[str, QWidget] = {}
        self.fields: dict[str, QWidget] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 4)
        self._column.setSpacing(3)
        for name, option in about(usual).items():
            if names is None or name in names:
                self._add(name, option, getattr(usual, name))

    def show_values(self, part: Any) -> None:
        """Show the values of a part as they are now."""
        for name, show in self._shown.items():
            show(getattr(part, name))

    def set_row_visible(self, name: str, visible: bool) -> None:
        """Show a field, or hide one that has no effect now."""
        self._rows[name].setVisible(visible)

    def _add(self, name: str, option: About, usual: Any) -> None:
        if option.choices:
            self._add_choice(name, option, usual)
        elif isinstance(usual, bool):
            self._add_switch(name, option)
        else:
            self._add_number(name, option, usual)

    def _do(self, name: str, value: object) -> None:
        change = self._make_edit(name, value)
        if change is not None:
            self._session.do(change)

    def _add_number(self, name: str, option: About, usual: float) -> None:
        unit = unit_of(option, float(usual), whole=isinstance(usual, int))
        slider = ValueSlider(option.label, unit=unit)
        slider.set_limits(option.least, option.most)
        slider.set_rest(float(usual))
        slider.setToolTip(explain(option, slider_unit=unit, usual=float(usual)))

        def change(value: float) -> Any:
            return self._make_edit(name, value)

        hand = Hand(self._session, slider, label=f"Set {option.label.lower()}", make_edit=change)
        reset = IconButton("rotate-ccw", f"Reset: {option.label}")
        reset.clicked.connect(lambda: self._do(name, usual))

        def show(value: float) -> None:
            hand.show(float(value))
            reset.setEnabled(value != usual)

        self._shown[name], self.fields[name] = show, slider
        self._add_row(name, slider, reset)

    def _add_choice(self, name: str, option: About, usual: str) -> None:
        box = QComboBox()
        box.setAccessibleName(option.label)
        box.setToolTip(f"{option.note}\nUsually: {capital(usual)}")
        for choice in option.choices:
            box.addItem(capital(choice).replace("_", " "), choice)
        box.activated.connect(lambda place: self._do(name, box.itemData(place)))
        label = QLabel(option.label)
        label.setProperty("quiet", True)
        self._shown[name], self.fields[name] = lambda value: box.setCurrentIndex(box.findData(value)), box
        self._add_row(name, label, box)

    def _add_switch(self, name: str, option: About) -> None:
        switch = QCheckBox(option.label)
        switch.setToolTip(option.note)
        switch.clicked.connect(lambda on: self._do(name, on))
        self._shown[name], self.fields[name] = switch.setChecked, switch
        self._add_row(name, switch)

    def _add_row(self, name: str, *widgets: QWidget) -> None:
        row = self._rows[name] = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        for widget in widgets:
            line.addWidget(widget, 1 if isinstance(widget, ValueSlider | QComboBox) else 0)
        self._column.addWidget(row)
