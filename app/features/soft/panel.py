"""SoftPanel: what the selected soft body is made of, how it touches and is held, how it is seen, and what the scene has
in common."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm, FieldForm
from app.features.sheet_form import quiet
from app.features.soft.attachments import SoftAttachments
from app.features.soft.current_forces import CurrentForces
from app.features.soft.current_plan import CurrentPlan
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.fields import ContactFields, MaterialFields, StartFields, narrow
from app.features.soft.plan_run import PlanRun
from app.features.soft.plan_section import PlanSection
from app.features.soft.shown import COLOURS, ShownSoft
from app.features.soft.words import about, pace_text, said_text, size_text
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.row import row_of
from app.style.scrolled import scrolled_column
from app.style.section import FoldedSection
from engine.runtime.options import described
from engine.soft.parts import SoftBody, SoftPull, SoftWorld

PULLS = "Pulled by hand {count}"


class SoftPanel(Following):
    """The dock."""

    title = "Soft body"
    action_asked = Signal(str)  # id of an action
    help_text = """
<p><b>Add > Soft body</b> makes a body that gives way, of a box, a cylinder, a toy's shape, any mesh file or a figure's
skin. Play, and it falls, bends and bounces; its material can be changed while it does.</p>
<p><b>Drag</b> it in a view once it moves: a spring pulls it from where it was taken, and time goes on until you let go.
What the hand did is kept with the document and can be undone. <b>Pull by hand</b> has how strong the next pull is, and
how wide it takes hold. Ctrl + drag places where it starts.</p>
<p><b>Material</b> has stiffness, density and damping; <b>Contact</b> friction, which may differ along the body's own
direction as a snake's skin does; <b>Attachments</b> hold it to the part of a figure that is selected beside it.</p>
<p>A body that is attached can be <b>stepped over a window</b>: secondary motion without history, so that any frame can
be looked at alone and an edit is felt no longer than the window. <b>Click</b> a point of it, and Pose > Targets > Reach
this here sets a target for that point, which the figure that carries it meets.</p>
<p><b>Plan motion</b> finds what its splines, or forces on its points, must do: go to a time, choose <b>Be here at this
time</b>, drag the mark to where its centre should be, and <b>Plan</b>. The page <b>Planned motion</b> tells more.</p>
<p><b>Colour</b> shows strain, stress or contraction with a legend; <b>See inside</b> makes bodies translucent, so that
splines are seen and can be drawn. View > Show > Forces of contact draws these as arrows.</p>
<p><b>Bake</b> keeps the frames that are played, <b>Bake up to here</b> those before the playhead: it is simulated on
from there. What is baked can be exported as a mesh sequence.</p>
<p>Each step is one implicit solve for the velocities v′ of all points, by Newton's method with a line search:</p>
<p class="equation">M (v′ − v) / Δt = f(x′, v′), &nbsp;&nbsp; x′ = x + Δt v′</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._state, self._shown = session, session.of(CurrentSoft), session.of(ShownSoft)
        self.name = ElidedLabel()
        self.about, self.counts = quiet(), quiet()
        self.pace, self.said = quiet(), QLabel(wordWrap=True)
        self.said.setProperty("warned", True)
        self.material: MaterialFields | None = None
        self.contact = ContactFields(session, self._state.edit_body)
        self.begin_here = IconButton("crosshair", "Start at the playhead", action="soft.begin_here")
        self.start = StartFields(session, self._state.edit_body, self.begin_here)
        self.begin_here.clicked.connect(self._state.begin_here)
        self.suggest = QPushButton("Suggest window")
        self.suggest.setToolTip("Set the window by the slowest vibrations of the body and by how it is driven here")
        self.attachments = SoftAttachments(session, self._state)
        self.hand = FieldForm(described(SoftPull), self._state.set_hand)
        self.world_form: EditForm | None = None
        self.colour, self.inside = QComboBox(), QCheckBox("See inside")
        self.pulls, self.remove_pulls = ElidedLabel(colour="text_quiet"), QPushButton("Forget")
        self.factors, self.even = ElidedLabel(colour="text_quiet"), QPushButton("Even out")
        self.bake, self.bake_here = QPushButton("Bake"), QPushButton("Bake up to here")
        self.unbake, self.export = QPushButton("Remove bake"), QPushButton("Export…")
        self.plan: PlanSection | None = None
        self._material_place, self._material_made = QVBoxLayout(), False
        self.sections = {
            "material": FoldedSection("Material", self._build_material),
            "contact": FoldedSection("Contact", lambda: self.contact),
            "attachments": FoldedSection("Attachments", lambda: self.attachments),
            "hand": FoldedSection("Pull by hand", lambda: self.hand),
            "plan": FoldedSection("Plan motion", self._build_plan),
            "look": FoldedSection("Look", self._build_look),
            "scene": FoldedSection("Scene", self._build_world),
        }
        self._waiting = QWidget(self)  # holds what stands in no section yet
        self._waiting.hide()
        for widget in (self.contact, self.attachments, self.hand, self.colour, self.inside):
            widget.setParent(self._waiting)
        self._connect()
        self._arrange()
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 560)

    def set_seen(self, seen: bool) -> None:
        """Ask the engine only while the panel is seen."""
        super().set_seen(seen)
        self._state.watch(seen)

    def refresh(self) -> None:
        """Show the soft body that is meant, and what the scene has in common."""
        state, owner, body = self._state, self._state.owner, self._state.body
        self.name.set_text("No soft body" if owner is None else owner.name)
        self.about.setText(about(owner, body, any_soft=state.any))
        self._own.setVisible(body is not None)
        self.sections["scene"].setVisible(state.any)
        if self.world_form is not None:
            self.world_form.show_values(state.world)
        self.sections["scene"].header.set_summary(f"{1e3 * state.world.step:.3g} ms")
        self.tell()
        if owner is not None and body is not None:
            self._show_body(body)
            self.attachments.show_body(owner, body)
            for widget in (self.contact, self.start, self.suggest, self.bake, self.bake_here, self.unbake):
                widget.setEnabled(state.may_change)

    def tell(self) -> None:
        """Show what the engine says of it."""
        report, body = self._state.report, self._state.body
        self.counts.setText("" if body is None else size_text(body, report))
        for label, text in ((self.pace, pace_text(report)), (self.said, said_text(report))):
            label.setText(text if body is not None else "")
            label.setVisible(bool(label.text()))

    def _show_body(self, body: SoftBody) -> None:
        if self._material_made:
            self._show_material(body)
        material = described(SoftBody)["material"][0]
        named = dict(zip(material.choices, material.labels, strict=True))
        self.sections["material"].header.set_summary(named[body.material])
        self.contact.show_body(body)
        self.sections["contact"].header.set_summary(f"{body.friction:.2g}" if body.touches else "none")
        count = len(body.attachments)
        self.sections["attachments"].header.set_summary(f"{count}" if count else "")
        self.start.show_body(body)
        self.begin_here.setVisible(body.stepped == "from_start")
        self.suggest.setVisible(body.stepped == "over_window")
        self._factor_row.setVisible(body.factors is not None)
        self.hand.show_values(self._state.hand)
        self.sections["hand"].header.set_summary(f"{self._state.hand['tension']:.2g} Hz")
        self._show_plan()
        self._pull_row.setVisible(bool(body.pulls))
        times = len(body.pulls)
        self.pulls.set_text(PULLS.format(count="once" if times == 1 else f"{times} times"))
        self.bake.setVisible(body.bake is None)
        self.bake_here.setVisible(body.bake is None)
        for widget in (self.unbake, self.export):
            widget.setVisible(body.bake is not None)

    def _show_plan(self) -> None:
        owner, body = self._state.owner, self._state.body
        count = len(self._session.of(CurrentPlan).plan.keyframes)
        self.sections["plan"].header.set_summary(f"{count}" if count else "")
        if self.plan is not None and owner is not None and body is not None:
            self.plan.show_body(owner, body)

    def _show_material(self, body: SoftBody) -> None:
        form = self.material
        if form is None or form.shape != body.shape:
            if form is not None:
                form.hide()
                form.deleteLater()
            form = self.material = MaterialFields(self._session, body.shape, self._state.edit_body)
            self._material_place.addWidget(form)
        form.show_body(body)
        form.setEnabled(self._state.may_change)

    def _show_look(self) -> None:
        names = [name for name, _, _ in COLOURS]
        self.colour.setCurrentIndex(names.index(self._shown.colour))
        self.inside.setChecked(self._shown.see_inside)
        self.sections["look"].header.set_summary(COLOURS[names.index(self._shown.colour)][1])

    def _connect(self) -> None:
        state = self._state
        for name, label, tip in COLOURS:
            self.colour.addItem(label, name)
            self.colour.setItemData(self.colour.count() - 1, tip, 3)
        self.colour.setAccessibleName("Colour of soft bodies")
        self.colour.setToolTip("The quantity that colours soft bodies; the active view has a legend")
        self.colour.activated.connect(lambda place: self._shown.choose(COLOURS[place][0]))
        self.inside.setToolTip("Draw soft bodies translucent, so that splines and bones inside are seen")
        self.inside.clicked.connect(self._shown.open_up)
        self.bake.setToolTip("Keep the frames that are played, as they are simulated; they can be exported then")
        self.bake_here.setToolTip("Keep the frames up to the playhead, and simulate it on from there")
        self.unbake.setToolTip("Simulate it again from its start")
        self.export.setToolTip("Write it as a mesh that moves: glTF, USD or a sequence of OBJ files")
        self.remove_pulls.setToolTip("Let it move as if no hand had pulled it")
        self.even.setToolTip("Make all cells as stiff as the body is")
        for button, call in (
            (self.suggest, state.suggest_window),
            (self.bake, state.bake),
            (self.bake_here, state.bake_up_to_here),
            (self.unbake, state.remove_bake),
            (self.export, lambda: self.action_asked.emit("file.export")),
            (self.remove_pulls, state.remove_pulls),
            (self.even, state.stiffen),
        ):
            button.clicked.connect(call)
        state.changed.connect(self.follow)
        self._session.of(CurrentPlan).changed.connect(self.follow)
        self._session.of(CurrentForces).changed.connect(self.follow)
        self._session.of(PlanRun).told.connect(self.follow)
        self._session.playhead_moved.connect(lambda _: self._show_plan() if self._seen else None)
        state.reported.connect(lambda: self.tell() if self._seen else None)
        self._shown.changed.connect(self._show_look)

    def _arrange(self) -> None:
        inside = scrolled_column(self)
        self._own = QWidget()
        own = QVBoxLayout(self._own)
        own.setContentsMargins(0, 0, 0, 0)
        own.setSpacing(4)
        self._factor_row = row_of(self.factors, self.even)
        self.factors.set_text("Some are stiffer")
        self._pull_row = row_of(self.pulls, self.remove_pulls)
        for widget in (
            self.counts,
            self.pace,
            self.said,
            self.start,
            self.suggest,
            self._pull_row,
        ):
            own.addWidget(widget)
        for name in ("material", "contact", "attachments", "hand", "plan", "look"):
            own.addWidget(self.sections[name])
        own.addWidget(row_of(self.bake, self.bake_here, self.unbake, self.export))
        for widget in (self.name, self.about, self._own, self.sections["scene"]):
            inside.addWidget(widget)
        inside.addStretch(1)
        self.sections["material"].header.set_unfolded(True)
        self._show_look()

    def _build_material(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(self._material_place)
        column.addWidget(self._factor_row)
        self._material_made = True
        body = self._state.body
        if body is not None:
            self._show_material(body)
        return made

    def _build_plan(self) -> QWidget:
        self.plan = PlanSection(self._session)
        self._show_plan()
        return self.plan

    def _build_look(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(3)
        name = QLabel("Colour")
        name.setProperty("quiet", True)
        column.addWidget(row_of(name, self.colour))
        column.addWidget(self.inside)
        return made

    def _build_world(self) -> QWidget:
        form = self.world_form = EditForm(self._session, described(SoftWorld()), self._state.edit_world, plays_on=True)
        form.show_values(self._state.world)
        narrow(form)
        return form
