"""Locks: pins that count over spans of time, kept by the joints that give way for them, and how a drag keeps them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the window is painted before numpy is loaded
    from engine.maths.arrays import Array

Frames = Mapping[tuple[str, str], "Array"]  # rigid transforms [3, 4] by actor and joint
