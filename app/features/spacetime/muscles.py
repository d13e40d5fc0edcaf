"""MuscleFields: which joints have muscles, how strong the chosen one is and what its use costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.listed import IdList
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.listed_fields import choices
from app.features.spacetime.planning import drive, drive_joints, edit_of, move_in_plane
from app.session import Session
from app.style.row import row_of
from engine.document import Figure
from engine.document.values import Vector3
from engine.edits import Edit
from engine.runtime.options import About
from engine.spacetime.parts import SpacetimeMuscle
from engine.spacetime.queries.drivable import drivable

PLANES: tuple[tuple[str, Vector3 | None], ...] = (
    ("In the plane seen from the side", (1.0, 0.0, 0.0)),
    ("In the plane seen from the front", (0.0, 0.0, 1.0)),
    ("In the plane seen from above", (0.0, 1.0, 0.0)),
    ("In space", None),
)
STRONG = 10.0  # [N m] at first
FIELDS: dict[str, tuple[About, Any]] = {
    "most": (
        About(label="Strongest", unit="N m", least=0.01, most=1000.0, note="It turns no harder than this, either way"),
        STRONG,
    ),
    "torque": (
        About(label="Cost", least=0.0, most=100.0, note="Its part in the effort: times the weights of all muscles"),
        1.0,
    ),
}  # fmt: skip
SHOWN = ("torque", "power", "work", "smoothness")


class MuscleFields(QWidget):
    """The muscles of the problem that is worked on."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentSpacetime)
        self._chosen: str | None = None
        tip = "In this plane joints that do not turn in it stay as they are; in space all move"
        labels = [label for label, _ in PLANES]
        self.plane = choices("Plane of the motion", tip, labels, lambda place: move_in_plane(session, PLANES[place][1]))
        self.all, self.some = QPushButton("All joints"), QPushButton("Selected joints")
        self.all.setToolTip("Every joint but the root has a muscle")
        self.some.setToolTip("The selected joints have muscles, and no others")
        self.all.clicked.connect(lambda: drive_joints(session, selected=False))
        self.some.clicked.connect(lambda: drive_joints(session, selected=True))
        self.list = IdList("Joints that may have muscles")
        self.list.picked.connect(self._choose)
        self.list.ticked.connect(lambda dof, on: drive(session, dof, on=on))
        self.limited = QCheckBox("Limited strength")
        self.limited.setToolTip("Its torque stays within bounds; without them it is as strong as it takes")
        self.limited.clicked.connect(self._limit)
        self.form = EditForm(session, FIELDS, self._edit, resets=False)
        self.form.add(self.limited, name="limited")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        for widget in (self.plane, row_of(self.all, self.some), self.list, self.form):
            column.addWidget(widget)

    def show_plan(self) -> None:
        """Show which joints have muscles, and the chosen one."""
        actor, part = self._current.actor, self._current.part
        if actor is None or part is None:
            return
        planes = [normal for _, normal in PLANES]
        self.plane.setCurrentIndex(planes.index(part.plane) if part.plane in planes else -1)
        known = {each.dof: each for each in part.muscles}
        dofs = drivable(actor.figure, part.plane)
        self._chosen = self._chosen if self._chosen in dofs else next(iter(known), None)
        rows = [(dof, _text(actor.figure, dof, known.get(dof)), dof in known) for dof in dofs]
        self.list.show_rows(rows, self._chosen)
        self._show(known.get(self._chosen or ""))

    def _show(self, muscle: SpacetimeMuscle | None) -> None:
        self.form.setVisible(muscle is not None)
        if muscle is None:
            return
        self.limited.setChecked(muscle.most is not None)
        self.form.set_row_visible("most", muscle.most is not None)
        self.form.show_values({"most": muscle.most or STRONG, "torque": muscle.torque})

    def _choose(self, dof: str) -> None:
        self._chosen = dof
        self.show_plan()

    @property
    def _muscle(self) -> SpacetimeMuscle | None:
        part = self._current.part
        return None if part is None else next((each for each in part.muscles if each.dof == self._chosen), None)

    def _edit(self, name: str, value: Any) -> Edit | None:
        muscle = self._muscle
        if muscle is None:
            return None
        given = {"least": -value, "most": value} if name == "most" else dict.fromkeys(SHOWN, value)
        return edit_of(self._session, "put_spacetime_muscles", muscles=(replace(muscle, **given),))

    def _limit(self, limited: bool) -> None:
        muscle = self._muscle
        if muscle is not None:
            least, most = (-STRONG, STRONG) if limited else (None, None)
            new = replace(muscle, least=least, most=most)
            change = edit_of(self._session, "put_spacetime_muscles", muscles=(new,))
            if change is not None:
                self._session.do(change)


def _text(figure: Figure, dof: str, muscle: SpacetimeMuscle | None) -> str:
    joint = figure.dof_joint[dof]
    name = next(each.name for each in joint.dofs if each.id == dof)
    strong = "" if muscle is None or muscle.most is None else f" · {muscle.most:.3g} N m"
    return f"{joint.name}, {name.lower()}{strong}"
