"""TellingTool: a tool that says what the mouse would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from app.scene.tool import Tool

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance


class TellingTool(Tool, Protocol):
    """A tool that says what the mouse would do."""

    @property
    def status_changed(self) -> SignalInstance:
        """What it would do to what is under the pointer; empty: nothing is."""
