"""Surroundings: the surfaces of other actors that may be in a tank, and where these are at a time.

Figures and props are the solids of their shapes, each with the joint that carries it; soft bodies are their surfaces.
Actors that physics says are neither simulated nor obstacles are not felt, nor those without shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.document import Actor, Document
from engine.maths.arrays import Array, IntArray
from engine.model.compile import ROW, Model
from engine.model.kinematics import compute_forward_kinematics
from engine.model.solids import surface_of
from engine.physics.uses import is_simulated, physics_of
from engine.runtime.quick_dataclass import dataclass
from engine.soft.uses import soft_body
from engine.water.joined import RigidFrames
from engine.water.solids import ClosedMesh, MovingMesh, rigid_mesh
from engine.water.uses import is_water
from engine.water.welding import welded

Rows = Mapping[str, Array]  # of each actor: rotation and position of its base, then its coordinates
Keyed = Callable[[Sequence[float]], Sequence[Rows]]
ModelOf = Callable[[Actor], Model]
SoftSurface = Callable[[str, float], Array]  # vertices of a soft body at a time [m], shape [vertex_count, 3]


class BodyPlaces(NamedTuple):
    """Where all that may be in water is at a time."""

    frames: Mapping[str, Array]  # of actors: world transforms of joints, shape [joint_count, 3, 4]
    soft: Mapping[str, Array]  # of soft bodies: vertices of their surfaces [m], shape [vertex_count, 3]


class PushedBodies(NamedTuple):
    """Surfaces of actors that physics simulates, at the beginning of a step, and how these answer to the water."""

    actors: frozenset[str]
    numbers: tuple[int, ...]  # of these surfaces among all bodies
    solids: tuple[MovingMesh, ...]
    frames: RigidFrames
    free: Array  # speeds at the end of the step without water, shape [frame_count, 6]
    response: Array  # of speeds to impulses, shape [6 frame_count, 6 frame_count]


@dataclass(frozen=True, eq=False)
class TankBody:
    """One closed surface: a solid that a joint carries, or a soft body."""

    actor: str
    joint: int  # its number in the figure; of a soft body -1
    simulated: bool  # by physics: the water pushes it
    mesh: ClosedMesh
    points: Array  # [m] in the frame of the joint, shape [vertex_count, 3]
    welds: IntArray  # of a soft body: the vertex of its surface that each stands for
    vertex_count: int = 0  # of a soft body: that its surface had before those at one place were joined

    def at(self, bodies: BodyPlaces) -> Array:
        """Give its vertices in the world."""
        if self.joint < 0:
            return np.asarray(bodies.soft[self.actor][self.welds])
        frame = bodies.frames[self.actor][self.joint]
        return np.asarray(self.points @ frame[:, :3].T + frame[:, 3])


def find_bodies(document: Document) -> tuple[TankBody, ...]:
    """Find the surfaces that may be in water, in the document's order."""
    found = list[TankBody]()
    for actor in document.actors:
        if is_water(actor):
            continue
        found += _soft(actor) if soft_body(actor) is not None else _solids(actor)
    return tuple(found)


def read_actors(document: Document, bodies: Sequence[TankBody]) -> tuple[Actor, ...]:
    """Give the actors whose joints carry such surfaces."""
    ids = {each.actor for each in bodies if each.joint >= 0}
    return tuple(actor for actor in document.actors if actor.id in ids)


def joint_frames(model: Model, row: Array) -> Array:
    """Find the world transform of every joint of an actor that stands as a row says, shape [joint_count, 3, 4]."""
    state = model.new_state()
    state[:ROW] = row[:ROW]
    compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(row[ROW:]), state)
    found = model.transforms(state)
    return np.concatenate((found[:, :9].reshape(-1, 3, 3), found[:, 9:, None]), axis=2)


def moving(body: TankBody, before: BodyPlaces, now: BodyPlaces, share: float, dt: float) -> MovingMesh:
    """Place a surface part of the way between two times that lie dt [s] apart, at the speed between them."""
    one, two = body.at(before), body.at(now)
    return MovingMesh(mesh=body.mesh, points=one + share * (two - one), velocities=(two - one) / dt)


def _soft(actor: Actor) -> Iterator[TankBody]:
    body = soft_body(actor)
    if body is None or not body.touches or body.triangles.shape[0] == 0:
        return
    points, triangles, first = welded(body.positions.array.astype(np.float64), body.triangles.array)
    mesh = rigid_mesh(actor.name, triangles, len(points), -1)
    yield TankBody(actor.id, -1, False, mesh, points, first, len(body.positions.array))


def _solids(actor: Actor) -> Iterator[TankBody]:
    if physics_of(actor).role == "none":
        return
    for number, joint in enumerate(actor.figure.joints):
        for shape in joint.shapes:
            surface = surface_of(shape)
            points, triangles, first = welded(surface.positions, surface.triangles)
            mesh = rigid_mesh(f"{joint.name} of {actor.name}", triangles, len(points), -1)
            yield TankBody(actor.id, number, is_simulated(actor), mesh, points, first)
