"""WrapFields: the wraps of a figure in a list, ticked where this muscle's path goes round them; the fields of the
chosen one, new ones."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.inspecting import TURN_NAMES, show_turns, turns_shown
from app.features.listed import IdList
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.path_fields import GROUND, PLACE, joint_field, joint_text
from app.session import Session
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.row import row_of
from app.style.turns import quaternion_of
from app.style.units import ANGLE
from engine.document import Actor, Figure
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.muscles.parts import WRAP_SHAPES, Muscle, Muscles, MuscleWrap, PathWrap
from engine.muscles.queries.moved_parts import THIN
from engine.muscles.queries.new_parts import range_around, reshaped, wrap_beside
from engine.runtime.options import About

RADIUS_NAMES = {
    "sphere": ("Radius",), "cylinder": ("Radius",), "ellipsoid": ("Along X", "Along Y", "Along Z"),
    "torus": ("Ring", "Tube"),
}  # fmt: skip
RADII = ("first_radius", "second_radius", "third_radius")
TURNS = ("heading", "pitch", "roll")
SIDES: dict[str, tuple[str, Vector3 | None]] = {
    "": ("The shorter way", None),
    "x": ("On its side X", (1.0, 0.0, 0.0)),
    "-x": ("On its side −X", (-1.0, 0.0, 0.0)),
    "y": ("On its side Y", (0.0, 1.0, 0.0)),
    "-y": ("On its side −Y", (0.0, -1.0, 0.0)),
    "z": ("On its side Z", (0.0, 0.0, 1.0)),
    "-z": ("On its side −Z", (0.0, 0.0, -1.0)),
}
NOWHERE = "{muscle} has no two points one after the other outside of {wrap}: move the wrap, or the points"


class WrapFields(QWidget):
    """The wraps of one figure, and which of them one muscle's path goes round."""

    def __init__(self, session: Session, actor: Actor, muscles: Muscles, muscle: Muscle) -> None:
        super().__init__()
        self._session, self._actor, self._muscles, self._muscle = session, actor, muscles, muscle
        self._current = session.of(CurrentMuscles)
        self._current.wrap_changed.connect(self._show_again)
        self.list = IdList("Wraps of the figure; ticked: this path goes round it")
        self.list.picked.connect(self._choose)
        self.list.ticked.connect(self._tick)
        self.add, self.remove = QPushButton("Add wrap"), IconButton("trash-2", "Remove the chosen wrap from the figure")
        self.add.setToolTip("Add a sphere where this muscle ends; tick it, and the path goes round it")
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(lambda: self._do("remove_muscle_wrap", wrap=self._chosen))
        self.earlier = IconButton("chevron-up", "Let the path meet the chosen wrap earlier")
        self.earlier.clicked.connect(self._meet_earlier)
        self.name = NameField("Name of the wrap", lambda name: self._put(name=name))
        self.minded = EditForm(session, MINDED, self._edit_minded, resets=False, rows=(("first", "last"),))
        self.shape = EditForm(
            session, _shape_options(actor.figure), self._edit, resets=False, rows=("shape", "joint", "side")
        )
        self.shape.narrow()
        self.sizes = {
            shape: EditForm(session, _sizes(names), self._edit, resets=False, units=dict.fromkeys(RADII, PLACE))
            for shape, names in RADIUS_NAMES.items()
        }
        self.ended = QCheckBox("Ends")
        self.ended.setToolTip("The cylinder is so long, its middle at its place; else it goes on without end")
        self.ended.clicked.connect(lambda on: self._put(length=0.1 if on else None))
        self.length = EditForm(session, LENGTH, self._edit, resets=False, units={"length": PLACE}, rows=())
        self.length.add(self.ended, "length")
        self.place = EditForm(session, PLACES, self._edit, resets=False, units=dict.fromkeys("xyz", PLACE))
        self.turn = EditForm(session, TURNED, self._edit, resets=False, units=dict.fromkeys(TURNS, ANGLE))
        self.fields = QWidget()
        self._lay_out()
        self.show_wraps(actor, muscles, muscle)

    @property
    def forms(self) -> tuple[EditForm, ...]:
        """All that has fields."""
        return (self.minded, self.shape, *self.sizes.values(), self.length, self.place, self.turn)

    def show_wraps(self, actor: Actor, muscles: Muscles, muscle: Muscle) -> None:
        """Show the wraps, and the chosen one."""
        self._actor, self._muscles, self._muscle = actor, muscles, muscle
        met = {each.wrap: at for at, each in enumerate(muscle.wraps)}
        rows = [(each.id, _row_text(actor.figure, each, met.get(each.id)), each.id in met) for each in muscles.wraps]
        wrap = self._wrap
        self.list.show_rows(rows, self._chosen or None)
        self.fields.setVisible(wrap is not None)
        self.remove.setEnabled(wrap is not None)
        self.earlier.setEnabled(met.get(self._chosen, 0) > 0)
        if wrap is None:
            return
        self.name.show_name(wrap.name)
        side = next((name for name, (_, way) in SIDES.items() if way == wrap.side), None)
        self.shape.show_values({"shape": wrap.shape, "joint": wrap.joint or GROUND, "side": side})
        for shape, form in self.sizes.items():
            form.setVisible(shape == wrap.shape)
        self.sizes[wrap.shape].show_values(dict(zip(RADII, wrap.radii, strict=False)))
        self.length.setVisible(wrap.shape == "cylinder")
        self.ended.setChecked(wrap.length is not None)
        self.length.fields["length"].setEnabled(wrap.length is not None)
        self.length.show_values({"length": wrap.length or 0.0})
        self.place.show_values(dict(zip("xyz", wrap.centre, strict=True)))
        show_turns([self.turn.fields[each] for each in TURNS], [self.turn.hands[each] for each in TURNS], wrap.rotation)
        self._show_minded(self._minded)

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for form in self.forms:
            form.settle()

    def _show_minded(self, minded: PathWrap | None) -> None:
        self.minded.setVisible(minded is not None)
        if minded is not None:
            count = len(self._muscle.points)
            self.minded.fields["first"].set_limits(1, count - 1)
            self.minded.fields["last"].set_limits(2, count)
            self.minded.show_values({"first": minded.first + 1, "last": range(count)[minded.last] + 1})

    @property
    def _wrap(self) -> MuscleWrap | None:
        return self._muscles.wrap(self._chosen)

    @property
    def _chosen(self) -> str:
        wrap = self._current.wrap
        return "" if wrap is None else wrap.id

    @property
    def _minded(self) -> PathWrap | None:
        return next((each for each in self._muscle.wraps if each.wrap == self._chosen), None)

    def _choose(self, id: str) -> None:
        self._current.choose_wrap(id)

    def _show_again(self) -> None:
        self.show_wraps(self._actor, self._muscles, self._muscle)

    def _add(self) -> None:
        names = {each.name for each in self._muscles.wraps}
        name = next(each for at in range(len(names) + 1) if (each := f"Wrap {at + 1}") not in names)
        made = wrap_beside(self._actor.figure, self._muscle, id=new_id("wrap"), name=name)
        self._do("add_muscle_wrap", wrap=made)
        self._session.when_free(lambda: self._current.choose_wrap(made.id))

    def _tick(self, id: str, on: bool) -> None:
        wrap = self._muscles.wrap(id)
        self._choose(id)
        wraps = tuple(each for each in self._muscle.wraps if each.wrap != id)
        if on and wrap is not None:
            minded = range_around(self._muscle, wrap)
            if minded is None:
                self._session.note("note", NOWHERE.format(muscle=self._muscle.name, wrap=wrap.name))
                self.show_wraps(self._actor, self._muscles, self._muscle)
                return
            wraps = (*wraps, minded)
        self._set_wraps(wraps)

    def _meet_earlier(self) -> None:
        wraps = list(self._muscle.wraps)
        at = next((at for at, each in enumerate(wraps) if each.wrap == self._chosen), 0)
        if at > 0:
            wraps[at - 1], wraps[at] = wraps[at], wraps[at - 1]
            self._set_wraps(tuple(wraps))

    def _set_wraps(self, wraps: tuple[PathWrap, ...]) -> None:
        self._do("set_path_wraps", muscle=self._muscle.id, wraps=wraps)

    def _do(self, name: str, **given: Any) -> None:
        self._session.do(edit(name, actor=self._actor.id, **given))

    def _put(self, **given: Any) -> None:
        wrap = self._wrap
        if wrap is not None:
            self._do("set_muscle_wrap", wrap=replace(wrap, **given))

    def _edit(self, name: str, value: Any) -> Edit | None:
        wrap = self._wrap
        if wrap is None:
            return None
        if name in TURNS:
            given: dict[str, Any] = {"rotation": quaternion_of(turns_shown([self.turn.fields[each] for each in TURNS]))}
        else:
            given = changed_wrap(wrap, name, value)
        return edit("set_muscle_wrap", actor=self._actor.id, wrap=replace(wrap, **given))

    def _edit_minded(self, name: str, value: int) -> Edit | None:
        minded, count = self._minded, len(self._muscle.points)
        if minded is None:
            return None
        first, last = (value - 1 if end == name else range(count)[getattr(minded, end)] for end in ("first", "last"))
        if first >= last:
            first, last = (first, first + 1) if name == "first" else (last - 1, last)
        new = replace(minded, first=first, last=-1 if last == count - 1 else last)
        wraps = tuple(new if each is minded else each for each in self._muscle.wraps)
        return edit("set_path_wraps", actor=self._actor.id, muscle=self._muscle.id, wraps=wraps)

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self.fields)
        inside.setContentsMargins(0, 2, 0, 0)
        inside.setSpacing(3)
        for widget in (self.name, *self.forms):
            inside.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        for each in (self.list, row_of(self.add, self.earlier, self.remove), self.fields):
            column.addWidget(each)


