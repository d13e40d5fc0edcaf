"""EffortFields: what is to be least: weights of torque, power, work and smoothness; and which parts shall be calm."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.planning import calm_selected, edit_of
from app.session import Session
from app.style.icon_button import IconButton
from engine.edits import Edit
from engine.runtime.options import About, about
from engine.spacetime.parts import Spacetime

WEIGHTS = ("torque", "power", "work", "smoothness")
MOST = 10.0  # that sliders reach; what a document holds may be more
NOTES = {
    "torque": "Strong muscles cost: the integral of tau^2",
    "power": "Strong muscles that move fast cost: the integral of (tau alpha')^2",
    "work": "Energy that muscles put in costs: the integral of tau alpha'",
    "smoothness": "Muscles that change their pull fast cost: the integral of tau'^2",
}
CALM = About(
    label="Calm", least=0.0, most=MOST, note="Its acceleration costs: this times the integral of its square"
)  # fmt: skip


class EffortFields(QWidget):
    """The objective of the problem that is worked on."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self.form = EditForm(session, weights(), partial(edit_weight, session))
        self.calm: EditForm | None = None
        self._joints: tuple[str, ...] = ()
        self.add = QPushButton("Keep the selected joint calm")
        self.add.setToolTip("Such as a head: how fast it changes its way costs something, too")
        self.add.clicked.connect(lambda: calm_selected(session))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 6)
        self._column.setSpacing(3)
        self._column.addWidget(self.form)
        self._column.addWidget(self.add)

    def show_plan(self) -> None:
        """Show the weights."""
        actor, part = self._current.actor, self._current.part
        if actor is None or part is None:
            return
        self.form.show_values(part)
        joints = tuple(each.joint for each in part.calm)
        if joints != self._joints:
            self._make_calm({each: actor.figure.joint(each).name for each in joints})
        if self.calm is not None:
            self.calm.show_values({each.joint: each.weight for each in part.calm})

    def _make_calm(self, names: dict[str, str]) -> None:
        if self.calm is not None:
            self.calm.hide()
            self.calm.deleteLater()
            self.calm = None
        self._joints = tuple(names)
        if not names:
            return
        options = {joint: (replace(CALM, label=f"Calm {name.lower()}"), 0.0) for joint, name in names.items()}
        self.calm = EditForm(self._session, options, self._edit_calm, rows=(), resets=False)
        for joint, name in names.items():
            remove = IconButton("trash-2", f"{name} need not be calm")
            remove.clicked.connect(partial(self._remove_calm, joint))
            self.calm.add(joint, remove)
        self._column.insertWidget(1, self.calm)

    def _edit_calm(self, joint: str, value: Any) -> Edit | None:
        part = self._current.part
        if part is None:
            return None
        calm = tuple(replace(each, weight=value) if each.joint == joint else each for each in part.calm)
        return edit_of(self._session, "set_spacetime_calm", calm=calm)

    def _remove_calm(self, joint: str) -> None:
        part = self._current.part
        change = None
        if part is not None:
            calm = tuple(each for each in part.calm if each.joint != joint)
            change = edit_of(self._session, "set_spacetime_calm", calm=calm)
        if change is not None:
            self._session.do(change)


def weights() -> dict[str, tuple[About, Any]]:
    """Give what the part tells of its weights, as sliders have them."""
    usual = {each.name: each.default for each in fields(Spacetime)}
    return {name: (replace(about(Spacetime)[name], most=MOST, note=NOTES[name]), usual[name]) for name in WEIGHTS}


def edit_weight(session: Session, name: str, value: Any) -> Edit | None:
    """Make the edit that sets a weight or an option of the whole problem."""
    return edit_of(session, "set_spacetime", **{name: value})
