"""A desk lamp with the plan of a leap, and a motion for it that no search was needed for."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sin

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Body, Box, Capsule, Document, Dof, Figure, Joint, Layer
from engine.document.values import Vector3
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeConstraint,
    SpacetimeContact,
    SpacetimeMuscle,
    SpacetimeStage,
)
from engine.spacetime.queries.seen_motion import MotionMiss, MotionState, SeenMotion

ARMS = ("lower", "upper", "head")
TOE, HEEL = (0.1, 0.0, 0.0), (-0.1, 0.0, 0.0)
AT_REST = {"lower.turn": 2.18, "upper.turn": -1.57, "head.turn": -1.05}


def lamp_figure() -> Figure:
    """A base that goes along x and y and turns, and three links on it, all in the plane z = 0."""
    base = Joint(
        id="base",
        name="Base",
        dofs=(
            Dof(id="base.x", name="X", kind="slide", axis=(1.0, 0.0, 0.0)),
            Dof(id="base.y", name="Y", kind="slide", axis=(0.0, 1.0, 0.0)),
            Dof(id="base.turn", name="Turn", axis=(0.0, 0.0, 1.0)),
        ),
        shapes=(Box(half=(0.1, 0.02, 0.07), centre=(0.0, 0.02, 0.0)),),
        body=Body(mass=1.2, centre=(0.0, 0.02, 0.0), inertia=(0.004, 0.004, 0.004, 0.0, 0.0, 0.0)),
    )
    joints, parent, offset = [base], "base", (0.0, 0.04, 0.0)
    for name, length, mass in (("lower", 0.3, 0.25), ("upper", 0.3, 0.25), ("head", 0.12, 0.4)):
        joints.append(
            Joint(
                id=name,
                name=name.capitalize(),
                parent=parent,
                offset=offset,
                dofs=(Dof(id=f"{name}.turn", name="Turn", axis=(0.0, 0.0, 1.0), lower=-2.6, upper=2.6),),
                shapes=(
                    Capsule(start=(0.0, 0.0, 0.0), end=(length, 0.0, 0.0), radius=0.05 if name == "head" else 0.018),
                ),
                body=Body(mass=mass, centre=(0.5 * length, 0.0, 0.0), inertia=(0.002, 0.002, 0.002, 0.0, 0.0, 0.0)),
            )
        )
        parent, offset = name, (length, 0.0, 0.0)
    return Figure(name="Lamp", joints=tuple(joints))


def leap(*, free: bool = False) -> Spacetime:
    """Stand, fly, stand; begin as at rest, be there with the toe, end as at rest."""
    edges = tuple(SpacetimeContact(joint="base", point=point) for point in (HEEL, TOE))
    flight = SpacetimeStage(
        id="flight", name="Flight", length=0.35, least_length=0.2 if free else None, most_length=0.5 if free else None,
        impact=True,
    )  # fmt: skip
    rest = tuple(AT_REST.items())
    return Spacetime(
        stages=(
            SpacetimeStage(id="crouch", name="Take-off", length=0.4, contacts=edges),
            flight,
            SpacetimeStage(id="landing", name="Landing", length=0.4, contacts=edges),
        ),
        muscles=tuple(SpacetimeMuscle(dof=f"{name}.turn") for name in ARMS),
        constraints=(
            SpacetimeConstraint(id="begin", name="Begin", stage="crouch", values=rest),
            SpacetimeConstraint(
                id="land", name="Land here", stage="landing", quantity="point", joint="base", point=TOE,
                position=(0.5, 0.0, 0.0),
            ),
            SpacetimeConstraint(
                id="above", name="Stay above", stage="flight", quantity="point", joint="base", point=HEEL, at=0.1,
                until=0.9, least=0.0,
            ),
            SpacetimeConstraint(id="end", name="End", stage="landing", values=rest, at=1.0),
        ),
    )  # fmt: skip


def lamp(plan: Spacetime | None = None) -> Actor:
    """The lamp, with that plan."""
    pose = Layer(id="pose", values=tuple(AT_REST.items()))
    return Actor(id="lamp", name="Lamp", figure=lamp_figure(), layers=(pose,)).with_part(plan or leap())


def lamps(plan: Spacetime | None = None) -> Document:
    """It alone."""
    return Document(actors=(lamp(plan),))


@dataclass(frozen=True)
class PlainPlanned:
    """Stands in for what a search gives: the lengths of the stages."""

    lengths: NDArray[np.float64]


@dataclass(frozen=True)
class PlainPush:
    """Stands in for a force or a blow."""

    name: str
    position: Vector3
    vector: Vector3
    seconds: float
    blow: bool


@dataclass(frozen=True)
class PlainCompiled:
    """Stands in for a problem made ready: the lamp hops over `distance` [m] in the second stage."""

    plan: Spacetime
    distance: float = 0.4
    struck: tuple[PlainPush, ...] = ()

    def pose(self, planned: PlainPlanned, seconds: float) -> dict[str, float]:
        first, flight, _ = planned.lengths.tolist()
        share = min(max((seconds - first) / flight, 0.0), 1.0)
        bend = sin(pi * min(max(seconds / planned.lengths.sum(), 0.0), 1.0))
        values = {name: value * (1.0 - 0.4 * bend) for name, value in AT_REST.items()}
        return {"base.x": self.distance * share, "base.y": 0.6 * share * (1.0 - share), "base.turn": 0.0, **values}

    def torque_samples(self, planned: PlainPlanned, times: list[float]) -> dict[str, NDArray[np.float64]]:
        return {f"{name}.turn": (at + 1) * np.sin(9.0 * np.array(times) + at) for at, name in enumerate(ARMS)}

    def blows(self, planned: PlainPlanned) -> tuple[PlainPush, ...]:
        return self.struck

    def pushes(self, planned: PlainPlanned, seconds: float) -> tuple[PlainPush, ...]:
        stands = PlainPush("the push of the ground at Base", (0.1, 0.0, 0.0), (0.0, 20.6, 0.0), seconds, blow=False)
        return () if seconds > planned.lengths[0] else (stands,)


def hop(
    plan: Spacetime,
    *,
    state: MotionState = "solved",
    misses: tuple[MotionMiss, ...] = (),
    lengths: tuple[float, ...] | None = None,
    distance: float = 0.4,
    struck: tuple[PlainPush, ...] = (),
) -> SeenMotion:
    """A motion of the lamp."""
    found = np.array(lengths or [each.length for each in plan.stages])
    return SeenMotion(
        actor="lamp", start=plan.start, iteration=7, objective=3.2, violation=1e-9, state=state,
        planned=PlainPlanned(found), compiled=PlainCompiled(plan, distance, struck),  # type: ignore[arg-type]
        misses=misses,
    )  # fmt: skip
