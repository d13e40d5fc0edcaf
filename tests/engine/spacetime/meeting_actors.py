"""Balls that strike each other, as actors of a document whose plans meet."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Body, Document, Dof, Ellipsoid, Figure, Joint, Layer, Placement
from engine.document.values import Vector3
from engine.physics.parts import PhysicsWorld
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMeeting, SpacetimeStage


def ball(id: str, mass: float, *, at: Vector3 = (0.0, 0.0, 0.0)) -> Actor:
    """A ball of 10 cm that goes along x and y and turns."""
    dofs = (
        Dof(id=f"{id}.x", name="X", kind="slide", axis=(1.0, 0.0, 0.0)),
        Dof(id=f"{id}.y", name="Y", kind="slide", axis=(0.0, 1.0, 0.0)),
        Dof(id=f"{id}.turn", name="Turn", axis=(0.0, 0.0, 1.0)),
    )
    size, inertia = 0.05, 0.4 * mass * 0.05**2
    body = Body(mass=mass, inertia=(inertia, inertia, inertia, 0.0, 0.0, 0.0))
    joint = Joint(id=id, name=id.capitalize(), dofs=dofs, shapes=(Ellipsoid(radii=(size, size, size)),), body=body)
    return Actor(
        id=id, name=id.capitalize(), figure=Figure(name=id, joints=(joint,)), layers=(Layer(id=f"{id} pose"),),
        placement=Placement(position=at),
    )  # fmt: skip


def flight(actor: str, *, x: float, rate: float, longest: float | None = None) -> Spacetime:
    """Fly for a second, and for another one; begin at x, so fast."""
    stages = (
        SpacetimeStage(
            id=f"{actor} before", name="Before", pieces=2, length=1.0, least_length=longest and 0.2, most_length=longest
        ),
        SpacetimeStage(id=f"{actor} after", name="After", pieces=2, length=1.0),
    )
    values = {f"{actor}.x": (x, rate), f"{actor}.y": (0.0, 0.0), f"{actor}.turn": (0.0, 0.0)}
    begin = SpacetimeConstraint(
        id=f"{actor} begins", name="Begin", stage=stages[0].id,
        values=tuple((dof, value) for dof, (value, _) in values.items()),
        rates=tuple((dof, rate) for dof, (_, rate) in values.items()),
    )  # fmt: skip
    return Spacetime(stages=stages, constraints=(begin,))


def strike(**given: object) -> SpacetimeMeeting:
    """Have the light ball's right strike the heavy one's left."""
    usual: dict[str, object] = {
        "id": "strike", "name": "They strike", "stage": "light before", "joint": "light", "point": (0.05, 0.0, 0.0),
        "other": "heavy", "other_joint": "heavy", "other_point": (-0.05, 0.0, 0.0), "at": 1.0, "blow": True,
    }  # fmt: skip
    return SpacetimeMeeting(**{**usual, **given})  # type: ignore[arg-type]


def balls(*meetings: SpacetimeMeeting, off: float = 1.1, longest: float | None = None) -> Document:
    """A light ball that comes from the left and stops where it strikes a heavy one that rests; no weight."""
    light, heavy = ball("light", 1.0), ball("heavy", 4.0, at=(off, 0.0, 0.0))
    plan = flight("light", x=0.0, rate=1.0, longest=longest)
    stops = SpacetimeConstraint(id="stops", name="It stops", stage="light after", at=0.5, rates=(("light.x", 0.0),))
    plan = replace(plan, constraints=(*plan.constraints, stops), meetings=meetings or (strike(),))
    actors = light.with_part(plan), heavy.with_part(flight("heavy", x=0.0, rate=0.0, longest=longest))
    return Document(actors=actors, parts=(PhysicsWorld(gravity=0.0),))
