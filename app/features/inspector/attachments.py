"""AttachmentList: what an actor hangs on, since when and until when, and how to hang it on something else."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.features.inspecting import TURN_NAMES, Fields, show_turns, turn_slider
from app.features.span_fields import SpanFields
from app.session import Session
from app.session.actors import hangs_on
from app.session.hand import Hand
from app.style.elided_label import ElidedLabel
from app.style.icon_button import IconButton
from app.style.turns import quaternion_of
from app.style.units import LENGTH
from app.style.value_slider import ValueSlider
from engine.commands.hold import Hold
from engine.document import Actor, Attachment, Span
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import new_id
from engine.edits import Edit, edit

ALWAYS, FROM_HERE, PLAYED = "Always", "From the playhead on", "While it plays"


class AttachmentList(Fields):
    """The attachments of one actor, each with its span, and the form for a new one."""

    def __init__(self, session: Session, actor: Actor) -> None:
        super().__init__(session, actor.id)
        self._shown: tuple[tuple[str, bool], ...] | None = None
        self.ends: dict[str, SpanFields] = {}
        self._rows = QVBoxLayout()
        self._rows.setSpacing(3)
        self._column.addLayout(self._rows)
        self.form = AttachForm(session, actor.id)
        self.form.hide()
        self.begin = QPushButton("Attach to…")
        self.begin.setToolTip("Hang it on a joint of another actor, always or for a time")
        self.begin.clicked.connect(self._open_form)
        self.form.done.clicked.connect(self._attach)
        self._column.addWidget(self.begin)
        self._column.addWidget(self.form)
        self.show_actor(actor)

    def show_actor(self, actor: Actor) -> None:
        form = tuple((each.id, each.span is not None) for each in actor.attachments)
        if form != self._shown:
            self._shown = form
            self._build(actor)
        at = 0
        for each in actor.attachments:
            for hand, number in zip(self._hands[at : at + 3], each.position, strict=True):
                hand.show(number)
            show_turns(self.sliders[at + 3 :], self._hands[at + 3 :], each.rotation)
            at += 6
            if each.span is not None:
                self.ends[each.id].show_span(each.span)

    def _build(self, actor: Actor) -> None:
        self.sliders.clear()
        self._hands.clear()
        self.ends.clear()
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for each in actor.attachments:
            self._rows.addWidget(self._head(each))
            self._add_place(each)
            if each.span is not None:
                ends = self.ends[each.id] = SpanFields(
                    self._session,
                    "Attachment",
                    partial(self._span, each.id),
                    partial(edit, "move_attachment", actor=self._actor, attachment=each.id),
                    entry=lambda _: "Move attachment",
                )
                self._rows.addWidget(ends)

    def _head(self, attachment: Attachment) -> QWidget:
        row, document = QWidget(), self._session.shown
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 2, 0, 0)
        line.setSpacing(4)
        target = document.actor(attachment.target)
        what = hangs_on(document, attachment)
        name = ElidedLabel(f"On {what}" if target.figure.is_prop else f"On {what}, {target.name}")
        when = QComboBox()
        when.setAccessibleName(f"When it hangs on {hangs_on(document, attachment)}")
        when.addItems(["Always", "For a time"])
        when.setCurrentIndex(int(attachment.span is not None))
        when.activated.connect(partial(self._set_when, attachment.id))
        remove = IconButton("trash-2", f"Take it off {hangs_on(document, attachment)}")
        gone = edit("detach_actor", actor=self._actor, attachment=attachment.id)
        remove.clicked.connect(lambda: self._session.do(gone))
        line.addWidget(name, 1)
        line.addWidget(when)
        line.addWidget(remove)
        return row

    def _add_place(self, attachment: Attachment) -> None:
        """Three positions and three turns, in the frame of what it hangs on."""
        names = ("X", "Y", "Z")
        sliders = [ValueSlider(f"Position {name}", unit=LENGTH) for name in names]
        sliders += [turn_slider(name) for name in TURN_NAMES]

        def place(_: float) -> Edit:
            x, y, z, heading, pitch, roll = (slider.value for slider in sliders)
            rotation = quaternion_of((heading, pitch, roll))
            where = {"position": (x, y, z), "rotation": rotation}
            return edit("place_attachment", actor=self._actor, attachment=attachment.id, **where)

        for slider in sliders:
            slider.setToolTip(f"In the frame of {hangs_on(self._session.shown, attachment)}")
            self._keep(slider, Hand(self._session, slider, label="Place attachment", make_edit=place))

    def _keep(self, slider: ValueSlider, hand: Hand) -> None:
        self.sliders.append(slider)
        self._hands.append(hand)
        self._rows.addWidget(slider)

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        super().settle()
        for ends in self.ends.values():
            ends.settle()

    def _span(self, id: str) -> Span | None:
        return next(each.span for each in self._session.document.actor(self._actor).attachments if each.id == id)

    def _set_when(self, id: str, choice: int) -> None:
        start, end = play_extent(self._session.document)
        ends = {"start": start, "end": end} if choice else {}
        self._session.do(edit("move_attachment", actor=self._actor, attachment=id, **ends))

    def _open_form(self) -> None:
        self.form.refill()
        self.begin.hide()
        self.form.show()

    def _attach(self) -> None:
        command = self.form.command()
        if command is not None:
            self._session.work_out(command)
        self.setFocus()  # else the keyboard goes to the transport's first button, and Space with it
        self.form.hide()
        self.begin.show()


class AttachForm(QWidget):
    """The form of a new attachment: what to hang on, when, and whether to stay in place."""

    def __init__(self, session: Session, actor: str) -> None:
        super().__init__()
        self._session, self._actor = session, actor
        self.target, self.joint, self.when = _box("Attach to"), _box("Joint"), _box("When")
        self.when.addItems([ALWAYS, FROM_HERE, PLAYED])
        self.keep = QCheckBox("Stay where it is now")
        self.keep.setChecked(True)
        self.keep.setToolTip("Else its middle goes to the middle of the body that it hangs on")
        self.done = QPushButton("Attach")
        self.target.activated.connect(lambda _: self._fill_joints())
        form = QFormLayout(self)
        form.setContentsMargins(0, 4, 0, 4)
        form.setSpacing(6)
        for name, widget in (("Actor", self.target), ("Joint", self.joint), ("When", self.when)):
            form.addRow(name, widget)
        form.addRow("", self.keep)
        form.addRow("", self.done)

    def refill(self) -> None:
        """Offer the actors that there are now, figures before props."""
        actors = [actor for actor in self._session.document.actors if actor.id != self._actor]
        self.target.clear()
        for actor in sorted(actors, key=lambda actor: actor.figure.is_prop):
            self.target.addItem(actor.name, actor.id)
        self.done.setEnabled(bool(actors))
        self._fill_joints()

    def command(self) -> Hold | None:
        """Make the command that was chosen; the place is taken from the pose at the start, or now if it is for
        always."""
        document, now = self._session.document, self._session.playhead
        target = self.target.currentData()
        if target not in document.actor_index or self._actor not in document.actor_index:
            return None
        start, end = play_extent(document)
        span = None
        if self.when.currentText() != ALWAYS:
            start = now if self.when.currentText() == FROM_HERE else start
            span = Span(start=start, end=max(end, start + TICKS_PER_SECOND))
        return Hold(
            id=new_id("hold"),
            actor=self._actor,
            joint=document.actor(self._actor).figure.joints[0].id,
            target=str(target),
            target_joint=str(self.joint.currentData()),
            span=span,
            time=now if span is None else span.start,
            keep=self.keep.isChecked(),
        )

    def _fill_joints(self) -> None:
        self.joint.clear()
        target = self.target.currentData()
        if target is not None:
            for joint in self._session.document.actor(target).figure.joints:
                self.joint.addItem(joint.name, joint.id)
        self.joint.setEnabled(self.joint.count() > 1)


def _box(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setMaxVisibleItems(24)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box
