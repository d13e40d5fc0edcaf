"""WindowFields: how far back secondary motion is simulated, how long that must be, and what is before the first key."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.secondary.current_secondary import USUAL, CurrentSecondary
from app.features.secondary.response import ResponsePlot
from app.features.secondary.touching import Touching
from app.session import Session
from app.style.fonts import number_font
from app.style.icon_button import IconButton
from app.style.units import ANGLE, TIME, Unit
from app.style.value_slider import ValueSlider
from engine.document.secondary import Secondary
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.kinodynamics.queries.find_touching import listed
from engine.kinodynamics.queries.suggest_window import SURE
from engine.kinodynamics.queries.suggest_window import Unit as SeenIn
from engine.runtime.options import described

MILLISECONDS = Unit(suffix=" ms", words="milliseconds", scale=1000.0, decimals=1, step=1.0, coarse=5.0)
DEGREES = Unit(suffix="\N{DEGREE SIGN}", words="degrees", scale=ANGLE.scale, decimals=2, step=0.1, coarse=0.5)
PIXELS = Unit(suffix=" px", words="pixels", scale=1.0, decimals=1, step=0.5, coarse=1.0)
CENTIMETRES = Unit(suffix=" cm", words="centimetres", scale=100.0, decimals=2, step=0.1, coarse=0.5)
SEEN: dict[SeenIn, tuple[Unit, tuple[float, float], str]] = {
    "angle": (DEGREES, (math.radians(0.05), math.radians(10.0)), "Degrees"),
    "pixels": (PIXELS, (0.25, 50.0), "Pixels"),
    "length": (CENTIMETRES, (0.0005, 0.2), "Centimetres"),
}
"""How each unit of what is seen is shown, from where to where it goes, and its name."""
UNIT_TIP = (
    "Of each joint, or of the farthest point that it carries: on the screen, as the camera of the active view is when "
    "the window is suggested, or in the world"
)
JOLT_TIP = (
    "The keys come to this pose at 4 rad/s and stop dead; the window ends where nothing is left to see.\n"
    "m x'' + c x' + k x = p δ(t), by simulation (Rahgoshay 2011, 5.1)"
)
BOUND_TIP = (
    "What all modes about this pose promise for the accelerations of the keys within a second of it.\n"
    "Σ |φ b(t)| ≤ the smallest angle (Rahgoshay 2011, 5.12); never too short, mostly too long"
)
HELD = (
    "{names} {touch} something as the window of this frame begins. Friction holds from there on; what came before, "
    "which would matter here, is not known."
)


class WindowFields(QWidget):
    """The window, what it is chosen by, and what becomes of a jolt."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSecondary)
        self.form = EditForm(
            session,
            described(Secondary()),
            self._make_edit,
            entry=lambda label: f"{label} of secondary motion",
            rows=("window", "step"),
            units={"step": MILLISECONDS},
            plays_on=True,
        )
        self.leasts = {name: self._least(name) for name in SEEN}
        self.least_reset = IconButton("rotate-ccw", "Reset: Smallest seen")
        self.least_reset.clicked.connect(lambda: self.leasts[self._current.unit].reset())
        self.unit = QComboBox()
        self.unit.setAccessibleName("Unit of the smallest that is seen")
        self.unit.setToolTip(UNIT_TIP)
        for name, (_, _, words) in SEEN.items():
            self.unit.addItem(words, name)
        self.unit.activated.connect(lambda at: self._see_in(self.unit.itemData(at)))
        self.suggest = QPushButton("Suggest window")
        self.suggest.setToolTip("Find how long the window must be for the pose at the playhead; nothing changes yet")
        self.suggest.clicked.connect(self._current.suggest)
        self.held = QLabel(wordWrap=True)
        self.held.setProperty("quiet", True)
        self.jolt, self.bound = (
            _FoundWindow("A jolt is over after", JOLT_TIP),
            _FoundWindow("Bound for this motion", BOUND_TIP),
        )
        for found in (self.jolt, self.bound):
            found.take.clicked.connect(lambda _=False, found=found: self._current.take_window(found.seconds))
        self.plot = ResponsePlot()
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self._arrange()
        self._current.found_changed.connect(self.show_found)
        session.of(Touching).changed.connect(self.show_held)
        self.show_found()
        self.show_held()

    def show_window(self) -> None:
        """Show what the actor that is meant has."""
        secondary = self._current.secondary
        self.form.show_values(secondary)
        self.plot.show_window(secondary.window / TICKS_PER_SECOND)
        self.unit.setCurrentIndex(self.unit.findData(self._current.unit))
        self.least_reset.setEnabled(self._current.least != USUAL[self._current.unit])
        for name, slider in self.leasts.items():
            slider.setVisible(name == self._current.unit)

    def show_held(self) -> None:
        """Say where what came before the window would matter."""
        names = self._session.of(Touching).names
        text = HELD.format(names=listed(names), touch="touches" if len(names) == 1 else "touch") if names else ""
        self.held.setText(text)
        self.held.setVisible(bool(names))

    def show_found(self) -> None:
        """Show what became of a jolt, and what was found of windows."""
        current = self._current
        found, problem = current.found, current.problem
        self.jolt.show_seconds(None if found is None else found.settled, f"longer than {TIME.text(SURE)}")
        self.bound.show_seconds(None if found is None else found.bound, "never at rest")
        self.bound.setVisible(found is not None and found.bound is not None)
        self.plot.show_response(found)
        joints = current.joints
        whose = joints[-1].name.lower() if len(joints) == 1 else f"{len(joints)} joints" if joints else "all joints"
        still = found is not None and not found.sizes.any()
        owner, longest = current.owner, ""
        if found is not None and len(joints) != 1 and owner is not None and found.slowest in owner.figure.joint_index:
            longest = f"; the longest swings {owner.figure.joint(found.slowest).name.lower()}"
        dies = f"A jolt of {whose} dies away like this{longest}:"
        stiff = f"Nothing of {whose if len(joints) == 1 else 'these joints'} swings: it follows exactly."
        self.about.setText(problem or (stiff if still else dies))

    def _least(self, name: SeenIn) -> ValueSlider:
        """Make the slider of how much has to be left to be seen, in one unit."""
        unit, (smallest, largest), _ = SEEN[name]
        slider = ValueSlider("Smallest seen", unit=unit)
        slider.set_limits(smallest, largest)
        slider.set_rest(USUAL[name])
        slider.set_value(USUAL[name])
        slider.setToolTip(
            f"A window may end where what is left is less than this. x_min of equation 5.12\n"
            f"From {unit.text(smallest)} to {unit.text(largest)}, usually {unit.text(USUAL[name])}"
        )
        slider.moved.connect(self._current.see_from)
        return slider

    def _see_in(self, name: SeenIn) -> None:
        self._current.see_in(name)
        self.show_window()

    def _make_edit(self, name: str, value: object) -> Edit:
        owner = self._current.owner
        assert owner is not None, "shown only for one"
        return edit("set_secondary", actor=owner.id, **{name: value})

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(3)
        self.form.add(*self.leasts.values(), self.least_reset)
        self.form.add(self.unit)
        lead = QLabel("Before the first key")
        lead.setProperty("quiet", True)
        self.form.add(lead)
        self.form.add("lead", label="")
        self.form.add("contact")
        for widget in (
            self.form,
            self.held,
            self.suggest,
            self.jolt,
            self.bound,
            self.about,
            self.plot,
        ):
            column.addWidget(widget)


class _FoundWindow(QWidget):
    """A window that was found, and a button that takes it."""

    def __init__(self, text: str, tip: str) -> None:
        super().__init__()
        self.seconds = 0.0
        name, self.value = QLabel(text), QLabel("–")
        name.setProperty("quiet", True)
        self.value.setFont(number_font())
        self.take = QPushButton("Take it")
        self.take.setAccessibleName(f"Take the window: {text.lower()}")
        self.setToolTip(tip)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.addWidget(name, 0, 0)
        grid.addWidget(self.value, 0, 1)
        grid.addWidget(self.take, 0, 2)
        grid.setColumnStretch(1, 1)

    def show_seconds(self, seconds: float | None, otherwise: str) -> None:
        """Show a window [s]; `otherwise` where it has no end, None: it is not known."""
        whole = seconds is not None and 0.0 < seconds < math.inf
        self.seconds = seconds if whole and seconds is not None else 0.0
        self.value.setText("–" if seconds is None else otherwise if seconds == math.inf else TIME.text(seconds))
        self.take.setEnabled(whole)
