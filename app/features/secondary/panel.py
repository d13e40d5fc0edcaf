"""SecondaryPanel: how the body of the selected actor follows its keys: on or off, gains, presets, the window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.gains import GainFields
from app.features.secondary.target_commands import bake
from app.features.secondary.targets import TargetsSection
from app.features.secondary.touching import Touching
from app.features.secondary.window import WindowFields
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.scrolled import fill_scrolled
from app.style.section import FoldedSection
from app.style.units import TIME
from engine.document import Actor
from engine.document.ticks import TICKS_PER_SECOND
from engine.queries.weigh import mass_of_all

NO_ACTOR = "Select a figure: how its body follows its keys is set here."
ONE_PIECE = (
    "{name} is of one piece: nothing of it could trail behind. With a bone added to it (Figure > Edit figure) what is "
    "beyond that swings, also where all of it hangs on something that moves."
)
WEIGHTLESS = (
    "{name} weighs nothing, as figures from motion capture do: it goes exactly where its keys are. Give its joints "
    "shapes (Figure > Edit figure): their volume and density are its mass."
)
OFF = (
    "The body goes exactly where its keys are. Switched on, it follows them as a body with weight does: it comes a "
    "little late, swings past and sags. Every frame is worked out on its own: change any key at any time."
)
FROZEN = "{name} is frozen: thaw it in the outliner, then change it."


class SecondaryPanel(Following):
    """The secondary motion of one actor."""

    title = "Secondary motion"
    action_asked = Signal(str)  # id of an action
    help_text = """
