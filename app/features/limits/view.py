"""Joint limits in the views: the patch of directions that a bone may point to, and the view of a region."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.features.limits.current_limit import CurrentLimit
from app.features.limits.region import LimitRegionView
from app.scene import Viewport
from app.scene.patch import Patch
from app.scene.probe import find_graphics
from app.session import Session
from engine.queries.limit_reach import ReachPatch


class Patches(QObject):
    """Brings the patch of the limit that is seen into the views; nothing is drawn again for the same one."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._current, self._viewport = session.of(CurrentLimit), viewport
        self._shown: ReachPatch | None = None
        for signal in (self._current.changed, self._current.picture_changed):
            signal.connect(self._follow)

    def _follow(self) -> None:
        picture = self._current.picture
        reach = None if picture is None else picture.reach
        if reach is not self._shown:
            self._shown = reach
            self._viewport.set_patch(None if reach is None else _patch(reach))


def _patch(reach: ReachPatch) -> Patch:
    return Patch(reach.actor, reach.joint, reach.parent, reach.positions, reach.normals, reach.beyond, reach.faces)


def region_view(viewport: Viewport) -> LimitRegionView | None:
    """Make a view of a region over three angles, turned by the same mouse; None without OpenGL."""
    found = find_graphics()
    if isinstance(found, str):
        return None
    from app.scene.region_view import RegionView

    return RegionView(software=found.is_software, mouse=lambda: viewport.mouse)