def changed_wrap(wrap: MuscleWrap, name: str, value: Any) -> dict[str, Any]:
    """Give what changes in a wrap as one field of the form is set."""
    if name == "shape":
        return reshaped(wrap, value)
    if name == "joint":
        return {"joint": value or None}
    if name == "side":
        return {"side": SIDES[value][1]}
    if name == "length":
        return {"length": value}
    if name in RADII:
        radii = [value if each == name else old for each, old in zip(RADII, wrap.radii, strict=False)]
        if wrap.shape == "torus":
            radii[1] = min(radii[1], THIN * radii[0])
        return {"radii": tuple(radii)}
    x, y, z = (value if axis == name else old for axis, old in zip("xyz", wrap.centre, strict=True))
    return {"centre": (x, y, z)}


_radius = partial(About, unit="m", least=0.001, most=0.5)
MINDED: dict[str, tuple[About, Any]] = {
    "first": (About(label="From point", least=1, most=2, note="The path bends round it from this point on"), 1),
    "last": (About(label="to point", least=1, most=2, note="Behind this point the path goes past it straight"), 2),
}
LENGTH: dict[str, tuple[About, Any]] = {
    "length": (About(label="Length", unit="m", least=0.001, most=2.0, note="Of the cylinder, along its z axis"), 0.1)
}
PLACES: dict[str, tuple[About, Any]] = {
    each: (About(label=each.upper(), note="Of its centre in the frame of its joint"), 0.0) for each in "xyz"
}
TURNED: dict[str, tuple[About, Any]] = {
    name: (About(label=label, unit="rad", note="How it is turned in the frame of its joint"), 0.0)
    for name, label in zip(TURNS, TURN_NAMES, strict=True)
}


