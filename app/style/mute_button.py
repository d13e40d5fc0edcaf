"""MuteButton: an eye that leaves something out for now, and lets it count again."""

from __future__ import annotations

from app.style.icon_button import IconButton


class MuteButton(IconButton):
    """An open or closed eye, for one of `what`: a pin, a spline, a force."""

    def __init__(self, what: str, *, action: str = "") -> None:
        super().__init__("eye", "", action=action)
        self._what = what
        self.show_muted(False)

    def show_muted(self, muted: bool) -> None:
        """Show whether it is left out."""
        self.set_icon("eye-off" if muted else "eye")
        self.set_tip(f"Let this {self._what} count again" if muted else f"Mute this {self._what}: leave it out for now")
