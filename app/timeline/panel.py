"""TimelinePanel: the head of time and the dope sheet below it, on one axis."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.session import FileOutcome, Session
from app.style.following import Following
from app.style.grounds import make_panel
from app.timeline.axis import TimeAxis
from app.timeline.sheet import NAMES, DopeSheet
from app.timeline.time_head import TimeHead
from engine.document.extent import play_extent

MARGIN = 0.04  # of what is played, shown before and after it


class TimelinePanel(Following):
    """What is keyed, and when."""

    title = "Timeline"
    help_text = """
<p>Every key of every actor, by group, joint and channel: a row that is folded shows the keys of all rows in it.
Round marks are smooth, green ones with tangents of your own, diamonds straight, squares held; small ones stand for
several.</p>
<p>Click a mark or draw a box to choose keys, with Shift to add, with Ctrl to turn about. Drag to move them, with Ctrl
to copy; drag an edge of the box around them to scale. Ctrl+C, Ctrl+V at the playhead and Delete work while the
pointer's last click was here; Esc lets go of a drag.</p>
<p>Bars are layers, locks and attachments with a span: drag them, their ends, or the round ends of their ease.</p>
<p>The wheel scrolls, with Ctrl it zooms about the pointer, with Shift it moves in time; so does the middle button.</p>
"""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self.axis = session, axis
        self.head = TimeHead(session, self.axis, margin=NAMES)
        self.sheet = DopeSheet(session, self.axis)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.sheet, 1)
        session.document_changed.connect(lambda old, new: self.follow())
        session.snapshot_ready.connect(self._begin)
        session.filed.connect(self._show_opened)

    def sizeHint(self) -> QSize:
        return QSize(500, 180)

    def show_all(self) -> None:
        """See all that is played, and a little around it."""
        start, end = play_extent(self._session.document)
        around = MARGIN * (end - start)
        self.axis.show_range(start - around, end + around)

    def refresh(self) -> None:
        """Show the document as it is now, once there was a picture."""
        if self._session.snapshot is None:
            return
        self.axis.set_rate(self._session.document.rate)
        self.sheet.show_document(self._session.document)

    def _begin(self) -> None:
        self._session.snapshot_ready.disconnect(self._begin)
        self.show_all()
        self.follow()

    def _show_opened(self, outcome: FileOutcome) -> None:
        if outcome.kind in ("open", "example") and outcome.went_well:
            self.show_all()
