"""Two desk lamps that play a ball to each other: three plans that meet, as the example document has them."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Body, Document, Dof, Ellipsoid, Figure, Joint, Layer, Placement, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Quaternion, Vector3
from engine.edits import edit
from engine.formats.figure_toml import load_figure
from engine.runtime.progress import finish
from engine.spacetime.coupled import coupled_motions
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeConstraint,
    SpacetimeCurve,
    SpacetimeMeeting,
    SpacetimeMuscle,
    SpacetimeStage,
)

ACROSS: Vector3 = (1.0, 0.0, 0.0)  # normal of the plane, of the world and of the lamps
RADIUS, MASS = 0.1, 0.15  # [m], [kg] of the ball
CUP: Vector3 = (0.0, 0.175, 0.0)  # [m] in a shade's frame: the ball's centre, where it lies in its opening
APEX, HALF, SPEED = 1.32, 0.35, 1.05  # [m] how high it flies, [s] from there to a lamp, [m/s] along z
STAND = 0.6  # [m] of a lamp from the middle
WAITING = {"lower_arm.lean": 0.45, "upper_arm.bend": -0.25, "head.nod": -0.95}
NOD, UPWARD = (-1.38, -0.9), -1.3  # of a shade: how far it nods, and how it is where it strikes
AROUND: Quaternion = (0.0, 0.0, 1.0, 0.0)  # half a turn about y


def at_rest(id: str, name: str, stage: str, at: float) -> SpacetimeConstraint:
    """Ask a lamp to wait."""
    return SpacetimeConstraint(
        id=id, name=name, stage=stage, at=at, values=tuple(WAITING.items()), rates=tuple((dof, 0.0) for dof in WAITING)
    )


def lamp(id: str, name: str, z: float, before: float, after: float) -> Actor:
    """A lamp that strikes the ball after so many seconds, and waits again after others."""
    up = (SpacetimeCurve(of="head.nod", least=NOD[0], most=NOD[1]),)
    stages = tuple(
        SpacetimeStage(
            id=f"{id} {stage}", name=stage.capitalize(), pieces=round(length / 0.035), length=length, curves=up
        )
        for stage, length in (("swing", before), ("back", after))
    )
    opens = SpacetimeConstraint(
        id=f"{id} opens", name="Opens upward", stage=stages[0].id, quantity="value", of="head.nod", at=1.0,
        least=UPWARD, most=UPWARD,
    )  # fmt: skip
    meeting = SpacetimeMeeting(
        id=f"{id} strikes", name=f"{name} strikes the ball", stage=stages[0].id, at=1.0, joint="head", point=CUP,
        other="ball", other_joint="ball", blow=True,
    )  # fmt: skip
    plan = Spacetime(
        plane=ACROSS,
        stages=stages,
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in WAITING),
        constraints=(
            at_rest(f"{id} begins", "Wait", stages[0].id, 0.0),
            opens,
            at_rest(f"{id} ends", "Wait again", stages[1].id, 1.0),
        ),
        meetings=(meeting,),
    )  # fmt: skip
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0) if z < 0.0 else AROUND
    placement = Placement(position=(0.0, 0.0, z), rotation=rotation)
    return Actor(
        id=id, name=name, figure=load_figure("lamp"), placement=placement, layers=(Layer(id=f"{id} pose"),),
        parts=(plan,),
    )  # fmt: skip


def ball() -> Actor:
    """The ball: it falls from its apex to the left, and comes back there as fast."""
    dofs = (
        Dof(id="ball.z", name="Along", kind="slide", axis=(0.0, 0.0, 1.0)),
        Dof(id="ball.y", name="Up", kind="slide", axis=(0.0, 1.0, 0.0)),
        Dof(id="ball.turn", name="Turn", axis=(1.0, 0.0, 0.0)),
    )
    inertia = 0.4 * MASS * RADIUS**2
    body = Body(mass=MASS, inertia=(inertia, inertia, inertia, 0.0, 0.0, 0.0))
    shape = Ellipsoid(radii=(RADIUS, RADIUS, RADIUS))
    figure = Figure(name="Ball", joints=(Joint(id="ball", name="Ball", dofs=dofs, shapes=(shape,), body=body),))
    lengths = (("down", "Down", HALF), ("across", "Across", 2.0 * HALF), ("up", "Up again", HALF))
    stages = tuple(
        SpacetimeStage(id=id, name=name, pieces=round(length / 0.0875), length=length) for id, name, length in lengths
    )
    values = (("ball.z", 0.0), ("ball.y", APEX), ("ball.turn", 0.0))
    rates = (("ball.z", -SPEED), ("ball.y", 0.0), ("ball.turn", 0.0))
    begin = SpacetimeConstraint(id="thrown", name="Comes flying", stage="down", values=values, rates=rates)
    end = SpacetimeConstraint(
        id="again", name="Flies on as it came", stage="up", at=1.0, values=values[:2], rates=rates[:2]
    )
    plan = Spacetime(plane=ACROSS, stages=stages, constraints=(begin, end))
    return Actor(id="ball", name="Ball", figure=figure, layers=(Layer(id="ball pose"),), parts=(plan,))


def ball_play() -> Document:
    """Two lamps and a ball, which flies from one to the other and back."""
    actors = lamp("left", "Left lamp", -STAND, HALF, 3.0 * HALF), lamp("right", "Right lamp", STAND, 3.0 * HALF, HALF)
    return Document(actors=(*actors, ball()), play=Span(start=0, end=round(4.0 * HALF * SECOND)))


def kept_ball_play() -> Document:
    """The same with the motions that a search finds, as layers."""
    document = ball_play()
    made = coupled_motions(document, "ball")
    found = finish(made.steps())[0]
    assert found.report.solved, found.report
    for id, motion in made.motions(found.motion).items():
        layer = made.members[id].layer(motion, id=f"{id} planned")
        document = edit("keep_spacetime", actor=id, layer=layer, lengths=made.members[id].lengths(motion)).apply(
            document
        )
        document = document.with_actor(replace(document.actor(id), layers=(layer,)))
    return document
