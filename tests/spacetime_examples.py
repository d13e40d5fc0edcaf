"""Examples of planned motions: what each asks for, and the motion that a search finds for it, kept as a layer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.document import Actor, Body, Box, Capsule, Document, Dof, Ellipsoid, Figure, Joint, Layer, Placement, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.shapes import Shape
from engine.document.values import Vector3
from engine.edits import edit
from engine.formats.figure_toml import load_figure
from engine.runtime.progress import finish
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeConstraint,
    SpacetimeContact,
    SpacetimeMuscle,
    SpacetimeStage,
)
from engine.spacetime.planned import compiled

EDGES: tuple[Vector3, Vector3] = ((0.0, 0.0, -0.085), (0.0, 0.0, 0.085))  # [m] of the lamp's base
RIM: tuple[Vector3, Vector3] = ((0.0, 0.128, -0.084), (0.0, 0.128, 0.084))  # [m] of its shade
CROUCH = {"lower_arm.lean": 0.5, "upper_arm.bend": 0.6, "head.nod": -0.2}
STANDS = {"base.z": 0.0, "base.y": 0.0, "base.tip": 0.0}


def pose(id: str, name: str, stage: str, at: float, values: Mapping[str, float]) -> SpacetimeConstraint:
    """Ask for a pose, at rest."""
    rates = tuple((dof, 0.0) for dof in values)
    return SpacetimeConstraint(id=id, name=name, stage=stage, at=at, values=tuple(values.items()), rates=rates)


def leaping_lamp() -> Figure:
    """The desk lamp with a base that goes up, forward and tips."""
    lamp = load_figure("lamp")
    free = (
        Dof(id="base.z", name="Forward", kind="slide", axis=(0.0, 0.0, 1.0)),
        Dof(id="base.y", name="Up", kind="slide", axis=(0.0, 1.0, 0.0)),
        Dof(id="base.tip", name="Tip", axis=(1.0, 0.0, 0.0)),
    )
    return replace(lamp, joints=(replace(lamp.joints[0], dofs=free), *lamp.joints[1:]))


def lamp_leap(
    distance: float = 0.4, *, pieces: int = 12, hardest: float | None = None, clear: bool = False
) -> Document:
    """A desk lamp that leaps forward: it pushes off, flies and lands, its base nailed while it stands (figure 5); its
    shade `clear` of the ground."""
    edges = tuple(SpacetimeContact(joint="base", point=each) for each in EDGES)
    stages = (
        SpacetimeStage(id="push", name="Take-off", pieces=pieces, length=0.4, nailed=True, contacts=edges),
        SpacetimeStage(id="fly", name="Flight", pieces=pieces, length=0.35, impact=True, hardest=hardest),
        SpacetimeStage(id="land", name="Landing", pieces=pieces, length=0.4, nailed=True, contacts=edges),
    )
    above = tuple(
        SpacetimeConstraint(
            id=f"above-{side}", name=f"The {side} stays above the ground", stage="fly", quantity="point", joint="base",
            point=point, least=0.0, until=1.0,
        )
        for side, point in zip(("back", "front"), EDGES, strict=True)
    )  # fmt: skip
    above += tuple(
        SpacetimeConstraint(
            id=f"shade-{stage.id}-{side}", name="The shade stays clear of the ground", stage=stage.id, quantity="point",
            joint="head", point=point, least=0.01, until=1.0,
        )
        for stage in (stages if clear else ())
        for side, point in zip(("back", "front"), RIM, strict=True)
    )  # fmt: skip
    landing = SpacetimeConstraint(
        id="there", name="Land here", stage="land", quantity="point", joint="base", position=(0.0, 0.0, distance)
    )
    plan = Spacetime(
        plane=(1.0, 0.0, 0.0),
        stages=stages,
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in CROUCH),
        constraints=(
            pose("start", "Crouch", "push", 0.0, {**CROUCH, **STANDS}),
            *above,
            landing,
            pose("end", "Crouch again", "land", 1.0, {**CROUCH, "base.tip": 0.0}),
        ),
    )
    return scene(leaping_lamp(), "lamp", "Desk lamp", plan)


def scene(figure: Figure, id: str, name: str, plan: Spacetime, *, position: Vector3 = (0.0, 0.0, 0.0)) -> Document:
    """One figure with a plan."""
    layers = (Layer(id="pose"),)
    actor = Actor(id=id, name=name, figure=figure, placement=Placement(position=position), layers=layers, parts=(plan,))
    return Document(actors=(actor,), play=Span(start=0, end=plan.end))


def rods(name: str, lengths: Sequence[float], masses: Sequence[float], *, stand: Shape, radius: float = 0.03) -> Figure:
    """Rods, each at the end of the one before, that lie along x where their angles are nothing and swing about z; the
    first of them on something that stands still."""
    joints = [Joint(id="stand", name="Stand", shapes=(stand,), body=Body(mass=0.0))]
    for at, (length, mass) in enumerate(zip(lengths, masses, strict=True)):
        across = mass * length**2 / 12.0
        joints.append(
            Joint(
                id=f"rod{at + 1}",
                name=f"Rod {at + 1}",
                parent=joints[-1].id,
                offset=(lengths[at - 1] if at else 0.0, 0.0, 0.0),
                dofs=(Dof(id=f"rod{at + 1}.swing", name="Swing", axis=(0.0, 0.0, 1.0), lower=-math.pi, upper=math.pi),),
                shapes=(Capsule(start=(0.0, 0.0, 0.0), end=(length, 0.0, 0.0), radius=radius),),
                body=Body(mass=mass, centre=(length / 2.0, 0.0, 0.0), inertia=(0.0, across, across, 0.0, 0.0, 0.0)),
            )
        )
    return Figure(name=name, joints=tuple(joints))


HOOK = Box(half=(0.05, 0.05, 0.05), rounding=0.01)
FOOT = Box(half=(0.13, 0.03, 0.05), centre=(0.06, -0.02, 0.0), rounding=0.02)


def pendulum(*, controlled: bool = True, pieces: int = 12) -> Document:
    """A double pendulum that swings from rest; with a muscle between its rods, which are in line in the end."""
    swing = SpacetimeStage(id="swing", name="Swing", pieces=pieces, length=1.0)
    begin = pose("start", "Let go", "swing", 0.0, {"rod1.swing": -math.pi / 4.0, "rod2.swing": -math.pi / 2.0})
    end = pose("end", "In line", "swing", 1.0, {"rod2.swing": 0.0})
    plan = Spacetime(
        stages=(swing,),
        muscles=(SpacetimeMuscle(dof="rod2.swing"),) if controlled else (),
        constraints=(begin, end) if controlled else (begin,),
    )
    name = "Double pendulum"
    return scene(rods(name, (1.0, 1.0), (1.0, 1.0), stand=HOOK), "pendulum", name, plan, position=(0.0, 2.2, 0.0))


def chain(*, pieces: int = 10) -> Document:
    """Three links that straighten from hanging to the right in half a second (figure 4)."""
    stretch = SpacetimeStage(id="stretch", name="Stretch", pieces=pieces, length=0.5)
    figure = rods("Chain", (2.0 / 3.0,) * 3, (1.0 / 3.0,) * 3, stand=HOOK)
    names = [dof.id for dof in figure.dofs]
    plan = Spacetime(
        stages=(stretch,),
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in names),
        constraints=(
            pose("start", "Hanging", "stretch", 0.0, dict(zip(names, (-math.pi / 2.0, 0.0, 0.0), strict=True))),
            pose("end", "Straight", "stretch", 1.0, dict.fromkeys(names, 0.0)),
        ),
        guesses=5,
    )
    return scene(figure, "chain", "Chain", plan, position=(0.0, 2.2, 0.0))


def kneel(*, pieces: int = 8) -> Document:
    """Shin, thigh and trunk on a foot that stands, which go down in as long as they like (4.4.1)."""
    figure = rods("Kneeling legs", (0.45, 0.45, 0.5), (4.0, 8.0, 30.0), stand=FOOT, radius=0.05)
    bounds = ((30.0, 120.0), (0.0, 140.0), (-130.0, 10.0))
    names = ("Shin", "Thigh", "Trunk")
    joints = tuple(
        replace(
            joint,
            name=name,
            dofs=(replace(joint.dofs[0], lower=math.radians(low), upper=math.radians(high)),),
        )
        for joint, name, (low, high) in zip(figure.joints[1:], names, bounds, strict=True)
    )
    dofs = [joint.dofs[0].id for joint in joints]
    head = Ellipsoid(radii=(0.1, 0.09, 0.08), centre=(0.63, 0.0, 0.0))
    joints = (*joints[:-1], replace(joints[-1], shapes=(*joints[-1].shapes, head)))
    down = SpacetimeStage(id="down", name="Down", pieces=pieces, length=0.5, least_length=0.1, most_length=3.0)
    standing, kneeling = np.radians([80.0, 25.0, -20.0]).tolist(), np.radians([55.0, 95.0, -85.0]).tolist()
    plan = Spacetime(
        stages=(down,),
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in dofs),
        constraints=(
            pose("start", "Standing", "down", 0.0, dict(zip(dofs, standing, strict=True))),
            pose("end", "Kneeling", "down", 1.0, dict(zip(dofs, kneeling, strict=True))),
        ),
    )
    return scene(
        replace(figure, joints=(figure.joints[0], *joints)), "legs", "Kneeling legs", plan, position=(0.0, 0.05, 0.0)
    )


def falling_ball(*, pieces: int = 3, height: float = 10.0) -> Document:
    """A ball that is let go, and falls as nothing else lets it (3.2)."""
    free = tuple(
        Dof(id=f"ball.{name}", name=name, kind="slide", axis=axis)
        for name, axis in (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)))
    )
    body = Body(mass=2.0, inertia=(0.02, 0.02, 0.02, 0.0, 0.0, 0.0))
    shape = Ellipsoid(radii=(0.1, 0.1, 0.1))
    figure = Figure(name="Ball", joints=(Joint(id="ball", name="Ball", dofs=free, shapes=(shape,), body=body),))
    fall = SpacetimeStage(id="fall", name="Fall", pieces=pieces, length=1.0)
    plan = Spacetime(
        stages=(fall,), constraints=(pose("start", "Let go", "fall", 0.0, {"ball.x": 0.0, "ball.y": height}),)
    )
    return scene(figure, "ball", "Ball", plan)


def two_legs(*, pieces: int = 4) -> Document:
    """A trunk on two legs, which bends its knees a little while heels and toes stand on the ground."""
    about = (0.0, 0.0, 1.0)
    free = (
        Dof(id="trunk.x", name="Along", kind="slide", axis=(1.0, 0.0, 0.0)),
        Dof(id="trunk.y", name="Up", kind="slide", axis=(0.0, 1.0, 0.0)),
        Dof(id="trunk.tip", name="Tip", axis=about),
    )
    trunk = Body(mass=30.0, centre=(0.0, 0.25, 0.0), inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    joints = [Joint(id="trunk", name="Trunk", dofs=free, body=trunk)]
    for side in ("left", "right"):
        above = "trunk"
        for part, drop, mass, centre in (
            ("thigh", 0.0, 7.0, -0.2),
            ("shin", -0.4, 3.0, -0.2),
            ("foot", -0.4, 1.0, 0.0),
        ):
            id, turning = f"{side}_{part}", 0.02 * mass
            joints.append(
                Joint(
                    id=id, name=f"{side} {part}".capitalize(), parent=above, offset=(0.0, drop, 0.0),
                    dofs=(Dof(id=f"{id}.bend", name="Bend", axis=about),),
                    body=Body(mass=mass, centre=(0.0, centre, 0.0), inertia=(turning,) * 3 + (0.0,) * 3),
                )
            )  # fmt: skip
            above = id
    dofs = [joint.dofs[0].id for joint in joints[1:]]

    def bent(id: str, name: str, at: float, hip: float) -> SpacetimeConstraint:
        values = {"trunk.x": 0.0, "trunk.y": 0.8 * math.cos(hip), "trunk.tip": 0.0}
        values |= dict(zip(dofs, (hip, -2.0 * hip, hip) * 2, strict=True))
        return pose(id, name, "down", at, values)

    soles = tuple(
        SpacetimeContact(joint=f"{side}_foot", point=(along, 0.0, 0.0))
        for side in ("left", "right")
        for along in (-0.1, 0.1)
    )
    down = SpacetimeStage(id="down", name="Down", pieces=pieces, length=0.4, contacts=soles)
    plan = Spacetime(
        stages=(down,),
        muscles=tuple(SpacetimeMuscle(dof=dof) for dof in dofs),
        constraints=(bent("start", "Standing", 0.0, 0.3), bent("end", "Lower", 1.0, 0.5)),
    )
    return scene(Figure(name="Two legs", joints=tuple(joints)), "legs", "Two legs", plan)


def kept(document: Document) -> Document:
    """The document with the best motion that a search finds, as a layer."""
    made = compiled(document, document.actors[0].id)
    found = finish(made.steps())[0]
    assert found.report.solved, found.report
    layer, lengths = made.layer(found.motion, id="planned"), made.lengths(found.motion)
    document = edit("keep_spacetime", actor=made.actor.id, layer=layer, lengths=lengths).apply(document)
    actor = replace(document.actors[0], layers=(layer,))
    return replace(
        document, actors=(actor, *document.actors[1:]), play=Span(start=0, end=made.end(found.motion) + SECOND // 4)
    )


LEAPS: dict[str, Callable[[], Document]] = {
    "lamp_leap": lambda: kept(lamp_leap(0.4, clear=True)),
    "long_leap": lambda: kept(lamp_leap(0.6, hardest=2.0, clear=True)),
    "pendulum": lambda: kept(pendulum()),
    "links": lambda: kept(chain()),
    "kneel": lambda: kept(kneel()),
}
"""Those that ship, by name."""
