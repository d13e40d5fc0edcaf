"""BodyNumbers: the shapes of a joint's body, its density and what it weighs."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.features.figure.numbers import XYZ, Numbers
from app.session import Session
from app.session.building import end_of
from app.style.icon_button import IconButton
from app.style.units import Unit
from engine.document import Box, Capsule, Ellipsoid, Figure, Joint, Loft, Shape
from engine.document.sizes import resized, sizes_of
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.queries.weigh import mass_of, mass_of_all

DENSITY = Unit(suffix=" kg/m³", words="kilograms per cubic metre", scale=1.0, decimals=0, step=10.0, coarse=100.0)
NAMES = {Box: "Box", Capsule: "Capsule", Ellipsoid: "Ellipsoid", Loft: "Segment"}
HEAVIEST = 22_600.0  # [kg/m3] osmium


class BodyNumbers(Numbers):
    """The body that a joint carries."""

    def __init__(self, session: Session, actor: str, joint: Joint) -> None:
        super().__init__(session, actor, joint.id)
        for at, shape in enumerate(joint.shapes):
            self._add_shape(at, shape)
        self.add: dict[str, QPushButton] = {}
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 2, 0, 2)
        line.setSpacing(4)
        for name in ("Box", "Capsule", "Ellipsoid"):
            self.add[name] = QPushButton(name)
            self.add[name].setToolTip(f"Add a shape: {name.lower()}")
            self.add[name].clicked.connect(partial(self._add_new, name))
            line.addWidget(self.add[name], 1)
        self.column.addWidget(row)
        self.add_number(
            "Density",
            lambda joint: joint.density,
            lambda value: edit("set_body", actor=self.actor, joint=self.joint, density=value),
            unit=DENSITY,
            lower=0.0,
            upper=HEAVIEST,
            tip="Mass is volume times density, unless the body was given by numbers",
        )
        self.mass = QLabel()
        self.mass.setProperty("quiet", True)
        self.mass.setContentsMargins(4, 2, 0, 0)
        self.column.addWidget(self.mass)

    @staticmethod
    def form(joint: Joint) -> tuple[object, ...]:
        """Return the key of the fields: they are made anew where it changes."""
        return tuple((type(shape), tuple(sizes_of(shape))) for shape in joint.shapes)

    def show_joint(self, figure: Figure, joint: Joint) -> None:
        super().show_joint(figure, joint)
        given = ", given by numbers" if joint.body is not None else ""
        self.mass.setText(f"Mass {mass_of(joint):.3g} kg{given}  ·  figure {mass_of_all(figure):.3g} kg")

    def _add_shape(self, at: int, shape: Shape) -> None:
        name = f"{NAMES.get(type(shape), 'Mesh')} {at + 1}"
        label = QLabel(name)
        gone = IconButton("trash-2", f"Remove {name.lower()}")
        gone.clicked.connect(partial(self._remove, at))
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(4, 2, 0, 0)
        line.addWidget(label, 1)
        line.addWidget(gone)
        self.column.addWidget(row)
        for size in sizes_of(shape):
            self.add_number(
                size, partial(_size, at, size), partial(self._resized, at, size), lower=0.001, spoken=f"{name}, {size}"
            )
        for axis, way in enumerate(XYZ if isinstance(shape, Box | Capsule | Ellipsoid) else ()):
            self.add_number(
                f"Middle {way}",
                partial(_middle, at, axis),
                partial(self._moved, at, axis),
                spoken=f"{name}, middle {way}",
                tip="In the joint's own frame",
            )

    def _put(self, at: int, shape: Shape) -> Edit:
        shapes = tuple(shape if place == at else each for place, each in enumerate(self.now.shapes))
        return edit("set_shapes", actor=self.actor, joint=self.joint, shapes=shapes)

    def _resized(self, at: int, name: str, value: float) -> Edit:
        return self._put(at, resized(self.now.shapes[at], name, value))

    def _moved(self, at: int, axis: int, value: float) -> Edit:
        shape = self.now.shapes[at]
        step = value - _middle(at, axis, self.now)
        if isinstance(shape, Capsule):
            return self._put(at, replace(shape, start=_step(shape.start, axis, step), end=_step(shape.end, axis, step)))
        assert isinstance(shape, Box | Ellipsoid), "no other shape has a middle"
        return self._put(at, replace(shape, centre=_step(shape.centre, axis, step)))

    def _add_new(self, name: str) -> None:
        x, y, z = end_of(self.owner.figure, self.joint)
        length = math.hypot(x, y, z)
        middle: Vector3 = (0.5 * x, 0.5 * y, 0.5 * z)
        thick = max(0.1 * length, 0.02)
        half = (max(0.5 * abs(x), thick), max(0.5 * abs(y), thick), max(0.5 * abs(z), thick))
        shapes: dict[str, Shape] = {
            "Box": Box(half=half, centre=middle),
            "Ellipsoid": Ellipsoid(radii=half, centre=middle),
            "Capsule": Capsule(
                start=(0.0, 0.0, 0.0), end=(x, y, z) if length > thick else (0.0, 0.1, 0.0), radius=thick
            ),
        }
        self.do("set_shapes", joint=self.joint, shapes=(*self.now.shapes, shapes[name]))

    def _remove(self, at: int) -> None:
        shapes = tuple(each for place, each in enumerate(self.now.shapes) if place != at)
        self.do("set_shapes", joint=self.joint, shapes=shapes)


def _size(at: int, name: str, joint: Joint) -> float:
    return sizes_of(joint.shapes[at]).get(name, 0.0) if at < len(joint.shapes) else 0.0


def _middle(at: int, axis: int, joint: Joint) -> float:
    shape = joint.shapes[at] if at < len(joint.shapes) else None
    if isinstance(shape, Capsule):
        return 0.5 * (shape.start[axis] + shape.end[axis])
    return shape.centre[axis] if isinstance(shape, Box | Ellipsoid) else 0.0


def _step(point: Vector3, axis: int, by: float) -> Vector3:
    x, y, z = (each + by if at == axis else each for at, each in enumerate(point))
    return (x, y, z)
