"""Cleaning: spikes taken out, captures smoothed, few keys in the place of many; seen, with the error in numbers."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel

from app.features.keys.trial_card import NOTHING, TrialCard
from app.session import Session, keying
from app.session.gesture import EditOrCommand
from app.style.fonts import number_font
from app.style.units import ANGLE, Unit
from app.style.value_slider import ValueSlider
from engine.commands.clean_up import Cleaned, CleanUp

HERTZ = Unit(suffix=" Hz", words="hertz", scale=1.0, decimals=1, step=0.5, coarse=1.0)
MILLIMETRES = Unit(suffix=" mm", words="millimetres", scale=1000.0, decimals=1, step=0.5, coarse=5.0)
FINE_ANGLE = Unit(suffix="°", words="degrees", scale=ANGLE.scale, decimals=2, step=0.1, coarse=0.5, names=ANGLE.names)
PLAIN = Unit(suffix="", words="", scale=1.0, decimals=0, step=1.0, coarse=1.0)
MOST_FRAMES = 20.0  # times as many, as the engine takes
NOTHING_CHOSEN = "Choose what is to be done."


class Cleaning(TrialCard):
    """The card that reduces the keys of what is selected, over all of its time."""

    hints = (NOTHING_CHOSEN,)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.spikes = QCheckBox("Take out spikes of captures")
        self.spikes.setToolTip(
            "Samples that stand out of the 11 frames around them by more than 4 robust deviations are filled anew\n"
            "|x − median| > 4 · 1.4826 · median |x − median|"
        )
        self.smooth = QCheckBox("Smooth captures")
        self.smooth.setToolTip("A Butterworth low-pass forwards and backwards: no lag")
        self.few = QCheckBox("Few keys")
        self.few.setToolTip("Samples and dense keys become as few smooth keys as keep the tolerances at every frame")
        self.cutoff = self._number("Keep what is slower than", HERTZ, 0.5, 60.0, 6.0)
        self.order = self._number("Order of the filter", PLAIN, 1.0, 8.0, 2.0)
        self.finer = self._number("Times as many frames", PLAIN, 1.0, MOST_FRAMES, 1.0)
        self.order.setToolTip(
            f"{self.order.toolTip()}\nOf the Butterworth low-pass: the higher, the sharper it cuts; OpenSim has 3"
        )
        self.finer.setToolTip(
            f"{self.finer.toolTip()}\nFrames added on cubic splines, so that accelerations go on evenly"
        )
        self.angle = self._number(
            "Joints within", FINE_ANGLE, math.radians(0.01), math.radians(20.0), math.radians(0.5)
        )
        self.way = self._number("Slides within", MILLIMETRES, 0.0001, 0.1, 0.001)
        self.numbers, self.turn_error, self.place_error = (QLabel("–") for _ in range(3))
        smoothing, few = (self.cutoff, self.order, self.finer), (self.few, self.angle, self.way)
        self._lay_out(self.spikes, self.smooth, *smoothing, *few, self._read_out())
        for switch in (self.spikes, self.smooth, self.few):
            switch.clicked.connect(lambda on: self._try_out())
        self._show_state()

    def command(self) -> tuple[str, EditOrCommand] | str:
        if not (self.spikes.isChecked() or self.smooth.isChecked() or self.few.isChecked()):
            return NOTHING_CHOSEN
        if not keying.range_parts(self._session):
            return NOTHING
        few = round(math.degrees(self.angle.value), 2) if self.few.isChecked() else None
        command = CleanUp(
            parts=tuple((owner.id, joints) for owner, joints in self._session.posing.targets()),
            spikes=self.spikes.isChecked(),
            cutoff=round(self.cutoff.value, 3) if self.smooth.isChecked() else None,
            order=round(self.order.value),
            finer=round(self.finer.value),
            degrees=few,
            millimetres=1000.0 * self.way.value,
        )
        return command.label(self._session.document), command

    def _number(self, label: str, unit: Unit, lower: float, upper: float, rest: float) -> ValueSlider:
        tip = f"{label}: {unit.text(lower)} to {unit.text(upper)}, usually {unit.text(rest)}"
        return self._slider(label, unit, (lower, upper), rest, tip)

    def _read_out(self) -> QGridLayout:
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
        return grid

    def _show_state(self) -> None:
        super()._show_state()
        report = self.trial.report
        for slider in (self.cutoff, self.order, self.finer):
            slider.setEnabled(self.smooth.isChecked())
        for slider in (self.angle, self.way):
            slider.setEnabled(self.few.isChecked())
        if isinstance(report, Cleaned):
            found = "1 spike" if report.spikes == 1 else f"{report.spikes} spikes"
            spikes = f", {found}" if self.spikes.isChecked() else ""
            self.numbers.setText(f"{report.before:,} → {report.after:,}{spikes}")
            self.turn_error.setText(FINE_ANGLE.text(report.turn_error))
            self.place_error.setText(f"{MILLIMETRES.text(report.place_error)}, {report.joint.lower()}")
        elif not self.trial.open:
            for label in (self.numbers, self.turn_error, self.place_error):
                label.setText("–")
