"""Water: a tank, what is in it, and how it is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.water import actions
from app.features.water.baking import WaterBaking
from app.features.water.current_water import CurrentWater
from app.features.water.panel import WaterPanel

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    state = window.session.of(CurrentWater)
    state.changed.connect(window.refresh_actions)
    state.reported.connect(window.refresh_actions)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.water.view import TankBox

    box = TankBox(window.session, viewport)
    window.add_tool(box, first=True)
    window.add_marks(lambda: box.markers, box.marks_changed)


FEATURE = Feature(
    name="water",
    docks=(Dock("water", WaterPanel.title, "right", WaterPanel, "waves"),),
    actions=(
        Actions(actions.ADDING, actions.AddWaterCommands, 43),
        Actions(actions.ACTIONS, actions.WaterCommands, 179),
    ),
    states=(WaterBaking, CurrentWater),
    begin=_begin,
    draw=_draw,
)
