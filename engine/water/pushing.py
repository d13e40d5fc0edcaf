"""Pushing: what water needs to know of the bodies that it moves, and what it does to them.

Whoever is asked first steps the other: physics asks at each of its steps what pushes it (`WaterStage.push`), and water
that is to come to a time lets physics come there (`Alongside.reach`). So while it is stepped water reads nothing that
physics moves, but what it is given: where free actors are, how fast, and how they answer to impulses. Soft bodies ask
likewise (`WaterStage.push_soft`); of them the rigid motion gives way to the water while it is solved for, by mass and
inertia of the whole, and what bends them comes after: pressure on each vertex of their surface.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.evaluation import MovingBodies, Wrenches
from engine.maths.arrays import Array, IntArray, LongArray
from engine.maths.rotation_arrays import cross
from engine.runtime.quick_dataclass import dataclass
from engine.water.joined import RigidFrames
from engine.water.solids import ClosedMesh, MovingMesh, rigid_mesh
from engine.water.surroundings import BodyPlaces, PushedBodies, TankBody

if TYPE_CHECKING:
    from engine.water.grid import WaterGrid

Link = tuple[str, int]  # an actor, and the number of a joint of it
_TURNS = (1, 2), (2, 0), (0, 1)
ROW = 9  # of what a step did to a joint: force, torque about its origin, where that was as the step began


class SoftMotion(NamedTuple):
    """A soft body at a time: its surface, and its rigid motion."""

    points: Array  # [m] of the surface's vertices, shape [vertex_count, 3]
    speeds: Array  # [m/s]
    middle: Array  # [m] its centre of mass
    velocity: Array  # of that, and turning, shape [6]
    response: Array  # of these to impulses about it, shape [6, 6]


def soft_state(points: Array, speeds: Array, masses: Array, surface: Array, surface_speeds: Array) -> SoftMotion:
    """Find the rigid motion of points [m] of some masses [kg], at some speeds [m/s], that carry a surface."""
    mass = float(masses.sum())
    middle = masses @ points / mass
    arms, velocity = points - middle, masses @ speeds / mass
    spread = np.einsum("i,ij,ik->jk", masses, arms, arms)
    inverse = np.linalg.pinv(np.trace(spread) * np.eye(3) - spread)
    turning = inverse @ (masses @ cross(arms, speeds))
    response = np.zeros((6, 6))
    response[:3, :3], response[3:, 3:] = np.eye(3) / mass, inverse
    return SoftMotion(surface, surface_speeds, middle, np.concatenate((velocity, turning)), response)


@dataclass(frozen=True, eq=False)
class Alongside:
    """Physics of a document, as the simulation of a tank sees it."""

    reach: Callable[[int], Generator[float, None, None]]  # steps physics to a tick
    bodies: Callable[[int, int, MovingBodies | None], tuple[BodyPlaces, BodyPlaces]]
    """Where all that may be in water is at two ticks, but for free actors and soft bodies; read below physics."""
    soft: Callable[[int, MovingBodies | None], Mapping[str, SoftMotion]]  # soft bodies at a tick


@dataclass(frozen=True, eq=False)
class Links:
    """The joints of simulated actors that carry surfaces, in the order of bodies; each moves its own as a frame."""

    bodies: tuple[TankBody, ...]
    pressed: frozenset[str] = frozenset()  # soft bodies that give way

    @cached_property
    def soft(self) -> dict[int, ClosedMesh]:
        """The surfaces of these, by numbers of bodies, each moved by a frame after those of joints."""
        found: dict[int, ClosedMesh] = {}
        for number, each in enumerate(self.bodies):
            if each.joint < 0 and each.actor in self.pressed:
                frame = len(self.links) + len(found)
                mesh = rigid_mesh(each.mesh.name, each.mesh.triangles, len(each.welds), frame, bends=True)
                found[number] = mesh
        return found

    @cached_property
    def _soft_starts(self) -> list[int]:
        return [0, *np.cumsum([len(each.frames) for each in self.soft.values()]).tolist()]

    @property
    def soft_vertices(self) -> int:
        """How many vertices they have together."""
        return self._soft_starts[-1]

    def soft_rows(self, frame: int) -> slice:
        """Which of these are moved by a frame."""
        place = frame - len(self.links)
        return slice(self._soft_starts[place], self._soft_starts[place + 1])

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The joints."""
        return tuple({(each.actor, each.joint): None for each in self.bodies if each.simulated and each.joint >= 0})

    @cached_property
    def _numbers(self) -> IntArray:
        """Which bodies they carry."""
        return np.array([n for n, each in enumerate(self.bodies) if each.simulated and each.joint >= 0], dtype=np.int32)

    @cached_property
    def _meshes(self) -> tuple[ClosedMesh, ...]:
        places = {link: place for place, link in enumerate(self.links)}
        carried = [self.bodies[number] for number in self._numbers]
        return tuple(
            rigid_mesh(each.mesh.name, each.mesh.triangles, len(each.points), places[each.actor, each.joint])
            for each in carried
        )

    @cached_property
    def _vertices(self) -> tuple[Array, IntArray, LongArray]:
        """All vertices of theirs in the frames of joints, the link of each, where those of each body begin."""
        points = [self.bodies[number].points for number in self._numbers]
        frames = [each.frames[:, 0] for each in self._meshes]
        starts = np.cumsum([0, *map(len, points)])
        return np.concatenate(points), np.concatenate(frames), starts.astype(np.int64)

    @cached_property
    def _of_actor(self) -> dict[str, tuple[IntArray, IntArray]]:
        """Of each actor which links are its own, and to which of its joints."""
        found: dict[str, tuple[IntArray, IntArray]] = {}
        for actor in dict.fromkeys(actor for actor, _ in self.links):
            own = [(place, joint) for place, (of, joint) in enumerate(self.links) if of == actor]
            places, joints = np.array(own, dtype=np.int32).T
            found[actor] = np.ascontiguousarray(places), np.ascontiguousarray(joints)
        return found

    def together(
        self, moving: MovingBodies | None, soft: Mapping[str, SoftMotion], grid: WaterGrid, dt: float, gravity: Array
    ) -> PushedBodies | None:
        """Find all that gives way in a step of dt [s] and is near a tank; None where nothing is free."""
        rigid = None if moving is None else self.pushed(moving, grid, max(1, round(dt / moving.dt)))
        if not (self.soft and soft):
            return rigid if self.links else None
        count = len(self.links)
        size = count + len(self.soft)
        origins, velocities, free = np.zeros((size, 3)), np.zeros((size, 6)), np.zeros((size, 6))
        response = np.zeros((6 * size, 6 * size))
        solids, numbers = ([], []) if rigid is None else (list(rigid.solids), list(rigid.numbers))
        if rigid is not None:
            origins[:count], velocities[:count] = rigid.frames.origins, rigid.frames.velocities
            free[:count] = rigid.free
            response[: 6 * count, : 6 * count] = rigid.response
        for place, (number, mesh) in enumerate(self.soft.items(), count):
            body = self.bodies[number]
            if body.actor not in soft:
                continue
            state, own = soft[body.actor], slice(6 * place, 6 * place + 6)
            origins[place], velocities[place], response[own, own] = state.middle, state.velocity, state.response
            free[place] = state.velocity
            free[place, :3] += dt * gravity
            points = state.points[body.welds]
            if _is_near(points, grid):
                solids.append(MovingMesh(mesh=mesh, points=points, velocities=state.speeds[body.welds]))
                numbers.append(number)
        return PushedBodies(
            actors=frozenset(soft) | (frozenset() if rigid is None else rigid.actors),
            numbers=tuple(numbers),
            solids=tuple(solids),
            frames=RigidFrames(origins=origins, velocities=velocities),
            free=free,
            response=response,
        )

    def pushed(self, moving: MovingBodies, grid: WaterGrid, steps: int) -> PushedBodies:
        """Find what is free at a step that lasts so many of physics', and near a tank."""
        if not self.links:
            none, still = np.zeros((0, 6)), RigidFrames(origins=np.zeros((0, 3)), velocities=np.zeros((0, 6)))
            return PushedBodies(frozenset(moving.frames), (), (), still, none, np.zeros((0, 0)))
        count = len(self.links)
        frames, speeds, free = np.zeros((count, 3, 4)), np.zeros((count, 6)), np.zeros((count, 6))
        is_free = np.zeros(count, dtype=np.bool_)
        for actor, (places, joints) in self._of_actor.items():
            if actor in moving.frames:
                frames[places], speeds[places] = moving.frames[actor][joints], moving.speeds[actor][joints]
                is_free[places] = True
        points, of, starts = self._vertices
        origins = np.ascontiguousarray(frames[:, :, 3])
        arms = np.einsum("nij,nj->ni", frames[of, :, :3], points)
        turned = np.stack([speeds[of, 3 + a] * arms[:, b] - speeds[of, 3 + b] * arms[:, a] for a, b in _TURNS], axis=1)
        places, velocities = origins[of] + arms, speeds[of, :3] + turned
        low, size, aside = np.array(grid.origin), np.array(grid.size), grid.spacing
        near = (np.maximum.reduceat(places, starts[:-1]) > low - aside).all(axis=1)
        near &= (np.minimum.reduceat(places, starts[:-1]) < low + size + aside).all(axis=1)
        near &= is_free[[mesh.frames[0, 0] for mesh in self._meshes]]
        found = np.flatnonzero(near).tolist()
        solids = [
            MovingMesh(mesh=self._meshes[each], points=places[rows], velocities=velocities[rows])
            for each in found
            for rows in (slice(starts[each], starts[each + 1]),)
        ]
        moved = sorted({int(self._meshes[each].frames[0, 0]) for each in found})
        response = np.zeros((count, 6, count, 6))
        if moved:
            _, ahead = moving.ahead({}, steps)
            answers = moving.responses([self.links[place] for place in moved])
            response[np.ix_(moved, range(6), moved, range(6))] = answers.reshape(len(moved), 6, len(moved), 6)
            for place in moved:
                actor, joint = self.links[place]
                free[place] = ahead[actor][joint]
        return PushedBodies(
            actors=frozenset(moving.frames),
            numbers=tuple(self._numbers[found].tolist()),
            solids=tuple(solids),
            frames=RigidFrames(origins=origins, velocities=speeds),
            free=free,
            response=response.reshape(6 * count, 6 * count),
        )

    def rows(self, pushed: PushedBodies, wrenches: Array) -> Array:
        """Keep what a step did, shape [link_count, ROW]."""
        return np.concatenate((wrenches, pushed.frames.origins), axis=1)[: len(self.links)]

    def wrenches(self, rows: Array, moving: MovingBodies) -> Wrenches:
        """Give that about where joints are at a step of physics: forces keep their lines in the world."""
        found: dict[str, Array] = {}
        for actor, (places, joints) in self._of_actor.items():
            given = rows[places]
            if actor in moving.frames and given[:, :6].any():
                frames = moving.frames[actor]
                out = found[actor] = np.zeros((len(frames), 6))
                out[joints] = given[:, :6]
                out[joints, 3:] += cross(given[:, 6:] - frames[joints, :, 3], given[:, :3])
        return found


def _is_near(points: Array, grid: WaterGrid) -> bool:
    low, size, aside = np.array(grid.origin), np.array(grid.size), grid.spacing
    return bool((points.max(axis=0) > low - aside).all() and (points.min(axis=0) < low + size + aside).all())


def joined_wrenches(parts: Sequence[Wrenches]) -> Wrenches:
    """Add up wrenches of several tanks."""
    found: dict[str, Array] = {}
    for part in parts:
        for actor, rows in part.items():
            found[actor] = found[actor] + rows if actor in found else rows
    return found
