"""How the problem of a document sees a figure in space: its own hinges and slides are the coordinates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.document import Actor, Dof
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.runtime.errors import NothingThere
from engine.spacetime.parts import Spacetime, SpacetimeConstraint
from engine.spacetime.problem import JointMuscle, MotionStage, Representation
from engine.spacetime.spaces import UP, AskedDemand, Place
from engine.spacetime.spatial.balls import MOST_TIPPED, BallHinges, hinges_for
from engine.spacetime.spatial.problem import SpatialCalm, SpatialCone, SpatialDemand, SpatialForce, SpatialProblem
from engine.spacetime.spatial.search import SpatialSearch
from engine.spacetime.spatial.strengths import even_costs, even_steadiness
from engine.spacetime.spatial.tree import BodyPoint, SpatialFigure, hinge_names

_PRESSING = 1e-3  # that a force as large as the figure's weight costs, beside a torque as large as is natural
_GRAVITY = 9.81


class FigureSpace:
    """A figure in space. `held` says where its coordinates are as the motion begins, `plan` how balls shall turn."""

    apart = True
    axes: tuple[Vector3, ...] = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), UP)

    def __init__(self, actor: Actor, held: Mapping[str, float], plan: Spacetime) -> None:
        home = Frame(actor.placement.position, actor.placement.rotation)
        balls = {dof.id: _hinges(dof, held, plan) for dof in actor.figure.dofs if dof.kind == "ball"}
        self.figure = SpatialFigure(actor.figure, balls, home=home)
        at = self.figure.at(held)
        self.held = {**held, **dict(zip(self.figure.coordinates, map(float, at), strict=True))}
        self.coordinates = self.figure.coordinates
        self.root_joint = actor.figure.joints[0].id
        self.root = tuple(dof.id for dof in self.figure.hinged.joints[0].dofs)
        self.moved: Mapping[str, str] = {name: name for name in self.coordinates}
        self._joints, self._driven = actor.figure.joints, frozenset(dof.id for dof in actor.figure.driven)
        self._carriers: dict[str, str] = {}
        for joint in actor.figure.joints:
            own = joint.id if joint.dofs or joint.parent is None else self._carriers[joint.parent]
            self._carriers[joint.id] = own

    def seen(self, plan: Spacetime) -> Spacetime:
        """The plan with the angles and rates of hinges in place of those of balls."""
        plan = _without(plan, self._driven)
        if not self.figure.balls:
            return plan
        near, found = self.figure.at(self.held), dict[str, SpacetimeConstraint]()
        for each in sorted(plan.constraints, key=lambda each: plan.time(each.stage, each.at)):
            if each.quantity == "pose":
                found[each.id], near = self._seen_pose(each, near)
        return replace(plan, constraints=tuple(found.get(each.id, each) for each in plan.constraints))

    def _seen_pose(self, pose: SpacetimeConstraint, near: Array) -> tuple[SpacetimeConstraint, Array]:
        """A pose so, and its coordinates."""
        given, changing = dict(pose.values), dict(pose.rates)
        at = self.figure.at({**self.figure.values(near), **given}, near)
        rates, values, slopes = self.figure.rates_at(at, changing), list[tuple[str, float]](), list[tuple[str, float]]()
        for dof in self.figure.figure.dofs:
            places = [(name, self.figure.coordinate(name)) for name in hinge_names(dof)]
            if not given.keys().isdisjoint(dof.coordinates):
                values += [(name, float(at[place])) for name, place in places]
                self._check_tipped(pose, dof, values[-2][1] if dof.kind == "ball" else 0.0)
            if not changing.keys().isdisjoint(dof.coordinates):
                slopes += [(name, float(rates[place])) for name, place in places]
        return replace(pose, values=tuple(values), rates=tuple(slopes)), at

    def _check_tipped(self, pose: SpacetimeConstraint, dof: Dof, angle: float) -> None:
        """Refuse a pose near which the hinges of a ball lock."""
        if abs(angle) > MOST_TIPPED:
            words = (
                f"{pose.name} tips {self._joints[0].name} by {math.degrees(abs(angle)):.0f}° out of the way in which "
                f"its poses turn it; in space a ball tips by at most {math.degrees(MOST_TIPPED):.0f}°"
            )
            raise NothingThere(words, remedy="Plan this turn by itself, from pose to pose")

    def carrier(self, joint: str) -> str:
        """The joint as whose part a joint moves."""
        return self._carriers[joint]

    def at(self, dof: str, value: float) -> float:
        """Return the value itself."""
        return value

    def sign(self, dof: str) -> float:
        """Return 1."""
        return 1.0

    def representations(self) -> dict[str, Representation]:
        """Coordinates within the figure's limits; what others drive stays as it is when the motion begins."""
        least, most = self.figure.bounds
        found = {
            name: Representation(least=float(low), most=float(high))
            for name, low, high in zip(self.coordinates, least, most, strict=True)
        }
        return found | {name: Representation(kind="constant", value=self.held[name]) for name in self._driven}

    def root_at(self, place: Place, position: Vector3, known: Mapping[str, float]) -> dict[str, float]:
        """Say nothing: a point alone does not tell how a root stands in space."""
        return {}

    def demand(self, asked: AskedDemand) -> SpatialDemand:
        """Make a demand; what is equal over a range is asked for where pieces meet."""
        return SpatialDemand(
            stage=asked.stage,
            quantity=asked.quantity,
            of=asked.of,
            point=None if asked.place is None else BodyPoint(*asked.place),
            direction=asked.direction,
            at=asked.at,
            until=asked.until,
            least=asked.least,
            most=asked.most,
            key=asked.key,
            samples=1 if asked.least == asked.most else asked.samples,
        )

    def force(self, name: str, place: Place, direction: Vector3) -> SpatialForce:
        """Make a force."""
        return SpatialForce(name=name, point=BodyPoint(*place), direction=direction)

    def blow(self, name: str, place: Place, direction: Vector3) -> SpatialForce:
        """Make a blow."""
        return self.force(name, place, direction)

    def calm(self, place: Place, weight: float) -> SpatialCalm:
        """Make a calm point, whose acceleration costs as a share of gravity's."""
        return SpatialCalm(point=BodyPoint(*place), weight=weight / _GRAVITY**2)

    def cone(
        self, stage: str, normals: Sequence[str], tangents: Sequence[str], friction: float, slides: int
    ) -> tuple[SpatialCone, ...]:
        """Keep forces or blows of a contact in a cone."""
        return (
            SpatialCone(
                stage=stage, normals=tuple(normals), tangents=tuple(tangents), friction=friction, slides=slides != 0
            ),
        )

    def problem(
        self,
        *,
        stages: Sequence[MotionStage],
        demands: Sequence[SpatialDemand],
        muscles: Sequence[JointMuscle],
        forces: Sequence[SpatialForce],
        blows: Sequence[SpatialForce],
        cones: Sequence[SpatialCone],
        calm: Sequence[SpatialCalm],
        gravity: float,
        implicit: bool,
        whole: float | None = None,
    ) -> SpatialProblem:
        """Put a problem together; torques are always computed from the motion, and cost as shares of natural ones."""
        figure = replace(self.figure, gravity=(0.0, -gravity, 0.0))
        usual = max((each.torque for each in muscles), default=0.0)
        return SpatialProblem(
            figure=figure,
            stages=tuple(replace(each, forces=_hats(each.forces)) for each in stages),
            demands=tuple(demands),
            muscles=even_costs(figure, muscles),
            forces=tuple(forces),
            blows=tuple(blows),
            cones=tuple(cones),
            calm=tuple(calm),
            pressing=_PRESSING * usual / (figure.mass * _GRAVITY) ** 2,
            steadiness=usual * even_steadiness(figure),
            whole=whole,
        )

    def search(self, problem: SpatialProblem) -> SpatialSearch:
        """Make a problem ready."""
        return SpatialSearch(problem)

    @property
    def written(self) -> tuple[str, ...]:
        """The figure's own coordinates that move: all but what others drive."""
        return tuple(name for name in self.figure.figure.coordinates if name not in self._driven)

    def values(self, coordinates: Array) -> dict[str, float]:
        """Values of the figure's own coordinates."""
        return self.figure.values(coordinates)

    def slopes(self, coordinates: Array, rates: Array) -> dict[str, float]:
        """By how much these change with time."""
        return self.figure.slopes(coordinates, rates)

    def read(self, values: Mapping[str, float], slopes: Mapping[str, float], near: Array) -> tuple[Array, Array]:
        """Coordinates and rates at the figure's own; angles of balls as near to others as may be."""
        at = self.figure.at(values, near)
        return at, self.figure.rates_at(at, slopes)

    def point_at(self, coordinates: Array, place: Place) -> Vector3:
        """Where a point is in the world."""
        return self.figure.point_at(np.asarray(coordinates, np.float64), BodyPoint(*place))


