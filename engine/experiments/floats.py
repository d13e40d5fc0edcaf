"""Rigid bodies that float, for experiments: stepped by their mass and inertia alone, without a scene."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import exponential, matrices
from engine.runtime.quick_dataclass import dataclass
from engine.water.immersed import Immersed
from engine.water.joined import RigidFrames
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

_SIDES = 48  # of a cylinder


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


def lean(body: Float, angle: float) -> None:
    """Turn a body about z to an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    body.turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def leaning(body: Float) -> float:
    """Give the angle about z [rad]."""
    return float(np.arctan2(body.turn[1, 0], body.turn[0, 0]))


def rod_float(radius: float, length: float, density: float, centre: Array) -> Float:
    """A solid cylinder along z, in a planar tank."""
    around = np.linspace(0.0, 2.0 * np.pi, _SIDES + 1)[:-1]
    rim = radius * np.stack((np.cos(around), np.sin(around), 0.0 * around), axis=1)
    ends = np.array([(0.0, 0.0, -0.5 * length), (0.0, 0.0, 0.5 * length)])
    faces = []
    for k in range(_SIDES):
        after = (k + 1) % _SIDES
        faces += [[k, after, _SIDES + k], [after, _SIDES + after, _SIDES + k]]
        faces += [[2 * _SIDES, after, k], [2 * _SIDES + 1, _SIDES + k, _SIDES + after]]
    mass = density * np.pi * radius**2 * length
    inertia = np.diag([1e9, 1e9, 0.5 * mass * radius**2])
    points = np.concatenate((rim + ends[0], rim + ends[1], ends))
    return Float(points, np.array(faces, dtype=np.int32), mass, inertia, np.asarray(centre, dtype=float))
