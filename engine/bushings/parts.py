"""Bushings as parts of an actor. Each has a frame on either of two bodies, and resists, along the axes of the first, by
how much the second has turned and moved from it."""

from __future__ import annotations

from typing import Any

from engine.document.conformance import check_fields
from engine.document.frames import Frame
from engine.document.parts import Part
from engine.document.values import IDENTITY, Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

AXES = ("turning", "sliding", "turning_damping", "sliding_damping")
"""The fields that have a number for each axis."""
LARGEST = 1e9
End = tuple[str | None, Frame]  # a joint, or None for the ground, and a frame in its frame


@dataclass(frozen=True, kw_only=True)
class Bushing(Part):
    """Six springs and dampers between the bodies of two joints, or that of one and the ground that the figure stands
    on."""

    id: str
    name: str
    first: str | None  # the joint on whose body the first frame stands; None: the ground
    second: str | None
    first_position: Vector3 = (0.0, 0.0, 0.0)  # [m] in that joint's frame
    first_rotation: Quaternion = IDENTITY
    second_position: Vector3 = (0.0, 0.0, 0.0)
    second_rotation: Quaternion = IDENTITY
    turning: Vector3 = (0.0, 0.0, 0.0)  # [N m/rad] about the axes of the first frame
    sliding: Vector3 = (0.0, 0.0, 0.0)  # [N/m]
    turning_damping: Vector3 = (0.0, 0.0, 0.0)  # [N m s/rad]
    sliding_damping: Vector3 = (0.0, 0.0, 0.0)  # [N s/m]
    mute: bool = False

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidDocument(what="the name of a bushing", value=self.name, allowed="some text")
        if self.first == self.second:
            raise InvalidDocument(
                what=f"the bodies of {self.name}", value=self.first, allowed="two joints, or one and the ground"
            )
        check_fields(Bushing, (("mute", self.mute),), of="a bushing")
        for name in ("first_position", "second_position"):
            object.__setattr__(self, name, vector3(f"the place of {self.name}", getattr(self, name)))
        for name in ("first_rotation", "second_rotation"):
            object.__setattr__(self, name, unit_quaternion(f"the turn of {self.name}", getattr(self, name)))
        for name in AXES:
            given = vector3(f"the {name.replace('_', ' ')} of {self.name}", getattr(self, name))
            if not all(0.0 <= finite(name, each) <= LARGEST for each in given):
                what = f"the {name.replace('_', ' ')} of {self.name}"
                raise InvalidDocument(what=what, value=given, allowed=f"three numbers from 0 to {LARGEST:g}")
            object.__setattr__(self, name, given)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it stands on, one or two."""
        return tuple(each for each in (self.first, self.second) if each is not None)


def held_at(first: End, second: End) -> dict[str, Any]:
    """Give the fields of a bushing that say what it holds on to, and where."""
    (one, here), (other, there) = first, second
    return {
        "first": one,
        "second": other,
        "first_position": here.position,
        "first_rotation": here.rotation,
        "second_position": there.position,
        "second_rotation": there.rotation,
    }


@dataclass(frozen=True, kw_only=True)
class Bushings(Part):
    """All bushings of a figure."""

    bushings: tuple[Bushing, ...] = ()

    def __post_init__(self) -> None:
        ids = [each.id for each in self.bushings]
        if len(set(ids)) < len(ids):
            twice = next(id for id in ids if ids.count(id) > 1)
            raise InvalidDocument(what="the ids of bushings", value=twice, allowed="each once")

    def holds(self, id: str) -> bool:
        """Tell whether it has a bushing of that id."""
        return self.of(id) is not None

    def stands_on(self, id: str) -> str | None:
        """The first joint of a bushing."""
        found = self.of(id)
        return None if found is None else found.joints[0]

    def of(self, id: str) -> Bushing | None:
        """The bushing of that id."""
        return next((each for each in self.bushings if each.id == id), None)
