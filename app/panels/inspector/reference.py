"""ReferencePage: the fields of a picture that hangs in the views."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.panels.inspector.header import Header
from app.session import Session
from app.session.hand import Hand
from app.style.units import LENGTH, Unit
from app.style.value_slider import ValueSlider
from engine.document import Reference
from engine.document.references import FACINGS
from engine.edits import Edit, edit

SHARE = Unit(suffix=" %", words="percent", scale=100.0, decimals=0, step=1.0, coarse=5.0, names={"%": 1.0})


class ReferencePage(QWidget):
    """In which views it hangs, where, how large, and how much of it is seen."""

    def __init__(self, session: Session, reference: Reference) -> None:
        super().__init__()
        self._session, self.reference = session, reference
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 6, 12, 12)
        self._column.setSpacing(4)
        about = (f"{reference.width} x {reference.height} pixels", "A picture to pose after")
        self.header = Header("image", reference.name, about, reset_tip="")
        self._column.addWidget(self.header)
        self.facing = self._add_facing()
        unit = SHARE if reference.facing == "perspective" else LENGTH
        self.opacity = self._add_slider("Opacity", SHARE, 0.0, 1.0, lambda value: {"opacity": value})
        self.size_slider = self._add_slider("Height", unit, 0.001, None, lambda value: {"size": value})
        self.to_right = self._add_slider("To the right", unit, None, None, self._right)
        self.up = self._add_slider("Up", unit, None, None, self._up)
        self.in_front = self._add_switch("In front of the bodies", "in_front")
        self.shown = self._add_switch("Visible", "visible")
        remove = QPushButton("Remove picture")
        remove.clicked.connect(lambda: session.do(edit("remove_reference", reference=self.reference.id)))
        self._column.addSpacing(6)
        self._column.addWidget(remove)
        self._column.addStretch(1)
        self.show_reference(reference)

    def is_like(self, reference: Reference) -> bool:
        """Whether the same fields show another state of it."""
        now = self.reference
        return (now.id, now.name, now.facing) == (reference.id, reference.name, reference.facing)

    def show_reference(self, reference: Reference) -> None:
        """Show the values as they are now."""
        self.reference = reference
        self.facing.setCurrentIndex(FACINGS.index(reference.facing))
        right, up = reference.centre
        for (_, hand), value in zip(self._hands, (reference.opacity, reference.size, right, up), strict=True):
            hand.show(value)
        self.in_front.setChecked(reference.in_front)
        self.shown.setChecked(reference.visible)

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for _, hand in self._hands:
            hand.settle()

    def _add_facing(self) -> QComboBox:
        self._hands: list[tuple[ValueSlider, Hand]] = []
        box = QComboBox()
        box.setAccessibleName("Hangs in")
        box.addItems([f"{each.capitalize()} view" for each in FACINGS])
        box.activated.connect(lambda place: self._do(facing=FACINGS[place]))
        row = QHBoxLayout()
        row.addWidget(QLabel("Hangs in"))
        row.addWidget(box, 1)
        self._column.addLayout(row)
        return box

    def _add_slider(
        self,
        name: str,
        unit: Unit,
        lower: float | None,
        upper: float | None,
        changes: Callable[[float], dict[str, object]],
    ) -> ValueSlider:
        slider = ValueSlider(name, unit=unit)
        slider.set_limits(lower, upper)
        slider.setToolTip(f"{name} of the picture" + (" in shares of the view's height" if unit is SHARE else ""))
        label = f"{self.reference.name}: {name}"
        hand = Hand(self._session, slider, label=label, make_edit=lambda value: self._edit(**changes(value)))
        self._hands.append((slider, hand))
        self._column.addWidget(slider)
        return slider

    def _add_switch(self, text: str, name: str) -> QCheckBox:
        switch = QCheckBox(text)
        switch.clicked.connect(lambda on: self._do(**{name: on}))
        self._column.addWidget(switch)
        return switch

    def _right(self, value: float) -> dict[str, object]:
        return {"centre": (value, self.reference.centre[1])}

    def _up(self, value: float) -> dict[str, object]:
        return {"centre": (self.reference.centre[0], value)}

    def _do(self, **changes: object) -> None:
        self._session.do(self._edit(**changes))

    def _edit(self, **changes: object) -> Edit:
        return edit("set_reference", reference=self.reference.id, changes=tuple(changes.items()))
