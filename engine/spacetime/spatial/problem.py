"""A problem of a figure in space: its stages, what drives it, what is demanded of its motion.

Stages, representations and muscles are those of planar problems; a muscle's `limb` is the degree of freedom that it
turns. Torques are computed from the motion (Winzell 2004, section 4.4.3): on a stage, a coordinate with a muscle costs
what its torque costs, a constant one is nailed, and the equation of motion of any other has to hold without a torque.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.document.values import Vector3
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.spacetime.problem import (
    HERMITE_CUBIC,
    NOTHING,
    JointMuscle,
    MotionStage,
    Quantity,
    Representation,
    function_names,
    number_of,
)
from engine.spacetime.spatial.tree import BodyPoint, SpatialFigure

_INFINITE = float("inf")
_UP: Vector3 = (0.0, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class SpatialForce:
    """A force at a point of a body in a direction of the world, or a blow there; its size is a function of time [N]."""

    name: str
    point: BodyPoint
    direction: Vector3


@dataclass(frozen=True, kw_only=True)
class SpatialDemand:
    """Says what a quantity has to be at a time of a stage, or over a range of it.

    `of` names a coordinate or force for value and rate; for momentum, a coordinate, of which it is that of M v. Points
    and the centre of mass are measured along `direction`.
    """

    stage: str
    quantity: Quantity = "value"
    of: str = ""
    point: BodyPoint | None = None
    direction: Vector3 = _UP
    at: float = 0.0  # share of the stage
    until: float | None = None
    samples: int = 1  # on each piece of a range
    least: float = -_INFINITE
    most: float = _INFINITE
    key: str = ""  # of whoever demands it

    def __post_init__(self) -> None:
        end = self.at if self.until is None else self.until
        if not 0.0 <= self.at <= end <= 1.0:
            raise InvalidArguments(what="the time of a demand", value=(self.at, end), allowed="0 to 1, in order")
        if not self.least <= self.most:
            allowed = "a least that is not above the most"
            raise InvalidArguments(what="what is demanded", value=(self.least, self.most), allowed=allowed)
        if (self.quantity in ("point", "point rate")) != (self.point is not None):
            raise InvalidArguments(what="the point of a demand", value=self.point, allowed="one where it is of a point")


@dataclass(frozen=True, kw_only=True)
class SpatialCone:
    """Demands of a contact: forces on a stage, or blows at its end, that push and do not exceed friction along two
    directions; of what `slides`, friction is as large as it can be, against the velocity of its point."""

    stage: str
    normals: tuple[str, ...]
    tangents: tuple[str, ...]
    friction: float
    slides: bool = False


@dataclass(frozen=True, kw_only=True)
class SpatialCalm:
    """A point whose squared acceleration [m/s2] costs `weight` times its integral (7.1)."""

    point: BodyPoint
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.weight < _INFINITE:
            raise InvalidArguments(what="the weight of a calm point", value=self.weight, allowed="0 or more")


@dataclass(frozen=True, kw_only=True)
class SpatialProblem:
    """All that a motion is to be found for. `pressing` is what a force costs: times the integral of its square;
    `steadiness`, what the acceleration of a coordinate with a muscle does."""

    figure: SpatialFigure
    stages: tuple[MotionStage, ...]
    demands: tuple[SpatialDemand, ...] = ()
    muscles: tuple[JointMuscle, ...] = ()
    forces: tuple[SpatialForce, ...] = ()
    blows: tuple[SpatialForce, ...] = ()
    cones: tuple[SpatialCone, ...] = ()
    calm: tuple[SpatialCalm, ...] = ()
    pressing: float = 0.0
    steadiness: float = 0.0
    points: int = 3  # of integration on each piece
    whole: float | None = None  # [s] that all stages last together; None: as long as each does

    def __post_init__(self) -> None:
        if not self.stages:
            raise InvalidArguments(what="the stages of a problem", value=(), allowed="at least one")
        for kind, names in (("stage", tuple(stage.name for stage in self.stages)), ("function", self.functions)):
            if len(set(names)) < len(names):
                raise InvalidArguments(
                    what=f"the names of a problem, for each {kind}", value=names, allowed="each once"
                )
        for muscle in self.muscles:
            self.figure.coordinate(muscle.limb)
        muscles = tuple(each.limb for each in self.muscles)
        for stage in self.stages:
            _check_stage(stage, stage.coordinates, self.figure.coordinates, ("hermite", "constant", "held"))
            _check_stage(stage, stage.muscles, muscles, ("hermite", "hat", "single", "constant"))
            _check_stage(stage, stage.forces, tuple(each.name for each in self.forces), ("hat", "single", "constant"))
            _check_stage(stage, stage.blows, tuple(each.name for each in self.blows), ("single", "constant"))

    @property
    def gravity(self) -> float:
        """Size of gravity [m/s2]."""
        return float(np.linalg.norm(self.figure.gravity))

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of all functions of time: coordinates, torques of muscles, forces, blows."""
        return function_names(self.figure.coordinates, self.muscles, (*self.forces, *self.blows))

    def function(self, name: str) -> int:
        """Return the number of a function."""
        return number_of("function", name, self.functions)

    def stage(self, name: str) -> int:
        """Return the number of a stage."""
        return number_of("stage", name, [each.name for each in self.stages])

    def coordinate(self, stage: MotionStage, name: str) -> Representation:
        """How a coordinate is represented on a stage."""
        return stage.coordinates.get(name, HERMITE_CUBIC)

    def force(self, stage: MotionStage, name: str) -> Representation:
        """How a force is represented on a stage."""
        return stage.forces.get(name, NOTHING)

    def blow(self, stage: MotionStage, name: str) -> Representation:
        """How a blow is represented at the end of a stage."""
        return stage.blows.get(name, NOTHING)


def _check_stage(
    stage: MotionStage, given: Mapping[str, Representation], known: tuple[str, ...], kinds: tuple[str, ...]
) -> None:
    for name, each in given.items():
        if name not in known:
            raise UnknownPart(kind="function", id=name, known=known)
        if each.kind not in kinds:
            what = f"the representation of {name} on {stage.name}"
            raise InvalidArguments(what=what, value=each.kind, allowed=", ".join(kinds))
        if each.form == "samples" and np.isfinite([each.least, each.most]).any():
            what = f"how the bounds of {name} on {stage.name} hold"
            raise InvalidArguments(what=what, value=each.form, allowed="hull, for figures in space")
