"""WaterRun: the state of the water in one tank while it is stepped."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross
from engine.water.boundaries import Boundaries, walls
from engine.water.distances import measure_solids
from engine.water.immersed import Immersed, cell_distances
from engine.water.joined import RigidFrames, join_surfaces
from engine.water.marching_cubes import mesh_water
from engine.water.moments import MOST_SAMPLES, NUMBERS, WaterMoment
from engine.water.pushing import ROW
from engine.water.solids import MovingMesh
from engine.water.step import WaterState, WaterWork, load, save, start, step
from engine.water.strong import step_with_bodies
from engine.water.surface import NO_SOLID
from engine.water.surfaces import free_share
from engine.water.surroundings import BodyPlaces, PushedBodies, TankBody, moving
from engine.water.volume import measure_water

if TYPE_CHECKING:
    from engine.water.compile import TankScene

Saved = Mapping[str, NDArray[Any]]
_OWN = ("own_forces", "own_seconds", "own_report", "own_pushes", "own_lags")
_LAG = 0.1
_STILL = RigidFrames(origins=np.zeros((1, 3)), velocities=np.zeros((1, 6)))  # a frame that moves nothing


class WaterRun:
    """Steps one state; used by one thread."""

    def __init__(self, scene: TankScene, state: WaterState, work: WaterWork) -> None:
        self._scene, self._state, self._work = scene, state, work
        self._around: Boundaries | None = None  # of the last sub-step with bodies
        self.pushes = list[Array]()  # on joints that physics moves, in the steps since the last frame
        self.forces = np.zeros((len(scene.bodies), 6))
        self._lags = np.zeros((scene.links.soft_vertices, 3))  # [m/s] of vertices of soft bodies, beside rigid motion
        self.soft = dict[str, Array]()  # on the vertices of soft bodies, in the last step
        self.seconds = 0.0  # since the start
        self._numbers = np.zeros(NUMBERS)

    @classmethod
    def begin(cls, scene: TankScene, bodies: BodyPlaces) -> WaterRun:
        """Put the water into the tank."""
        state = scene.model.new_state(scene.first_distance())
        if scene.tank.current:
            state.u[:] = scene.tank.current
        made = cls(scene, state, start(scene.model, state))
        made._around = _taken_up(scene, bodies)
        made._measure()
        return made

    @classmethod
    def load(cls, scene: TankScene, saved: Saved) -> WaterRun:
        """Take up a checkpoint."""
        made = cls(scene, *load(scene.model, saved))
        made.forces = saved["own_forces"].copy()
        made.seconds, made._numbers = float(saved["own_seconds"][0]), saved["own_report"].copy()
        made.pushes = list(saved["own_pushes"].copy())
        made._lags[:] = saved["own_lags"]
        return made

    def save(self) -> Saved:
        """Make a checkpoint."""
        own = self.forces.copy(), np.array([self.seconds]), self._numbers.copy(), self._joined(), self._lags.copy()
        return {**save(self._state, self._work), **dict(zip(_OWN, own, strict=True))}

    def step(
        self, before: BodyPlaces, now: BodyPlaces, dt: float, pushed: PushedBodies | None = None
    ) -> Generator[float, None, None]:
        """Move on by a step of dt [s], with bodies that go from one place to another, and those that the water pushes
        where they are; yields the share that is done."""
        scene = self._scene
        pushed = pushed if pushed is not None and pushed.frames.count else None
        numbers = [
            number
            for number, each in enumerate(scene.bodies)
            if (pushed is None or each.actor not in pushed.actors) and _meets(scene, each, before, now)
        ]
        solids = [moving(scene.bodies[number], before, now, 0.0, dt) for number in numbers]
        self.forces[:] = 0.0
        self.soft = {}
        if scene.paddle is not None:
            solids.append(scene.paddle.moving(self.seconds))
        solids += () if pushed is None else [self._lagging(each, pushed.frames, dt) for each in pushed.solids]
        if not solids:
            yield from self._flow_on(dt)
            self.pushes.append(np.zeros((len(scene.links.links), ROW)))
            return
        given = Immersed(
            solids=tuple(solids),
            frames=_STILL if pushed is None else pushed.frames,
            free=_STILL.velocities if pushed is None else pushed.free,
            response=np.zeros((6, 6)) if pushed is None else pushed.response,
        )
        report = step_with_bodies(scene.model, self._state, self._work, dt, given, scene.tank.coupling)
        for number, solid, forces in zip(numbers, solids, report.vertex_forces, strict=False):
            self._note_force(number, solid, before, forces)
        if pushed is not None and pushed.solids:
            last = report.vertex_forces[-len(pushed.solids) :]
            for number, solid, forces in zip(pushed.numbers, pushed.solids, last, strict=True):
                origin = pushed.frames.origins[solid.mesh.frames[0, 0]]
                self.forces[number] = _wrench(solid.points, origin, forces)
                if scene.bodies[number].joint < 0:
                    self._note_soft(scene.bodies[number], forces)
        still = np.zeros((len(scene.links.links), ROW))
        self.pushes.append(still if pushed is None else scene.links.rows(pushed, report.wrenches))
        self.seconds += dt
        self._around = report.boundaries
        self._measure(report.divergence, report.iterations, report.substeps)
        yield 1.0

    def _note_force(self, number: int, solid: MovingMesh, now: BodyPlaces, forces: Array) -> None:
        """Note what the water does to a body that is led, about its joint's origin or a soft body's middle."""
        body = self._scene.bodies[number]
        middle = solid.points.mean(axis=0) if body.joint < 0 else now.frames[body.actor][body.joint, :, 3]
        self.forces[number] = _wrench(solid.points, middle, forces)

    def _lagging(self, solid: MovingMesh, frames: RigidFrames, dt: float) -> MovingMesh:
        """Let a soft body bend with some lag, as far as the water goes.

        Its rigid motion gives way while the pressure is found, what bends it comes a step late; so a light body would
        diverge by the water that goes along. With a lag T the water's answer is smaller by dt / (T + dt): stable for
        added masses up to that many times what the body's mass and stiffness amount to in a step.
        """
        if not solid.mesh.bends:
            return solid
        frame = int(solid.mesh.frames[0, 0])
        velocity, arms = frames.velocities[frame], solid.points - frames.origins[frame]
        rigid = velocity[:3] + cross(velocity[3:], arms)
        lags = self._lags[self._scene.links.soft_rows(frame)]
        lags += dt / (_LAG + dt) * (solid.velocities - rigid - lags)
        return replace(solid, velocities=rigid + lags)

    def _note_soft(self, body: TankBody, forces: Array) -> None:
        """Note the forces on all vertices of a soft body's surface, of which those at one place are one."""
        found = np.zeros((body.vertex_count, 3))
        found[body.welds] = forces
        self.soft[body.actor] = found

    def begin_frame(self) -> None:
        """Forget what was pushed on the way to the frame that it stands at."""
        self.pushes.clear()

    def _joined(self) -> Array:
        return np.array(self.pushes).reshape(len(self.pushes), len(self._scene.links.links), ROW)

    def _flow_on(self, dt: float) -> Generator[float, None, None]:
        report = step(self._scene.model, self._state, self._work, dt)
        self.seconds += dt
        self._around = None
        self._measure(report.divergence, report.iterations, report.substeps)
        yield 1.0

    def moment(self) -> WaterMoment:
        """Give what is seen and measured now."""
        scene, h = self._scene, self._scene.grid.spacing
        mesh = mesh_water(self._state.phi, h, scene.grid.origin)
        return WaterMoment(
            mesh.positions,
            mesh.normals,
            mesh.triangles.astype(np.int32),
            self._drops(),
            self._flow(),
            self._numbers.copy(),
            self.forces.astype(np.float64),
            self._joined(),
        )

    def _drops(self) -> NDArray[np.float32]:
        """Give middles and radii of drops that fly [m]."""
        return self._work.surface.spray()[:, [0, 1, 2, 6]].astype(np.float32)

    def _volume(self) -> float:
        """Give the volume of the water [m3], with its drops."""
        h, radii = self._scene.grid.spacing, self._work.surface.spray()[:, 6]
        free = NO_SOLID if self._around is None else free_share(self._around, h)
        return float(measure_water(self._state.phi, h, free)[0] + 4.0 / 3.0 * math.pi * (radii**3).sum())

    def _flow(self) -> NDArray[np.float16]:
        """Give velocity and pressure of some cells, at most so many along each side."""
        state, cells = self._state, self._scene.grid.cells
        by = max(1, -(-max(cells) // MOST_SAMPLES))
        at = tuple(slice(by // 2, None, by) for _ in range(3))
        u, v, w = state.u, state.v, state.w
        middles = 0.5 * (u[1:] + u[:-1]), 0.5 * (v[:, 1:] + v[:, :-1]), 0.5 * (w[:, :, 1:] + w[:, :, :-1])
        found = np.stack([each[at] for each in (*middles, 1e-3 * state.pressure)]).astype(np.float16)
        found[:, state.phi[at] > 0.0] = np.nan
        return np.ascontiguousarray(found)

    def _measure(self, divergence: float = 0.0, iterations: int = 0, sub_steps: int = 0) -> None:
        """Note the numbers of what was reached."""
        scene, state = self._scene, self._state
        density, h = scene.model.density, scene.grid.spacing
        share = np.clip(0.5 - state.phi / h, 0.0, 1.0)
        u, v, w = state.u, state.v, state.w
        x, y, z = 0.5 * (u[1:] + u[:-1]), 0.5 * (v[:, 1:] + v[:, :-1]), 0.5 * (w[:, :, 1:] + w[:, :, :-1])
        mass = density * h**3 * share
        heights = scene.grid.centres()[1] - scene.grid.origin[1]
        self._numbers = np.array(
            (
                self._volume(),
                self._work.surface.taken_back,
                *(float((mass * each).sum()) for each in (x, y, z)),
                0.5 * float((mass * (x * x + y * y + z * z)).sum()),
                -scene.model.gravity[1] * float((mass * heights).sum()),
                divergence,
                iterations,
                sub_steps,
            )
        )


def _wrench(points: Array, origin: Array, forces: Array) -> Array:
    """Add up forces on points, and their torques about an origin."""
    moments = (points - origin).T @ forces
    turning = moments[1, 2] - moments[2, 1], moments[2, 0] - moments[0, 2], moments[0, 1] - moments[1, 0]
    return np.array((*forces.sum(axis=0), *turning))


def _taken_up(scene: TankScene, bodies: BodyPlaces) -> Boundaries:
    """Find where bodies take up room from the beginning; soft ones that are not known yet take up none."""
    standing = [each for each in scene.bodies if each.joint >= 0 or each.actor in bodies.soft]
    solids = [moving(each, bodies, bodies, 0.0, 1.0) for each in standing if _meets(scene, each, bodies, bodies)]
    solids += [] if scene.paddle is None else [scene.paddle.moving(0.0)]
    distance = cell_distances(scene.grid, measure_solids(scene.grid, join_surfaces(solids)))
    return replace(walls(scene.grid), distance=distance)


def _meets(scene: TankScene, body: TankBody, before: BodyPlaces, now: BodyPlaces) -> bool:
    """Tell whether the box about a surface meets the tank."""
    points = np.concatenate((body.at(before), body.at(now)))
    low, size = np.array(scene.grid.origin), np.array(scene.grid.size)
    return bool((points.max(axis=0) > low).all() and (points.min(axis=0) < low + size).all())
