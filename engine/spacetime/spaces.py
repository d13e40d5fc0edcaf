"""How the problem of a document sees a figure: names of coordinates, and the makers of what a problem is made of.

`MotionSpace` is what `compile` asks; `PlanarSpace` answers for motions in a plane. Everything outside speaks of ids of
the figure, of values of degrees of freedom, and of places and directions of the world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from engine.document import Actor
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.maths.quaternions import inverse, turned
from engine.runtime.errors import InvalidArguments
from engine.spacetime.figures import LimbPoint, Vector
from engine.spacetime.motions import place_points
from engine.spacetime.parts import Spacetime
from engine.spacetime.planes import FigurePlane, PlanarFreedom, figure_plane
from engine.spacetime.problem import (
    Blow,
    CalmPoint,
    Demand,
    FrictionCone,
    JointMuscle,
    MotionProblem,
    MotionStage,
    PointForce,
    Quantity,
    Representation,
)
from engine.spacetime.search import MotionSearch

Place = tuple[str, Vector3]  # a joint, and a point in its frame

_WITHIN = 1e-6  # of a direction, as far as it may point out of the plane
UP: Vector3 = (0.0, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class AskedDemand:
    """Demands of a plan: of a coordinate, or a place of the figure along a direction of the world."""

    stage: str
    quantity: Quantity
    of: str = ""
    place: Place | None = None
    direction: Vector3 = UP
    at: float
    until: float | None = None
    least: float
    most: float
    key: str
    samples: int = 2


class MotionSpace(Protocol):
    """Answers how a figure is seen."""

    @property
    def held(self) -> Mapping[str, float]:
        """Values of the figure's coordinates as the motion begins."""
        ...

    @property
    def axes(self) -> tuple[Vector3, ...]:
        """Directions of the world along which places are measured; the first are those of the ground, then up."""
        ...

    @property
    def apart(self) -> bool:
        """Tell whether each point of a contact is held, and has friction, of its own."""
        ...

    @property
    def coordinates(self) -> tuple[str, ...]:
        """All coordinates of the problem's figure."""
        ...

    @property
    def root(self) -> tuple[str, ...]:
        """Those of the root."""
        ...

    @property
    def moved(self) -> Mapping[str, str]:
        """The coordinate of each degree of freedom that moves."""
        ...

    @property
    def root_joint(self) -> str:
        """The joint that the root is."""
        ...

    def carrier(self, joint: str) -> str:
        """The joint as whose part a joint moves."""
        ...

    def at(self, dof: str, value: float) -> float:
        """The coordinate at a value of a degree of freedom."""
        ...

    def sign(self, dof: str) -> float:
        """Which way the coordinate goes as the degree of freedom does."""
        ...

    def representations(self) -> dict[str, Representation]:
        """Coordinates bounded by the figure's limits, and held where they are no degrees of freedom."""
        ...

    def root_at(self, place: Place, position: Vector3, known: Mapping[str, float]) -> dict[str, float]:
        """Coordinates of the root with a point of it at a place of the world, where its angles are known; else none."""
        ...

    def demand(self, asked: AskedDemand) -> Any:
        """Make a demand."""
        ...

    def force(self, name: str, place: Place, direction: Vector3) -> Any:
        """Make a force."""
        ...

    def blow(self, name: str, place: Place, direction: Vector3) -> Any:
        """Make a blow."""
        ...

    def calm(self, place: Place, weight: float) -> Any:
        """Make a calm point."""
        ...

    def cone(
        self, stage: str, normals: Sequence[str], tangents: Sequence[str], friction: float, slides: int
    ) -> Sequence[Any]:
        """Keep forces or blows of a contact in a cone; one tangent for each direction of the ground."""
        ...

    def problem(
        self,
        *,
        stages: Sequence[MotionStage],
        demands: Sequence[Any],
        muscles: Sequence[JointMuscle],
        forces: Sequence[Any],
        blows: Sequence[Any],
        cones: Sequence[Any],
        calm: Sequence[Any],
        gravity: float,
        implicit: bool,
        whole: float | None = None,
    ) -> Any:
        """Put a problem together; `gravity` of the world."""
        ...

    def search(self, problem: Any) -> Any:
        """Make a problem ready."""
        ...

    def seen(self, plan: Spacetime) -> Spacetime:
        """Give the plan in coordinates that move."""
        ...

    @property
    def written(self) -> tuple[str, ...]:
        """The figure's own coordinates that move."""
        ...

    def values(self, coordinates: Array) -> dict[str, float]:
        """Values of the figure's own coordinates, those that are held among them."""
        ...

    def slopes(self, coordinates: Array, rates: Array) -> dict[str, float]:
        """Give by how much those that move change with time."""
        ...

    def read(self, values: Mapping[str, float], slopes: Mapping[str, float], near: Array) -> tuple[Array, Array]:
        """Coordinates and rates at the figure's own; where an angle is any of several, the one nearest to others."""
        ...

    def point_at(self, coordinates: Array, place: Place) -> Vector3:
        """Where a point is in the world."""
        ...


