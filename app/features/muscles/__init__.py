"""Muscles of figures: activations over time, lengths, forces, moment arms; spindles in the views."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.features.feature import Actions, Dock, Feature
from app.features.muscles import actions
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.page import MusclePage
from app.features.muscles.panel import MusclesPanel
from app.timeline.axis import shared_axis

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport
    from app.session import Session


def _panel(session: Session) -> MusclesPanel:
    return MusclesPanel(session, session.of(shared_axis))


def _begin(window: Window) -> None:
    current = window.session.of(CurrentMuscles)
    for signal in (current.changed, current.hand_changed):
        signal.connect(window.refresh_actions)

    def take(panel: QWidget) -> None:
        assert isinstance(panel, MusclesPanel), "its dock"
        panel.lanes.chosen_changed.connect(window.refresh_actions)

    window.docks["muscles"].when_made(take)


def _show(window: Window) -> None:
    look = window.view.look
    hidden = look.hidden - {"muscle"} if window.switch("show_muscles") else look.hidden | {"muscle"}
    if hidden != look.hidden:
        window.view.set_look(replace(look, hidden=hidden))
        window.session.of(CurrentMuscles).changed.emit()


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.muscles.view.point_dragging import PointDragging

    window.add_tool(PointDragging(window.session, viewport))


FEATURE = Feature(
    name="muscles",
    docks=(Dock("muscles", MusclesPanel.title, "bottom", _panel, "activity"),),
    actions=(
        Actions(actions.ACTIONS, actions.MusclesCommands, 172),
        Actions(actions.SHOWING, actions.ShowingMuscles, 205),
    ),
    states=(CurrentMuscles,),
    begin=_begin,
    draw=_draw,
    show=_show,
    pages=(MusclePage.of,),
    switches={"show_muscles": True},
)
