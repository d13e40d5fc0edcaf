"""An arm of a ball joint, a saddle joint and a hinge that moves, for jobs about joint limits."""

from __future__ import annotations

import math

from engine.document import Actor, Document, Dof, Figure, Handle, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
SHOULDER = ("shoulder.z", "shoulder.x", "shoulder.y")


def _hinges(joint: str, axes: str) -> tuple[Dof, ...]:
    return tuple(Dof(id=f"{joint}.{name}", name=name.upper(), axis=AXES[name], lower=-2.0, upper=1.5) for name in axes)


def arm(id: str = "arm", *, axes: str = "zxy") -> Actor:
    """Shoulder, wrist and elbow turn for two seconds."""
    joints = (
        Joint(id="base", name="Base", dofs=(Dof(id="base.slide", name="Slide", kind="slide"),)),
        Joint(id="shoulder", name="Shoulder", parent="base", offset=(0.0, 1.0, 0.0), dofs=_hinges("shoulder", axes)),
        Joint(id="elbow", name="Elbow", parent="shoulder", offset=(0.0, -0.3, 0.0), dofs=_hinges("elbow", "x")),
        Joint(id="wrist", name="Wrist", parent="elbow", offset=(0.0, -0.25, 0.0), dofs=_hinges("wrist", "xz")),
    )
    figure = Figure(
        name="Arm", joints=joints, handles=(Handle(id="hand", name="Hand", joint="wrist", point=(0, -0.1, 0)),)
    )
    tracks = tuple(
        Track(
            coordinate=dof.id,
            keys=tuple(
                Key(step * TICKS_PER_SECOND // 8, 0.2 + 0.5 * math.sin(0.6 * step + place)) for step in range(17)
            ),
        )
        for place, dof in enumerate(figure.dofs)
    )
    return Actor(id=id, name="Arm", figure=figure, layers=(Layer(id="motion", tracks=tracks),))


def moving() -> Document:
    """The arm alone."""
    return Document(actors=(arm(),))
