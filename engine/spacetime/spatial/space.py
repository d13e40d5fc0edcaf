"""How the problem of a document sees a figure in space: its own hinges and slides are the coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.document import Actor
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.runtime.errors import NothingThere
from engine.spacetime.problem import JointMuscle, MotionStage, Representation
from engine.spacetime.spaces import UP, AskedDemand, Place
from engine.spacetime.spatial.problem import SpatialCone, SpatialDemand, SpatialForce, SpatialProblem
from engine.spacetime.spatial.search import SpatialSearch
from engine.spacetime.spatial.strengths import EVEN_STEADINESS, even_costs
from engine.spacetime.spatial.tree import BodyPoint, SpatialFigure

_PRESSING = 1e-3  # that a force as large as the figure's weight costs, beside a torque as large as is natural
_GRAVITY = 9.81


class FigureSpace:
    """A figure in space. `held` says where its coordinates are as the motion begins."""

    apart = True
    axes: tuple[Vector3, ...] = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), UP)

    def __init__(self, actor: Actor, held: Mapping[str, float]) -> None:
        balls = [dof.id for dof in actor.figure.dofs if dof.kind == "ball"]
        if balls:
            words = f"{actor.name} has joints that turn like balls ({', '.join(balls)})"
            raise NothingThere(words, remedy="Plan its motion in a plane, or give it hinges: in space these alone move")
        home = Frame(actor.placement.position, actor.placement.rotation)
        self.figure = SpatialFigure(actor.figure, {}, home=home)
        self.held = dict(held)
        self.coordinates = self.figure.coordinates
        self.root_joint = actor.figure.joints[0].id
        self.root = tuple(dof.id for dof in actor.figure.joints[0].dofs)
        self.moved: Mapping[str, str] = {name: name for name in self.coordinates}
        self._joints = actor.figure.joints
        self._carriers: dict[str, str] = {}
        for joint in actor.figure.joints:
            own = joint.id if joint.dofs or joint.parent is None else self._carriers[joint.parent]
            self._carriers[joint.id] = own

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
        """Coordinates within the figure's limits."""
        least, most = self.figure.bounds
        return {
            name: Representation(least=float(low), most=float(high))
            for name, low, high in zip(self.coordinates, least, most, strict=True)
        }

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

    def calm(self, place: Place, weight: float) -> None:
        """Refuse what motions in space cannot have."""
        name = next(each.name for each in self._joints if each.id == place[0])
        remedy = f"Take Calm {name.lower()} away (Effort), or plan in a plane"
        raise NothingThere("In space no calm points can be asked for", remedy=remedy)

    def cone(
        self, stage: str, normals: Sequence[str], tangents: Sequence[str], friction: float, slides: int
    ) -> tuple[SpatialCone, ...]:
        """Keep forces or blows of a contact in a cone."""
        return (
            SpatialCone(
                stage=stage, normals=tuple(normals), tangents=tuple(tangents), friction=friction, slides=slides
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
        calm: Sequence[None],
        gravity: float,
        implicit: bool,
    ) -> SpatialProblem:
        """Put a problem together; torques are always computed from the motion, and cost as shares of natural ones."""
        if any(each.smoothness for each in muscles):
            remedy = "Set Smoothness to 0 (Effort), or plan in a plane"
            raise NothingThere("In space smoothness cannot be asked for: torques follow from the motion", remedy=remedy)
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
            pressing=_PRESSING * usual / (figure.mass * _GRAVITY) ** 2,
            steadiness=usual * EVEN_STEADINESS,
        )

    def search(self, problem: SpatialProblem) -> SpatialSearch:
        """Make a problem ready."""
        return SpatialSearch(problem)

    def values(self, coordinates: Array) -> dict[str, float]:
        """Values of the figure's own coordinates."""
        return {**self.held, **self.figure.values(coordinates)}

    def point_at(self, coordinates: Array, place: Place) -> Vector3:
        """Where a point is in the world."""
        return self.figure.point_at(np.asarray(coordinates, np.float64), BodyPoint(*place))


def _hats(forces: Mapping[str, Representation]) -> dict[str, Representation]:
    """Forces as hat functions, whatever curve is asked for."""
    return {name: replace(each, kind="hat") if each.kind == "hermite" else each for name, each in forces.items()}
