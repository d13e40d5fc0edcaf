"""MeasuredForcePage: the inspector's page of a measured force that is chosen: its name, its body, its time."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel

from app.features.inspecting import InspectorPage, holder_of_chosen
from app.features.measured_forces.outlined import body_of_force
from app.features.named_line import NamedLine
from app.session import Session
from app.style.page_header import Header
from engine.document import Actor, Document
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import edit


class MeasuredForcePage(InspectorPage):
    """The fields of one force."""

    def __init__(self, session: Session, actor: Actor, force: MeasuredForce, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self._owner, self._force = actor, force
        self.header = Header("weight", force.name, ("Measured force", f"on {actor.name}"), reset_tip="")
        self._column.addWidget(self.header)
        self.line = NamedLine("force", lambda name: self._set(name=name))
        self.line.mute.clicked.connect(lambda: self._set(mute=not self._force.mute))
        self.line.remove.clicked.connect(self._remove)
        self._column.addLayout(self.line)
        self.body = QComboBox()
        self.body.setAccessibleName("Body")
        self.body.setToolTip("The joint on whose body the force acts")
        for joint in actor.figure.joints:
            self.body.addItem(joint.name, joint.id)
        self.body.activated.connect(lambda index: self._set(joint=str(self.body.itemData(index))))
        line = QHBoxLayout()
        line.setSpacing(8)
        label = QLabel("Body")
        label.setProperty("quiet", True)
        line.addWidget(label)
        line.addWidget(self.body, 1)
        self._column.addLayout(line)
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self._column.addWidget(self.about)
        self._column.addSpacing(6)
        label = QLabel("Measured forces of this figure")
        label.setProperty("quiet", True)
        self._column.addWidget(label)
        self.felt = QCheckBox("Felt while simulated")
        self.felt.setToolTip(
            "Physics pushes the figure with all of its measured forces, in place of the ground below their bodies;\n"
            "off: they are measured alone"
        )
        self.felt.clicked.connect(self._let_feel)
        self._column.addWidget(self.felt)
        self._column.addStretch(1)
        self._show(actor, force)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of the chosen force; see `PageMaker`."""
        found = holder_of_chosen(session, document, MeasuredForces)
        force = None if found is None else found[1].of(found[2])
        if found is None or force is None:
            return None
        actor, part, _ = found
        fits = isinstance(shown, MeasuredForcePage) and (shown._owner.id, shown._force.id) == (actor.id, force.id)
        if not isinstance(shown, MeasuredForcePage) or not fits or actor.figure.joints != shown._owner.figure.joints:
            return cls(session, actor, force, unfolded)
        if part is not shown._owner.part(MeasuredForces) or actor.name != shown._owner.name:
            shown._show(actor, force)
        return shown

    def _show(self, actor: Actor, force: MeasuredForce) -> None:
        self._owner, self._force = actor, force
        self.header.name.set_text(force.name)
        self.header.set_about(("Measured force", f"{body_of_force(actor, force)} of {actor.name}"))
        self.line.show_named(force.name, force.mute)
        self.body.setCurrentIndex(self.body.findData(force.joint))
        part = actor.part(MeasuredForces)
        self.felt.setChecked(part is not None and part.felt)
        start, end = force.start / TICKS_PER_SECOND, force.end / TICKS_PER_SECOND
        frame = "the world" if force.frame is None else f"the frame of {force.frame}"
        rate = force.rate[0] / force.rate[1]
        self.about.setText(f"{force.frame_count:,} frames, {start:.2f} to {end:.2f} s, {rate:g} a second, in {frame}")

    def _let_feel(self, felt: bool) -> None:
        self._session.do(edit("set_measured_forces", actor=self._owner.id, felt=felt))

    def _set(self, **changed: object) -> None:
        self._session.do(edit("set_measured_force", actor=self._owner.id, force=self._force.id, **changed))

    def _remove(self) -> None:
        self._session.do(edit("remove_measured_forces", actor=self._owner.id, forces=(self._force.id,)))
