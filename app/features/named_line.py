"""NamedLine: the first line of a page about one thing of an actor: its name, whether it is muted, and away with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout

from app.style.icon_button import IconButton
from app.style.mute_button import MuteButton
from app.style.name_field import NameField


class NamedLine(QHBoxLayout):
    """A field and two buttons."""

    def __init__(self, what: str, rename: Callable[[str], None]) -> None:
        """For one of `what`: a force, a bushing."""
        super().__init__()
        self.setSpacing(4)
        self.name, self.mute = NameField(f"Name of the {what}", rename), MuteButton(what)
        self.remove = IconButton("trash-2", f"Remove this {what}")
        self.addWidget(self.name, 1)
        self.addWidget(self.mute)
        self.addWidget(self.remove)

    def show_named(self, name: str, muted: bool) -> None:
        """Show the name, and whether it is left out."""
        self.name.show_name(name)
        self.mute.show_muted(muted)
