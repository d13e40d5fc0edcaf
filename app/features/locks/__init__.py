"""Locks: parts of figures held in place while the rest moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Feature
from app.features.locks.actions import ACTIONS, LocksCommands

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.locks.view import LockDragging

    window.add_tool(LockDragging(window.session, viewport))


FEATURE = Feature(
    name="locks",
    actions=(Actions(ACTIONS, LocksCommands, 90),),
    draw=_draw,
)
