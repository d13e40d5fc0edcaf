"""Problems in space: an arm that throws, and a leap over a bar from one standing pose to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.document.figure import Body, Dof, Figure, Joint
from engine.document.values import Vector3
from engine.spacetime.problem import MotionStage, Representation
from engine.spacetime.spatial.contacts import FloorContact, with_contacts
from engine.spacetime.spatial.problem import SpatialDemand, SpatialProblem
from engine.spacetime.spatial.strengths import even_muscles, even_steadiness
from engine.spacetime.spatial.tree import BodyPoint, SpatialFigure, spatial_figure

HAND = BodyPoint("hand", (0.0, -0.1, 0.0))
_HAT = Representation(kind="hat")
_AXES: tuple[Vector3, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def throwing_arm() -> Figure:
    """An arm that hangs from a shoulder of three hinges, with an elbow, a forearm that turns, and a wrist; a ball in
    its hand."""

    def hinge(id: str, axis: Vector3, lower: float, upper: float) -> Dof:
        return Dof(id=id, name=id, axis=axis, lower=lower, upper=upper)

    def rod(mass: float, length: float, radius: float) -> Body:
        across, along = mass * (length**2 / 12.0 + radius**2 / 4.0), mass * radius**2 / 2.0
        return Body(mass=mass, centre=(0.0, -length / 2.0, 0.0), inertia=(across, along, across, 0.0, 0.0, 0.0))

    x, y, z = _AXES
    shoulder = (hinge("swing", x, -3.0, 1.0), hinge("raise", z, -0.5, 2.2), hinge("twist", y, -1.5, 1.5))
    return Figure(
        name="Throwing arm",
        joints=(
            Joint(id="upper", name="Upper arm", offset=(0.0, 1.5, 0.0), dofs=shoulder, body=rod(2.0, 0.3, 0.063)),
            Joint(
                id="lower",
                name="Forearm",
                parent="upper",
                offset=(0.0, -0.3, 0.0),
                dofs=(hinge("bend", x, -2.4, 0.0), hinge("turn", y, -1.4, 1.4)),
                body=rod(1.2, 0.28, 0.05),
            ),
            Joint(
                id="hand",
                name="Hand",
                parent="lower",
                offset=(0.0, -0.28, 0.0),
                dofs=(hinge("flick", x, -1.2, 1.2),),
                body=Body(mass=0.9, centre=(0.0, -0.1, 0.033), inertia=(0.003, 0.002, 0.002, 0.0, 0.0, 0.0)),
            ),
        ),
    )


def arm_throw(velocity: Vector3 = (0.5, 2.0, 5.0), *, seconds: float = 0.6, pieces: int = 10) -> SpatialProblem:
    """The hand hangs still, and lets go with a velocity after some time."""
    figure = spatial_figure(throwing_arm())
    stage = MotionStage(
        name="throw",
        pieces=pieces,
        length=seconds,
        coordinates=limited(figure),
        muscles=dict.fromkeys(figure.coordinates, _HAT),
    )
    demands = [each for name in figure.coordinates for each in still("throw", name, 0.0, at=0.0)]
    for axis, speed in zip(_AXES, velocity, strict=True):
        demands.append(
            SpatialDemand(
                stage="throw", quantity="point rate", point=HAND, direction=axis, at=1.0, least=speed, most=speed
            )
        )
    return SpatialProblem(
        figure=figure, stages=(stage,), demands=tuple(demands), muscles=even_muscles(figure, figure.coordinates)
    )


def leap_over(
    figure: SpatialFigure,
    stand: Mapping[str, float],
    land: Mapping[str, float],
    feet: Sequence[Sequence[tuple[BodyPoint, Vector3, Vector3]]],
    height: float,
    *,
    lengths: tuple[float, float, float] = (0.5, 0.55, 0.5),
    pieces: tuple[int, int, int] = (8, 8, 8),
    friction: float = 0.8,
) -> SpatialProblem:
    """From a pose at rest over a bar of a height to another: push off, fly, land, rise.

    `feet` are points with the places where they stand before and after. They are held while they stand, and are above
    the bar in the middle of the flight. How long the flight lasts is free.
    """
    names = ("push", "flight", "landing")
    coordinates, own = limited(figure), root_count(figure)
    muscles = dict.fromkeys(figure.coordinates[own:], _HAT)
    stages = [
        MotionStage(name=name, pieces=count, length=length, coordinates=coordinates, muscles=muscles)
        for name, count, length in zip(names, pieces, lengths, strict=True)
    ]
    stages[1] = replace(stages[1], least_length=0.6 * lengths[1], most_length=1.6 * lengths[1])
    demands: list[SpatialDemand] = []
    for stage, pose, at in (("push", stand, 0.0), ("landing", land, 1.0)):
        values = figure.at(pose)
        for i, name in enumerate(figure.coordinates):
            demands += still(stage, name, float(values[i]), at=at)
    points = [each for foot in feet for each in foot]
    for point, here, there in points:
        for share in (0.375, 0.5, 0.625):
            ground = here[1] + share * (there[1] - here[1])
            demands.append(
                SpatialDemand(stage="flight", quantity="point", point=point, at=share, least=ground + height)
            )
    whole = SpatialProblem(
        figure=figure,
        stages=tuple(stages),
        demands=tuple(demands),
        muscles=even_muscles(figure, figure.coordinates[own:]),
        pressing=1e-3 / (figure.mass * 9.81) ** 2,
        steadiness=even_steadiness(figure),
    )
    first, last = (
        [
            FloorContact(name=f"foot {at}", point=point, place=place, friction=friction)
            for at, (point, place) in enumerate(zip((each[0] for each in points), places, strict=True))
        ]
        for places in ([each[1] for each in points], [each[2] for each in points])
    )
    return with_contacts(whole, (("push", first), ("landing", last)))


def still(stage: str, name: str, value: float, *, at: float) -> tuple[SpatialDemand, SpatialDemand]:
    """Demand that a coordinate rests at a value."""
    return (
        SpatialDemand(stage=stage, of=name, at=at, least=value, most=value),
        SpatialDemand(stage=stage, quantity="rate", of=name, at=at, least=0.0, most=0.0),
    )


def limited(figure: SpatialFigure) -> dict[str, Representation]:
    """Bound coordinates by the figure's limits."""
    least, most = figure.bounds
    return {
        name: Representation(least=float(low), most=float(high))
        for name, low, high in zip(figure.coordinates, least, most, strict=True)
    }


def root_count(figure: SpatialFigure) -> int:
    """How many coordinates the root has, which come first."""
    return int(figure.packed.carriers[0]) + 1


__all__ = ["HAND", "arm_throw", "leap_over", "limited", "root_count", "still", "throwing_arm"]
