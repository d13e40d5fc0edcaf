"""Cameras: added, looked through, pinned; and views that follow a figure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.action import PART, Action, Topic
from app.features.cameras.following import FollowingViews
from app.features.cameras.view.looking import LookingThrough
from app.session import Item
from app.session.actors import free_name
from engine.cameras.parts import CameraAim, CameraFollow, cameras_in, film_camera
from engine.document import Actor
from engine.document.values import new_id, vector3
from engine.edits import edit

if TYPE_CHECKING:
    from engine.document.values import Vector3

_Camera = partial(Action, menu="View", submenu="Cameras")
_Pin = partial(Action, menu="Animate", submenu="Camera")
NOTHING_TO_AIM_AT = "Select the camera and what it is to be pinned to, a part of a figure or a whole actor."


class CamerasCommands(Topic):
    """Cameras: added where a view looks from, and looked through."""

    @property
    def _looking(self) -> LookingThrough:
        return self._window.of(LookingThrough)

    def add(self) -> None:
        """Add a camera that sees what the active view does."""
        actor = self._looking.added(new_id("camera"), free_name(self._session.document, "Camera"))
        self._session.do(edit("add_actor", actor=actor), choose=Item(actor.id))

    def look_through(self) -> None:
        """Show in the active view what the selected camera sees, or the first one; again: what it showed before."""
        view = self._window.view.active
        shown, wanted = self._looking.camera_in(view), self._wanted
        self._looking.look(view, None if wanted is None or wanted.id == shown else wanted)

    def looks_through(self) -> bool:
        """True if the active view looks through a camera."""
        return self.has_view() and self._looking.camera_in(self._window.view.active) is not None

    def toggle_locked(self) -> None:
        """Move the camera that a view looks through by turning the view, or leave the camera by that."""
        self._looking.lock(not self._looking.locked)

    def is_locked(self) -> bool:
        """True if cameras are locked to their views."""
        return self._looking.locked

    def toggle_safe_frames(self) -> None:
        """Draw the areas that every screen shows of a picture, in views that look through a camera."""
        self._window.prefer(safe_frames=not self.has_safe_frames())

    def has_safe_frames(self) -> bool:
        """True if safe areas are drawn."""
        return self._window.switch("safe_frames")

    def has_view(self) -> bool:
        """True if there is a 3D picture."""
        return self._window.viewport is not None

    def has_cameras(self) -> bool:
        """True if there is a camera to look through."""
        return self.has_view() and self._wanted is not None

    @property
    def _wanted(self) -> Actor | None:
        cameras = cameras_in(self._session.document)
        chosen = {item.actor for item in self._session.selection.items}
        return next((each for each in cameras if each.id in chosen), cameras[0] if cameras else None)


class CameraPinCommands(Topic):
    """Pins of cameras: at whom they look, and with whom they go along."""

    def aim(self) -> None:
        """Let the selected cameras look at the other part that is selected, wherever it goes."""
        cameras, target = self._chosen()
        for camera in cameras if target is not None else ():
            assert target is not None, "asked before"
            aim = CameraAim(actor=target[0].id, joint=target[1])
            self._session.do(edit("aim_camera", actor=camera.id, aim=aim))

    def follow(self) -> None:
        """Let the selected cameras go along with the other part that is selected, as far from it as they are now."""
        self._follow(level=False)

    def follow_level(self) -> None:
        """Let the selected cameras go along with the other part that is selected, at the height that they have."""
        self._follow(level=True)

    def focus(self) -> None:
        """Let the selected cameras see sharply at the other part that is selected, wherever it goes, or at what they
        look at."""
        for camera, on in self._focusable:
            self._session.do(edit("focus_camera", actor=camera.id, on=on))

    def can_focus(self) -> bool:
        """True if a camera is selected, and something that it can be focused on."""
        return bool(self._focusable)

    def unpin(self) -> None:
        """Let the selected cameras stand and look as their own keys say."""
        for camera in self._pinned:
            self._session.do(edit("unpin_camera", actor=camera.id))

    def can_pin(self) -> bool:
        """True if a camera is selected, and something that it can be pinned to."""
        cameras, target = self._chosen()
        return bool(cameras) and target is not None

    def is_pinned(self) -> bool:
        """True if a selected camera is pinned."""
        return bool(self._pinned)

    def _follow(self, *, level: bool) -> None:
        cameras, target = self._chosen()
        anchor = None if target is None else self._place(target[0], target[1])
        if target is None or anchor is None:
            self._session.note("note", NOTHING_TO_AIM_AT)
            return
        for camera in cameras:
            follow = CameraFollow(actor=target[0].id, joint=target[1], anchor=anchor, level=level)
            self._session.do(edit("follow_with_camera", actor=camera.id, follow=follow))

    def _place(self, actor: Actor, joint: str) -> Vector3 | None:
        """Return where a joint is in the picture that is shown [m]."""
        items = () if self._session.snapshot is None else self._session.snapshot.bodies
        shown = next((each for each in items if each.owner == actor.id and each.role == "result"), None)
        if shown is None or joint not in shown.parts:
            return None
        return vector3("a joint", shown.transforms[shown.parts.index(joint), :, 3].tolist())

    def _chosen(self) -> tuple[list[Actor], tuple[Actor, str] | None]:
        """Return the selected cameras, and the last part of anything else."""
        document, cameras, target = self._session.document, list[Actor](), None
        for item in self._session.selection.items:
            actor = document.actor(item.actor)
            if film_camera(actor) is None:
                target = (actor, item.part or actor.figure.joints[0].id)
            elif actor not in cameras:
                cameras.append(actor)
        return cameras, target

    @property
    def _focusable(self) -> list[tuple[Actor, CameraAim]]:
        """Return the selected cameras, and on what each is to be focused."""
        cameras, target = self._chosen()
        if target is not None:
            return [(each, CameraAim(actor=target[0].id, joint=target[1])) for each in cameras]
        aims = ((each, film_camera(each)) for each in cameras)
        return [(each, part.aim) for each, part in aims if part is not None and part.aim is not None]

    @property
    def _pinned(self) -> list[Actor]:
        parts = ((each, film_camera(each)) for each in self._chosen()[0])
        return [each for each, part in parts if part is not None and part.is_pinned]


class FollowingCommands(Topic):
    """Views that go along with a figure."""

    def toggle_following(self) -> None:
        """Keep the selected figure's root in the middle of the active view while it moves, or let the view stand."""
        self._window.of(FollowingViews).toggle(self._window.view.active)

    def is_following(self) -> bool:
        """True if the active view follows a figure."""
        return self.has_view() and self._window.of(FollowingViews).follows(self._window.view.active)

    def can_follow(self) -> bool:
        """True if something is selected that the view can follow, or it does."""
        return self.has_view() and (bool(self._session.selection) or self.is_following())

    def has_view(self) -> bool:
        """True if there is a 3D picture."""
        return self._window.viewport is not None


