"""Pushing: what water needs to know of the bodies that physics simulates, and what it does to them.

Whoever is asked first steps the other: physics asks at each of its steps what pushes it (`WaterStage.push`), and water
that is to come to a time lets physics come there (`Alongside.reach`). So while it is stepped water reads nothing that
physics moves, but what it is told: where free actors are, how fast, and how they answer to impulses.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine.evaluation import Moving, Wrenches
from engine.maths.arrays import Array
from engine.water.fractions import RigidFrames
from engine.water.solids import ClosedMesh, MovingMesh, rigid_mesh
from engine.water.surroundings import Bodies, PushedBodies, TankBody

if TYPE_CHECKING:
    from engine.water.grid import Grid

Link = tuple[str, int]  # an actor, and the number of a joint of it
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
    links: tuple[Link, ...] = field(init=False)
    meshes: tuple[ClosedMesh | None, ...] = field(init=False)  # of each body, None where it is not simulated

    def __post_init__(self) -> None:
        found = {(each.actor, each.joint): None for each in self.bodies if each.simulated and each.joint >= 0}
        links = tuple(found)
        meshes = [
            rigid_mesh(each.mesh.name, each.mesh.triangles, len(each.points), links.index((each.actor, each.joint)))
            if (each.actor, each.joint) in found
            else None
            for each in self.bodies
        ]
        object.__setattr__(self, "links", links)
        object.__setattr__(self, "meshes", tuple(meshes))

    def pushed(self, moving: Moving, grid: Grid, steps: int) -> PushedBodies:
        """Find what is free at a step that lasts so many of physics', and near a tank."""
        count = len(self.links)
        origins, speeds, free = np.zeros((count, 3)), np.zeros((count, 6)), np.zeros((count, 6))
        known = [place for place, (actor, _) in enumerate(self.links) if actor in moving.frames]
        solids, numbers, near = list[MovingMesh](), list[int](), set[int]()
        for place in known:
            actor, joint = self.links[place]
            origins[place], speeds[place] = moving.frames[actor][joint, :, 3], moving.speeds[actor][joint]
        for number, (body, mesh) in enumerate(zip(self.bodies, self.meshes, strict=True)):
            if mesh is None or body.actor not in moving.frames:
                continue
            place = int(mesh.frames[0, 0])
            frame = moving.frames[body.actor][body.joint]
            arms = body.points @ frame[:, :3].T
            if _is_near(arms + origins[place], grid):
                velocities = speeds[place, :3] + np.cross(speeds[place, 3:], arms)
                solids.append(MovingMesh(mesh=mesh, points=origins[place] + arms, velocities=velocities))
                numbers.append(number)
                near.add(place)
        response = np.zeros((count, 6, count, 6))
        if near:
            places = sorted(near)
            _, ahead = moving.ahead({}, steps)
            found = moving.responses([self.links[place] for place in places])
            response[np.ix_(places, range(6), places, range(6))] = found.reshape(len(places), 6, len(places), 6)
            for place in places:
                actor, joint = self.links[place]
                free[place] = ahead[actor][joint]
        return PushedBodies(
            actors=frozenset(moving.frames),
            numbers=tuple(numbers),
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
        for (actor, joint), row in zip(self.links, rows, strict=True):
            if actor in moving.frames and row[:6].any():
                frames = moving.frames[actor]
                out = found.setdefault(actor, np.zeros((len(frames), 6)))
                out[joint, :3] += row[:3]
                out[joint, 3:] += row[3:6] + np.cross(row[6:] - frames[joint, :, 3], row[:3])
        return found


def _is_near(points: Array, grid: Grid) -> bool:
    low, size, aside = np.array(grid.origin), np.array(grid.size), grid.spacing
    return bool((points.max(axis=0) > low - aside).all() and (points.min(axis=0) < low + size + aside).all())


def joined_wrenches(parts: Sequence[Wrenches]) -> Wrenches:
    """Add up wrenches of several tanks."""
    found: dict[str, Array] = {}
    for part in parts:
        for actor, rows in part.items():
            found[actor] = found[actor] + rows if actor in found else rows
    return found
