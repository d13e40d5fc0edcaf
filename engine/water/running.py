"""WaterRun: the state of the water in one tank while it is stepped."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.maths.rotation_arrays import cross
from engine.water.boundaries import Boundaries
from engine.water.distances import measure_solids
from engine.water.foam import Foam
from engine.water.immersed import cell_distances
from engine.water.joined import RigidFrames, join_surfaces
from engine.water.marching_cubes import mesh_water
from engine.water.moments import NOT_CUT, WaterMoment, samples
from engine.water.solids import MovingMesh
from engine.water.step import WaterState, WaterWork, load, save, start, step
from engine.water.strong import step_with_bodies
from engine.water.surface import NO_SOLID
from engine.water.surfaces import free_share
from engine.water.surroundings import BodyPlaces, PushedBodies
from engine.water.tank_run import Saved, TankRun
from engine.water.timestep import fastest
from engine.water.volume import measure_water

if TYPE_CHECKING:
    from engine.water.compile import TankScene

_LAG = 0.1
FAR = 4.0  # [cells] as far as distances are kept for the picture


class WaterRun(TankRun):
    """Water on a grid."""

    def __init__(self, scene: TankScene, state: WaterState, work: WaterWork) -> None:
        super().__init__(scene)
        self._state, self._work = state, work
        self._around: Boundaries | None = None  # of the last sub-step with bodies
        self._lags = np.zeros((scene.links.soft_vertices, 3))  # [m/s] of vertices of soft bodies, beside rigid motion
        self._foam, self._cut = Foam(), NOT_CUT

    @classmethod
    def begin(cls, scene: TankScene, bodies: BodyPlaces) -> WaterRun:
        """Put the water into the tank."""
        state = scene.model.new_state(scene.first_distance())
        if scene.tank.current:
            state.u[:] = scene.tank.current
        made = cls(scene, state, start(scene.model, state))
        made._around = made._taken_up(made._standing(bodies))
        made._cut = made._cut_out()
        made._measure()
        return made

    @classmethod
    def load(cls, scene: TankScene, saved: Saved) -> WaterRun:
        """Take up a checkpoint."""
        made = cls(scene, *load(scene.model, saved))
        made._load_own(saved)
        made._lags[:] = saved["own_lags"]
        made._foam, made._cut = Foam(saved["own_foam"].copy()), saved["own_cut"].copy()
        return made

    def save(self) -> Saved:
        """Make a checkpoint."""
        seen: dict[str, NDArray[Any]] = {"own_lags": self._lags, "own_foam": self._foam.flecks, "own_cut": self._cut}
        kept = {name: each.copy() for name, each in seen.items()}
        return {**save(self._state, self._work), **self._own(), **kept}

    def step(
        self, before: BodyPlaces, now: BodyPlaces, dt: float, pushed: PushedBodies | None = None
    ) -> Generator[float, None, None]:
        """Move on by a step."""
        scene, found = self._scene, self._in_tank(before, now, dt, pushed)
        self._foam.shed(self._drops_in_cells(), self._state.phi, scene.grid.spacing, dt)
        solids = [*found.led] + ([] if scene.paddle is None else [scene.paddle.moving(self.seconds)])
        if found.pushed is not None:
            solids += [self._lagging(each, found.pushed.frames, dt) for each in found.pushed.solids]
        if not solids:
            report = step(scene.model, self._state, self._work, dt)
            self._around = None
            self.pushes.append(self._no_push())
            numbers = report.divergence, report.iterations, report.substeps
        else:
            bodies = step_with_bodies(
                scene.model, self._state, self._work, dt, found.immersed(solids), scene.tank.coupling
            )
            self._note(found, before, bodies.vertex_forces, bodies.wrenches)
            self._around = bodies.boundaries
            numbers = bodies.divergence, bodies.iterations, bodies.substeps
        self.seconds += dt
        self._look(dt)
        self._measure(*numbers)
        yield 1.0

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

    @property
    def fastest(self) -> float:
        """The largest speed of water along an axis [m/s]."""
        return fastest(self._state.velocities)

    def moment(self) -> WaterMoment:
        """Give what is seen and measured now."""
        grid = self._scene.grid
        mesh = mesh_water(self._state.phi, grid.spacing, grid.origin)
        places = (mesh.positions - np.array(grid.origin)) / grid.spacing
        return WaterMoment(
            positions=mesh.positions,
            normals=mesh.normals,
            triangles=mesh.triangles.astype(np.int32),
            foam=self._foam.at(places, grid.cells),
            spray=self._work.surface.drops().astype(np.float32),
            cut=self._cut,
            flow=self._flow(),
            numbers=self._numbers.copy(),
            forces=self.forces.astype(np.float64),
            pushes=self._joined(),
        )

    def _look(self, dt: float) -> None:
        """Note what is seen of the water beside its surface, a step of dt [s] on."""
        self._foam.carry(self._state.phi, self._scene.grid.spacing, dt, self._state.velocities)
        self._cut = self._cut_out()

    def _drops_in_cells(self) -> Array:
        grid, drops = self._scene.grid, self._work.surface.drops()
        drops[:, :3] = (drops[:, :3] - np.array(grid.origin)) / grid.spacing
        drops[:, 6] /= grid.spacing
        return drops

    def _cut_out(self) -> NDArray[np.float16]:
        """Give distances to the water without what bodies fill [cells]; nothing where there are none in it."""
        distance, h = None if self._around is None else self._around.distance, self._scene.grid.spacing
        if distance is None or not (distance < 0.0).any():
            return NOT_CUT
        return np.clip(np.maximum(self._state.phi, -distance) / h, -FAR, FAR).astype(np.float16)

    def _volume(self) -> float:
        """Give the volume of the water [m3], with its drops."""
        h, radii = self._scene.grid.spacing, self._work.surface.spray()[:, 6]
        free = NO_SOLID if self._around is None else free_share(self._around, h)
        return float(measure_water(self._state.phi, h, free)[0] + 4.0 / 3.0 * math.pi * (radii**3).sum())

    def _flow(self) -> NDArray[np.float16]:
        """Give velocity and pressure of some cells, at most so many along each side."""
        state, cells = self._state, self._scene.grid.cells
        at = samples(cells)
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
        amounts = (
            self._volume(),
            self._work.surface.taken_back,
            *(float((mass * each).sum()) for each in (x, y, z)),
            0.5 * float((mass * (x * x + y * y + z * z)).sum()),
            -scene.model.gravity[1] * float((mass * heights).sum()),
        )
        self._numbers = np.array((*(scene.slabs * each for each in amounts), divergence, iterations, sub_steps))

    def _taken_up(self, solids: Sequence[MovingMesh]) -> Boundaries:
        """Find where bodies take up room from the beginning."""
        grid, paddle = self._scene.grid, self._scene.paddle
        standing = [*solids] + ([] if paddle is None else [paddle.moving(0.0)])
        distance = cell_distances(grid, measure_solids(grid, join_surfaces(standing)))
        return replace(self._work.walls, distance=distance)