<p>A figure that is switched on here follows its keys as a body with weight does: limbs come a little late, swing past
and sag. Each frame is simulated by itself over the <b>window</b> before it, so you scrub, play backwards and change
keys as ever. Where its keys are is shown behind it as a ghost.</p>
<p><b>All joints</b>, and <b>Selected joints</b> where those differ: tension is how fast a joint swings about its keys,
relaxation lets go of some of it, damping ends the swing, gravity is how much of its weight counts. Drag while it plays.
The sentence below says what the numbers do. A preset sets each joint by the part of the body that it is in.</p>
<p><b>Window</b>: long enough that nothing of what came before can be seen. Suggest window finds it for the pose at the
playhead; take what it found, or not. The curve is what becomes of a jolt. <b>Touches the ground and itself</b>: what
falls or swings is stopped by the floor and by the rest of the body.</p>
<p><b>Targets</b> are met whatever the gains: reach this here sets one, a key can be one, and each asks for what the
keys have, for numbers, or for what is taken from here. <b>Keep this change</b> keeps a working pose between targets
as a null-space edit: drag its ghost to make one, or hold Ctrl. <b>Bake</b> makes what is seen the figure's
own.</p>
<p>What is seen at t is where a simulation has come to that began at the keyed pose a window before, with its speed, and
follows the keys by servos (Rahgoshay 2011); f is the tension, I the inertia that a joint carries:</p>
<p class="equation">x<sub>KD</sub>(t) = simulate(x<sub>K</sub>, t − window … t),
&nbsp; kp = I (2π f)² (1 − relaxation), &nbsp; kd = 2 damping √(kp I)</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._current = session, session.of(CurrentSecondary)
        self.name = ElidedLabel()
        self.on = QCheckBox("On")
        self.on.setAccessibleName("Secondary motion")
        self.on.setToolTip("Let the body follow its keys as one with weight does")
        self.on.clicked.connect(lambda on: self._current.do("set_secondary", on=on))
        self.ghost = IconButton("person-standing", "Show the keyed figure behind it", action="view.show_keyed")
        self.ghost.setCheckable(True)
        self.ghost.clicked.connect(self._ask_for_ghost)
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self.gains: dict[bool, GainFields] = {}  # of the selected joints, and of all
        self.window_fields: WindowFields | None = None
        self.sections = {
            "all": FoldedSection("All joints", partial(self._build_gains, chosen=False)),
            "chosen": FoldedSection("Selected joints", partial(self._build_gains, chosen=True)),
            "window": FoldedSection("Window", self._build_window),
            "targets": FoldedSection("Targets", partial(TargetsSection, session)),
        }
        self.bake = QPushButton("Bake secondary motion")
        self.bake.setToolTip(
            "Make what is seen, frame by frame, a layer of the figure's own; secondary motion is off then, and goes on "
            "as before where the layer is taken away and it is switched on"
        )
        self.bake.clicked.connect(lambda: bake(session))
        self._arrange()
        self.sections["all"].header.set_unfolded(True)
        self.sections["chosen"].header.set_unfolded(True)
        self.sections["window"].unfolded.connect(lambda unfolded: self._watch())
        self._current.changed.connect(self.follow)
        session.ghosts_changed.connect(self.follow)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 560)

    def set_seen(self, seen: bool) -> None:
        """Compute the response to a jolt only while the panel is seen."""
        super().set_seen(seen)
        self._watch()

    def refresh(self) -> None:
        """Show the actor that is meant, its gains and its window."""
        current = self._current
        owner, secondary, joints = current.owner, current.secondary, current.joints
        able = owner is not None and current.may_swing
        free = able and owner is not None and not owner.frozen
        self.name.set_text("No figure" if owner is None else owner.name)
        self.on.setChecked(secondary.on and able)
        self.on.setEnabled(free)
        self.ghost.setChecked(self._session.with_ghosts)
        self.about.setText(self._words(owner, able=able, on=secondary.on))
        self.about.setVisible(bool(self.about.text()))
        for name, section in self.sections.items():
            section.setVisible(able and secondary.on and (name != "chosen" or bool(joints)))
            section.setEnabled(free)
        self.sections["all"].header.set_summary(f"{secondary.gains.tension:.3g} Hz")
        self.bake.setVisible(able and secondary.on)
        self.bake.setEnabled(free)
        count = len(secondary.targets)
        self.sections["targets"].header.set_summary("none" if not count else str(count))
        names = joints[0].name if len(joints) == 1 else f"{len(joints)} joints"
        self.sections["chosen"].header.set_summary(names)
        self.sections["window"].header.set_summary(TIME.text(secondary.window / TICKS_PER_SECOND))
        if able:
            for fields in self.gains.values():
                fields.show_gains()
            if self.window_fields is not None:
                self.window_fields.show_window()

    def _words(self, owner: Actor | None, *, able: bool, on: bool) -> str:
        if owner is None:
            return NO_ACTOR
        if not able:
            return ONE_PIECE.format(name=owner.name)
        if owner.frozen:
            return FROZEN.format(name=owner.name)
        if mass_of_all(owner.figure) == 0.0:
            return WEIGHTLESS.format(name=owner.name)
        return "" if on else OFF

    def _arrange(self) -> None:
        ground = QWidget()
        make_panel(ground)
        inside = QVBoxLayout(ground)
        inside.setContentsMargins(12, 6, 12, 12)
        inside.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.name, 1)
        line.addWidget(self.ghost)
        line.addWidget(self.on)
        inside.addLayout(line)
        for widget in (self.about, *self.sections.values(), self.bake):
            inside.addWidget(widget)
        inside.addStretch(1)
        self.area = fill_scrolled(self, ground)

    def _ask_for_ghost(self) -> None:
        self.action_asked.emit("view.show_keyed")
        self.ghost.setChecked(self._session.with_ghosts)

    def _watch(self) -> None:
        watched = self._seen and self.sections["window"].header.unfolded
        self._current.watch(watched)
        self._session.of(Touching).watch(watched)

    def _build_gains(self, *, chosen: bool) -> QWidget:
        fields = self.gains[chosen] = GainFields(self._session, chosen=chosen)
        fields.show_gains()
        return fields

    def _build_window(self) -> QWidget:
        fields = self.window_fields = WindowFields(self._session)
        fields.show_window()
        return fields
