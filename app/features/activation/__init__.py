"""Muscle activation: splines drawn inside soft bodies, the regions that they act on, and their alphas over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.features.activation.actions import ACTIONS, ActivationCommands
from app.features.activation.alpha_hand import AlphaHand
from app.features.activation.contractions import Contractions
from app.features.activation.current_splines import CurrentSplines
from app.features.activation.outlined import OutlinedSplines
from app.features.activation.page import SplinePage
from app.features.activation.painted import PaintedRegion
from app.features.activation.panel import ActivationPanel
from app.features.activation.shown_region import ShownRegion
from app.features.feature import Actions, Dock, Feature
from app.timeline.axis import shared_axis

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport
    from app.session import Session


def _panel(session: Session) -> ActivationPanel:
    return ActivationPanel(session, session.of(shared_axis))


def _begin(window: Window) -> None:
    current = window.session.of(CurrentSplines)
    for signal in (current.held_changed, current.hand_changed):
        signal.connect(window.refresh_actions)

    def take(panel: QWidget) -> None:
        assert isinstance(panel, ActivationPanel), "its dock"
        for signal in (panel.lanes.chosen_changed, panel.lanes.drawing_changed):
            signal.connect(window.refresh_actions)

    window.docks["activation"].when_made(take)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.activation.view.region_tool import RegionTool
    from app.features.activation.view.spline_tool import SplineTool
    from app.features.activation.view.surfaces import RegionColours

    RegionColours(window.session, viewport)
    splines, regions = SplineTool(window.session, viewport), RegionTool(window.session, viewport)
    window.add_tool(splines, first=True)
    window.add_tool(regions, first=True)
    window.add_typist(splines)
    window.add_marks(lambda: splines.markers, splines.marks_changed)


FEATURE = Feature(
    name="activation",
    docks=(Dock("activation", ActivationPanel.title, "bottom", _panel, "activity"),),
    actions=(Actions(ACTIONS, ActivationCommands, 177),),
    states=(CurrentSplines, AlphaHand, PaintedRegion, Contractions, ShownRegion),
    begin=_begin,
    draw=_draw,
    outlined=OutlinedSplines(),
    pages=(SplinePage.of,),
)
