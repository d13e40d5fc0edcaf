"""Pins: parts of figures held in place while the rest moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Feature
from app.features.locks.actions import ACTIONS, LocksCommands
from app.features.locks.outlined import OutlinedLocks
from app.features.locks.page import LockPage
from app.features.locks.rows import LockRows

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.locks.view.dragging import LockDragging
    from app.features.locks.view.movable import find_lock

    window.add_tool(LockDragging(window.session, viewport))
    if window.manipulators is not None:
        window.manipulators.finders.insert(0, find_lock)


FEATURE = Feature(
    name="locks",
    actions=(Actions(ACTIONS, LocksCommands, 90),),
    draw=_draw,
    outlined=OutlinedLocks(),
    rows=(lambda _: LockRows(),),
    pages=(LockPage.of,),
)
