"""Soft bodies: made, looked at, pulled and baked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.soft import actions, adding, plan_actions
from app.features.soft.current_forces import CurrentForces
from app.features.soft.current_plan import CurrentPlan
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.panel import SoftPanel
from app.features.soft.plan_help import HELP
from app.features.soft.plan_rows import SoftPlanRows
from app.features.soft.plan_run import PlanRun
from app.features.soft.shown import COLOURS, SWITCHES, ShownSoft

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    state, shown = window.session.of(CurrentSoft), window.session.of(ShownSoft)
    window.add_words(state.words_of)
    state.changed.connect(window.refresh_actions)
    shown.changed.connect(window.refresh_actions)
    window.session.of(CurrentForces).changed.connect(window.refresh_actions)
    window.session.of(PlanRun).told.connect(window.refresh_actions)
    shown.asked.connect(lambda choices: window.prefer(**choices))


def _show(window: Window) -> None:
    colour = next((name for name, _, _ in COLOURS if name and window.switch(f"colour_{name}")), "")
    inside = window.switch("see_inside")
    window.session.of(ShownSoft).show(colour, see_inside=inside)
    look = window.view.look
    if (look.field, look.see_inside) != (colour, inside):
        window.view.set_look(replace(look, field=colour, see_inside=inside))


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.soft.view.keyframe_dragging import KeyframeDragging
    from app.features.soft.view.pulling import SoftPulling

    window.add_tool(KeyframeDragging(window.session, viewport))
    window.add_tool(SoftPulling(window.session, viewport))


FEATURE = Feature(
    name="soft",
    docks=(Dock("soft", SoftPanel.title, "right", SoftPanel, "squircle"),),
    actions=(
        Actions(adding.ADDING, adding.AddSoftCommands, 41),
        Actions(actions.ACTIONS, actions.SoftCommands, 175),
        Actions(plan_actions.PLANNING, plan_actions.PlanCommands, 176),
        Actions(actions.SHOWING, actions.ShowingSoftCommands, 206),
    ),
    states=(CurrentSoft, ShownSoft, CurrentPlan, CurrentForces, PlanRun),
    rows=(SoftPlanRows,),
    help=(("planned", "Planned motion", HELP),),
    switches=SWITCHES,
    begin=_begin,
    draw=_draw,
    show=_show,
)
