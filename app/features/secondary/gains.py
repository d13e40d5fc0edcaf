"""GainFields: tension, relaxation, damping and gravity, of all joints or of those that are selected; and presets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.secondary.current_secondary import CurrentSecondary
from app.session import Session
from app.style.units import Unit
from engine.document.presets import PRESETS, Region, joints_in, regions_of
from engine.document.secondary import Gains
from engine.edits import Edit, edit
from engine.kinodynamics.queries.tell_gains import tell_gains
from engine.runtime.options import described

HERTZ = Unit(suffix=" Hz", words="hertz", scale=1.0, decimals=2, step=0.25, coarse=1.0, logarithmic=True)
RATIO = Unit(suffix="", words="times critical", scale=1.0, decimals=2, step=0.05, coarse=0.25)
PRESET_TIPS = {
    "relaxed": "Limbs and head trail and swing a little; most of the weight is in the keys already",
    "tense": "Everything follows at once and nothing sags",
    "tired": "All gives way to its weight, and little swings",
}
REGION_NAMES: dict[Region, str] = {
    "trunk": "Trunk",
    "head": "Head and neck",
    "arm": "Arms",
    "hand": "Hands",
    "leg": "Legs",
    "tail": "Tail",
    "other": "Everything else",
}


class _Numbers(EditForm):
    """Sliders of gains; with `clear`, a reset makes them those of all joints."""

    clear: Callable[[str], object] | None = None

    def _go_back(self, name: str) -> None:
        if self.clear is None:
            super()._go_back(name)
        else:
            self.clear(name)


class GainFields(QWidget):
    """The gains of all joints (`chosen` False), or of those that are selected."""

    def __init__(self, session: Session, *, chosen: bool) -> None:
        super().__init__()
        self._session, self._current, self._chosen = session, session.of(CurrentSecondary), chosen
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(3)
        if chosen:
            self.exact = QCheckBox("Follows exactly")
            self.exact.setToolTip("As if the tension of the joint were infinite: it goes where its keys are")
            self.exact.clicked.connect(lambda on: self._do("set_gains", exact=on))
            self.as_all = QPushButton("As all joints")
            self.as_all.setToolTip("Forget what the selected joints have of their own")
            self.as_all.clicked.connect(lambda: self._do("clear_gains"))
            line = QHBoxLayout()
            line.addWidget(self.exact, 1)
            line.addWidget(self.as_all)
            column.addLayout(line)
        whose = f"of {'selected' if chosen else 'all'} joints"
        self.numbers = _Numbers(
            session,
            described(Gains()),
            self._make_edit,
            entry=lambda label: f"{label} {whose}",
            named=lambda label: f"{label} {whose}",
            units={"tension": HERTZ, "damping": RATIO},
            plays_on=True,
        )
        if chosen:
            self.numbers.clear = lambda name: self._do("clear_gains", names=(name,))
            for reset in self.numbers.resets.values():
                reset.set_tip(f"{reset.toolTip()}, as all joints")
        column.addWidget(self.numbers)
        column.addWidget(self.about)
        if not chosen:
            self.region = QComboBox()
            self.region.setAccessibleName("Part of the body that a preset is for")
            self.region.setToolTip("Relaxed, tense or tired: all of the body, or a part of it")
            column.addWidget(self.region)
        column.addLayout(self._presets())

    def show_gains(self) -> None:
        """Show those of the actor that is meant."""
        current = self._current
        secondary, joints = current.secondary, current.joints
        usual, gains, own = Gains(), secondary.gains, frozenset[str]()
        if self._chosen and joints:
            usual, gains = secondary.gains, secondary.gains_of(joints[-1])
            own = frozenset(name for joint in joints for name in self._given(joint.id))
            self.exact.setChecked(gains.exact)
            self.as_all.setEnabled(bool(own))
        self.numbers.show_values(gains, usual=usual)
        for name, slider in self.numbers.fields.items():
            slider.setEnabled(not gains.exact)
            if self._chosen:
                self.numbers.resets[name].setEnabled(name in own)
        if not self._chosen:
            self._show_regions()
        said = tell_gains(gains)
        if not self._chosen and secondary.own:
            count = len(secondary.own)
            whose = f"{count} joints have gains of their own" if count > 1 else "1 joint has gains of its own"
            said += f" {whose}: a number that is changed here is changed there, too."
        self.about.setText(said)

    def _given(self, joint: str) -> frozenset[str]:
        own = self._current.secondary.own_of.get(joint)
        return frozenset() if own is None else frozenset(own.given)

    def _presets(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(4)
        self.presets: dict[str, QPushButton] = {}
        for preset in PRESETS:
            button = self.presets[preset] = QPushButton(preset.capitalize())
            whose = "the selected joints" if self._chosen else "each joint by the part of the body that it is in"
            button.setToolTip(f"{PRESET_TIPS[preset]}.\nFor {whose}")
            button.clicked.connect(lambda _=False, preset=preset: self._take_preset(preset))
            line.addWidget(button, 1)
        return line

    def _show_regions(self) -> None:
        """List all of the body, and the parts that the figure has."""
        owner = self._current.owner
        there = () if owner is None else regions_of(owner.figure)
        if there != tuple(self.region.itemData(at) for at in range(1, self.region.count())):
            self.region.clear()
            self.region.addItem("All of the body", None)
            for region in there:
                self.region.addItem(REGION_NAMES[region], region)

    def _take_preset(self, preset: str) -> None:
        owner = self._current.owner
        region = None if self._chosen else self.region.currentData()
        if region is None or owner is None:
            self._do("apply_preset", preset=preset)
        else:
            self._current.do("apply_preset", preset=preset, joints=joints_in(owner.figure, region))

    def _joints(self) -> tuple[str, ...] | None:
        return tuple(joint.id for joint in self._current.joints) if self._chosen else None

    def _do(self, name: str, **arguments: object) -> None:
        self._current.do(name, joints=self._joints(), **arguments)

    def _make_edit(self, name: str, value: float) -> Edit:
        owner = self._current.owner
        assert owner is not None, "shown only for one"
        return edit("set_gains", actor=owner.id, joints=self._joints(), **{name: value})
