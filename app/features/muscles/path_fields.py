"""PathFields: the points of a muscle's path in a list, the fields of the chosen one, new ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.listed import IdList
from app.features.muscles.current_muscles import CurrentMuscles
from app.session import Session
from app.style.icon_button import IconButton
from app.style.row import row_of
from app.style.units import ANGLE, Unit
from engine.document import Actor, Dof, Figure
from engine.edits import Edit, edit
from engine.muscles.parts import Muscle, PathPoint
from engine.muscles.queries.new_parts import on_joint, point_after
from engine.runtime.options import About

PLACE = Unit(suffix=" mm", words="millimetres", scale=1000.0, decimals=1, step=1.0, coarse=5.0)
RANGED = {"hinge": ANGLE, "slide": PLACE}  # units of ranges, by kind of degree of freedom
GROUND = ""  # as a choice of a joint
ALWAYS = ""  # as a choice of a degree of freedom
ENDS = ("lower", "upper")


class PathFields(QWidget):
    """The points of one muscle."""

    def __init__(self, session: Session, actor: Actor, muscle: Muscle) -> None:
        super().__init__()
        self._session, self._actor, self._muscle = session, actor, muscle
        self._current = session.of(CurrentMuscles)
        self._current.point_changed.connect(self._show_again)
        self.list = IdList("Points of the path, from its origin to its insertion")
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.picked.connect(self._choose)
        self.add, self.remove = QPushButton("Add point"), IconButton("trash-2", "Remove the chosen point")
        self.add.setToolTip("Add a point halfway to the next one; behind the last one, further on")
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.form = EditForm(
            session, options_of(actor.figure), self._edit, resets=False, units=dict.fromkeys("xyz", PLACE),
            rows=("joint", *"xyz", "dof"), entry=lambda label: f"Set {label} of a point",
        )  # fmt: skip
        self.form.narrow()
        self.ends = {
            kind: EditForm(
                session, ENDS_OF, self._edit, resets=False, units=dict.fromkeys(ENDS, unit),
                rows=(("has_lower", "lower"), ("has_upper", "upper")), entry=lambda _: "Set range of a point",
            )
            for kind, unit in RANGED.items()
        }  # fmt: skip
        self.moves = QLabel(wordWrap=True)
        self.moves.setProperty("quiet", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        for widget in (self.list, row_of(self.add, self.remove), self.form, *self.ends.values(), self.moves):
            column.addWidget(widget)
        self.show_path(actor, muscle)

    def show_path(self, actor: Actor, muscle: Muscle) -> None:
        """Show the points, and the chosen one."""
        self._actor, self._muscle = actor, muscle
        rows = [(str(at), row_text(actor.figure, at, each), None) for at, each in enumerate(muscle.points)]
        self.list.show_rows(rows, str(self._chosen))
        self.remove.setEnabled(len(muscle.points) > 2)
        point = self._point
        values: dict[str, Any] = dict(zip("xyz", point.point, strict=True))
        self.form.show_values(values | {"joint": point.joint or GROUND, "dof": point.dof or ALWAYS})
        dof = None if point.dof is None else actor.figure.coordinate_dof[point.dof]
        for kind, form in self.ends.items():
            form.setVisible(dof is not None and kind == dof.kind)
            form.show_values(
                {"has_lower": point.lower is not None, "has_upper": point.upper is not None}
                | {end: getattr(point, end) or 0.0 for end in ENDS}
            )
            for end in ENDS:
                form.fields[end].setEnabled(getattr(point, end) is not None)
        self.moves.setVisible(bool(point.curves))
        self.moves.setText(curves_text(actor.figure, point))

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for form in (self.form, *self.ends.values()):
            form.settle()

    @property
    def _chosen(self) -> int:
        """The number of the chosen point."""
        return min(self._current.point, len(self._muscle.points) - 1)

    @property
    def _point(self) -> PathPoint:
        return self._muscle.points[self._chosen]

    def _choose(self, id: str) -> None:
        self._current.choose_point(int(id))

    def _show_again(self) -> None:
        self.show_path(self._actor, self._muscle)

    def _add(self) -> None:
        made, place = point_after(self._actor.figure, self._muscle, self._chosen), self._chosen + 1
        self._do("add_path_point", place=place, point=made)
        self._session.when_free(lambda: self._current.choose_point(place))

    def _remove(self) -> None:
        self._do("remove_path_point", place=self._chosen)

    def _do(self, name: str, **given: Any) -> None:
        self._session.do(edit(name, actor=self._actor.id, muscle=self._muscle.id, **given))

    def _edit(self, name: str, value: Any) -> Edit:
        new = changed_point(self._actor.figure, self._point, name, value)
        given = {"muscle": self._muscle.id, "place": self._chosen, "point": new}
        return edit("set_path_point", actor=self._actor.id, **given)


ENDS_OF: dict[str, tuple[About, Any]] = {
    "has_lower": (About(label="From", note="It is not there below this"), False),
    "lower": (About(label="", note="From where on the point is there"), 0.0),
    "has_upper": (About(label="Up to", note="It is not there above this"), False),
    "upper": (About(label="", note="Up to where the point is there"), 0.0),
}


def options_of(figure: Figure) -> dict[str, tuple[About, Any]]:
    """The fields of a point of a figure's muscle."""
    joints = ((GROUND, "The ground"), *((each.id, each.name) for each in figure.joints))
    dofs = [(dof.id, f"In a range of {dof_text(figure, dof)}") for dof in figure.dofs if dof.kind != "ball"]
    return {
        "joint": (joint_field(joints, "Whose body the point moves with; it stays where it is at rest"), GROUND),
        "dof": (
            About(
                label="There", choices=(ALWAYS, *(id for id, _ in dofs)),
                labels=("Always", *(text for _, text in dofs)),
                note="While a degree of freedom lies in a range, the path goes over the point",
            ),
            ALWAYS,
        ),
        **{each: (About(label=each.upper(), note="In the frame of its joint"), 0.0) for each in "xyz"},
    }  # fmt: skip


