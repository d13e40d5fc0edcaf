"""DemandedFields: the numbers of the chosen constraint: a place or velocity, or how much at least and at most."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.listed_fields import AXES, OWN_WAY, choices, way_of, with_bound, with_component
from app.features.spacetime.planning import edit_of, put_constraint
from app.session import Session
from app.style.units import ANGLE, LENGTH, Unit
from engine.edits import Edit
from engine.runtime.options import About
from engine.spacetime.parts import IN_SPACE, SpacetimeConstraint

SPEED = Unit(suffix=" m/s", words="metres per second", scale=1.0, decimals=2, step=0.1, coarse=0.5)
SPIN = Unit(
    suffix="°/s",
    words="degrees per second",
    scale=180.0 / math.pi,
    decimals=1,
    step=5.0,
    coarse=45.0,
    names={"deg": 1.0, "rad": 180.0 / math.pi},
)
UNITS = {
    "point": LENGTH,
    "centre": LENGTH,
    "point_velocity": SPEED,
    "centre_velocity": SPEED,
    "value": ANGLE,
    "rate": SPIN,
    "torque": Unit(suffix=" N m", words="newton metres", scale=1.0, decimals=2, step=0.1, coarse=1.0),
    "momentum": Unit(suffix=" N m s", words="newton metre seconds", scale=1.0, decimals=3, step=0.01, coarse=0.1),
    "impulse": Unit(suffix=" N s", words="newton seconds", scale=1.0, decimals=2, step=0.1, coarse=1.0),
}
HOW = ("There, exactly", "Along X", "Along Y, in height", "Along Z", "Along its direction")
NUMBERS = {name: About(label=name.upper(), note=f"{name.upper()} in the world") for name in "xyz"} | {
    "least": About(label="At least", note="No less than this"),
    "most": About(label="At most", note="No more than this"),
}


class DemandedFields(QWidget):
    """The numbers of the chosen constraint."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self.rests = QCheckBox("At rest")
        self.rests.setToolTip("Its joints do not move then; else they may be as fast as they like")
        self.rests.clicked.connect(self._set_rests)
        self.count = QLabel()
        self.count.setProperty("quiet", True)
        tip = "The place itself, or how far along a direction at least or at most, such as above a bar"
        self.how = choices("What of the place is demanded", tip, HOW, self._set_how)
        self.low, self.high = QCheckBox("At least"), QCheckBox("At most")
        for box, name in ((self.low, "least"), (self.high, "most")):
            box.setToolTip("Switch the bound on or off")
            box.clicked.connect(lambda on, name=name: self._set_bound(name, on))
        self.forms: dict[str, EditForm] = {}
        self.root: EditForm | None = None  # where the root of a pose stands
        self._slides: tuple[tuple[str, str], ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(3)
        for widget in (self.count, self.rests, self.how, self.low, self.high):
            self._column.addWidget(widget)

    def show_constraint(self, found: SpacetimeConstraint) -> None:
        """Show the numbers of a constraint."""
        pose, placed = found.quantity == "pose", found.position is not None
        self.count.setVisible(pose)
        count = len({dof for dof, _ in (*found.values, *found.rates)})
        self.count.setText(f"{count} joint angle{'' if count == 1 else 's'}, as the figure was posed")
        self.rests.setVisible(pose)
        self.rests.setChecked(bool(found.rates))
        self.how.setVisible(found.quantity in IN_SPACE)
        self.how.setCurrentIndex(way_of(found.position, found.direction))
        for box, bound in ((self.low, found.least), (self.high, found.most)):
            box.setVisible(not pose and not placed)
            box.setChecked(bound is not None)
        for quantity, form in self.forms.items():
            form.setVisible(quantity == found.quantity)
        if pose:
            self._show_root(found)
        elif self.root is not None:
            self.root.hide()
        if not pose:
            self._show_numbers(found)

    def _show_root(self, found: SpacetimeConstraint) -> None:
        actor, values = self._current.actor, dict(found.values)
        dofs = () if actor is None else actor.figure.joints[0].dofs
        slides = tuple((dof.id, dof.name) for dof in dofs if dof.kind == "slide" and dof.id in values)
        if slides != self._slides:
            self._slides = slides
            if self.root is not None:
                self.root.hide()
                self.root.deleteLater()
                self.root = None
        if slides and self.root is None:
            options = {id: (About(label=name, note="Where the root stands in this pose"), 0.0) for id, name in slides}
            units = {id: LENGTH for id, _ in slides}
            self.root = EditForm(self._session, options, self._edit_root, units=units, resets=False)
            self._column.addWidget(self.root)
        if self.root is not None:
            self.root.show()
            self.root.show_values({id: values[id] for id, _ in slides})

    def _edit_root(self, dof: str, value: float) -> Edit | None:
        found = self._current.constraint
        if found is None:
            return None
        values = tuple((id, value if id == dof else old) for id, old in found.values)
        return edit_of(self._session, "set_spacetime_constraint", constraint=found.id, values=values)

    def _show_numbers(self, found: SpacetimeConstraint) -> None:
        form = self.forms.get(found.quantity)
        if form is None:
            names = ("x", "y", "z", "least", "most") if found.quantity in IN_SPACE else ("least", "most")
            options = {name: (NUMBERS[name], 0.0) for name in names}
            units = dict.fromkeys(names, UNITS[found.quantity])
            form = self.forms[found.quantity] = EditForm(self._session, options, self._edit, units=units, resets=False)
            self._column.addWidget(form)
        shown = {"least": found.least or 0.0, "most": found.most or 0.0}
        if found.quantity in IN_SPACE:
            shown |= dict(zip("xyz", found.position or (0.0, 0.0, 0.0), strict=True))
            for name in "xyz":
                form.set_row_visible(name, found.position is not None)
        form.set_row_visible("least", found.position is None and found.least is not None)
        form.set_row_visible("most", found.position is None and found.most is not None)
        form.show_values(shown)

    def _edit(self, name: str, value: float) -> Edit | None:
        found = self._current.constraint
        if found is None:
            return None
        if name in "xyz" and found.position is not None:
            place = with_component(found.position, name, value)
            return edit_of(self._session, "set_spacetime_constraint", constraint=found.id, position=place)
        bounds = with_bound((found.least, found.most), name, value)
        return edit_of(self._session, "set_spacetime_bounds", constraint=found.id, **bounds)

    def _set_rests(self, rests: bool) -> None:
        found = self._current.constraint
        if found is not None:
            rates = tuple((dof, 0.0) for dof, _ in found.values) if rests else ()
            put_constraint(self._session, replace(found, rates=rates))

    def _set_how(self, place: int) -> None:
        found = self._current.constraint
        if found is None or place == OWN_WAY:
            return
        if place == 0:
            along = [axis * (found.least or found.most or 0.0) for axis in found.direction]
            given: dict[str, Any] = {"position": found.position or tuple(along), "least": None, "most": None}
        else:
            size = 0.0 if found.position is None else found.position[place - 1]
            given = {"position": None, "direction": AXES[place - 1], "least": size, "most": None}
        put_constraint(self._session, replace(found, **given))

    def _set_bound(self, name: str, on: bool) -> None:
        found = self._current.constraint
        if found is not None:
            other = found.most if name == "least" else found.least
            bound = (other or 0.0) if on else None
            new = replace(found, least=bound) if name == "least" else replace(found, most=bound)
            put_constraint(self._session, new)
