"""Spacetime: motions that are planned by stages, constraints and muscles, found, compared and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.spacetime import actions
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.found_torques import FoundTorques
from app.features.spacetime.panel import SpacetimePanel
from app.features.spacetime.plan_words import HELP
from app.features.spacetime.rows import SpacetimeRows

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    current = window.session.of(CurrentSpacetime)
    for signal in (current.changed, current.iterated, current.ended):
        signal.connect(window.refresh_actions)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.spacetime.view.demand_dragging import DemandDragging
    from app.features.spacetime.view.force_dragging import ForceDragging
    from app.features.spacetime.view.ghost_tool import GhostTool
    from app.features.spacetime.view.others_showing import OthersShowing
    from app.features.spacetime.view.plan_showing import PlanShowing

    showing = PlanShowing(window.session, viewport, window.docks["spacetime"])
    OthersShowing(window.session, viewport, window.docks["spacetime"])
    dragging = DemandDragging(window.session, viewport, showing)
    dragging.hand_changed.connect(window.refresh_actions)
    window.add_tool(dragging)
    for kind in (ForceDragging, GhostTool):
        window.add_tool(kind(window.session, viewport, showing))


FEATURE = Feature(
    name="spacetime",
    docks=(Dock("spacetime", SpacetimePanel.title, "right", SpacetimePanel, "leap"),),
    actions=(Actions(actions.ACTIONS, actions.SpacetimeCommands, 174),),
    states=(CurrentSpacetime, FoundTorques),
    begin=_begin,
    draw=_draw,
    rows=(SpacetimeRows,),
    help=(("planned_motions", "Planned motions in the timeline and the views", HELP),),
)
