"""Joint limits: which poses a figure allows, seen and sculpted in Euler space, on the sphere and on the body."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.features.feature import Actions, Dock, Feature
from app.features.limits.actions import ACTIONS, LimitsCommands
from app.features.limits.current_limit import CurrentLimit
from app.features.limits.panel import LimitsPanel

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    current = window.session.of(CurrentLimit)
    for signal in (current.changed, current.brush_changed):
        signal.connect(window.refresh_actions)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.limits.view import Patches, region_view

    Patches(window.session, viewport)

    def take(panel: QWidget) -> None:
        assert isinstance(panel, LimitsPanel), "its dock"
        panel.make_region = partial(region_view, viewport)
        panel.follow()

    window.docks["limits"].when_made(take)


FEATURE = Feature(
    name="limits",
    docks=(Dock("limits", LimitsPanel.title, "right", LimitsPanel, "pentagon"),),
    actions=(Actions(ACTIONS, LimitsCommands, 110),),
    states=(CurrentLimit,),
    begin=_begin,
    draw=_draw,
)
