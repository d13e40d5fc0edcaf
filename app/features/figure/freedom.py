"""FreedomNumbers: how a joint moves: its kind, axes and order, and how far each degree of freedom goes."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import cast

from PySide6.QtWidgets import QCheckBox, QComboBox

from app.features.figure.numbers import XYZ, Numbers, box
from app.session import Session
from app.style.units import ANGLE, LENGTH, Unit
from engine.document import Dof, Joint
from engine.document.figure import Figure
from engine.document.freedoms import AXES, KINDS, ORDERS, JointKind, freedoms, kind_of, main_axis, order_of
from engine.edits import Edit, edit

SHARE = Unit(suffix="", words="", scale=1.0, decimals=3, step=0.1, coarse=0.5)
DAMPING = Unit(suffix=" N m s", words="newton metre seconds per radian", scale=1.0, decimals=2, step=0.1, coarse=1.0)
SPRING = Unit(suffix=" N m", words="newton metres per radian", scale=1.0, decimals=1, step=1.0, coarse=10.0)
PULL = Unit(suffix=" N/m", words="newtons per metre", scale=1.0, decimals=0, step=10.0, coarse=100.0)
DRAG = Unit(suffix=" N s/m", words="newton seconds per metre", scale=1.0, decimals=1, step=1.0, coarse=10.0)
FREE_AXIS, OWN = "Any", "As listed"
PAIRS = tuple(dict.fromkeys(order[:2] for order in ORDERS))
HALF_TURN, FAR = 0.5 * math.pi, 0.5  # [rad], [m] how far a new limit stands from 0
SHORTEST = 1e-3  # of an axis that is typed


class FreedomNumbers(Numbers):
    """The degrees of freedom of one joint."""

    def __init__(self, session: Session, actor: str, joint: Joint) -> None:
        super().__init__(session, actor, joint.id)
        self.kind = box("Kind of joint")
        self.order: QComboBox | None = None
        self.axis: QComboBox | None = None
        self.limited: dict[str, QCheckBox] = {}
        chosen = kind_of(joint.dofs)
        for kind, text, for_roots in KINDS:
            if not for_roots or joint.parent is None or kind == chosen:
                self.kind.addItem(text, kind)
        if chosen == "other":
            self.kind.addItem(OWN, chosen)
        self.kind.setCurrentIndex(self.kind.findData(chosen))
        self.kind.activated.connect(self._set_kind)
        self.add_row("Kind", self.kind)
        if chosen in ("universal", "ball", "free"):
            self.order = box("Order of turns")
            self.order.addItems(PAIRS if chosen == "universal" else ORDERS)
            self.order.setCurrentText(order_of(joint.dofs))
            self.order.setToolTip("About which axes it turns, one after the other")
            self.order.activated.connect(self._set_kind)
            self.add_row("Order", self.order)
        if chosen in ("hinge", "slide"):
            self._add_axis(joint.dofs[0])
        for dof in joint.dofs:
            if dof.kind != "ball" and not dof.driven:
                self._add_limits(dof)
            self._add_damping(dof)
            if dof.kind != "ball":
                self._add_spring(dof)

    @staticmethod
    def form(joint: Joint) -> tuple[object, ...]:
        """Return the key of the fields: they are made anew where it changes."""
        dofs = tuple(
            (dof.id, dof.name, dof.kind, main_axis(dof.axis), dof.lower is None, bool(dof.driven), dof.spring == 0.0)
            for dof in joint.dofs
        )
        return (joint.parent is None, kind_of(joint.dofs), order_of(joint.dofs), dofs)

    def show_joint(self, figure: Figure, joint: Joint) -> None:
        for dof in joint.dofs:
            for end, other in (("Lower", dof.upper), ("Upper", dof.lower)):
                slider = self.sliders.get(f"{dof.name}, {end.lower()}")
                if slider is not None:
                    far = math.tau if dof.kind == "hinge" else None
                    low, high = (-far if far else None, other) if end == "Lower" else (other, far)
                    slider.set_limits(low, high)
        super().show_joint(figure, joint)

    def _add_axis(self, dof: Dof) -> None:
        main = main_axis(dof.axis)
        self.axis = box("Axis")
        self.axis.addItems([*XYZ, FREE_AXIS])
        self.axis.setCurrentText(main.upper() or FREE_AXIS)
        self.axis.activated.connect(self._set_axis)
        self.add_row("Axis", self.axis)
        for place, name in enumerate(XYZ if not main else ()):
            self.add_number(
                f"Axis {name}",
                partial(_axis_part, place),
                partial(self._turn_axis, place),
                unit=SHARE,
                lower=-1.0,
                upper=1.0,
                tip="Part of a direction in the joint's own frame; its length does not matter",
            )

    def _add_limits(self, dof: Dof) -> None:
        check = QCheckBox(f"Limit {dof.name[:1].lower()}{dof.name[1:]}")
        check.setChecked(dof.lower is not None or dof.upper is not None)
        check.setToolTip(f"{dof.id}\nWhether it goes only so far")
        check.toggled.connect(partial(self._set_limited, dof.id))
        self.limited[dof.id] = check
        self.column.addWidget(check)
        if not check.isChecked():
            return
        unit = ANGLE if dof.kind == "hinge" else LENGTH
        for name in ("lower", "upper"):
            self.add_number(
                name.capitalize(),
                partial(_number, dof.id, name),
                partial(self._limit, dof.id, name),
                unit=unit,
                tip=f"How far {dof.name} goes {'down' if name == 'lower' else 'up'}",
                spoken=f"{dof.name}, {name}",
            )

    def _add_damping(self, dof: Dof) -> None:
        name = f"{dof.name}, damping"
        self.add_number(
            "Damping" if len(self.now.dofs) == 1 else name,
            partial(_number, dof.id, "damping"),
            partial(self._damp, dof.id),
            unit=DRAG if dof.kind == "slide" else DAMPING,
            lower=0.0,
            tip="Torque or force against its motion, for each unit of speed, while physics moves the figure",
            spoken=name,
        )

    def _add_spring(self, dof: Dof) -> None:
        name = f"{dof.name}, spring"
        self.add_number(
            "Spring" if len(self.now.dofs) == 1 else name,
            partial(_number, dof.id, "spring"),
            partial(self._spring, dof.id, "spring"),
            unit=PULL if dof.kind == "slide" else SPRING,
            lower=0.0,
            tip="τ = k (q₀ − q): what it pulls back with for each unit from where it rests, as a disc between two "
            "vertebrae does, while physics moves the figure; muscles that are found for a motion count on it",
            spoken=name,
        )
        if dof.spring == 0.0:
            return
        self.add_number(
            "Rests at" if len(self.now.dofs) == 1 else f"{dof.name}, rests at",
            partial(_number, dof.id, "neutral"),
            partial(self._spring, dof.id, "neutral"),
            unit=ANGLE if dof.kind == "hinge" else LENGTH,
            tip="q₀: where the spring pulls with nothing",
            spoken=f"{dof.name}, rest of its spring",
        )

    def _spring(self, dof: str, name: str, value: float) -> Edit:
        old = next(each for each in self.now.dofs if each.id == dof)
        numbers = {"spring": old.spring, "neutral": old.neutral, name: value}
        return edit("set_spring", actor=self.actor, dof=dof, **numbers)

    def _damp(self, dof: str, value: float) -> Edit:
        return edit("set_damping", actor=self.actor, dof=dof, damping=value)

    def _set_kind(self, _: int) -> None:
        kind, joint = cast(JointKind, self.kind.currentData()), self.now
        if kind == "other":
            return
        order = self.order.currentText() if self.order is not None and kind == kind_of(joint.dofs) else ""
        axis = next((dof.axis for dof in joint.dofs), AXES["x"])
        self._put(freedoms(kind, joint.id, order=order, axis=axis, kept=joint.dofs))

    def _set_axis(self, _: int) -> None:
        assert self.axis is not None, "shown with the axis"
        joint, chosen = self.now, self.axis.currentText()
        dof = joint.dofs[0]
        if chosen != FREE_AXIS:
            kind: JointKind = "hinge" if dof.kind == "hinge" else "slide"
            (new,) = freedoms(kind, joint.id, axis=AXES[chosen.lower()])
            self._put((replace(dof, name=new.name, axis=new.axis),))
        elif main_axis(dof.axis):
            x, y, z = (0.8 * each + 0.35 for each in dof.axis)
            self._put((replace(dof, axis=(x, y, z)),))

    def _turn_axis(self, place: int, value: float) -> Edit:
        dof = self.now.dofs[0]
        x, y, z = (value if at == place else each for at, each in enumerate(dof.axis))
        if math.hypot(x, y, z) < SHORTEST:
            self._session.note("warning", "An axis needs a direction: not all of its numbers may be 0.")
            x, y, z = dof.axis
        return edit("set_dofs", actor=self.actor, joint=self.joint, dofs=(replace(dof, axis=(x, y, z)),))

    def _put(self, dofs: tuple[Dof, ...]) -> None:
        self.do("set_dofs", joint=self.joint, dofs=dofs)

    def _set_limited(self, dof: str, limited: bool) -> None:
        kind = next(each.kind for each in self.now.dofs if each.id == dof)
        far = HALF_TURN if kind == "hinge" else FAR
        self.do("set_limits", dof=dof, **({"lower": -far, "upper": far} if limited else {}))

    def _limit(self, dof: str, name: str, value: float) -> Edit:
        old = next(each for each in self.now.dofs if each.id == dof)
        ends = {"lower": old.lower, "upper": old.upper, name: value}
        return edit("set_limits", actor=self.actor, dof=dof, **ends)


def _axis_part(place: int, joint: Joint) -> float:
    return joint.dofs[0].axis[place]


def _number(dof: str, name: str, joint: Joint) -> float:
    found = next((getattr(each, name) for each in joint.dofs if each.id == dof), None)
    return 0.0 if found is None else float(found)
