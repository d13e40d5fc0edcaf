"""Light: the lights of the scene, its background and floor, and the colours of actors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.light import actions
from app.features.light.panel import LightPanel
from app.features.light.state import LightState

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.light.view import KeyHandle

    window.add_tool(KeyHandle(window.session, viewport, window.docks["light"]))


FEATURE = Feature(
    name="light",
    docks=(Dock("light", LightPanel.title, "right", LightPanel, "sun"),),
    actions=(Actions(actions.ACTIONS, actions.LightCommands, 208),),
    states=(LightState,),
    draw=_draw,
)
