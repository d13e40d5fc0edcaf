"""StandingFields: which points stand on the ground during the chosen stage, and how: held, or sliding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.listed import IdList
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.planning import edit_of, stand_here
from app.session import Session
from app.style.icon_button import IconButton
from app.style.row import row_of
from engine.edits import Edit
from engine.runtime.options import About
from engine.spacetime.parts import SpacetimeContact, SpacetimeStage

FIELDS: dict[str, tuple[About, Any]] = {
    "kind": (
        About(
            label="Contact", choices=("held", "sliding"), labels=("Held", "Sliding"),
            note="Held: it stays where it is. Sliding: it may move along the ground, against friction",
        ),
        "held",
    ),
    "friction": (
        About(
            label="Friction", least=0.0, most=2.0,
            note="The ground pushes, and holds along itself no more than this times as hard: |f| <= mu n",
        ),
        0.8,
    ),
}  # fmt: skip


class StandingFields(QWidget):
    """The contacts of the chosen stage."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self._chosen = 0
        self.list = IdList("Contacts of the stage")
        self.list.picked.connect(self._choose)
        self.add = QPushButton("Stand on the selected joint")
        self.add.setToolTip(
            "The lowest points of the selected joint's body stand on the ground during this stage: the ground pushes "
            "them, within friction, and pulls nothing"
        )
        self.add.clicked.connect(lambda: stand_here(session))
        self.remove = IconButton("trash-2", "It stands on the chosen point no longer")
        self.remove.clicked.connect(self._remove)
        self.form = EditForm(session, FIELDS, self._edit, resets=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.list, row_of(self.add, self.remove), self.form):
            column.addWidget(widget)

    def show_stage(self, stage: SpacetimeStage) -> None:
        """Show what stands during a stage."""
        actor = self._current.actor
        names = {} if actor is None else {each.id: each.name for each in actor.figure.joints}
        self._chosen = min(self._chosen, max(len(stage.contacts) - 1, 0))
        rows = [
            (str(at), f"{names.get(each.joint, each.joint)} · {_place(each)}", None)
            for at, each in enumerate(stage.contacts)
        ]
        self.list.show_rows(rows, str(self._chosen))
        found = self._contact(stage)
        self.form.setVisible(found is not None)
        self.remove.setVisible(found is not None)
        if found is not None:
            self.form.show_values(found)

    def _contact(self, stage: SpacetimeStage | None) -> SpacetimeContact | None:
        return stage.contacts[self._chosen] if stage is not None and self._chosen < len(stage.contacts) else None

    def _choose(self, id: str) -> None:
        self._chosen = int(id)
        stage = self._current.stage
        if stage is not None:
            self.show_stage(stage)

    def _edit(self, name: str, value: Any) -> Edit | None:
        stage, found = self._current.stage, self._contact(self._current.stage)
        if stage is None or found is None:
            return None
        new = replace(found, **{name: value})
        contacts = tuple(new if each is found else each for each in stage.contacts)
        return edit_of(self._session, "set_spacetime_stage", stage=stage.id, contacts=contacts)

    def _remove(self) -> None:
        stage, found = self._current.stage, self._contact(self._current.stage)
        if stage is not None and found is not None:
            contacts = tuple(each for each in stage.contacts if each is not found)
            change = edit_of(self._session, "set_spacetime_stage", stage=stage.id, contacts=contacts)
            if change is not None:
                self._session.do(change)


def _place(contact: SpacetimeContact) -> str:
    return ", ".join(f"{100.0 * each:.1f}" for each in contact.point) + " cm"