class PlanarSpace:
    """A figure in a plane. `held` says where its coordinates are that do not move in it."""

    apart = False

    def __init__(self, actor: Actor, normal: Vector3, held: Mapping[str, float]) -> None:
        self.home = Frame(actor.placement.position, actor.placement.rotation)
        upward = turned(inverse(self.home.rotation), UP)
        self.plane: FigurePlane = figure_plane(actor.figure, normal, upward=upward, held=held)
        self.figure, self.held = self.plane.figure, dict(held)
        self._of: dict[str, PlanarFreedom] = {each.dof.id: each for each in self.plane.freedoms}
        across, up = (_vector(each) for each in (self.plane.across, self.plane.up))
        self._fall = float(np.dot(self.plane.up, upward))
        self.axes: tuple[Vector3, ...] = (turned(self.home.rotation, across), turned(self.home.rotation, up))
        self.coordinates = self.figure.coordinates
        self.root_joint = self.figure.limbs[0].name
        self.root = ("x", "y", self.root_joint)
        self.moved: Mapping[str, str] = {each.dof.id: each.coordinate for each in self.plane.freedoms}

    def carrier(self, joint: str) -> str:
        return self.plane.limbs[joint]

    def at(self, dof: str, value: float) -> float:
        return self._of[dof].coordinate_at(value)

    def sign(self, dof: str) -> float:
        return self._of[dof].sign

    def representations(self) -> dict[str, Representation]:
        return self.plane.representations()

    def root_at(self, place: Place, position: Vector3, known: Mapping[str, float]) -> dict[str, float]:
        if self.carrier(place[0]) != self.root_joint:
            return {}
        turning = self.representations()[self.root_joint]
        angle = turning.value if turning.kind == "constant" else known.get(self.root_joint)
        if angle is None:
            return {}
        point, inside = self._point(place).place, np.array(self.home.seeing(Frame(position)).position)
        c, s = np.cos(angle), np.sin(angle)
        x = float(self.plane.across @ inside) - (c * point[0] - s * point[1])
        y = float(self.plane.up @ inside) - (s * point[0] + c * point[1])
        return {"x": x, "y": y}

    def demand(self, asked: AskedDemand) -> Demand:
        offset = 0.0
        if asked.quantity in ("point", "centre"):
            offset = sum(a * b for a, b in zip(asked.direction, self.home.position, strict=True))
        return Demand(
            stage=asked.stage,
            quantity=asked.quantity,
            of=asked.of,
            point=None if asked.place is None else self._point(asked.place),
            direction=self._within(asked.direction),
            at=asked.at,
            until=asked.until,
            least=asked.least - offset,
            most=asked.most - offset,
            key=asked.key,
            samples=asked.samples,
        )

    def force(self, name: str, place: Place, direction: Vector3) -> PointForce:
        return PointForce(name=name, point=self._point(place), direction=self._within(direction))

    def blow(self, name: str, place: Place, direction: Vector3) -> Blow:
        return Blow(name=name, point=self._point(place), direction=self._within(direction))

    def calm(self, place: Place, weight: float) -> CalmPoint:
        return CalmPoint(point=self._point(place), weight=weight)

    def cone(
        self, stage: str, normals: Sequence[str], tangents: Sequence[str], friction: float, slides: int
    ) -> tuple[FrictionCone, ...]:
        (tangent,) = tangents
        return (FrictionCone(stage=stage, normals=tuple(normals), tangent=tangent, friction=friction, slides=slides),)

    def problem(
        self,
        *,
        stages: Sequence[MotionStage],
        demands: Sequence[Demand],
        muscles: Sequence[JointMuscle],
        forces: Sequence[PointForce],
        blows: Sequence[Blow],
        cones: Sequence[FrictionCone],
        calm: Sequence[CalmPoint],
        gravity: float,
        implicit: bool,
        whole: float | None = None,
    ) -> MotionProblem:
        return MotionProblem(
            figure=self.figure,
            stages=tuple(stages),
            demands=tuple(demands),
            muscles=tuple(muscles),
            forces=tuple(forces),
            blows=tuple(blows),
            cones=tuple(cones),
            calm=tuple(calm),
            gravity=gravity * self._fall,
            implicit=implicit,
            whole=whole,
        )

    def search(self, problem: MotionProblem) -> MotionSearch:
        return MotionSearch(problem)

    def seen(self, plan: Spacetime) -> Spacetime:
        return plan

    @property
    def written(self) -> tuple[str, ...]:
        return tuple(self.moved)

    def values(self, coordinates: Array) -> dict[str, float]:
        return {**self.held, **self.plane.values(coordinates)}

    def slopes(self, coordinates: Array, rates: Array) -> dict[str, float]:
        places = {name: at for at, name in enumerate(self.coordinates)}
        return {dof: self.sign(dof) * float(rates[places[name]]) for dof, name in self.moved.items()}

    def read(self, values: Mapping[str, float], slopes: Mapping[str, float], near: Array) -> tuple[Array, Array]:
        q, v = np.zeros(len(self.coordinates)), np.zeros(len(self.coordinates))
        for at, name in enumerate(self.coordinates):
            for dof in (each for each, moved in self.moved.items() if moved == name):
                q[at], v[at] = self.at(dof, values[dof]), self.sign(dof) * slopes[dof]
        return q, v

    def point_at(self, coordinates: Array, place: Place) -> Vector3:
        arms = self.figure.arms(self._point(place))[None]
        x, y = place_points(self.figure, arms, coordinates)[0]
        joint, point = place
        depth = self._depth(joint, point)
        return self.home.at(_vector(x * self.plane.across + y * self.plane.up + depth * self._normal))

    @property
    def _normal(self) -> Array:
        found: Array = np.cross(self.plane.across, self.plane.up)
        return found

    def _depth(self, joint: str, point: Vector3) -> float:
        return float(self._normal @ np.array(self.plane.places[joint][0].at(point)))

    def _point(self, place: Place) -> LimbPoint:
        return self.plane.point(*place)

    def _within(self, direction: Vector3) -> Vector:
        inside = np.array(turned(inverse(self.home.rotation), direction))
        if abs(float(self._normal @ inside)) > _WITHIN:
            allowed = "one within the plane of the motion"
            raise InvalidArguments(what="a direction", value=direction, allowed=allowed)
        return float(self.plane.across @ inside), float(self.plane.up @ inside)


def _vector(array: Array) -> Vector3:
    return float(array[0]), float(array[1]), float(array[2])
