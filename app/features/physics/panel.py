"""PhysicsPanel: the part that an actor takes in the simulation, and what the scene has in common."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.physics.current_torques import NONE, CurrentTorques
from app.features.physics.state import HANGS, PhysicsState
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.scrolled import scrolled_column
from app.style.section import FoldedSection
from app.style.units import TIME
from engine.document import Actor
from engine.document.ticks import TICKS_PER_SECOND
from engine.physics.parts import Physics, PhysicsWorld
from engine.queries.weigh import mass_of_all
from engine.runtime.options import described

NO_ACTOR = "Select an actor to let it fall, roll and collide."
FROZEN = "{name} is frozen: thaw it in the outliner to change it."
WEIGHTLESS = "{name} has no mass: give it shapes or masses in Figure, else it cannot be simulated."
OFF = "It follows its keys, and what is simulated collides with it."
START = "{name} follows its keys up to {time} and goes on by itself from there, with the speed that it has."


class PhysicsPanel(Following):
    """The dock."""

    title = "Physics"
    help_text = """
<p>Switch <b>Simulate</b> on and the selected actor falls, rolls and collides with everything else that has a shape:
with the floor, with figures and props that follow their keys, and with all others that are simulated.</p>
<p>Up to the frame where it is let go an actor follows its keys; it then goes on with the speed that it has, so that a
figure that jumps can be let go in the air. <b>Let go at the playhead</b> chooses that frame.</p>
<p><b>Follow keys</b> lets muscles hold the figure: joints are led after their keys with so many swings a second, 0 lets
all go limp. <b>Scene</b> has gravity's floor, friction and the time step. <b>Bake</b> makes what is seen keys' own: a
layer that can be edited, retimed and exported.</p>
<p><b>Driven by torque curves</b> lets torques that are keyed over time turn the joints: those that a search of motion
found, or your own. <b>Key torques here</b> keys them for the joints that are selected; the timeline shows the keys and
Curves their shape, in N m. A bar in the timeline says when they act.</p>
<p>Simulated poses are worked out from the first frame on, so a frame far away takes a moment the first time.</p>
<p>All simulated bodies are one articulation in its own coordinates q, stepped implicitly; f are contacts and stops,
within the cone of friction. Servos lead rates after their keys, f<sub>s</sub> swings a second, I the inertia
at rest:</p>
<p class="equation">M(q) q̈ + h(q, q̇) = τ + Jᵀ f,
&nbsp;&nbsp; kp = I (2π f<sub>s</sub>)², &nbsp; kd = 2 r I 2π f<sub>s</sub></p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._state = session, session.of(PhysicsState)
        self.name = ElidedLabel()
        self.on = QCheckBox("Simulate")
        self.on.setToolTip("Let the actor fall, roll and collide")
        self.on.clicked.connect(lambda on: self._state.simulate(on=on))
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self.start = QPushButton("Let go at the playhead")
        self.start.setToolTip("Follow the keys up to the frame that is shown, and fall from there")
        self.start.clicked.connect(self._state.start_here)
        self.actor_form = EditForm(session, described(Physics()), self._state.edit_actor)
        self.world_form: EditForm | None = None
        self._torques = session.of(CurrentTorques)
        self.driven = QCheckBox("Driven by torque curves")
        self.driven.setToolTip(
            "Let torques that are keyed over time drive its joints: tau in M(q) q\u0308 + h = tau + J^T f"
        )
        self.driven.clicked.connect(lambda on: self._torques.drive(on=on))
        self.torques: EditForm | None = None
        self.key_torques: QPushButton | None = None
        self.torque_section = FoldedSection("Torque curves", self._build_torques)
        self.scene = FoldedSection("Scene", self._build_world)
        self.bake = QPushButton("Bake physics")
        self.bake.setToolTip(
            "Make the simulated motion, frame by frame, a layer of the actor's own; the actor is an obstacle then"
        )
        self.bake.clicked.connect(self._state.bake)
        self._arrange()
        self._state.changed.connect(self.follow)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 400)

    def refresh(self) -> None:
        """Show the actor that is meant, and what the scene has in common."""
        state, owner = self._state, self._state.owner
        self.name.set_text("No actor" if owner is None else owner.name)
        self.on.setChecked(state.is_simulated)
        self.on.setEnabled(state.may_change)
        self.about.setText(self._words(owner))
        self.actor_form.setVisible(owner is not None)
        self.actor_form.setEnabled(state.may_change)
        self.actor_form.show_values(state.physics)
        for name in ("follow", "ratio"):
            self.actor_form.set_row_visible(name, state.is_simulated)
        self.start.setEnabled(state.may_change)
        self.start.setVisible(owner is not None)
        self.bake.setVisible(state.is_simulated)
        self.bake.setEnabled(state.may_bake)
        self._show_torques(owner is not None and state.is_simulated)
        if self.world_form is not None:
            self.world_form.show_values(state.world)
        self.scene.header.set_summary(self._summary())

    def _show_torques(self, visible: bool) -> None:
        torques = self._torques
        self.driven.setVisible(visible)
        self.driven.setChecked(torques.is_on)
        self.driven.setEnabled(self._state.may_change)
        self.torque_section.setVisible(visible and torques.curves is not None)
        self.torque_section.header.set_summary(torques.summary)
        if self.torques is not None and self.key_torques is not None:
            self.torques.show_values(torques.curves or NONE)
            self.torques.setEnabled(self._state.may_change)
            self.key_torques.setEnabled(torques.may_key)

    def _summary(self) -> str:
        world = self._state.world
        return f"{1e3 * world.step:.3g} ms, {'floor' if world.ground else 'no floor'}"

    def _words(self, owner: Actor | None) -> str:
        if owner is None:
            return NO_ACTOR
        if owner.frozen:
            return FROZEN.format(name=owner.name)
        if owner.attachments and self._state.physics.role == "simulated":
            return HANGS.format(name=owner.name)
        if mass_of_all(owner.figure) == 0.0:
            return WEIGHTLESS.format(name=owner.name)
        if not self._state.is_simulated:
            return OFF if self._state.physics.role == "obstacle" else ""
        return START.format(name=owner.name, time=TIME.text(self._state.physics.start / TICKS_PER_SECOND))

    def _arrange(self) -> None:
        inside = scrolled_column(self)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.name, 1)
        line.addWidget(self.on)
        inside.addLayout(line)
        first = (self.about, self.actor_form, self.start, self.driven, self.torque_section)
        for widget in (*first, self.scene, self.bake):
            inside.addWidget(widget)
        inside.addStretch(1)

    def _build_torques(self) -> QWidget:
        form = self.torques = EditForm(self._session, described(NONE), self._torques.edit_curves)
        form.show_values(self._torques.curves or NONE)
        key = self.key_torques = QPushButton("Key torques here")
        key.setToolTip("Key the torques of the selected joints, or of all with a curve, at the playhead")
        key.clicked.connect(self._torques.key_here)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(form)
        column.addWidget(key)
        return whole

    def _build_world(self) -> QWidget:
        form = self.world_form = EditForm(self._session, described(PhysicsWorld()), self._state.edit_world)
        form.show_values(self._state.world)
        return form
