"""StageFields: the stages in sequence, and how long the chosen one is and what stands on the ground meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.listed import IdList
from app.features.spacetime.contacts import StandingFields
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.planning import add_stage, edit_of, move_stage, remove_stage
from app.features.spacetime.words import stage_text
from app.session import Session
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.row import row_of
from app.style.units import TIME
from engine.edits import Edit
from engine.runtime.options import About
from engine.spacetime.parts import SpacetimeStage

SHORTEST, LONGEST = 0.02, 10.0  # [s] that sliders reach
FREE = 0.5, 2.0  # of its length, between which one is free at first
HARDEST = 5.0  # [N s] of a blow at first
FIELDS: dict[str, tuple[About, Any]] = {
    "length": (About(label="Length", unit="s", least=SHORTEST, most=LONGEST, note="How long the stage is"), 0.4),
    "least_length": (About(label="Shortest", unit="s", least=SHORTEST, most=LONGEST, note="It may be so short"), 0.2),
    "most_length": (About(label="Longest", unit="s", least=SHORTEST, most=LONGEST, note="It may be so long"), 0.8),
    "pieces": (
        About(
            label="Pieces", least=1, most=60,
            note="Of the curves of each joint: more are finer, and take longer. Some 12 for a leap",
        ),
        8,
    ),
    "hardest": (
        About(label="Hardest blow", unit="N s", least=0.0, most=100.0, note="No blow of the ground is harder"), HARDEST,
    ),
}  # fmt: skip


class StageFields(QWidget):
    """The stages of the problem that is worked on."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self.list = IdList("Stages")
        self.list.picked.connect(self._current.choose)
        self.add = QPushButton("Add stage")
        self.add.setToolTip("Add a stage behind the chosen one, in which the figure flies")
        self.up, self.down = IconButton("chevron-up", "Earlier"), IconButton("chevron-down", "Later")
        self.remove = IconButton("trash-2", "Remove the stage, with what is demanded in it")
        self.name = NameField("Name of the stage", lambda name: self._set("set_spacetime_stage", name=name))
        units = dict.fromkeys(("length", "least_length", "most_length"), TIME)
        self.form = EditForm(session, FIELDS, self._edit, units=units, resets=False)
        self.free = QCheckBox("Free length")
        self.free.setToolTip("Its length is found, too, between the shortest and the longest")
        self.nailed = QCheckBox("Root is nailed")
        self.nailed.setToolTip("The root stays where it is all the while, by whatever force that takes")
        self.impact = QCheckBox("Ground strikes at its end")
        self.impact.setToolTip("Where the next stage stands, the ground may stop it by a blow, as at a landing")
        self.limited = QCheckBox("Gently")
        self.limited.setToolTip("No blow of the ground is harder than this")
        self.contacts = StandingFields(session)
        self._connect()
        self._arrange()

    def show_plan(self) -> None:
        """Show the stages, and the chosen one."""
        current, part, stage = self._current, self._current.part, self._current.stage
        if part is None or stage is None:
            return
        self.list.show_rows([(each.id, stage_text(current, each), None) for each in part.stages], stage.id)
        at = part.stages.index(stage)
        self.up.setEnabled(at > 0)
        self.down.setEnabled(at + 1 < len(part.stages))
        self.remove.setEnabled(len(part.stages) > 1)
        self.name.show_name(stage.name)
        least, most = stage.lengths
        hardest = HARDEST if stage.hardest is None else stage.hardest
        shown = {"length": stage.length, "pieces": stage.pieces, "hardest": hardest}
        self.form.show_values(shown | {"least_length": least, "most_length": most})
        for name in ("least_length", "most_length"):
            self.form.set_row_visible(name, stage.is_free)
        self.form.set_row_visible("hardest", stage.impact and stage.hardest is not None)
        self.free.setChecked(stage.is_free)
        self.nailed.setChecked(stage.nailed)
        actor = self._current.actor
        self.nailed.setEnabled(actor is not None and bool(actor.figure.joints[0].dofs))
        self.impact.setChecked(stage.impact)
        self.limited.setChecked(stage.hardest is not None)
        self.limited.setVisible(stage.impact)
        self.contacts.show_stage(stage)

    def _edit(self, name: str, value: Any) -> Edit | None:
        stage = self._current.stage
        if stage is None:
            return None
        if name == "pieces":
            return edit_of(self._session, "set_spacetime_stage", stage=stage.id, pieces=value)
        if name == "hardest":
            return edit_of(self._session, "put_spacetime_stage", stage=replace(stage, hardest=value))
        return edit_of(self._session, "set_spacetime_length", stage=stage.id, **_lengths(stage, name, value))

    def _set_free(self, free: bool) -> None:
        stage = self._current.stage
        if stage is not None:
            least, most = (each * stage.length for each in FREE)
            ends = {"least_length": least, "most_length": most} if free else {}
            self._set("set_spacetime_length", length=stage.length, **ends)

    def _set_limited(self, limited: bool) -> None:
        stage = self._current.stage
        if stage is not None:
            change = edit_of(
                self._session, "put_spacetime_stage", stage=replace(stage, hardest=HARDEST if limited else None)
            )
            if change is not None:
                self._session.do(change)

    def _set(self, edit: str, **arguments: object) -> None:
        stage = self._current.stage
        change = None if stage is None else edit_of(self._session, edit, stage=stage.id, **arguments)
        if change is not None:
            self._session.do(change)

    def _connect(self) -> None:
        self.add.clicked.connect(lambda: add_stage(self._session))
        self.up.clicked.connect(lambda: move_stage(self._session, -1))
        self.down.clicked.connect(lambda: move_stage(self._session, 1))
        self.remove.clicked.connect(lambda: remove_stage(self._session))
        self.free.clicked.connect(self._set_free)
        self.nailed.clicked.connect(lambda on: self._set("set_spacetime_stage", nailed=on))
        self.impact.clicked.connect(lambda on: self._set("set_spacetime_stage", impact=on))
        self.limited.clicked.connect(self._set_limited)

    def _arrange(self) -> None:
        self.form.add(self.free, name="free")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        line = row_of(self.add, self.up, self.down, self.remove)
        for widget in (
            self.list, line, self.name, self.form, self.nailed, self.impact, self.limited, self.contacts,
        ):  # fmt: skip
            column.addWidget(widget)


def _lengths(stage: SpacetimeStage, name: str, value: float) -> dict[str, float | None]:
    """Give the length and its ends, of which one is set; the others give way where they must."""
    length, (least, most) = stage.length, stage.lengths
    if not stage.is_free:
        return {"length": value, "least_length": None, "most_length": None}
    if name == "length":
        length, least, most = value, min(least, value), max(most, value)
    elif name == "least_length":
        least, most = value, max(most, value)
    else:
        least, most = min(least, value), value
    return {"length": min(max(length, least), most), "least_length": least, "most_length": most}
