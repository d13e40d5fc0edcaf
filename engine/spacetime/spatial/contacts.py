"""Feet on the ground: points that are held or slide, by forces within a cone of friction, whose normal only pushes.

A cone is a pyramid within it: its forces are sums of four along its edges, each of which is 0 or more, so that bounds
of variables keep it and no equation is needed. Points are held where pieces meet; between, they stay to the order of
the spline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.spacetime.problem import MotionStage, Representation
from engine.spacetime.spatial.problem import SpatialDemand, SpatialForce, SpatialProblem
from engine.spacetime.spatial.tree import BodyPoint

_PUSH = Representation(kind="hat", least=0.0)
_BLOW = Representation(kind="single", least=0.0)
EDGES = 4


@dataclass(frozen=True, kw_only=True)
class FloorContact:
    """A point of a body that a surface holds at a place, or on which it slides a way."""

    name: str
    point: BodyPoint
    place: Vector3  # [m], in the world
    friction: float = 0.8
    normal: Vector3 = (0.0, 1.0, 0.0)
    way: Vector3 | None = None  # along the surface, if it slides

    def __post_init__(self) -> None:
        if not 0.0 <= self.friction < float("inf"):
            raise InvalidArguments(what="a coefficient of friction", value=self.friction, allowed="0 or more")

    @property
    def edges(self) -> tuple[Vector3, ...]:
        """Directions of the forces that it may give: a pyramid's edges, or one edge if it slides."""
        normal = _unit(self.normal)
        if self.way is not None:
            return (_tuple(normal - self.friction * _unit(self.way)),)
        one, other = self.tangents
        return tuple(
            _tuple(normal + self.friction * (np.cos(angle) * np.array(one) + np.sin(angle) * np.array(other)))
            for angle in 2.0 * np.pi * np.arange(EDGES) / EDGES
        )

    @property
    def tangents(self) -> tuple[Vector3, Vector3]:
        """Two directions along the surface."""
        normal = _unit(self.normal)
        axis = np.eye(3)[int(np.argmin(np.abs(normal)))]
        one = _unit(_tuple(np.cross(normal, axis)))
        return _tuple(one), _tuple(np.cross(normal, one))


def with_contacts(
    problem: SpatialProblem, contacts: Sequence[tuple[str, Sequence[FloorContact]]], *, struck: Sequence[str] = ()
) -> SpatialProblem:
    """Add contacts to stages, by their names. A stage of `struck` begins with blows at its contacts; any other begins
    with the rates that the stage before ended with, so what is held then has come to rest."""
    names = [each.name for each in problem.stages]
    stages, demands = list(problem.stages), list(problem.demands)
    forces, blows = list(problem.forces), list(problem.blows)
    before: dict[str, set[str]] = {}
    for stage, given in contacts:
        at = problem.stage(stage)
        before[stage] = {each.name for each in given}
        held = before.get(names[at - 1], set()) if at else set[str]()
        for contact in given:
            label = f"{contact.name} on {stage}"
            edges = [
                SpatialForce(name=f"{label} {number + 1}", point=contact.point, direction=edge)
                for number, edge in enumerate(contact.edges)
            ]
            forces += edges
            stages[at] = replace(stages[at], forces={**stages[at].forces, **{each.name: _PUSH for each in edges}})
            demands += _held(contact, stages[at], contact.name in held)
            if stage in struck and at > 0:
                hits = [replace(each, name=f"blow of {each.name}") for each in edges]
                blows += hits
                own = {**stages[at - 1].blows, **{each.name: _BLOW for each in hits}}
                stages[at - 1] = replace(stages[at - 1], blows=own)
    return replace(problem, stages=tuple(stages), demands=tuple(demands), forces=tuple(forces), blows=tuple(blows))


def _held(contact: FloorContact, stage: MotionStage, already: bool) -> list[SpatialDemand]:
    """Demand that a point stays where pieces meet, and does not move where the stage begins and ends."""
    found = []
    directions = (
        [_tuple(_unit(contact.normal))]
        if contact.way is not None
        else [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    )
    begin = 1.0 / stage.pieces if already else 0.0
    for direction in directions:
        value = float(np.dot(direction, contact.place))
        found.append(
            SpatialDemand(
                stage=stage.name,
                quantity="point",
                point=contact.point,
                direction=direction,
                at=begin,
                until=1.0,
                least=value,
                most=value,
            )
        )
        found += [
            SpatialDemand(
                stage=stage.name,
                quantity="point rate",
                point=contact.point,
                direction=direction,
                at=at,
                least=0.0,
                most=0.0,
            )
            for at in ((1.0,) if already else (0.0, 1.0))
        ]
    return found


def _unit(vector: Vector3) -> Array:
    found: Array = np.array(vector) / np.linalg.norm(vector)
    return found


def _tuple(vector: Array) -> Vector3:
    x, y, z = (float(each) for each in vector)
    return x, y, z
