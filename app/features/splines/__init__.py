"""Activation splines: drawn inside soft bodies, with the regions that they act on, and the lanes of their alphas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Feature
from app.features.splines.actions import ACTIONS, SplineCommands
from app.features.splines.contractions import Contractions
from app.features.splines.current_splines import CurrentSplines
from app.features.splines.lane_source import SplineLanes
from app.features.splines.outlined import OutlinedSplines
from app.features.splines.page import SplinePage
from app.features.splines.painted import PaintedRegion
from app.features.splines.shown_region import ShownRegion

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    current = window.session.of(CurrentSplines)
    for signal in (current.held_changed, current.hand_changed):
        signal.connect(window.refresh_actions)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.splines.view.region_tool import RegionTool
    from app.features.splines.view.spline_tool import SplineTool
    from app.features.splines.view.surfaces import RegionColours

    RegionColours(window.session, viewport)
    splines, regions = SplineTool(window.session, viewport), RegionTool(window.session, viewport)
    window.add_tool(splines, first=True)
    window.add_tool(regions, first=True)
    window.add_typist(splines)
    window.add_marks(lambda: splines.markers, splines.marks_changed)


FEATURE = Feature(
    name="splines",
    actions=(Actions(ACTIONS, SplineCommands, 177),),
    states=(CurrentSplines, PaintedRegion, Contractions, ShownRegion, SplineLanes),
    begin=_begin,
    draw=_draw,
    outlined=OutlinedSplines(),
    pages=(SplinePage.of,),
)
