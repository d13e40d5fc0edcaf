"""Planting: pins for the times in which the selected joints stand still, seen before they are kept."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QPushButton

from app.features.keys.trial_card import TrialCard
from app.session import Session
from app.session.gesture import EditOrCommand
from app.style.fonts import number_font
from app.style.units import Unit
from engine.document.values import new_id
from engine.locks.commands.plant_contacts import PlantContacts, Planted

SPEED = Unit(suffix=" m/s", words="metres a second", scale=1.0, decimals=2, step=0.01, coarse=0.1)
USUAL, FASTEST = 0.25, 2.0  # [m/s]
NO_JOINTS = "Select the joints that touch the floor: both ankles."


class Planting(TrialCard):
    """The card that pins feet of what is selected, over all of its time."""

    hints = (NO_JOINTS,)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.found = QLabel()
        self.found.setFont(number_font())
        self.seek = QPushButton("Find contacts")
        self.seek.clicked.connect(self._try_out)
        tip = "A contact begins below it, near the joint's lowest height, and ends at 1.6 times as much"
        self.speed = self._slider("Still is slower than", SPEED, (0.01, FASTEST), USUAL, tip)
        self._lay_out(self.speed, self.seek, self.found)
        self._show_state()

    def command(self) -> tuple[str, EditOrCommand] | str:
        targets = self._session.posing.targets()
        parts = tuple((owner.id, joints) for owner, joints in targets if joints is not None)
        if not parts:
            return NO_JOINTS
        command = PlantContacts(id=new_id("contact"), parts=parts, speed=self.speed.value)
        return command.label(self._session.document), command

    def _show_state(self) -> None:
        super()._show_state()
        report, chosen = self.trial.report, self.keeping.apply.isEnabled()
        self.seek.setEnabled(chosen and not self.trial.open)
        self.speed.setEnabled(chosen)
        self.keeping.apply.setEnabled(isinstance(report, Planted) and not self.trial.keeping)
        if isinstance(report, Planted):
            locks = f"{report.count} pin" if report.count == 1 else f"{report.count} pins"
            self.found.setText(f"{locks}, slides of up to {1000.0 * report.slid:.1f} mm taken out")
        elif not self.trial.open:
            self.found.setText("–")
