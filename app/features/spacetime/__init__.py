"""Spacetime: motions that are planned by stages, constraints and muscles, found, compared and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.spacetime import actions
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.panel import SpacetimePanel

if TYPE_CHECKING:
    from app.features.window import Window


def _begin(window: Window) -> None:
    current = window.session.of(CurrentSpacetime)
    for signal in (current.changed, current.iterated, current.ended):
        signal.connect(window.refresh_actions)


FEATURE = Feature(
    name="spacetime",
    docks=(Dock("spacetime", SpacetimePanel.title, "right", SpacetimePanel, "leap"),),
    actions=(Actions(actions.ACTIONS, actions.SpacetimeCommands, 174),),
    states=(CurrentSpacetime,),
    begin=_begin,
)
