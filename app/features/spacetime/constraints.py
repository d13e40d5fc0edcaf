"""ConstraintFields: what is demanded of the motion, and when: a list, the fields of the chosen one, new ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton

from app.features.form import EditForm
from app.features.spacetime.demanded import DemandedFields
from app.features.spacetime.listed_fields import ListedFields, choices, with_time
from app.features.spacetime.planning import (
    add_gentle_blow,
    be_here,
    centre_here,
    edit_of,
    point_here,
    put_constraint,
    remove_chosen,
    take_again,
)
from app.features.spacetime.words import constraint_text
from app.session import Session
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.row import row_of
from engine.edits import Edit
from engine.runtime.options import About
from engine.spacetime.parts import SpacetimeConstraint

WHEN: dict[str, tuple[About, Any]] = {
    "at": (About(label="At", unit="share", least=0.0, most=1.0, note="When, as a share of its stage"), 0.0),
    "until": (About(label="Until", unit="share", least=0.0, most=1.0, note="It is demanded up to then"), 1.0),
}


class ConstraintFields(ListedFields):
    """The constraints of the problem that is worked on."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Constraints")
        self.be_here, self.point = QPushButton("Be here then"), QPushButton("This point here")
        self.velocity, self.centre = QPushButton("Its velocity"), QPushButton("Centre of mass")
        self.gentle = QPushButton("Gentle blow")
        self.list.ticked.connect(self._switch)
        self.name = NameField("Name of the constraint", lambda name: self._set(name=name))
        self.stage = choices("Stage of the constraint", "The stage in which it is demanded", (), self._set_stage)
        self.take = IconButton("crosshair", "Take it again from what is seen at the playhead")
        self.remove = IconButton("trash-2", "Remove the constraint")
        self.form = EditForm(session, WHEN, self._edit, resets=False)
        self.ranged = QCheckBox("Over a range of time")
        self.ranged.setToolTip("It is demanded all the while, from one time of its stage to another")
        self.form.add(self.ranged, name="ranged")
        self.demanded = DemandedFields(session)
        self._connect()
        inside = QLabel("In")
        inside.setProperty("quiet", True)
        self._arrange(
            (row_of(self.be_here, self.point), row_of(self.velocity, self.centre), self.gentle),
            (row_of(self.name, self.take, self.remove), row_of(inside, self.stage), self.form, self.demanded),
        )

    def show_plan(self) -> None:
        """Show what is demanded, and the chosen one."""
        current, part = self._current, self._current.part
        if part is None:
            return
        order = {each.id: at for at, each in enumerate(part.stages)}
        listed = sorted(part.constraints, key=lambda each: (order[each.stage], each.at))
        rows = [(each.id, constraint_text(current, each), each.on) for each in listed]
        found = current.constraint
        self.list.show_rows(rows, None if found is None else found.id)
        self.fields.setVisible(found is not None)
        if found is None:
            return
        self.name.show_name(found.name)
        names = [each.name for each in part.stages]
        if names != [self.stage.itemText(at) for at in range(self.stage.count())]:
            self.stage.clear()
            self.stage.addItems(names)
        self.stage.setCurrentIndex(order[found.stage])
        self.form.show_values({"at": found.at, "until": found.at if found.until is None else found.until})
        self.form.set_row_visible("until", found.until is not None)
        may_last = found.quantity not in ("pose", "impulse")
        self.form.set_row_visible("ranged", may_last)
        self.form.set_row_visible("at", found.quantity != "impulse")
        self.ranged.setChecked(found.until is not None)
        self.take.setVisible(found.quantity in ("pose", "point", "point_velocity"))
        self.demanded.show_constraint(found)

    def _switch(self, id: str, on: bool) -> None:
        change = edit_of(self._session, "set_spacetime_constraint", constraint=id, on=on)
        if change is not None:
            self._session.do(change)

    def _set(self, **fields: object) -> None:
        found = self._current.constraint
        change = None if found is None else self._changed(found, **fields)
        if change is not None:
            self._session.do(change)

    def _changed(self, found: SpacetimeConstraint, **fields: object) -> Edit | None:
        return edit_of(self._session, "set_spacetime_constraint", constraint=found.id, **fields)

    def _edit(self, name: str, value: float) -> Edit | None:
        found = self._current.constraint
        if found is None:
            return None
        at, until = with_time(found.at, found.until, name, value)
        return self._moved(found, found.stage, at, until)

    def _moved(self, found: SpacetimeConstraint, stage: str, at: float, until: float | None) -> Edit | None:
        return edit_of(self._session, "move_spacetime_constraint", constraint=found.id, stage=stage, at=at, until=until)

    def _set_stage(self, place: int) -> None:
        found, part = self._current.constraint, self._current.part
        change = None
        if found is not None and part is not None:
            change = self._moved(found, part.stages[place].id, found.at, found.until)
        if change is not None:
            self._session.do(change)

    def _set_ranged(self, ranged: bool) -> None:
        found = self._current.constraint
        if found is not None:
            put_constraint(self._session, replace(found, until=1.0 if ranged else None))

    def _connect(self) -> None:
        tips = {
            self.be_here: "The figure is to be, at the playhead, as it is posed there; where the motion begins or "
            "ends, at rest",
            self.point: "The selected joint's point is to be, at the playhead, where it is seen there; drag its marker",
            self.velocity: "The selected joint's point is to be as fast, at the playhead, as it is seen there",
            self.centre: "The centre of mass is to be, at the playhead, where it is seen there",
            self.gentle: "The selected joint, where it strikes the ground at the end of the stage, is struck no harder "
            "than by a number",
        }  # fmt: skip
        for button, tip in tips.items():
            button.setToolTip(tip)
        session = self._session
        self.be_here.clicked.connect(lambda: be_here(session))
        self.point.clicked.connect(lambda: point_here(session))
        self.velocity.clicked.connect(lambda: point_here(session, velocity=True))
        self.centre.clicked.connect(lambda: centre_here(session))
        self.gentle.clicked.connect(lambda: add_gentle_blow(session))
        self.take.clicked.connect(lambda: take_again(session))
        self.remove.clicked.connect(lambda: remove_chosen(session))
        self.ranged.clicked.connect(self._set_ranged)
