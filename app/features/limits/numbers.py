"""RangeFields: the numbers of a limit's range: a box's ends, a cone's swing, twist and bone of a cone or polygon."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.features.limits.current_limit import CurrentLimit
from app.session import Session
from app.session.hand import Hand
from app.style.units import ANGLE, Unit
from app.style.value_slider import ValueSlider
from engine.commands.shape_limit import ShapeLimit, with_part
from engine.document import Figure, Limit
from engine.document.limit import BoxRange, ConeRange, PolygonRange, Range
from engine.queries.limit_pictures import names_of
from engine.runtime.quick_dataclass import dataclass

PART = Unit(suffix="", words="", scale=1.0, decimals=3, step=0.05, coarse=0.25)
LEAST_SWING, TURN = math.radians(1.0), math.tau


@dataclass(frozen=True, kw_only=True)
class RangeNumber:
    """One number of a range."""

    label: str
    tip: str
    unit: Unit = ANGLE
    value: float
    lower: float
    upper: float
    changed: Callable[[float], Range]  # the range with another


def numbers_of(content: Range, hinges: Sequence[str]) -> list[RangeNumber]:
    """List the numbers of a range, in order."""
    if isinstance(content, BoxRange):
        return [each for at, name in enumerate(hinges) for each in _ends_of(content, at, name)]
    if isinstance(content, ConeRange):
        swings = [
            RangeNumber(
                label=f"Swing {at + 1}",
                tip=f"How far the bone swings, at most, about the {which} of two ways across it",
                value=value,
                lower=LEAST_SWING,
                upper=math.pi,
                changed=partial(_swung, content, at),
            )
            for at, (which, value) in enumerate(zip(("first", "second"), content.swing, strict=True))
        ]
        return [*swings, *_twist_of(content), *_bone_of(content)]
    return [*_twist_of(content), *_bone_of(content)] if isinstance(content, PolygonRange) else []


class RangeFields(QWidget):
    """A slider for each number; another limit has others."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentLimit)
        self.sliders: list[ValueSlider] = []
        self._hands: list[Hand] = []
        self._labels: list[str] = []  # not unique: two hinges may have one name
        self._which: tuple[str, str] | None = None  # ids of the actor and of the limit that are shown
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 2, 10, 6)
        self._column.setSpacing(3)

    def show_limit(self, figure: Figure, limit: Limit) -> None:
        """Show the numbers of a limit as it is."""
        numbers = numbers_of(limit.range, names_of(figure, limit))
        which = ("" if self._current.owner is None else self._current.owner.id, limit.id)
        other, self._which = which != self._which, which
        if [each.label for each in numbers] != self._labels:
            self._make(numbers)
            other = True
        for number, slider, hand in zip(numbers, self.sliders, self._hands, strict=True):
            slider.set_limits(number.lower, number.upper)
            if other:
                slider.set_rest(number.value)
            hand.show(number.value)

    @property
    def any(self) -> bool:
        """True if the limit that is seen has numbers."""
        return bool(self.sliders)

    def _make(self, numbers: Sequence[RangeNumber]) -> None:
        for slider in self.sliders:
            self._column.removeWidget(slider)
            slider.hide()
            slider.deleteLater()
        self.sliders, self._hands = [], []
        self._labels = [each.label for each in numbers]
        for at, number in enumerate(numbers):
            slider = ValueSlider(number.label, unit=number.unit)
            slider.setAccessibleName(f"Limit, {number.label}")
            slider.setToolTip(number.tip)
            self._column.addWidget(slider)
            self.sliders.append(slider)
            label = f"Set {number.label} of limit"
            self._hands.append(Hand(self._session, slider, label=label, make_edit=self._maker(at)))

    def _maker(self, at: int) -> Callable[[float], ShapeLimit]:
        def make(value: float) -> ShapeLimit:
            owner, limit = self._current.owner, self._current.limit
            assert owner is not None, "shown only for one"
            assert limit is not None, "shown only for one"
            before = self._session.document.actor(owner.id).figure.limit(limit.id)
            numbers = numbers_of(before.range, names_of(owner.figure, before))
            return ShapeLimit(actor=owner.id, limit=limit.id, range=numbers[at].changed(value))

        return make


def _ends_of(box: BoxRange, at: int, name: str) -> list[RangeNumber]:
    low, high = box.lower[at], box.upper[at]
    return [
        RangeNumber(
            label=f"{name}, from",
            tip=f"The least that {name} may be",
            value=low,
            lower=-TURN,
            upper=high,
            changed=lambda new: replace(box, lower=_with(box.lower, at, new)),
        ),
        RangeNumber(
            label=f"{name}, to",
            tip=f"The most that {name} may be",
            value=high,
            lower=low,
            upper=TURN,
            changed=lambda new: replace(box, upper=_with(box.upper, at, new)),
        ),
    ]


def _twist_of(content: ConeRange | PolygonRange) -> list[RangeNumber]:
    low, high = content.twist
    tip = "How far the bone turns about itself"
    return [
        RangeNumber(
            label="Twist, from",
            tip=f"{tip}, at least",
            value=low,
            lower=-TURN,
            upper=high,
            changed=lambda new: replace(content, twist=(new, high)),
        ),
        RangeNumber(
            label="Twist, to",
            tip=f"{tip}, at most",
            value=high,
            lower=low,
            upper=TURN,
            changed=lambda new: replace(content, twist=(low, new)),
        ),
    ]


def _bone_of(content: ConeRange | PolygonRange) -> list[RangeNumber]:
    return [
        RangeNumber(
            label=f"Bone, {name}",
            tip=f"Where the bone points at rest: its part along the joint's {name}; the other two give way",
            unit=PART,
            value=value,
            lower=-1.0,
            upper=1.0,
            changed=partial(_pointed, content, at),
        )
        for at, (name, value) in enumerate(zip("xyz", content.axis, strict=True))
    ]


def _swung(cone: ConeRange, at: int, value: float) -> ConeRange:
    return replace(cone, swing=_with(cone.swing, at, value))


def _pointed(content: ConeRange | PolygonRange, at: int, value: float) -> ConeRange | PolygonRange:
    return replace(content, axis=with_part(content.axis, at, value))


def _with(numbers: tuple[Any, ...], at: int, value: float) -> Any:
    return (*numbers[:at], value, *numbers[at + 1 :])
