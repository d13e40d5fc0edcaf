"""The degrees of freedom that the axes of an OpenSim joint come to.

Of axes that follow one coordinate, each of its own and as it is or turned around, each is a degree of freedom of the
coordinate's name. Other axes are driven ones, `JOINT.AXIS`, or of the coordinate's name where a constraint couples it.
What stays is taken out: constant ways before the turns go into where the joint stands, turns by a constant into the
axes after them and into where the body stands in the joint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.document import Dof, DrivenBy
from engine.document.figure import DofKind
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.formats.names import Names
from engine.formats.osim_functions import DrivingCurve, Sum, composed
from engine.formats.osim_model import OsimModel
from engine.formats.osim_parts import OsimAxis, OsimJoint, spoken
from engine.maths.quaternions import AXES, turn_about, turned

_ALMOST = 1e-12


class JointMoves:
    """The degrees of freedom of a joint, and what of it stays."""

    def __init__(self, model: OsimModel, joint: OsimJoint, names: Names) -> None:
        self.offset: Vector3 = (0.0, 0.0, 0.0)  # in the parent's frame
        self.rest = Frame()  # of the child's frame in that which the degrees of freedom leave
        self.dofs: list[Dof] = []
        self.lone: list[Dof] = []  # of coordinates that move nothing of themselves
        self._model, self._joint, self._names = model, joint, names
        axes, sign = (joint.axes, 1.0) if not joint.reversed else (joint.axes[::-1], -1.0)
        values = [composed(each.value, model.value_of) for each in axes]
        leads = _leads(axes, values)
        for place, (axis, value) in enumerate(zip(axes, values, strict=True)):
            norm = sign / math.hypot(*axis.axis)
            x, y, z = (norm * each for each in axis.axis)
            if place in leads:
                self._add_lead(axis, (x, y, z), value, leads[place])
            else:
                self._add_driven(axis, (x, y, z), value)
        self._add_lone({each.coordinate for each in leads.values()})

    def _add_lead(self, axis: OsimAxis, direction: Vector3, value: Sum, lead: DrivingCurve) -> None:
        """Add the degree of freedom of a coordinate."""
        assert lead.line is not None, "it was chosen so"
        slope, start = lead.line
        self._stay(axis, direction, value.constant + start)
        x, y, z = (math.copysign(1.0, slope) * each for each in turned(self.rest.rotation, direction))
        self.dofs.append(self._free(lead.coordinate, axis.kind, (x, y, z)))

    def _add_driven(self, axis: OsimAxis, direction: Vector3, value: Sum) -> None:
        """Add what others drive; nothing, where they are constant."""
        self._stay(axis, direction, value.constant)
        if not value.curves:
            return
        own, id = next(iter(axis.follows), ""), f"{self._joint.name}.{axis.name}"
        known = {dof.id for dof in self.dofs}
        if self._model.is_coupled(own) and own not in known and axis.value.curves[0].line == (1.0, 0.0):
            id = own
        id = self._names.take(id)
        driven = tuple(DrivenBy(dof=each.coordinate, at=each.at, values=each.values) for each in value.curves)
        direction = turned(self.rest.rotation, direction)
        self.dofs.append(Dof(id=id, name=spoken(id), kind=axis.kind, axis=direction, driven=driven))

    def _add_lone(self, led: set[str]) -> None:
        """Add coordinates by which axes of the joint move, though none as the coordinate does."""
        joint, followed = self._joint, {name for axis in self._joint.axes for name in axis.follows}
        for name in joint.coordinates:
            if name in led or self._model.is_coupled(name):
                continue
            if name not in followed:
                self._model.notes.add(joint.line, f"coordinate {name} of joint {joint.name} moves nothing; left out")
                continue
            words = f"coordinate {name} moves joint {joint.name} by functions alone; it is a hinge beside it"
            self._model.notes.add(joint.line, words)
            self.lone.append(self._free(name, "hinge", AXES[2]))

    def _stay(self, axis: OsimAxis, direction: Vector3, value: float) -> None:
        """Turn or move by a constant."""
        if abs(value) < _ALMOST:
            return
        x, y, z = (value * each for each in direction)
        if axis.kind == "hinge":
            self.rest = self.rest.holding(Frame(rotation=turn_about(direction, value)))
        elif self.rest == Frame() and not any(dof.kind == "hinge" for dof in self.dofs):
            a, b, c = self.offset
            self.offset = (a + x, b + y, c + z)
        else:
            self.rest = self.rest.holding(Frame(position=(x, y, z)))

    def _free(self, coordinate: str, kind: DofKind, axis: Vector3) -> Dof:
        found = self._model.coordinates.get(coordinate)
        lower, upper = (None, None) if found is None else (found.lower, found.upper)
        if found is not None and found.locked:
            lower = upper = found.default
        id = self._names.take(coordinate)
        return Dof(id=id, name=spoken(coordinate), kind=kind, axis=axis, lower=lower, upper=upper)


def _leads(axes: Sequence[OsimAxis], values: Sequence[Sum]) -> dict[int, DrivingCurve]:
    """Which axes are coordinates themselves, turns before ways."""
    found: dict[int, DrivingCurve] = {}
    taken: set[str] = set()
    for kind in ("hinge", "slide"):
        for place, (axis, value) in enumerate(zip(axes, values, strict=True)):
            if axis.kind != kind or len(value.curves) != 1:
                continue
            curve = value.curves[0]
            own = curve.coordinate in axis.follows and curve.coordinate not in taken
            if own and curve.line is not None and abs(abs(curve.line[0]) - 1.0) < _ALMOST:
                found[place] = curve
                taken.add(curve.coordinate)
    return found