def _sizes(names: tuple[str, ...]) -> dict[str, tuple[About, Any]]:
    return {
        field: (_radius(label=label, note="Radius"), 0.02) for field, label in zip(RADII, names, strict=False)
    }  # fmt: skip


def _shape_options(figure: Figure) -> dict[str, tuple[About, Any]]:
    joints = ((GROUND, "The ground"), *((each.id, each.name) for each in figure.joints))
    shapes = About(
        label="Shape", choices=WRAP_SHAPES, note="Paths bend around it; through a torus they go, inside of its ring"
    )
    sides = About(
        label="Paths pass", choices=tuple(SIDES), labels=tuple(text for text, _ in SIDES.values()),
        note="On which side of it, in its own frame; an own direction is set in the file",
    )  # fmt: skip
    return {
        "shape": (shapes, WRAP_SHAPES[0]),
        "joint": (joint_field(joints, "Whose body it moves with"), GROUND),
        "side": (sides, ""),
    }


def _row_text(figure: Figure, wrap: MuscleWrap, met: int | None) -> str:
    text = f"{wrap.name}  {wrap.shape} on {joint_text(figure, wrap.joint)}"
    return text if met is None else f"{text}, met {('first', 'second', 'third')[met] if met < 3 else f'{met + 1}th'}"
