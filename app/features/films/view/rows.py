"""Rows: names at the left, what they name at the right, and under each line why it cannot be so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.style.fonts import SMALL, scaled, text_font

NAME_WIDTH, SHORT, LEAST = 104, 76, 110
WIDE = 10_000  # [px] from which a widget takes the room that there is
V = TypeVar("V")


class Rows(QWidget):
    """A form whose lines can show what is wrong with them."""

    def __init__(self) -> None:
        super().__init__()
        self._reasons: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 4)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, scaled(NAME_WIDTH))
        self._grid.setColumnStretch(1, 1)

    def add(self, key: str, name: str, *widgets: QWidget) -> QLabel:
        """Add a line; return what names it."""
        label, row = QLabel(name), self._grid.rowCount()
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(_side_by_side(widgets), row, 1)
        for each in widgets:
            if not isinstance(each, QLabel | QCheckBox) and not each.accessibleName():
                each.setAccessibleName(name)
        reason = QLabel(wordWrap=True)
        reason.setFont(text_font(SMALL))
        reason.setProperty("wrong", True)
        reason.hide()
        self._grid.addWidget(reason, row + 1, 1)
        self._reasons[key] = reason
        return label

    def reason(self, key: str) -> str:
        """Return the problem that a line shows."""
        return self._reasons[key].text()

    def say(self, key: str, why: str) -> None:
        """Tell what is wrong with a line; empty if nothing is."""
        self._reasons[key].setText(why)
        self._reasons[key].setVisible(bool(why))

    @property
    def keys(self) -> tuple[str, ...]:
        """Of its lines."""
        return tuple(self._reasons)


class ChoiceBox(QComboBox, Generic[V]):
    """One of a few values, each with its label."""

    def __init__(self, options: Iterable[tuple[V, str]], now: V, changed: Callable[[], object]) -> None:
        super().__init__()
        self._values: list[V] = []
        for value, label in options:
            self._values.append(value)
            self.addItem(label)
        self.setCurrentIndex(self._values.index(now) if now in self._values else 0)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumWidth(scaled(LEAST))
        self.currentIndexChanged.connect(lambda _: changed())

    @property
    def value(self) -> V:
        """The chosen value."""
        return self._values[self.currentIndex()]


def short_field(text: str, tip: str) -> QLineEdit:
    """Make a line for a number, which is taken as it is typed."""
    field = QLineEdit(text)
    field.setFixedWidth(scaled(SHORT))
    field.setToolTip(tip)
    field.setAccessibleName(tip)
    return field


def quiet(text: str = "") -> QLabel:
    """Make a line that explains."""
    label = QLabel(text, wordWrap=True)
    label.setProperty("quiet", True)
    return label


def _side_by_side(widgets: tuple[QWidget, ...]) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    wide = [each for each in widgets if not isinstance(each, QCheckBox) and each.maximumWidth() > WIDE]
    for each in widgets:
        row.addWidget(each, 1 if each in wide else 0)
    if not wide:
        row.addStretch(1)
    return line
