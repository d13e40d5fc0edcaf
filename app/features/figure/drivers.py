"""DriverNumbers: what drives the degrees of freedom of a joint, and where it puts them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QComboBox

from app.features.figure.numbers import Numbers, box
from app.session import Session
from app.style.units import ANGLE, LENGTH, Unit
from engine.document import Dof, DrivenBy, Figure, Joint
from engine.edits import Edit, edit

NOTHING, SEVERAL = "Nothing: it is free", "Several"
TIP = "Whose value it follows: a straight line at first, which the numbers below bend; it has no keys and limits then"
HALF_TURN, FAR = 1.5708, 0.1  # [rad], [m] from 0 to the ends of the first line, where the driver has no limits
SHARE = {("slide", "hinge"): 0.1, ("hinge", "slide"): 10.0}  # [m/rad], [rad/m] of the first line


class DriverNumbers(Numbers):
    """A list to choose a driver from for each degree of freedom, and the values at the knots of its splines."""

    def __init__(self, session: Session, actor: str, figure: Figure, joint: Joint) -> None:
        super().__init__(session, actor, joint.id)
        self.drivers: dict[str, QComboBox] = {}
        driving = {each.dof for dof in figure.driven for each in dof.driven}
        for dof in joint.dofs:
            if dof.kind != "ball":
                self._add_driver(figure, dof, driving)

    @staticmethod
    def form(figure: Figure, joint: Joint) -> tuple[object, ...]:
        """Return the key of the fields: they are made anew where it changes."""
        knots = tuple((dof.id, dof.name, tuple((each.dof, each.at) for each in dof.driven)) for dof in joint.dofs)
        return knots if not figure.driven else (knots, tuple(dof.id for dof in figure.driven))

    def _add_driver(self, figure: Figure, dof: Dof, driving: set[str]) -> None:
        chosen = self.drivers[dof.id] = box(f"{dof.name}, driven by")
        chosen.addItem(NOTHING, "")
        for joint in figure.joints:
            for each in joint.dofs:
                if each.kind != "ball" and not each.driven and each.id != dof.id:
                    chosen.addItem(f"{joint.name}: {each.name}", each.id)
        if len(dof.driven) > 1:
            chosen.addItem(SEVERAL, SEVERAL)
        now = SEVERAL if len(dof.driven) > 1 else dof.driven[0].dof if dof.driven else ""
        chosen.setCurrentIndex(chosen.findData(now))
        chosen.setToolTip(TIP)
        if dof.id in driving:
            chosen.setEnabled(False)
            followers = (each for each in figure.driven if any(by.dof == dof.id for by in each.driven))
            chosen.setToolTip(f"It drives {', '.join(each.id for each in followers)}, so nothing may drive it")
        chosen.activated.connect(partial(self._choose, dof.id))
        self.add_row("Driven by" if len(self.now.dofs) == 1 else dof.name, chosen)
        for number, by in enumerate(dof.driven):
            driver = figure.coordinate_dof[by.dof]
            whose = f"{driver.name}, " if len(dof.driven) > 1 else ""
            for knot, at in enumerate(by.at):
                name = f"{whose}at {unit_of(driver).text(at)}"
                self.add_number(
                    name[:1].upper() + name[1:],
                    partial(_value, dof.id, number, knot),
                    partial(self._bend, dof.id, number, knot),
                    unit=unit_of(dof),
                    tip=f"{dof.name} where {driver.id} has that value",
                    spoken=f"{dof.name}, {name}",
                )

    def _choose(self, dof: str, _: int) -> None:
        driver = str(self.drivers[dof].currentData())
        if driver == SEVERAL:
            return
        known = self.owner.figure.coordinate_dof
        self.do("set_driven", dof=dof, driven=(first_line(known[dof], known[driver]),) if driver else ())

    def _bend(self, dof: str, number: int, knot: int, value: float) -> Edit:
        driven = list(next(each.driven for each in self.now.dofs if each.id == dof))
        values = tuple(value if at == knot else each for at, each in enumerate(driven[number].values))
        driven[number] = replace(driven[number], values=values)
        return edit("set_driven", actor=self.actor, dof=dof, driven=tuple(driven))


def first_line(dof: Dof, driver: Dof) -> DrivenBy:
    """Return a straight line over the range of a driver: the same number, or a decimetre for each radian."""
    far = HALF_TURN if driver.kind == "hinge" else FAR
    lower = -far if driver.lower is None else driver.lower
    upper = max(far, lower + far) if driver.upper is None else driver.upper
    ends = (lower, upper) if lower < upper else (lower, lower + far)
    share = SHARE.get((dof.kind, driver.kind), 1.0)
    return DrivenBy(dof=driver.id, at=ends, values=(share * ends[0], share * ends[1]))


def unit_of(dof: Dof) -> Unit:
    """Return the unit in which a degree of freedom is shown."""
    return LENGTH if dof.kind == "slide" else ANGLE


def _value(dof: str, number: int, knot: int, joint: Joint) -> float:
    found = next((each.driven for each in joint.dofs if each.id == dof), ())
    return found[number].values[knot] if number < len(found) and knot < len(found[number].values) else 0.0
