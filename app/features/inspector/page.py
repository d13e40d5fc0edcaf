"""Page: the inspector's content for an actor or some of its joints."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QLabel

from app.features.feature import Features
from app.features.inspecting import Fields, InspectorPage
from app.features.inspector.attachments import AttachmentList
from app.features.inspector.fields import JointFields, PlacementFields, SizeFields, sized_shape, summary_of
from app.features.inspector.stiffness import StiffnessFields, summary_of_stiffness
from app.features.inspector.subject import Subject, subject_of
from app.session import Session
from app.session.actors import hangs_on
from app.style.page_header import Header
from engine.document import Actor, Document, Joint

STIFFNESS = "stiffness"  # the key of its section
MANY = 4  # this many joints are shown unfolded


def counted(number: int, thing: str, things: str) -> str:
    """Write a number with its noun."""
    return f"{number} {thing if number == 1 else things}"


class Page(InspectorPage):
    """The fields of one subject."""

    def __init__(self, session: Session, subject: Subject, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self._subject = subject
        self._shown: Actor | None = None
        self.header: Header | None = None
        session.snapshot_ready.connect(self._take_picture)
        session.editing_changed.connect(self._follow_editing)
        self._add_header()
        if subject.whole:
            self._add_section("placement", "Placement", self._build_placement)
            if sized_shape(subject.actor) is not None:
                self._add_section("size", "Size", self._build_size)
        self._add_joints()
        if subject.whole:
            self._add_section("attachments", "Attached to", self._build_attachments)
        self._column.addStretch(1)
        self.show_actor(subject.actor)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of the chosen actor, or of its chosen joints; see `PageMaker`."""
        subject = subject_of(document, session.selection)
        if subject is None:
            return None
        if not isinstance(shown, Page) or not subject.is_like(shown._subject):
            return cls(session, subject, unfolded)
        shown._subject = subject
        shown.show_actor(subject.actor)
        return shown

    def show_actor(self, actor: Actor) -> None:
        """Show the values of the actor as it is now."""
        if actor is self._shown:
            return
        self._shown = actor
        if self.header is not None:
            self.header.set_about(self._about(actor))
        for fields in self.fields:
            fields.show_actor(actor)
        self._sum_up(actor)

    def _follow_editing(self, editing: object) -> None:
        actor, self._shown = self._shown, None
        if actor is not None and self._is_current(actor):
            self.show_actor(actor)

    def _is_current(self, actor: Actor) -> bool:
        """True if the actor is one that is shown now; a page that is about to go may hold one that has gone."""
        return any(each is actor for each in self._session.shown.actors)

    def _take_picture(self, snapshot: object) -> None:
        """Show the values of another picture, where they change in time."""
        actor = self._shown
        if actor is None or not self._is_current(actor) or not self._session.posing.moving(actor):
            return
        for fields in self.fields:
            if isinstance(fields, JointFields) and fields.isVisible():
                fields.show_actor(actor)
        if not self._session.player.playing:
            self._sum_up(actor)

    def _sum_up(self, actor: Actor) -> None:
        seen = self._session.posing.moving(actor)
        for joint in self._subject.joints:
            section = self.sections.get(joint.id)
            if section is not None:
                section.header.set_summary(summary_of(actor, joint, seen))
        stiff = self.sections.get(STIFFNESS)
        if stiff is not None:
            stiff.header.set_summary(summary_of_stiffness(actor, self._subject.joints[0]))
        held = self.sections.get("attachments")
        if held is not None:
            names = ", ".join(hangs_on(self._session.shown, each) for each in actor.attachments)
            held.header.set_summary(names or "nothing")

    def _add_header(self) -> None:
        subject, joint = self._subject, self._subject.joints[-1] if self._subject.joints else None
        tip = "Reset the pose" if subject.whole else "Reset this joint"
        if subject.whole:
            picture, name = self._session.of(Features).icon(subject.actor), subject.actor.name
        elif joint is not None and len(subject.joints) == 1:
            picture, name = "bone", joint.name
        else:
            picture, name = "bone", counted(len(subject.joints), "joint", "joints")
            tip = "Reset these joints"
        resettable = bool(subject.actor.layers) and subject.dof_count > 0
        self.header = Header(picture, name, self._about(subject.actor), reset_tip=tip if resettable else "")
        self.header.reset.connect(self._reset)
        self._column.addWidget(self.header)

    def _about(self, actor: Actor) -> tuple[str, ...]:
        """Return the quiet lines of the header."""
        joints = self._subject.joints
        freedom = counted(self._subject.dof_count, "degree of freedom", "degrees of freedom")
        if self._subject.driven_count:
            freedom += f", {self._subject.driven_count} driven"
        if self._subject.whole:
            return ("A prop",) if actor.figure.is_prop else (counted(len(joints), "joint", "joints"), freedom)
        if len(joints) != 1:
            return (f"in {actor.name}", freedom)
        parent = joints[0].parent
        where = f"root of {actor.name}" if parent is None else f"on {actor.figure.joint(parent).name}, in {actor.name}"
        return (where, freedom)

    def _add_joints(self) -> None:
        joints = [joint for joint in self._subject.joints if joint.dofs]
        if len(self._subject.joints) == 1 and not self._subject.whole:
            if joints:
                self._column.addWidget(self._build_joint(joints[0]))
                if any(not dof.driven for dof in joints[0].dofs):
                    self._add_section(STIFFNESS, "Stiffness", partial(self._build_stiffness, joints[0]))
            else:
                self._column.addWidget(_quiet("This joint is fixed: it has no degree of freedom."))
            return
        for joint in joints:
            few = not self._subject.whole and len(joints) <= MANY
            title = "Motion" if self._subject.actor.figure.is_prop else joint.name
            self._add_section(joint.id, title, partial(self._build_joint, joint), unfold=few)

    def _build_placement(self) -> Fields:
        return self._keep(PlacementFields(self._session, self._shown or self._subject.actor))

    def _build_size(self) -> Fields:
        return self._keep(SizeFields(self._session, self._shown or self._subject.actor))

    def _build_attachments(self) -> Fields:
        return self._keep(AttachmentList(self._session, self._shown or self._subject.actor))

    def _build_stiffness(self, joint: Joint) -> Fields:
        return self._keep(StiffnessFields(self._session, self._shown or self._subject.actor, joint))

    def _build_joint(self, joint: Joint) -> Fields:
        return self._keep(JointFields(self._session, self._shown or self._subject.actor, joint))

    def _reset(self) -> None:
        subject = self._subject
        joints = None if subject.whole else frozenset(joint.id for joint in subject.joints)
        self._session.posing.put_back(self._session.document.actor(subject.actor.id), joints)


def _quiet(text: str) -> QLabel:
    label = QLabel(text, wordWrap=True)
    label.setProperty("faint", True)
    return label
