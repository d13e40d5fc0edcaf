"""SymbolDragging: the base of the tools that drag symbols over the views: a symbol lights up under the pointer, and
keeps its distance from it, so that it does not leap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from app.scene.markers import Marker


@dataclass(frozen=True)
class SymbolGrip:
    """The pointer at the press, and the place of the taken symbol then."""

    start: Pointer
    place: Vector  # [m]

    def pixel(self, at: Pointer) -> tuple[float, float]:
        """Return the pixel to which the place is led: as far from the pointer as it was taken [px]."""
        x, y, _ = self.start.camera.project(np.array(self.place), self.start.size).tolist()
        return at.pixel[0] + x - self.start.pixel[0], at.pixel[1] + y - self.start.pixel[1]


class SymbolDragging(QObject):
    """Drags symbols of one kind in one viewport."""

    status_changed = Signal(str)  # what the mouse would do to the symbol under it; empty: there is none

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self.over: Marker | None = None

    def hover(self, at: Pointer | None) -> bool:
        """Light up the symbol under the pointer."""
        self._light(self._found(at) if at is not None else None)
        return self.over is not None

    def _found(self, at: Pointer) -> Marker | None:
        """Return the symbol under the pointer."""
        raise NotImplementedError

    def _words(self, marker: Marker) -> str:
        """Return what the mouse would do to it, for the status line."""
        raise NotImplementedError

    def _light(self, marker: Marker | None) -> None:
        if marker == self.over:
            return
        was, self.over = self.over, marker
        if marker is not None or was is not None:
            self._viewport.set_hot_marker(marker)
            self.status_changed.emit("" if marker is None else self._words(marker))
