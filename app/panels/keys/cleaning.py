"""Cleaning: spikes taken out, captures smoothed, few keys in the place of many; seen, and told how far it is off."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.panels.keys.keeping import UNCHANGED, Keeping
from app.session import Session, keying
from app.session.trial import Trial
from app.style.fonts import number_font
from app.style.units import ANGLE, Unit
from app.style.value_slider import ValueSlider
from engine.jobs.clean_up import Cleaned, CleanUp

HERTZ = Unit(suffix=" Hz", words="hertz", scale=1.0, decimals=1, step=0.5, coarse=1.0)
MILLIMETRES = Unit(suffix=" mm", words="millimetres", scale=1000.0, decimals=1, step=0.5, coarse=5.0)
FINE_ANGLE = Unit(suffix="°", words="degrees", scale=ANGLE.scale, decimals=2, step=0.1, coarse=0.5, names=ANGLE.names)
NOTHING_CHOSEN = "Choose what is to be done."
NOTHING = "What is selected has no keys or samples that count."


class Cleaning(QWidget):
    """What is selected, over all of its time."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.trial = Trial(session, self)
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self.spikes = QCheckBox("Take out spikes of captures")
        self.spikes.setToolTip(
            "Samples that stand out of the 11 frames around them by more than 4 robust deviations are filled anew\n"
            "|x − median| > 4 · 1.4826 · median |x − median|"
        )
        self.smooth = QCheckBox("Smooth captures")
        self.smooth.setToolTip("A Butterworth low-pass forwards and backwards: no lag")
        self.few = QCheckBox("Few keys")
        self.few.setToolTip("Samples and dense keys become as few smooth keys as keep the tolerances at every frame")
        self.cutoff = self._slider("Keep what is slower than", HERTZ, 0.5, 60.0, 6.0)
        self.angle = self._slider(
            "Joints within", FINE_ANGLE, math.radians(0.01), math.radians(20.0), math.radians(0.5)
        )
        self.way = self._slider("Slides within", MILLIMETRES, 0.0001, 0.1, 0.001)
        self.numbers, self.turn_error, self.place_error = (QLabel("–") for _ in range(3))
        self.keeping = Keeping()
        self._lay_out()
        for switch in (self.spikes, self.smooth, self.few):
            switch.clicked.connect(lambda on: self._try_out())
        self.keeping.kept.connect(self._keep)
        self.keeping.dropped.connect(self.drop)
        self.trial.changed.connect(self._show_state)
        self._show_state()

    def refresh(self) -> None:
        """Say of what; a change that is shown is shown of what is selected now."""
        self.about.setText(f"Of {keying.meant(self._session)}")
        if self.trial.open:
            self._try_out()
        else:
            self._show_state()

    def wish(self) -> CleanUp | str:
        """What is wanted, or what stands against it."""
        if not (self.spikes.isChecked() or self.smooth.isChecked() or self.few.isChecked()):
            return NOTHING_CHOSEN
        if not keying.range_parts(self._session):
            return NOTHING
        few = round(math.degrees(self.angle.value), 2) if self.few.isChecked() else None
        return CleanUp(
            parts=tuple((owner.id, joints) for owner, joints in self._session.posing.targets()),
            spikes=self.spikes.isChecked(),
            cutoff=round(self.cutoff.value, 3) if self.smooth.isChecked() else None,
            degrees=few,
            millimetres=1000.0 * self.way.value,
        )

    def drop(self) -> bool:
        """Take what is shown away; whether there was something."""
        was = self.trial.open
        self.trial.drop()
        return was

    def _slider(self, label: str, unit: Unit, lower: float, upper: float, rest: float) -> ValueSlider:
        slider = ValueSlider(label, unit=unit)
        slider.set_limits(lower, upper)
        slider.set_rest(rest)
        slider.set_value(rest)
        slider.setToolTip(f"{label}: {unit.text(lower)} to {unit.text(upper)}, usually {unit.text(rest)}")
        slider.moved.connect(lambda value: self._try_out())
        slider.cancelled.connect(self._try_out)
        return slider

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(4)
        for widget in (self.about, self.spikes, self.smooth, self.cutoff, self.few, self.angle, self.way):
            column.addWidget(widget)
        grid = QGridLayout()
        grid.setContentsMargins(0, 6, 0, 2)
        grid.setHorizontalSpacing(12)
        rows = (("Keys and samples", self.numbers), ("Largest angle off", self.turn_error))
        for row, (text, shown) in enumerate((*rows, ("Largest distance off", self.place_error))):
            label = QLabel(text)
            label.setProperty("quiet", True)
            shown.setFont(number_font())
            shown.setAccessibleName(text)
            grid.addWidget(label, row, 0)
            grid.addWidget(shown, row, 1)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        column.addWidget(self.keeping)

    def _try_out(self) -> None:
        wish = self.wish()
        if isinstance(wish, str):
            self.trial.drop()
            self._show_state()
        else:
            self.trial.show(wish.label(self._session.document), wish)

    def _keep(self) -> None:
        if not self.trial.open:
            self._try_out()
        self.trial.keep()

    def _show_state(self) -> None:
        wish, told = self.wish(), self.trial.told
        self.cutoff.setEnabled(self.smooth.isChecked())
        for slider in (self.angle, self.way):
            slider.setEnabled(self.few.isChecked())
        problem = wish if isinstance(wish, str) and wish != NOTHING_CHOSEN else ""
        idle = wish if isinstance(wish, str) else UNCHANGED
        self.keeping.show_state(shown=self.trial.open, problem=problem, idle=idle)
        self.keeping.apply.setEnabled(isinstance(wish, CleanUp))
        if isinstance(told, Cleaned):
            found = "1 spike" if told.spikes == 1 else f"{told.spikes} spikes"
            spikes = f", {found}" if self.spikes.isChecked() else ""
            self.numbers.setText(f"{told.before:,} → {told.after:,}{spikes}")
            self.turn_error.setText(FINE_ANGLE.text(told.turn_error))
            self.place_error.setText(f"{MILLIMETRES.text(told.place_error)}, {told.joint.lower()}")
        elif not self.trial.open:
            for label in (self.numbers, self.turn_error, self.place_error):
                label.setText("–")
