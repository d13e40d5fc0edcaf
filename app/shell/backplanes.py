"""Backplanes: keeps the pictures that hang in a viewport in step with a session's references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session import Session
from engine.document.references import FACINGS, Facing

if TYPE_CHECKING:
    from app.scene import Viewport


class Backplanes(QObject):
    """Between one session and one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._references, self._viewport = session.references, viewport
        session.references.facing = self._facing
        session.references.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        from app.scene.planes import Plane

        planes = (
            Plane(
                image=each.image.digest,
                pixels=pixels,
                facing=each.facing,
                size=each.size,
                aspect=each.width / each.height,
                centre=each.centre,
                opacity=each.opacity,
                in_front=each.in_front,
            )
            for each, pixels in self._references.shown
        )
        self._viewport.set_planes(tuple(planes))

    def _facing(self) -> Facing:
        """That of the active view; the front where it looks along no axis."""
        from app.scene.panes import view_name

        name = view_name(self._viewport.cameras[self._viewport.active]).lower()
        return name if name in FACINGS else "front"
