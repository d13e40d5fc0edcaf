"""Backplanes: keeps the pictures that hang in a viewport in step with a session's references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session import Session
from engine.document.references import FACINGS, Facing, FixedCamera

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.scene.camera import Camera


class Backplanes(QObject):
    """Between one session and one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._references, self._viewport = session.references, viewport
        session.references.facing = self._facing
        session.references.camera = self._camera
        session.references.look_wished.connect(self._look_from)
        session.references.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        from app.scene.planes import Plane

        planes = (
            Plane(
                image=each.id,
                pixels=pixels,
                facing=each.facing,
                size=each.size,
                aspect=each.width / each.height,
                centre=each.centre,
                opacity=each.opacity,
                in_front=each.in_front,
                camera=_camera_of(each.camera) if each.facing == "camera" and each.camera is not None else None,
                depth=each.depth,
            )
            for each, pixels in self._references.shown
        )
        self._viewport.set_planes(tuple(planes))

    def _facing(self) -> Facing:
        """Return the facing of the active view; the front where it looks along no axis."""
        from app.scene.panes import view_name

        name = view_name(self._viewport.cameras[self._viewport.active]).lower()
        return name if name in FACINGS else "front"

    def _camera(self) -> FixedCamera:
        """Return the camera of the active view, or of the one with perspective."""
        seen = self._viewport.cameras[self._perspective()]
        return FixedCamera(
            target=seen.target,
            distance=seen.distance,
            azimuth=seen.azimuth,
            elevation=seen.elevation,
            fov=seen.fov,
        )

    def _look_from(self, camera: FixedCamera) -> None:
        self._viewport.move_camera(self._perspective(), _camera_of(camera))

    def _perspective(self) -> int:
        """Return the active view, if it has perspective; else the first one that has, or the one that usually does."""
        from app.scene.panes import PERSPECTIVE

        cameras, active = self._viewport.cameras, self._viewport.active
        views = (active, PERSPECTIVE, *range(len(cameras)))
        return next((view for view in views if not cameras[view].orthographic), PERSPECTIVE)


def _camera_of(camera: FixedCamera) -> Camera:
    from app.scene.camera import Camera

    return Camera(
        target=camera.target,
        distance=camera.distance,
        azimuth=camera.azimuth,
        elevation=camera.elevation,
        fov=camera.fov,
    )
