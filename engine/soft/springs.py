"""Mass-spring systems in the plane and in space, stepped by symplectic Euler (Engell-Norregard 2012, 20.2 and 21).

v' = v + dt M^-1 f(x, v), x' = x + dt v'. Every force between two points lies along their line, so the step keeps
momentum and, x' x v' = x x v', angular momentum to rounding; so do activation splines, see `virtual_springs.py`. Energy
is kept on average while the step is short beside 2 / omega of the fastest spring; `stable_step` has a bound of it, and
`SpringBody.advance` divides a step that is longer.

The ground is a plane below: penalty springs with damping (95 and 96) and Coulomb friction (97 and 98), which stops a
point and never turns it back. They are damped as (80) says, with the mass of each point.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.soft.mesh import VolumeMesh
from engine.soft.virtual_springs import VirtualSprings, add_virtual_forces, no_springs

MOST_SUBSTEPS = 10_000
_SAFE = 0.5  # of the bound on the step


class EdgeSprings(NamedTuple):
    """Springs of a body's edges, and the ground: arrays alone, for kernels."""

    ends: IntArray  # shape [spring_count, 2]
    rest: Array  # [m]
    stiffness: Array  # [N/m]
    damping: Array  # [N s/m]
    masses: Array  # [kg] of the points; infinite where one is held
    gravity: Array  # [m/s2], shape [3]
    ground: Array  # height [m], 1 / tau of the penalty [1/s], friction


@dataclass(frozen=True, eq=False)
class SpringBody:
    """A mass-spring body with its activation splines."""

    springs: EdgeSprings
    virtual: VirtualSprings

    def advance(self, points: Array, velocities: Array, alphas: Array, dt: float) -> int:
        """Step points [m] and velocities [m/s] in place, by as many equal parts as are stable; return how many."""
        self._checked(alphas)
        if not (math.isfinite(dt) and dt > 0.0):
            raise InvalidArguments(what="the step", value=dt, allowed="a time above zero")
        count = max(1, math.ceil(dt / self.stable_step() - 1e-9))
        if count > MOST_SUBSTEPS:
            allowed = f"{MOST_SUBSTEPS:,} at most: a body of softer springs, larger masses, or shorter steps"
            raise InvalidArguments(what="the parts of a step that stays stable", value=count, allowed=allowed)
        return self.step(points, velocities, alphas, dt / count, count)

    def step(self, points: Array, velocities: Array, alphas: Array, dt: float, count: int = 1) -> int:
        """Make so many steps of that length, stable or not; return how many."""
        given = self._checked(alphas)
        forces, work = np.zeros_like(points), self.virtual.new_work()
        advance_springs(self.springs, self.virtual, given, points, velocities, dt, count, forces, work)
        if not np.isfinite(points).all():
            raise Diverged(what="a point of a mass-spring body", value="no number", allowed="a shorter step")
        return count

    def _checked(self, alphas: Array) -> Array:
        given = np.ascontiguousarray(alphas, dtype=np.float64)
        if given.shape != self.virtual.rest.shape or not np.isfinite(given).all():
            allowed = f"{len(self.virtual.rest)} finite numbers, one for each segment"
            raise InvalidArguments(what="the contractions", value=alphas, allowed=allowed)
        return given

    def stable_step(self) -> float:
        """Bound the step [s] by half of what the stiffest point allows, with its damping."""
        return self._stable

    @cached_property
    def _stable(self) -> float:
        masses = self.springs.masses
        pull, drag = np.zeros(len(masses)), np.zeros(len(masses))
        for ends, stiffness, damping in (
            (self.springs.ends[:, 0], self.springs.stiffness, self.springs.damping),
            (self.springs.ends[:, 1], self.springs.stiffness, self.springs.damping),
        ):
            pull += np.bincount(ends, weights=stiffness, minlength=len(masses))
            drag += np.bincount(ends, weights=damping, minlength=len(masses))
        square = float((2.0 * pull / masses).max(initial=0.0)) + float(_fastest(self.virtual, masses))
        square = max(square, float(self.springs.ground[1]) ** 2)
        rate = float((2.0 * drag / masses).max(initial=0.0)) + 2.0 * math.sqrt(_fastest(self.virtual, masses))
        # the larger root of dt^2 w^2 + dt r = 4
        bound = 8.0 / (rate + math.sqrt(rate * rate + 16.0 * square)) if square + rate > 0.0 else math.inf
        return _SAFE * bound

    def energy(self, points: Array, velocities: Array, alphas: Array) -> Array:
        """Sum up kinetic energy, that of springs, of splines and of weight [J]."""
        springs, held = self.springs, ~np.isfinite(self.springs.masses)
        masses = np.where(held, 0.0, springs.masses)
        lengths = np.linalg.norm(points[springs.ends[:, 1]] - points[springs.ends[:, 0]], axis=1)
        pulled = self.virtual.contractions(points) * self.virtual.rest - alphas * self.virtual.rest
        return np.array(
            (
                0.5 * float(np.sum(masses[:, None] * velocities**2)),
                0.5 * float(np.sum(springs.stiffness * (lengths - springs.rest) ** 2)),
                0.5 * float(np.sum(self.virtual.stiffness * pulled**2)),
                -float(np.sum(masses * (points @ springs.gravity))),
            )
        )


