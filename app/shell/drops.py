"""Drops: what may be dropped on the window and its floating panels, whatever lies under the pointer.

Files are opened wherever they are let go; a sequence of the library is put on the figure or at the time where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.session.sequences import MIME, KeptSequence
from app.timeline.sheet import DopeSheet

if TYPE_CHECKING:
    from app.scene import Viewport

_ABOUT_HANDLES = (QEvent.Type.Show, QEvent.Type.WinIdChange)
_ABOUT_DROPS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class Drops(QObject):
    """Listens where Qt hands drags to a window, before they reach fields and lists that would take them as text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._windows: dict[QObject, QWidget] = {}
        self.watch(parent)

    def watch(self, window: QWidget) -> None:
        """Take what is dropped on this window, too, whenever it is one."""
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        self._listen(window)

    def take(self, window: QWidget, event: QDropEvent) -> bool:
        """Whether this drag is for it; if it is, it was answered, and done where it was let go."""
        raise NotImplementedError

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is for it is taken, everything else goes its way."""
        if event.type() in _ABOUT_HANDLES and isinstance(watched, QWidget):
            self._listen(watched)
        elif isinstance(event, QDropEvent) and event.type() in _ABOUT_DROPS:
            window = watched if isinstance(watched, QWidget) else self._windows.get(watched)
            if window is not None and self.take(window, event):
                return True
        return super().eventFilter(watched, event)

    def _listen(self, window: QWidget) -> None:
        handle = window.windowHandle()
        if handle is not None:
            self._windows[handle] = window
            handle.installEventFilter(self)


class FileDrops(Drops):
    """Files, anywhere."""

    def __init__(self, parent: QWidget, dropped: Callable[[Sequence[Path]], None]) -> None:
        self._dropped = dropped
        super().__init__(parent)

    def take(self, window: QWidget, event: QDropEvent) -> bool:
        files = files_of(event.mimeData())
        if files:
            event.acceptProposedAction()
            if not isinstance(event, QDragMoveEvent):
                self._dropped(files)
        return bool(files)


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
            self._session.sequences.put(kept, time=time, actor=actor)
        return True

    def _carried(self, data: QMimeData) -> KeptSequence | None:
        if not data.hasFormat(MIME):
            return None
        path = Path(bytes(data.data(MIME).data()).decode())
        return next((each for each in self._session.sequences.sequences if each.path == path), None)

    def _place(self, window: QWidget, at: QPoint) -> tuple[int | None, str | None] | None:
        """The time and the actor that are meant at a place, each None for what is usual; None where nothing is."""
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


def files_of(dropped: QMimeData) -> list[Path]:
    """The files and folders of this machine among what is dropped."""
    return [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile() and url.toLocalFile()]
