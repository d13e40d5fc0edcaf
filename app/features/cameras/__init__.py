"""Cameras: looked through, moved with their views, pinned; and views that go along with what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.cameras import actions
from app.features.cameras.following import FollowingViews
from app.features.cameras.page import CameraPage
from app.features.cameras.view.looking import LookingThrough
from app.features.feature import Actions, Feature
from engine.cameras.parts import film_camera

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport
    from engine.document import Actor

HELP = """
<p>{add.camera} puts a camera where the active view looks from. It is moved, turned and keyed as any figure: its body
with the manipulators, its lens and the width of its picture in the inspector. {view.look_through} shows what it
sees; what is outside of its picture is darkened. Turning such a view leaves the camera, unless {view.lock_camera} is
on: then the camera goes with the view.</p>
<p>Select a camera and a part of a figure: {camera.aim} lets it look at the part wherever that goes, {camera.follow}
keeps it as far from the part as it is now, {camera.focus} keeps the part sharp and blurs what is nearer and farther, as
<i>Depth of field</i> in the inspector does at a distance; views show that once they rest. Videos are drawn as the view
shows them, so through the camera that it looks through; the sheet of videos lists all of them.</p>
<p>{view.follow} needs no camera: the view goes along with a figure while it plays.</p>
"""


def _begin(window: Window) -> None:
    window.of(FollowingViews)
    window.of(LookingThrough).changed.connect(window.refresh_actions)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.cameras.view.safe_frames import SafeFrames

    looking = window.of(LookingThrough)
    looking.begin(viewport)
    SafeFrames(window, viewport, looking)


def _show(window: Window) -> None:
    window.of(LookingThrough).changed.emit()


def _icon(actor: Actor) -> str | None:
    return None if film_camera(actor) is None else "camera"


FEATURE = Feature(
    name="cameras",
    icon_of=_icon,
    actions=(
        Actions(actions.ADDING, actions.CamerasCommands, 44),
        Actions(actions.PINNING, actions.CameraPinCommands, 180),
        Actions(actions.FOLLOWING, actions.FollowingCommands, 207),
    ),
    switches={"safe_frames": True},
    begin=_begin,
    draw=_draw,
    show=_show,
    pages=(CameraPage.of,),
    help=(("cameras", "Cameras", HELP),),
)
