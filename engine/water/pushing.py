"""Pushing: what water needs to know of the bodies that physics simulates, and what it does to them.

Whoever is asked first steps the other: physics asks at each of its steps what pushes it (`WaterStage.push`), and water
that is to come to a time lets physics come there (`Alongside.reach`). So while it is stepped water reads nothing that
physics moves, but what it is told: where free actors are, how fast, and how they answer to impulses.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engine.evaluation import Moving, Wrenches
from engine.maths.arrays import Array, IntArray, LongArray
from engine.water.joined import RigidFrames
from engine.water.solids import ClosedMesh, MovingMesh, rigid_mesh
from engine.water.surroundings import Bodies, PushedBodies, TankBody

if TYPE_CHECKING:
    from engine.water.grid import Grid

Link = tuple[str, int]  # an actor, and the number of a joint of it
_TURNS = (1, 2), (2, 0), (0, 1)
ROW = 9  # of what a step did to a joint: force, torque about its origin, where that was as the step began


@dataclass(frozen=True, eq=False)
class Alongside:
    """Physics of a document, as the simulation of a tank sees it."""

    reach: Callable[[int], Generator[float, None, None]]  # steps physics to a tick
    bodies: Callable[[int, int, Moving | None], tuple[Bodies, Bodies]]
    """Where all that may be in water is at two ticks, but for free actors; read below physics."""


@dataclass(frozen=True, eq=False)
class Links:
    """The joints of simulated actors that carry surfaces, in the order of bodies; each moves its own as a frame."""

    bodies: tuple[TankBody, ...]

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

    def pushed(self, moving: Moving, grid: Grid, steps: int) -> PushedBodies:
        """Find what is free at a step that lasts so many of physics', and near a tank."""
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
        return np.concatenate((wrenches, pushed.frames.origins), axis=1)

    def wrenches(self, rows: Array, moving: Moving) -> Wrenches:
        """Give that about where joints are at a step of physics: forces keep their lines in the world."""
        found: dict[str, Array] = {}
        for actor, (places, joints) in self._of_actor.items():
            given = rows[places]
            if actor in moving.frames and given[:, :6].any():
                frames = moving.frames[actor]
                out = found[actor] = np.zeros((len(frames), 6))
                out[joints] = given[:, :6]
                out[joints, 3:] += np.cross(given[:, 6:] - frames[joints, :, 3], given[:, :3])
        return found


def joined_wrenches(parts: Sequence[Wrenches]) -> Wrenches:
    """Add up wrenches of several tanks."""
    found: dict[str, Array] = {}
    for part in parts:
        for actor, rows in part.items():
            found[actor] = found[actor] + rows if actor in found else rows
    return found
