"""Parts of OpenSim's models: coordinates, and joints with their axes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.formats.osim_functions import Sum
from engine.runtime.quick_dataclass import dataclass


class OsimCoordinate(NamedTuple):
    """A coordinate, its range [rad] or [m], and where it stands unless it is moved."""

    name: str
    line: int
    lower: float | None
    upper: float | None
    default: float
    clamped: bool
    locked: bool


class OsimAxis(NamedTuple):
    """One axis of a joint, and by how much it is turned or moved."""

    name: str
    kind: Literal["hinge", "slide"]
    axis: Vector3  # in the frame that the axes before have left
    value: Sum

    @property
    def follows(self) -> tuple[str, ...]:
        """The coordinates that it depends on."""
        return tuple(each.coordinate for each in self.value.curves)


@dataclass(frozen=True, kw_only=True, eq=False)
class OsimJoint:
    """A joint: from a frame on one body to a frame on another."""

    name: str
    line: int
    parent: str  # a body
    parent_frame: Frame  # in the parent body
    child: str
    child_frame: Frame  # in the child body
    axes: tuple[OsimAxis, ...]  # as they move, one after the other
    coordinates: tuple[str, ...]  # that it brings
    reversed: bool = False  # whether it is the parent that moves in the child


def spoken(name: str) -> str:
    """Give a name of the model as a person reads it: TRIlong, Glut med1 r."""
    return name[:1].upper() + name[1:].replace("_", " ")
