"""Typed number: a number typed for a manipulator: an axis by its letter, then a number, as for any slider."""

from __future__ import annotations

from dataclasses import replace

from app.scene.manipulator import AXES, Part
from app.style.expression import WrongNumber, parse
from app.style.units import ANGLE, LENGTH, Unit
from app.tools.movable import Kind
from engine.runtime.quick_dataclass import dataclass

LONGEST = 24
_STARTS = frozenset("0123456789.-+(")
_GOES_ON = _STARTS | frozenset("*/) cdegmrai")
UNITS: dict[Kind, Unit] = {"move": LENGTH, "rotate": ANGLE}


@dataclass(frozen=True)
class TypedNumber:
    """The text that was typed so far; with axes by letter only where `takes_axes`."""

    kind: Kind
    part: Part | None = None
    text: str = ""
    takes_axes: bool = False

    def with_key(self, key: str) -> TypedNumber | None:
        """Return the text with one more letter; None for one that is no part of an axis and a number."""
        letter = key.lower()
        if letter in AXES and letter != self.part and self.takes_axes and not self.text:
            return replace(self, part=letter)
        if self.part is None or letter not in (_GOES_ON if self.text else _STARTS) or len(self.text) >= LONGEST:
            return None
        return replace(self, text=self.text + letter)

    def shortened(self) -> TypedNumber:
        """Return the text without the last letter."""
        return replace(self, text=self.text[:-1])

    @property
    def value(self) -> float | None:
        """The number [rad or m]; None while the text is none."""
        try:
            return parse(self.text, unit=UNITS[self.kind], present=0.0) if self.text else None
        except WrongNumber:
            return None
