"""ForceFields: forces and blows of one's own: a list, the fields of the chosen one, new ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton

from app.features.form import EditForm
from app.features.listed import IdList
from app.features.spacetime.listed_fields import (
    AXES,
    OWN_WAY,
    ListedFields,
    choices,
    way_of,
    with_bound,
    with_component,
)
from app.features.spacetime.planning import edit_of, picked_point
from app.features.spacetime.pushing import HARD, KICK, act_on, add_push, force_text, put_force, remove_force
from app.session import Session
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.row import row_of
from app.style.units import Unit
from engine.document.values import Vector3
from engine.edits import Edit
from engine.runtime.options import About
from engine.spacetime.parts import SpacetimeForce
from engine.spacetime.queries.drawn_plan import size_of

NEWTON = Unit(suffix=" N", words="newtons", scale=1.0, decimals=1, step=1.0, coarse=10.0)
NEWTON_SECOND = Unit(suffix=" N s", words="newton seconds", scale=1.0, decimals=2, step=0.1, coarse=1.0)
SIZES = {
    "size": About(label="Size", note="How large it is"),
    "least": About(label="At least", note="No less than this"),
    "most": About(label="At most", note="No more than this"),
}
WAYS: dict[str, tuple[About, Any]] = {
    name: (About(label=f"Along {name.upper()}", least=-1.0, most=1.0, note="Of its direction in the world"), 0.0)
    for name in "xyz"
}
DIRECTIONS = ("Along X", "Up, along Y", "Along Z", "Its own")


class ForceFields(ListedFields):
    """The forces of the problem that is worked on."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Forces and blows")
        self.force, self.blow = QPushButton("Force here"), QPushButton("Blow here")
        self.name = NameField("Name of the force", lambda name: self._set(name=name))
        self.take = IconButton("crosshair", "Let it act on the point of the selected joint")
        self.remove = IconButton("trash-2", "Remove the force, with what is demanded of it")
        self.fixed = QCheckBox("Given size")
        self.fixed.setToolTip("It is as large as said; else it is found how large, within bounds if there are any")
        self.low, self.high = QCheckBox("At least"), QCheckBox("At most")
        self.sizes = {blow: self._size_form(NEWTON_SECOND if blow else NEWTON) for blow in (False, True)}
        tip = "Where it pushes, in the world; drag the head of its arrow in a view for any direction"
        self.way = choices("Direction of the force", tip, DIRECTIONS, self._set_way)
        self.direction = EditForm(session, WAYS, self._edit_way, resets=False)
        self.when = QLabel()
        self.when.setProperty("quiet", True)
        self.stages = IdList("Stages on which it acts")
        self._connect()
        self._arrange(
            (row_of(self.force, self.blow),),
            (
                row_of(self.name, self.take, self.remove), self.fixed, self.low, self.high, *self.sizes.values(),
                self.way, self.direction, self.when, self.stages,
            ),
        )  # fmt: skip

    def show_plan(self) -> None:
        """Show the forces, and the chosen one."""
        actor, part, found = self._current.actor, self._current.part, self._current.force
        if actor is None or part is None:
            return
        rows = [(each.id, force_text(actor, each), None) for each in part.forces]
        self.list.show_rows(rows, None if found is None else found.id)
        self.fields.setVisible(found is not None)
        if found is None:
            return
        self.name.show_name(found.name)
        size, least, most = size_of(found), found.least, found.most
        self.fixed.setChecked(size is not None)
        for box, bound in ((self.low, least), (self.high, most)):
            box.setVisible(size is None)
            box.setChecked(bound is not None)
        for blow, form in self.sizes.items():
            form.setVisible(blow == found.blow and not (size is None and least is None and most is None))
            form.set_row_visible("size", size is not None)
            form.set_row_visible("least", size is None and least is not None)
            form.set_row_visible("most", size is None and most is not None)
            form.show_values({"size": size or 0.0, "least": least or 0.0, "most": most or 0.0})
        along = way_of(None, found.direction)
        self.way.setCurrentIndex(along - 1)
        self.direction.setVisible(along == OWN_WAY)
        self.direction.show_values(dict(zip("xyz", found.direction, strict=True)))
        self.when.setText("At the end of" if found.blow else "While it is in")
        ticked = found.stages or tuple(each.id for each in part.stages)
        self.stages.show_rows([(each.id, each.name, each.id in ticked) for each in part.stages], None)

    def _size_form(self, unit: Unit) -> EditForm:
        options = {name: (about, 0.0) for name, about in SIZES.items()}
        return EditForm(self._session, options, self._edit_size, units=dict.fromkeys(SIZES, unit), resets=False)

    def _edit_size(self, name: str, value: float) -> Edit | None:
        found = self._current.force
        if found is None:
            return None
        if name == "size":
            bounds: dict[str, Any] = {"least": value, "most": value}
        else:
            bounds = with_bound((found.least, found.most), name, value)
        return edit_of(self._session, "put_spacetime_force", force=replace(found, **bounds))

    def _edit_way(self, name: str, value: float) -> Edit | None:
        found = self._current.force
        if found is None:
            return None
        way = with_component(found.direction, name, value)
        if sum(map(abs, way)) < 1e-6:
            return None  # it would point nowhere
        return edit_of(self._session, "put_spacetime_force", force=replace(found, direction=way))

    def _set_way(self, place: int) -> None:
        if place < len(AXES):
            self._set(direction=AXES[place])
        else:
            self.direction.setVisible(True)

    def _set_fixed(self, fixed: bool) -> None:
        found = self._current.force
        if found is not None:
            usual = KICK if found.blow else HARD
            size = found.most if found.most is not None else found.least if found.least is not None else usual
            self._set(least=size if fixed else 0.0, most=size)

    def _set_bound(self, name: str, on: bool) -> None:
        found = self._current.force
        if found is not None:
            other = found.most if name == "least" else found.least
            usual = KICK if found.blow else HARD
            bound = (min(0.0, other or 0.0) if name == "least" else max(usual, 2.0 * (other or 0.0))) if on else None
            self._set(**{name: bound})

    def _take_point(self) -> None:
        picked = picked_point(self._session)
        if picked is not None:
            self._set(joint=picked[0].id, point=picked[1])

    def _set(self, **given: str | float | Vector3 | None) -> None:
        found: SpacetimeForce | None = self._current.force
        if found is not None:
            put_force(self._session, replace(found, **given))  # type: ignore[arg-type]

    def _tick(self, stage: str, on: bool) -> None:
        found = self._current.force
        if found is not None:
            act_on(self._session, found, stage, on=on)

    def _remove(self) -> None:
        found = self._current.force
        if found is not None:
            remove_force(self._session, found.id)

    def _connect(self) -> None:
        session = self._session
        self.force.setToolTip("Push the point of the selected joint, such as by wind or a rope")
        self.blow.setToolTip("Strike the point of the selected joint where the chosen stage ends, such as by a kick")
        self.low.setToolTip("Switch the bound on or off")
        self.high.setToolTip("Switch the bound on or off")
        self.force.clicked.connect(lambda: add_push(session, blow=False))
        self.blow.clicked.connect(lambda: add_push(session, blow=True))
        self.take.clicked.connect(self._take_point)
        self.remove.clicked.connect(self._remove)
        self.fixed.clicked.connect(self._set_fixed)
        self.low.clicked.connect(lambda on: self._set_bound("least", on))
        self.high.clicked.connect(lambda on: self._set_bound("most", on))
        self.stages.ticked.connect(self._tick)