Add = CamerasCommands
Do = FollowingCommands
Pin = CameraPinCommands

ADDING: tuple[Action, ...] = (
    Action(
        id="add.camera", label="Camera", menu="Add", call=Add.add, when=Add.has_view, icon="camera",
        begins_group=True,
    ),
    _Camera(
        id="view.look_through", label="Look through camera", call=Add.look_through, when=Add.has_cameras,
        checked=Add.looks_through, icon="camera",
    ),
    _Camera(
        id="view.lock_camera", label="Move camera with view", call=Add.toggle_locked, checked=Add.is_locked,
    ),
    _Camera(
        id="view.safe_frames", label="Safe areas", call=Add.toggle_safe_frames, checked=Add.has_safe_frames,
    ),
)  # fmt: skip

PINNING: tuple[Action, ...] = (
    _Pin(id="camera.aim", label="Pin aim to selected", call=Pin.aim, when=Pin.can_pin, icon="crosshair", contexts=PART),
    _Pin(id="camera.follow", label="Follow selected", call=Pin.follow, when=Pin.can_pin),
    _Pin(id="camera.follow_level", label="Follow selected at its own height", call=Pin.follow_level, when=Pin.can_pin),
    _Pin(id="camera.focus", label="Pin focus to selected", call=Pin.focus, when=Pin.can_focus),
    _Pin(id="camera.unpin", label="Unpin camera", call=Pin.unpin, when=Pin.is_pinned),
)  # fmt: skip

FOLLOWING: tuple[Action, ...] = (
    Action(
        id="view.follow", label="Follow selected figure", menu="View", call=Do.toggle_following, when=Do.can_follow,
        checked=Do.is_following, icon="crosshair", begins_group=True,
    ),
)  # fmt: skip
