"""Muscles of figures: the lanes of their activations, lengths, forces, moment arms; spindles in the views."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.feature import Actions, Feature
from app.features.muscles import actions
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.excited_curves import ExcitedCurves
from app.features.muscles.lane_source import MuscleLanes
from app.features.muscles.moving_points import MovingPoints
from app.features.muscles.page import MusclePage
from app.features.muscles.shown_torques import VIEWS, ShownTorques
from app.features.muscles.shown_wraps import ShownWraps

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    current = window.session.of(CurrentMuscles)
    for signal in (current.changed, current.hand_changed):
        signal.connect(window.refresh_actions)


def _show(window: Window) -> None:
    window.session.of(ShownTorques).watch(VIEWS, window.switch("show_torques"))
    window.session.of(ShownWraps).show(all_of_them=window.switch("show_wraps"), in_views=window.switch("show_muscles"))
    look = window.view.look
    hidden = look.hidden - {"muscle"} if window.switch("show_muscles") else look.hidden | {"muscle"}
    if hidden != look.hidden:
        window.view.set_look(replace(look, hidden=hidden))
        window.session.of(CurrentMuscles).changed.emit()


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.muscles.view.movable import find_muscle_part
    from app.features.muscles.view.point_dragging import PointDragging
    from app.features.muscles.view.torque_arrows import TorqueArrows
    from app.features.muscles.view.wrap_dragging import WrapDragging

    TorqueArrows(window.session, viewport)
    window.add_tool(PointDragging(window.session, viewport))
    window.add_tool(WrapDragging(window.session, viewport))
    window.session.of(MovingPoints).watch(True)
    tool = window.manipulators
    if tool is not None:
        tool.finders.insert(0, find_muscle_part)
        current, moving = window.session.of(CurrentMuscles), window.session.of(MovingPoints)
        for signal in (current.point_changed, current.wrap_changed, moving.changed):
            signal.connect(tool.refresh)


FEATURE = Feature(
    name="muscles",
    actions=(
        Actions(actions.ACTIONS, actions.MusclesCommands, 172),
        Actions(actions.SHOWING, actions.ShowingMuscles, 205),
    ),
    states=(CurrentMuscles, ExcitedCurves, ShownTorques, MovingPoints, ShownWraps, MuscleLanes),
    begin=_begin,
    draw=_draw,
    show=_show,
    pages=(MusclePage.of,),
    switches={"show_muscles": True, "show_torques": False, "show_wraps": False},
)
