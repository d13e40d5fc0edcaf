"""A camera as an actor: a body that stands and turns freely, and the film behind its lens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cameras.parts import LEAST_FOCAL, MOST_FOCAL, FilmCamera
from engine.document import Actor, Box, Ellipsoid, Figure, Joint, Layer, prop
from engine.document.figure import Dof
from engine.document.props import JOINT
from engine.document.shapes import Shape
from engine.document.values import IDENTITY, Quaternion, Vector3, unit_quaternion, vector3

if TYPE_CHECKING:
    from engine.maths.arrays import Array

EYE, FILM = JOINT, "film"
FOCAL = f"{FILM}.zoom"  # the coordinate: by how much the lens is longer than at rest [m]
REST_FOCAL = 0.035  # [m]

_SHAPES: tuple[Shape, ...] = (  # all behind the eye, so that it does not see itself
    Box(half=(0.045, 0.055, 0.09), centre=(0.0, 0.0, 0.11), rounding=0.012),
    Ellipsoid(radii=(0.02, 0.05, 0.05), centre=(0.0, 0.095, 0.075), tone=0.8),
    Ellipsoid(radii=(0.02, 0.05, 0.05), centre=(0.0, 0.095, 0.165), tone=0.8),
)


def camera_figure(name: str = "Camera") -> Figure:
    """Make the figure of a camera: its eye looks along -Z."""
    body = prop(name, _SHAPES).joints[0]
    zoom = Dof(
        id=FOCAL,
        name="Zoom",
        kind="slide",
        axis=(0.0, 0.0, 1.0),
        lower=LEAST_FOCAL - REST_FOCAL,
        upper=MOST_FOCAL - REST_FOCAL,
    )
    film = Joint(id=FILM, name="Sensor", parent=EYE, offset=(0.0, 0.0, REST_FOCAL), dofs=(zoom,), density=0.0)
    return Figure(name=name, joints=(body, film))


def camera_actor(
    id: str,
    name: str,
    *,
    position: Vector3 = (0.0, 1.2, 4.0),
    rotation: Quaternion = IDENTITY,
    focal: float = REST_FOCAL,
    part: FilmCamera | None = None,
) -> Actor:
    """Make a camera that stands and looks as given; its coordinates are those of the world."""
    values = camera_values(position, rotation)
    if focal != REST_FOCAL:
        values = (*values, (FOCAL, focal - REST_FOCAL))
    layers = (Layer(id="pose", values=values),)
    return Actor(id=id, name=name, figure=camera_figure(), layers=layers, parts=(part or FilmCamera(),))


def camera_values(position: Vector3, rotation: Quaternion) -> tuple[tuple[str, float], ...]:
    """Give the coordinates of a camera's eye that stands at a position [m] and is turned so, in its actor's frame."""
    places = zip("xyz", position, strict=True)
    turns = zip("wxyz", rotation, strict=True)
    return (
        *((f"{EYE}.move_{axis}", value) for axis, value in places),
        *((f"{EYE}.turn.{letter}", value) for letter, value in turns),
    )


def camera_seeing(id: str, name: str, frame: Array) -> Actor:
    """Make a camera whose eye has a frame in the world, shape [3, 4]."""
    position, rotation = _placing(frame)
    return camera_actor(id, name, position=position, rotation=rotation)


def values_seeing(actor: Actor, frame: Array) -> tuple[tuple[str, float], ...]:
    """Give the coordinates of a camera whose eye is to have a frame in the world, shape [3, 4]."""
    import numpy as np

    from engine.maths.rotation_arrays import rotation_matrix
    from engine.maths.transforms import joined, undone

    placed = np.column_stack((rotation_matrix(actor.placement.rotation), actor.placement.position))
    return camera_values(*_placing(joined(undone(placed), frame)))


def _placing(frame: Array) -> tuple[Vector3, Quaternion]:
    from engine.maths.rotation_arrays import quaternion_of

    return vector3("the eye", frame[:, 3].tolist()), unit_quaternion("the eye", quaternion_of(frame))
