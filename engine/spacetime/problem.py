"""A problem: a planar figure, its stages in sequence, what drives it, what is demanded of its motion.

Winzell 2004, section 4.3. Times within a stage are shares of its length, 0 to 1, so that they hold for stages whose
length is free. Everything here is a frozen value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.spacetime.bases import RuleName
from engine.spacetime.figures import LimbPoint, PlanarFigure, Vector

RepresentationKind = Literal["hermite", "hat", "single", "constant", "held"]
BoundForm = Literal["hull", "samples"]
Quantity = Literal["value", "rate", "point", "point rate", "centre", "centre rate", "momentum"]

_INFINITE = float("inf")


@dataclass(frozen=True, kw_only=True)
class Representation:
    """How one function of time is represented on a stage, and within which bounds.

    A constant coordinate is nailed: whatever force that takes is there. A held one stays as well, but its equations of
    motion hold, so that forces and muscles have to hold it.
    Bounds of Hermite cubics hold at the ends of pieces and, between them, at samples (4.4.2), which a path may leave
    in between, or for Bézier's control points, so that they cannot be violated anywhere.
    """

    kind: RepresentationKind = "hermite"
    value: float = 0.0  # of what is constant or held
    least: float = -_INFINITE
    most: float = _INFINITE
    form: BoundForm = "hull"
    samples: int = 2  # within each piece, for that form

    def __post_init__(self) -> None:
        if not self.least <= self.most:
            allowed = "a lower bound that is not above the upper one"
            raise InvalidArguments(what="the bounds of a function", value=(self.least, self.most), allowed=allowed)
        if self.stays and not self.least <= self.value <= self.most:
            allowed = f"{self.least:g} to {self.most:g}, its bounds"
            raise InvalidArguments(what="the value of a constant", value=self.value, allowed=allowed)

    @property
    def stays(self) -> bool:
        """True if the value does not change and is given."""
        return self.kind in ("constant", "held")


HERMITE_CUBIC = Representation()
NOTHING = Representation(kind="constant")


@dataclass(frozen=True, kw_only=True)
class JointMuscle:
    """Torque between a limb and its parent, and what its use costs (4.18 to 4.20).

    The objective is the integral of torque tau^2 + power (tau alpha')^2 + work tau alpha' + smoothness tau'^2, each
    with its weight.
    """

    limb: str
    torque: float = 1.0
    power: float = 0.0
    work: float = 0.0
    smoothness: float = 0.0


@dataclass(frozen=True, kw_only=True)
class PointForce:
    """A force at a point of the figure in a direction of the plane; with `Representation`, its size over time [N]."""

    name: str
    point: LimbPoint
    direction: Vector


@dataclass(frozen=True, kw_only=True)
class Blow:
    """A blow of momentum at a point in a direction, at the end of a stage [N s] (3.10 to 3.15)."""

    name: str
    point: LimbPoint
    direction: Vector


@dataclass(frozen=True, kw_only=True)
class MotionStage:
    """An interval within which rates are continuous: how long it is, in how many pieces, what is represented how.

    Coordinates that are not named are Hermite cubics without bounds; muscles, forces and blows that are not named are
    nothing there.
    """

    name: str
    pieces: int
    length: float  # [s]; where it is free, that of the first guess
    least_length: float | None = None  # with both, the length is free between them
    most_length: float | None = None
    coordinates: Mapping[str, Representation] = field(default_factory=dict)
    muscles: Mapping[str, Representation] = field(default_factory=dict)  # by limb
    forces: Mapping[str, Representation] = field(default_factory=dict)
    blows: Mapping[str, Representation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.pieces < 1:
            raise InvalidArguments(what=f"the pieces of stage {self.name}", value=self.pieces, allowed="1 or more")
        least, most = self.lengths
        if not (0.0 < least <= self.length <= most < _INFINITE):
            raise InvalidArguments(
                what=f"the length of stage {self.name}",
                value=(least, self.length, most),
                allowed="seconds above 0, between its bounds",
            )
        for name, each in self.blows.items():
            if each.kind not in ("single", "constant"):
                raise InvalidArguments(what=f"the blow {name}", value=each.kind, allowed="single, constant")

    @property
    def lengths(self) -> tuple[float, float]:
        """Bounds of the length."""
        least = self.length if self.least_length is None else self.least_length
        most = self.length if self.most_length is None else self.most_length
        return least, most


@dataclass(frozen=True, kw_only=True)
class Demand:
    """Says what a quantity has to be at a time of a stage, or over a range of it.

    `of` names a coordinate, a muscle ("torque of LIMB"), force or blow for value and rate; for momentum, a coordinate,
    of which it is dL/dv. Points and the centre of mass are measured along `direction`.
    """

    stage: str
    quantity: Quantity = "value"
    of: str = ""
    point: LimbPoint | None = None
    direction: Vector = (1.0, 0.0)
    at: float = 0.0  # share of the stage
    until: float | None = None  # end of the range, where it is one
    samples: int = 2  # on each piece of a range
    least: float = -_INFINITE
    most: float = _INFINITE
    key: str = ""  # of whoever demands it, who finds it again by that in reports

    def __post_init__(self) -> None:
        end = self.at if self.until is None else self.until
        if not 0.0 <= self.at <= end <= 1.0:
            raise InvalidArguments(what="the time of a demand", value=(self.at, end), allowed="0 to 1, in order")
        if not self.least <= self.most:
            raise InvalidArguments(
                what="what is demanded", value=(self.least, self.most), allowed="a least that is not above the most"
            )
        if (self.quantity in ("point", "point rate")) != (self.point is not None):
            raise InvalidArguments(what="the point of a demand", value=self.point, allowed="one where it is of a point")


def demand_value(stage: str, of: str, value: float, *, at: float) -> Demand:
    """Demand that a function has a value."""
    return Demand(stage=stage, of=of, at=at, least=value, most=value)


def demand_rate(stage: str, of: str, rate: float, *, at: float) -> Demand:
    """Demand that a function has a rate."""
    return Demand(stage=stage, quantity="rate", of=of, at=at, least=rate, most=rate)


OriginKind = Literal["demand", "equation", "bounds", "path", "momentum", "cone", "whole"]


@dataclass(frozen=True)
class ConstraintOrigin:
    """Where a constraint of a program comes from: a demand, with the key that it has, or what a figure and its stages
    ask for."""

    kind: OriginKind
    of: str  # the function that it is of; of a demand of points, nothing
    key: str = ""
    quantity: Quantity = "value"  # of a demand


@dataclass(frozen=True, kw_only=True)
class CalmPoint:
    """A point that costs weight times the integral of its squared acceleration, such as a head (7.1)."""

    point: LimbPoint
    weight: float  # [N2 s4], for an objective of squared torques

    def __post_init__(self) -> None:
        if not 0.0 <= self.weight < _INFINITE:
            raise InvalidArguments(what="the weight of a calm point", value=self.weight, allowed="0 or more")


@dataclass(frozen=True, kw_only=True)
class FrictionCone:
    """Demands of a contact: forces on a stage, or blows at its end, that push and do not exceed friction.

    friction (sum of normals) +- tangent >= 0, and each normal >= 0. With `slides`, 1 or -1, the tangent is as large as
    friction allows, that way: the contact slides against it.
    """

    stage: str
    normals: tuple[str, ...]
    tangent: str
    friction: float
    slides: int = 0

    def __post_init__(self) -> None:
        if not 0.0 <= self.friction < _INFINITE:
            raise InvalidArguments(what="a coefficient of friction", value=self.friction, allowed="0 or more")
        if self.slides not in (-1, 0, 1):
            raise InvalidArguments(what="the way of sliding", value=self.slides, allowed="-1, 0, 1")


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def function_names(
    coordinates: Sequence[str], muscles: Sequence[JointMuscle], pushes: Sequence[_Named]
) -> tuple[str, ...]:
    """Names of the functions of a problem: coordinates, torques of muscles, forces and blows."""
    return (*coordinates, *(f"torque of {each.limb}" for each in muscles), *(each.name for each in pushes))


def number_of(kind: str, name: str, known: Sequence[str]) -> int:
    """Return the place of a name among those that are known."""
    if name not in known:
        raise UnknownPart(kind=kind, id=name, known=tuple(known))
    return known.index(name)


@dataclass(frozen=True, kw_only=True)
class MotionProblem:
    """All that a motion is to be found for."""

    figure: PlanarFigure
    stages: tuple[MotionStage, ...]
    demands: tuple[Demand, ...] = ()
    muscles: tuple[JointMuscle, ...] = ()
    forces: tuple[PointForce, ...] = ()
    blows: tuple[Blow, ...] = ()
    cones: tuple[FrictionCone, ...] = ()
    calm: tuple[CalmPoint, ...] = ()
    gravity: float = 9.81  # [m/s2], along -y
    rule: RuleName = "gauss"
    implicit: bool = False  # torques of muscles are computed from the motion (4.4.3), not represented
    whole: float | None = None  # [s] that all stages last together; None: as long as each does

    def __post_init__(self) -> None:
        if not self.stages:
            raise InvalidArguments(what="the stages of a problem", value=(), allowed="at least one")
        for kind, names in (
            ("stage", tuple(stage.name for stage in self.stages)),
            ("function", self.functions),
        ):
            if len(set(names)) < len(names):
                raise InvalidArguments(
                    what=f"the names of a problem, for each {kind}", value=names, allowed="each once"
                )
        for stage in self.stages:
            self._check_names(stage.coordinates, "degree of freedom", self.figure.coordinates)
            self._check_names(stage.muscles, "muscle", tuple(each.limb for each in self.muscles))
            self._check_names(stage.forces, "force", tuple(each.name for each in self.forces))
            self._check_names(stage.blows, "blow", tuple(each.name for each in self.blows))
        if self.implicit and self.forces:
            allowed = "none, where torques are computed from the motion"
            raise InvalidArguments(
                what="the forces of a problem", value=[each.name for each in self.forces], allowed=allowed
            )
        for muscle in self.muscles:
            self.figure.limb(muscle.limb)
            if self.implicit and (muscle.work or muscle.smoothness):
                allowed = "torque and power alone, where torques are computed from the motion"
                raise InvalidArguments(what=f"the costs of the muscle of {muscle.limb}", value=muscle, allowed=allowed)

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of all functions of time: coordinates, muscles, forces, blows."""
        return function_names(self.figure.coordinates, self.muscles, (*self.forces, *self.blows))

    def function(self, name: str) -> int:
        """Return the number of a function."""
        return number_of("function", name, self.functions)

    def stage(self, name: str) -> int:
        """Return the number of a stage."""
        return number_of("stage", name, [each.name for each in self.stages])

    def representations(self, stage: MotionStage) -> tuple[Representation, ...]:
        """How each function is represented on a stage."""
        return (
            *(stage.coordinates.get(name, HERMITE_CUBIC) for name in self.figure.coordinates),
            *(NOTHING if self.implicit else stage.muscles.get(each.limb, NOTHING) for each in self.muscles),
            *(stage.forces.get(each.name, NOTHING) for each in self.forces),
            *(stage.blows.get(each.name, NOTHING) for each in self.blows),
        )

    @staticmethod
    def _check_names(given: Mapping[str, Representation], kind: str, known: tuple[str, ...]) -> None:
        for name in given:
            if name not in known:
                raise UnknownPart(kind=kind, id=name, known=known)
