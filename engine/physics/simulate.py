"""simulate: leave an actor to physics for some seconds, from the pose and the speed that it has, as samples.

Servos, where there are any, lead the joints after the motion that is keyed, roots stay free. Whatever else has a shape
is an obstacle. The scene is stepped as in the window (`engine.physics.simulation`); steps divide the frames of the
samples.

Known limits: the actor's locks are muted while it falls. Samples are angles, so near the gimbal lock of a root, through
which a figure falls onto its back, their rates, and energies made of these, are too large: by a third at 30 samples a
second, by 3% at 240 (a human of 670 J).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from engine.document import Document
from engine.document.motion import Rate, frame_time
from engine.evaluation import Evaluation
from engine.model.inertia import masses_of
from engine.physics.edits import bake_physics
from engine.physics.parts import Physics, PhysicsWorld
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.sampling import sample_gradually

MOST_FRAMES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Fall:
    """An actor, and how it is left to physics."""

    id: str  # of the layer that comes of it
    actor: str
    start: int  # [ticks]
    seconds: float
    servos: float | None = None  # [Hz] with which joints follow their keys; None: they are slack
    ground: bool = True
    step: float = 0.005  # [s] at most
    rate: Rate | None = None  # of the samples; None: the document's
    stepper: str = "semi_implicit"


def simulate(evaluation: Evaluation, document: Document, wanted: Fall) -> Generator[float, None, Document]:
    """Put the motion into a layer on top of the document's, over its span; yields the share that is done."""
    owner, rate = document.actor(wanted.actor), wanted.rate or document.rate
    if owner.attachments:
        raise InvalidArguments(what="the actor to simulate", value=owner.name, allowed="one that hangs on no other")
    if not masses_of(owner.figure)[:, 0].any():
        raise InvalidArguments(what=f"the mass of {owner.name}", value=0.0, allowed="a figure with shapes or masses")
    frames = round(wanted.seconds * rate[0] / rate[1]) if 0.0 < wanted.seconds <= MOST_FRAMES else 0
    if not 1 <= frames <= MOST_FRAMES:
        allowed = f"from one frame of the document to {MOST_FRAMES:,}"
        raise InvalidArguments(what="the seconds to simulate", value=wanted.seconds, allowed=allowed)
    world = document.part(PhysicsWorld) or PhysicsWorld()
    world = replace(world, ground=wanted.ground, step=wanted.step, stepper=wanted.stepper)
    free = owner.with_part(Physics(start=wanted.start, follow=wanted.servos or 0.0))
    scene = replace(document.with_actor(free).with_part(world), rate=rate)
    end = wanted.start + frame_time(frames, rate)
    samples = yield from sample_gradually(evaluation, scene, owner.id, rate, wanted.start, end)
    return bake_physics(document, actor=owner.id, id=wanted.id, samples=samples, name="Simulation")
