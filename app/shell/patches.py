"""Patches: where a limit lets a bone point, from how the engine tells it to how the views draw it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.scene import Viewport
from app.scene.patch import Patch
from app.session import Session
from engine.queries.limit_reach import ReachPatch


class Patches(QObject):
    """Brings the patch of the limit that is seen into the views; nothing is drawn again for the same one."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._limiting, self._viewport = session.limiting, viewport
        self._shown: ReachPatch | None = None
        for news in (session.limiting.changed, session.limiting.picture_changed):
            news.connect(self._follow)

    def _follow(self) -> None:
        picture = self._limiting.picture
        reach = None if picture is None else picture.reach
        if reach is not self._shown:
            self._shown = reach
            self._viewport.set_patch(None if reach is None else _patch(reach))


def _patch(reach: ReachPatch) -> Patch:
    return Patch(reach.actor, reach.joint, reach.parent, reach.positions, reach.normals, reach.beyond, reach.faces)
