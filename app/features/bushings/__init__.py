"""Bushings: springs along six axes between bodies, put between selected joints, listed, set in the inspector, marked in
the views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.bushings import actions
from app.features.bushings.outlined import OutlinedBushings
from app.features.bushings.page import BushingPage
from app.features.bushings.shown_bushings import ShownBushings
from app.features.feature import Actions, Feature

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _show(window: Window) -> None:
    window.session.of(ShownBushings).show(window.switch("show_bushings"))


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.bushings.view.marking import BushingMarking

    window.add_tool(BushingMarking(window.session, viewport))


FEATURE = Feature(
    name="bushings",
    actions=(
        Actions(actions.ACTIONS, actions.BushingCommands, 182),
        Actions(actions.SHOWING, actions.ShowingBushings, 210),
    ),
    states=(ShownBushings,),
    outlined=OutlinedBushings(),
    pages=(BushingPage.of,),
    switches={"show_bushings": True},
    draw=_draw,
    show=_show,
)
