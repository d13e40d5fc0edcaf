"""Examples of motions that are planned in space: a ball that falls, and an arm that throws one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.document import (
    Actor,
    Body,
    Box,
    Capsule,
    Document,
    Ellipsoid,
    Figure,
    Joint,
    Key,
    Layer,
    Placement,
    Span,
    Track,
)
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.props import prop
from engine.document.shapes import Shape
from engine.document.values import Vector3
from engine.physics.parts import Physics
from engine.runtime.progress import finish
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMuscle, SpacetimeStage
from engine.spacetime.planned import CompiledMotion, compiled
from engine.spacetime.spatial.examples import throwing_arm
from tests.spacetime_examples import kept, pose

FROM: Vector3 = (-1.5, 1.6, 0.0)  # [m]
THROWN: Vector3 = (2.6, 3.2, 0.4)  # [m/s]
SPUN: Vector3 = (0.0, 0.6, -5.0)  # [rad/s]
FALLS = 0.96  # [s], until it comes to the ground

PALM: Vector3 = (0.0, -0.12, 0.075)  # [m] in the hand: the middle of the ball that it throws
RELEASE: Vector3 = (0.3, 3.0, 2.7)  # [m/s]
SWINGS, RESTS = 0.875, 0.75  # [s], whole frames
BALL = 0.06  # [m]
STRAIGHT = 0.01  # [s]
STRONGEST = 9.0  # [N m] of the shoulder as it swings the arm


def falling_ball() -> Document:
    """A ball that is thrown off a post, tumbles, and falls as nothing else lets it (3.2): a parabola, and a turn about
    one of its main axes, which stays."""
    figure = prop("Ball", (Ellipsoid(radii=(0.2, 0.13, 0.13)),))
    names = figure.coordinates
    moving = (*THROWN, 0.0, *(0.5 * each for each in SPUN))  # of a quaternion of no turn: half the angular velocity
    begin = SpacetimeConstraint(
        id="begin", name="Begin", stage="fall", values=tuple(zip(names, (*FROM, 1.0, 0.0, 0.0, 0.0), strict=True)),
        rates=tuple(zip(names, moving, strict=True)),
    )  # fmt: skip
    fall = SpacetimeStage(id="fall", name="Fall", pieces=13, length=FALLS)
    plan = Spacetime(plane=None, stages=(fall,), constraints=(begin,))
    actor = Actor(id="ball", name="Ball", figure=figure, layers=(Layer(id="pose"),), parts=(plan,))
    foot, high = Box(half=(0.16, 0.02, 0.16), centre=(0.0, 0.02, 0.0), rounding=0.012), FROM[1] - 0.15
    column = Capsule(start=(0.0, 0.04, 0.0), end=(0.0, high - 0.03, 0.0), radius=0.04)
    post = prop("Post", (foot, column), fixed=True)
    lands = tuple(place + speed * FALLS for place, speed in zip(FROM, THROWN, strict=True))
    return Document(
        actors=(
            actor,
            Actor(id="post", name="Post", figure=post, placement=Placement(position=(FROM[0], 0.0, FROM[2]))),
            _mark((lands[0], 0.0, lands[2])),
        ),
        play=Span(start=0, end=plan.end),
    )


def throwing_figure() -> Figure:
    """The arm of the engine's own problem on a stand, with shapes."""
    arm = throwing_arm()
    upper, lower, hand = arm.joints
    pole = (
        Box(half=(0.17, 0.025, 0.17), centre=(-0.22, 0.025, 0.0), rounding=0.012),
        Capsule(start=(-0.22, 0.03, 0.0), end=(-0.22, 1.5, 0.0), radius=0.035),
        Capsule(start=(-0.22, 1.5, 0.0), end=(-0.04, 1.5, 0.0), radius=0.035),
    )
    shapes: dict[str, tuple[Shape, ...]] = {
        "upper": (Ellipsoid(radii=(0.065, 0.065, 0.065)), Capsule(start=(0, 0, 0), end=(0, -0.3, 0), radius=0.045)),
        "lower": (Ellipsoid(radii=(0.05, 0.05, 0.05)), Capsule(start=(0, 0, 0), end=(0, -0.27, 0), radius=0.036)),
        "hand": (
            Box(half=(0.042, 0.06, 0.014), centre=(0.0, -0.075, 0.0), rounding=0.012),
            *(Capsule(start=(x, -0.13, 0.0), end=(x, -0.17, 0.035), radius=0.011) for x in (-0.03, 0.0, 0.03)),
            Capsule(start=(0.045, -0.05, 0.0), end=(0.06, -0.08, 0.04), radius=0.012),
        ),
    }
    stand = Joint(id="stand", name="Stand", shapes=pole, body=Body(mass=0.0))
    parents = {"upper": "stand", "lower": "upper", "hand": "lower"}
    made = (replace(each, parent=parents[each.id], shapes=shapes[each.id]) for each in (upper, lower, hand))
    return replace(arm, joints=(stand, *made))


