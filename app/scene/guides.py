"""Guide: a line in space over the picture, as wide on the screen wherever it is. No Qt, no OpenGL."""

from __future__ import annotations

from typing import Literal

from app.scene.camera import Vector
from engine.runtime.quick_dataclass import dataclass

GuideColour = Literal["x", "y", "z", "accent", "quiet", "faint"]


@dataclass(frozen=True, kw_only=True)
class Guide:
    """A line through points [m], perhaps with the area of a fan from its first point."""

    points: tuple[Vector, ...]
    colour: GuideColour
    filled: bool = False
    head: bool = False  # whether it is an arrow, with its head at the last point
    width: float = 1.0  # in shares of the usual one
    view: int | None = None  # the one that shows it; None: all
