"""Physics of an actor and of a scene, as parts of a document.

An actor without a part of its own is an obstacle: simulated bodies collide with it, and it goes on following its keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from engine.document.parts import Part
from engine.document.ticks import ticks
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.document.document import Document

Role = Literal["simulated", "obstacle", "none"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, kw_only=True)
class Physics(Part):
    """How an actor takes part in the simulation of its scene."""

    role: str = option(
        "simulated",
        label="Role",
        choices=ROLES,
        note="Simulated: falls, rolls and collides. Obstacle: follows its keys, others collide with it. None: neither.",
    )
    start: int = 0  # [ticks] from when on it is simulated; it follows its keys before
    follow: float = option(
        0.0,
        label="Follow keys",
        unit="Hz",
        least=0.0,
        most=100.0,
        note="Natural frequency of the servos that lead its joints after its keys: kp = I (2 pi f)^2. 0: slack.",
    )
    ratio: float = option(
        1.0,
        label="Damping",
        least=0.0,
        most=10.0,
        note="Ratio of these servos' damping to critical: kd = 2 r I 2 pi f.",
    )

    def __post_init__(self) -> None:
        check_options(self)
        ticks("the start of a simulation", self.start)

    def coupled(self, document: Document) -> tuple[str, ...]:
        """Name all actors of the scene, if this one is simulated: it may touch any of them."""
        return tuple(actor.id for actor in document.actors) if self.role == "simulated" else ()


@dataclass(frozen=True, kw_only=True)
class PhysicsWorld(Part):
    """Settings that all simulated actors of a scene share."""

    gravity: float = option(
        9.80665, label="Gravity", unit="m/s2", least=0.0, most=100.0, note="Acceleration of free fall, along -Y."
    )
    ground: bool = option(True, label="Ground", note="Collide with the floor, the plane y = 0.")
    ground_friction: float = option(
        0.8,
        label="Friction of the ground",
        least=0.0,
        most=10.0,
        note="Coulomb's coefficient mu between body and floor.",
    )
    friction: float = option(
        0.5, label="Friction of bodies", least=0.0, most=10.0, note="Coulomb's coefficient mu between two bodies."
    )
    step: float = option(
        0.005,
        label="Time step",
        unit="s",
        least=0.0005,
        most=0.02,
        note="The longest step; a frame is divided into as many equal steps as that takes.",
    )
    stepper: str = option(
        "semi_implicit",
        label="Stepper",
        choices=("semi_implicit", "backward", "midpoint"),
        note="Integration of a step: forces at its beginning, at its end, or in its middle.",
    )

    def __post_init__(self) -> None:
        check_options(self)
