"""Tool: what a viewport gives the left button to, wherever it is neither an ornament's nor a camera's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QPointF, Qt

from app.scene.camera import Array, Camera, Size

STILL = 4.0  # [logical px] a click may wander this far
_ADDITIVE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


@dataclass(frozen=True, kw_only=True)
class Pointer:
    """Where the mouse is over a view, and what else is pressed."""

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
        """Whether Shift asks to follow an axis."""
        return bool(self.modifiers & Qt.KeyboardModifier.ShiftModifier)

    @property
    def adds(self) -> bool:
        """Whether a key asks to add to what is chosen, or to take out of it."""
        return bool(self.modifiers & _ADDITIVE)

    @property
    def asks_other(self) -> bool:
        """Whether Ctrl asks for the other of two meanings of a drag."""
        return bool(self.modifiers & Qt.KeyboardModifier.ControlModifier)

    def has_left(self, start: Pointer) -> bool:
        """Whether it is too far from where it was pressed for a click."""
        return (self.at - start.at).manhattanLength() > STILL


class Tool(Protocol):
    """Told of the pointer. After a press that it took, moves and one release or `cancel` are its own."""

    def hover(self, at: Pointer | None) -> bool:
        """No button is held, the pointer is there, or over no view; whether it is over something of the tool's own,
        so that bodies do not light up."""

    def press(self, at: Pointer) -> bool:
        """The left button went down; whether the tool takes it."""

    def move(self, at: Pointer) -> None:
        """The pointer moved while the button is held."""

    def release(self, at: Pointer) -> None:
        """The button went up there."""

    def cancel(self) -> None:
        """What was begun is to count for nothing: Escape, or the button was lost to another window."""


class Typist(Protocol):
    """Told of keys without Ctrl, Alt or Meta that are pressed over the views, before shortcuts are."""

    def wants_key(self, key: int, text: str) -> bool:
        """Whether a key is its own now."""

    def press_key(self, key: int, text: str) -> None:
        """A key of its own went down."""


class NoTool:
    """An empty hand."""

    def hover(self, at: Pointer | None) -> bool:
        """Nothing of its own."""
        return False

    def press(self, at: Pointer) -> bool:
        """Not taken."""
        return False

    def move(self, at: Pointer) -> None:
        """Never asked."""

    def release(self, at: Pointer) -> None:
        """Never asked."""

    def cancel(self) -> None:
        """Never asked."""

    def wants_key(self, key: int, text: str) -> bool:
        """None."""
        return False

    def press_key(self, key: int, text: str) -> None:
        """Never asked."""
