"""Turning: the cameras that are on their way to another place, and how far they have come."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer

from app.scene.camera import Camera, Vector

TURN_TIME = 220.0  # [ms] of a camera's way to another place


class CameraTurns:
    """The ways of the views' cameras; all of them end together, that of the last one that began."""

    def __init__(self) -> None:
        self._ways: dict[int, tuple[Camera, Camera]] = {}
        self._clock = QElapsedTimer()

    def __bool__(self) -> bool:
        return bool(self._ways)

    def begin(self, view: int, start: Camera, end: Camera) -> None:
        """Let a view's camera go from one place to another."""
        self._ways[view] = (start, end)
        self._clock.start()

    def end(self, view: int | None = None) -> None:
        """Let a view's camera stay where it is, or all of them."""
        if view is None:
            self._ways.clear()
        else:
            self._ways.pop(view, None)

    def carry(self, view: int, way: Vector) -> None:
        """Move both ends of a view's way along [m]."""
        if view in self._ways:
            start, end = self._ways[view]
            self._ways[view] = (start.carried(way), end.carried(way))

    def now(self) -> dict[int, Camera]:
        """Return the cameras of those views as they are now; at the end of their ways they are no longer on them."""
        share = min(self._clock.elapsed() / TURN_TIME, 1.0)
        eased = share * share * (3 - 2 * share)
        found = {view: start.towards(end, eased) for view, (start, end) in self._ways.items()}
        if share >= 1.0:
            self._ways.clear()
        return found
