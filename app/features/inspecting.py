"""Fields and pages of the inspector, of which features make what they show there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.session import Session
from app.session.hand import Hand
from app.style.section import FoldedSection
from app.style.turns import Quaternion, Turns, quaternion_of, same_turn, turns_of
from app.style.units import ANGLE
from app.style.value_slider import ValueSlider
from engine.document import Actor, Document
from engine.document.parts import Part

SPACING = 3
TURN_NAMES = ("Heading", "Pitch", "Roll")


PartT = TypeVar("PartT", bound=Part)


def holder_of_chosen(session: Session, document: Document, kind: type[PartT]) -> tuple[Actor, PartT, str] | None:
    """The actor of what was selected last in a part of a kind, that part, and the id of what was selected."""
    active = session.selection.active
    if active is None or active.added is None or active.actor not in document.actor_index:
        return None
    actor = document.actor(active.actor)
    part = actor.part(kind) if actor.parts else None
    return None if part is None else (actor, part, active.added)


class InspectorPage(QWidget):
    """A column of fields for one subject, some in sections that unfold."""

    def __init__(self, session: Session, unfolded: set[str]) -> None:
        """`unfolded` remembers, from page to page, which sections stand open."""
        super().__init__()
        self._session, self._unfolded = session, unfolded
        self.fields: list[Fields] = []
        self.sections: dict[str, FoldedSection] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 2, 12, 12)
        self._column.setSpacing(2)

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for fields in self.fields:
            fields.settle()

    def _add_section(self, key: str, title: str, build: Callable[[], QWidget], *, unfold: bool = False) -> None:
        """Add a section; sliders are made for what is unfolded, and for nothing else."""
        section = FoldedSection(title, build)
        self.sections[key] = section
        self._column.addWidget(section)
        section.header.set_unfolded(unfold or key in self._unfolded)
        section.unfolded.connect(lambda open: (self._unfolded.add if open else self._unfolded.discard)(key))

    def _keep(self, fields: Fields) -> Fields:
        self.fields.append(fields)
        return fields


PageMaker = Callable[[Session, Document, set[str], InspectorPage | None], InspectorPage | None]
"""Gives the page of what is selected in a document: the one that is shown where its fields still fit, which then show
the document; None where it is not for that."""


class Fields(QWidget):
    """A column of sliders that edit one actor."""

    def __init__(self, session: Session, actor: str) -> None:
        super().__init__()
        self._session, self._actor = session, actor
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 4)
        self._column.setSpacing(SPACING)
        self.sliders: list[ValueSlider] = []
        self._hands: list[Hand] = []
        self._tips: list[str] = []
        self._stuck: dict[int, str] = {}  # why a slider is out of reach whatever else is

    def show_actor(self, actor: Actor) -> None:
        """Show the values of the actor as it is now."""

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for hand in self._hands:
            hand.settle()

    def _add(self, slider: ValueSlider, hand: Hand) -> None:
        self.sliders.append(slider)
        self._hands.append(hand)
        self._tips.append(slider.toolTip())
        self._column.addWidget(slider)

    def _allow(self, why_not: str) -> None:
        """Sliders that would move nothing are out of reach and say why."""
        for place, (slider, tip) in enumerate(zip(self.sliders, self._tips, strict=True)):
            why = why_not or self._stuck.get(place, "")
            slider.setEnabled(not why)
            if slider.toolTip() != (why or tip):  # Qt tells of one that is the same, too
                slider.setToolTip(why or tip)


def turn_slider(name: str) -> ValueSlider:
    """Make a slider for heading, pitch or roll."""
    slider = ValueSlider(name, unit=ANGLE)
    limit = 0.5 * pi if name == "Pitch" else pi
    slider.set_limits(-limit, limit)
    return slider


def turns_shown(sliders: Sequence[ValueSlider]) -> Turns:
    """Return heading, pitch and roll as sliders show them."""
    return (sliders[0].value, sliders[1].value, sliders[2].value)


def show_turns(sliders: Sequence[ValueSlider], hands: Sequence[Hand], quaternion: Quaternion) -> None:
    """Show an orientation, unless the sliders show it already in other numbers."""
    if any(hand.busy for hand in hands[:3]):
        return
    shown = turns_shown(sliders)
    turns = shown if same_turn(quaternion_of(shown), quaternion) else turns_of(quaternion)
    for hand, turn in zip(hands[:3], turns, strict=True):
        hand.show(turn)
