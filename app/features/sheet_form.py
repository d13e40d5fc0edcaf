"""SheetForm: the form of a dialogue: names at the left, fields at the right, under each row why it cannot be so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from app.features.form import FieldForm, Take
from app.style.fonts import SMALL, scaled, text_font
from engine.runtime.errors import InvalidArguments
from engine.runtime.options import About

NAME_WIDTH, SHORT, LEAST = 104, 76, 110
WIDE = 10_000  # [px] from which a widget takes the room that there is


class SheetForm(FieldForm):
    """Lists, switches, boxes of numbers and lines of text, which are taken as they are typed."""

    refused = Signal()  # what was typed

    def __init__(
        self,
        options: Mapping[str, tuple[About, Any]],
        take: Take,
        *,
        readers: Mapping[str, Callable[[str], Any]] | None = None,
        wide: Collection[str] = (),
        grows: bool = True,
        **shown: Any,
    ) -> None:
        """Show `options` with their present values. `readers` make values of lines, or refuse them; `wide` lines and,
        where a form `grows`, lists take all the room."""
        self._readers, self._wide, self._grows = readers or {}, wide, grows
        self.problems: dict[str, str] = {}  # of what was typed, by field
        self._reasons: dict[QWidget, QLabel] = {}
        super().__init__(options, take, resets=False, **shown)
        self.show_values(self._usual)

    def show_values(self, values: Any, *, usual: Any = None) -> None:
        """Show values as they are now; nothing that was typed is wrong any more."""
        super().show_values(values, usual=usual)
        for name in values if isinstance(values, Mapping) else vars(values):
            self.problems.pop(name, None)

    def say(self, problems: Mapping[str, str]) -> bool:
        """Tell each row what is wrong with it, by a field of it; whether one of this form is."""
        found = {self.rows[name]: why for name, why in problems.items() if name in self.rows}
        for row in self.rows.values():
            self._reasons[row].setText(found.get(row, ""))
            self._reasons[row].setVisible(row in found)
        return bool(found)

    def reason(self, name: str) -> str:
        """Return the problem that the row of a field shows."""
        return self._reasons[self.rows[name]].text()

    def _begin(self) -> None:
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 4)
        self._grid.setHorizontalSpacing(12 if self._grows else 18)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, scaled(NAME_WIDTH) if self._grows else 0)
        self._grid.setColumnStretch(1, 1)

    def _field(self, name: str, option: About, usual: Any) -> QWidget:
        if isinstance(usual, str) and not option.choices:
            return self._line(name, option)
        return super()._field(name, option, usual)

    def _choice(self, name: str, option: About, usual: Any) -> QComboBox:
        box = super()._choice(name, option, usual)
        if self._grows:
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumWidth(scaled(LEAST))
        return box

    def _line(self, name: str, option: About) -> QLineEdit:
        line = QLineEdit()
        line.setAccessibleName(option.note or option.label)
        if name not in self._wide:
            line.setFixedWidth(scaled(SHORT))
            line.setToolTip(option.note or option.label)
        if option.most is not None:
            line.setMaxLength(int(option.most))
        line.textEdited.connect(lambda text: self._read(name, text))
        self._shown[name] = line.setText
        return line

    def _read(self, name: str, text: str) -> None:
        self.problems.pop(name, None)
        try:
            value = self._readers.get(name, str)(text)
        except InvalidArguments as problem:
            self.problems[name] = sentence(problem)
            self.refused.emit()
        else:
            self._take(name, value)

    def _number(self, name: str, option: About, usual: float) -> QWidget:
        box = QSpinBox() if isinstance(usual, int) else QDoubleSpinBox()
        box.setAccessibleName(option.label)
        box.setRange(option.least, option.most)  # type: ignore[arg-type]
        box.setSuffix(option.unit if option.unit in ("", "°") else f" {option.unit}")
        box.setToolTip(option.note)
        box.setKeyboardTracking(False)
        box.setValue(usual)  # type: ignore[arg-type]
        box.valueChanged.connect(lambda value: self._take(name, value))
        self._shown[name] = box.setValue
        return box

    def _row(self, label: str, widgets: list[QWidget]) -> QWidget:
        row, at = QWidget(), self._grid.rowCount()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        growing = [each for each in widgets if isinstance(each, QLabel) or (self._grows and _may_grow(each))]
        for each in widgets:
            line.addWidget(each, int(each in growing))
        if not growing:
            line.addStretch(1)
        self._grid.addWidget(QLabel(label), at, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(row, at, 1)
        reason = self._reasons[row] = QLabel(wordWrap=True)
        reason.setFont(text_font(SMALL))
        reason.setProperty("wrong", True)
        reason.hide()
        self._grid.addWidget(reason, at + 1, 1)
        return row


def _may_grow(widget: QWidget) -> bool:
    return not isinstance(widget, QCheckBox) and widget.maximumWidth() > WIDE


def sentence(problem: Exception) -> str:
    """Make a sentence of a problem."""
    text = str(problem)
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def quiet(text: str = "") -> QLabel:
    """Make a line that explains."""
    label = QLabel(text, wordWrap=True)
    label.setProperty("quiet", True)
    return label
