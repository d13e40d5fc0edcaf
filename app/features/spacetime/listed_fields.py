"""ListedFields: a list of what a problem has of one kind, with the fields of the chosen one and buttons for new ones;
and what such fields have in common: choices, bounds that do not cross, times in order, directions of the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from app.features.listed import IdList
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.session import Session
from engine.document.values import Vector3

AXES: tuple[Vector3, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
OWN_WAY = 1 + len(AXES)  # of choices of a place, or of a size along X, Y, Z, or along another direction
Bound = float | None


class ListedFields(QWidget):
    """The list and the fields."""

    def __init__(self, session: Session, name: str) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self.list, self.fields = IdList(name), QWidget()
        self.list.picked.connect(self._pick)

    def _pick(self, id: str) -> None:
        """Choose one of the list."""
        self._current.choose(id)

    def _arrange(self, above: Iterable[QWidget], fields: Iterable[QWidget]) -> None:
        """Lay out the buttons above the list, and the fields below it."""
        inside = QVBoxLayout(self.fields)
        inside.setContentsMargins(0, 2, 0, 0)
        inside.setSpacing(3)
        for widget in fields:
            inside.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        for widget in (*above, self.list, self.fields):
            column.addWidget(widget)


def choices(name: str, tip: str, texts: Iterable[str], choose: Callable[[int], object]) -> QComboBox:
    """Make a list of choices that is as narrow as its panel."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.addItems(list(texts))
    box.activated.connect(choose)
    return box


def way_of(place: Vector3 | None, direction: Vector3) -> int:
    """Number what is asked for: a place, a size along X, Y or Z, or along another direction."""
    if place is not None:
        return 0
    return 1 + AXES.index(direction) if direction in AXES else OWN_WAY


def with_component(vector: Vector3, name: str, value: float) -> Vector3:
    """Give a vector another x, y or z."""
    x, y, z = (value if axis == name else old for axis, old in zip("xyz", vector, strict=True))
    return (x, y, z)


def with_bound(bounds: tuple[Bound, Bound], name: str, value: float) -> dict[str, Any]:
    """Set the `least` or the `most`; the other gives way where they would cross."""
    least, most = bounds
    if name == "least":
        return {"least": value, "most": None if most is None else max(value, most)}
    return {"least": None if least is None else min(least, value), "most": value}


def with_time(at: float, until: float | None, name: str, value: float) -> tuple[float, float | None]:
    """Set `at` or `until` of a stage; the other gives way where they would cross."""
    if name == "at":
        return value, None if until is None else max(value, until)
    return min(at, value), value
