"""Problems of Winzell 2004: the falling ball, a double pendulum, a chain of three links, the desk lamp that leaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.spacetime.figures import Limb, LimbPoint, PlanarFigure, rod_chain
from engine.spacetime.problem import (
    HERMITE_CUBIC,
    Blow,
    Demand,
    FrictionCone,
    JointMuscle,
    MotionProblem,
    MotionStage,
    PointForce,
    Representation,
    demand_rate,
    demand_value,
)


def constant(value: float) -> Representation:
    """Represent a function by a number that is given."""
    return Representation(kind="constant", value=value)


NAILED = {"x": constant(0.0), "y": constant(0.0)}


def falling_ball(*, pieces: int = 3, height: float = 10.0) -> MotionProblem:
    """A ball that is let go (3.2, 3.3; there with G along the other direction)."""
    ball = PlanarFigure((Limb(name="ball", mass=2.0, centre=(0.0, 0.0), gyration=0.1),))
    fall = MotionStage(name="fall", pieces=pieces, length=1.0, coordinates={"x": constant(0.0), "ball": constant(0.0)})
    demands = (demand_value("fall", "y", height, at=0.0), demand_rate("fall", "y", 0.0, at=0.0))
    return MotionProblem(figure=ball, stages=(fall,), demands=demands)


def double_pendulum(*, pieces: int = 6) -> MotionProblem:
    """Two rods that swing from rest (4.15, 4.16): an initial-value problem (figure 3)."""
    figure = rod_chain((1.0, 1.0), (1.0, 1.0))
    swing = MotionStage(name="swing", pieces=pieces, length=1.0, coordinates=NAILED)
    demands = (
        demand_value("swing", "rod 1", -np.pi / 4.0, at=0.0),
        demand_rate("swing", "rod 1", 0.0, at=0.0),
        demand_value("swing", "rod 2", -np.pi / 2.0, at=0.0),
        demand_rate("swing", "rod 2", 0.0, at=0.0),
    )
    return MotionProblem(figure=figure, stages=(swing,), demands=demands)


def controlled_pendulum(*, pieces: int = 6) -> MotionProblem:
    """That pendulum with a muscle in the joint between the rods, which shall be aligned in the end (4.17)."""
    free = double_pendulum(pieces=pieces)
    swing = MotionStage(name="swing", pieces=pieces, length=1.0, coordinates=NAILED, muscles={"rod 2": HERMITE_CUBIC})
    demands = (
        *free.demands,
        demand_value("swing", "rod 2", 0.0, at=1.0),
        demand_rate("swing", "rod 2", 0.0, at=1.0),
    )
    return MotionProblem(figure=free.figure, stages=(swing,), demands=demands, muscles=(JointMuscle(limb="rod 2"),))


def link_chain(*, pieces: int = 10, mass: float = 1.0) -> MotionProblem:
    """Three links, two metres in all, that straighten from hanging to the right in half a second (figure 4)."""
    figure = rod_chain((2.0 / 3.0,) * 3, (mass / 3.0,) * 3)
    names = figure.coordinates[2:]
    turning = Representation(least=-np.pi, most=np.pi)
    stretch = MotionStage(
        name="stretch",
        pieces=pieces,
        length=0.5,
        coordinates={**NAILED, **dict.fromkeys(names, turning)},
        muscles=dict.fromkeys(names, HERMITE_CUBIC),
    )
    begins = [demand_value("stretch", name, -np.pi / 2.0 if at == 0 else 0.0, at=0.0) for at, name in enumerate(names)]
    ends = [demand_value("stretch", name, 0.0, at=1.0) for name in names]
    rests = [demand_rate("stretch", name, 0.0, at=time) for name in names for time in (0.0, 1.0)]
    return MotionProblem(
        figure=figure,
        stages=(stretch,),
        demands=(*begins, *ends, *rests),
        muscles=tuple(JointMuscle(limb=name) for name in names),
    )


LAMP = PlanarFigure(
    (
        Limb(name="base", mass=1.2, centre=(0.0, 0.02), gyration=0.06),
        Limb(name="lower arm", parent="base", joint=(0.0, 0.04), mass=0.25, centre=(0.15, 0.0), gyration=0.0866),
        Limb(name="upper arm", parent="lower arm", joint=(0.3, 0.0), mass=0.25, centre=(0.15, 0.0), gyration=0.0866),
        Limb(name="head", parent="upper arm", joint=(0.3, 0.0), mass=0.4, centre=(0.05, 0.0), gyration=0.06),
    )
)
HEEL, TOE = LimbPoint("base", (-0.1, 0.0)), LimbPoint("base", (0.1, 0.0))
CROUCH = {"lower arm": np.radians(125.0), "upper arm": np.radians(-90.0), "head": np.radians(-60.0)}
LAMP_BOUNDS = {
    "lower arm": Representation(least=np.radians(30.0), most=np.radians(150.0)),
    "upper arm": Representation(least=np.radians(-120.0), most=np.radians(-15.0)),
    "head": Representation(least=np.radians(-90.0), most=np.radians(30.0)),
}


def lamp_leap(distance: float = 0.4, *, pieces: int = 12, hardest: float = np.inf) -> MotionProblem:
    """A desk lamp that leaps (figures 5 and 6): it stands, flies, and stands again.

    Its base is nailed where it stands. The landing is three blows: friction at the middle, and one up at each edge of
    the base, none of which pulls. The sizes are of a lamp 70 cm high; the source does not say its own. Torques are hat
    functions: as Hermite cubics they oscillate between the trial functions, which costs four times the pieces.
    `hardest` bounds each blow of the floor [N s]: a gentle landing.
    """
    muscles = {name: Representation(kind="hat") for name in CROUCH}

    def standing(name: str, at: float, length: float) -> MotionStage:
        nailed = {"x": constant(at), "y": constant(0.0), "base": constant(0.0)}
        return MotionStage(
            name=name, pieces=pieces, length=length, coordinates={**nailed, **LAMP_BOUNDS}, muscles=muscles
        )

    push = Representation(kind="single", least=0.0, most=hardest)
    flight = MotionStage(
        name="flight",
        pieces=pieces,
        length=0.35,
        coordinates=LAMP_BOUNDS,
        muscles=muscles,
        blows={"heel": push, "toe": push, "friction": Representation(kind="single")},
    )
    above = [
        Demand(stage="flight", quantity="point", point=point, direction=(0.0, 1.0), until=1.0, least=0.0)
        for point in (HEEL, TOE)
    ]
    poses = [
        demand
        for stage, at in (("take-off", 0.0), ("landing", 1.0))
        for name, angle in CROUCH.items()
        for demand in (demand_value(stage, name, angle, at=at), demand_rate(stage, name, 0.0, at=at))
    ]
    return MotionProblem(
        figure=LAMP,
        stages=(standing("take-off", 0.0, 0.4), flight, standing("landing", distance, 0.4)),
        demands=(*poses, *above),
        muscles=tuple(JointMuscle(limb=name) for name in CROUCH),
        blows=(
            Blow(name="heel", point=HEEL, direction=(0.0, 1.0)),
            Blow(name="toe", point=TOE, direction=(0.0, 1.0)),
            Blow(name="friction", point=LimbPoint("base"), direction=(1.0, 0.0)),
        ),
    )


def kneel(*, pieces: int = 8, gravity: float = 9.81) -> MotionProblem:
    """Shin, thigh and trunk on a foot that stands, which go down to a crouch in as long as they like (4.4.1)."""
    figure = rod_chain((0.45, 0.45, 0.5), (4.0, 8.0, 30.0))
    standing, crouching = np.radians([80.0, 25.0, -20.0]), np.radians([55.0, 95.0, -85.0])
    bounds = np.radians([[30.0, 120.0], [0.0, 140.0], [-130.0, 10.0]])
    names = figure.coordinates[2:]
    down = MotionStage(
        name="down",
        pieces=pieces,
        length=0.5,
        least_length=0.1,
        most_length=3.0,
        coordinates={
            **NAILED,
            **{name: Representation(least=low, most=high) for name, (low, high) in zip(names, bounds, strict=True)},
        },
        muscles={name: Representation(kind="hat") for name in names},
    )
    demands = [
        demand
        for at, pose in ((0.0, standing), (1.0, crouching))
        for name, angle in zip(names, pose, strict=True)
        for demand in (demand_value("down", name, angle, at=at), demand_rate("down", name, 0.0, at=at))
    ]
    muscles = tuple(JointMuscle(limb=name) for name in names)
    return MotionProblem(figure=figure, stages=(down,), demands=tuple(demands), muscles=muscles, gravity=gravity)


def standing_leap(distance: float = 0.4, *, pieces: int = 12, friction: float = 0.6) -> MotionProblem:
    """The lamp's leap with a base that is not nailed: the floor pushes at its edges, and holds it by friction alone."""
    nailed = lamp_leap(distance, pieces=pieces)
    pushing = {name: Representation(kind="hat") for name in ("heel force", "toe force", "grip")}

    def standing(stage: MotionStage) -> MotionStage:
        held = {
            name: replace(given, kind="held") if given.kind == "constant" else given
            for name, given in stage.coordinates.items()
        }
        return replace(stage, coordinates=held, forces=pushing)

    up, along = (0.0, 1.0), (1.0, 0.0)
    forces = ("heel force", "toe force")
    cones = [
        FrictionCone(stage=name, normals=forces, tangent="grip", friction=friction) for name in ("take-off", "landing")
    ]
    cones.append(FrictionCone(stage="flight", normals=("heel", "toe"), tangent="friction", friction=friction))
    first, flight, last = nailed.stages
    return replace(
        nailed,
        stages=(standing(first), flight, standing(last)),
        forces=(
            PointForce(name="heel force", point=HEEL, direction=up),
            PointForce(name="toe force", point=TOE, direction=up),
            PointForce(name="grip", point=LimbPoint("base"), direction=along),
        ),
        cones=tuple(cones),
    )
