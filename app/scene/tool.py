"""Tool: receives the left button of a viewport, wherever it is neither an ornament's nor a camera's."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, Qt

from app.scene.camera import Array, Camera, Size
from engine.runtime.quick_dataclass import dataclass

STILL = 4.0  # [logical px] a click may wander this far
_ADDITIVE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


@dataclass(frozen=True, kw_only=True)
class Pointer:
    """The position of the mouse over a view, and the keys and buttons that are down."""

    view: int
    at: QPointF  # in the viewport [logical px]
    pixel: tuple[float, float]  # in the view [logical px], outside of its size where a drag has left it
    camera: Camera
    size: Size  # of the view [logical px]
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    buttons: Qt.MouseButton = Qt.MouseButton.NoButton

    @property
    def ray(self) -> tuple[Array, Array]:
        """Origin [m] and unit direction of the ray under the pointer."""
        return self.camera.ray(self.pixel, self.size)

    @property
    def along_axis(self) -> bool:
        """True if Shift asks for a move along an axis."""
        return bool(self.modifiers & Qt.KeyboardModifier.ShiftModifier)

    @property
    def adds(self) -> bool:
        """True if a key asks to add to the selection, or to remove from it."""
        return bool(self.modifiers & _ADDITIVE)

    @property
    def asks_other(self) -> bool:
        """True if Ctrl asks for the other of two meanings of a drag."""
        return bool(self.modifiers & Qt.KeyboardModifier.ControlModifier)

    def has_left(self, start: Pointer) -> bool:
        """Return True if the pointer has moved too far from the press for a click."""
        return (self.at - start.at).manhattanLength() > STILL


class Tool(Protocol):
    """A receiver of the pointer. After a press that it took, it gets the moves and one release or `cancel`."""

    def hover(self, at: Pointer | None) -> bool:
        """Follow the pointer without a button, None over no view; return True if it is over something of the tool's
        own, so that bodies do not light up."""

    def press(self, at: Pointer) -> bool:
        """Take a press of the left button; return False to leave it to others."""

    def move(self, at: Pointer) -> None:
        """Follow the pointer while the button is held."""

    def release(self, at: Pointer) -> None:
        """Finish the drag or click."""

    def cancel(self) -> None:
        """Undo what was begun: Escape, or the button was lost to another window."""


class Typist(Protocol):
    """A receiver of keys without Ctrl, Alt or Meta that are pressed over the views, before shortcuts."""

    def wants_key(self, key: int, text: str) -> bool:
        """Return True to take a key."""

    def press_key(self, key: int, text: str) -> None:
        """Take a key that `wants_key` asked for."""


class NoTool:
    """A tool that takes nothing."""

    def hover(self, at: Pointer | None) -> bool:
        """Return False: nothing lights up."""
        return False

    def press(self, at: Pointer) -> bool:
        """Return False: no press is taken."""
        return False

    def move(self, at: Pointer) -> None:
        """Do nothing: no press was taken."""

    def release(self, at: Pointer) -> None:
        """Do nothing: no press was taken."""

    def cancel(self) -> None:
        """Do nothing: no press was taken."""

    def wants_key(self, key: int, text: str) -> bool:
        """Return False: no key is taken."""
        return False

    def press_key(self, key: int, text: str) -> None:
        """Do nothing: no key is taken."""
