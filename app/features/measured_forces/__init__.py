"""Measured forces: put on figures from files, listed, given another body, drawn as arrows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.feature import Actions, Feature
from app.features.measured_forces import actions
from app.features.measured_forces.outlined import OutlinedForces
from app.features.measured_forces.page import MeasuredForcePage

if TYPE_CHECKING:
    from app.features.window import Window

ROLE = "measured"


def _show(window: Window) -> None:
    look = window.view.look
    hidden = look.hidden - {ROLE} if window.switch("show_measured") else look.hidden | {ROLE}
    if hidden != look.hidden:
        window.view.set_look(replace(look, hidden=hidden))


FEATURE = Feature(
    name="measured_forces",
    actions=(
        Actions(actions.ACTIONS, actions.MeasuredForceCommands, 181),
        Actions(actions.SHOWING, actions.ShowingMeasured, 209),
    ),
    outlined=OutlinedForces(),
    pages=(MeasuredForcePage.of,),
    switches={"show_measured": True},
    show=_show,
)
