"""FilmCamera: that an actor is a camera, what it is pinned to, and on what it is focused.

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
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

FILM_WIDTH = 0.036  # [m] of a still camera's film
LEAST_FOCAL, MOST_FOCAL = 0.004, 1.0  # [m]
NEAREST_FOCUS = 1.25  # times the length of the lens, nearer than which none is focused


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
class CameraFocus(Part):
    """Let a camera see sharply at one distance alone, as its lens does. A point nearer or farther is a disc on the
    film (`circle_of`)."""

    f_number: float = option(
        2.8, label="f-number", unit="", least=0.5, most=64.0,
        note="Length of the lens by the width of its opening: the lower, the less is sharp.",
    )  # fmt: skip
    distance: float = option(
        3.0, label="Focus distance", unit="m", least=0.05, most=1000.0, note="Before the eye, along its line of sight."
    )
    on: CameraAim | None = None  # a point of a joint, whose distance counts in place of that

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, kw_only=True)
class FilmCamera(Part):
    """A camera: its film, what it is pinned to, and on what it is focused."""

    film_width: float = FILM_WIDTH  # [m]
    near: float = 0.05  # [m] in front of the eye, nearer than which nothing is seen
    aim: CameraAim | None = None
    follow: CameraFollow | None = None
    focus: CameraFocus | None = None  # None: all is sharp

    def __post_init__(self) -> None:
        for name, least, most in (("film_width", 1e-3, 1.0), ("near", 1e-3, 100.0)):
            value = finite(f"the {name} of a camera", getattr(self, name))
            if not least <= value <= most:
                allowed = f"{least:g} to {most:g} m"
                raise InvalidDocument(what=f"the {name} of a camera", value=value, allowed=allowed)
            object.__setattr__(self, name, value)

    @property
    def is_pinned(self) -> bool:
        """True if it stands or looks otherwise than its own keys say."""
        return self.aim is not None or self.follow is not None

    def holds_on_to(self) -> tuple[tuple[str, str], ...]:
        on = None if self.focus is None else self.focus.on
        return tuple((each.actor, each.joint) for each in (self.aim, self.follow, on) if each is not None)


def angle_of(film: float, focal: float) -> float:
    """Return the angle of view [rad] over a length of film behind a lens [m]."""
    return 2.0 * math.atan(0.5 * film / max(focal, 1e-6))


def focal_of(film: float, angle: float) -> float:
    """Return the focal length [m] that sees an angle [rad] over a length of film [m]."""
    return 0.5 * film / math.tan(0.5 * angle)


def circle_of(focal: float, f_number: float, focused: float, distance: float) -> float:
    """Return the diameter [m] on the film of the disc that a point at a distance makes, by a thin lens that is focused
    at another: f^2 / N |d - u| / (d (u - f)), with lens f, f-number N, focus u and distance d."""
    focused = max(focused, focal * NEAREST_FOCUS)
    return focal * focal / f_number * abs(distance - focused) / (distance * (focused - focal))


def film_camera(actor: Actor) -> FilmCamera | None:
    """Give what makes an actor a camera, if it is one."""
    return actor.part(FilmCamera) if actor.parts else None


def cameras_in(document: Document) -> tuple[Actor, ...]:
    """List the cameras of a document."""
    return tuple(actor for actor in document.actors if film_camera(actor) is not None)
