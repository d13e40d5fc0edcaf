"""LockPart: what every group of a pin's fields shares; and rows of a label and a widget."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.features.inspecting import Fields
from app.session import Session
from app.session.hand import Hand
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from engine.document import Actor, Lock
from engine.edits import Edit, edit

Limits = tuple[float | None, float | None]
IMPORTANCE = Unit(suffix="", words="", scale=1.0, decimals=2, step=0.1, coarse=1.0)


class LockPart(Fields):
    """Some fields of one pin."""

    def __init__(self, session: Session, actor: Actor, lock: Lock) -> None:
        super().__init__(session, actor.id)
        self._lock = lock.id

    def show_actor(self, actor: Actor) -> None:
        lock = lock_in(actor, self._lock)
        if lock is not None:
            self._show(actor, lock)

    def settle(self) -> None:
        """After trouble: show what the document holds, choices too."""
        super().settle()
        if self.lock is not None:
            self.show_actor(self._session.document.actor(self._actor))

    def _show(self, actor: Actor, lock: Lock) -> None:
        """Show the values of the pin as it is now."""

    @property
    def lock(self) -> Lock | None:
        """As it is now; None once it has gone."""
        document = self._session.document
        return lock_in(document.actor(self._actor), self._lock) if self._actor in document.actor_index else None

    def _edit(self, name: str, /, **arguments: object) -> Edit:
        return edit(name, actor=self._actor, lock=self._lock, **arguments)

    def _do(self, name: str, /, **arguments: object) -> None:
        """Make the edit; what was refused goes back."""
        self._session.do(self._edit(name, **arguments))
        self.settle()

    def _add_number(
        self, label: str, unit: Unit, limits: Limits, tip: str, *, edit: str, field: str, rest: float = 1.0
    ) -> None:
        """Add a slider of one number that an edit sets."""
        slider = ValueSlider(label, unit=unit)
        slider.setAccessibleName(f"Pin, {label}")
        slider.set_limits(*limits)
        slider.set_rest(rest)
        slider.setToolTip(tip)

        def change(value: float) -> Edit:
            return self._edit(edit, **{field: value})

        self._add(slider, Hand(self._session, slider, label=f"{label} of pin", make_edit=change))

    def _add_row(self, label: str, *widgets: QWidget, tip: str = "") -> QWidget:
        """Add a label, and widgets at the right; a list or a line takes the room that is there."""
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 2, 0, 2)
        line.setSpacing(4)
        text = QLabel(label)
        text.setToolTip(tip)
        line.addWidget(text)
        if not isinstance(widgets[0], QComboBox | QLineEdit):
            line.addStretch(1)
        for widget in widgets:
            widget.setToolTip(widget.toolTip() or tip)
            line.addWidget(widget, int(isinstance(widget, QComboBox | QLineEdit)))
        self._column.addWidget(row)
        return row


def lock_in(actor: Actor, lock: str | None) -> Lock | None:
    """Return the pin of an actor that has an id."""
    return next((each for each in actor.locks if each.id == lock), None)


def choice(name: str, entries: Sequence[tuple[str, object]]) -> QComboBox:
    """Make a list of which one is chosen, each entry what a person reads and what it stands for."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setMinimumContentsLength(8)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    for text, value in entries:
        box.addItem(text, value)
    return box
