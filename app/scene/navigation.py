"""Navigation: the mouse gestures that move a camera, and by how much. No window is needed to try it.

Which buttons do what is a `Mouse`, one for each keymap. The wheel zooms to the pointer in all of them. Where a view
looks along an axis without perspective, the middle button of the industry's mouse pans, so that a front view stays a
front view; Alt and the left button still orbit.
"""

from __future__ import annotations

import math
from typing import Literal

from PySide6.QtCore import Qt

from app.scene.camera import Camera, Size
from app.scene.panes import direction_name
from engine.runtime.quick_dataclass import dataclass

Motion = Literal["orbit", "pan", "zoom"]
ORBIT_PER_PIXEL = math.radians(0.4)
ZOOM_PER_PIXEL = 0.006
ZOOM_PER_NOTCH = 1.15
NOTCH = 120.0  # what Qt reports for one notch of a wheel

_LEFT, _MIDDLE, _RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
_ALT, _CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
_SHIFT, _PLAIN = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
_NAMES = {_LEFT: "left", _MIDDLE: "middle", _RIGHT: "right", _ALT: "Alt", _CTRL: "Ctrl", _SHIFT: "Shift"}


@dataclass(frozen=True)
class MouseBinding:
    """A button with one modifier key, or none, that moves the camera."""

    button: Qt.MouseButton
    modifier: Qt.KeyboardModifier
    motion: Motion
    keeps_axes: bool = False  # pans instead where a view looks along an axis without perspective

    @property
    def gesture(self) -> str:
        """The gesture in words."""
        button = f"{_NAMES[self.button]} button"
        return f"{_NAMES[self.modifier]} + {button}" if self.modifier else button.capitalize()

    @property
    def effect(self) -> str:
        """The effect in words."""
        return self.motion.capitalize() + ("; pan in a view along an axis" if self.keeps_axes else "")


Mouse = tuple[MouseBinding, ...]  # of those whose modifier is held, the first one counts
INDUSTRY: Mouse = (
    MouseBinding(_LEFT, _ALT, "orbit"),
    MouseBinding(_MIDDLE, _ALT, "pan"),
    MouseBinding(_RIGHT, _ALT, "zoom"),
    MouseBinding(_MIDDLE, _CTRL, "zoom"),
    MouseBinding(_MIDDLE, _SHIFT, "pan"),
    MouseBinding(_MIDDLE, _PLAIN, "orbit", keeps_axes=True),
)
BLENDER: Mouse = (
    MouseBinding(_MIDDLE, _CTRL, "zoom"),
    MouseBinding(_MIDDLE, _SHIFT, "pan"),
    MouseBinding(_MIDDLE, _PLAIN, "orbit"),
)
MICE: dict[str, Mouse] = {"industry": INDUSTRY, "blender": BLENDER}


def motion_for(button: Qt.MouseButton, modifiers: Qt.KeyboardModifier, camera: Camera, mouse: Mouse) -> Motion | None:
    """Return the camera motion of a drag with this button; None if the drag is not the camera's."""
    for each in mouse:
        if each.button == button and modifiers & each.modifier == each.modifier:
            return "pan" if each.keeps_axes and camera.orthographic and direction_name(camera) else each.motion
    return None


@dataclass(frozen=True)
class CameraDrag:
    """A camera that follows the pointer. Positions are logical pixels of the view."""

    motion: Motion
    camera: Camera  # where it began
    start: tuple[float, float]
    size: Size

    def at(self, x: float, y: float) -> Camera:
        """Return the camera with the pointer at a position; it depends on start and present position alone."""
        right, down = x - self.start[0], y - self.start[1]
        if self.motion == "orbit":
            return self.camera.orbit(-right * ORBIT_PER_PIXEL, down * ORBIT_PER_PIXEL)
        if self.motion == "pan":
            return self.camera.pan((right, down), self.size)
        return self.camera.zoom(math.exp((down - right) * ZOOM_PER_PIXEL), self.start, self.size)


def wheel_zoom(camera: Camera, turn: float, pixel: tuple[float, float], size: Size) -> Camera:
    """Return the camera zoomed by a turn of the wheel, in Qt's eighths of a degree: nearer for one away from the
    person."""
    return camera.zoom(ZOOM_PER_NOTCH ** (-turn / NOTCH), pixel, size)
