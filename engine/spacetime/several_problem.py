"""Problems of several creatures: demands between them, distances, blows that they give each other, one clock.

A demand is of a sum of quantities, each of one creature, with a factor: points that meet are a difference of points
along x, and one along y. `SeveralProgram` (`engine.spacetime.several`) makes a program of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.spacetime.figures import LimbPoint
from engine.spacetime.problem import Demand, Quantity


@dataclass(frozen=True)
class Creature:
    """A problem with a name: a `MotionProblem`, or a `SpatialProblem`."""

    name: str
    problem: Any


@dataclass(frozen=True, kw_only=True)
class CreatureQuantity:
    """A quantity of one creature at a time of one of its stages, times a factor."""

    creature: str
    demand: Any  # of its problem, for a single time; its bounds are not looked at
    factor: float = 1.0


@dataclass(frozen=True, kw_only=True)
class SharedDemand:
    """Says what a sum of quantities of several creatures has to be."""

    name: str
    parts: tuple[CreatureQuantity, ...]
    least: float = 0.0
    most: float = 0.0
    key: str = ""  # whose demand it is

    def __post_init__(self) -> None:
        if not self.least <= self.most:
            allowed = "a least that is not above the most"
            raise InvalidArguments(what=f"what {self.name} demands", value=(self.least, self.most), allowed=allowed)
        if any(each.demand.until is not None for each in self.parts):
            raise InvalidArguments(what=f"the times of {self.name}", value="a range", allowed="single times")


@dataclass(frozen=True, kw_only=True)
class DistanceDemand:
    """Says how far apart two points of creatures have to be, at least, at most or just so far."""

    name: str
    axes: tuple[SharedDemand, ...]  # by how much they are apart along each axis, beside their `least`
    least: float = 0.0  # [m]
    most: float = np.inf
    apart: float = 0.0  # [m] by which they are apart across all axes, whatever they do
    key: str = ""

    def __post_init__(self) -> None:
        if not (0.0 <= self.least <= self.most and self.most > 0.0 and max(self.least, self.size) < np.inf):
            allowed = "a least that is not above the most, and one of both above 0"
            raise InvalidArguments(what=f"the distance of {self.name}", value=(self.least, self.most), allowed=allowed)

    @property
    def size(self) -> float:
        """How large it may be, as far as that is said [m]."""
        return self.most if self.most < np.inf else self.least or np.inf

    def measure(self, squares: float) -> float:
        """Turn a sum of squares along the axes into a constraint [m]."""
        return 0.5 * ((squares + self.apart**2) / self.size + self.size)

    def bound(self, distance: float) -> float:
        """Turn a distance into a bound of the constraint."""
        return distance if np.isinf(distance) else 0.5 * (distance**2 / self.size + self.size)

    def begun(self, along: Array) -> Array:
        """Where a search may begin that would begin so far apart along the axes: as far apart as it has to be."""
        length = float(np.linalg.norm(along))
        if length < 1e-6 * self.size:
            along, length = np.eye(len(along))[0], 1.0
        least, most = (np.sqrt(max(each**2 - self.apart**2, 0.0)) for each in (self.least, self.most))
        found: Array = along * (min(max(length, float(least)), float(most)) / length)
        return found


@dataclass(frozen=True)
class CreatureMoment:
    """A share of a stage of a creature, whose first stage begins at a time of all."""

    creature: str
    stage: str
    at: float = 1.0
    begins: float = 0.0  # [s]


@dataclass(frozen=True, kw_only=True)
class Simultaneous:
    """Says that moments of two creatures come at once."""

    name: str
    one: CreatureMoment
    other: CreatureMoment
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class BlowExchange:
    """Says that blows of two creatures, each (creature, stage, blow), are as large as each other; their directions say
    that they are opposite."""

    name: str
    one: tuple[str, str, str]
    other: tuple[str, str, str]
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class SeveralProblem:
    """All that motions of several creatures are to be found for."""

    creatures: tuple[Creature, ...]
    shared: tuple[SharedDemand, ...] = ()
    simultaneous: tuple[Simultaneous, ...] = ()
    exchanges: tuple[BlowExchange, ...] = ()
    distances: tuple[DistanceDemand, ...] = ()

    @property
    def sums(self) -> tuple[SharedDemand, ...]:
        """All sums of quantities: demands, then those that distances are of."""
        return (*self.shared, *(axis for each in self.distances for axis in each.axes))

    def __post_init__(self) -> None:
        names = tuple(each.name for each in self.creatures)
        if not names or len(set(names)) < len(names):
            raise InvalidArguments(what="the names of creatures", value=names, allowed="one or more, each once")
        for name in (*(part.creature for each in self.sums for part in each.parts), *self._timed):
            if name not in names:
                raise UnknownPart(kind="creature", id=name, known=names)

    @property
    def _timed(self) -> tuple[str, ...]:
        timed = [moment.creature for each in self.simultaneous for moment in (each.one, each.other)]
        return (*timed, *(side[0] for each in self.exchanges for side in (each.one, each.other)))


def meeting(
    name: str, one: tuple[str, str, LimbPoint], other: tuple[str, str, LimbPoint], *, at: float
) -> tuple[SharedDemand, ...]:
    """Demand that points of two creatures, each (creature, stage, point), are in one place at a share of the stages."""
    return tuple(
        between(f"{name} ({axis})", one, other, "point", direction, at=at)
        for axis, direction in (("x", (1.0, 0.0)), ("y", (0.0, 1.0)))
    )


def between(
    name: str,
    one: tuple[str, str, LimbPoint],
    other: tuple[str, str, LimbPoint],
    quantity: Quantity,
    direction: tuple[float, float],
    *,
    at: float,
) -> SharedDemand:
    """Demand that two points do not differ in a quantity along a direction."""
    return SharedDemand(
        name=name,
        parts=tuple(
            CreatureQuantity(
                creature=creature,
                demand=Demand(stage=stage, quantity=quantity, point=point, direction=direction, at=at),
                factor=factor,
            )
            for (creature, stage, point), factor in ((one, 1.0), (other, -1.0))
        ),
    )
