"""SoftAttachments: what a soft body is attached to, how hard, and how to attach it to what is selected beside it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.features.form import EditForm
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.fields import narrow
from app.features.soft.words import ATTACH, held_by
from app.features.span_fields import SpanFields
from app.session import Session
from app.style.fonts import scaled
from app.style.icon_button import IconButton
from app.style.units import LENGTH
from app.style.value_slider import ValueSlider
from engine.document import Actor, Span
from engine.document.extent import play_extent
from engine.edits import Edit, edit
from engine.runtime.options import described
from engine.soft.parts import SoftAttachment, SoftBody

REACH = 0.1  # [m]
SHORTEST, LONGEST = 1e-3, 5.0
ROW, MOST_ROWS = 22, 6  # [logical px] of a row; rows that are seen at once
ID = Qt.ItemDataRole.UserRole


class SoftAttachments(QWidget):
    """The attachments of the body that is meant, the fields of the chosen one, and what makes a new one."""

    def __init__(self, session: Session, state: CurrentSoft) -> None:
        super().__init__()
        self._session, self._state = session, state
        self._shown: tuple[object, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName("What the body is attached to")
        self.list.setUniformItemSizes(True)
        self.list.currentItemChanged.connect(lambda *_: self._show_chosen())
        self.when = QComboBox()
        self.when.setAccessibleName("When it is attached")
        self.when.addItems(["Always", "For a time"])
        self.when.activated.connect(self._set_when)
        self.remove = IconButton("trash-2", "Detach it")
        self.remove.clicked.connect(self._detach)
        self.form = EditForm(session, described(SoftAttachment), self._edit, plays_on=True)
        narrow(self.form)
        self.ends = SpanFields(session, "Attachment", self._span, self._move, entry=lambda _: "Move attachment")
        for ease in ("ease_in", "ease_out"):
            self.ends.set_row_visible(ease, False)
        self.hint = QLabel(ATTACH, wordWrap=True)
        self.hint.setProperty("quiet", True)
        self.reach = ValueSlider("Points within", unit=LENGTH)
        self.reach.set_limits(SHORTEST, LONGEST)
        self.reach.set_rest(REACH)
        self.reach.set_value(REACH)
        self.reach.moved.connect(self.reach.set_value)
        self.reach.setToolTip("Points of the body that are no farther from the part than this are held")
        self.attach = QPushButton("Attach")
        self.attach.clicked.connect(lambda: state.attach(None, self.reach.value, "hard"))
        self._arrange()

    def show_body(self, owner: Actor, body: SoftBody) -> None:
        """Show what a body is attached to."""
        shown = (owner.id, *((each.id, each.target, each.joint, each.points.shape) for each in body.attachments))
        if shown != self._shown:
            self._shown = shown
            self._fill(body)
        self._show_chosen()
        other = self._state.other
        self.hint.setVisible(other is None)
        self.reach.setVisible(other is not None)
        self.attach.setVisible(other is not None)
        self.attach.setEnabled(not owner.frozen)
        if other is not None:
            name = held_by(self._session.shown, other.actor, other.part or "")
            self.attach.setText(f"Attach to {name.split(', ')[0]}")
            self.attach.setToolTip(f"Hold the points of the body near {name} there, from the frame that is shown on")

    @property
    def chosen(self) -> SoftAttachment | None:
        """The attachment whose fields are shown."""
        body, item = self._state.body, self.list.currentItem()
        return None if body is None or item is None else body.attachment(item.data(ID))

    def _fill(self, body: SoftBody) -> None:
        chosen = self.list.currentItem().data(ID) if self.list.currentItem() is not None else None
        self.list.clear()
        for each in body.attachments:
            name, count = held_by(self._session.shown, each.target, each.joint), each.points.shape[0]
            item = QListWidgetItem(f"{count:,} {'point' if count == 1 else 'points'} on {name}")
            item.setData(ID, each.id)
            item.setSizeHint(QSize(0, scaled(ROW)))
            self.list.addItem(item)
            if each.id == chosen:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and self.list.count():
            self.list.setCurrentRow(self.list.count() - 1)
        rows = min(self.list.count(), MOST_ROWS)
        self.list.setFixedHeight(rows * scaled(ROW) + 2 * self.list.frameWidth() + 4)
        self.list.setVisible(rows > 0)

    def _show_chosen(self) -> None:
        found, owner = self.chosen, self._state.owner
        for widget in (self._head, self.form):
            widget.setVisible(found is not None)
            widget.setEnabled(owner is not None and not owner.frozen)
        self.ends.show_span(None if found is None else found.span)
        if found is not None:
            self.form.show_values(found)
            for name in ("tension", "ratio"):
                self.form.set_row_visible(name, found.hold == "spring")
            self.when.setCurrentIndex(int(found.span is not None))

    def _edit(self, name: str, value: object) -> Edit | None:
        return self._of_chosen("set_soft_attachment", **{name: value})

    def _move(self, **ends: int) -> Edit:
        found = self._of_chosen("move_soft_attachment", start=ends["start"], end=ends["end"])
        assert found is not None, "shown only for a span"
        return found

    def _set_when(self, place: int) -> None:
        start, end = play_extent(self._session.document)
        ends = {"start": start, "end": max(end, start + 1)} if place else {"start": None, "end": None}
        change = self._of_chosen("move_soft_attachment", **ends)
        if change is not None:
            self._session.do(change)

    def _detach(self) -> None:
        change = self._of_chosen("detach_soft_body")
        if change is not None:
            self._session.do(change)

    def _of_chosen(self, name: str, **arguments: object) -> Edit | None:
        found, owner = self.chosen, self._state.owner
        if found is None or owner is None:
            return None
        return edit(name, actor=owner.id, attachment=found.id, **arguments)

    def _span(self) -> Span | None:
        found = self.chosen
        return None if found is None else found.span

    def _arrange(self) -> None:
        self._head = QWidget()
        line = QHBoxLayout(self._head)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self.when, 1)
        line.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(3)
        for widget in (self.list, self._head, self.form, self.ends, self.hint, self.reach, self.attach):
            column.addWidget(widget)
