"""A hanging ball: the same string under the same keys three times, with a short, a middling and a long window.

Source: Rahgoshay 2011, figure 3-1; the windows are 5, 15 and 45 frames. A short one shows the lag behind each start and
stop, a long one the swinging after it, too. Nothing is keyed but the holders on their rails.
"""

from __future__ import annotations

from math import radians

from engine.document import Actor, Body, Box, Capsule, Document, Dof, Ellipsoid, Figure, Joint, Layer, Placement, Span
from engine.document.motion import TICKS_PER_SECOND
from engine.document.secondary import Gains, Secondary
from engine.jobs.example_beats import keyed, tick

FRAMES = {"Short window": 5, "Middling window": 15, "Long window": 45}
LONG = 5.0  # [s]
_FRAME = TICKS_PER_SECOND // 30
_HIGH, _APART, _RAIL = 1.3, 0.5, 0.85  # [m] of the rails, from one to the next, half a rail's length
_LINKS, _LINK, _BALL = 6, 0.11, 0.085  # how many, how long, the ball's radius [m]
_TENSION, _DAMPING = 1.8, 0.4  # [Hz], ratio: what is older than the long window is nearly forgotten
_WAY = ((0.3, 0.0), (1.0, 0.55), (2.0, 0.55), (2.7, -0.55), (3.6, -0.55), (4.2, 0.0))  # [s], [m]


def hanging_ball() -> Document:
    """Three rails, one behind the other."""
    figure = _string()
    actors = []
    for place, (name, frames) in enumerate(FRAMES.items()):
        layer = Layer(id="pose", tracks=(keyed("holder.slide", *_WAY),))
        secondary = Secondary(
            gains=Gains(tension=_TENSION, damping=_DAMPING, gravity=1.0), window=frames * _FRAME, step=_FRAME // 2
        )
        actors.append(
            Actor(
                id=f"frames_{frames}",
                name=name,
                figure=figure,
                placement=Placement(position=(0.0, _HIGH, _APART * (1 - place))),
                layers=(layer,),
                secondary=secondary,
            )
        )
    return Document(actors=tuple(actors), play=Span(start=0, end=tick(LONG)))


def _string() -> Figure:
    """A holder on a rail, the links of a string, and a ball at its end."""
    slide = Dof(id="holder.slide", name="Slide", kind="slide", axis=(1.0, 0.0, 0.0), lower=-_RAIL, upper=_RAIL)
    rail = Capsule(start=(-_RAIL, 0.0, 0.0), end=(_RAIL, 0.0, 0.0), radius=0.013, tone=0.55)
    holder = Box(half=(0.045, 0.03, 0.03), rounding=0.012, tone=0.8)
    joints = [
        Joint(id="rail", name="Rail", shapes=(rail,)),
        Joint(id="holder", name="Holder", parent="rail", dofs=(slide,), shapes=(holder,), body=Body(mass=1.0)),
    ]
    for link in range(1, _LINKS + 1):
        string = Capsule(start=(0.0, 0.0, 0.0), end=(0.0, -_LINK, 0.0), radius=0.011, tone=0.7)
        joints.append(
            Joint(
                id=f"link_{link}",
                name=f"Link {link}",
                parent="holder" if link == 1 else f"link_{link - 1}",
                offset=(0.0, 0.0 if link == 1 else -_LINK, 0.0),
                dofs=(_swing(f"link_{link}", 75.0),),
                shapes=(string,),
                body=_rod(0.02, _LINK),
            )
        )
    ball = Ellipsoid(radii=(_BALL, _BALL, _BALL), centre=(0.0, -_BALL, 0.0))
    inertia = 0.4 * 0.5 * _BALL**2
    body = Body(mass=0.5, centre=(0.0, -_BALL, 0.0), inertia=(inertia, inertia, inertia, 0.0, 0.0, 0.0))
    joints.append(
        Joint(
            id="ball",
            name="Ball",
            parent=f"link_{_LINKS}",
            offset=(0.0, -_LINK, 0.0),
            dofs=(_swing("ball", 75.0),),
            shapes=(ball,),
            body=body,
        )
    )
    return Figure(name="Hanging ball", joints=tuple(joints))


def _swing(joint: str, most: float) -> Dof:
    limit = radians(most)
    return Dof(id=f"{joint}.swing", name="Swing", axis=(0.0, 0.0, 1.0), lower=-limit, upper=limit)


def _rod(mass: float, length: float) -> Body:
    across = mass * length**2 / 12.0
    return Body(mass=mass, centre=(0.0, -0.5 * length, 0.0), inertia=(across, 1e-6, across, 0.0, 0.0, 0.0))
