"""PanelDock: a dock whose panel is made when it is first seen or asked for."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from app.style.following import Following


class PanelDock(QDockWidget):
    """A dock that costs nothing at the start while it lies behind another tab."""

    def __init__(self, title: str, window: QMainWindow, make: Callable[[], QWidget]) -> None:
        super().__init__(title, window)
        self._make = make
        self._panel: QWidget | None = None
        self._seen = False
        self._waiting: list[Callable[[QWidget], None]] = []
        self.visibilityChanged.connect(self._see)

    @property
    def is_made(self) -> bool:
        """True once the panel was seen or asked for."""
        return self._panel is not None

    @property
    def is_seen(self) -> bool:
        """True while the panel is shown, in front of others that share its place."""
        return self._seen

    def widget(self) -> QWidget:
        """Return the panel, made now if it was not yet."""
        if self._panel is None:
            self._panel = panel = self._make()
            self.setWidget(panel)
            for take in self._waiting:
                take(panel)
            self._waiting.clear()
            self._tell()
        return self._panel

    def when_made(self, take: Callable[[QWidget], None]) -> None:
        """Call with the panel, now if it is there, else once it is made."""
        if self._panel is None:
            self._waiting.append(take)
        else:
            take(self._panel)

    def _see(self, seen: bool) -> None:
        self._seen = seen
        if seen and self._panel is None:
            self.widget()
        else:
            self._tell()

    def _tell(self) -> None:
        if isinstance(self._panel, Following):
            self._panel.set_seen(self._seen)
