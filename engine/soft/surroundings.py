"""Surroundings: where the joints of other actors are at the steps of a simulation, and the shapes that they carry.

Actors that have a shape are obstacles for soft bodies, whether they follow their keys or are simulated by physics,
unless they say that they are neither. A body goes through those that any is attached to, within which it would lie; one
that touches its wearer goes through those joints of it alone that hold points of the body. Boxes, balls and capsules
are as they are; other shapes are the capsules that stand for them in contact (`engine.dynamics.outlines`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.document import Actor, Box, Document, Ellipsoid, Figure
from engine.document.shapes import Shape
from engine.dynamics.outlines import stadiums_of
from engine.maths.arrays import Array
from engine.model.compile import ROW, Model
from engine.model.kinematics import compute_forward_kinematics
from engine.physics.uses import physics_of
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import SoftBody
from engine.soft.uses import is_soft, soft_actors

Rows = Mapping[str, Array]  # of each actor: rotation and position of its base, then its coordinates
Keyed = Callable[[Sequence[float]], Sequence[Rows]]
ModelOf = Callable[[Actor], Model]

_SOLIDS: Bounded[str, tuple[Figure, tuple[Obstacle, ...]]] = Bounded(32)  # by the actor


class Obstacle(NamedTuple):
    """A box, or a capsule (a ball where both ends are one), in the frame of a joint [m]."""

    actor: str
    joint: int  # its number in the figure
    start: tuple[float, float, float]  # of a box its centre
    end: tuple[float, float, float]  # of a box its half extents
    radius: float  # of a box how it is rounded
    is_box: bool
    spared: tuple[int, ...] = ()  # numbers of the soft bodies that go through it


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The actors that soft bodies read, and the solids that they collide with."""

    actors: tuple[Actor, ...]  # that are read
    solids: tuple[Obstacle, ...]

    def frames(self, rows: Rows, model_of: ModelOf) -> dict[str, Array]:
        """Find the world transforms of the joints of each actor, shape [joint_count, 3, 4]."""
        return {each.id: joint_frames(model_of(each), rows[each.id]) for each in self.actors}


def find_surroundings(document: Document) -> Surroundings:
    """Find what the soft bodies of a document touch and are attached to, and where they stand themselves."""
    soft = dict(soft_actors(document))
    own = {actor.id for actor in soft}
    holding = {each.target for body in soft.values() for each in body.attachments}
    solids = [
        solid
        for actor in document.actors
        if not is_soft(actor) and physics_of(actor).role != "none"
        for solid in _touched(actor, list(soft.values()), holding)
    ]
    read = own | holding | {each.actor for each in solids}
    return Surroundings(tuple(actor for actor in document.actors if actor.id in read), tuple(solids))


def joint_frames(model: Model, row: Array) -> Array:
    """Find the world transform of every joint of an actor that stands as a row says, shape [joint_count, 3, 4]."""
    state = model.new_state()
    state[:ROW] = row[:ROW]
    compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(row[ROW:]), state)
    found = model.transforms(state)
    return np.concatenate((found[:, :9].reshape(-1, 3, 3), found[:, 9:, None]), axis=2)


def _touched(actor: Actor, bodies: Sequence[SoftBody], holding: Collection[str]) -> Iterator[Obstacle]:
    """Give the solids of an actor that any of the bodies touches, each with those that go through it."""
    passing = [_passing(actor, body, holding) for body in bodies]
    for solid in _solids(actor):
        joint = actor.figure.joints[solid.joint].id
        spared = tuple(number for number, joints in enumerate(passing) if joints is None or joint in joints)
        if len(spared) < len(bodies):
            yield solid._replace(spared=spared)


def _passing(actor: Actor, body: SoftBody, holding: Collection[str]) -> frozenset[str] | None:
    """Name the joints of an actor that a body goes through; None: all."""
    if not body.touches or (actor.id in holding and not body.touches_wearer):
        return None
    return frozenset(each.joint for each in body.attachments if each.target == actor.id)


def _solids(actor: Actor) -> tuple[Obstacle, ...]:
    """List the solids of an actor; kept by its figure, since every edit asks and few change a shape."""
    known = _SOLIDS.get(actor.id)
    if known is None or known[0] is not actor.figure:
        known = _SOLIDS.keep(actor.id, (actor.figure, tuple(_find_solids(actor))))
    return known[1]


def _find_solids(actor: Actor) -> Iterator[Obstacle]:
    for number, joint in enumerate(actor.figure.joints):
        for shape in joint.shapes:
            if isinstance(shape, Box):
                yield Obstacle(actor.id, number, shape.centre, shape.half, shape.rounding, True)
            elif _is_ball(shape):
                yield Obstacle(actor.id, number, shape.centre, shape.centre, shape.radii[0], False)  # type: ignore[union-attr]
            else:
                for each in stadiums_of(replace(joint, shapes=(shape,)), filled=True):
                    yield Obstacle(actor.id, number, each.start, each.end, each.radius, False)


def _is_ball(shape: Shape) -> bool:
    return isinstance(shape, Ellipsoid) and len(set(shape.radii)) == 1
