"""SoftAttachments: what a soft body is attached to, how hard, and how to attach it to what is selected beside it."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.words import ATTACH, held_by
from app.features.span_fields import SpanFields
from app.session import Session
from app.style.elided_label import ElidedLabel
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


class SoftAttachments(QWidget):
    """The attachments of the body that is meant, each with its fields, and the form for a new one."""

    def __init__(self, session: Session, state: CurrentSoft) -> None:
        super().__init__()
        self._session, self._state = session, state
        self._shown: tuple[object, ...] | None = None
        self.forms: dict[str, EditForm] = {}
        self.spans: dict[str, SpanFields] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(3)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(3)
        column.addLayout(self._rows)
        self.hint = QLabel(ATTACH, wordWrap=True)
        self.hint.setProperty("quiet", True)
        column.addWidget(self.hint)
        self.reach = ValueSlider("Points within", unit=LENGTH)
        self.reach.set_limits(SHORTEST, LONGEST)
        self.reach.set_rest(REACH)
        self.reach.set_value(REACH)
        self.reach.moved.connect(self.reach.set_value)
        self.reach.setToolTip("Points of the body that are no farther from the part than this are held")
        self.attach = QPushButton("Attach")
        self.attach.clicked.connect(lambda: state.attach(None, self.reach.value, "hard"))
        column.addWidget(self.reach)
        column.addWidget(self.attach)

    def show_body(self, owner: Actor, body: SoftBody) -> None:
        """Show what a body is attached to."""
        form = (owner.id, *((each.id, each.target, each.joint, each.span is None) for each in body.attachments))
        if form != self._shown:
            self._shown = form
            self._build(owner, body)
        for each in body.attachments:
            self.forms[each.id].show_values(each)
            self.forms[each.id].setEnabled(not owner.frozen)
            for name in ("tension", "ratio"):
                self.forms[each.id].set_row_visible(name, each.hold == "spring")
            self.spans[each.id].show_span(each.span)
        other = self._state.other
        self.hint.setVisible(other is None)
        self.reach.setVisible(other is not None)
        self.attach.setVisible(other is not None)
        self.attach.setEnabled(not owner.frozen)
        if other is not None:
            name = held_by(self._session.shown, other.actor, other.part or "")
            self.attach.setText(f"Attach to {name.split(', ')[0]}")
            self.attach.setToolTip(f"Hold the points of the body near {name} there, from the frame that is shown on")

    def _build(self, owner: Actor, body: SoftBody) -> None:
        self.forms.clear()
        self.spans.clear()
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for each in body.attachments:
            self._rows.addWidget(self._head(owner, each))
            form = self.forms[each.id] = EditForm(
                self._session, described(SoftAttachment), partial(self._edit, owner.id, each.id), plays_on=True
            )
            self._rows.addWidget(form)
            spans = self.spans[each.id] = SpanFields(
                self._session,
                "Attachment",
                partial(self._span, owner.id, each.id),
                partial(self._ends, owner.id, each.id),
                entry=lambda _: "Move attachment",
            )
            for ease in ("ease_in", "ease_out"):
                spans.set_row_visible(ease, False)
            self._rows.addWidget(spans)

    def _head(self, owner: Actor, attachment: SoftAttachment) -> QWidget:
        row, name = QWidget(), held_by(self._session.shown, attachment.target, attachment.joint)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 2, 0, 0)
        line.setSpacing(4)
        count = attachment.points.shape[0]
        label = ElidedLabel(f"{count:,} {'point' if count == 1 else 'points'} on {name}")
        when = QComboBox()
        when.setAccessibleName(f"When it is attached to {name}")
        when.addItems(["Always", "For a time"])
        when.setCurrentIndex(int(attachment.span is not None))
        when.activated.connect(partial(self._set_when, owner.id, attachment.id))
        remove = IconButton("trash-2", f"Detach it from {name}")
        gone = edit("detach_soft_body", actor=owner.id, attachment=attachment.id)
        remove.clicked.connect(lambda: self._session.do(gone))
        line.addWidget(label, 1)
        line.addWidget(when)
        line.addWidget(remove)
        return row

    def _edit(self, actor: str, attachment: str, name: str, value: object) -> Edit:
        return edit("set_soft_attachment", actor=actor, attachment=attachment, **{name: value})

    def _ends(self, actor: str, attachment: str, **ends: int) -> Edit:
        return edit("move_soft_attachment", actor=actor, attachment=attachment, start=ends["start"], end=ends["end"])

    def _set_when(self, actor: str, attachment: str, place: int) -> None:
        start, end = play_extent(self._session.document)
        ends = {"start": start, "end": max(end, start + 1)} if place else {"start": None, "end": None}
        self._session.do(edit("move_soft_attachment", actor=actor, attachment=attachment, **ends))

    def _span(self, actor: str, attachment: str) -> Span | None:
        owner = self._session.shown.actor(actor)
        body = owner.part(SoftBody)
        found = None if body is None else body.attachment(attachment)
        return None if found is None else found.span
