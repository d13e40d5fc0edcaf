"""Navigation: which mouse gesture moves a camera, and by how much. No window is needed to try it.

Middle button orbits, with Shift pans, with Ctrl zooms; Alt with the left, middle or right button orbits, pans or zooms;
the wheel zooms to the pointer. Where a view looks along an axis without perspective, the middle button pans, so that a
front view stays a front view; Alt and the left button still orbit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt

from app.scene.camera import Camera, Size
from app.scene.panes import direction_name

Motion = Literal["orbit", "pan", "zoom"]
ORBIT_PER_PIXEL = math.radians(0.4)
ZOOM_PER_PIXEL = 0.006
ZOOM_PER_NOTCH = 1.15
NOTCH = 120.0  # what Qt reports for one notch of a wheel

_ALT_MOTIONS: dict[Qt.MouseButton, Motion] = {
    Qt.MouseButton.LeftButton: "orbit",
    Qt.MouseButton.MiddleButton: "pan",
    Qt.MouseButton.RightButton: "zoom",
}


def motion_for(button: Qt.MouseButton, modifiers: Qt.KeyboardModifier, camera: Camera) -> Motion | None:
    """What a drag with this button does to a camera; None: it is not for the camera."""
    if modifiers & Qt.KeyboardModifier.AltModifier:
        return _ALT_MOTIONS.get(button)
    if button != Qt.MouseButton.MiddleButton:
        return None
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        return "zoom"
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return "pan"
    return "pan" if camera.orthographic and direction_name(camera) else "orbit"


@dataclass(frozen=True)
class Drag:
    """A camera that follows the pointer. Positions are logical pixels of the view."""

    motion: Motion
    camera: Camera  # where it began
    start: tuple[float, float]
    size: Size

    def at(self, x: float, y: float) -> Camera:
        """The camera with the pointer at a position; depends on where it began and is now, on nothing between."""
        right, down = x - self.start[0], y - self.start[1]
        if self.motion == "orbit":
            return self.camera.orbit(-right * ORBIT_PER_PIXEL, down * ORBIT_PER_PIXEL)
        if self.motion == "pan":
            return self.camera.pan((right, down), self.size)
        return self.camera.zoom(math.exp((down - right) * ZOOM_PER_PIXEL), self.start, self.size)


def wheel_zoom(camera: Camera, turn: float, pixel: tuple[float, float], size: Size) -> Camera:
    """Nearer for a wheel turned away from the hand; `turn` in Qt's eighths of a degree."""
    return camera.zoom(ZOOM_PER_NOTCH ** (-turn / NOTCH), pixel, size)
