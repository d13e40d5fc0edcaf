"""PathLines: hands the paths of a session, and the present in them, to the viewport."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.features.secondary.current_secondary import CurrentSecondary
from app.scene.paths import PathLine, PathStyle
from app.session import Session
from engine.document.ticks import TICKS_PER_SECOND

if TYPE_CHECKING:
    from app.scene import Viewport
    from engine.model import Snapshot


STYLES = {
    "keyed": PathStyle(label="As keyed", row=0, colour="text_quiet", level=1),
    "secondary": PathStyle(label="Secondary motion", row=1, colour="accent", half_width=1.3, dotted=True, level=2),
    "dynamics": PathStyle(label="Full dynamics from the start", row=2, colour="axis_z"),
}


class PathLines(QObject):
    """Between the paths of one session and one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._paths, self._viewport = session.of(CurrentSecondary).paths, viewport
        self._lines: tuple[PathLine, ...] = ()
        self._now = 0.0
        self._paths.changed.connect(self._take)
        session.snapshot_ready.connect(self._follow)

    def _take(self) -> None:
        self._lines = tuple(
            PathLine(style=STYLES[each.kind], seconds=each.times / TICKS_PER_SECOND, points=each.points)
            for each in self._paths.paths
        )
        self._viewport.set_paths(self._lines, self._now)

    def _follow(self, snapshot: Snapshot) -> None:
        self._now = snapshot.time / TICKS_PER_SECOND
        if self._lines:
            self._viewport.set_paths(self._lines, self._now)