def throw(*, pieces: tuple[int, int] = (24, 20)) -> Document:
    """An arm that hangs, throws with a velocity in space, and comes to rest again."""
    figure = throwing_figure()
    dofs = [dof.id for dof in figure.dofs]
    hang = dict.fromkeys(dofs, 0.0)
    stages = (
        SpacetimeStage(id="throw", name="Throw", pieces=pieces[0], length=SWINGS),
        SpacetimeStage(id="rest", name="Follow-through", pieces=pieces[1], length=RESTS),
    )
    plan = Spacetime(
        plane=None,
        stages=stages,
        muscles=tuple(
            SpacetimeMuscle(dof=dof, least=-STRONGEST, most=STRONGEST) if dof == "swing" else SpacetimeMuscle(dof=dof)
            for dof in dofs
        ),
        constraints=(
            pose("begin", "Hanging", "throw", 0.0, hang),
            SpacetimeConstraint(
                id="release", name="Release", stage="throw", quantity="point_velocity", joint="hand", point=PALM,
                position=RELEASE, at=1.0,
            ),
            pose("end", "Hanging again", "rest", 1.0, hang),
        ),
        smoothness=1e-3,
    )  # fmt: skip
    actor = Actor(id="arm", name="Arm", figure=figure, layers=(Layer(id="pose"),), parts=(plan,))
    return Document(actors=(actor,), play=Span(start=0, end=plan.end))


def thrown() -> Document:
    """It with the motion that was found, and the ball: in the hand until it is let go, and then left to physics."""
    document = throw()
    made = compiled(document, "arm")
    found = finish(made.steps())[0]
    assert found.report.solved, found.report
    whole = kept(document)
    arm = whole.actors[0].with_part(Physics(role="none"))  # its fingers are open: they do not push the ball any more
    ball, released = prop("Ball", (Ellipsoid(radii=(BALL, BALL, BALL)),)), round(SWINGS * SECOND)
    tracks = tuple(
        Track(coordinate=f"body.move_{letter}", keys=tuple(_carried(made, found.motion, axis)))
        for axis, letter in enumerate("xyz")
    )
    actor = Actor(
        id="ball", name="Ball", figure=ball, layers=(Layer(id="held", name="In the hand", tracks=tracks),),
        parts=(Physics(start=released),),
    )  # fmt: skip
    x, y, z = made.point(found.motion, SWINGS, "hand", PALM)
    falls = (RELEASE[1] + math.sqrt(RELEASE[1] ** 2 + 2.0 * 9.80665 * (y - BALL))) / 9.80665
    lands = (x + falls * RELEASE[0], 0.0, z + falls * RELEASE[2])
    end = round((SWINGS + RESTS + 1.0) * SECOND)
    return replace(whole, actors=(arm, actor, _mark(lands)), play=Span(start=0, end=end))


def _mark(position: Vector3) -> Actor:
    """A plate on the ground, where something is to come down."""
    figure = prop("Mark", (Box(half=(0.25, 0.01, 0.25), rounding=0.008),), fixed=True)
    return Actor(id="mark", name="Mark", figure=figure, placement=Placement(position=position))


def _carried(made: CompiledMotion, motion: object, axis: int) -> list[Key]:
    """Keys of a coordinate of the ball's middle while the hand has it, with the slopes of its path. The last steps go
    straight, as fast as it is let go, for physics takes its speed from differences."""

    def place(seconds: float) -> float:
        return made.point(motion, seconds, "hand", PALM)[axis]

    def key(seconds: float, value: float, slope: float) -> Key:
        return Key(round(seconds * SECOND), value, tangent="free", slope_in=slope, slope_out=slope)

    small, last, speed = 1e-5, place(SWINGS), RELEASE[axis]
    keys = [key(0.0, place(0.0), 0.0)]
    for seconds in np.linspace(0.0, SWINGS, 43)[1:-1].tolist():
        keys.append(key(seconds, place(seconds), (place(seconds + small) - place(seconds - small)) / (2.0 * small)))
    return [*keys, key(SWINGS - STRAIGHT, last - STRAIGHT * speed, speed), key(SWINGS, last, speed)]


THROWN_EXAMPLES: dict[str, Callable[[], Document]] = {"fall": lambda: kept(falling_ball()), "throw": thrown}
"""Those that ship, by name."""
