"""Rigid bodies that float, and how they are stepped without a scene: by their mass and inertia alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import exponential, matrices
from engine.water.fractions import RigidFrames
from engine.water.immersed import Immersed
from engine.water.solids import MovingMesh, rigid_mesh
from engine.water.step import WaterModel, WaterState, WaterWork
from engine.water.strong import STRONG, BodyReport, step_with_bodies

BOX = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ],
    dtype=np.int32,
)  # fmt: skip


def box_mesh(size: tuple[float, float, float]) -> tuple[Array, IntArray]:
    """A box about the origin."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    return 0.5 * signs * np.array(size), BOX


@dataclass
class Float:
    """A rigid body: where its surface is about its centre of mass, its mass, its inertia in its own axes."""

    points: Array
    triangles: IntArray
    mass: float
    inertia: Array
    centre: Array
    turn: Array = field(default_factory=lambda: np.eye(3))
    velocity: Array = field(default_factory=lambda: np.zeros(6))
    gravity: float = 9.81

    def immersed(self, dt: float) -> Immersed:
        """As water sees it over a step."""
        arms = self.points @ self.turn.T
        mesh = rigid_mesh("the float", self.triangles, len(arms), 0)
        speeds = self.velocity[:3] + np.cross(self.velocity[3:], arms)
        response = np.zeros((6, 6))
        response[:3, :3] = np.eye(3) / self.mass
        inertia = self.turn @ self.inertia @ self.turn.T
        response[3:, 3:] = np.linalg.inv(inertia)
        free = self.velocity + self._change(np.zeros(6), dt)
        return Immersed(
            solids=(MovingMesh(mesh=mesh, points=self.centre + arms, velocities=speeds),),
            frames=RigidFrames(origins=self.centre[None], velocities=self.velocity[None]),
            free=free[None],
            response=response,
        )

    def _change(self, wrench: Array, dt: float) -> Array:
        inertia = self.turn @ self.inertia @ self.turn.T
        spin = self.velocity[3:]
        force = wrench[:3] - np.array([0.0, self.mass * self.gravity, 0.0])
        torque = wrench[3:] - np.cross(spin, inertia @ spin)
        return dt * np.concatenate((force / self.mass, np.linalg.solve(inertia, torque)))

    def step(self, wrench: Array, dt: float) -> None:
        """Go on under a wrench."""
        self.velocity = self.velocity + self._change(wrench, dt)
        self.centre = self.centre + dt * self.velocity[:3]
        self.turn = matrices(exponential(dt * self.velocity[None, 3:]))[0] @ self.turn


def box_float(size: tuple[float, float, float], density: float, centre: Array, *, planar: bool = False) -> Float:
    """A solid box."""
    points, triangles = box_mesh(size)
    mass = density * float(np.prod(size))
    squares = np.square(size)
    inertia = mass / 12.0 * np.diag(squares.sum() - squares)
    if planar:
        inertia[0, 0] = inertia[1, 1] = 1e9
    return Float(points, triangles, mass, inertia, np.asarray(centre, dtype=float))


def play(
    model: WaterModel, state: WaterState, work: WaterWork, body: Float, dt: float, count: int, coupling: str = STRONG
) -> list[BodyReport]:
    """Step water and a body together."""
    made = []
    for _ in range(count):
        report = step_with_bodies(model, state, work, dt, body.immersed(dt), coupling)
        body.step(report.wrenches[0], dt)
        made.append(report)
    return made


def placed(
    points: Array,
    centre: Array,
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    *,
    triangles: IntArray = BOX,
    frame: int = 0,
) -> MovingMesh:
    """A surface at a place, which a frame moves."""
    mesh = rigid_mesh("the body", triangles, len(points), frame)
    return MovingMesh(mesh=mesh, points=points + centre, velocities=np.zeros_like(points) + velocity)


def turned(points: Array, angle: float) -> Array:
    """Points turned about z, then a little about x."""
    c, s = np.cos(angle), np.sin(angle)
    return (
        points
        @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]).T
        @ matrices(exponential(np.array([[0.3, 0.0, 0.0]])))[0].T
    )


def ball_mesh(radius: float, rings: int) -> tuple[Array, IntArray]:
    """A ball about the origin, of about the volume that it should have."""
    around = 2 * rings
    down, along = np.meshgrid(np.pi * np.arange(1, rings) / rings, np.pi * np.arange(around) / rings, indexing="ij")
    sides = np.stack((np.sin(down) * np.cos(along), np.cos(down), -np.sin(down) * np.sin(along)), axis=-1)
    points = np.concatenate(([[0.0, 1.0, 0.0]], sides.reshape(-1, 3), [[0.0, -1.0, 0.0]]))
    last, faces = len(points) - 1, []
    for k in range(around):
        after = (k + 1) % around
        faces += [[0, 1 + k, 1 + after], [last, last - around + after, last - around + k]]
        for ring in range(rings - 2):
            a, b = 1 + ring * around + k, 1 + ring * around + after
            faces += [[a, a + around, b + around], [a, b + around, b]]
    return radius * points, np.array(faces, dtype=np.int32)