def joint_field(joints: tuple[tuple[str, str], ...], note: str) -> About:
    """A field that chooses one of these joints."""
    return About(
        label="Joint", choices=tuple(id for id, _ in joints), labels=tuple(each for _, each in joints), note=note
    )


def changed_point(figure: Figure, point: PathPoint, name: str, value: Any) -> PathPoint:
    """A point with one field of the form set; the other end of a range gives way."""
    if name == "joint":
        return on_joint(figure, point, value or None)
    if name == "dof":
        found = figure.coordinate_dof.get(value)  # its whole range at first: a person narrows it
        lower, upper = (None, None) if found is None else (found.lower, found.upper)
        return replace(point, dof=value or None, lower=lower, upper=upper)
    if name in ("has_lower", "has_upper"):
        name, value = name.removeprefix("has_"), _usual_end(point, name) if value else None
    if name in ENDS:
        lower, upper = (value if end == name else getattr(point, end) for end in ENDS)
        if lower is not None and upper is not None and lower > upper:
            lower = upper = value
        return replace(point, lower=lower, upper=upper)
    x, y, z = (value if axis == name else old for axis, old in zip("xyz", point.point, strict=True))
    return replace(point, point=(x, y, z))


def dof_text(figure: Figure, dof: Dof) -> str:
    """Name a degree of freedom with its joint."""
    return f"{figure.dof_joint[dof.id].name}, {dof.name.lower()}"


def joint_text(figure: Figure, joint: str | None) -> str:
    """Name a joint, or the ground."""
    return "the ground" if joint is None else figure.joint(joint).name


def row_text(figure: Figure, place: int, point: PathPoint) -> str:
    """One line of the list: number, joint, place, and when the point is there."""
    numbers = ", ".join(PLACE.number(each) for each in point.point)
    text = f"{place + 1}  {joint_text(figure, point.joint)}  {numbers} mm"
    if point.dof is not None:
        unit, lower, upper = RANGED[figure.coordinate_dof[point.dof].kind], point.lower, point.upper
        if lower is not None:
            text += (
                f"  {unit.number(lower)} to {unit.text(upper)}" if upper is not None else f"  from {unit.text(lower)}"
            )
        elif upper is not None:
            text += f"  to {unit.text(upper)}"
    return f"{text}  moves" if point.curves else text


def curves_text(figure: Figure, point: PathPoint) -> str:
    """Say which coordinates of a point are moved, and by what."""
    found = [(("x", "y", "z")[each.axis], dof_text(figure, figure.coordinate_dof[each.dof])) for each in point.curves]
    moved = " ".join(f"Its {axis} moves with {dof}." for axis, dof in found)
    return f"{moved} On another joint it stands still." if found else ""


def _usual_end(point: PathPoint, name: str) -> float:
    other = point.upper if name == "has_lower" else point.lower
    return other or 0.0
