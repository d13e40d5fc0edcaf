"""SequenceDrops: sequences of the library that are dragged onto a figure of the picture or a time of the timeline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.features.sequences.library import MIME, KeptSequence, SequenceLibrary
from app.session import Session
from app.style.drops import Drops
from app.timeline.sheet import DopeSheet

if TYPE_CHECKING:
    from app.scene import Viewport


class SequenceDrops(Drops):
    """Sequences of the library, on a figure of the picture or a time of the timeline."""

    def __init__(self, parent: QWidget, session: Session, viewport: Callable[[], Viewport | None]) -> None:
        self._session, self._viewport = session, viewport
        super().__init__(parent)

    def take(self, window: QWidget, event: QDropEvent) -> bool:
        kept = self._carried(event.mimeData())
        if kept is None:
            return False
        place = self._place(window, event.position().toPoint())
        if place is None:
            event.ignore()
            return True
        event.acceptProposedAction()
        if not isinstance(event, QDragMoveEvent):
            time, actor = place
            self._session.of(SequenceLibrary).put(kept, time=time, actor=actor)
        return True

    def _carried(self, data: QMimeData) -> KeptSequence | None:
        if not data.hasFormat(MIME):
            return None
        path = Path(bytes(data.data(MIME).data()).decode())
        return next((each for each in self._session.of(SequenceLibrary).sequences if each.path == path), None)

    def _place(self, window: QWidget, at: QPoint) -> tuple[int | None, str | None] | None:
        """Return the time and the actor that are meant at a place, each None for what is usual; None where nothing
        is."""
        under, viewport = window.childAt(at), self._viewport()
        while under is not None:
            if viewport is not None and under is viewport:
                return None, self._actor_at(at - under.mapTo(window, QPoint(0, 0)))
            if isinstance(under, DopeSheet):
                return _time_in(under, at - under.viewport().mapTo(window, QPoint(0, 0)))
            under = under.parentWidget()
        return None

    def _actor_at(self, at: QPoint) -> str | None:
        viewport = self._viewport()
        pick = None if viewport is None else viewport.pick(at.toPointF())
        return pick.owner if pick is not None and pick.owner in self._session.document.actor_index else None


def _time_in(sheet: DopeSheet, at: QPoint) -> tuple[int | None, str | None]:
    row = sheet.row_at(at.y())
    time = sheet.axis.snapped(sheet.time_at(at.x())) if at.x() >= sheet.names_width else None
    return time, None if row is None else sheet.rows[row].actor
