"""Actor: one thing in the scene, with its place and the layers of its motion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.document.figure import Figure
from engine.document.parts import Part
from engine.document.shapes import Shape
from engine.document.values import IDENTITY, Quaternion, Vector3, unit_quaternion, vector3


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Where an actor's own frame stands in the world."""

    position: Vector3 = (0.0, 0.0, 0.0)  # [m]
    rotation: Quaternion = IDENTITY

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", vector3("a placement's position", self.position))
        object.__setattr__(self, "rotation", unit_quaternion("a placement's rotation", self.rotation))


@dataclass(frozen=True, kw_only=True)
class PoseLayer(Part):
    """A pose: the coordinates that were given a value; the others stand at rest (0; identity for a ball)."""

    id: str
    name: str = "Pose"
    values: tuple[tuple[str, float], ...] = ()  # (coordinate, [rad] or [m]), in the order of the figure

    @cached_property
    def by_coordinate(self) -> dict[str, float]:
        """The values by coordinate."""
        return dict(self.values)


@dataclass(frozen=True, kw_only=True)
class Prop(Part):
    """A thing without joints."""

    name: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, kw_only=True)
class Actor(Part):
    """A figure or a prop in the scene."""

    id: str
    name: str
    content: Figure | Prop
    placement: Placement = Placement()
    layers: tuple[PoseLayer, ...] = ()
    visible: bool = True

    @property
    def figure(self) -> Figure | None:
        """The figure, if this actor is one."""
        return self.content if isinstance(self.content, Figure) else None
