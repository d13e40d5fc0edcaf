"""Planting: locks for the times in which the selected joints stand still, seen before they are kept."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.panels.keys.keeping import UNCHANGED, Keeping
from app.session import Session, keying
from app.session.trial import Trial
from app.style.fonts import number_font
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from engine.document.values import new_id
from engine.jobs.plant_contacts import PlantContacts, Planted

SPEED = Unit(suffix=" m/s", words="metres a second", scale=1.0, decimals=2, step=0.01, coarse=0.1)
USUAL, FASTEST = 0.25, 2.0  # [m/s]
NO_JOINTS = "Select the joints that touch the floor: both ankles."


class Planting(QWidget):
    """What is selected, over all of its time."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.trial = Trial(session, self)
        self.about, self.found = QLabel(wordWrap=True), QLabel()
        self.about.setProperty("quiet", True)
        self.found.setFont(number_font())
        self.seek = QPushButton("Find contacts")
        self.seek.clicked.connect(self._try_out)
        self.speed = ValueSlider("Still is slower than", unit=SPEED)
        self.speed.set_limits(0.01, FASTEST)
        self.speed.set_rest(USUAL)
        self.speed.set_value(USUAL)
        self.speed.setToolTip(
            "A contact begins below it, near the joint's lowest height, and ends at 1.6 times as much"
        )
        self.speed.moved.connect(lambda value: self._try_out())
        self.speed.cancelled.connect(self.drop)
        self.keeping = Keeping()
        self.keeping.kept.connect(self.trial.keep)
        self.keeping.dropped.connect(self.drop)
        self.trial.changed.connect(self._show_state)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(4)
        for widget in (self.about, self.speed, self.seek, self.found, self.keeping):
            column.addWidget(widget)
        self._show_state()

    def refresh(self) -> None:
        """Say of what; contacts that are shown are shown of what is selected now."""
        self.about.setText(f"Of {keying.meant(self._session)}")
        if self.trial.open:
            self._try_out()
        else:
            self._show_state()

    def drop(self) -> bool:
        """Take what is shown away; whether there was something."""
        was = self.trial.open
        self.trial.drop()
        return was

    def _parts(self) -> tuple[tuple[str, frozenset[str] | None], ...]:
        targets = self._session.posing.targets()
        return tuple((owner.id, joints) for owner, joints in targets if joints is not None)

    def _try_out(self) -> None:
        parts = self._parts()
        if not parts:
            self.trial.drop()
            return
        wish = PlantContacts(id=new_id("contact"), parts=parts, speed=self.speed.value)
        self.trial.show(wish.label(self._session.document), wish)

    def _show_state(self) -> None:
        told, chosen = self.trial.told, bool(self._parts())
        self.seek.setEnabled(chosen and not self.trial.open)
        self.speed.setEnabled(chosen)
        self.keeping.show_state(shown=self.trial.open, problem="", idle=UNCHANGED if chosen else NO_JOINTS)
        self.keeping.apply.setEnabled(isinstance(told, Planted))
        if isinstance(told, Planted):
            locks = f"{told.count} lock" if told.count == 1 else f"{told.count} locks"
            self.found.setText(f"{locks}, slides of up to {1000.0 * told.slid:.1f} mm taken out")
        elif not self.trial.open:
            self.found.setText("–")
