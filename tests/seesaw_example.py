"""The example "A seesaw": a cube of jelly falls on one end of a plank and throws up the ball on the other.

The plank, its hinge and the ball are simulated by physics; the jelly pushes them, and they push it.
"""

from __future__ import annotations

from engine.document import Actor, Box, Document, Ellipsoid, Joint, Layer, Placement, Span, prop
from engine.document.figure import Dof, Figure
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.physics.parts import Physics
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import SoftWorld

HALF = 1.0  # [m] of the plank
HIGH = 0.34  # [m] of its hinge
THICK = 0.04  # [m] half of the plank


def seesaw() -> Document:
    """A jelly, a plank, a ball."""
    post = Joint(id="post", name="Post", shapes=(Box(half=(0.05, 0.12, 0.16), centre=(0.0, 0.12, 0.0), rounding=0.01),))
    plank = Joint(
        id="plank",
        name="Plank",
        parent="post",
        offset=(0.0, HIGH, 0.0),
        dofs=(Dof(id="tilt", name="Tilt", axis=(0.0, 0.0, 1.0), lower=-0.6, upper=0.6, damping=0.5),),
        shapes=(
            Box(half=(HALF, THICK, 0.16), rounding=0.01),
            Box(half=(0.02, 0.02, 0.16), centre=(-HALF + 0.02, THICK + 0.02, 0.0), rounding=0.01),
            Box(half=(0.02, 0.02, 0.16), centre=(-HALF + 0.28, THICK + 0.02, 0.0), rounding=0.01),
        ),
        density=300.0,
    )
    balance = _simulated("seesaw", "Seesaw", Figure(name="Seesaw", joints=(post, plank)), (0.0, 0.0, 0.0))
    ball = _simulated(
        "ball", "Ball", prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),)), (-HALF + 0.15, HIGH + THICK + 0.1, 0.0)
    )
    body = soft_box(
        (0.3, 0.3, 0.3), (3, 3, 3), young=3e4, stiffness_damping=0.02, friction=0.9, pushes=True, touches_wearer=True,
        touches_by_surface=True,
    )  # fmt: skip
    jelly = soft_actor("jelly", "Jelly", body, position=(0.8, 1.5, 0.0))
    play = Span(start=0, end=4 * SECOND)
    return Document(actors=(balance, ball, jelly), play=play, parts=(SoftWorld(step=1.0 / 120.0),))


def _simulated(id: str, name: str, figure: Figure, at: Vector3) -> Actor:
    return Actor(
        id=id,
        name=name,
        figure=figure,
        placement=Placement(position=at),
        layers=(Layer(id="pose"),),
        parts=(Physics(),),
    )
