"""TimelinePanel: the head of time and the dope sheet below it, on one axis."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QMenu, QWidget

from app.session import FileOutcome, Session
from app.style.apply import current_theme
from app.style.following import Following
from app.style.fonts import scaled
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.timeline.axis import TimeAxis
from app.timeline.bars import AttachmentRows, LayerRows
from app.timeline.looks import legend
from app.timeline.rows import RowSource
from app.timeline.sheet import NAMES, DopeSheet
from app.timeline.time_head import TimeHead


class TimelinePanel(Following):
    """The keys of the scene over time."""

    title = "Timeline"
    menu_asked = Signal(QMenu, str)  # to be filled with what can be done with a "key", a "block" and so on
    reported = Signal(str)  # a word for the status line
    help_text = """
<p>Every key of every actor, by group, joint and channel: a row that is folded shows the keys of all rows in it.
Round marks are smooth, green ones with tangents of your own, diamonds straight, squares held; small ones stand for
several. Rest the pointer on a mark for its value, time and kind.</p>
<p>Click a mark or draw a box to choose keys, with Shift to add, with Ctrl to turn about. Drag to move them, with Ctrl
to copy; drag an edge of the box around them to scale. Keys that are dropped on others take their place. While the
last click was here, {pose.copy} copies, {pose.paste} pastes at the playhead, onto the selected actor and into the
chosen layer, {edit.delete} deletes, {select.all} chooses all, {view.frame_selected} shows the chosen keys,
{view.frame_all} all. The right button says what else can be done: how the spans after keys are filled, for one.
Esc lets go of a drag.</p>
<p>Bars are layers, pins and attachments: drag them, their ends, or the round ends of their ease. A faint bar lasts
always; drag an end to give it a span.</p>
<p>Drag with Ctrl and Shift to insert time to the right, or to take out what you run over to the left, in all layers,
pins and attachments of the selected actors, else of all.</p>
<p>The wheel scrolls, with Ctrl it zooms about the pointer, with Shift it moves in time; so does the middle button.</p>
"""

    def __init__(
        self, session: Session, axis: TimeAxis, sources: Sequence[RowSource] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self.axis = session, axis
        self.head = TimeHead(session, self.axis, margin=NAMES)
        made = (*sources, LayerRows(), AttachmentRows())
        self.sheet = DopeSheet(session, self.axis, sorted(made, key=lambda each: each.place))
        self.snaps = IconButton("magnet", "Whole frames: keys and ends that are dragged stand on them")
        self.snaps.setCheckable(True)
        self.snaps.setChecked(axis.snapping)
        self.all = IconButton("scan", "Show all that is played")
        self.legend = IconButton("info", "")
        self._layout()
        self.snaps.clicked.connect(axis.set_snapping)
        self.all.clicked.connect(self.sheet.commands.show_all)
        axis.changed.connect(lambda: self.snaps.setChecked(axis.snapping))
        self.sheet.reported.connect(self.reported)
        self.sheet.menu_asked.connect(self._offer)
        session.document_changed.connect(lambda old, new: self.follow())
        session.snapshot_ready.connect(self._begin)
        session.filed.connect(self._show_opened)
        session.clock.changed.connect(lambda: axis.count_in_seconds(session.clock.seconds))

    def sizeHint(self) -> QSize:
        return QSize(500, 180)

    def refresh(self) -> None:
        """Show the present document, once there was a picture."""
        if self._session.snapshot is None:
            return
        self.axis.set_rate(self._session.document.rate)
        self.sheet.show_document(self._session.document)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit_corner()

    def _layout(self) -> None:
        self._corner = QWidget()
        row = QHBoxLayout(self._corner)
        row.setContentsMargins(6, 0, 6, 1)
        row.setSpacing(2)
        for button in (self.snaps, self.all, self.legend):
            row.addWidget(button)
        row.addStretch(1)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.head, 0, 0)
        grid.addWidget(self._corner, 0, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self.sheet, 1, 0)
        grid.setRowStretch(1, 1)
        self._fit_corner()

    def _fit_corner(self) -> None:
        self._corner.setFixedWidth(scaled(NAMES) - 1)
        self.legend.set_tip(legend(current_theme(), self.sheet.sources))
        self.legend.setAccessibleName("What marks and bars mean")

    def _offer(self, at: QPoint, about: tuple[str, ...]) -> None:
        menu = QMenu(self)
        menu.setObjectName("context")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for each in about:
            menu.addSeparator()
            self.menu_asked.emit(menu, each)
            if each == "key":
                self.menu_asked.emit(menu.addMenu("Interpolation"), "filling")
        menu.popup(at)

    def _begin(self) -> None:
        self._session.snapshot_ready.disconnect(self._begin)
        self.sheet.commands.show_all()
        self.follow()

    def _show_opened(self, outcome: FileOutcome) -> None:
        if outcome.kind in ("open", "example") and outcome.went_well:
            self.sheet.commands.show_all()
