"""FilmCamera: that an actor is a camera, and what it is pinned to.

The actor's first joint is the eye: it looks along its own -Z, with +Y up and +X to the right, as glTF has it. The
second joint is the film behind it, as far as the lens is long: its slide is keyed as any other coordinate. A picture is
as wide as the film; how high it is, its size says. Knows documents alone.
"""

from __future__ import annotations

import math

from engine.document import Actor, Document
from engine.document.parts import Part
from engine.document.values import Vector3, finite, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

FILM_WIDTH = 0.036  # [m] of a still camera's film
LEAST_FOCAL, MOST_FOCAL = 0.004, 1.0  # [m]


@dataclass(frozen=True, kw_only=True)
class CameraAim(Part):
    """Let a camera look at a point of a joint, upright; its own keys turn it no more."""

    actor: str
    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)  # [m] in the joint's frame

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3("the point that a camera looks at", self.point))


@dataclass(frozen=True, kw_only=True)
class CameraFollow(Part):
    """Let a camera go along with a joint, without turning with it; its own keys go on from there."""

    actor: str
    joint: str
    anchor: Vector3 = (0.0, 0.0, 0.0)  # [m] in the world: where the joint is while the camera is where its keys say
    level: bool = False  # whether it keeps its height

    def __post_init__(self) -> None:
        object.__setattr__(self, "anchor", vector3("the anchor of a camera", self.anchor))


@dataclass(frozen=True, kw_only=True)
class FilmCamera(Part):
    """A camera: its film, and what it is pinned to."""

    film_width: float = FILM_WIDTH  # [m]
    near: float = 0.05  # [m] in front of the eye, nearer than which nothing is seen
    aim: CameraAim | None = None
    follow: CameraFollow | None = None

    def __post_init__(self) -> None:
        for name, least, most in (("film_width", 1e-3, 1.0), ("near", 1e-3, 100.0)):
            value = finite(f"the {name} of a camera", getattr(self, name))
            if not least <= value <= most:
                allowed = f"{least:g} to {most:g} m"
                raise InvalidDocument(what=f"the {name} of a camera", value=value, allowed=allowed)
            object.__setattr__(self, name, value)

    def holds_on_to(self) -> tuple[tuple[str, str], ...]:
        return tuple((each.actor, each.joint) for each in (self.aim, self.follow) if each is not None)


def angle_of(film: float, focal: float) -> float:
    """Return the angle of view [rad] over a length of film behind a lens [m]."""
    return 2.0 * math.atan(0.5 * film / max(focal, 1e-6))


def focal_of(film: float, angle: float) -> float:
    """Return the focal length [m] that sees an angle [rad] over a length of film [m]."""
    return 0.5 * film / math.tan(0.5 * angle)


def film_camera(actor: Actor) -> FilmCamera | None:
    """Give what makes an actor a camera, if it is one."""
    return actor.part(FilmCamera) if actor.parts else None


def cameras_in(document: Document) -> tuple[Actor, ...]:
    """List the cameras of a document."""
    return tuple(actor for actor in document.actors if film_camera(actor) is not None)
