"""FoundCurves: curves that a search has come to and that no document holds, for whoever shows curves: they can be
looked at, and are gone with what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.maths.arrays import Array


@dataclass(frozen=True, eq=False, kw_only=True)
class FoundCurve:
    """Holds what drives one degree of freedom, against time."""

    actor: str
    part: str  # id of the degree of freedom
    name: str  # behind the name of the joint
    why: str  # it cannot be changed, and what would make it one's own
    times: Array  # [ticks] rising
    values: Array  # [N m], or [N] of a slide


class FoundCurves(QObject):
    """The curves of one session."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.curves: tuple[FoundCurve, ...] = ()

    def show(self, curves: tuple[FoundCurve, ...]) -> None:
        """Show these, in place of those that there were."""
        if curves or self.curves:
            self.curves = curves
            self.changed.emit()