def spring_body(
    mesh: VolumeMesh,
    masses: Array,
    *,
    stiffness: float,
    damping: float = 0.0,
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ground: float | None = None,
    tau: float = 0.01,
    friction: float = 0.0,
    held: BoolArray | None = None,
    virtual: VirtualSprings | None = None,
) -> SpringBody:
    """Make springs [N/m] of a mesh's edges, times the mean factor of the cells at each; damping is a share of the
    critical one of each edge's own two masses. The ground's height [m] is None where there is none."""
    for what, value, least in (
        ("stiffness of springs", stiffness, 1e-300), ("damping of springs", damping, 0.0),
        ("ground's tau", tau, 1e-300), ("friction", friction, 0.0),
    ):  # fmt: skip
        if not (math.isfinite(value) and value >= least):
            raise InvalidArguments(
                what=f"the {what}", value=value, allowed="a number above zero" if least else "0 or more"
            )
    masses = np.ascontiguousarray(masses, dtype=np.float64)
    if masses.shape != (len(mesh.points),) or not (np.isfinite(masses).all() and (masses > 0.0).all()):
        raise InvalidArguments(what="the masses of a body", value=masses, allowed="one above zero for each point")
    ends = mesh.edges
    each = stiffness * _edge_factors(mesh)
    reduced = masses[ends[:, 0]] * masses[ends[:, 1]] / (masses[ends[:, 0]] + masses[ends[:, 1]])
    springs = EdgeSprings(
        ends,
        np.linalg.norm(mesh.points[ends[:, 1]] - mesh.points[ends[:, 0]], axis=1),
        each,
        2.0 * damping * np.sqrt(each * reduced),
        masses if held is None else np.where(held, np.inf, masses),
        np.array(gravity, dtype=np.float64),
        np.array((-np.inf if ground is None else ground, 0.0 if ground is None else 1.0 / tau, friction)),
    )
    return SpringBody(springs, no_springs() if virtual is None else virtual)


def _edge_factors(mesh: VolumeMesh) -> Array:
    """Average the factors of the cells that have both ends of each edge."""
    corners = mesh.cells.shape[1]
    pairs = np.concatenate([np.sort(mesh.cells[:, [i, j]], axis=1) for i in range(corners) for j in range(i)])
    factors = np.tile(mesh.factors, corners * (corners - 1) // 2)
    size = len(mesh.points)
    keys = mesh.edges.astype(np.int64) @ np.array([size, 1])
    at = np.searchsorted(keys, pairs.astype(np.int64) @ np.array([size, 1]))
    return np.asarray(np.bincount(at, weights=factors) / np.bincount(at))


def _fastest(virtual: VirtualSprings, masses: Array) -> float:
    """Bound the squared frequency [1/s2] of the splines: that of each point's pull through its largest weight."""
    if not virtual.segment_count:
        return 0.0
    weights = virtual.weights
    light = np.repeat(np.arange(weights.row_count), np.diff(weights.starts))
    ease = np.bincount(light, weights=weights.values**2 / masses[weights.points])
    pull = np.zeros(weights.row_count)
    np.add.at(pull, virtual.segments.ravel(), np.repeat(virtual.stiffness, 2))
    overlaps = np.bincount(weights.points).max() if len(weights.points) else 1
    return float((2.0 * pull * ease).max() * overlaps)


@kernel
def advance_springs(
    springs: EdgeSprings,
    virtual: VirtualSprings,
    alphas: Array,
    points: Array,
    velocities: Array,
    dt: float,
    count: int,
    forces: Array,
    work: Array,
) -> None:
    """Make so many steps of symplectic Euler, in place."""
    for _ in range(count):
        forces[:] = 0.0
        pull_springs(springs, points, velocities, forces)
        if virtual.rest.shape[0] > 0:
            add_virtual_forces(virtual, points, velocities, alphas, work, forces)
        for point in range(points.shape[0]):
            mass = springs.masses[point]
            if mass == np.inf:
                continue
            for axis in range(3):
                velocities[point, axis] += dt * (forces[point, axis] / mass + springs.gravity[axis])
            meet_ground(springs.ground, points[point], dt, velocities[point])
            for axis in range(3):
                points[point, axis] += dt * velocities[point, axis]


@kernel
def pull_springs(springs: EdgeSprings, points: Array, velocities: Array, out_forces: Array) -> None:
    """Add the force of each spring to its ends."""
    for number in range(springs.ends.shape[0]):
        i, j = springs.ends[number, 0], springs.ends[number, 1]
        x, y, z = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
        length = np.sqrt(x * x + y * y + z * z)
        if length < 1e-12:
            continue
        x, y, z = x / length, y / length, z / length
        rate = (
            x * (velocities[j, 0] - velocities[i, 0])
            + y * (velocities[j, 1] - velocities[i, 1])
            + z * (velocities[j, 2] - velocities[i, 2])
        )
        pull = springs.stiffness[number] * (length - springs.rest[number]) + springs.damping[number] * rate
        out_forces[i, 0] += pull * x
        out_forces[i, 1] += pull * y
        out_forces[i, 2] += pull * z
        out_forces[j, 0] -= pull * x
        out_forces[j, 1] -= pull * y
        out_forces[j, 2] -= pull * z


@kernel
def meet_ground(ground: Array, point: Array, dt: float, out_velocity: Array) -> None:
    """Push a point out of the ground (96) and slow its slide (98), per mass; the ground never pulls."""
    depth = ground[0] - point[1]
    if depth <= 0.0:
        return
    rate = ground[1]
    push = dt * max(rate * rate * depth - 2.0 * rate * out_velocity[1], 0.0)
    out_velocity[1] += push
    slide = np.sqrt(out_velocity[0] ** 2 + out_velocity[2] ** 2)
    if slide > 0.0:
        left = max(1.0 - ground[2] * push / slide, 0.0)
        out_velocity[0] *= left
        out_velocity[2] *= left
