"""Muscle activation: the dock of the lanes of muscles and of activation splines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.features.activation.actions import ACTIONS, ActivationCommands
from app.features.activation.panel import ActivationPanel
from app.features.feature import Actions, Dock, Feature
from app.lanes.current_lanes import CurrentLanes
from app.lanes.hand import LaneHand
from app.timeline.axis import shared_axis

if TYPE_CHECKING:
    from app.features.window import Window
    from app.session import Session


def _panel(session: Session) -> ActivationPanel:
    return ActivationPanel(session, session.of(shared_axis))


def _begin(window: Window) -> None:
    current = window.session.of(CurrentLanes)
    for signal in (current.changed, current.records_changed):
        signal.connect(window.refresh_actions)

    def take(panel: QWidget) -> None:
        assert isinstance(panel, ActivationPanel), "its dock"
        for signal in (panel.lanes.chosen_changed, panel.lanes.drawing_changed):
            signal.connect(window.refresh_actions)

    window.docks["activation"].when_made(take)


FEATURE = Feature(
    name="activation",
    docks=(Dock("activation", ActivationPanel.title, "bottom", _panel, "activity"),),
    actions=(Actions(ACTIONS, ActivationCommands, 171),),
    states=(CurrentLanes, LaneHand),
    begin=_begin,
)
