"""Actor: one thing in the scene, with its place and the layers of its motion."""

from __future__ import annotations

from dataclasses import dataclass

from engine.document.figure import Figure
from engine.document.motion import Layer
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
    layers: tuple[Layer, ...] = ()
    visible: bool = True

    @property
    def figure(self) -> Figure | None:
        """The figure, if this actor is one."""
        return self.content if isinstance(self.content, Figure) else None
