"""ShownSoft: how soft bodies are drawn in the views: their colour, and whether their inside is seen. The choice is kept
with the preferences, not in the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.session import Session

COLOURS: tuple[tuple[str, str, str], ...] = (
    ("", "Plain", "Draw soft bodies in one colour."),
    ("strain", "Strain", "Colour soft bodies by how far they are stretched or pressed together, at most."),
    ("stress", "Stress", "Colour soft bodies by the stress in them (von Mises)."),
    ("contraction", "Contraction", "Colour soft bodies by how far their splines contract or extend them."),
)
"""Quantities of surfaces, what a person calls them, and what the action says."""
SWITCHES = {"see_inside": False, **{f"colour_{name}": False for name, _, _ in COLOURS if name}}
"""Names of preferences."""


class ShownSoft(QObject):
    """The choice of one session."""

    asked = Signal(dict)  # of preferences that a person changed
    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.colour = ""
        self.see_inside = False

    def choose(self, colour: str) -> None:
        """Colour soft bodies by a quantity; none: not."""
        self.asked.emit({f"colour_{name}": name == colour for name, _, _ in COLOURS if name})

    def open_up(self, see_inside: bool) -> None:
        """See what is inside of soft bodies, or not."""
        self.asked.emit({"see_inside": see_inside})

    def show(self, colour: str, *, see_inside: bool) -> None:
        """Take over what the preferences say."""
        if (colour, see_inside) != (self.colour, self.see_inside):
            self.colour, self.see_inside = colour, see_inside
            self.changed.emit()
