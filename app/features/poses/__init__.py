"""Poses: copied, mirrored, keyed and drafted, and kept in a library with a picture each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.poses.actions import ACTIONS, PoseCommands
from app.features.poses.library import PoseLibrary
from app.features.poses.panel import PosesPanel

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.poses.view import photograph

    window.session.of(PoseLibrary).photograph = partial(photograph, viewport, window.session)


FEATURE = Feature(
    name="poses",
    docks=(Dock("poses", PosesPanel.title, "left", PosesPanel, "person-standing"),),
    actions=(Actions(ACTIONS, PoseCommands, 50),),
    states=(PoseLibrary,),
    draw=_draw,
)
