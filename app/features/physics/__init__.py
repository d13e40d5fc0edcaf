"""Physics: figures and props that fall, roll and collide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.physics import actions
from app.features.physics.current_torques import CurrentTorques
from app.features.physics.panel import PhysicsPanel
from app.features.physics.rows import TorqueRows
from app.features.physics.state import PhysicsState

if TYPE_CHECKING:
    from app.features.window import Window


def _begin(window: Window) -> None:
    window.add_words(window.session.of(PhysicsState).words_of)


def _show(window: Window) -> None:
    look = window.view.look
    hidden = look.hidden - {"force"} if window.switch("show_forces") else look.hidden | {"force"}
    if hidden != look.hidden:
        window.view.set_look(replace(look, hidden=hidden))


FEATURE = Feature(
    name="physics",
    docks=(Dock("physics", PhysicsPanel.title, "right", PhysicsPanel, "weight"),),
    actions=(
        Actions(actions.ACTIONS, actions.PhysicsCommands, 173),
        Actions(actions.SHOWING, actions.ShowingForces, 204),
    ),
    states=(PhysicsState, CurrentTorques),
    rows=(lambda _: TorqueRows(),),
    switches={"show_forces": False},
    begin=_begin,
    show=_show,
)
