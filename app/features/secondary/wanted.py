"""WantedFields: what a target asks for: as the keys have it, or given by numbers, or taken from what is seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_commands import set_joints, set_kind, take_here
from app.session import Session
from app.session.hand import Hand
from app.style.icon_button import IconButton
from app.style.turns import quaternion_of, turns_of
from app.style.units import ANGLE, LENGTH, Unit
from app.style.value_slider import ValueSlider
from engine.document import Actor, Target
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass
from engine.targets.commands.take_target import Taken

Numbers = tuple[float, ...]
SPEED = Unit(suffix=" m/s", words="metres per second", scale=1.0, decimals=2, step=0.1, coarse=0.5)
SPIN = Unit(
    suffix="°/s",
    words="degrees per second",
    scale=180.0 / math.pi,
    decimals=1,
    step=5.0,
    coarse=45.0,
    names={"deg": 1.0, "rad": 180.0 / math.pi, "s": 1.0, "rpm": 6.0, "pi": math.pi},
)
AS_KEYED = "as the keys have it"
AXES = ("X", "Y", "Z")
TURNS = ("Heading", "Pitch", "Roll")


@dataclass(frozen=True, kw_only=True)
class TargetTerm:
    """One thing that a target may ask for."""

    id: str
    what: Taken
    label: str
    kinds: tuple[str, ...]  # of targets that may
    part: str  # what the target has to ask for to that end: its place or its velocity
    names: tuple[str, ...] = ()  # of its numbers; none: too many to be shown
    unit: Unit = LENGTH
    about: str = ""  # what one of its numbers is; else its name tells it


ASKED = (
    TargetTerm(id="position", what="position", label="Place", kinds=("point",), part="place", names=AXES),
    TargetTerm(id="rotation", what="rotation", label="Turn", kinds=("turn",), part="place", names=TURNS, unit=ANGLE),
    TargetTerm(id="values", what="values", label="Pose", kinds=("pose",), part="place"),
    TargetTerm(id="speed", what="speed", label="Velocity", kinds=("point",), part="velocity", names=AXES, unit=SPEED),
    TargetTerm(
        id="spin",
        what="speed",
        label="Angular velocity",
        kinds=("turn",),
        part="velocity",
        names=AXES,
        unit=SPIN,
        about="How fast it is to turn about the world's {}; counter-clockwise as seen from where that axis points to",
    ),
    TargetTerm(id="rates", what="rates", label="Velocity", kinds=("pose",), part="velocity"),
)


class WantedFields(QWidget):
    """The fields of the chosen target."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.kind = QComboBox()
        self.kind.setAccessibleName("What is to be met of the joint")
        self.kind.setToolTip("The place of a point of it, or how it is turned in the world")
        for kind, label in (("point", "Its place"), ("turn", "Its turn")):
            self.kind.addItem(label, kind)
        self.kind.activated.connect(lambda at: set_kind(session, self.kind.itemData(at)))
        self.joints = QComboBox()
        self.joints.setAccessibleName("Joints of the pose")
        self.joints.setToolTip("The joints that the pose is to be met by")
        self.joints.addItem("All joints", False)
        self.joints.addItem("Those that are selected", True)
        self.joints.activated.connect(self._set_joints)
        self.told = {term.id: TargetTermFields(session, term) for term in ASKED}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for widget in (self.kind, self.joints, *self.told.values()):
            column.addWidget(widget)

    def show_target(self, owner: Actor, target: Target) -> None:
        """Show what it asks for."""
        own = target.source == "own"
        self.kind.setVisible(target.kind in ("point", "turn"))
        self.kind.setCurrentIndex(self.kind.findData(target.kind))
        self.joints.setVisible(target.kind == "pose")
        self.joints.setItemText(1, _joints(owner, target))
        self.joints.setCurrentIndex(int(target.joints is not None))
        for term in ASKED:
            fields = self.told[term.id]
            fields.setVisible(own and target.kind in term.kinds and bool(getattr(target, term.part)))
            fields.show_target(target)

    def _set_joints(self, at: int) -> None:
        set_joints(self._session, selected=bool(self.joints.itemData(at)))
        owner, target = self._session.of(CurrentTargets).owner, self._session.of(CurrentTargets).target
        if owner is not None and target is not None:  # what was refused goes back
            self.show_target(owner, target)


class TargetTermFields(QWidget):
    """One thing that a target asks for: as the keys have it, or its numbers."""

    def __init__(self, session: Session, term: TargetTerm) -> None:
        super().__init__()
        self._current_targets, self._asked = session.of(CurrentTargets), term
        what = term.label.lower()
        name = QLabel(term.label)
        self.state = QLabel(AS_KEYED)
        self.state.setProperty("quiet", True)
        self.take = IconButton("crosshair", f"Take the {what} from here: as it is seen at the playhead")
        self.take.clicked.connect(partial(take_here, session, term.what))
        self.as_keyed = IconButton("rotate-ccw", f"Let the {what} be as the keys have it at the time of the target")
        self.as_keyed.clicked.connect(lambda: self._current_targets.change(**{term.what: None}))
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(name)
        line.addWidget(self.state, 1)
        line.addWidget(self.take)
        line.addWidget(self.as_keyed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        self.sliders: list[ValueSlider] = []
        self._hands: list[Hand] = []
        for at, label in enumerate(term.names):
            slider = ValueSlider(label, unit=term.unit)
            slider.setAccessibleName(f"{term.label} of target, {label}")
            slider.setToolTip(term.about.format(label) or f"{label} of the wanted {what}, in the world")
            said = f"{term.label} of target"
            self._hands.append(Hand(session, slider, label=said, make_edit=self._maker(at), plays_on=True))
            self.sliders.append(slider)
            column.addWidget(slider)

    def show_target(self, target: Target) -> None:
        """Show what the target asks for."""
        value = getattr(target, self._asked.what)
        numbers = _numbers(target, self._asked.what)
        few = "" if value is None or self.sliders else f"of {len(value)} numbers, as taken"
        self.state.setText(AS_KEYED if value is None else few)
        self.as_keyed.setEnabled(value is not None)
        for at, slider in enumerate(self.sliders):
            slider.setVisible(numbers is not None)
            if numbers is not None:
                self._hands[at].show(numbers[at])

    def _maker(self, at: int) -> Callable[[float], Edit]:
        what = self._asked.what

        def change(value: float) -> Edit:
            owner, target = self._current_targets.owner, self._current_targets.target
            assert owner is not None, "shown only for one"
            assert target is not None, "likewise"
            numbers = _numbers(target, what) or ()
            new = (*numbers[:at], value, *numbers[at + 1 :])
            given = quaternion_of((new[0], new[1], new[2])) if what == "rotation" else new
            return edit("set_targets", actor=owner.id, targets=(target.id,), changes=((what, given),))

        return change


def _numbers(target: Target, what: Taken) -> Numbers | None:
    """Return the few numbers that are shown of what a target asks for; None: none."""
    if what == "rotation":
        return None if target.rotation is None else turns_of(target.rotation)
    found: Numbers | None = getattr(target, what) if what in ("position", "speed") else None
    return found


def _joints(owner: Actor, target: Target) -> str:
    if target.joints is None:
        return "Those that are selected"
    names = [owner.figure.joint(each).name for each in target.joints if each in owner.figure.joint_index]
    return names[0] if len(names) == 1 else f"{len(names)} joints: {', '.join(names)}"
