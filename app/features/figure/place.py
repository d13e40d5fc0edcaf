"""PlaceNumbers: where a joint stands in its parent and how it is turned there; whether its children stay."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtWidgets import QCheckBox

from app.features.figure.numbers import XYZ, Numbers
from app.session import Session
from app.style.turns import quaternion_of, turns_of
from app.style.units import ANGLE
from engine.document import Joint
from engine.document.values import Quaternion, Vector3
from engine.edits import Edit, edit

TURNS = ("Heading", "Pitch", "Roll")


class PlaceNumbers(Numbers):
    """Offset, length and rest orientation."""

    def __init__(self, session: Session, actor: str, joint: Joint) -> None:
        super().__init__(session, actor, joint.id)
        label = f"Move joint {joint.name}"
        for place, name in enumerate(XYZ):
            tip = f"Where it stands along {name} of its parent's frame"
            self.add_number(
                f"Offset {name}", partial(_offset, place), partial(self._moved, place), tip=tip, label=label
            )
        tip = "From its parent's joint; the direction stays"
        self.add_number("Length", lambda joint: math.hypot(*joint.offset), self._lengthened, lower=0.0, tip=tip)
        for place, name in enumerate(TURNS):
            limit = 0.5 * math.pi if name == "Pitch" else math.pi
            self.add_number(
                name,
                partial(_turn, place),
                partial(self._turned, place),
                unit=ANGLE,
                lower=-limit,
                upper=limit,
                tip="How its frame is turned in its parent's at rest",
                label=label,
            )
        self.stay = QCheckBox("Children stay where they are")
        self.stay.setToolTip("Else all that hangs on the joint moves with it")
        self.column.addWidget(self.stay)

    def _moved(self, place: int, value: float) -> Edit:
        x, y, z = (value if at == place else each for at, each in enumerate(self.now.offset))
        return self._put((x, y, z), self.now.rest)

    def _lengthened(self, value: float) -> Edit:
        offset, length = self.now.offset, math.hypot(*self.now.offset)
        x, y, z = (each * value / length for each in offset) if length > 0.0 else (0.0, value, 0.0)
        return self._put((x, y, z), self.now.rest)

    def _turned(self, place: int, value: float) -> Edit:
        heading, pitch, roll = (value if at == place else each for at, each in enumerate(turns_of(self.now.rest)))
        return self._put(self.now.offset, quaternion_of((heading, pitch, roll)))

    def _put(self, offset: Vector3, rest: Quaternion) -> Edit:
        how = {"keep_children": self.stay.isChecked(), "stretch": True}
        return edit("set_joint_frame", actor=self.actor, joint=self.joint, offset=offset, rest=rest, **how)


def _offset(place: int, joint: Joint) -> float:
    return joint.offset[place]


def _turn(place: int, joint: Joint) -> float:
    return turns_of(joint.rest)[place]
