"""The figure editor: what a joint is made of, and its parts dragged in the views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.figure.actions import ACTIONS, FigureCommands
from app.features.figure.bar import FigureBar
from app.features.figure.panel import FigurePanel

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.figure.view.editing import FigureTool
    from app.features.figure.view.movable import find_frame

    tool = FigureTool(window.session, viewport)
    window.add_tool(tool)
    window.add_marks(lambda: tool.markers)
    if window.manipulators is not None:
        window.manipulators.finders.insert(0, find_frame)


FEATURE = Feature(
    name="figure",
    docks=(Dock("figure", FigurePanel.title, "right", FigurePanel, "bone"),),
    actions=(Actions(ACTIONS, FigureCommands, 100),),
    bars=(FigureBar,),
    draw=_draw,
)
