"""Physics of an actor and of a scene, as parts of a document.

An actor without a part of its own is an obstacle: simulated bodies collide with it, and it goes on following its keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from engine.document.conformance import check_fields
from engine.document.keyed_part import KeyedPart
from engine.document.motion import Span, Track
from engine.document.parts import Part
from engine.document.ticks import ticks
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.document.document import Document

Role = Literal["simulated", "obstacle", "none"]
ROLES: tuple[Role, ...] = get_args(Role)
MOST_TORQUE = 1e6
"""[N m] or [N] of a key."""
KEYED = "hinge", "slide"
"""The kinds of degrees of freedom that a curve may be of."""


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


@dataclass(frozen=True, kw_only=True)
class TorqueCurves(KeyedPart):
    """Torques of an actor's joints over time that drive it while it is simulated: curves by the ids of hinges [N m] and
    slides [N]; nothing acts on those without one, nor out of the span.

    They are part of tau in M(q) qdd + c(q, qd) = tau + J^T f, beside servos, damping, stops and contact. On a root with
    hinges of its own they push against the world, as a motor that is bolted to it.
    """

    id: str
    name: str = "Torque curves"
    tracks: tuple[Track, ...] = ()
    span: Span | None = None  # eased in and out; None: always
    tissue: bool = option(
        False,
        label="Damped as tissue",
        note="Joints resist their motion as tissue does meanwhile: c = 0.3 sqrt(I), beside what the figure's have. "
        "Off: by these torques alone.",
    )
    mute: bool = False
    launches: tuple[tuple[int, tuple[tuple[str, float], ...]], ...] = ()
    """Rates [rad/s, m/s] by the ids of hinges and slides that the actor has where it is let go at exactly that tick, in
    place of those of its keys: a plan hands momentum on from stage to stage, which its path's slopes come near to."""

    def __post_init__(self) -> None:
        check_fields(TorqueCurves, (("tissue", self.tissue), ("mute", self.mute)), of="torque curves")
        names = [track.coordinate for track in self.tracks]
        if len(set(names)) != len(names):
            raise InvalidDocument(what="the tracks of torque curves", value=names, allowed="each at most once")
        for track in self.tracks:
            far = max((key.value for key in track.keys), key=abs)
            if abs(far) > MOST_TORQUE:
                allowed = f"up to {MOST_TORQUE:g} N m or N"
                raise InvalidDocument(what=f"a torque of {track.coordinate}", value=far, allowed=allowed)

    def launch(self, time: int) -> dict[str, float]:
        """Give the rates with which the actor is let go at a tick, as far as they are not those of its keys."""
        return next((dict(rates) for tick, rates in self.launches if tick == time), {})

    @property
    def heard(self) -> tuple[Track, ...]:
        """The curves that count."""
        return () if self.mute else tuple(track for track in self.tracks if not track.mute)
