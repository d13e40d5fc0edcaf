"""Numbers: a column of sliders and rows that edit one joint, and follow it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.session import Session
from app.session.hand import Hand
from app.style.units import LENGTH, Unit
from app.style.value_slider import ValueSlider
from engine.document import Actor, Figure, Joint
from engine.edits import Edit, edit

SPACING = 3
NAME_WIDTH = 74  # [logical px] of the words before a field
XYZ = ("X", "Y", "Z")


class Numbers(QWidget):
    """Part of the page of one joint."""

    def __init__(self, session: Session, actor: str, joint: str) -> None:
        super().__init__()
        self._session, self.actor, self.joint = session, actor, joint
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 6)
        self.column.setSpacing(SPACING)
        self.sliders: dict[str, ValueSlider] = {}
        self._hands: list[tuple[Hand, Callable[[Joint], float]]] = []

    def show_joint(self, figure: Figure, joint: Joint) -> None:
        """Show the joint as it is now."""
        for hand, read in self._hands:
            hand.show(read(joint))

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for hand, _ in self._hands:
            hand.settle()

    @property
    def owner(self) -> Actor:
        """The actor in the committed document."""
        return self._session.document.actor(self.actor)

    @property
    def now(self) -> Joint:
        """The joint in the committed document."""
        return self.owner.figure.joint(self.joint)

    def add_number(
        self,
        name: str,
        read: Callable[[Joint], float],
        change: Callable[[float], Edit],
        *,
        unit: Unit = LENGTH,
        lower: float | None = None,
        upper: float | None = None,
        tip: str = "",
        spoken: str = "",
        label: str = "",
    ) -> ValueSlider:
        """Add a slider; one drag of it is one entry of the history."""
        slider = ValueSlider(name, unit=unit)
        slider.setAccessibleName(spoken or name)
        slider.set_limits(lower, upper)
        slider.setToolTip(tip)
        hand = Hand(self._session, slider, label=label or f"{self.now.name}: {spoken or name}", make_edit=change)
        self.sliders[spoken or name] = slider
        self._hands.append((hand, read))
        self.column.addWidget(slider)
        return slider

    def add_row(self, name: str, *widgets: QWidget) -> QWidget:
        """Fields behind a word."""
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(4, 0, 0, 0)
        line.setSpacing(6)
        label = QLabel(name)
        label.setProperty("quiet", True)
        label.setFixedWidth(NAME_WIDTH)
        line.addWidget(label)
        for place, widget in enumerate(widgets):
            line.addWidget(widget, 1 if place == 0 else 0)
        self.column.addWidget(row)
        return row

    def do(self, name: str, **arguments: object) -> None:
        """Make one change to the actor."""
        self._session.do(edit(name, actor=self.actor, **arguments))


def box(name: str) -> QComboBox:
    """Make a list to choose from that may be narrower than what it holds."""
    made = QComboBox()
    made.setAccessibleName(name)
    made.setMaxVisibleItems(24)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(6)
    return made