def _hinges(dof: Dof, held: Mapping[str, float], plan: Spacetime) -> BallHinges:
    """Choose the hinges of a ball for the poses of a plan, in the order of time."""
    poses = [each for each in plan.constraints if each.on and each.quantity == "pose"]
    turns = []
    for each in sorted(poses, key=lambda each: plan.time(each.stage, each.at)):
        given = dict(each.values)
        if not given.keys().isdisjoint(dof.coordinates):
            w, x, y, z = (given.get(name, held[name]) for name in dof.coordinates)
            turns.append((w, x, y, z))
    w, x, y, z = (held[name] for name in dof.coordinates)
    return hinges_for(turns or [(w, x, y, z)])


def _without(plan: Spacetime, driven: frozenset[str]) -> Spacetime:
    """The plan whose poses say nothing of what others drive."""
    if not driven:
        return plan

    def kept(pose: SpacetimeConstraint) -> SpacetimeConstraint:
        values, rates = (
            tuple((name, value) for name, value in given if name not in driven) for given in (pose.values, pose.rates)
        )
        return replace(pose, values=values, rates=rates)

    return replace(
        plan, constraints=tuple(kept(each) if each.quantity == "pose" else each for each in plan.constraints)
    )


def _hats(forces: Mapping[str, Representation]) -> dict[str, Representation]:
    """Forces as hat functions, whatever curve is asked for."""
    return {name: replace(each, kind="hat") if each.kind == "hermite" else each for name, each in forces.items()}
